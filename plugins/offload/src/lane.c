/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Copies a request into a lane and its results out.
 */
#include "lane.h"

#include <string.h>

void ow_lane_over(struct ow_job *job, void *user) {
  struct ow_lane *lane = user;
  (void)job;
  atomic_store_explicit(&lane->over, true, memory_order_release);
}

/* Returns where the context has the state: after the key; if sealed, in place of the key. */
static void *state_of(size_t *length, const struct ow_request *request,
                      struct ow_lane_memory *memory) {
  size_t seal = request->slot != NULL ? OW_AES_SEALED_BYTES - OW_AES_STATE_BYTES : 0;
  bool hash = ow_hash_block_len(request->opcode) != 0;
  *length = (hash ? OW_HASH_STATE_BYTES : OW_AES_STATE_BYTES) + seal;
  size_t at = hash ? offsetof(struct ow_hash_context, bytes) : offsetof(struct ow_context, state0);
  return (uint8_t *)&memory->context + at - seal;
}

/* Members that are not named here are never used. */
void ow_lane_fill(struct ow_lane *lane, struct ow_lane_memory *memory,
                  const struct ow_request *request) {
  bool state = (request->flags & (OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE)) != 0;
  struct ow_job *job = &lane->job;
  job->opcode = request->opcode;
  job->tag_len = request->tag_len;
  job->flags = request->flags;
  job->key.bytes = request->key;
  job->key.tweak_bytes = request->tweak_key;
  job->key.key_len = request->key_len;
  job->key.slot = request->slot != NULL ? request->slot->slot : 0;
  job->key.generation = request->slot != NULL ? request->slot->generation : 0;
  job->context = state ? &memory->context : NULL;
  job->length = request->length;
  job->aad_len = request->aad_len;
  job->destination_len = request->output_len;
  job->source = memory->payload;
  job->destination = request->output != NULL ? memory->payload : NULL;
  job->iv_len = request->iv_len;
  job->iv = request->iv;
  job->aad = request->aad;
  job->done = ow_lane_over;
  job->user = lane;
  atomic_store_explicit(&lane->over, false, memory_order_relaxed);
  memcpy(job->tag, request->tag, sizeof(request->tag));
  if ((request->flags & OW_JOB_LOAD_STATE) != 0) {
    size_t length;
    void *state = state_of(&length, request, memory);
    memcpy(state, request->state, length);
  }
  if (request->aad_len > 64) { /* the driver copies less by itself */
    memcpy(memory->aad, request->aad, request->aad_len);
    job->aad = memory->aad;
  }
  if (request->key != NULL && request->key == request->aad) {
    job->key.bytes = job->aad;
  }
  if (request->head_len != 0) {
    memcpy(memory->payload, request->head, request->head_len);
  }
  if (request->length != request->head_len) {
    memcpy(memory->payload + request->head_len, request->input,
           request->length - request->head_len);
  }
}

void ow_lane_empty(struct ow_request *request, const struct ow_lane *lane,
                   struct ow_lane_memory *memory) {
  uint32_t written = request->output_len != 0 ? request->output_len : request->length;
  if (lane->job.status == OW_OK) {
    memcpy(request->tag, lane->job.tag, sizeof(request->tag));
    if ((request->flags & OW_JOB_SAVE_STATE) != 0) {
      size_t length;
      const void *state = state_of(&length, request, memory);
      memcpy(request->state, state, length);
    }
    if (request->output != NULL && written != 0) {
      memcpy(request->output, memory->payload, written);
    }
  }
  if (lane->job.context != NULL) {
    explicit_bzero(&memory->context, sizeof(memory->context));
  }
  if (request->key != NULL && request->key == request->aad) {
    explicit_bzero(memory->aad, request->aad_len);
  }
  explicit_bzero(memory->payload, written > request->length ? written : request->length);
}
