/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What every plug-in shares: one call that lends a request to the device, or says that the CPU
 * shall do it.
 *
 * The plug-in's host keeps the buffers: what the device works on is a copy, so whatever happens to
 * the device, the input is still there and the output untouched, and the plug-in's software does
 * the request. All calls may come from any thread; after a fork, parent and child each go on with a
 * device of their own.
 */
#ifndef OUTWORK_OFFLOAD_H
#define OUTWORK_OFFLOAD_H

#include "outwork/outwork.h"
#include "outwork/pk_schemes.h"

/* A request's payload, and its AAD, at most: two TLS records' and a page's worth. */
#define OW_REQUEST_BYTES     65536u
#define OW_REQUEST_AAD_BYTES 4096u

/* Why the CPU did it: enum ow_fallback, and: */
#define OW_CPU_FAULT                                                                               \
  ((unsigned)OW_FALLBACK_COUNT)        /* the device failed while it had the request               \
                                        */
#define OW_CPU_TAG (OW_CPU_FAULT + 1u) /* the device found a wrong tag, which the CPU confirms */
#define OW_CPU_REASONS (OW_CPU_TAG + 1u)

/* What a person chooses. Strings may be NULL, which is the first value named; they are copied. */
struct ow_offload_settings {
  const char *platform; /* `sim`: a board in this process; `shared`: another process's */
  const char
      *library; /* sim: the board's library; NULL: libow_board_128.so as the loader finds it */
  const char *socket;      /* shared: where its server listens */
  const char *policy;      /* `never`, `always`, or a file (docs/policy.md) */
  const char *counters;    /* folder where each process shows its counters; NULL: nowhere */
  const char *host;        /* the plug-in's name, for the counters */
  bool (*may_pause)(void); /* whether the caller's work can be paused; NULL: never */
  void (*pause)(void);     /* pauses it, until the host lets it go on */
};

struct ow_offload;

/* The offload of this process for these settings: opened once, shared by all that ask for the same.
 * The device itself is opened by the first request. Settings that make no sense leave everything to
 * the CPU: a wrong word in a configuration must not stop the programs that read it. NULL: no
 * memory.
 */
struct ow_offload *ow_offload_open(const struct ow_offload_settings *settings);
/* What is wrong with the settings or, when it was last opened, with the device; NULL: nothing. The
 * string stays. */
const char *ow_offload_complaint(const struct ow_offload *offload);
/* The policy as it was given; may be NULL. */
const char *ow_offload_policy(const struct ow_offload *offload);
/* Gives it back; the last one closes the device. */
void ow_offload_close(struct ow_offload *offload);

/* Whether a message of that length is the device's. If not, that is counted. */
bool ow_offload_wants(struct ow_offload *offload, uint8_t opcode, uint8_t key_len, bool decrypt,
                      size_t length);
/* The same of one of so many messages that will be submitted together. */
bool ow_offload_wants_among(struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                            bool decrypt, size_t length, unsigned together);
/* The least length that any rule gives to the device: below it there is no need to ask. */
size_t ow_offload_floor(const struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                        bool decrypt);
/* Counts a message that the CPU does for the plug-in's own reasons. */
void ow_offload_count(struct ow_offload *offload, uint8_t opcode, unsigned reason, size_t length);

/* Bytes of a message's state between two requests: of AES state0 to state2 of a struct ow_context,
 * of a hash what follows the key in a struct ow_hash_context. */
#define OW_AES_STATE_BYTES  48u
#define OW_HASH_STATE_BYTES 224u
/* The same under a key in a slot: sealed by the device, for which alone it means anything. */
#define OW_AES_SEALED_BYTES  80u
#define OW_HASH_SEALED_BYTES 256u

/* A key in a slot of the device, where nobody can read it, and of which nobody here has a copy. */
struct ow_slot_key {
  uint8_t slot;
  uint16_t generation; /* of the key in it, never 0: the device refuses any other key there */
  unsigned opening;    /* of the device: a device that was opened anew has lost it */
};
/* Loads a key, in any slot that is free, for all queues of this process (`properties.queues` is not
 * looked at), as ow_key_load_material. OW_BUSY: no slot is free. OW_NO_DEVICE: there is no device,
 * or it rests. The policy is not asked. */
ow_status ow_offload_key_load(struct ow_offload *offload, struct ow_slot_key *slot,
                              const struct ow_key_material *material);
/* No request may use it any more. OW_KEY_GONE: it was gone. */
ow_status ow_offload_key_zeroise(struct ow_offload *offload, const struct ow_slot_key *slot);

/* One request. Members mean what they mean in struct ow_job. */
struct ow_request {
  uint8_t opcode;
  uint8_t tag_len;
  uint8_t key_len;
  uint16_t flags; /* OW_JOB_DECRYPT, OW_JOB_LOAD_STATE, OW_JOB_SAVE_STATE */
  const uint8_t *key;
  const uint8_t *tweak_key;
  const struct ow_slot_key *slot; /* not NULL: the key is there (key_len 0), and the CPU has none */
  const uint8_t *iv;
  uint32_t iv_len; /* at most 64 */
  uint32_t aad_len;
  const void *aad;
  const uint8_t *head; /* bytes that come before the input */
  uint32_t head_len;
  const void *input;
  void *output;        /* may be the input; NULL where the opcode writes none, or into `tag` */
  uint32_t length;     /* head and input together */
  uint32_t output_len; /* of a SHAKE or KMAC; 0: as many bytes as come in */
  void *state;         /* in with LOAD_STATE, out with SAVE_STATE: OW_..._STATE_BYTES, or
                          OW_..._SEALED_BYTES with `slot` */
  uint8_t tag[64];     /* to be verified; or the tag or digest made, or the next IV */
  uint64_t cycles;     /* out: the device's */
  ow_status status;    /* what came of it; OW_KEY_GONE: the slot's key is */
};

/* True: done, and counted as the device's. False: nothing was written, the CPU shall do it (a tag
 * that does not match is for the CPU to refuse too); counted with its reason. */
bool ow_offload_run(struct ow_offload *offload, struct ow_request *request);

/* The same for a request under a key in a slot, which nobody else can do: waits for a lane, and
 * does not give up at the device's first fault. OW_BUSY: all lanes are held by paused work, and the
 * caller, which cannot be paused, keeps that from going on. */
bool ow_offload_insist(struct ow_offload *offload, struct ow_request *request);

/* So many requests at once, at most. */
#define OW_REQUESTS_TOGETHER 32u

/* Requests of which none needs what another gives: submitted with one doorbell, so that the device
 * works on all of them. done[i] is what ow_offload_run answers to requests[i]. */
void ow_offload_run_many(struct ow_offload *offload, struct ow_request requests[], bool done[],
                         size_t count);

/* A public-key operation: `operate` calls what it needs of pk.h and pk_schemes.h and answers their
 * status. It may be called in vain, and must not touch the caller's output unless it answers OW_OK.
 * `length`: bytes of the modulus or of a coordinate. `slot`: of a key that it uses, or NULL.
 * *status (may be NULL) is its answer, or OW_BUSY and such where it was not called; OW_KEY_GONE:
 * the slot's key is gone. True: OW_OK, and counted as the device's. False: the CPU shall do it,
 * which is also who refuses a wrong signature; counted with its reason. */
typedef ow_status ow_operate(struct ow_pk *pk, void *user);
bool ow_offload_operate(struct ow_offload *offload, uint8_t opcode, uint32_t length,
                        ow_operate *operate, void *user, const struct ow_slot_key *slot,
                        ow_status *status);

/* What has been counted in this process, over all opcodes. */
struct ow_offload_totals {
  uint64_t jobs, bytes; /* of the device */
  uint64_t cycles;      /* of the device for these, from each descriptor's fetch to its record */
  uint64_t cpu_requests[OW_CPU_REASONS], cpu_bytes;
};
void ow_offload_totals(struct ow_offload *offload, struct ow_offload_totals *totals);
/* A word for a reason. */
const char *ow_cpu_reason_text(unsigned reason);

#endif
