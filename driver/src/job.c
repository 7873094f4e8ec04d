/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A job becomes a descriptor; what may lie anywhere is copied into the scratch, and everything is
 * taken back at the end.
 *
 * Only what the encoding itself needs is checked here; the device checks the rest and says so in
 * its status.
 */
#include "internal.h"

bool ow_job_has_tag(const struct ow_job *job) {
  return job->opcode == OW_OP_AES_GCM || job->opcode == OW_OP_AES_GMAC ||
         job->opcode == OW_OP_AES_CCM || job->opcode == OW_OP_AES_CMAC;
}

bool ow_job_has_output(const struct ow_job *job) {
  return job->opcode != OW_OP_NOP && job->opcode != OW_OP_AES_GMAC && job->opcode != OW_OP_AES_CMAC;
}

bool ow_job_verifies(const struct ow_job *job) {
  return ow_job_has_tag(job) && (job->flags & OW_JOB_DECRYPT) != 0 &&
         (job->flags & OW_JOB_SAVE_STATE) == 0;
}

static ow_direction ow_context_direction(const struct ow_job *job) {
  return (job->flags & OW_JOB_SAVE_STATE) != 0 ? OW_BOTH_WAYS : OW_TO_DEVICE;
}

static uint32_t ow_encode_flags(const struct ow_job *job) {
  uint32_t flags = job->flags;
  bool tag = ow_job_has_tag(job) && (flags & OW_JOB_SAVE_STATE) == 0;
  return OW_PLACE(job->opcode, OW_DESCRIPTOR_CONTROL_OPCODE) |
         OW_PLACE(tag ? job->tag_len : 0u, OW_DESCRIPTOR_CONTROL_TAG_LENGTH) |
         OW_PLACE((flags & OW_JOB_DECRYPT) != 0, OW_DESCRIPTOR_CONTROL_DECRYPT) |
         OW_PLACE((flags & OW_JOB_LOAD_STATE) != 0, OW_DESCRIPTOR_CONTROL_LOAD_STATE) |
         OW_PLACE((flags & OW_JOB_SAVE_STATE) != 0, OW_DESCRIPTOR_CONTROL_SAVE_STATE) |
         OW_PLACE((flags & OW_JOB_APPEND_TAG) != 0, OW_DESCRIPTOR_CONTROL_APPEND_TAG) |
         OW_PLACE((flags & OW_JOB_FENCE) != 0, OW_DESCRIPTOR_CONTROL_FENCE) |
         OW_PLACE((flags & OW_JOB_INTERRUPT) != 0, OW_DESCRIPTOR_CONTROL_INTERRUPT);
}

static ow_status ow_encode_key(struct ow_descriptor *descriptor, struct ow_queue_slot *slot,
                               struct ow_scratch *scratch, const struct ow_job *job) {
  const struct ow_key *key = &job->key;
  uint32_t code = 0;
  if (key->bytes == NULL && key->key_len == 0) {
    descriptor->control |= OW_PLACE(key->slot, OW_DESCRIPTOR_CONTROL_KEY);
    return OW_OK;
  }
  if (!ow_key_length_code(&code, key->key_len) || (key->bytes == NULL && job->context == NULL)) {
    return OW_BAD_ARGUMENT;
  }
  descriptor->control |= OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK;
  descriptor->control |= OW_PLACE(code, OW_DESCRIPTOR_CONTROL_KEY);
  if (key->bytes == NULL) {
    return OW_OK;
  }
  bool xts = job->opcode == OW_OP_AES_XTS;
  if (xts && (key->tweak_bytes == NULL || ow_equal(key->bytes, key->tweak_bytes, key->key_len))) {
    return OW_BAD_ARGUMENT;
  }
  /* The key part of a context is its first 64 bytes, wherever it stands. */
  uint8_t *place = job->context != NULL ? (uint8_t *)job->context : scratch->key;
  ow_copy(place, key->bytes, key->key_len);
  if (xts) {
    ow_copy(place + offsetof(struct ow_context, tweak_key0), key->tweak_bytes, key->key_len);
  }
  if (job->context == NULL) {
    slot->mapped |= OW_USED_SCRATCH | OW_USED_SECRET;
  }
  return OW_OK;
}

static ow_status ow_encode_context(struct ow_queue *queue, struct ow_descriptor *descriptor,
                                   struct ow_queue_slot *slot, struct ow_scratch *scratch,
                                   const struct ow_job *job) {
  if (job->context == NULL) {
    descriptor->context = ow_queue_address(queue, scratch->key);
    bool state = (job->flags & (OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE)) != 0;
    return state ? OW_BAD_ARGUMENT : OW_OK;
  }
  if (((uintptr_t)job->context & 15u) != 0) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_map(queue, &slot->context, job->context, OW_CONTEXT_SIZE, ow_context_direction(job))) {
    return ow_refuse(queue, OW_FALLBACK_MEMORY);
  }
  slot->mapped |= OW_MAPPED_CONTEXT;
  descriptor->context = slot->context;
  return OW_OK;
}

/* GCM and GMAC: any length; more than 16 bytes, or other than 12, stand in memory. */
static ow_status ow_encode_long_iv(struct ow_queue *queue, struct ow_descriptor *descriptor,
                                   struct ow_queue_slot *slot, struct ow_scratch *scratch,
                                   const struct ow_job *job) {
  if (job->iv_len <= OW_SCRATCH_IV) {
    ow_copy(scratch->iv, job->iv, job->iv_len);
    slot->iv = ow_queue_address(queue, scratch->iv);
    slot->mapped |= OW_USED_SCRATCH;
  } else if (ow_map(queue, &slot->iv, job->iv, job->iv_len, OW_TO_DEVICE)) {
    slot->mapped |= OW_MAPPED_IV;
  } else {
    return ow_refuse(queue, OW_FALLBACK_MEMORY);
  }
  descriptor->control |= OW_DESCRIPTOR_CONTROL_LONG_IV_MASK;
  ow_copy(&descriptor->iv[0], &slot->iv, 8);
  ow_copy(&descriptor->iv[8], &job->iv_len, 4);
  return OW_OK;
}

static ow_status ow_encode_iv(struct ow_queue *queue, struct ow_descriptor *descriptor,
                              struct ow_queue_slot *slot, struct ow_scratch *scratch,
                              const struct ow_job *job) {
  uint32_t length = job->iv_len;
  bool loaded = (job->flags & OW_JOB_LOAD_STATE) != 0;
  if (loaded || job->opcode == OW_OP_NOP || job->opcode == OW_OP_AES_ECB ||
      job->opcode == OW_OP_AES_CMAC) {
    return length == 0 ? OW_OK : OW_BAD_ARGUMENT;
  }
  if (job->iv == NULL || length == 0) {
    return OW_BAD_ARGUMENT;
  }
  if (job->opcode == OW_OP_AES_CCM) { /* SP 800-38C A.3: Ctr_0 is q-1, the nonce, zeros */
    if (length < 7 || length > 13) {
      return OW_BAD_ARGUMENT;
    }
    descriptor->iv[0] = (uint8_t)(14u - length);
    ow_copy(&descriptor->iv[1], job->iv, length);
    return OW_OK;
  }
  if (job->opcode == OW_OP_AES_GCM || job->opcode == OW_OP_AES_GMAC) {
    if (length != 12) {
      return ow_encode_long_iv(queue, descriptor, slot, scratch, job);
    }
  } else if (length != 16) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(descriptor->iv, job->iv, length);
  return OW_OK;
}

static ow_status ow_encode_aad(struct ow_queue *queue, struct ow_descriptor *descriptor,
                               struct ow_queue_slot *slot, struct ow_scratch *scratch,
                               const struct ow_job *job) {
  descriptor->aad_length = job->aad_len;
  if (job->aad_len == 0) {
    return OW_OK;
  }
  if (job->aad == NULL) {
    return OW_BAD_ARGUMENT;
  }
  if (job->aad_len <= OW_SCRATCH_AAD) {
    ow_copy(scratch->aad, job->aad, job->aad_len);
    slot->mapped |= OW_USED_SCRATCH;
    descriptor->aad = ow_queue_address(queue, scratch->aad);
    return OW_OK;
  }
  if (!ow_map(queue, &slot->aad, job->aad, job->aad_len, OW_TO_DEVICE)) {
    return ow_refuse(queue, OW_FALLBACK_MEMORY);
  }
  slot->mapped |= OW_MAPPED_AAD;
  descriptor->aad = slot->aad;
  return OW_OK;
}

static ow_status ow_job_check(struct ow_queue *queue, const struct ow_job *job) {
  if (!ow_device_supports(queue->device, job->opcode, (job->flags & OW_JOB_DECRYPT) != 0)) {
    return ow_refuse(queue, OW_FALLBACK_OPCODE);
  }
  if (job->length > OW_JOB_LENGTH_MAX || job->aad_len > OW_JOB_LENGTH_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  bool pieces = (job->source_pieces_len == 0 || job->source_pieces != NULL) &&
                (job->destination_pieces_len == 0 || job->destination_pieces != NULL);
  return pieces && job->tag_len <= sizeof(job->tag) ? OW_OK : OW_BAD_ARGUMENT;
}

ow_status ow_job_encode(struct ow_queue *queue, struct ow_descriptor *descriptor, uint32_t index,
                        struct ow_job *job) {
  struct ow_queue_slot *slot = &queue->slots[index];
  struct ow_scratch *scratch = ow_queue_scratch(queue, index);
  struct ow_descriptor made = {
      .control = ow_encode_flags(job), .cookie = slot->cookie, .length = job->length};
  slot->mapped = 0;

  ow_status status = ow_job_check(queue, job);
  if (status != OW_OK) {
    return status;
  }
  status = ow_encode_key(&made, slot, scratch, job);
  if (status == OW_OK) {
    status = ow_encode_context(queue, &made, slot, scratch, job);
  }
  if (status == OW_OK) {
    status = ow_encode_iv(queue, &made, slot, scratch, job);
  }
  if (status == OW_OK) {
    status = ow_encode_aad(queue, &made, slot, scratch, job);
  }
  if (status == OW_OK) {
    status = ow_payload_encode(queue, &made, index, job);
  }
  slot->job = job;
  if (status != OW_OK) {
    ow_job_release(queue, index);
    return status;
  }
  if ((slot->mapped & OW_USED_SCRATCH) != 0) {
    ow_sync_for_device(queue, scratch, sizeof(*scratch));
  }
  *descriptor = made;
  ow_sync_for_device(queue, descriptor, sizeof(*descriptor));
  return OW_OK;
}

void ow_job_release(struct ow_queue *queue, uint32_t index) {
  struct ow_queue_slot *slot = &queue->slots[index];
  struct ow_scratch *scratch = ow_queue_scratch(queue, index);
  struct ow_job *job = slot->job;
  ow_payload_release(queue, index, job);
  if ((slot->mapped & OW_MAPPED_AAD) != 0) {
    ow_unmap(queue, slot->aad, job->aad, job->aad_len, OW_TO_DEVICE);
  }
  if ((slot->mapped & OW_MAPPED_IV) != 0) {
    ow_unmap(queue, slot->iv, job->iv, job->iv_len, OW_TO_DEVICE);
  }
  if ((slot->mapped & OW_MAPPED_CONTEXT) != 0) {
    ow_unmap(queue, slot->context, job->context, OW_CONTEXT_SIZE, ow_context_direction(job));
  }
  if ((slot->mapped & OW_USED_SECRET) != 0) {
    ow_wipe(scratch->key, sizeof(scratch->key));
    ow_wipe(scratch->tag, sizeof(scratch->tag));
    ow_sync_for_device(queue, scratch, sizeof(*scratch));
  }
  slot->mapped = 0;
  slot->job = NULL;
}
