/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * mu of a message in pieces: a hash message with what FIPS 204 puts before it.
 */
#include "outwork/mldsa_message.h"

#include "internal.h"

void ow_mldsa_message_abort(struct ow_mldsa_message *message) {
  ow_wipe(message, sizeof(*message));
}

/* Ends the message after a failure. */
static ow_status ow_mldsa_message_over(struct ow_mldsa_message *message, ow_status status) {
  if (status != OW_OK && status != OW_BUSY) {
    ow_mldsa_message_abort(message);
  }
  return status;
}

ow_status ow_mldsa_message_init(struct ow_mldsa_message *message, struct ow_queue *queue,
                                const uint8_t tr[OW_MLDSA_TR_BYTES],
                                const struct ow_mldsa_context *context) {
  if (message == NULL || queue == NULL) {
    return OW_BAD_ARGUMENT;
  }
  const uint8_t hash = context != NULL ? context->hash : 0;
  ow_mldsa_message_abort(message);
  ow_status status = ow_mldsa_head(message->head, &message->head_len, tr, context);
  if (status == OW_OK) {
    message->queue = queue;
    message->digest_len = (uint8_t)ow_mldsa_digest_len(hash);
    status = ow_hash_message_init(&message->hash, queue, hash != 0 ? hash : OW_OP_SHAKE256, NULL);
  }
  if (status == OW_OK && hash == 0) {
    status = ow_hash_message_update(&message->hash, message->head, message->head_len);
  }
  return ow_mldsa_message_over(message, status);
}

ow_status ow_mldsa_message_update(struct ow_mldsa_message *message, const void *input,
                                  size_t length) {
  return ow_mldsa_message_over(message, ow_hash_message_update(&message->hash, input, length));
}

/* Appends the hash of the message to the head, which is then the whole input of mu. */
static ow_status ow_mldsa_message_digest(struct ow_mldsa_message *message) {
  if (message->hash.queue == NULL) { /* done by an earlier call, whose second job found no room */
    return OW_OK;
  }
  ow_status status = ow_hash_message_finish(&message->hash, message->head + message->head_len,
                                            message->digest_len);
  if (status == OW_OK) {
    message->head_len += message->digest_len;
  }
  return status;
}

ow_status ow_mldsa_message_finish(struct ow_mldsa_message *message, uint8_t mu[OW_MLDSA_MU_BYTES]) {
  ow_status status = OW_BAD_ARGUMENT;
  if (message->queue != NULL && message->digest_len == 0) {
    status = ow_hash_message_finish(&message->hash, mu, OW_MLDSA_MU_BYTES);
  } else if (message->queue != NULL) {
    status = ow_mldsa_message_digest(message);
    if (status == OW_OK) {
      status = ow_hash(message->queue, mu, OW_MLDSA_MU_BYTES, OW_OP_SHAKE256, message->head,
                       message->head_len);
    }
  }
  if (status != OW_BUSY) {
    ow_mldsa_message_abort(message);
  }
  return status;
}
