/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Ascon (NIST SP 800-232) with one call a message: each submits a job, waits for it and returns its
 * status.
 *
 * Input and output are any bytes accessible to the device; keys, nonces, tags, outputs of up to 64
 * bytes, and AAD and customization strings of up to 64 bytes may lie anywhere. Every call may
 * return OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of asynchronous jobs). If
 * opening fails, the output holds zeros.
 */
#ifndef OUTWORK_ASCON_H
#define OUTWORK_ASCON_H

#include "outwork/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_ASCON_KEY_BYTES         16u
#define OW_ASCON_NONCE_BYTES       16u
#define OW_ASCON_TAG_MAX           16u
#define OW_ASCON_HASH256_BYTES     32u
#define OW_ASCON_CUSTOMIZATION_MAX 256u

/* SP 800-232 4.1. Key of 16 bytes, or a slot that ow_key_load_kind has loaded for
 * OW_OP_ASCON_AEAD128; tag of 4 to 16 bytes. Input and output may be the same. Never use a nonce
 * twice under one key. OW_AUTH_FAILED: the tag is not that of nonce, AAD and input. */
ow_status ow_ascon_aead128_seal(struct ow_queue *queue, void *output, uint8_t *tag, size_t tag_len,
                                const struct ow_key *key, const uint8_t nonce[OW_ASCON_NONCE_BYTES],
                                const void *aad, size_t aad_len, const void *input, size_t length);
ow_status ow_ascon_aead128_open(struct ow_queue *queue, void *output, const struct ow_key *key,
                                const uint8_t nonce[OW_ASCON_NONCE_BYTES], const void *aad,
                                size_t aad_len, const void *input, size_t length,
                                const uint8_t *tag, size_t tag_len);

/* SP 800-232 5.1. */
ow_status ow_ascon_hash256(struct ow_queue *queue, uint8_t digest[OW_ASCON_HASH256_BYTES],
                           const void *input, size_t length);
/* SP 800-232 5.2. At least 1 byte of output. */
ow_status ow_ascon_xof128(struct ow_queue *queue, uint8_t *output, size_t output_len,
                          const void *input, size_t length);
/* SP 800-232 5.3. A customization string of 0 to 256 bytes. */
ow_status ow_ascon_cxof128(struct ow_queue *queue, uint8_t *output, size_t output_len,
                           const void *customization, size_t customization_len, const void *input,
                           size_t length);

#ifdef __cplusplus
}
#endif

#endif
