/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What is asked of an offload: whose a message is, requests, operations of public keys, keys for
 * slots; each counted, and the device rested when it fails too often.
 */
#include "state.h"

/* Faults in a row after which the device rests. */
#define FAULTS_MAX 8u
/* Faults of one request that only the device can do. */
#define INSIST_MAX 3u

void ow_offload_count(struct ow_offload *offload, uint8_t opcode, unsigned reason, size_t length) {
  struct ow_tally_row *row = ow_tally_row(ow_offload_tally(offload), opcode);
  ow_tally_add(&row->cpu_requests[reason], 1);
  ow_tally_add(&row->cpu_bytes, length);
}

void ow_offload_totals(struct ow_offload *offload, struct ow_offload_totals *totals) {
  ow_tally_totals(ow_offload_tally(offload), totals);
}

size_t ow_offload_floor(const struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                        bool decrypt) {
  return ow_verdict_floor(&offload->verdict, opcode, key_len, decrypt);
}

bool ow_offload_wants_among(struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                            bool decrypt, size_t length, unsigned together) {
  unsigned reason = OW_FALLBACK_POLICY;
  uint32_t depth = atomic_load_explicit(&offload->in_flight, memory_order_relaxed) + together;
  if (ow_verdict_device(&offload->verdict, opcode, key_len, decrypt, length, depth)) {
    reason = OW_FALLBACK_DEVICE;
    if (ow_offload_ready(offload)) {
      return true;
    }
  }
  ow_offload_count(offload, opcode, reason, length);
  return false;
}

bool ow_offload_wants(struct ow_offload *offload, uint8_t opcode, uint8_t key_len, bool decrypt,
                      size_t length) {
  return ow_offload_wants_among(offload, opcode, key_len, decrypt, length, 1);
}

static unsigned reason_of(ow_status status, const struct ow_offload *offload, uint8_t opcode,
                          bool decrypt) {
  switch (status) {
  case OW_BUSY:
    return OW_FALLBACK_RING;
  case OW_HALTED:
  case OW_NO_DEVICE:
    return OW_FALLBACK_DEVICE;
  case OW_UNSUPPORTED:
    return ow_device_supports(&offload->link.device, opcode, decrypt) ? OW_FALLBACK_MEMORY
                                                                      : OW_FALLBACK_OPCODE;
  case OW_BAD_ARGUMENT:
    return OW_FALLBACK_OPCODE;
  case OW_AUTH_FAILED:
    return OW_CPU_TAG;
  default:
    return OW_CPU_FAULT;
  }
}

/* The device's own failures, unlike a full ring, a wrong tag, or a request that is none. */
static bool is_fault(ow_status status) {
  return status != OW_OK && status != OW_BUSY && status != OW_UNSUPPORTED &&
         status != OW_AUTH_FAILED && status != OW_BAD_ARGUMENT;
}

/* What a request, or an operation in its place, needs of the offload while it is with the device.
 */
static unsigned enter(struct ow_offload *offload) {
  atomic_fetch_add(&offload->in_flight, 1);
  return atomic_load(&ow_forks);
}

static void leave(struct ow_offload *offload, unsigned forks, ow_status status) {
  if (forks != atomic_load(&ow_forks)) {
    return; /* it was with the parent's device, and the parent counts it */
  }
  if (is_fault(status) && atomic_load(&offload->state) == READY &&
      (atomic_fetch_add(&offload->faults, 1) + 1 >= FAULTS_MAX || ow_pool_dead(offload->pool))) {
    ow_offload_rest(offload);
  }
  atomic_fetch_sub(&offload->in_flight, 1);
  if (status == OW_OK) {
    atomic_store_explicit(&offload->faults, 0, memory_order_relaxed);
    atomic_store_explicit(&offload->rest_ms, 0, memory_order_relaxed);
  }
}

static void count_job(struct ow_offload *offload, uint8_t opcode, uint64_t bytes, uint64_t cycles) {
  struct ow_tally_row *row = ow_tally_row(ow_offload_tally(offload), opcode);
  ow_tally_add(&row->jobs, 1);
  ow_tally_add(&row->bytes, bytes);
  ow_tally_add(&row->cycles, cycles);
}

static bool fits(const struct ow_request *request) {
  return request->length <= OW_REQUEST_BYTES && request->output_len <= OW_REQUEST_BYTES &&
         request->aad_len <= OW_REQUEST_AAD_BYTES && request->iv_len <= 64;
}

/* A key that is not in its slot, or not for this, says nothing against the device. */
static bool faultless(ow_status status, const struct ow_slot_key *slot) {
  return slot != NULL && (status == OW_BAD_KEY || status == OW_KEY_DENIED ||
                          status == OW_KEY_GONE || status == OW_BAD_STATE);
}

/* What a request that has entered came to; true: the device has done it. */
static bool conclude(struct ow_offload *offload, struct ow_request *request, unsigned forks,
                     ow_status status) {
  bool decrypt = (request->flags & OW_JOB_DECRYPT) != 0;
  unsigned reason =
      fits(request) ? reason_of(status, offload, request->opcode, decrypt) : OW_FALLBACK_LENGTH;
  leave(offload, forks, faultless(status, request->slot) ? OW_UNSUPPORTED : status);
  request->status = status;
  if (status != OW_OK) {
    ow_offload_count(offload, request->opcode, reason, request->length);
    return false;
  }
  count_job(offload, request->opcode, (uint64_t)request->length + request->aad_len,
            request->cycles);
  return true;
}

/* A handle from before the device was opened anew, or of no key. */
static bool is_stale(const struct ow_offload *offload, const struct ow_slot_key *slot) {
  return slot->opening != offload->opening || slot->generation == 0;
}

/* Whether the device is there, and the slot's key (NULL: there is none) of this opening. */
static ow_status is_there(struct ow_offload *offload, const struct ow_slot_key *slot) {
  if (atomic_load(&offload->state) != READY) {
    return OW_NO_DEVICE;
  }
  return slot != NULL && is_stale(offload, slot) ? OW_KEY_GONE : OW_OK;
}

/* Before it is given to the pool: OW_OK, or why not. */
static ow_status may_run(struct ow_offload *offload, const struct ow_request *request) {
  return fits(request) ? is_there(offload, request->slot) : OW_UNSUPPORTED;
}

static bool run(struct ow_offload *offload, struct ow_request *request, bool insist) {
  unsigned forks = enter(offload);
  ow_status status = may_run(offload, request);
  if (status == OW_OK) {
    status = ow_pool_run(offload->pool, request, &offload->settings, insist);
  }
  return conclude(offload, request, forks, status);
}

bool ow_offload_run(struct ow_offload *offload, struct ow_request *request) {
  return run(offload, request, false);
}

bool ow_offload_insist(struct ow_offload *offload, struct ow_request *request) {
  bool done = false, again = true;
  for (unsigned faults = 0; faults < INSIST_MAX && !done && again; faults++) {
    done = run(offload, request, true);
    again = is_fault(request->status) && !faultless(request->status, request->slot) &&
            request->status != OW_NO_DEVICE;
  }
  return done;
}

static void run_some(struct ow_offload *offload, struct ow_request requests[], bool done[],
                     size_t count) {
  struct ow_request *chosen[OW_REQUESTS_TOGETHER];
  ow_status statuses[OW_REQUESTS_TOGETHER], answers[OW_REQUESTS_TOGETHER];
  size_t chosen_len = 0;
  unsigned forks = 0;
  for (size_t i = 0; i < count; i++) {
    forks = enter(offload);
    statuses[i] = may_run(offload, &requests[i]);
    if (statuses[i] == OW_OK) {
      chosen[chosen_len++] = &requests[i];
    }
  }
  if (chosen_len != 0) {
    ow_pool_run_many(offload->pool, chosen, answers, chosen_len, &offload->settings);
  }
  for (size_t i = 0, next = 0; i < count; i++) {
    done[i] = conclude(offload, &requests[i], forks,
                       statuses[i] == OW_OK ? answers[next++] : statuses[i]);
  }
}

void ow_offload_run_many(struct ow_offload *offload, struct ow_request requests[], bool done[],
                         size_t count) {
  while (count != 0) {
    size_t now = count < OW_REQUESTS_TOGETHER ? count : OW_REQUESTS_TOGETHER;
    run_some(offload, requests, done, now);
    requests += now;
    done += now;
    count -= now;
  }
}

ow_status ow_offload_key_load(struct ow_offload *offload, struct ow_slot_key *slot,
                              const struct ow_key_material *material) {
  ow_status status = OW_NO_DEVICE;
  struct ow_key_handle handle = {0};
  if (!ow_offload_ready(offload)) {
    return status;
  }
  pthread_mutex_lock(&offload->mutex); /* nobody closes the device meanwhile */
  if (atomic_load(&offload->state) == READY) {
    ow_pool_hold(offload->pool);
    status = offload->link.key_load(&offload->link, &handle, material);
    ow_pool_release(offload->pool);
    *slot = (struct ow_slot_key){
        .slot = handle.slot, .generation = handle.generation, .opening = offload->opening};
  }
  pthread_mutex_unlock(&offload->mutex);
  return status;
}

ow_status ow_offload_key_zeroise(struct ow_offload *offload, const struct ow_slot_key *slot) {
  const struct ow_key_handle handle = {.slot = slot->slot, .generation = slot->generation};
  ow_status status = OW_KEY_GONE;
  pthread_mutex_lock(&offload->mutex);
  if (offload->pool != NULL && !is_stale(offload, slot)) {
    ow_pool_hold(offload->pool);
    status = offload->link.key_zeroise(&offload->link, &handle);
    ow_pool_release(offload->pool);
  }
  pthread_mutex_unlock(&offload->mutex);
  return status;
}

bool ow_offload_operate(struct ow_offload *offload, uint8_t opcode, uint32_t length,
                        ow_operate *operate, void *user, const struct ow_slot_key *slot,
                        ow_status *status) {
  uint64_t cycles = 0;
  unsigned forks = enter(offload);
  ow_status answer = is_there(offload, slot);
  if (answer == OW_OK) {
    answer = ow_pool_operate(offload->pool, operate, user, &offload->settings, &cycles);
  }
  unsigned reason = reason_of(answer, offload, opcode, false);
  leave(offload, forks, faultless(answer, slot) ? OW_UNSUPPORTED : answer);
  if (status != NULL) {
    *status = answer;
  }
  if (answer != OW_OK) {
    ow_offload_count(offload, opcode, reason, length);
    return false;
  }
  count_job(offload, opcode, length, cycles);
  return true;
}
