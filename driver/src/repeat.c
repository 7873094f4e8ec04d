/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keeps what the next job may have in common with one that has been encoded (repeat.h).
 */
#include "repeat.h"
#include "codec.h"

void ow_repeat_keep(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  const struct ow_queue_slot *slot = encoding->slot;
  const struct ow_descriptor *made = encoding->descriptor;
  struct ow_repeat *repeat = &encoding->queue->repeat;
  const uint32_t elsewhere =
      OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK | OW_DESCRIPTOR_CONTROL_LONG_IV_MASK |
      OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK | OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK;
  uint32_t iv_offset =
      encoding->codec->iv_offset != NULL ? encoding->codec->iv_offset(job) : OW_IV_ELSEWHERE;
  bool buffers =
      job->length != 0 && job->source_pieces_len == 0 && job->destination_pieces_len == 0;
  repeat->kept = buffers && job->context == NULL && iv_offset != OW_IV_ELSEWHERE &&
                 (made->control & elsewhere) == 0;
  if (!repeat->kept) {
    return;
  }
  repeat->first_word = ow_first_word(job);
  repeat->key_slot = job->key.slot;
  repeat->key_generation = job->key.generation;
  repeat->iv_len = job->iv_len;
  repeat->iv_offset = (uint8_t)iv_offset;
  repeat->control = made->control;
  repeat->context = made->context;
  ow_copy(repeat->iv, made->iv, sizeof(repeat->iv));
  repeat->source_tag = (uint8_t)(slot->source_bytes - job->length);
  repeat->destination_tag = (uint8_t)(slot->destination_bytes - job->length);
}
