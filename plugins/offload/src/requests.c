/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Requests to an offload: decisions of the policy, requests, public-key operations, keys in
 * slots. Counts them, and starts a back-off after too many faults.
 */
#include "state.h"

/* Faults in a row that start a back-off. */
#define FAULTS_MAX 8u
/* Attempts of one request that the CPU cannot do. */
#define RETRIES_MAX 3u

void ow_offload_count(struct ow_offload *offload, uint8_t opcode, unsigned reason, size_t length) {
  struct ow_statistics_row *row = ow_statistics_row(ow_offload_statistics(offload), opcode);
  ow_statistics_add(&row->cpu_requests[reason], 1);
  ow_statistics_add(&row->cpu_bytes, length);
}

void ow_offload_totals(struct ow_offload *offload, struct ow_offload_totals *totals) {
  ow_statistics_totals(ow_offload_statistics(offload), totals);
}

size_t ow_offload_floor(const struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                        bool decrypt) {
  return ow_decision_floor(&offload->decision, opcode, key_len, decrypt);
}

bool ow_offload_wants_among(struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                            bool decrypt, size_t length, unsigned together) {
  unsigned reason = OW_FALLBACK_POLICY;
  uint32_t depth = atomic_load_explicit(&offload->in_flight, memory_order_relaxed) + together;
  if (ow_decision_device(&offload->decision, opcode, key_len, decrypt, length, depth)) {
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

/* Returns whether a status is a failure of the device, not a full ring, a wrong tag or an invalid
 * request. */
static bool is_fault(ow_status status) {
  return status != OW_OK && status != OW_BUSY && status != OW_UNSUPPORTED &&
         status != OW_AUTH_FAILED && status != OW_BAD_ARGUMENT;
}

/* Starts a request or an operation: keeps the device open until leave(). */
static unsigned enter(struct ow_offload *offload) {
  atomic_fetch_add(&offload->in_flight, 1);
  return atomic_load(&ow_forks);
}

static void leave(struct ow_offload *offload, unsigned forks, ow_status status) {
  if (forks != atomic_load(&ow_forks)) {
    return; /* the request was on the parent's device; the parent counts it */
  }
  if (is_fault(status) && atomic_load(&offload->state) == READY &&
      (atomic_fetch_add(&offload->faults, 1) + 1 >= FAULTS_MAX || ow_pool_dead(offload->pool))) {
    ow_offload_back_off(offload);
  }
  atomic_fetch_sub(&offload->in_flight, 1);
  if (status == OW_OK) {
    atomic_store_explicit(&offload->faults, 0, memory_order_relaxed);
    atomic_store_explicit(&offload->back_off_ms, 0, memory_order_relaxed);
  }
}

static void count_job(struct ow_offload *offload, uint8_t opcode, uint64_t bytes, uint64_t cycles) {
  struct ow_statistics_row *row = ow_statistics_row(ow_offload_statistics(offload), opcode);
  ow_statistics_add(&row->jobs, 1);
  ow_statistics_add(&row->bytes, bytes);
  ow_statistics_add(&row->cycles, cycles);
}

static bool fits(const struct ow_request *request) {
  return request->length <= OW_REQUEST_BYTES && request->output_len <= OW_REQUEST_BYTES &&
         request->aad_len <= OW_REQUEST_AAD_BYTES && request->iv_len <= 64;
}

/* Returns whether a status is a matter of the slot's key and not a fault of the device. */
static bool is_key_fault(ow_status status, const struct ow_slot_key *slot) {
  return slot != NULL && (status == OW_BAD_KEY || status == OW_KEY_DENIED ||
                          status == OW_KEY_GONE || status == OW_BAD_STATE);
}

/* Ends a request that was entered and counts it. True: the device has done it. */
static bool finish_request(struct ow_offload *offload, struct ow_request *request, unsigned forks,
                           ow_status status) {
  bool decrypt = (request->flags & OW_JOB_DECRYPT) != 0;
  unsigned reason =
      fits(request) ? reason_of(status, offload, request->opcode, decrypt) : OW_FALLBACK_LENGTH;
  leave(offload, forks, is_key_fault(status, request->slot) ? OW_UNSUPPORTED : status);
  request->status = status;
  if (status != OW_OK) {
    ow_offload_count(offload, request->opcode, reason, request->length);
    return false;
  }
  count_job(offload, request->opcode, (uint64_t)request->length + request->aad_len,
            request->cycles);
  return true;
}

/* Returns whether a handle is of no key, or older than this opening of the device. */
static bool is_stale(const struct ow_offload *offload, const struct ow_slot_key *slot) {
  return slot->opening != offload->opening || slot->generation == 0;
}

/* Checks that the device is ready, and that the key (NULL: none) is of this opening. */
static ow_status check_device(struct ow_offload *offload, const struct ow_slot_key *slot) {
  if (atomic_load(&offload->state) != READY) {
    return OW_NO_DEVICE;
  }
  return slot != NULL && is_stale(offload, slot) ? OW_KEY_GONE : OW_OK;
}

/* Checks a request before it goes to the pool. */
static ow_status check_request(struct ow_offload *offload, const struct ow_request *request) {
  return fits(request) ? check_device(offload, request->slot) : OW_UNSUPPORTED;
}

static bool run(struct ow_offload *offload, struct ow_request *request, bool wait) {
  unsigned forks = enter(offload);
  ow_status status = check_request(offload, request);
  if (status == OW_OK) {
    status = ow_pool_run(offload->pool, request, &offload->settings, wait);
  }
  return finish_request(offload, request, forks, status);
}

bool ow_offload_run(struct ow_offload *offload, struct ow_request *request) {
  return run(offload, request, false);
}

bool ow_offload_run_retry(struct ow_offload *offload, struct ow_request *request) {
  bool done = false, again = true;
  for (unsigned faults = 0; faults < RETRIES_MAX && !done && again; faults++) {
    done = run(offload, request, true);
    again = is_fault(request->status) && !is_key_fault(request->status, request->slot) &&
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
    statuses[i] = check_request(offload, &requests[i]);
    if (statuses[i] == OW_OK) {
      chosen[chosen_len++] = &requests[i];
    }
  }
  if (chosen_len != 0) {
    ow_pool_run_many(offload->pool, chosen, answers, chosen_len, &offload->settings);
  }
  for (size_t i = 0, next = 0; i < count; i++) {
    done[i] = finish_request(offload, &requests[i], forks,
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
  pthread_mutex_lock(&offload->mutex); /* keeps the device open */
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
  ow_status answer = check_device(offload, slot);
  if (answer == OW_OK) {
    answer = ow_pool_operate(offload->pool, operate, user, &offload->settings, &cycles);
  }
  unsigned reason = reason_of(answer, offload, opcode, false);
  leave(offload, forks, is_key_fault(answer, slot) ? OW_UNSUPPORTED : answer);
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
