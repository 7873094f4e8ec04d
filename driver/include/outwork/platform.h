/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the driver needs from its environment: registers, memory as the device sees it, and time.
 *
 * Every environment (simulated board, bare metal, RTOS, Linux) fills one struct ow_platform. The
 * driver calls nothing else but memcpy, memset, memcmp and memmove: no allocator, no operating
 * system. The members marked "may be NULL" are optional.
 */
#ifndef OUTWORK_PLATFORM_H
#define OUTWORK_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the device accesses memory. */
typedef enum ow_direction {
  OW_TO_DEVICE = 1,   /* the device reads it */
  OW_FROM_DEVICE = 2, /* the device writes it */
  OW_BOTH_WAYS = 3
} ow_direction;

struct ow_platform {
  void *context; /* first argument of every function below */

  /* Device registers, by their offset in outwork.rdl. A 32-bit access each, in program order. */
  uint32_t (*read32)(void *context, uint32_t offset);
  void (*write32)(void *context, uint32_t offset, uint32_t value);

  /* Maps memory for the device: cleans (and, if the device writes, invalidates) its cache lines,
   * and sets *address to its address as the device sees it. False: the memory is not accessible to
   * the device, and the driver returns OW_UNSUPPORTED. Buffers may start and end inside a cache
   * line, and one buffer may be mapped twice (as source and as destination). */
  bool (*map)(void *context, uint64_t *address, void *memory, size_t length,
              ow_direction direction);
  /* Unmaps it: afterwards the CPU sees what the device wrote. May be NULL. */
  void (*unmap)(void *context, uint64_t address, void *memory, size_t length,
                ow_direction direction);
  /* The same for memory that stays mapped (the rings): before the device reads it, after the device
   * wrote it. Both may be NULL if that memory is coherent or not cached. */
  void (*sync_for_device)(void *context, void *memory, size_t length);
  void (*sync_for_cpu)(void *context, void *memory, size_t length);

  /* Orders all memory accesses before it against all memory and register accesses after it. */
  void (*barrier)(void *context);
  /* Called while waiting: a pause instruction, a yield, or (simulated board) some cycles of the
   * clock. May be NULL. */
  void (*relax)(void *context);
  /* Sleeps until the interrupt line of a queue is high; returns false after so many microseconds
   * without. May be NULL: then the driver polls. */
  bool (*wait_interrupt)(void *context, unsigned queue, uint32_t microseconds);
  /* Returns the time since a fixed moment. It must advance while the driver waits: timeouts need
   * it. */
  uint64_t (*microseconds)(void *context);
  /* Writes bytes of full entropy (SP 800-90B), for seeds of the random bit generator and of the
   * device; false: none available now. May be NULL: then nothing that needs randomness is possible
   * (private keys of RSA and curves, messages in pieces under keys in slots). */
  bool (*entropy)(void *context, uint8_t *bytes, size_t length);
};

#ifdef __cplusplus
}
#endif

#endif
