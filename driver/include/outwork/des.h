/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * DES and TDES, one call a message. Legacy: for what already depends on them, nothing new.
 *
 * Lengths are multiples of 8. Keys: 8 bytes for DES; 24 or, with two keys, 16 for TDES; or a slot
 * that ow_key_load_kind has loaded for this opcode, TDES always with 24 bytes. Parity bits are
 * ignored. Source and destination are bytes accessible to the device, and may be the same. Every
 * call may return OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of asynchronous
 * jobs).
 */
#ifndef OUTWORK_DES_H
#define OUTWORK_DES_H

#include "outwork/aes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_DES_BLOCK_BYTES 8u
#define OW_DES_KEY_BYTES   8u
#define OW_TDES_KEY_BYTES  24u

/* FIPS 46-3, SP 800-38A 6.1 and 6.2. `iv` becomes the IV that continues the message. */
ow_status ow_des_ecb_crypt(struct ow_queue *queue, void *output, const struct ow_key *key,
                           ow_operation operation, const void *input, size_t length);
ow_status ow_des_cbc_crypt(struct ow_queue *queue, void *output, uint8_t iv[OW_DES_BLOCK_BYTES],
                           const struct ow_key *key, ow_operation operation, const void *input,
                           size_t length);
/* SP 800-67. */
ow_status ow_tdes_ecb_crypt(struct ow_queue *queue, void *output, const struct ow_key *key,
                            ow_operation operation, const void *input, size_t length);
ow_status ow_tdes_cbc_crypt(struct ow_queue *queue, void *output, uint8_t iv[OW_DES_BLOCK_BYTES],
                            const struct ow_key *key, ow_operation operation, const void *input,
                            size_t length);

#ifdef __cplusplus
}
#endif

#endif
