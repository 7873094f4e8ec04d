/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes and MACs of messages in pieces.
 *
 * Whole blocks go to the device, which keeps the state in the context between jobs; the rest is
 * kept in `pending`. An HMAC with a key that is too long for a job is computed step by step (FIPS
 * 198-1) with the plain hash.
 */
#include "internal.h"
#include "outwork/hash.h"

/* Difference between the opcodes of an HMAC and of its hash. */
enum { OW_KEYED = OW_OP_HMAC_SHA1 ^ OW_OP_SHA1 };

void ow_hash_message_abort(struct ow_hash_message *message) {
  ow_wipe(message, sizeof(*message));
}

/* Makes a job of the pending bytes and `input`; `pieces` must live until it ends. */
static struct ow_job ow_hash_message_job(struct ow_hash_message *message, struct ow_piece pieces[2],
                                         const void *input, uint32_t length) {
  uint32_t count = 0;
  if (message->pending_len != 0) {
    pieces[count++] = (struct ow_piece){message->pending, message->pending_len};
  }
  if (length != 0) {
    pieces[count++] = (struct ow_piece){(void *)(uintptr_t)input, length};
  }
  struct ow_job job = {
      .opcode = message->opcode,
      .flags = message->saved ? OW_JOB_LOAD_STATE : 0,
      .context = &message->context,
      .source_pieces = pieces,
      .source_pieces_len = count,
      .length = message->pending_len + length,
  };
  if (message->keyed) {
    job.key = (struct ow_key){
        .key_len = message->key_len, .slot = message->slot, .generation = message->generation};
    job.key.bytes = message->empty_key ? (const uint8_t *)"" : NULL;
  }
  return job;
}

/* Ends the message after its last job, or after a failure. */
static ow_status ow_hash_message_over(struct ow_hash_message *message, ow_status status) {
  if (status != OW_BUSY) {
    ow_hash_message_abort(message);
  }
  return status;
}

/* Sends the pending bytes and `length` more to the device. */
static ow_status ow_hash_message_send(struct ow_hash_message *message, const void *input,
                                      uint32_t length) {
  struct ow_piece pieces[2];
  struct ow_job job = ow_hash_message_job(message, pieces, input, length);
  job.flags |= OW_JOB_SAVE_STATE;
  ow_status status = ow_queue_run(message->queue, &job);
  if (status != OW_OK) {
    return ow_hash_message_over(message, status);
  }
  message->saved = true;
  message->pending_len = 0;
  return OW_OK;
}

/* The same, but waits while the ring is full: the caller cannot retry here. */
static ow_status ow_hash_message_press(struct ow_hash_message *message, const void *input,
                                       uint32_t length) {
  ow_status status = ow_hash_message_send(message, input, length);
  while (status == OW_BUSY) {
    status = ow_queue_wait(message->queue, NULL);
    status = status == OW_OK ? ow_hash_message_send(message, input, length)
                             : ow_hash_message_over(message, status);
  }
  return status;
}

/* Adds bytes that may not be accessible to the device: copies them to `pending` first. */
static ow_status ow_hash_message_feed(struct ow_hash_message *message, const uint8_t *bytes,
                                      size_t length) {
  ow_status status = OW_OK;
  for (size_t i = 0; i < length && status == OW_OK; i++) {
    message->pending[message->pending_len++] = bytes[i];
    if (message->pending_len == sizeof(message->pending)) {
      status = ow_hash_message_press(message, NULL, 0);
    }
  }
  return status;
}

/* Writes the digest of the message so far and starts a new message with the same key. Waits while
 * the ring is full. */
static ow_status ow_hash_message_turn(struct ow_hash_message *message, uint8_t *digest,
                                      size_t digest_len) {
  struct ow_piece pieces[2];
  ow_status status = OW_BUSY;
  while (status == OW_BUSY) {
    struct ow_job job = ow_hash_message_job(message, pieces, NULL, 0);
    status = ow_hash_run(message->queue, &job, digest, digest_len);
    if (status == OW_BUSY && ow_queue_wait(message->queue, NULL) != OW_OK) {
      status = OW_DEVICE_ERROR;
    }
  }
  ow_wipe(&message->context, sizeof(message->context));
  ow_wipe(message->pending, sizeof(message->pending));
  message->pending_len = 0;
  message->saved = false;
  return status;
}

/* FIPS 198-1, steps 1 to 5 and 7, for a key that is too long for a job. */
static ow_status ow_hash_message_long_key(struct ow_hash_message *message,
                                          const struct ow_key *key) {
  uint8_t k0[OW_HASH_BLOCK_MAX] = {0};
  size_t block = ow_hash_block_len(message->opcode);
  ow_status status = OW_OK;
  message->opcode ^= OW_KEYED;
  message->keyed = false;
  message->long_key = true;
  if (key->key_len <= block) {
    ow_copy(k0, key->bytes, key->key_len);
  } else {
    status = ow_hash_message_feed(message, key->bytes, key->key_len);
    if (status == OW_OK) {
      status = ow_hash_message_turn(message, k0, ow_hash_digest_len(message->opcode));
    }
  }
  for (size_t i = 0; i < block; i++) {
    message->outer[i] = (uint8_t)(k0[i] ^ 0x5cu);
    k0[i] ^= 0x36u;
  }
  if (status == OW_OK) {
    status = ow_hash_message_feed(message, k0, block);
  }
  ow_wipe(k0, sizeof(k0));
  return status;
}

static ow_status ow_hash_message_key(struct ow_hash_message *message, const struct ow_key *key) {
  bool inside = key->bytes == NULL && key->key_len == 0;
  message->slot = key->slot;
  message->generation = key->generation;
  if (inside) {
    return OW_OK;
  }
  if (key->bytes == NULL) {
    return OW_BAD_ARGUMENT;
  }
  if (key->key_len > OW_MAC_KEY_MAX) {
    bool kmac = ow_hash_digest_len(message->opcode) == 0;
    return kmac ? ow_refuse(message->queue, OW_FALLBACK_LENGTH)
                : ow_hash_message_long_key(message, key);
  }
  message->key_len = (uint8_t)key->key_len;
  message->empty_key = key->key_len == 0;
  ow_copy(message->context.key, key->bytes, key->key_len);
  return OW_OK;
}

ow_status ow_hash_message_init(struct ow_hash_message *message, struct ow_queue *queue,
                               uint8_t opcode, const struct ow_key *key) {
  if (message == NULL || queue == NULL) {
    return OW_BAD_ARGUMENT;
  }
  bool keyed = opcode >> 4 == OW_OP_HMAC_SHA1 >> 4;
  if (ow_hash_block_len(opcode) == 0 || !ow_device_supports(queue->device, opcode, false)) {
    return ow_refuse(queue, OW_FALLBACK_OPCODE);
  }
  if (keyed != (key != NULL)) {
    return OW_BAD_ARGUMENT;
  }
  ow_hash_message_abort(message);
  message->queue = queue;
  message->opcode = opcode;
  message->keyed = keyed;
  ow_status status = keyed ? ow_hash_message_key(message, key) : OW_OK;
  if (status != OW_OK) {
    ow_hash_message_abort(message);
  }
  return status;
}

ow_status ow_hash_message_update(struct ow_hash_message *message, const void *input,
                                 size_t length) {
  const uint8_t *bytes = input;
  if (message->queue == NULL || (input == NULL && length != 0)) {
    return ow_hash_message_over(message, OW_BAD_ARGUMENT);
  }
  if (length <= sizeof(message->pending) - message->pending_len) {
    ow_copy(message->pending + message->pending_len, bytes, length);
    message->pending_len = (uint8_t)(message->pending_len + length);
    return OW_OK;
  }
  ow_status status = OW_OK;
  for (bool first = true; length > 0 && status == OW_OK; first = false) {
    size_t room = OW_JOB_LENGTH_MAX - sizeof(message->pending);
    uint32_t part = (uint32_t)(length < room ? length : room);
    status = first ? ow_hash_message_send(message, bytes, part)
                   : ow_hash_message_press(message, bytes, part);
    bytes += part;
    length -= part;
  }
  return status;
}

/* FIPS 198-1, steps 6 and 8 to 10. */
static ow_status ow_hash_message_long_key_mac(struct ow_hash_message *message, uint8_t *mac) {
  size_t digest_len = ow_hash_digest_len(message->opcode);
  ow_status status = ow_hash_message_turn(message, mac, digest_len);
  if (status == OW_OK) {
    status = ow_hash_message_feed(message, message->outer, ow_hash_block_len(message->opcode));
  }
  if (status == OW_OK) {
    status = ow_hash_message_feed(message, mac, digest_len);
  }
  return status == OW_OK ? ow_hash_message_turn(message, mac, digest_len) : status;
}

ow_status ow_hash_message_finish(struct ow_hash_message *message, uint8_t *digest,
                                 size_t digest_len) {
  struct ow_piece pieces[2];
  uint8_t mac[64] = {0};
  ow_status status = OW_BAD_ARGUMENT;
  if (message->queue != NULL && !message->long_key) {
    struct ow_job job = ow_hash_message_job(message, pieces, NULL, 0);
    status = ow_hash_run(message->queue, &job, digest, digest_len);
  } else if (message->queue != NULL && digest != NULL && digest_len != 0 &&
             digest_len <= ow_hash_digest_len(message->opcode)) {
    status = ow_hash_message_long_key_mac(message, mac);
    if (status == OW_OK) {
      ow_copy(digest, mac, digest_len);
    }
    ow_wipe(mac, sizeof(mac));
  }
  return ow_hash_message_over(message, status);
}

ow_status ow_hash_message_verify(struct ow_hash_message *message, const uint8_t *mac,
                                 size_t mac_len) {
  struct ow_piece pieces[2];
  uint8_t computed[64] = {0};
  ow_status status = OW_BAD_ARGUMENT;
  if (message->queue != NULL && message->keyed) {
    struct ow_job job = ow_hash_message_job(message, pieces, NULL, 0);
    status = ow_mac_compare(message->queue, &job, mac, mac_len);
  } else if (message->queue != NULL && message->long_key && mac != NULL && mac_len >= 4 &&
             mac_len <= ow_hash_digest_len(message->opcode)) {
    status = ow_hash_message_long_key_mac(message, computed);
    if (status == OW_OK && !ow_equal(computed, mac, mac_len)) {
      status = OW_AUTH_FAILED;
    }
    ow_wipe(computed, sizeof(computed));
  }
  return ow_hash_message_over(message, status);
}

ow_status ow_hash_message_export(struct ow_hash_message *message, struct ow_hash_context *state) {
  if (message->queue == NULL || message->keyed || message->long_key || state == NULL) {
    return ow_hash_message_over(message, OW_BAD_ARGUMENT);
  }
  ow_status status = ow_hash_message_send(message, NULL, 0);
  if (status == OW_OK) {
    *state = message->context;
  }
  return status;
}

ow_status ow_hash_message_import(struct ow_hash_message *message, struct ow_queue *queue,
                                 uint8_t opcode, const struct ow_hash_context *state) {
  ow_status status =
      state != NULL ? ow_hash_message_init(message, queue, opcode, NULL) : OW_BAD_ARGUMENT;
  if (status == OW_OK) {
    message->context = *state;
    message->saved = true;
  }
  return status;
}
