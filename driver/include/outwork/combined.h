/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES and HMAC in one pass over the message: encrypt-then-MAC, as IPsec ESP (RFC 4303) and TLS
 * (RFC 7366) have it.
 *
 * `opcode` is one of OW_OP_AES_CBC_HMAC_SHA1 to OW_OP_AES_CTR_HMAC_SHA512. The HMAC covers the AAD
 * and then the ciphertext: what else is to be authenticated belongs to the AAD, also the IV (ESP:
 * SPI, sequence number, IV; TLS: sequence number, header, IV). Both keys stand in one slot. Source
 * and destination are any bytes accessible to the device, and may be the same; IV, tags and AAD of
 * up to 64 bytes may lie anywhere, but a tag of more than 16 bytes is written by the device. Every
 * call may return OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of asynchronous
 * jobs).
 */
#ifndef OUTWORK_COMBINED_H
#define OUTWORK_COMBINED_H

#include "outwork/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Loads an AES key of 16, 24 or 32 bytes and an HMAC key of up to OW_KEY_KIND_MAX bytes into a
 * slot, which then serves `opcode` only. `properties.mac` is ignored. OW_KEY_REFUSED: the slot is
 * locked, or this build does not have the opcode. The driver keeps no copy. */
ow_status ow_key_load_pair(struct ow_device *device, uint8_t slot,
                           const struct ow_key_properties *properties, uint8_t opcode,
                           const uint8_t *key, size_t key_len, const uint8_t *mac_key,
                           size_t mac_key_len);

/* Encrypts `length` bytes and computes the first tag_len bytes of the HMAC: a multiple of 4, at
 * most those of the hash. CBC: length a multiple of 16. */
ow_status ow_aes_hmac_seal(struct ow_queue *queue, uint8_t opcode, void *output, uint8_t *tag,
                           size_t tag_len, const struct ow_key *key, const uint8_t iv[16],
                           const void *aad, size_t aad_len, const void *input, size_t length);
/* Verifies and decrypts. OW_AUTH_FAILED: the tag is wrong; the destination holds zeros. */
ow_status ow_aes_hmac_open(struct ow_queue *queue, uint8_t opcode, void *output,
                           const struct ow_key *key, const uint8_t iv[16], const void *aad,
                           size_t aad_len, const void *input, size_t length, const uint8_t *tag,
                           size_t tag_len);

#ifdef __cplusplus
}
#endif

#endif
