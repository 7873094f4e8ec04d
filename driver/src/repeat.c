/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keeps what the next job may have in common with one that has been encoded, and encodes repeated
 * jobs that have no text (repeat.h).
 */
#include "repeat.h"
#include "codec.h"

static enum ow_repeat_output ow_repeat_output(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  const struct ow_codec *codec = encoding->codec;
  const struct ow_queue_slot *slot = encoding->slot;
  const uint32_t elsewhere =
      OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK | OW_DESCRIPTOR_CONTROL_LONG_IV_MASK |
      OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK | OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK;
  if (job->length == 0 || job->source_pieces_len != 0 || job->destination_pieces_len != 0 ||
      job->context != NULL || (encoding->descriptor->control & elsewhere) != 0 ||
      codec->iv_offset == NULL || codec->iv_offset(job) == OW_IV_ELSEWHERE) {
    return OW_REPEAT_NOTHING;
  }
  if (!encoding->output_is_tag && encoding->output_len == job->length) {
    return OW_REPEAT_TEXT;
  }
  if (job->aad_len != 0 || encoding->verifies || slot->destination_bytes != 0) {
    return OW_REPEAT_NOTHING;
  }
  return encoding->output_to_tag     ? OW_REPEAT_DIGEST
         : encoding->output_len == 0 ? OW_REPEAT_TAG
                                     : OW_REPEAT_NOTHING;
}

void ow_repeat_keep(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  const struct ow_queue_slot *slot = encoding->slot;
  const struct ow_descriptor *made = encoding->descriptor;
  struct ow_repeat *repeat = &encoding->queue->repeat;
  repeat->output = (uint8_t)ow_repeat_output(encoding);
  if (repeat->output == OW_REPEAT_NOTHING) {
    return;
  }
  repeat->first_word = ow_first_word(job);
  repeat->key_slot = job->key.slot;
  repeat->key_generation = job->key.generation;
  repeat->iv_len = job->iv_len;
  repeat->iv_offset = (uint8_t)encoding->codec->iv_offset(job);
  repeat->control = made->control;
  repeat->context = made->context;
  repeat->aad_length = made->aad_length;
  ow_copy(repeat->iv, made->iv, sizeof(repeat->iv));
  repeat->source_tag = (uint8_t)(slot->source_bytes - job->length);
  repeat->destination_tag = (uint8_t)(slot->destination_bytes - job->length);
  repeat->result_bytes = (uint8_t)slot->result_bytes;
}

bool ow_repeat_encode_tag(struct ow_queue *queue, uint32_t index, struct ow_descriptor *descriptor,
                          struct ow_job *job) {
  const struct ow_repeat *repeat = &queue->repeat;
  struct ow_queue_slot *slot = &queue->slots[index];
  struct ow_scratch *scratch = ow_queue_scratch(queue, index);
  const bool digest = repeat->output == OW_REPEAT_DIGEST;
  if ((repeat->output != OW_REPEAT_TAG && !digest) || job->aad_len != 0 ||
      (digest && job->destination != NULL) ||
      !ow_map(queue, &descriptor->source, job->source, job->length, OW_TO_DEVICE)) {
    return false;
  }
  slot->job = job;
  slot->mapped = digest ? OW_TAG_FROM_SCRATCH : 0;
  slot->source_bytes = job->length;
  slot->destination_bytes = 0;
  slot->result_bytes = repeat->result_bytes;
  if (queue->platform->unmap != NULL) {
    slot->mapped |= OW_MAPPED_SOURCE;
    scratch->source[0].address = descriptor->source;
  }
  descriptor->control = repeat->control;
  descriptor->cookie = slot->cookie;
  descriptor->destination = digest ? ow_queue_address(queue, scratch->tag) : 0;
  descriptor->aad = 0;
  descriptor->context = repeat->context;
  descriptor->length = job->length;
  descriptor->aad_length = repeat->aad_length;
  ow_repeat_iv(repeat, descriptor, job);
  if (digest) {
    ow_sync_for_device(queue, scratch, sizeof(*scratch));
  }
  ow_sync_for_device(queue, descriptor, sizeof(*descriptor));
  return true;
}
