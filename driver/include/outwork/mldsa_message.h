/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * mu of ML-DSA (FIPS 204) of a message in pieces, for ow_mldsa_sign() and ow_mldsa_verify().
 *
 * The rules are those of ow_hash_message in hash.h: all memory must be accessible to the device,
 * and every call may return OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of
 * asynchronous jobs: call again).
 */
#ifndef OUTWORK_MLDSA_MESSAGE_H
#define OUTWORK_MLDSA_MESSAGE_H

#include "outwork/hash.h"
#include "outwork/mldsa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Members are private. A call that fails with anything but OW_BUSY wipes and ends the message. */
struct ow_mldsa_message {
  struct ow_hash_message hash; /* of mu, or of the message that HashML-DSA hashes first */
  OW_ALIGNED(64) uint8_t head[OW_MLDSA_HEAD_MAX + OW_MLDSA_MU_BYTES];
  struct ow_queue *queue;
  size_t head_len;
  uint8_t digest_len; /* of HashML-DSA, else 0 */
};

/* Starts a message. `tr`: of ow_mldsa_tr(), or OW_MLDSA_TR_OFFSET bytes into a private key.
 * OW_BAD_ARGUMENT as ow_mldsa_mu(). */
ow_status ow_mldsa_message_init(struct ow_mldsa_message *message, struct ow_queue *queue,
                                const uint8_t tr[OW_MLDSA_TR_BYTES],
                                const struct ow_mldsa_context *context);
ow_status ow_mldsa_message_update(struct ow_mldsa_message *message, const void *input,
                                  size_t length);
/* Ends the message and writes mu. Wipes the message. */
ow_status ow_mldsa_message_finish(struct ow_mldsa_message *message, uint8_t mu[OW_MLDSA_MU_BYTES]);
/* Wipes and ends the message. */
void ow_mldsa_message_abort(struct ow_mldsa_message *message);

#ifdef __cplusplus
}
#endif

#endif
