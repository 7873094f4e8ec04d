/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Where the adapters of public keys find the numbers of a point: outwork/lab/soc_pka.py writes them
 * in place of its keys, one after the other, most significant byte first. In the setting, key_len
 * is the bits of the key, iv_len the curve (enum ow_curve), length the bytes of a number.
 *
 * RSA: n; p, q, dP, dQ, qInv, each of half its length; e, of PKA_EXPONENT_BYTES; a number and its
 * power -e modulo n, which blind the first operation. A curve: d, a point (the public key), another
 * point (of the other side), a signature.
 *
 * The message's source is RSA's input, or the digest. Its destination gets RSA's result, the
 * signature, or the shared secret. A signature that is refused is a message that failed.
 */
#ifndef PKA_H
#define PKA_H

#include <stdbool.h>

#include "adapter.h"
#include "point.h"

#define PKA_BYTES_MAX      256u
#define PKA_EXPONENT_BYTES 4u

enum pka_number { PKA_P, PKA_Q, PKA_DP, PKA_DQ, PKA_QINV, PKA_E };

static inline bool pka_is_rsa(const struct ow_lab_setting *setting) {
  return setting->opcode == OW_OP_RSA_PUBLIC || setting->opcode == OW_OP_RSA_PRIVATE;
}

/* Random numbers of a generator that costs nothing: nothing here is secret. */
static inline void pka_random(uint8_t *bytes, size_t length) {
  static uint32_t state = 1;
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525u + 1013904223u; /* Knuth's linear congruential generator */
    bytes[i] = (uint8_t)(state >> 24);
  }
}

/* Returns a number of RSA's key behind n. */
static inline const uint8_t *pka_rsa_number(const uint8_t *key, size_t length,
                                            enum pka_number number) {
  return key + length + (size_t)number * (length / 2u);
}

/* Numbers that blind an operation of RSA: its result is multiplied by the first one, its input by
 * the second one. */
static inline const uint8_t *pka_rsa_unblinding(const uint8_t *key, size_t length) {
  return pka_rsa_number(key, length, PKA_E) + PKA_EXPONENT_BYTES;
}

static inline const uint8_t *pka_rsa_blinding(const uint8_t *key, size_t length) {
  return pka_rsa_unblinding(key, length) + length;
}

/* Parts of a key on a curve. */
static inline const uint8_t *pka_point(const uint8_t *key, size_t length) {
  return key + length;
}

static inline const uint8_t *pka_other_point(const uint8_t *key, size_t length) {
  return key + 3u * length;
}

static inline const uint8_t *pka_signature(const uint8_t *key, size_t length) {
  return key + 5u * length;
}

#endif
