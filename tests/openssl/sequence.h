/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random sequences of EVP calls on one context, also in orders that no program should use: run in
 * two library contexts, whose answers must be the same after each call.
 */
#ifndef OUTWORK_TEST_OPENSSL_SEQUENCE_H
#define OUTWORK_TEST_OPENSSL_SEQUENCE_H

#include "call_log.h"
#include "host.h"

#define SEQUENCE_ROOM 70000u

/* The answer to one call. */
struct answer {
  int good;
  /* bytes of `bytes`, compared if the call succeeded */
  size_t length;
  uint8_t bytes[SEQUENCE_ROOM];
};

struct sequence {
  struct dice dice;
  /* the provider and OpenSSL's default provider */
  struct host *hosts[2];
  struct answer answers[2];
  /* called before each call; may be NULL */
  void (*between)(void);
  /* the input of every call, and a copy that the call may overwrite */
  uint8_t input[SEQUENCE_ROOM], work[SEQUENCE_ROOM];
  struct call_log log;
};

/* Returns whether both answers are the same; prints the log if not. */
bool sequence_agrees(struct sequence *sequence);
/* Returns whether the last call succeeded in OpenSSL's own provider. */
bool sequence_succeeded(const struct sequence *sequence);
/* Begin and end a message in both contexts. key, iv: NULL for none. */
void sequence_init(struct sequence *sequence, EVP_CIPHER_CTX *const contexts[2], const uint8_t *key,
                   const uint8_t *iv, bool encrypt);
void sequence_final(struct sequence *sequence, EVP_CIPHER_CTX *const contexts[2]);
/* Returns a length: often none or a few bytes, sometimes more than a request takes. */
size_t sequence_length(struct sequence *sequence);
/* Returns true once in `sides`. */
bool sequence_chance(struct sequence *sequence, size_t sides);

/* Calls `between`. */
void sequence_disturb(const struct sequence *sequence);

/* Play the calls of one context. Return false after a difference. */
bool sequence_play_blocks(struct sequence *sequence, size_t calls);
bool sequence_play_gcm(struct sequence *sequence, size_t calls);
bool sequence_play_ccm(struct sequence *sequence, size_t calls);
bool sequence_play_mac(struct sequence *sequence, size_t calls);

#endif
