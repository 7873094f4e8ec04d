/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random messages of every digest, HMAC and KMAC: in random pieces, copied midway, restarted; run
 * in two library contexts, whose results must be the same.
 */
#ifndef OUTWORK_TEST_OPENSSL_HASHING_H
#define OUTWORK_TEST_OPENSSL_HASHING_H

#include "host.h"

#define HASHING_MAX        200000u
#define HASHING_OUTPUT_MAX 70000u

struct hashing {
  uint8_t message[HASHING_MAX];
  uint8_t ours[2][HASHING_OUTPUT_MAX], theirs[2][HASHING_OUTPUT_MAX];
  /* called before each update of the provider; may be NULL */
  void (*between)(void);
  /* digests only: OpenSSL's MACs fetch algorithms, which fails if the process forks */
  bool plain;
  /* not 0: messages of more than two pieces of this size */
  size_t piece;
};

/* Runs one message on both. Returns false, and prints a line to stderr, if the results differ. */
bool hashing_play(struct hashing *hashing, struct host *ours, struct host *theirs,
                  struct dice *dice, size_t longest);

#endif
