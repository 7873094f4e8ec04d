/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the parts of keys_play() share: plans of operations, random choices, reports.
 */
#ifndef OUTWORK_TEST_OPENSSL_KEY_PLAY_H
#define OUTWORK_TEST_OPENSSL_KEY_PLAY_H

#include "keys.h"

/* Longest input or output of an operation. */
#define PLAY_BYTES_MAX 600u

/* An operation, planned before it runs in either context. */
struct key_plan {
  unsigned key;
  /* NULL: not set */
  const char *padding, *digest, *mask, *salt;
  uint8_t input[PLAY_BYTES_MAX], label[20];
  size_t input_len, label_len;
  /* bytes of the message in one update; 0: the input is a digest */
  size_t piece;
  /* the context is replaced by a copy before the operation ends */
  bool copied;
};

#define PLAY_DIGESTS 8u
extern const char *const play_digests[PLAY_DIGESTS];

static inline const char *play_pick(struct dice *dice, const char *const *words, size_t count) {
  return words[dice_roll(dice, count)];
}
#define PLAY_PICK(dice, words) play_pick(dice, words, sizeof(words) / sizeof((words)[0]))

/* Calls the keys' function `between`, if there is one. */
void play_between(const struct keys *keys);
/* Prints the plan and the two results. Returns false. */
bool play_complain(const struct key_plan *plan, const char *what, bool ours, bool theirs);

/* Each plans and runs one random operation, as keys_play() does. */
bool play_signature(const struct keys *keys, struct dice *dice);
bool play_encryption(const struct keys *keys, struct dice *dice);
bool play_derivation(const struct keys *keys, struct dice *dice);

#endif
