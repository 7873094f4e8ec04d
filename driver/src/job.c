/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Encodes a job as a descriptor, and releases its memory at the end.
 *
 * Data that may not be accessible to the device is copied to the scratch memory. Only what the
 * encoding needs is checked here; the device checks the rest and reports it in its status.
 */
#include "codec.h"

static ow_direction ow_context_direction(const struct ow_job *job) {
  return (job->flags & OW_JOB_SAVE_STATE) != 0 ? OW_BOTH_WAYS : OW_TO_DEVICE;
}

static uint32_t ow_encode_flags(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  uint32_t flags = job->flags;
  bool tag = encoding->has_tag && !encoding->output_is_tag && (flags & OW_JOB_SAVE_STATE) == 0;
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
    encoding->descriptor->control |=
        OW_PLACE(job->key.slot, OW_DESCRIPTOR_CONTROL_KEY) |
        OW_PLACE(job->key.generation != 0, OW_DESCRIPTOR_CONTROL_GENERATION);
    return OW_OK;
  }
  if (job->key.bytes == NULL && job->context == NULL) {
    return OW_BAD_ARGUMENT;
  }
  encoding->descriptor->control |= OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK;
  return encoding->codec->encode_key(encoding);
}

static ow_status ow_encode_context(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  struct ow_queue_slot *slot = encoding->slot;
  if (job->context == NULL) {
    if ((encoding->descriptor->control & OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK) != 0) {
      encoding->descriptor->context = ow_queue_address(encoding->queue, encoding->scratch->key);
    }
    bool state = (job->flags & (OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE)) != 0;
    return state ? OW_BAD_ARGUMENT : OW_OK;
  }
  if (((uintptr_t)job->context & 15u) != 0) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_map(encoding->queue, &slot->context, job->context, encoding->codec->context_size,
              ow_context_direction(job))) {
    return ow_refuse(encoding->queue, OW_FALLBACK_MEMORY);
  }
  slot->mapped |= OW_MAPPED_CONTEXT;
  encoding->descriptor->context = slot->context;
  return OW_OK;
}

/* The generation of the key in the slot shares the context's field with its address. */
static ow_status ow_encode_generation(const struct ow_encoding *encoding) {
  struct ow_descriptor *descriptor = encoding->descriptor;
  if ((descriptor->control & OW_DESCRIPTOR_CONTROL_GENERATION_MASK) == 0) {
    return OW_OK;
  }
  if ((descriptor->context & OW_SLOT_CONTEXT_VALUE_GENERATION_MASK) != 0) {
    return ow_refuse(encoding->queue, OW_FALLBACK_MEMORY);
  }
  descriptor->context |= (uint64_t)encoding->job->key.generation
                         << OW_SLOT_CONTEXT_VALUE_GENERATION_SHIFT;
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

/* Of a job whose opcode is known. */
static void ow_interpret(struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  const struct ow_codec *codec = ow_codec_of(job->opcode);
  struct ow_queue_slot *slot = encoding->slot;
  encoding->codec = codec;
  encoding->has_tag = codec->has_tag(job);
  encoding->verifies = encoding->has_tag && (job->flags & OW_JOB_DECRYPT) != 0 &&
                       (job->flags & OW_JOB_SAVE_STATE) == 0;
  encoding->output_is_tag = codec->output_is_tag != NULL && codec->output_is_tag(job);
  encoding->output_len = codec->output_len(job);
  encoding->output_to_tag = encoding->output_is_tag && job->destination == NULL &&
                            job->destination_pieces_len == 0 && encoding->output_len != 0;
  bool tag_in_source = encoding->verifies && (job->flags & OW_JOB_TAG_IN_SOURCE) != 0;
  bool append = encoding->has_tag && (job->flags & OW_JOB_APPEND_TAG) != 0;
  slot->source_bytes = job->length + (tag_in_source ? job->tag_len : 0u);
  slot->destination_bytes =
      (encoding->output_to_tag ? 0u : encoding->output_len) + (append ? job->tag_len : 0u);
  slot->result_bytes = encoding->output_to_tag ? encoding->output_len : 0u;
}

static ow_status ow_encode_parts(struct ow_encoding *encoding) {
  ow_status status = ow_job_check(encoding->queue, encoding->job);
  if (status != OW_OK) {
    return status;
  }
  ow_interpret(encoding);
  encoding->descriptor->control = ow_encode_flags(encoding);
  status = ow_encode_key(encoding);
  if (status == OW_OK) {
    status = ow_encode_context(encoding);
  }
  if (status == OW_OK) {
    status = ow_encode_generation(encoding);
  }
  if (status == OW_OK) {
    status = ow_encode_aad(encoding);
  }
  if (status == OW_OK) {
    status = encoding->codec->encode_parameters(encoding);
  }
  return status == OW_OK ? ow_payload_encode(encoding) : status;
}

ow_status ow_job_encode(struct ow_queue *queue, struct ow_descriptor *descriptor, uint32_t index,
                        struct ow_job *job) {
  struct ow_queue_slot *slot = &queue->slots[index];
  struct ow_scratch *scratch = ow_queue_scratch(queue, index);
  struct ow_descriptor made = {.cookie = slot->cookie, .length = job->length};
  struct ow_encoding encoding = {
      .queue = queue, .slot = slot, .scratch = scratch, .descriptor = &made, .job = job};
  slot->job = job;
  slot->mapped = 0;
  ow_status status = ow_encode_parts(&encoding);
  if (status != OW_OK) {
    ow_job_release(queue, index);
    return status;
  }
  ow_repeat_keep(&encoding);
  if ((slot->mapped & OW_USED_SCRATCH) != 0) {
    ow_sync_for_device(queue, scratch, sizeof(*scratch));
  }
  *descriptor = made;
  ow_sync_for_device(queue, descriptor, sizeof(*descriptor));
  if (queue->platform->unmap == NULL) {
    slot->mapped &= OW_USED_SECRET | OW_TAG_FROM_SCRATCH;
  }
  return OW_OK;
}

/* AAD, long IV and context. */
static void ow_unmap_rest(const struct ow_queue *queue, const struct ow_queue_slot *slot) {
  const struct ow_job *job = slot->job;
  if ((slot->mapped & OW_MAPPED_AAD) != 0) {
    ow_unmap(queue, slot->aad, job->aad, job->aad_len, OW_TO_DEVICE);
  }
  if ((slot->mapped & OW_MAPPED_IV) != 0) {
    ow_unmap(queue, slot->iv, job->iv, job->iv_len, OW_TO_DEVICE);
  }
  if ((slot->mapped & OW_MAPPED_CONTEXT) != 0) {
    ow_unmap(queue, slot->context, job->context, ow_codec_of(job->opcode)->context_size,
             ow_context_direction(job));
  }
}

void ow_job_release(struct ow_queue *queue, uint32_t index) {
  struct ow_queue_slot *slot = &queue->slots[index];
  struct ow_scratch *scratch = ow_queue_scratch(queue, index);
  struct ow_job *job = slot->job;
  if (queue->platform->unmap != NULL) {
    ow_payload_release(queue, index, job);
    ow_unmap_rest(queue, slot);
  }
  if ((slot->mapped & OW_TAG_FROM_SCRATCH) != 0) {
    ow_sync_for_cpu(queue, scratch, sizeof(*scratch));
    ow_copy(job->tag, scratch->tag, slot->result_bytes);
  }
  if ((slot->mapped & OW_USED_SECRET) != 0) {
    ow_wipe(scratch->key, sizeof(scratch->key));
    ow_wipe(scratch->aad, sizeof(scratch->aad));
  }
  if ((slot->mapped & (OW_USED_SECRET | OW_TAG_FROM_SCRATCH)) != 0) {
    ow_wipe(scratch->tag, sizeof(scratch->tag));
    ow_sync_for_device(queue, scratch, sizeof(*scratch));
  }
  slot->mapped = 0;
  slot->job = NULL;
}

bool ow_job_leaves_text(const struct ow_job *job) {
  if ((job->flags & OW_JOB_DECRYPT) == 0 || (job->flags & OW_JOB_SAVE_STATE) != 0 ||
      (job->status != OW_WIPE_FAILED && job->status != OW_ABORTED &&
       job->status != OW_DEVICE_ERROR)) {
    return false;
  }
  const struct ow_codec *codec = ow_codec_of(job->opcode);
  return codec != NULL && codec->has_tag(job) && codec->output_len(job) != 0;
}

void ow_job_clear(const struct ow_job *job) {
  uint32_t left = ow_codec_of(job->opcode)->output_len(job);
  if (job->destination_pieces_len == 0) {
    ow_wipe(job->destination, left);
  }
  for (uint32_t i = 0; i < job->destination_pieces_len; i++) {
    const struct ow_piece *piece = &job->destination_pieces[i];
    uint32_t length = piece->length < left ? piece->length : left;
    ow_wipe(piece->memory, length);
    left -= length;
  }
}

ow_status ow_job_begin(struct ow_queue *queue, struct ow_job *job, uint8_t opcode,
                       const void *input, size_t length) {
  if (input == NULL && length != 0) {
    return OW_BAD_ARGUMENT;
  }
  if (length > OW_JOB_LENGTH_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  *job = (struct ow_job){.opcode = opcode, .source = input, .length = (uint32_t)length};
  return OW_OK;
}
