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

/* Everything that is done to both sides. */
struct plan {
  size_t cipher; /* of the host's */
  int mode;
  bool encrypt, in_place, padding, padding_twice, bad_tag, key_apart, iv_twice;
  uint8_t key[64], iv[64], aad[600], tag[16];
  size_t iv_len, aad_len, tag_len, length, offset, largest_cut;
  uint64_t cuts;  /* seed */
  size_t copy_at; /* after so many updates, or all, a copy of the context goes on */
};

/* What came of it. */
struct result {
  uint8_t output[MESSAGE_ROOM];
  size_t output_len;
  int good; /* product of all answers */
  uint8_t tag[16];
  uint8_t iv[64];
  int iv_length; /* answered at the end */
};

/* A player's memory. */
struct stage {
  struct plan plan;
  uint8_t message[MESSAGE_ROOM], work[MESSAGE_ROOM];
  struct result ours, theirs;
  void (*between)(void); /* called before each update of ours; may be NULL */
};

/* One message, by both; false, and a line on stderr, if the answers differ. Messages are at most
 * `longest` bytes. */
bool message_play(struct stage *stage, struct host *ours, struct host *theirs, struct dice *dice,
                  size_t longest);

#endif
