/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A block of AES by the CPU's instructions, in words of four bytes, the first byte lowest. A
 * header, to be part of the loop over the blocks of a message.
 */
#ifndef AES_ZKN_H
#define AES_ZKN_H

#include "zkn.h"

struct columns {
  uint32_t c0, c1, c2, c3;
};

/* A round, the four columns in turn: no instruction waits for the one before it. */
#define ROUND(instruction, to, from, key)                                                          \
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

/* Encrypts a block with 4 * (rounds + 1) words of round keys; 10, 12 or 14 rounds. */
static inline struct columns aes_zkn_encrypt(const uint32_t *key, unsigned rounds,
                                             const uint32_t from[4]) {
  const uint32_t *const last = key + 4u * rounds;
  struct columns a = {from[0] ^ key[0], from[1] ^ key[1], from[2] ^ key[2], from[3] ^ key[3]}, b;
  for (key += 4; key != last - 4; key += 8) {
    ROUND(aes32esmi, b, a, key);
    ROUND(aes32esmi, a, b, key + 4);
  }
  ROUND(aes32esmi, b, a, key);
  ROUND(aes32esi, a, b, last);
  return a;
}

#endif
