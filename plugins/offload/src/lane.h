/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A lane: the memory of one request with the device.
 */
#ifndef OUTWORK_OFFLOAD_LANE_H
#define OUTWORK_OFFLOAD_LANE_H

#include "offload.h"

#include <stdatomic.h>

/* A lane's memory: what the device reads and writes of one request. */
struct ow_lane_memory {
  struct ow_pk pk;
  union {
    struct ow_context aes;
    struct ow_hash_context hash;
  } context;
  uint8_t aad[OW_REQUEST_AAD_BYTES];
  uint8_t payload[OW_REQUEST_BYTES];
};

struct ow_lane {
  struct ow_job job; /* here and not on the caller's stack: a paused caller may be gone for ever */
  atomic_bool over;
  bool pk_ready; /* the memory's `pk` is this process's, and not what another left there */
};

/* The job's `done`; its user is the lane. */
void ow_lane_over(struct ow_job *job, void *user);
/* Copies in what the device needs, and states the job. */
void ow_lane_fill(struct ow_lane *lane, struct ow_lane_memory *memory,
                  const struct ow_request *request);
/* Copies out what the device made, if it did, and leaves nothing behind. */
void ow_lane_empty(struct ow_request *request, const struct ow_lane *lane,
                   struct ow_lane_memory *memory);

#endif
