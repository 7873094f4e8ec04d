/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES with the CPU's scalar crypto instructions (FIPS 197, SP 800-38A), encryption, in words of
 * four bytes, the first byte lowest. No table and no branch depends on a secret.
 */
#ifndef AES_ZKN_H
#define AES_ZKN_H

#include <stddef.h>
#include <stdint.h>

#include "zkn.h"

#define AES_ZKN_ROUNDS_MAX 14u

struct aes_zkn {
  uint32_t round_keys[4u * (AES_ZKN_ROUNDS_MAX + 1u)];
  unsigned rounds;
};

struct aes_columns {
  uint32_t c0, c1, c2, c3;
};

/* A round, the four columns in turn: no instruction waits for the one before it. */
#define AES_ZKN_ROUND(instruction, to, from, key)                                                  \
  do {                                                                                             \
    to.c0 = instruction##0((key)[0], from.c0);                                                     \
    to.c1 = instruction##0((key)[1], from.c1);                                                     \
    to.c2 = instruction##0((key)[2], from.c2);                                                     \
    to.c3 = instruction##0((key)[3], from.c3);                                                     \
    to.c0 = instruction##1(to.c0, from.c1);                                                        \
    to.c1 = instruction##1(to.c1, from.c2);                                                        \
    to.c2 = instruction##1(to.c2, from.c3);                                                        \
    to.c3 = instruction##1(to.c3, from.c0);                                                        \
    to.c0 = instruction##2(to.c0, from.c2);                                                        \
    to.c1 = instruction##2(to.c1, from.c3);                                                        \
    to.c2 = instruction##2(to.c2, from.c0);                                                        \
    to.c3 = instruction##2(to.c3, from.c1);                                                        \
    to.c0 = instruction##3(to.c0, from.c3);                                                        \
    to.c1 = instruction##3(to.c1, from.c0);                                                        \
    to.c2 = instruction##3(to.c2, from.c1);                                                        \
    to.c3 = instruction##3(to.c3, from.c2);                                                        \
  } while (0)

/* Encrypts a block with the keys of so many rounds: 10, 12 or 14. */
static inline struct aes_columns aes_zkn_block(const uint32_t *round_keys, unsigned rounds,
                                               const uint32_t from[4]) {
  const uint32_t *key = round_keys;
  const uint32_t *const last = key + 4u * rounds;
  struct aes_columns b,
      a = {from[0] ^ key[0], from[1] ^ key[1], from[2] ^ key[2], from[3] ^ key[3]};
  for (key += 4; key != last - 4; key += 8) {
    AES_ZKN_ROUND(aes32esmi, b, a, key);
    AES_ZKN_ROUND(aes32esmi, a, b, key + 4);
  }
  AES_ZKN_ROUND(aes32esmi, b, a, key);
  AES_ZKN_ROUND(aes32esi, a, b, last);
  return a;
}

/* Expands a key of 16, 24 or 32 bytes. */
void aes_zkn_set_key(struct aes_zkn *aes, const uint8_t *key, size_t key_len);

/* Of the calls below `length` is a multiple of 16; input and output are aligned to 4 bytes and may
 * be the same. IV and counter become those that continue the message. */
void aes_zkn_ecb(const struct aes_zkn *aes, void *output, const void *input, size_t length);
void aes_zkn_cbc(const struct aes_zkn *aes, void *output, uint8_t iv[16], const void *input,
                 size_t length);
void aes_zkn_ctr(const struct aes_zkn *aes, void *output, uint8_t counter[16], const void *input,
                 size_t length);

#endif
