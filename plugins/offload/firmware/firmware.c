/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Requests on a queue of the program: decisions of the policy, the job of a request, faults,
 * counters.
 */
#include "offload_firmware.h"

#include <string.h>

/* Faults in a row after which the device is left alone for a while; attempts of a request that
 * software cannot do. */
#define FAULTS_MAX  8u
#define BACK_OFF_US 1000000u
#define RETRIES_MAX 3u
/* Polls before a wait. */
#define POLLS_MAX 1024u

struct ow_offload {
  struct ow_offload_firmware with; /* queue NULL: no device */
  unsigned opening;
  const char *policy_text, *complaint;
  bool always;
  struct ow_policy policy;
  struct ow_policy_rule rules[OW_FIRMWARE_RULES];
  unsigned faults;
  uint64_t retry_at_us;
  struct ow_offload_totals totals;
  struct ow_job job;
};
OW_STATIC_ASSERT(sizeof(struct ow_hash_context) <= OW_FIRMWARE_MEMORY_BYTES &&
                     sizeof(struct ow_context) <= OW_FIRMWARE_MEMORY_BYTES,
                 "the state of a message");

static struct ow_offload all;

static void lock(void) {
  if (all.with.lock != NULL) {
    all.with.lock(all.with.context);
  }
}

static void unlock(void) {
  if (all.with.unlock != NULL) {
    all.with.unlock(all.with.context);
  }
}

static uint64_t now_us(void) {
  const struct ow_platform *platform = all.with.queue->platform;
  return platform->microseconds(platform->context);
}

static void wipe(void *memory, size_t length) {
  memset(memory, 0, length);
  __asm__ volatile("" ::"r"(memory) : "memory"); /* the compiler must not leave it out */
}

void ow_offload_attach(const struct ow_offload_firmware *firmware) {
  all.with = firmware != NULL ? *firmware : (struct ow_offload_firmware){.queue = NULL};
  all.opening++;
  all.faults = 0;
  all.totals = (struct ow_offload_totals){.jobs = 0};
}

struct ow_offload *ow_offload_open(const struct ow_offload_settings *settings) {
  const char *text = settings->policy != NULL ? settings->policy : "never";
  all.policy_text = text;
  all.complaint = NULL;
  all.always = strcmp(text, "always") == 0;
  all.policy = (struct ow_policy){.rules_len = 0};
  if (!all.always && strcmp(text, "never") != 0 &&
      ow_policy_read(&all.policy, all.rules, OW_FIRMWARE_RULES, text, strlen(text), NULL) !=
          OW_OK) {
    all.complaint = "the policy is none of this version, or has too many rules";
  }
  return &all;
}

void ow_offload_close(struct ow_offload *offload) {
  (void)offload;
}

const char *ow_offload_complaint(const struct ow_offload *offload) {
  return offload->complaint != NULL      ? offload->complaint
         : offload->with.queue == NULL   ? "no device: call ow_offload_attach()"
         : offload->faults >= FAULTS_MAX ? "the device has failed too often"
                                         : NULL;
}

const char *ow_offload_policy(const struct ow_offload *offload) {
  return offload->policy_text;
}

void ow_offload_count(struct ow_offload *offload, uint8_t opcode, unsigned reason, size_t length) {
  (void)opcode;
  offload->totals.cpu_requests[reason]++;
  offload->totals.cpu_bytes += length;
}

void ow_offload_totals(struct ow_offload *offload, struct ow_offload_totals *totals) {
  *totals = offload->totals;
}

size_t ow_offload_floor(const struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                        bool decrypt) {
  uint32_t floor = offload->always ? 0 : UINT32_MAX;
  for (size_t i = 0; i < offload->policy.rules_len; i++) {
    const struct ow_policy_rule *rule = &offload->rules[i];
    bool meant = rule->opcode == opcode && rule->decrypt == decrypt && rule->first <= rule->last &&
                 (rule->key_len == 0 || key_len == 0 || rule->key_len == key_len);
    floor = meant && rule->first < floor ? rule->first : floor;
  }
  return floor;
}

/* Returns whether there is a device that has not failed too often; after a while it is tried again.
 */
static bool is_ready(struct ow_offload *offload) {
  if (offload->with.queue == NULL) {
    return false;
  }
  if (offload->faults >= FAULTS_MAX && now_us() >= offload->retry_at_us) {
    offload->faults = FAULTS_MAX - 1u; /* one attempt */
  }
  return offload->faults < FAULTS_MAX;
}

bool ow_offload_wants_among(struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                            bool decrypt, size_t length, unsigned together) {
  const uint32_t rounded = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
  unsigned reason = OW_FALLBACK_POLICY;
  if (offload->always ||
      ow_policy_wants(&offload->policy, opcode, key_len, decrypt, rounded, together)) {
    reason = OW_FALLBACK_DEVICE;
    if (is_ready(offload)) {
      return true;
    }
  }
  lock();
  ow_offload_count(offload, opcode, reason, length);
  unlock();
  return false;
}

bool ow_offload_wants(struct ow_offload *offload, uint8_t opcode, uint8_t key_len, bool decrypt,
                      size_t length) {
  return ow_offload_wants_among(offload, opcode, key_len, decrypt, length, 1);
}

static unsigned reason_of(ow_status status, uint8_t opcode, bool decrypt) {
  switch (status) {
  case OW_BUSY:
    return OW_FALLBACK_RING;
  case OW_HALTED:
  case OW_NO_DEVICE:
    return OW_FALLBACK_DEVICE;
  case OW_UNSUPPORTED:
    return ow_device_supports(all.with.queue->device, opcode, decrypt) ? OW_FALLBACK_MEMORY
                                                                       : OW_FALLBACK_OPCODE;
  case OW_BAD_ARGUMENT:
    return OW_FALLBACK_OPCODE;
  case OW_AUTH_FAILED:
    return OW_CPU_TAG;
  default:
    return OW_CPU_FAULT;
  }
}

/* Returns whether a status is a failure of the device, not of the request or of a slot's key. */
static bool is_fault(ow_status status, const struct ow_slot_key *slot) {
  bool of_key = slot != NULL && (status == OW_BAD_KEY || status == OW_KEY_DENIED ||
                                 status == OW_KEY_GONE || status == OW_BAD_STATE);
  return status != OW_OK && status != OW_BUSY && status != OW_UNSUPPORTED &&
         status != OW_AUTH_FAILED && status != OW_BAD_ARGUMENT && status != OW_NO_DEVICE && !of_key;
}

/* Returns whether a handle (NULL: none) is of no key, or older than this device. */
static bool is_stale(const struct ow_slot_key *slot) {
  return slot != NULL && (slot->opening != all.opening || slot->generation == 0);
}

/* Counts what has ended. True: the device has done it. */
static bool finish(uint8_t opcode, bool decrypt, uint64_t bytes, uint64_t cycles, unsigned reason,
                   ow_status status, const struct ow_slot_key *slot) {
  if (status == OW_OK) {
    all.faults = 0;
    all.totals.jobs++;
    all.totals.bytes += bytes;
    all.totals.cycles += cycles;
    return true;
  }
  if (is_fault(status, slot) && ++all.faults >= FAULTS_MAX) {
    all.retry_at_us = now_us() + BACK_OFF_US;
  }
  ow_offload_count(&all, opcode, reason != 0 ? reason : reason_of(status, opcode, decrypt),
                   (size_t)bytes);
  return false;
}

/* Where input and output of a request have memory in common. */
struct overlap {
  uint8_t *begin; /* in the output */
  size_t at;      /* in the input */
  size_t length;  /* 0: nothing */
};

static struct overlap overlap_of(const struct ow_request *request, uint32_t written) {
  const uintptr_t in = (uintptr_t)request->input, out = (uintptr_t)request->output;
  const uintptr_t in_end = in + (request->length - request->head_len), out_end = out + written;
  const uintptr_t begin = in > out ? in : out, end = in_end < out_end ? in_end : out_end;
  if (request->output == NULL || begin >= end) {
    return (struct overlap){.length = 0};
  }
  return (struct overlap){(uint8_t *)request->output + (begin - out), begin - in, end - begin};
}

/* Returns where the context has the state: after the key; if sealed, in place of the key. */
static uint8_t *state_of(size_t *length, const struct ow_request *request) {
  const size_t seal = request->slot != NULL ? OW_AES_SEALED_BYTES - OW_AES_STATE_BYTES : 0;
  const bool hash = ow_hash_block_len(request->opcode) != 0;
  *length = (hash ? OW_HASH_STATE_BYTES : OW_AES_STATE_BYTES) + seal;
  return (uint8_t *)all.with.memory +
         (hash ? offsetof(struct ow_hash_context, bytes) : offsetof(struct ow_context, state0)) -
         seal;
}

static void fill_job(const struct ow_request *request, const void *input,
                     const struct ow_piece pieces[2]) {
  const bool state = (request->flags & (OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE)) != 0;
  struct ow_job *job = &all.job;
  *job = (struct ow_job){.opcode = request->opcode,
                         .tag_len = request->tag_len,
                         .flags = request->flags,
                         .key.bytes = request->key,
                         .key.tweak_bytes = request->tweak_key,
                         .key.key_len = request->key_len,
                         .context = state ? all.with.memory : NULL,
                         .length = request->length,
                         .aad_len = request->aad_len,
                         .destination_len = request->output_len,
                         .source = input,
                         .destination = request->output,
                         .iv_len = request->iv_len,
                         .iv = request->iv,
                         .aad = request->aad};
  if (request->slot != NULL) {
    job->key.slot = request->slot->slot;
    job->key.generation = request->slot->generation;
  }
  if (request->head_len != 0) {
    job->source = NULL;
    job->source_pieces = pieces;
    job->source_pieces_len = 2;
  }
  memcpy(job->tag, request->tag, sizeof(job->tag));
}

/* Runs the job to its end, as ow_queue_run() does. A queue that polls is looked at often at first,
 * without asking for the time: most jobs have ended by then. */
static ow_status run_to_end(struct ow_queue *queue, struct ow_job *job) {
  ow_status status = ow_queue_submit(queue, NULL, &job, 1);
  if (status != OW_OK) {
    return status;
  }
  for (unsigned i = 0; i < POLLS_MAX && !queue->interrupts && job->status == OW_PENDING; i++) {
    if (ow_queue_poll(queue, NULL) != OW_OK) {
      break;
    }
  }
  status = job->status == OW_PENDING ? ow_queue_wait(queue, job) : OW_OK;
  if (status != OW_OK) {
    (void)ow_queue_reset(queue); /* releases the job and its memory */
    return status;
  }
  return job->status;
}

static ow_status run_job(struct ow_request *request, const void *input) {
  const struct ow_piece pieces[2] = {
      {(void *)(uintptr_t)request->head, request->head_len},
      {(void *)(uintptr_t)input, request->length - request->head_len}};
  size_t state_len = 0;
  fill_job(request, input, pieces);
  if ((request->flags & OW_JOB_LOAD_STATE) != 0) {
    uint8_t *state = state_of(&state_len, request);
    memcpy(state, request->state, state_len);
  }
  ow_status status = run_to_end(all.with.queue, &all.job);
  request->cycles = all.job.cycles;
  if (status == OW_OK) {
    memcpy(request->tag, all.job.tag, sizeof(request->tag));
    if ((request->flags & OW_JOB_SAVE_STATE) != 0) {
      const uint8_t *state = state_of(&state_len, request);
      memcpy(request->state, state, state_len);
    }
  }
  if (all.job.context != NULL) {
    wipe(all.with.memory, OW_FIRMWARE_MEMORY_BYTES);
  }
  return status;
}

static ow_status run(struct ow_request *request) {
  const uint32_t written = request->output_len != 0 ? request->output_len : request->length;
  const struct overlap overlap = overlap_of(request, written);
  const size_t input_len = request->length - request->head_len;
  const void *input = request->input;
  uint8_t *const copy = (uint8_t *)all.with.memory + OW_FIRMWARE_MEMORY_BYTES;
  if (is_stale(request->slot)) {
    return OW_KEY_GONE;
  }
  if (overlap.length != 0) {
    if (input_len > all.with.memory_bytes - OW_FIRMWARE_MEMORY_BYTES) {
      return OW_UNSUPPORTED;
    }
    memcpy(copy, input, input_len);
    input = copy;
  }
  const ow_status status = run_job(request, input);
  if (status != OW_OK && request->output != NULL) {
    wipe(request->output, written);
  }
  if (overlap.length != 0) {
    if (status != OW_OK) {
      memcpy(overlap.begin, copy + overlap.at, overlap.length);
    }
    wipe(copy, input_len);
  }
  return status;
}

static bool fits(const struct ow_request *request) {
  return request->length <= OW_REQUEST_BYTES && request->output_len <= OW_REQUEST_BYTES &&
         request->aad_len <= OW_REQUEST_AAD_BYTES && request->iv_len <= 64;
}

bool ow_offload_run(struct ow_offload *offload, struct ow_request *request) {
  const bool fitting = fits(request);
  lock();
  request->status = !fitting ? OW_UNSUPPORTED : !is_ready(offload) ? OW_NO_DEVICE : run(request);
  const bool done = finish(request->opcode, (request->flags & OW_JOB_DECRYPT) != 0,
                           (uint64_t)request->length + request->aad_len, request->cycles,
                           fitting ? 0 : OW_FALLBACK_LENGTH, request->status, request->slot);
  unlock();
  return done;
}

bool ow_offload_run_retry(struct ow_offload *offload, struct ow_request *request) {
  bool done = false, again = true;
  for (unsigned i = 0; i < RETRIES_MAX && !done && again; i++) {
    done = ow_offload_run(offload, request);
    again = is_fault(request->status, request->slot);
  }
  return done;
}

bool ow_offload_operate(struct ow_offload *offload, uint8_t opcode, uint32_t length,
                        ow_operate *operate, void *user, const struct ow_slot_key *slot,
                        ow_status *status) {
  struct ow_pka *pka = offload->with.pka;
  lock();
  const ow_status answer = !is_ready(offload) ? OW_NO_DEVICE
                           : pka == NULL      ? OW_UNSUPPORTED
                           : is_stale(slot)   ? OW_KEY_GONE
                                              : operate(pka, user);
  const bool done = finish(opcode, false, length, pka != NULL ? pka->cycles : 0, 0, answer, slot);
  unlock();
  if (status != NULL) {
    *status = answer;
  }
  return done;
}

ow_status ow_offload_key_load(struct ow_offload *offload, struct ow_slot_key *slot,
                              const struct ow_key_material *material) {
  struct ow_key_material ours = *material;
  struct ow_key_handle handle = {0};
  ow_status status = OW_NO_DEVICE;
  lock();
  if (is_ready(offload)) {
    struct ow_queue *queue = offload->with.queue;
    ours.properties.queues = (uint8_t)(1u << queue->index);
    status = ow_key_load_anywhere(queue->device, &handle, &ours);
  }
  *slot = (struct ow_slot_key){
      .slot = handle.slot, .generation = handle.generation, .opening = offload->opening};
  unlock();
  return status;
}

ow_status ow_offload_key_zeroise(struct ow_offload *offload, const struct ow_slot_key *slot) {
  const struct ow_key_handle handle = {.slot = slot->slot, .generation = slot->generation};
  ow_status status = OW_KEY_GONE;
  lock();
  if (offload->with.queue != NULL && !is_stale(slot)) {
    status = ow_key_zeroise_handle(offload->with.queue->device, &handle);
  }
  unlock();
  return status;
}
