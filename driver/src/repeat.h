/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Encodes a repeated job in a fraction of the instructions.
 *
 * A repeated job differs from the one before it on its queue only in its buffers, length, IV and
 * AAD. What they have in common is kept in the queue; any other job is encoded from the start. Only
 * jobs with one buffer on each side, the key in a slot and the IV in the descriptor are repeated,
 * which write a text as long as what they read, or a tag or digest that goes to the job. A header,
 * to be part of the loop over the jobs of a call.
 */
#ifndef OUTWORK_REPEAT_H
#define OUTWORK_REPEAT_H

#include "internal.h"

enum ow_repeat_output {
  OW_REPEAT_NOTHING, /* there was no such job */
  OW_REPEAT_TEXT,    /* in the destination, perhaps with a tag */
  OW_REPEAT_TAG,     /* in the completion record */
  OW_REPEAT_DIGEST,  /* in the scratch memory */
};

/* repeat.c: encodes a repeated job that has no text, as ow_repeat_encode() does. */
bool ow_repeat_encode_tag(struct ow_queue *queue, uint32_t index, struct ow_descriptor *descriptor,
                          struct ow_job *job);

/* Opcode, tag length and flags. */
static inline uint32_t ow_first_word(const struct ow_job *job) {
  uint32_t word;
  OW_STATIC_ASSERT(offsetof(struct ow_job, flags) + sizeof(job->flags) == sizeof(word),
                   "the first word of a job");
  ow_copy_words(&word, job, sizeof(word));
  return word;
}

/* One branch for all fields: their loads need not wait for each other. */
static inline bool ow_repeat_matches(const struct ow_repeat *repeat, const struct ow_job *job) {
  uint32_t difference = ow_first_word(job) ^ repeat->first_word;
  difference |= (uint32_t)job->key.slot ^ repeat->key_slot;
  difference |= (uint32_t)job->key.generation ^ repeat->key_generation;
  difference |= job->key.key_len;
  difference |= job->iv_len ^ repeat->iv_len;
  difference |= job->source_pieces_len | job->destination_pieces_len;
  difference |= (uint32_t)(job->key.bytes != NULL) | (uint32_t)(job->context != NULL);
  difference |= (uint32_t)(job->iv == NULL) & (uint32_t)(job->iv_len != 0);
  difference |= (uint32_t)(job->source == NULL);
  difference |= (uint32_t)(job->length - 1u >= OW_JOB_LENGTH_MAX);
  return difference == 0;
}

/* Maps the buffers and ends the descriptor. Keeps what is needed to unmap them at the end, if they
 * must be unmapped. */
static inline bool ow_repeat_map(struct ow_queue *queue, uint32_t index,
                                 struct ow_descriptor *descriptor, const struct ow_job *job) {
  const struct ow_repeat *repeat = &queue->repeat;
  const struct ow_platform *const platform = queue->platform;
  const uint32_t source_bytes = job->length + repeat->source_tag;
  const uint32_t destination_bytes = job->length + repeat->destination_tag;
  const bool in_place = job->source == job->destination;
  const uint32_t longer = source_bytes > destination_bytes ? source_bytes : destination_bytes;
  uint64_t source; /* of the buffers, as `map` gives them */
  uint64_t destination;
  if (!platform->map(platform->context, &source, (void *)(uintptr_t)job->source,
                     in_place ? longer : source_bytes, in_place ? OW_BOTH_WAYS : OW_TO_DEVICE)) {
    return false;
  }
  descriptor->source = source;
  descriptor->destination = source;
  if (!in_place) {
    if (!ow_map(queue, &destination, job->destination, destination_bytes, OW_FROM_DEVICE)) {
      ow_unmap(queue, source, job->source, source_bytes, OW_TO_DEVICE);
      return false;
    }
    descriptor->destination = destination;
  }
  if (platform->unmap != NULL) {
    struct ow_queue_slot *slot = &queue->slots[index];
    struct ow_scratch *scratch = ow_queue_scratch(queue, index);
    slot->mapped = in_place ? OW_MAPPED_IN_PLACE : OW_MAPPED_SOURCE | OW_MAPPED_DESTINATION;
    slot->source_bytes = source_bytes;
    slot->destination_bytes = destination_bytes;
    scratch->source[0].address = source;
    scratch->destination[0].address = in_place ? source : destination;
  }
  if (platform->sync_for_device != NULL) {
    platform->sync_for_device(platform->context, descriptor, sizeof(*descriptor));
  }
  return true;
}

static inline void ow_repeat_iv(const struct ow_repeat *repeat, struct ow_descriptor *descriptor,
                                const struct ow_job *job) {
  const uint8_t *iv = job->iv;
  const uint32_t iv_len = job->iv_len;
  uint8_t *place = descriptor->iv + repeat->iv_offset;
  bool aligned = (((uintptr_t)iv | (uintptr_t)place) & 3u) == 0;
  ow_copy_words(descriptor->iv, repeat->iv, sizeof(repeat->iv));
  if (aligned && iv_len == 12) {
    uint32_t first, second, third; /* all are loaded before one is stored */
    ow_copy_words(&first, iv, 4);
    ow_copy_words(&second, iv + 4, 4);
    ow_copy_words(&third, iv + 8, 4);
    ow_copy_words(place, &first, 4);
    ow_copy_words(place + 4, &second, 4);
    ow_copy_words(place + 8, &third, 4);
  } else {
    ow_copy(place, iv, iv_len);
  }
}

/* Does what ow_job_encode() does, for a repeated job. Returns whether it did:
 * another job, and one whose memory cannot be mapped, must be encoded from the start. */
static inline bool ow_repeat_encode(struct ow_queue *queue, uint32_t index,
                                    struct ow_descriptor *descriptor, struct ow_job *job) {
  const struct ow_repeat *repeat = &queue->repeat;
  struct ow_queue_slot *slot = &queue->slots[index];
  const uint32_t aad_len = job->aad_len;
  const uint32_t no_text =
      (uint32_t)(repeat->output ^ OW_REPEAT_TEXT) | (uint32_t)(job->destination == NULL);
  if (!ow_repeat_matches(repeat, job) || aad_len > OW_SCRATCH_AAD ||
      (aad_len != 0 && job->aad == NULL)) {
    return false;
  }
  if (no_text != 0) {
    return ow_repeat_encode_tag(queue, index, descriptor, job);
  }
  slot->job = job;
  slot->mapped = 0;
  descriptor->control = repeat->control;
  descriptor->cookie = slot->cookie;
  descriptor->context = repeat->context;
  descriptor->length = job->length;
  descriptor->aad_length = aad_len;
  descriptor->aad = 0;
  ow_repeat_iv(repeat, descriptor, job);
  if (aad_len != 0) {
    struct ow_scratch *scratch = ow_queue_scratch(queue, index);
    ow_copy(scratch->aad, job->aad, aad_len);
    ow_sync_for_device(queue, scratch, sizeof(*scratch));
    descriptor->aad = ow_queue_address(queue, scratch->aad);
  }
  return ow_repeat_map(queue, index, descriptor, job);
}

#endif
