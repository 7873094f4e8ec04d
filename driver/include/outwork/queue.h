/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Jobs, and the queues that carry them to the device and back.
 *
 * A queue belongs to one thread at a time; queues share nothing, so each thread that has its own
 * needs no lock. The caller owns all memory: the queue, its rings, the jobs and their buffers.
 */
#ifndef OUTWORK_QUEUE_H
#define OUTWORK_QUEUE_H

#include "outwork/device.h"
#include "outwork/policy.h"
#include "outwork/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
#define OW_ALIGNED(bytes) alignas(bytes)
#else
#define OW_ALIGNED(bytes) _Alignas(bytes)
#endif

/* A key: in a slot, or bytes that travel with the job. */
struct ow_key {
  const uint8_t
      *bytes; /* NULL: the key in `slot` (key_len 0) or in the job's context (key_len not 0) */
  const uint8_t
      *tweak_bytes; /* XTS, a radio cipher with a MAC: the second key, key_len bytes too */
  uint16_t key_len; /* bytes of one key: 16, 24 (not for XTS) or 32; HMAC, KMAC up to 64 in a job;
 DES 8; TDES 16, 24 */
  uint8_t slot;
  uint16_t generation; /* of the key in the slot (struct ow_key_handle): with any other key there
                          the job ends OW_KEY_GONE. 0: whichever key is there */
};

/* One piece of a scattered buffer. */
struct ow_piece {
  void *memory;
  uint32_t length; /* bytes; may be 0 */
};

/* Pieces that a job may have on each side without `list_memory`. */
#define OW_JOB_PIECES 4u
/* Bytes of list_memory for a job of so many source and destination pieces together. */
#define OW_JOB_LIST_BYTES(pieces) (OW_SEGMENT_SIZE * ((uint32_t)(pieces) + 3u))

/* Flags of a job. */
#define OW_JOB_DECRYPT 0x01u /* decrypt or verify */
#define OW_JOB_TAG_IN_SOURCE                                                                       \
  0x02u /* the expected tag follows the payload in the source; else it is in `tag` */
#define OW_JOB_APPEND_TAG 0x04u /* the tag also goes to the destination, behind any payload */
#define OW_JOB_LOAD_STATE                                                                          \
  0x08u /* go on with the message in `context`: XTS, GCM, GMAC, CMAC; no AAD */
#define OW_JOB_SAVE_STATE                                                                          \
  0x10u /* the message goes on: keep its state in `context`; length a multiple of 16, no tag */
#define OW_JOB_FENCE 0x20u /* start only when every earlier job of this queue is over */
#define OW_JOB_INTERRUPT                                                                           \
  0x40u /* raise the interrupt when this job is over, whatever the coalescing says */

/* A request. Zero it, fill it, submit it; leave it, its buffers and its piece arrays alone until
 * `status` is no longer OW_PENDING. key.bytes, iv and tag, and AAD of up to 64 bytes, are copied
 * when the job is submitted. */
struct ow_job {
  uint8_t opcode;  /* enum ow_opcode */
  uint8_t tag_len; /* bytes of the tag or MAC, where the opcode has one */
  uint16_t flags;  /* OW_JOB_... */
  struct ow_key key;
  void *context; /* a struct ow_context or ow_hash_context: with LOAD_STATE or SAVE_STATE; 16-byte
                    aligned memory that the device reaches */

  uint32_t length;    /* payload bytes, without tag */
  uint32_t aad_len;   /* bytes of AAD */
  const void *source; /* payload; or NULL and: */
  const struct ow_piece *source_pieces;
  void *destination; /* result, may be the source; or NULL and: */
  const struct ow_piece *destination_pieces;
  uint32_t source_pieces_len;
  uint32_t destination_pieces_len;
  uint32_t destination_len; /* bytes to write, where the opcode leaves it open: SHAKE, HMAC, KMAC;
                               public key */
  void *list_memory; /* for more than OW_JOB_PIECES pieces: device-reachable, 16-byte aligned, else
                        NULL */
  uint32_t list_memory_len;

  uint32_t iv_len; /* bytes: CBC, CTR, XTS 16; CCM 7 to 13 (the nonce); GCM, GMAC any; ECB, CMAC 0;
                      DES 8; radio 16, a struct ow_radio_iv; ZUC-256 27: the IV, then such a
                      struct's control */
  const uint8_t
      *iv; /* more than 64 bytes: must be memory the device reaches, until the job is over */
  const void *aad;

  void (*done)(struct ow_job *job,
               void *user); /* called by ow_queue_poll; may submit, must not poll. May be NULL */
  void *user;

  /* Results. */
  ow_status status;
  uint8_t device_status; /* the device's own word (enum ow_device_status) */
  uint8_t tag[64];       /* in: tag to verify. out: tag, MAC or digest; or next IV (CBC, CTR) */
  uint32_t bytes;        /* written to the destination */
  uint32_t cycles;       /* device cycles from descriptor fetch to completion record */
};

/* The driver's notes on a job in flight. Private. */
struct ow_queue_slot {
  struct ow_job *job;
  uint64_t aad, context, iv, list; /* device addresses to unmap */
  uint32_t mapped;                 /* which of them are, and what else to take back */
  uint32_t cookie;
  uint32_t source_bytes, destination_bytes; /* that the device moves, a tag in a buffer included */
  uint32_t result_bytes;                    /* of a tag that comes to the scratch */
  uint16_t next;                            /* free list */
};

/* Scratch that each ring entry has in the queue's memory: inline key, long IV, expected tag, short
 * AAD, segment lists. */
#define OW_QUEUE_SCRATCH_BYTES 448u
/* Bytes of memory for a queue of 1 << log2 entries. */
#define OW_QUEUE_MEMORY_BYTES(log2)                                                                \
  ((size_t)(OW_DESCRIPTOR_SIZE + OW_COMPLETION_SIZE + OW_QUEUE_SCRATCH_BYTES) << (log2))
#define OW_QUEUE_LOG2_MAX 15u

/* Caller-owned; all members are private unless said otherwise. */
struct ow_queue {
  struct ow_device *device;
  const struct ow_platform *platform;
  uint8_t *memory;
  uint64_t address; /* of memory, as the device says */
  struct ow_queue_slot *slots;
  uint32_t page; /* offset of the queue's registers */
  uint32_t entries;
  uint32_t written;   /* descriptors, since reset; the doorbell has the low 16 bits */
  uint32_t announced; /* of them, at the doorbell */
  uint32_t completed; /* records consumed */
  uint16_t free_slot; /* head of the free list */
  uint8_t index;
  uint8_t log2;
  bool polling;
  bool interrupts; /* wait for interrupts */
  bool halted;     /* must be reset, or did not obey a reset */
  uint64_t bytes_outstanding;

  uint32_t timeout_us; /* public, may be changed: time without progress after which a wait gives up;
                          each 4 bytes in flight add a microsecond */
  const struct ow_policy *policy; /* public, may be changed; NULL: every job goes to the device.
                                     Jobs that it keeps back are answered OW_UNSUPPORTED; the later
                                     parts of a message (OW_JOB_LOAD_STATE) follow the first */
  /* Public, read only: what happened on this queue since ow_queue_open. */
  uint64_t submitted;
  uint64_t finished;
  uint64_t timeouts;
  uint64_t missed_interrupts; /* completions found after an interrupt did not come */
  uint64_t fallbacks[OW_FALLBACK_COUNT];
};

/* Starts queue `index` with 1 << log2 entries in each ring. `memory`: OW_QUEUE_MEMORY_BYTES(log2)
 * bytes, 64-byte aligned, that the device reaches; `slots`: 1 << log2 of them, in any memory. Both
 * belong to the queue until it is closed. The queue must have been granted. */
ow_status ow_queue_open(struct ow_queue *queue, struct ow_device *device, unsigned index,
                        void *memory, struct ow_queue_slot *slots, unsigned log2);
/* Stops the queue and wipes its memory. Jobs in flight end as OW_ABORTED. */
ow_status ow_queue_close(struct ow_queue *queue);
/* Stops every job (they end as OW_ABORTED, `done` is called) and starts afresh. OW_TIMEOUT: the
 * device does not obey; OW_NO_DEVICE: it does not keep what is written. The queue then answers
 * OW_HALTED to everything, and the memory of its jobs must not be used again before a device reset.
 */
ow_status ow_queue_reset(struct ow_queue *queue);
/* OW_HALTED if the queue has halted, and why (enum ow_halt); else OW_OK. Reads a register. */
ow_status ow_queue_halt_reason(struct ow_queue *queue, uint8_t *halt);
/* Interrupts for ow_queue_wait: after so many completions, or so many cycles after one. Off after
 * ow_queue_open. */
ow_status ow_queue_set_interrupts(struct ow_queue *queue, bool enable, uint16_t completions,
                                  uint32_t cycles);

/* Hands over jobs in order, with one doorbell. *accepted (may be NULL) says how many; OW_OK: all.
 * OW_BUSY: the ring is full, submit the rest later. Any other status: that of jobs[*accepted],
 * which was not taken; OW_UNSUPPORTED may be the policy's answer (fallbacks). */
ow_status ow_queue_submit(struct ow_queue *queue, size_t *accepted, struct ow_job *const jobs[],
                          size_t jobs_len);
/* The two halves of ow_queue_submit: write descriptors; ring the doorbell for all that were
 * written. */
ow_status ow_queue_prepare(struct ow_queue *queue, size_t *accepted, struct ow_job *const jobs[],
                           size_t jobs_len);
void ow_queue_announce(struct ow_queue *queue);
/* Jobs that are in flight, and how many more fit. */
uint32_t ow_queue_outstanding(const struct ow_queue *queue);
uint32_t ow_queue_space(const struct ow_queue *queue);

/* Finishes every job whose completion has arrived; *finished (may be NULL) says how many. Looks at
 * memory only; when it finds nothing it calls the platform's `relax` once. OW_DEVICE_ERROR if the
 * ring makes no sense. */
ow_status ow_queue_poll(struct ow_queue *queue, size_t *finished);
/* Polls or sleeps until `job` is over (NULL: until nothing is in flight). The answer is about
 * waiting, not about the job: OW_OK, OW_TIMEOUT (the job is still with the device: wait again, or
 * reset the queue), OW_HALTED. */
ow_status ow_queue_wait(struct ow_queue *queue, const struct ow_job *job);
/* Submits one job, waits, and returns its status. When the device does not answer, the queue is
 * reset, so that the job and its memory are the caller's again in every case. */
ow_status ow_queue_run(struct ow_queue *queue, struct ow_job *job);
/* Counts a request that the caller kept in software. */
void ow_queue_fallback_add(struct ow_queue *queue, ow_fallback reason);

/* Cycle of the doorbell that ended the last idle time, and cycle at which memory acknowledged the
 * last completion. */
void ow_queue_times(struct ow_queue *queue, uint64_t *start, uint64_t *finish);

/* The device's counters of a queue, extended to 64 bits. Meanings: outwork.rdl, regfile queue_r. */
struct ow_counters {
  uint64_t jobs, bytes;
  uint64_t busy_cycles, fetch_cycles, wait_cycles, prepare_cycles, data_cycles, tag_cycles,
      write_cycles, complete_cycles;
  uint64_t stall_read, stall_write, stall_stream;
  uint64_t error_auth, error_request, error_key, error_window, error_bus, error_timeout;
};
/* Brings `counters` up to date. The first time it must be all zero; then call it at least every
 * 2^32 device cycles. Each reader has its own. */
void ow_queue_counters(struct ow_queue *queue, struct ow_counters *counters);

#ifdef __cplusplus
}
#endif

#endif
