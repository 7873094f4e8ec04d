/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The system on chip: registers, caches, time, console.
 *
 * CPU and device use the same addresses. The data cache writes through, in order with accesses to
 * registers, so the device always reads what the CPU wrote. In a coherent system the cache drops
 * what the device writes; in another it is emptied before the CPU reads that.
 */
#include "soc.h"

#include <stdio.h>

#include "soc_map.h"

#define CYCLES_PER_MICROSECOND 100u /* the clock is declared as 100 MHz */

#define MIE_TIMER    (1u << 7)
#define MIE_EXTERNAL (1u << 11)

static volatile uint32_t *const registers = (volatile uint32_t *)SOC_OUTWORK_BASE;
static volatile uint32_t *const plic = (volatile uint32_t *)SOC_PLIC_BASE;
static volatile uint32_t *const compare = (volatile uint32_t *)(SOC_CLINT_BASE + 0x4000u);

#define PLIC_PRIORITY(source) plic[(source)]
#define PLIC_ENABLE           plic[0x2000u / 4u]
#define PLIC_CLAIM            plic[0x200004u / 4u]

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
  uint32_t begin = (uint32_t)(uintptr_t)memory - SOC_RAM_BASE;
  *address = (uintptr_t)memory;
  return begin < SOC_RAM_BYTES && length <= SOC_RAM_BYTES - begin;
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

static uint64_t microseconds(void *context) {
  (void)context;
  return soc_cycles64() / CYCLES_PER_MICROSECOND;
}

/* Sleeps with interrupts off in mstatus: wfi ends when one is pending, and no handler runs. An
 * interrupt is completed at the next call, when the driver has cleared its level in the device:
 * completed at once it would be pending again. */
static bool wait_interrupt(void *context, unsigned queue, uint32_t limit_us) {
  static uint32_t claimed;
  const uint32_t source = SOC_OUTWORK_SOURCE + queue;
  uint64_t end = soc_cycles64() + (uint64_t)limit_us * CYCLES_PER_MICROSECOND;
  (void)context;
  if (claimed != 0u) {
    PLIC_CLAIM = claimed;
    claimed = 0;
  }
  PLIC_PRIORITY(source) = 1;
  PLIC_ENABLE = 1u << source;
  compare[1] = UINT32_MAX; /* no early interrupt between the two halves */
  compare[0] = (uint32_t)end;
  compare[1] = (uint32_t)(end >> 32);
  __asm__ volatile("csrw mie, %0" ::"r"(MIE_TIMER | MIE_EXTERNAL));
  do {
    __asm__ volatile("wfi");
    claimed = PLIC_CLAIM;
  } while (claimed != source && soc_cycles64() < end);
  __asm__ volatile("csrw mie, zero");
  return claimed == source;
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
      .wait_interrupt = wait_interrupt,
      .microseconds = microseconds,
  };
  if (!soc_is_coherent()) {
    platform->unmap = unmap;
    platform->sync_for_cpu = sync_for_cpu;
  }
}

static int console_put(char character, FILE *file) {
  (void)file;
  *(volatile uint8_t *)SOC_CONSOLE_BASE = (uint8_t)character;
  return (unsigned char)character;
}

static FILE console = FDEV_SETUP_STREAM(console_put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;
FILE *const stderr = &console;

/* In the code of SiFive's test device, which QEMU has too. */
_Noreturn void soc_exit(int status) {
  *(volatile uint32_t *)SOC_FINISHER_BASE =
      status == 0 ? 0x5555u : (uint32_t)status << 16 | 0x3333u;
  for (;;) {
  }
}

void _exit(int status) {
  soc_exit(status);
}

__attribute__((weak)) uintptr_t soc_trap(uint32_t cause, uintptr_t address, uint32_t value) {
  printf("Trap: cause %lu at 0x%08lx, value 0x%08lx\n", (unsigned long)cause,
         (unsigned long)address, (unsigned long)value);
  soc_exit(125);
}
