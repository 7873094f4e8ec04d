/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A lane: the job and the memory of one request.
 */
#ifndef OUTWORK_OFFLOAD_LANE_H
#define OUTWORK_OFFLOAD_LANE_H

#include "offload.h"

#include <stdatomic.h>

/* What the device reads and writes for one request. */
struct ow_lane_memory {
  struct ow_pka pka;
  union {
    struct ow_context aes;
    struct ow_hash_context hash;
  } context;
  uint8_t aad[OW_REQUEST_AAD_BYTES];
  OW_ALIGNED(64) uint8_t payload[OW_REQUEST_BYTES];
};

struct ow_lane {
  struct ow_job job; /* not on the caller's stack: a paused caller may never continue */
  atomic_bool over;
  bool pka_ready; /* the memory's `pka` is this process's, and not what another left there */
};

/* The `done` function of the job; `user` is the lane. */
void ow_lane_over(struct ow_job *job, void *user);
/* Copies the inputs into the lane and fills in the job. */
void ow_lane_fill(struct ow_lane *lane, struct ow_lane_memory *memory,
                  const struct ow_request *request);
/* Copies the results out if the job has succeeded, and wipes the lane. */
void ow_lane_empty(struct ow_request *request, const struct ow_lane *lane,
                   struct ow_lane_memory *memory);

#endif
