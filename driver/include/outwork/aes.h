/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES with one call a message: each submits a job, waits for it and returns its status.
 *
 * Source and destination are any bytes accessible to the device, and may be the same; keys, IVs,
 * tags and AAD of up to 64 bytes may lie anywhere. Every call may return OW_UNSUPPORTED (use
 * software) and OW_BUSY (the ring is full of asynchronous jobs). If opening or verifying fails, the
 * destination holds zeros.
 */
#ifndef OUTWORK_AES_H
#define OUTWORK_AES_H

#include "outwork/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ow_operation { OW_ENCRYPT = 0, OW_DECRYPT = 1 } ow_operation;

/* SP 800-38A 6.1. Length a multiple of 16. */
ow_status ow_aes_ecb_crypt(struct ow_queue *queue, void *output, const struct ow_key *key,
                           ow_operation operation, const void *input, size_t length);
/* SP 800-38A 6.2. Length a multiple of 16. `iv` becomes the IV that continues the message. */
ow_status ow_aes_cbc_crypt(struct ow_queue *queue, void *output, uint8_t iv[16],
                           const struct ow_key *key, ow_operation operation, const void *input,
                           size_t length);
/* SP 800-38A 6.5; encryption and decryption are the same. `counter` becomes the next counter block.
 */
ow_status ow_aes_ctr_crypt(struct ow_queue *queue, void *output, uint8_t counter[16],
                           const struct ow_key *key, const void *input, size_t length);
/* SP 800-38E with ciphertext stealing; length at least 16. `unit` is the data unit number,
 * little-endian. */
ow_status ow_aes_xts_crypt(struct ow_queue *queue, void *output, const struct ow_key *key,
                           ow_operation operation, const uint8_t unit[16], const void *input,
                           size_t length);

/* SP 800-38D. IV of 1 byte or more; tag of 4 to 16 bytes (the standard has 4, 8 and 12 to 16). */
ow_status ow_aes_gcm_seal(struct ow_queue *queue, void *output, uint8_t *tag, size_t tag_len,
                          const struct ow_key *key, const uint8_t *iv, size_t iv_len,
                          const void *aad, size_t aad_len, const void *input, size_t length);
ow_status ow_aes_gcm_open(struct ow_queue *queue, void *output, const struct ow_key *key,
                          const uint8_t *iv, size_t iv_len, const void *aad, size_t aad_len,
                          const void *input, size_t length, const uint8_t *tag, size_t tag_len);
/* SP 800-38C. Nonce of 7 to 13 bytes; tag of 4, 6, ... 16 bytes. */
ow_status ow_aes_ccm_seal(struct ow_queue *queue, void *output, uint8_t *tag, size_t tag_len,
                          const struct ow_key *key, const uint8_t *nonce, size_t nonce_len,
                          const void *aad, size_t aad_len, const void *input, size_t length);
ow_status ow_aes_ccm_open(struct ow_queue *queue, void *output, const struct ow_key *key,
                          const uint8_t *nonce, size_t nonce_len, const void *aad, size_t aad_len,
                          const void *input, size_t length, const uint8_t *tag, size_t tag_len);
/* SP 800-38B; MAC of 4 to 16 bytes. */
ow_status ow_aes_cmac(struct ow_queue *queue, uint8_t *mac, size_t mac_len,
                      const struct ow_key *key, const void *input, size_t length);
ow_status ow_aes_cmac_verify(struct ow_queue *queue, const struct ow_key *key, const void *input,
                             size_t length, const uint8_t *mac, size_t mac_len);
/* SP 800-38D 3: GCM of AAD alone. */
ow_status ow_aes_gmac(struct ow_queue *queue, uint8_t *tag, size_t tag_len,
                      const struct ow_key *key, const uint8_t *iv, size_t iv_len, const void *input,
                      size_t length);
ow_status ow_aes_gmac_verify(struct ow_queue *queue, const struct ow_key *key, const uint8_t *iv,
                             size_t iv_len, const void *input, size_t length, const uint8_t *tag,
                             size_t tag_len);

/* A message in pieces of any size: ECB, CBC, CTR, XTS, GCM, GMAC, CMAC. CCM needs all lengths at
 * the start: in pieces it is OW_UNSUPPORTED. All of it must lie in memory accessible to the device.
 * Members are private. A call that fails with anything but OW_BUSY wipes and ends the message. */
struct ow_aes_message {
  OW_ALIGNED(64) struct ow_context context;
  OW_ALIGNED(64) uint8_t pending[64]; /* input of an incomplete block; read by the device */
  OW_ALIGNED(64) struct ow_queue *queue;
  uint64_t total; /* payload bytes so far */
  uint8_t iv_len;
  uint8_t aad_len;
  uint8_t pending_len;
  uint8_t opcode;
  uint8_t key_len; /* 0: the key in `slot` */
  uint8_t slot;
  uint16_t generation;
  uint8_t phase;
  bool decrypt;
  bool saved;     /* the context holds a state */
  uint8_t iv[64]; /* of the next job, unless its state is loaded */
  uint8_t aad[64];
};

/* Starts a message. An IV of more than 64 bytes is OW_UNSUPPORTED. GMAC and CMAC ignore the
 * operation. */
ow_status ow_aes_message_init(struct ow_aes_message *message, struct ow_queue *queue,
                              uint8_t opcode, ow_operation operation, const struct ow_key *key,
                              const uint8_t *iv, size_t iv_len);
/* Adds the AAD of GCM, before the first update: in one call of any length, or in several of at most
 * 64 bytes together; else OW_UNSUPPORTED, because one job has to carry all AAD. */
ow_status ow_aes_message_aad(struct ow_aes_message *message, const void *aad, size_t aad_len);
/* Adds payload and writes the complete blocks: *output_len is a multiple of 16, at most length
 * + 31. `output` may be `input` if all lengths before were multiples of 16, of XTS, which keeps a
 * block for the end, in the first call only; else they must not overlap (OW_BAD_ARGUMENT if they
 * are the same). GMAC and CMAC write nothing (output may be NULL). Decrypted payload is not
 * authenticated before ow_aes_message_verify() has returned OW_OK. */
ow_status ow_aes_message_update(struct ow_aes_message *message, void *output, size_t *output_len,
                                const void *input, size_t length);
/* Ends the message: writes the rest (at most 31 bytes) and, if the mode has one, the tag or MAC.
 * Wipes the message. */
ow_status ow_aes_message_finish(struct ow_aes_message *message, void *output, size_t *output_len,
                                uint8_t *tag, size_t tag_len);
/* Ends a message that is decrypted or verified under a tag. OW_AUTH_FAILED: the caller must discard
 * all output of ow_aes_message_update(); zeros are written here. Wipes the message. */
ow_status ow_aes_message_verify(struct ow_aes_message *message, void *output, size_t *output_len,
                                const uint8_t *tag, size_t tag_len);
/* Wipes and ends the message. */
void ow_aes_message_abort(struct ow_aes_message *message);

#ifdef __cplusplus
}
#endif

#endif
