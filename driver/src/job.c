/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A job becomes a descriptor; what may lie anywhere is copied into the scratch, and everything is
 * taken back at the end.
 *
 * Only what the encoding itself needs is checked here; the device checks the rest and says so in
 * its status.
 */
#include "codec.h"

/* Only after ow_job_check. */
static const struct ow_codec *ow_job_codec(const struct ow_job *job) {
  return ow_codec_of(job->opcode);
}

bool ow_job_has_tag(const struct ow_job *job) {
  return ow_job_codec(job)->has_tag(job);
}

uint32_t ow_job_output_len(const struct ow_job *job) {
  return ow_job_codec(job)->output_len(job);
}

bool ow_job_verifies(const struct ow_job *job) {
  return ow_job_has_tag(job) && (job->flags & OW_JOB_DECRYPT) != 0 &&
         (job->flags & OW_JOB_SAVE_STATE) == 0;
}

bool ow_job_output_to_tag(const struct ow_job *job) {
  return ow_job_codec(job)->output_is_tag && job->destination == NULL &&
         job->destination_pieces_len == 0 && ow_job_output_len(job) != 0;
}

static ow_direction ow_context_direction(const struct ow_job *job) {
  return (job->flags & OW_JOB_SAVE_STATE) != 0 ? OW_BOTH_WAYS : OW_TO_DEVICE;
}

static uint32_t ow_encode_flags(const struct ow_job *job) {
  uint32_t flags = job->flags;
  bool tag =
      ow_job_has_tag(job) && !ow_job_codec(job)->output_is_tag && (flags & OW_JOB_SAVE_STATE) == 0;
  return OW_PLACE(job->opcode, OW_DESCRIPTOR_CONTROL_OPCODE) |
         OW_PLACE(tag ? job->tag_len : 0u, OW_DESCRIPTOR_CONTROL_TAG_LENGTH) |
         OW_PLACE((flags & OW_JOB_DECRYPT) != 0, OW_DESCRIPTOR_CONTROL_DECRYPT) |
         OW_PLACE((flags & OW_JOB_LOAD_STATE) != 0, OW_DESCRIPTOR_CONTROL_LOAD_STATE) |
         OW_PLACE((flags & OW_JOB_SAVE_STATE) != 0, OW_DESCRIPTOR_CONTROL_SAVE_STATE) |
         OW_PLACE((flags & OW_JOB_APPEND_TAG) != 0, OW_DESCRIPTOR_CONTROL_APPEND_TAG) |
         OW_PLACE((flags & OW_JOB_FENCE) != 0, OW_DESCRIPTOR_CONTROL_FENCE) |
         OW_PLACE((flags & OW_JOB_INTERRUPT) != 0, OW_DESCRIPTOR_CONTROL_INTERRUPT);
}

static ow_status ow_encode_key(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  if (job->key.bytes == NULL && job->key.key_len == 0) {
    encoding->descriptor->control |= OW_PLACE(job->key.slot, OW_DESCRIPTOR_CONTROL_KEY);
    return OW_OK;
  }
  if (job->key.bytes == NULL && job->context == NULL) {
    return OW_BAD_ARGUMENT;
  }
  encoding->descriptor->control |= OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK;
  return ow_job_codec(job)->encode_key(encoding);
}

static ow_status ow_encode_context(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  struct ow_queue_slot *slot = encoding->slot;
  if (job->context == NULL) {
    encoding->descriptor->context = ow_queue_address(encoding->queue, encoding->scratch->key);
    bool state = (job->flags & (OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE)) != 0;
    return state ? OW_BAD_ARGUMENT : OW_OK;
  }
  if (((uintptr_t)job->context & 15u) != 0) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_map(encoding->queue, &slot->context, job->context, ow_job_codec(job)->context_size,
              ow_context_direction(job))) {
    return ow_refuse(encoding->queue, OW_FALLBACK_MEMORY);
  }
  slot->mapped |= OW_MAPPED_CONTEXT;
  encoding->descriptor->context = slot->context;
  return OW_OK;
}

static ow_status ow_encode_aad(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  struct ow_queue_slot *slot = encoding->slot;
  struct ow_scratch *scratch = encoding->scratch;
  struct ow_descriptor *descriptor = encoding->descriptor;
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
    descriptor->aad = ow_queue_address(encoding->queue, scratch->aad);
    return OW_OK;
  }
  if (!ow_map(encoding->queue, &slot->aad, job->aad, job->aad_len, OW_TO_DEVICE)) {
    return ow_refuse(encoding->queue, OW_FALLBACK_MEMORY);
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
  slot->mapped = 0;
  ow_status status = ow_job_check(queue, job);
  if (status != OW_OK) {
    return status;
  }
  struct ow_descriptor made = {
      .control = ow_encode_flags(job), .cookie = slot->cookie, .length = job->length};
  const struct ow_encoding encoding = {queue, slot, scratch, &made, job};
  status = ow_encode_key(&encoding);
  if (status == OW_OK) {
    status = ow_encode_context(&encoding);
  }
  if (status == OW_OK) {
    status = ow_encode_aad(&encoding);
  }
  if (status == OW_OK) {
    status = ow_job_codec(job)->encode_parameters(&encoding);
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
    ow_unmap(queue, slot->context, job->context, ow_job_codec(job)->context_size,
             ow_context_direction(job));
  }
  if ((slot->mapped & OW_TAG_FROM_SCRATCH) != 0) {
    ow_sync_for_cpu(queue, scratch, sizeof(*scratch));
    ow_copy(job->tag, scratch->tag, ow_job_output_len(job));
  }
  if ((slot->mapped & OW_USED_SECRET) != 0) {
    ow_wipe(scratch->key, sizeof(scratch->key));
    ow_wipe(scratch->aad, sizeof(scratch->aad));
    ow_wipe(scratch->tag, sizeof(scratch->tag));
    ow_sync_for_device(queue, scratch, sizeof(*scratch));
  }
  slot->mapped = 0;
  slot->job = NULL;
}
