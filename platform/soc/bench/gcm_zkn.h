/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-256-GCM with the CPU's scalar crypto instructions (FIPS 197, SP 800-38D). No table and no
 * branch depends on a secret.
 */
#ifndef GCM_ZKN_H
#define GCM_ZKN_H

#include "aes_zkn.h"

#define GCM_ZKN_ROUNDS 14u

struct gcm_zkn {
  struct aes_zkn aes;
  uint32_t h[4]; /* the key of GHASH, as a polynomial: bit n of h[0] belongs to x^n */
};

void gcm_zkn_set_key(struct gcm_zkn *gcm, const uint8_t key[32]);

/* Encrypts, perhaps in place, with a nonce of 96 bits and without AAD. Input and output are aligned
 * to 4 bytes; `length` is a multiple of 16. */
void gcm_zkn_seal(const struct gcm_zkn *gcm, uint8_t tag[16], uint8_t *output, const uint8_t *input,
                  size_t length, const uint8_t nonce[12]);

#endif
