/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES messages in pieces: whole blocks go to the device at once, the rest is kept in `pending`.
 *
 * Between jobs, XTS, GCM, GMAC and CMAC keep their state in the context; CBC and CTR keep it in
 * the IV, which the device returns as the tag; ECB has none.
 */
#include "internal.h"

enum { OW_PHASE_OVER = 0, OW_PHASE_AAD = 1, OW_PHASE_PAYLOAD = 2 };

void ow_aes_message_abort(struct ow_aes_message *message) {
  ow_wipe(message, sizeof(*message));
}

static bool ow_message_is_mac(const struct ow_aes_message *message) {
  return message->opcode == OW_OP_AES_GMAC || message->opcode == OW_OP_AES_CMAC;
}

static bool ow_message_has_tag(const struct ow_aes_message *message) {
  return message->opcode == OW_OP_AES_GCM || ow_message_is_mac(message);
}

static bool ow_message_has_state(const struct ow_aes_message *message) {
  return message->opcode == OW_OP_AES_XTS || ow_message_has_tag(message);
}

/* Returns the bytes to keep for the last job: CMAC treats its last block differently, XTS steals
 * from the last whole one. */
static uint32_t ow_message_held(const struct ow_aes_message *message) {
  return message->opcode == OW_OP_AES_XTS ? 16 : message->opcode == OW_OP_AES_CMAC ? 1 : 0;
}

ow_status ow_aes_message_init(struct ow_aes_message *message, struct ow_queue *queue,
                              uint8_t opcode, ow_operation operation, const struct ow_key *key,
                              const uint8_t *iv, size_t iv_len) {
  uint32_t code = 0;
  if (message == NULL || queue == NULL || key == NULL || (iv == NULL && iv_len != 0)) {
    return OW_BAD_ARGUMENT;
  }
  bool known = opcode >= OW_OP_AES_ECB && opcode <= OW_OP_AES_CMAC && opcode != OW_OP_AES_CCM;
  if (!known || !ow_device_supports(queue->device, opcode, operation == OW_DECRYPT)) {
    return ow_refuse(queue, OW_FALLBACK_OPCODE);
  }
  if (iv_len > sizeof(message->iv)) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  bool xts = opcode == OW_OP_AES_XTS;
  if (key->bytes != NULL && (!ow_key_length_code(&code, key->key_len) ||
                             (xts && (key->tweak_bytes == NULL ||
                                      ow_equal(key->bytes, key->tweak_bytes, key->key_len))))) {
    return OW_BAD_ARGUMENT;
  }
  ow_aes_message_abort(message);
  message->queue = queue;
  message->opcode = opcode;
  message->decrypt = operation == OW_DECRYPT && !ow_message_is_mac(message);
  message->phase = OW_PHASE_AAD;
  message->slot = key->slot;
  message->generation = key->generation;
  message->iv_len = (uint8_t)iv_len;
  ow_copy(message->iv, iv, iv_len);
  if (key->bytes != NULL) {
    message->key_len = (uint8_t)key->key_len;
    ow_copy(message->context.key0, key->bytes, 16);
    ow_copy(message->context.key1, key->bytes + 16, key->key_len - 16u);
    if (xts) {
      ow_copy(message->context.tweak_key0, key->tweak_bytes, 16);
      ow_copy(message->context.tweak_key1, key->tweak_bytes + 16, key->key_len - 16u);
    }
  }
  return OW_OK;
}

/* Fills in the fields that all jobs of the message share. */
static struct ow_job ow_message_job(struct ow_aes_message *message, bool last) {
  bool state = ow_message_has_state(message);
  struct ow_job job = {
      .opcode = message->opcode,
      .key = {.key_len = message->key_len,
              .slot = message->slot,
              .generation = message->generation},
      .context = &message->context,
  };
  job.flags = (uint16_t)((message->decrypt ? OW_JOB_DECRYPT : 0u) |
                         (message->saved ? OW_JOB_LOAD_STATE : 0u) |
                         (state && !last ? OW_JOB_SAVE_STATE : 0u));
  if (!message->saved) {
    job.iv = message->iv;
    job.iv_len = message->iv_len;
    job.aad = message->aad;
    job.aad_len = message->aad_len;
  }
  return job;
}

static ow_status ow_message_run(struct ow_aes_message *message, struct ow_job *job) {
  ow_status status = ow_queue_run(message->queue, job);
  if (status == OW_OK) {
    message->saved = ow_message_has_state(message);
    if (message->opcode == OW_OP_AES_CBC || message->opcode == OW_OP_AES_CTR) {
      ow_copy(message->iv, job->tag, 16);
    }
  } else if (status != OW_BUSY) {
    ow_aes_message_abort(message);
  }
  return status;
}

static ow_status ow_message_refuse(struct ow_aes_message *message, ow_fallback reason) {
  ow_status status = ow_refuse(message->queue, reason);
  ow_aes_message_abort(message);
  return status;
}

static ow_status ow_message_misused(struct ow_aes_message *message) {
  ow_aes_message_abort(message);
  return OW_BAD_ARGUMENT;
}

ow_status ow_aes_message_aad(struct ow_aes_message *message, const void *aad, size_t aad_len) {
  if (message->phase != OW_PHASE_AAD || message->opcode != OW_OP_AES_GCM ||
      (aad == NULL && aad_len != 0)) {
    return ow_message_misused(message);
  }
  if (aad_len == 0) {
    return OW_OK;
  }
  if (message->saved) {
    return ow_message_refuse(message, OW_FALLBACK_PIECES);
  }
  if (aad_len <= sizeof(message->aad) - message->aad_len) {
    ow_copy(message->aad + message->aad_len, aad, aad_len);
    message->aad_len = (uint8_t)(message->aad_len + aad_len);
    return OW_OK;
  }
  if (message->aad_len != 0 || aad_len > OW_JOB_LENGTH_MAX) {
    return ow_message_refuse(message, OW_FALLBACK_PIECES);
  }
  struct ow_job job = ow_message_job(message, false);
  job.aad = aad;
  job.aad_len = (uint32_t)aad_len;
  return ow_message_run(message, &job);
}

static void ow_message_keep(struct ow_aes_message *message, const uint8_t *input, size_t length) {
  ow_copy(message->pending + message->pending_len, input, length);
  message->pending_len = (uint8_t)(message->pending_len + length);
}

ow_status ow_aes_message_update(struct ow_aes_message *message, void *output, size_t *output_len,
                                const void *input, size_t length) {
  uint64_t available = (uint64_t)message->pending_len + length;
  uint32_t held = ow_message_held(message);
  *output_len = 0;
  if (message->phase == OW_PHASE_OVER || (input == NULL && length != 0)) {
    return ow_message_misused(message);
  }
  if (length == 0) {
    return OW_OK;
  }
  if (available > OW_JOB_LENGTH_MAX) {
    return ow_message_refuse(message, OW_FALLBACK_LENGTH);
  }
  uint32_t now = available < held + 16u ? 0 : ((uint32_t)available - held) & ~15u;
  uint32_t old = now < message->pending_len ? now : message->pending_len; /* of them, waiting */
  if (old != 0 && output == input && !ow_message_is_mac(message)) {
    return ow_message_misused(message); /* what waits comes out first, over input not yet read */
  }
  if (now != 0) {
    const struct ow_piece pieces[2] = {{message->pending, old},
                                       {(void *)(uintptr_t)input, now - old}};
    struct ow_job job = ow_message_job(message, false);
    job.length = now;
    job.source_pieces = old != 0 ? &pieces[0] : &pieces[1];
    job.source_pieces_len = old != 0 && now != old ? 2 : 1;
    job.destination = output;
    ow_status status = ow_message_run(message, &job);
    if (status != OW_OK) {
      return status;
    }
    *output_len = ow_message_is_mac(message) ? 0 : now;
    message->pending_len = (uint8_t)(message->pending_len - old);
    for (uint32_t i = 0; i < message->pending_len; i++) {
      message->pending[i] = message->pending[old + i];
    }
  }
  ow_message_keep(message, (const uint8_t *)input + (now - old), length - (now - old));
  message->total += length;
  message->phase = OW_PHASE_PAYLOAD;
  return OW_OK;
}

/* The last job, with what is left. */
static ow_status ow_message_end(struct ow_aes_message *message, struct ow_job *job, void *output,
                                size_t *output_len) {
  uint32_t left = message->pending_len;
  bool blocks = message->opcode == OW_OP_AES_ECB || message->opcode == OW_OP_AES_CBC;
  if ((blocks && left != 0) || (message->opcode == OW_OP_AES_XTS && message->total < 16)) {
    return ow_message_misused(message);
  }
  if (!ow_message_has_state(message) && left == 0) {
    ow_aes_message_abort(message);
    return OW_OK;
  }
  job->source = message->pending;
  job->length = left;
  job->destination = output;
  bool mac = ow_message_is_mac(message);
  ow_status status = ow_message_run(message, job);
  if (status == OW_OK) {
    *output_len = mac ? 0 : left;
    ow_aes_message_abort(message);
  }
  return status;
}

ow_status ow_aes_message_finish(struct ow_aes_message *message, void *output, size_t *output_len,
                                uint8_t *tag, size_t tag_len) {
  bool tagged = ow_message_has_tag(message);
  *output_len = 0;
  if (message->phase == OW_PHASE_OVER ||
      (tagged && (message->decrypt || tag == NULL || tag_len == 0 || tag_len > 16))) {
    return ow_message_misused(message);
  }
  struct ow_job job = ow_message_job(message, true);
  job.tag_len = (uint8_t)(tagged ? tag_len : 0);
  ow_status status = ow_message_end(message, &job, output, output_len);
  if (status == OW_OK && tagged) {
    ow_copy(tag, job.tag, tag_len);
  }
  return status;
}

ow_status ow_aes_message_verify(struct ow_aes_message *message, void *output, size_t *output_len,
                                const uint8_t *tag, size_t tag_len) {
  *output_len = 0;
  if (message->phase == OW_PHASE_OVER || !ow_message_has_tag(message) || tag == NULL ||
      tag_len > 16 || (message->opcode == OW_OP_AES_GCM && !message->decrypt)) {
    return ow_message_misused(message);
  }
  struct ow_job job = ow_message_job(message, true);
  job.flags |= OW_JOB_DECRYPT;
  job.tag_len = (uint8_t)tag_len;
  ow_copy(job.tag, tag, tag_len);
  return ow_message_end(message, &job, output, output_len);
}
