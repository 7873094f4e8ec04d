/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the public-key adapters share. They fill in the same table as the other adapters; `message`
 * does one operation. A context has a key and a message of its own, and is checked when it is
 * opened. In a setting, key_len is the bits of the key, iv_len the curve (enum ow_curve, or
 * PKA_CURVE25519, on which EC_MULTIPLY is X25519).
 */
#ifndef OUTWORK_LAB_ADAPTER_PKA_H
#define OUTWORK_LAB_ADAPTER_PKA_H

#include "adapter.h"

enum { PKA_BYTES_MAX = 512, PKA_DIGEST = 32, PKA_CURVE25519 = 4 };

static inline int ow_lab_is_rsa(const struct ow_lab_setting *setting) {
  return setting->opcode == OW_OP_RSA_PUBLIC || setting->opcode == OW_OP_RSA_PRIVATE;
}

/* Writes a number below the modulus; for signatures, the first bytes are the digest. */
static inline void ow_lab_fill(uint8_t *input, const struct ow_lab_setting *setting) {
  for (uint32_t at = 0; at < setting->length && at < PKA_BYTES_MAX; at++) {
    input[at] = (uint8_t)(at * 29u + 7u);
  }
  input[0] = 0;
}

static inline const char *ow_lab_pka_refuses(const struct ow_lab_setting *setting) {
  return setting->length <= PKA_BYTES_MAX ? NULL : "its numbers are too long";
}

#endif
