/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The system on chip for the driver: registers, caches, time.
 *
 * CPU and device use the same addresses. The data cache writes through, in order with accesses to
 * registers, so the device always reads what the CPU wrote. In a coherent system the cache drops
 * what the device writes; in another it is emptied before the CPU reads that.
 */
#include "environment.h"
#include "soc_map.h"

static volatile uint32_t *const registers = (volatile uint32_t *)SOC_OUTWORK_BASE;

static uint32_t read32(void *context, uint32_t offset) {
  (void)context;
  return registers[offset / 4u];
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  (void)context;
  registers[offset / 4u] = value;
}

static bool map(void *context, uint64_t *address, void *memory, size_t length,
                ow_direction direction) {
  (void)context, (void)direction;
  uint32_t begin = (uint32_t)(uintptr_t)memory - SOC_PROGRAM_BASE;
  *address = (uintptr_t)memory;
  return begin < SOC_PROGRAM_BYTES && length <= SOC_PROGRAM_BYTES - begin;
}

static void unmap(void *context, uint64_t address, void *memory, size_t length,
                  ow_direction direction) {
  (void)context, (void)address, (void)memory, (void)length;
  if (direction != OW_TO_DEVICE) {
    soc_empty_data_cache();
  }
}

static void sync_for_cpu(void *context, void *memory, size_t length) {
  (void)context, (void)memory, (void)length;
  soc_empty_data_cache();
}

static void barrier(void *context) {
  (void)context;
  __asm__ volatile("fence" ::: "memory");
}

uint64_t soc_cycles64(void) {
  uint32_t high, low, again;
  do {
    __asm__ volatile("rdcycleh %0\nrdcycle %1\nrdcycleh %2"
                     : "=r"(high), "=r"(low), "=r"(again)::"memory");
  } while (high != again);
  return (uint64_t)high << 32 | low;
}

/* 2^32 microseconds in cycles, rounded up. A product takes a tenth of the cycles of a division of
 * 64 bits, and every wait asks for the time. */
#define RATE ((UINT64_C(1) << 32) / CYCLES_PER_MICROSECOND + 1u)

static uint64_t microseconds(void *context) {
  const uint64_t cycles = soc_cycles64();
  (void)context;
  return (cycles >> 32) * RATE + ((cycles & UINT32_MAX) * RATE >> 32);
}

bool soc_is_coherent(void) {
  return *(volatile uint32_t *)SOC_FINISHER_BASE != 0u;
}

void soc_platform(struct ow_platform *platform) {
  *platform = (struct ow_platform){
      .read32 = read32,
      .write32 = write32,
      .map = map,
      .barrier = barrier,
      .wait_interrupt = soc_wait_interrupt,
      .microseconds = microseconds,
  };
  if (!soc_is_coherent()) {
    platform->unmap = unmap;
    platform->sync_for_cpu = sync_for_cpu;
  }
}
