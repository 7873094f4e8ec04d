/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the sequences of calls share: comparison, random lengths, begin and end of a message.
 */
#include "sequence.h"

#include <openssl/err.h>

bool sequence_agrees(struct sequence *sequence) {
  const struct answer *ours = &sequence->answers[0], *theirs = &sequence->answers[1];
  bool same = ours->good == theirs->good &&
              (ours->good <= 0 || (ours->length == theirs->length &&
                                   memcmp(ours->bytes, theirs->bytes, ours->length) == 0));
  if (!same) {
    fprintf(stderr, "%sthe last call: %d and %d, %zu and %zu bytes\n", sequence->log.text,
            ours->good, theirs->good, ours->length, theirs->length);
  }
  ERR_clear_error();
  return same;
}

bool sequence_succeeded(const struct sequence *sequence) {
  return sequence->answers[1].good > 0;
}

void sequence_init(struct sequence *sequence, EVP_CIPHER_CTX *const contexts[2], const uint8_t *key,
                   const uint8_t *iv, bool encrypt) {
  call_log_note(&sequence->log, "init(%s%s%s)", key != NULL ? "key " : "", iv != NULL ? "IV " : "",
                encrypt ? "encrypt" : "decrypt");
  for (unsigned side = 0; side < 2; side++) {
    sequence->answers[side].length = 0;
    sequence->answers[side].good = EVP_CipherInit_ex(contexts[side], NULL, NULL, key, iv, encrypt);
  }
}

void sequence_final(struct sequence *sequence, EVP_CIPHER_CTX *const contexts[2]) {
  call_log_note(&sequence->log, "final");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    int written = 0;
    answer->good = EVP_CipherFinal_ex(contexts[side], answer->bytes, &written);
    answer->length = (size_t)written;
  }
}

size_t sequence_length(struct sequence *sequence) {
  struct dice *dice = &sequence->dice;
  switch (dice_roll(dice, 8)) {
  case 0:
    return 0;
  case 1:
    return 1 + dice_roll(dice, 15);
  case 2:
    return 16 * dice_roll(dice, 8);
  case 3:
    return dice_roll(dice, 20) == 0 ? 65530 + dice_roll(dice, 20) : 8;
  default:
    return dice_roll(dice, 1500);
  }
}

void sequence_disturb(const struct sequence *sequence) {
  if (sequence->between != NULL) {
    sequence->between();
  }
}

bool sequence_chance(struct sequence *sequence, size_t sides) {
  return dice_roll(&sequence->dice, sides) == 0;
}
