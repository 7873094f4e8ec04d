/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The core that all plug-ins share: runs a request on the device, or returns that the CPU has to
 * do it.
 *
 * The device works on copies. If it fails, the input is unchanged and the output untouched, and
 * the plug-in's software does the request. Calls may come from any thread. After a fork, parent
 * and child each use a device of their own.
 */
#ifndef OUTWORK_OFFLOAD_H
#define OUTWORK_OFFLOAD_H

#include "outwork/outwork.h"
#include "outwork/pka_schemes.h"

/* Most bytes of payload (four TLS records) and of AAD in one request. */
#define OW_REQUEST_BYTES     65536u
#define OW_REQUEST_AAD_BYTES 4096u

/* Reasons why the CPU did a request: those of enum ow_fallback, and two more. */
#define OW_CPU_FAULT                                                                               \
  ((unsigned)OW_FALLBACK_COUNT)        /* the device failed while it had the request               \
                                        */
#define OW_CPU_TAG (OW_CPU_FAULT + 1u) /* the device found a wrong tag, which the CPU confirms */
#define OW_CPU_REASONS (OW_CPU_TAG + 1u)

/* Settings of the user. Strings are copied; NULL selects the default, which is named first. */
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
  /* Called when the device cannot be opened, at most once in a process and its children; with a
   * static string. Not called in a sandbox, where a device is not expected. NULL: nobody is told.
   */
  void (*report)(const char *complaint);
};

struct ow_offload;

/* Opens the offload of this process for these settings, or returns the one that is open. The
 * first request opens the device. With invalid settings everything is left to the CPU, because a
 * wrong configuration must not stop the programs that read it (ow_offload_complaint()). NULL: no
 * memory. */
struct ow_offload *ow_offload_open(const struct ow_offload_settings *settings);
/* Returns what is wrong with the settings, or with the device when it was last opened. NULL:
 * nothing. The string is static. */
const char *ow_offload_complaint(const struct ow_offload *offload);
/* Returns the policy of the settings; may be NULL. */
const char *ow_offload_policy(const struct ow_offload *offload);
/* Ends one use of the offload; the last one closes the device. */
void ow_offload_close(struct ow_offload *offload);

/* Returns whether a message of this length goes to the device. If not, counts it. */
bool ow_offload_wants(struct ow_offload *offload, uint8_t opcode, uint8_t key_len, bool decrypt,
                      size_t length);
/* The same for one of `together` messages that will be submitted at once. */
bool ow_offload_wants_among(struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                            bool decrypt, size_t length, unsigned together);
/* Returns the least length that any rule sends to the device. Below it, calling ow_offload_wants()
 * is not necessary. */
size_t ow_offload_floor(const struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                        bool decrypt);
/* Counts a message that the CPU does, for a reason of the plug-in. */
void ow_offload_count(struct ow_offload *offload, uint8_t opcode, unsigned reason, size_t length);

/* Bytes of the state of a message between two requests. AES: state0 to state2 of struct ow_context.
 * Hash: what follows the key in struct ow_hash_context. */
#define OW_AES_STATE_BYTES  48u
#define OW_HASH_STATE_BYTES 224u
/* The same under a key in a slot: sealed, so that only the device can use it. */
#define OW_AES_SEALED_BYTES  80u
#define OW_HASH_SEALED_BYTES 256u

/* A key in a slot of the device, which cannot be read. The plug-in keeps no copy. */
struct ow_slot_key {
  uint8_t slot;
  uint16_t generation; /* of the key, never 0: the device refuses another key in the slot */
  unsigned opening;    /* of the device: opening the device again loses the key */
};
/* Loads a key into a free slot, for all queues of this process (`properties.queues` is ignored), as
 * ow_key_load_material(). Ignores the policy. OW_BUSY: no slot is free. OW_NO_DEVICE: no device, or
 * it is backing off after faults. */
ow_status ow_offload_key_load(struct ow_offload *offload, struct ow_slot_key *slot,
                              const struct ow_key_material *material);
/* Zeroises the key. OW_KEY_GONE: it was not there any more. */
ow_status ow_offload_key_zeroise(struct ow_offload *offload, const struct ow_slot_key *slot);

/* One request. Members are as in struct ow_job. */
struct ow_request {
  uint8_t opcode;
  uint8_t tag_len;
  uint8_t key_len;
  uint16_t flags;     /* OW_JOB_DECRYPT, OW_JOB_LOAD_STATE, OW_JOB_SAVE_STATE */
  const uint8_t *key; /* of the public-key and lattice engines: `aad`, which is then secret */
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

/* Runs a request on the device. True: done, and counted as a job. False: nothing was written, the
 * CPU has to do it, also if the device found a wrong tag; counted with the reason. */
bool ow_offload_run(struct ow_offload *offload, struct ow_request *request);

/* The same for a request under a key in a slot, which the CPU cannot do: waits for a lane, and
 * retries after a fault of the device. request->status OW_BUSY: all lanes are leased by paused work
 * that cannot continue before this call returns. */
bool ow_offload_run_retry(struct ow_offload *offload, struct ow_request *request);

/* Most requests of one call. */
#define OW_REQUESTS_TOGETHER 32u

/* Runs independent requests with one doorbell, so that the device works on all of them at once.
 * done[i] is the result of ow_offload_run() for requests[i]. */
void ow_offload_run_many(struct ow_offload *offload, struct ow_request requests[], bool done[],
                         size_t count);

/* Runs a public-key operation on the device: `operate` calls functions of pka.h and pka_schemes.h
 * and returns their status. Its result may be dropped; it must not change the caller's output
 * unless it returns OW_OK. length: bytes of the modulus or of a coordinate. slot: of the key, or
 * NULL. out: *status (may be NULL) the status of `operate`, or why it was not called (OW_BUSY,
 * OW_KEY_GONE and such). True: OW_OK, counted as a job. False: the CPU has to do it, also if a
 * signature is wrong; counted with the reason. */
typedef ow_status ow_operate(struct ow_pka *pka, void *user);
bool ow_offload_operate(struct ow_offload *offload, uint8_t opcode, uint32_t length,
                        ow_operate *operate, void *user, const struct ow_slot_key *slot,
                        ow_status *status);
/* Returns OW_REQUEST_BYTES of memory accessible to the device, in whole cache lines, for what a
 * public-key operation has besides `pka`. For `operate` only, which wipes what it has written. */
uint8_t *ow_operate_payload(struct ow_pka *pka);

/* Sums of this process over all opcodes. */
struct ow_offload_totals {
  uint64_t jobs, bytes; /* of the device */
  uint64_t cycles;      /* of the device for these, from each descriptor's fetch to its record */
  uint64_t cpu_requests[OW_CPU_REASONS], cpu_bytes;
};
void ow_offload_totals(struct ow_offload *offload, struct ow_offload_totals *totals);
/* Returns a few words for a reason. */
const char *ow_cpu_reason_text(unsigned reason);

#endif
