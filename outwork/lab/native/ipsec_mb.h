/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The context of the adapter ipsec_mb.c, and the functions that fill in its jobs (ipsec_mb_jobs.c).
 */
#ifndef OUTWORK_LAB_IPSEC_MB_H
#define OUTWORK_LAB_IPSEC_MB_H

#include "adapter.h"

#include <intel-ipsec-mb.h>

/* SHA-1 and SHA-2, by the opcode's low digit. */
enum { IPSEC_MB_SHA_COUNT = 5 };

struct ipsec_mb_context {
  struct gcm_key_data gcm;
  DECLARE_ALIGNED(uint32_t encrypt_keys[60], 16);
  DECLARE_ALIGNED(uint32_t decrypt_keys[60], 16);
  DECLARE_ALIGNED(uint32_t subkey_1[4], 16);
  DECLARE_ALIGNED(uint32_t subkey_2[4], 16);
  snow3g_key_schedule_t snow3g;
  uint8_t zuc[16];
  /* HMAC: the hashes after the two first blocks, which contain the key */
  DECLARE_ALIGNED(uint8_t inner[64], 16);
  DECLARE_ALIGNED(uint8_t outer[64], 16);
  struct ow_lab_setting setting;
};

static inline int ipsec_mb_is_digest(uint32_t opcode) {
  return ow_lab_is_hash(opcode) || ow_lab_is_hash_mac(opcode);
}

/* Extends COUNT to an IV. BEARER, DIRECTION and FRESH are zero, so ciphers and MACs have the same
 * IV: COUNT, zeros, COUNT, zeros; for AES: COUNT, zeros. */
void ipsec_mb_widen_iv(struct ow_lab_message *message, int is_aes);

/* Fills in the library's job for a message under the context's key. */
void ipsec_mb_fill(IMB_JOB *job, struct ipsec_mb_context *context, struct ow_lab_message *message);

#endif
