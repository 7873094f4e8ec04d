/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on a context of AES-ECB, AES-CBC, AES-CTR or TDES.
 *
 * Left out, because OpenSSL itself is not consistent there:
 * - another direction without a key: OpenSSL would use the key's schedule of the other one;
 * - CBC before the first IV: OpenSSL goes on from the last block of the message before;
 * - anything after an end that failed but a new IV: OpenSSL may have decrypted its buffer.
 */
#include "sequence.h"

struct blocks {
  struct sequence *sequence;
  EVP_CIPHER_CTX *contexts[2];
  bool encrypt;
  /* only a new IV makes the state defined again */
  bool undefined;
};

static bool agrees(const struct blocks *blocks) {
  return sequence_agrees(blocks->sequence);
}

static bool init(struct blocks *blocks, bool key, bool iv) {
  struct sequence *sequence = blocks->sequence;
  uint8_t key_bytes[32], iv_bytes[16];
  bool turn = key && sequence_chance(sequence, 4);
  blocks->encrypt = blocks->encrypt != turn;
  dice_fill(&sequence->dice, key_bytes, sizeof(key_bytes));
  dice_fill(&sequence->dice, iv_bytes, sizeof(iv_bytes));
  if (sequence_chance(sequence, 4)) { /* a counter that soon has a carry */
    memset(iv_bytes, 0xff, sizeof(iv_bytes));
  }
  sequence_init(sequence, blocks->contexts, key ? key_bytes : NULL, iv ? iv_bytes : NULL,
                blocks->encrypt);
  blocks->undefined = blocks->undefined && !iv;
  return agrees(blocks);
}

static bool update(struct blocks *blocks) {
  struct sequence *sequence = blocks->sequence;
  size_t length = sequence_length(sequence);
  bool one_shot = sequence_chance(sequence, 6);
  if (one_shot) {
    length = (length | 16) & ~(size_t)15;
  }
  call_log_note(&sequence->log, "%s(%zu)", one_shot ? "EVP_Cipher" : "update", length);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    int written = 0;
    if (one_shot) {
      answer->good =
          EVP_Cipher(blocks->contexts[side], answer->bytes, sequence->input, (unsigned)length);
      written = answer->good;
    } else {
      answer->good = EVP_CipherUpdate(blocks->contexts[side], answer->bytes, &written,
                                      sequence->input, (int)length);
    }
    answer->length = written < 0 ? 0 : (size_t)written;
  }
  return agrees(blocks);
}

static bool final(struct blocks *blocks) {
  sequence_final(blocks->sequence, blocks->contexts);
  blocks->undefined = !sequence_succeeded(blocks->sequence);
  return agrees(blocks);
}

static bool set_padding(struct blocks *blocks) {
  int padding = sequence_chance(blocks->sequence, 2);
  call_log_note(&blocks->sequence->log, "padding %d", padding);
  for (unsigned side = 0; side < 2; side++) {
    blocks->sequence->answers[side].length = 0;
    blocks->sequence->answers[side].good =
        EVP_CIPHER_CTX_set_padding(blocks->contexts[side], padding);
  }
  return agrees(blocks);
}

static bool get_iv(struct blocks *blocks, bool updated) {
  size_t length = (size_t)EVP_CIPHER_CTX_get_iv_length(blocks->contexts[1]);
  call_log_note(&blocks->sequence->log, "get the %sIV", updated ? "updated " : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &blocks->sequence->answers[side];
    answer->length = length;
    answer->good = updated
                       ? EVP_CIPHER_CTX_get_updated_iv(blocks->contexts[side], answer->bytes, 16)
                       : EVP_CIPHER_CTX_get_original_iv(blocks->contexts[side], answer->bytes, 16);
  }
  return agrees(blocks);
}

/* Goes on with copies. */
static void copy(struct blocks *blocks) {
  call_log_note(&blocks->sequence->log, "copy");
  for (unsigned side = 0; side < 2; side++) {
    EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();
    CHECK(EVP_CIPHER_CTX_copy(other, blocks->contexts[side]));
    EVP_CIPHER_CTX_free(blocks->contexts[side]);
    blocks->contexts[side] = other;
  }
}

static bool play_call(struct blocks *blocks) {
  switch (blocks->undefined ? 0 : dice_roll(&blocks->sequence->dice, 16)) {
  case 0:
  case 1:
    return init(blocks, sequence_chance(blocks->sequence, 2), true);
  case 2:
  case 3:
    return init(blocks, sequence_chance(blocks->sequence, 2), false);
  case 4:
    return set_padding(blocks);
  case 5:
    return get_iv(blocks, true);
  case 6:
    return get_iv(blocks, false);
  case 7:
    copy(blocks);
    return true;
  case 8:
  case 9:
    return final(blocks);
  default:
    return update(blocks);
  }
}

bool sequence_play_blocks(struct sequence *sequence, size_t calls) {
  static const uint8_t ciphers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 17, 18}; /* of host.c */
  size_t cipher = ciphers[dice_roll(&sequence->dice, sizeof(ciphers))];
  struct blocks blocks = {.sequence = sequence, .undefined = true};
  bool good = true;
  blocks.encrypt = sequence_chance(sequence, 2);
  call_log_note(&sequence->log, "%s", EVP_CIPHER_get0_name(sequence->hosts[1]->ciphers[cipher]));
  for (unsigned side = 0; side < 2; side++) {
    blocks.contexts[side] = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex(blocks.contexts[side], sequence->hosts[side]->ciphers[cipher], NULL,
                            NULL, NULL, blocks.encrypt));
  }
  while (good && calls-- > 0) {
    sequence_disturb(sequence);
    good = play_call(&blocks);
  }
  EVP_CIPHER_CTX_free(blocks.contexts[0]);
  EVP_CIPHER_CTX_free(blocks.contexts[1]);
  return good;
}
