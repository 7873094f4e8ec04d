/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A program on the bare machine: interrupts, console, traps, the end.
 */
#include <stdio.h>

#include "environment.h"
#include "soc_map.h"

#define MIE_TIMER    (1u << 7)
#define MIE_EXTERNAL (1u << 11)

static volatile uint32_t *const plic = (volatile uint32_t *)SOC_PLIC_BASE;
static volatile uint32_t *const compare = (volatile uint32_t *)(SOC_CLINT_BASE + 0x4000u);

#define PLIC_PRIORITY(source) plic[(source)]
#define PLIC_ENABLE           plic[0x2000u / 4u]
#define PLIC_CLAIM            plic[0x200004u / 4u]

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

static uint32_t lite_read32(void *context, uint32_t offset) {
  (void)context;
  return *(volatile uint32_t *)(SOC_LITE_BASE + offset);
}

static void lite_write32(void *context, uint32_t offset, uint32_t value) {
  (void)context;
  *(volatile uint32_t *)(SOC_LITE_BASE + offset) = value;
}

void soc_lite_platform(struct ow_platform *platform) {
  *platform = (struct ow_platform){.read32 = lite_read32, .write32 = lite_write32};
}

bool (*const soc_wait_interrupt)(void *context, unsigned queue, uint32_t limit_us) = wait_interrupt;

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
