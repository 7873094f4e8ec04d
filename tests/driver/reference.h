/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Expected results of messages, from libcrypto.
 */
#ifndef OUTWORK_TEST_REFERENCE_H
#define OUTWORK_TEST_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reference {
  /* enum ow_opcode */
  uint8_t opcode;
  const uint8_t *key, *tweak_key;
  size_t key_len;
  const uint8_t *iv;
  size_t iv_len;
  const uint8_t *aad;
  size_t aad_len;
  size_t tag_len;
};

/* Encrypts, or computes a MAC. output and tag may be NULL if the mode has none. */
void reference_seal(const struct reference *reference, uint8_t *output, uint8_t *tag,
                    const uint8_t *input, size_t length);

/* Return random numbers, the same in every run. */
uint32_t random_number(void);
void random_bytes(uint8_t *bytes, size_t length);
static inline uint32_t random_below(uint32_t limit) {
  return random_number() % limit;
}

#endif
