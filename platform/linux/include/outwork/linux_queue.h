/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The platform of a process on Linux that has a queue of its own, from /dev/outwork of the kernel
 * module.
 *
 * Jobs make no system call: the queue's registers are mapped. The queue may access the memory that
 * comes with it, and nothing else: the device checks that. When the process ends, in whatever way,
 * the kernel takes queue, keys and memory back.
 *
 * One thread at a time. A forked child has neither registers nor memory.
 */
#ifndef OUTWORK_LINUX_QUEUE_H
#define OUTWORK_LINUX_QUEUE_H

#include "outwork/device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_LINUX_PATH "/dev/outwork"

struct ow_linux {
  int file;
  /* eventfd that the kernel adds to at an interrupt */
  int event;
  volatile uint32_t *registers;
  /* public: zeroed, page-aligned, accessible to the device */
  void *memory;
  size_t memory_len;
  /* of `memory`, as the device sees it */
  uint64_t address;
  /* public: number of this queue */
  unsigned queue;
  struct ow_capabilities capabilities;
  /* public, after a failure: with less memory it may go well */
  bool too_much;
};

/* Opens a queue with so many bytes of memory, a multiple of 4096; `path` is OW_LINUX_PATH, or where
 * else the device file is. Returns NULL, or the reason of the failure; then nothing stays open. */
const char *ow_linux_open(struct ow_linux *own, const char *path, size_t bytes);
/* The same with `most` bytes, or with as many as it gets: then a power of 2, at least `least`. A
 * kernel has memory in one piece for the device up to 4 MiB, unless there is an IOMMU or CMA. */
const char *ow_linux_open_up_to(struct ow_linux *own, const char *path, size_t most, size_t least);
/* Gives everything back. The driver's queue has to be closed before. */
void ow_linux_close(struct ow_linux *own);
/* Drops the parent's queue in a forked child, without ending it. */
void ow_linux_forget(struct ow_linux *own);
/* Fills in the driver's platform; `own` must outlive it. Open the device with ow_device_attach()
 * and `capabilities`. */
void ow_linux_platform(struct ow_platform *platform, struct ow_linux *own);

/* Load a key into a free slot that the kernel chooses, for this queue only (`properties.queues` is
 * ignored), and zeroise it. As ow_key_load_material() and ow_key_zeroise_handle(); OW_BUSY: no slot
 * is free for this queue. */
ow_status ow_linux_key_load(struct ow_linux *own, struct ow_key_handle *handle,
                            const struct ow_key_material *material);
ow_status ow_linux_key_zeroise(struct ow_linux *own, const struct ow_key_handle *handle);

#ifdef __cplusplus
}
#endif

#endif
