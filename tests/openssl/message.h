/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random messages of every cipher: in random pieces, in place or not, copied midway, with wrong
 * tags; run in two library contexts, whose results must be the same.
 */
#ifndef OUTWORK_TEST_OPENSSL_MESSAGE_H
#define OUTWORK_TEST_OPENSSL_MESSAGE_H

#include "host.h"

#define MESSAGE_MAX  200000u
#define MESSAGE_ROOM (MESSAGE_MAX + 64u)

/* All actions on both sides. */
struct plan {
  /* index in the host's list */
  size_t cipher;
  int mode;
  bool encrypt, in_place, padding, padding_twice, bad_tag, key_apart, iv_twice;
  uint8_t key[64], iv[64], aad[600], tag[16];
  size_t iv_len, aad_len, tag_len, length, offset, largest_cut;
  /* seed of the cuts */
  uint64_t cuts;
  /* after this number of updates, or after all, continue with a copy of the context */
  size_t copy_at;
};

/* The results. */
struct result {
  uint8_t output[MESSAGE_ROOM];
  size_t output_len;
  /* product of all return values */
  int good;
  uint8_t tag[16];
  uint8_t iv[64];
  /* reported at the end */
  int iv_length;
};

/* Memory of one run. */
struct stage {
  struct plan plan;
  uint8_t message[MESSAGE_ROOM], work[MESSAGE_ROOM];
  struct result ours, theirs;
  /* called before each update of the provider; may be NULL */
  void (*between)(void);
};

/* Runs one message of at most `longest` bytes on both. Returns false, and prints a line to stderr,
 * if the results differ. */
bool message_play(struct stage *stage, struct host *ours, struct host *theirs, struct dice *dice,
                  size_t longest);

#endif
