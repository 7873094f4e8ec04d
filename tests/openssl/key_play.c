/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Runs random operations with keys, and reports differences.
 */
#include "key_play.h"

const char *const play_digests[PLAY_DIGESTS] = {"SHA1",   "SHA224",     "SHA256",   "SHA384",
                                                "SHA512", "SHA512-256", "SHA3-256", "SHA256"};

static const char *shown(const char *word) {
  return word != NULL ? word : "-";
}

bool play_complain(const struct key_plan *plan, const char *what, bool ours, bool theirs) {
  fprintf(stderr,
          "%s with %s %u %s: padding %s, digest %s, mask %s, salt %s, %zu bytes: %d, not %d\n",
          what, key_kinds[plan->key].type, key_kinds[plan->key].bits,
          shown(key_kinds[plan->key].group), shown(plan->padding), shown(plan->digest),
          shown(plan->mask), shown(plan->salt), plan->input_len, ours, theirs);
  return false;
}

void play_between(const struct keys *keys) {
  if (keys->between != NULL) {
    keys->between();
  }
}

bool keys_play(const struct keys *keys, struct dice *dice) {
  switch (dice_roll(dice, 3)) {
  case 0:
    return play_signature(keys, dice);
  case 1:
    return play_encryption(keys, dice);
  default:
    return play_derivation(keys, dice);
  }
}
