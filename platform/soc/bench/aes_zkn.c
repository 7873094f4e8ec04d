/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key expansion and modes of AES with the CPU's scalar crypto instructions.
 */
#include "aes_zkn.h"

#include <string.h>

static uint32_t sub_word(uint32_t to, uint32_t word) {
  return aes32esi3(aes32esi2(aes32esi1(aes32esi0(to, word), word), word), word);
}

void aes_zkn_set_key(struct aes_zkn *aes, const uint8_t *key, size_t key_len) {
  const unsigned key_words = (unsigned)key_len / 4u;
  uint32_t *words = aes->round_keys, constant = 1;
  aes->rounds = key_words + 6u;
  memcpy(words, key, key_len);
  for (unsigned i = key_words; i < 4u * (aes->rounds + 1u); i++) {
    const uint32_t before = words[i - 1u], old = words[i - key_words];
    const unsigned place = i % key_words;
    if (place == 0u) {
      words[i] = sub_word(old ^ constant, rori8(before));
      constant = (constant << 1) ^ (constant >> 7) * 0x11bu; /* in GF(2^8) */
    } else {
      words[i] = key_words == 8u && place == 4u ? sub_word(old, before) : old ^ before;
    }
  }
}

void aes_zkn_ecb(const struct aes_zkn *aes, void *output, const void *input, size_t length) {
  const uint32_t *in = input;
  uint32_t *out = output;
  for (size_t left = length / 16u; left > 0; left--, in += 4, out += 4) {
    const struct aes_columns block = aes_zkn_block(aes->round_keys, aes->rounds, in);
    out[0] = block.c0;
    out[1] = block.c1;
    out[2] = block.c2;
    out[3] = block.c3;
  }
}

void aes_zkn_cbc(const struct aes_zkn *aes, void *output, uint8_t iv[16], const void *input,
                 size_t length) {
  const uint32_t *in = input;
  uint32_t *out = output, chain[4];
  memcpy(chain, iv, sizeof(chain));
  for (size_t left = length / 16u; left > 0; left--, in += 4, out += 4) {
    const uint32_t from[4] = {in[0] ^ chain[0], in[1] ^ chain[1], in[2] ^ chain[2],
                              in[3] ^ chain[3]};
    const struct aes_columns block = aes_zkn_block(aes->round_keys, aes->rounds, from);
    out[0] = chain[0] = block.c0;
    out[1] = chain[1] = block.c1;
    out[2] = chain[2] = block.c2;
    out[3] = chain[3] = block.c3;
  }
  memcpy(iv, chain, sizeof(chain));
}

void aes_zkn_ctr(const struct aes_zkn *aes, void *output, uint8_t counter[16], const void *input,
                 size_t length) {
  const uint32_t *in = input;
  uint32_t *out = output, number[4];
  memcpy(number, counter, sizeof(number));
  for (size_t left = length / 16u; left > 0; left--, in += 4, out += 4) {
    const struct aes_columns pad = aes_zkn_block(aes->round_keys, aes->rounds, number);
    out[0] = in[0] ^ pad.c0;
    out[1] = in[1] ^ pad.c1;
    out[2] = in[2] ^ pad.c2;
    out[3] = in[3] ^ pad.c3;
    for (unsigned i = 4; i-- > 0;) { /* a big-endian number of 128 bits */
      const uint32_t next = rev8(number[i]) + 1u;
      number[i] = rev8(next);
      if (next != 0u) {
        break;
      }
    }
  }
  memcpy(counter, number, sizeof(number));
}
