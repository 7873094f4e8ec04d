/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Jobs, and the queues that submit them to the device.
 *
 * A queue belongs to one thread at a time. Queues share nothing, so a thread with a queue of its
 * own needs no lock. The caller owns all memory: the queue, its rings, the jobs and their buffers.
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

/* A key: in a key slot, or bytes that are sent with the job (inline). */
struct ow_key {
  /* Inline key. NULL: the key in `slot` (key_len 0), or in the job's context (key_len not 0). */
  const uint8_t *bytes;
  /* Second key of XTS, or of a radio cipher with a MAC, of key_len bytes too; else NULL. */
  const uint8_t *tweak_bytes;
  /* Bytes of one key. AES: 16, 24 (not XTS), 32. DES: 8. TDES: 16, 24. HMAC, KMAC: at most 64. */
  uint16_t key_len;
  uint8_t slot;
  /* Generation of the key in the slot (struct ow_key_handle). If the slot holds another key, the
   * job ends with OW_KEY_GONE. 0: use whichever key is there. */
  uint16_t generation;
};

/* One piece of a scattered buffer. */
struct ow_piece {
  void *memory;
  uint32_t length; /* bytes; may be 0 */
};

/* Most pieces on each side of a job without `list_memory`. */
#define OW_JOB_PIECES 4u
/* Bytes of list_memory that a job needs; pieces: of source and destination together. */
#define OW_JOB_LIST_BYTES(pieces) (OW_SEGMENT_SIZE * ((uint32_t)(pieces) + 3u))

/* Flags of a job. */
/* Decrypt or verify. */
#define OW_JOB_DECRYPT 0x01u
/* The expected tag follows the payload in the source; without this flag it is in `tag`. */
#define OW_JOB_TAG_IN_SOURCE 0x02u
/* Write the tag to the destination too, after the payload. */
#define OW_JOB_APPEND_TAG 0x04u
/* Continue the message whose state is in `context`. No AAD. */
#define OW_JOB_LOAD_STATE 0x08u
/* Save the state of the message in `context`, to be continued. Length a multiple of 16, no tag. */
#define OW_JOB_SAVE_STATE 0x10u
/* Start after every earlier job of this queue has ended. */
#define OW_JOB_FENCE 0x20u
/* Raise the interrupt when this job ends, regardless of coalescing. */
#define OW_JOB_INTERRUPT 0x40u

/* A request to the device. Zero it, fill it in, submit it. Do not change it, its buffers or its
 * piece arrays until `status` is no longer OW_PENDING. Submitting copies key.bytes, iv and tag, and
 * AAD of up to 64 bytes; all other memory must be accessible to the device. */
struct ow_job {
  uint8_t opcode;  /* enum ow_opcode */
  uint8_t tag_len; /* bytes of the tag or MAC, where the opcode has one */
  uint16_t flags;  /* OW_JOB_... */
  struct ow_key key;
  /* With LOAD_STATE or SAVE_STATE: a struct ow_context or ow_hash_context, 16-byte aligned. */
  void *context;

  uint32_t length;  /* bytes of payload, without a tag */
  uint32_t aad_len; /* bytes of AAD */
  /* Payload: one buffer, or NULL and an array of pieces. */
  const void *source;
  const struct ow_piece *source_pieces;
  /* Result: one buffer, which may be the source, or NULL and an array of pieces. */
  void *destination;
  const struct ow_piece *destination_pieces;
  uint32_t source_pieces_len;
  uint32_t destination_pieces_len;
  /* Bytes to write, where the opcode does not define it: SHAKE, HMAC, KMAC, public key. */
  uint32_t destination_len;
  /* For more than OW_JOB_PIECES pieces: OW_JOB_LIST_BYTES() bytes, 16-byte aligned; else NULL. */
  void *list_memory;
  uint32_t list_memory_len;

  /* Bytes of the IV. CBC, CTR, XTS: 16. CCM (the nonce): 7 to 13. GCM, GMAC: any. ECB, CMAC: 0.
   * DES: 8. Radio: 16, a struct ow_radio_iv. ZUC-256: 27, the IV and then the `control`
   * of such a struct. */
  uint32_t iv_len;
  /* If longer than 64 bytes: accessible to the device until the job has ended. */
  const uint8_t *iv;
  const void *aad;

  /* Called by ow_queue_poll() when the job has ended. May submit jobs, must not poll. May be NULL.
   */
  void (*done)(struct ow_job *job, void *user);
  void *user;

  /* Results. */
  uint8_t tag[64]; /* in: tag to verify. out: tag, MAC or digest; or next IV (CBC, CTR) */
  ow_status status;
  uint32_t bytes;        /* written to the destination */
  uint32_t cycles;       /* device cycles from descriptor fetch to completion record */
  uint8_t device_status; /* the status in the completion record (enum ow_device_status) */
};

/* State of a job in flight. Private. */
struct ow_queue_slot {
  struct ow_job *job; /* this and the next three are what every job needs: one cache line */
  uint32_t cookie;
  uint32_t mapped;                          /* what ow_job_release() has to do at the end */
  uint16_t next;                            /* free list */
  uint32_t source_bytes, destination_bytes; /* moved by the device, including a tag in a buffer */
  uint32_t result_bytes;                    /* of a tag that is written to the scratch memory */
  uint64_t aad, context, iv, list;          /* device addresses to unmap */
};

/* What a repeated job has in common with the one before it. Private. */
struct ow_repeat {
  uint32_t first_word; /* opcode, tag_len and flags */
  uint8_t key_slot;
  uint8_t output; /* enum ow_repeat_output, in driver/src/repeat.h */
  uint16_t key_generation;
  uint32_t iv_len;
  uint32_t control; /* and `context`, `iv`: of the descriptor */
  uint64_t context;
  uint8_t iv[16];
  uint8_t iv_offset;
  uint8_t source_tag, destination_tag; /* bytes of a tag in these buffers */
  uint8_t result_bytes;                /* of a digest */
  uint32_t aad_length;                 /* of the descriptor; where the output is no text */
};

/* Scratch memory of each ring entry: inline key, long IV, expected tag, short AAD, segment lists.
 */
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
  uint64_t address; /* of `memory`, as the device sees it */
  struct ow_queue_slot *slots;
  uint32_t page; /* offset of the queue's registers */
  uint32_t entries;
  uint32_t written;   /* descriptors written since reset; the doorbell has the low 16 bits */
  uint32_t announced; /* descriptors announced by the doorbell */
  uint32_t completed; /* completion records consumed */
  uint16_t free_slot; /* head of the free list */
  uint8_t index;
  uint8_t log2;
  bool polling;
  bool interrupts; /* ow_queue_wait() sleeps until an interrupt */
  bool halted;     /* must be reset, or a reset failed */
  struct ow_repeat repeat;

  /* Public, may be changed: microseconds without progress after which a wait ends with OW_TIMEOUT.
   * Every 4 bytes in flight add one microsecond. */
  uint32_t timeout_us;
  /* Public, may be changed. Jobs that the policy keeps in software end with OW_UNSUPPORTED; later
   * parts of a message (OW_JOB_LOAD_STATE) follow the first. NULL: every job goes to the device. */
  const struct ow_policy *policy;
  /* Public, read only: counts since ow_queue_open(). `finished` grows at the end of a poll. */
  uint64_t submitted;
  uint64_t finished;
  uint64_t timeouts;
  uint64_t missed_interrupts; /* waits that ended with a completion but no interrupt */
  uint64_t fallbacks[OW_FALLBACK_COUNT];
};

/* Starts queue `index` with 1 << log2 entries in each ring.
 * in: memory  OW_QUEUE_MEMORY_BYTES(log2) bytes, 64-byte aligned, accessible to the device
 *     slots   1 << log2 entries, in any memory
 * Both belong to the queue until ow_queue_close(). OW_NOT_ALLOWED: the queue has no grant. */
ow_status ow_queue_open(struct ow_queue *queue, struct ow_device *device, unsigned index,
                        void *memory, struct ow_queue_slot *slots, unsigned log2);
/* Stops the queue and wipes its memory. Jobs in flight end with OW_ABORTED. */
ow_status ow_queue_close(struct ow_queue *queue);
/* Resets the queue: all jobs end with OW_ABORTED (`done` is called), then it can be used again.
 * OW_TIMEOUT: the reset did not end; OW_NO_DEVICE: registers do not keep what is written. In both
 * cases every later call returns OW_HALTED, and the memory of the jobs must not be used again
 * before a reset of the device. */
ow_status ow_queue_reset(struct ow_queue *queue);
/* Returns OW_HALTED and the reason (enum ow_halt) if the queue has halted, else OW_OK. Reads a
 * register. */
ow_status ow_queue_halt_reason(struct ow_queue *queue, uint8_t *halt);
/* Configures interrupts for ow_queue_wait(): one after `completions` completions, or `cycles`
 * device cycles after the first. Disabled by ow_queue_open(). */
ow_status ow_queue_set_interrupts(struct ow_queue *queue, bool enable, uint16_t completions,
                                  uint32_t cycles);
/* Permits or masks the interrupt until the next call or reset, and changes nothing else: for an
 * interrupt handler. Reads no register. A queue that the device has reset by itself halts. */
void ow_queue_permit_interrupt(struct ow_queue *queue, bool permit);

/* Submits jobs in order, with one doorbell.
 * out: *accepted  number of jobs submitted (may be NULL)
 * OW_OK: all. OW_BUSY: the ring is full, submit the rest later. Any other status is that of
 * jobs[*accepted], which was not submitted; OW_UNSUPPORTED may come from the policy (`fallbacks`).
 */
ow_status ow_queue_submit(struct ow_queue *queue, size_t *accepted, struct ow_job *const jobs[],
                          size_t jobs_len);
/* The two halves of ow_queue_submit(): writes descriptors; rings the doorbell for all of them. */
ow_status ow_queue_prepare(struct ow_queue *queue, size_t *accepted, struct ow_job *const jobs[],
                           size_t jobs_len);
void ow_queue_announce(struct ow_queue *queue);
/* Return the number of jobs in flight, and how many more can be submitted. */
uint32_t ow_queue_outstanding(const struct ow_queue *queue);
uint32_t ow_queue_space(const struct ow_queue *queue);

/* Finishes every job whose completion record has arrived.
 * out: *finished  number of these jobs (may be NULL)
 * Reads memory only; if there is nothing, calls the platform's `relax` once. OW_DEVICE_ERROR: a
 * record that the device cannot have written. */
ow_status ow_queue_poll(struct ow_queue *queue, size_t *finished);
/* Polls or sleeps until `job` has ended (NULL: until nothing is in flight). The status is that of
 * the wait, not of the job: OW_OK, OW_TIMEOUT (the device still has the job: wait again, or reset
 * the queue) or OW_HALTED. */
ow_status ow_queue_wait(struct ow_queue *queue, const struct ow_job *job);
/* Returns whether a job that has ended may have left text in its destination though its tag was
 * not compared, or is wrong: it decrypts with a tag, and has ended with OW_WIPE_FAILED, OW_ABORTED
 * or OW_DEVICE_ERROR. Whoever submitted it then zeroes the destination. */
bool ow_job_leaves_text(const struct ow_job *job);
/* Submits one job, waits, and returns its status. If the device does not answer, resets the queue,
 * so that the caller owns the job and its memory again in every case. Zeroes the destination where
 * ow_job_leaves_text() says so, and so does every function that runs jobs. */
ow_status ow_queue_run(struct ow_queue *queue, struct ow_job *job);
/* Counts a request that the caller has done in software. */
void ow_queue_fallback_add(struct ow_queue *queue, ow_fallback reason);

/* Returns the device cycle of the doorbell that ended the last idle time, and the cycle at which
 * memory acknowledged the last completion record. */
void ow_queue_times(struct ow_queue *queue, uint64_t *start, uint64_t *finish);

/* The device's counters of a queue, extended to 64 bits. Meanings: outwork.rdl, regfile queue_r. */
struct ow_counters {
  uint64_t jobs, bytes;
  uint64_t busy_cycles, fetch_cycles, wait_cycles, prepare_cycles, data_cycles, tag_cycles,
      write_cycles, complete_cycles;
  uint64_t stall_read, stall_write, stall_stream;
  uint64_t error_auth, error_request, error_key, error_window, error_bus, error_timeout;
};
/* Updates `counters`, which must be all zero before the first call. Call it at least every 2^32
 * device cycles. Each reader has a structure of its own. */
void ow_queue_counters(struct ow_queue *queue, struct ow_counters *counters);

#ifdef __cplusplus
}
#endif

#endif
