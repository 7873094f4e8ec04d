/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Shared by the driver's files: register access, bytes, and the scratch memory of a ring entry.
 */
#ifndef OUTWORK_INTERNAL_H
#define OUTWORK_INTERNAL_H

#include <string.h>

#include "outwork/outwork.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error                                                                                             \
    "Rings and descriptors are little-endian and written as structures: this CPU needs conversions."
#endif

/* The longest payload of one job: with a tag behind it, it still counts in 32 bits. */
#define OW_JOB_LENGTH_MAX 0xffffff00u
/* AAD and IVs up to these lengths are copied into the scratch. */
#define OW_SCRATCH_AAD 64u
#define OW_SCRATCH_IV  64u

/* Scratch memory of a ring entry, for data of the caller that may not be accessible to the
 * device. */
struct ow_scratch {
  uint8_t key[64]; /* the key part of a context */
  uint8_t iv[OW_SCRATCH_IV];
  uint8_t aad[OW_SCRATCH_AAD];
  uint8_t tag[64]; /* the expected tag, or a digest that the device writes */
  struct ow_segment source[OW_JOB_PIECES + 1u]; /* the pieces and the tag */
  struct ow_segment destination[OW_JOB_PIECES];
  uint8_t fill[48];
};
OW_STATIC_ASSERT(sizeof(struct ow_scratch) == OW_QUEUE_SCRATCH_BYTES, "scratch");

/* ow_queue_slot.mapped */
#define OW_MAPPED_SOURCE      0x01u /* the source's pieces, to the device */
#define OW_MAPPED_DESTINATION 0x02u /* to unmap the pieces of the destination as OW_FROM_DEVICE */
#define OW_MAPPED_IN_PLACE    0x04u /* one piece that is both */
#define OW_MAPPED_LIST        0x08u /* the caller's memory for lists */
#define OW_MAPPED_AAD         0x10u
#define OW_MAPPED_CONTEXT     0x20u
#define OW_MAPPED_IV          0x40u
#define OW_USED_SCRATCH       0x80u  /* the device reads the scratch */
#define OW_USED_SECRET        0x100u /* the scratch memory holds a key or a tag: wipe it */
#define OW_TAG_FROM_SCRATCH   0x200u /* the device writes the tag there */

static inline uint32_t ow_read(const struct ow_platform *platform, uint32_t offset) {
  return platform->read32(platform->context, offset);
}

static inline void ow_write(const struct ow_platform *platform, uint32_t offset, uint32_t value) {
  platform->write32(platform->context, offset, value);
}

static inline uint64_t ow_read64(const struct ow_platform *platform, uint32_t low, uint32_t high) {
  uint64_t value = ow_read(platform, low);
  return value | (uint64_t)ow_read(platform, high) << 32;
}

#define OW_PLACE(value, name) (((uint32_t)(value) << name##_SHIFT) & name##_MASK)

/* Of no bytes, both may be NULL. */
static inline void ow_copy(void *to, const void *from, size_t length) {
  if (length != 0) {
    memcpy(to, from, length);
  }
}

/* Copies without a call: both places and the length, a constant, are multiples of 4 bytes. */
static inline void ow_copy_words(void *to, const void *from, size_t length) {
#if defined(__GNUC__) && !defined(__CHECKER__) /* sparse does not know it */
  to = __builtin_assume_aligned(to, 4);
  from = __builtin_assume_aligned(from, 4);
#endif
  memcpy(to, from, length);
}

/* Sets memory to zero. The compiler must not remove this when nothing reads the memory afterwards:
 * GCC and Clang get an asm that seems to read it, others write a volatile object. */
static inline void ow_wipe(void *memory, size_t length) {
#ifdef __GNUC__
  uint8_t *out = memory;
#else
  volatile uint8_t *out = memory;
#endif
  for (size_t i = 0; i < length; i++) {
    out[i] = 0;
  }
#ifdef __GNUC__
  __asm__ volatile("" : : "r"(memory) : "memory");
#endif
}

/* Without a branch on secret bytes. */
static inline bool ow_equal(const uint8_t *a, const uint8_t *b, size_t length) {
  uint32_t difference = 0;
  for (size_t i = 0; i < length; i++) {
    difference |= (uint32_t)a[i] ^ b[i];
  }
  return difference == 0;
}

static inline void ow_relax(const struct ow_platform *platform) {
  if (platform->relax != NULL) {
    platform->relax(platform->context);
  }
}

/* A queue's memory, in order: descriptors, completions, scratch. */
static inline struct ow_descriptor *ow_queue_descriptors(const struct ow_queue *queue) {
  return (struct ow_descriptor *)(void *)queue->memory;
}

static inline struct ow_completion *ow_queue_completions(const struct ow_queue *queue) {
  return (struct ow_completion *)(void *)(queue->memory +
                                          (size_t)queue->entries * OW_DESCRIPTOR_SIZE);
}

static inline struct ow_scratch *ow_queue_scratch(const struct ow_queue *queue, uint32_t slot) {
  size_t rings = (size_t)queue->entries * (OW_DESCRIPTOR_SIZE + OW_COMPLETION_SIZE);
  return (struct ow_scratch *)(void *)(queue->memory + rings +
                                       (size_t)slot * OW_QUEUE_SCRATCH_BYTES);
}

/* Returns the address of queue memory as the device sees it. */
static inline uint64_t ow_queue_address(const struct ow_queue *queue, const void *memory) {
  return queue->address + (uint64_t)((const uint8_t *)memory - queue->memory);
}

/* Key length in bytes to key_length_e; false for other lengths. */
static inline bool ow_key_length_code(uint32_t *code, size_t key_len) {
  *code = key_len == 16 ? OW_KEY_BITS_128 : key_len == 24 ? OW_KEY_BITS_192 : OW_KEY_BITS_256;
  return key_len == 16 || key_len == 24 || key_len == 32;
}

/* Zeroises every slot and erases the seed, without seeding again. */
ow_status ow_key_erase(struct ow_device *device);

/* key.c: loads a key of a kind; `code` takes the place of an AES key's length: the curve, or
 * the parameter set of a lattice key. */
ow_status ow_key_load_coded(struct ow_device *device, uint8_t slot,
                            const struct ow_key_properties *properties, uint8_t opcode,
                            uint32_t code, const uint8_t *key, size_t key_len);

/* Waits until bits of a register are clear. OW_TIMEOUT: they are not. */
ow_status ow_register_wait(const struct ow_platform *platform, uint32_t offset, uint32_t bits,
                           uint32_t timeout_us);

/* job.c: fills the descriptor and the scratch of a slot, and maps the job's memory. When it fails,
 * nothing stays mapped. */
ow_status ow_job_encode(struct ow_queue *queue, struct ow_descriptor *descriptor, uint32_t slot,
                        struct ow_job *job);
/* job.c: fills in a job with its opcode and input. OW_UNSUPPORTED: the length does not fit its
 * field. */
ow_status ow_job_begin(struct ow_queue *queue, struct ow_job *job, uint8_t opcode,
                       const void *input, size_t length);
/* job.c: unmaps the memory of a job and wipes its scratch memory. */
void ow_job_release(struct ow_queue *queue, uint32_t slot);

/* job.c: zeroes the text in the destination of a job that has ended. The memory is the CPU's. */
void ow_job_clear(const struct ow_job *job);

/* hash.c: run a job that computes a digest or MAC of output_len bytes; and one that compares a
 * MAC. */
ow_status ow_hash_run(struct ow_queue *queue, struct ow_job *job, uint8_t *output,
                      size_t output_len);
ow_status ow_mac_compare(struct ow_queue *queue, struct ow_job *job, const uint8_t *mac,
                         size_t mac_len);

/* The platform's map and unmap. The cast removes `const`: `direction` says whether the device
 * writes. */
static inline bool ow_map(const struct ow_queue *queue, uint64_t *address, const void *memory,
                          size_t length, ow_direction direction) {
  return queue->platform->map(queue->platform->context, address, (void *)(uintptr_t)memory, length,
                              direction);
}

static inline void ow_unmap(const struct ow_queue *queue, uint64_t address, const void *memory,
                            size_t length, ow_direction direction) {
  if (queue->platform->unmap != NULL) {
    queue->platform->unmap(queue->platform->context, address, (void *)(uintptr_t)memory, length,
                           direction);
  }
}

static inline void ow_sync_for_device(const struct ow_queue *queue, void *memory, size_t length) {
  if (queue->platform->sync_for_device != NULL) {
    queue->platform->sync_for_device(queue->platform->context, memory, length);
  }
}

static inline void ow_sync_for_cpu(const struct ow_queue *queue, void *memory, size_t length) {
  if (queue->platform->sync_for_cpu != NULL) {
    queue->platform->sync_for_cpu(queue->platform->context, memory, length);
  }
}

/* Counts a fallback and returns OW_UNSUPPORTED. */
static inline ow_status ow_refuse(struct ow_queue *queue, ow_fallback reason) {
  queue->fallbacks[reason]++;
  return OW_UNSUPPORTED;
}

#endif
