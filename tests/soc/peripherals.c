/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Timer, software interrupt, interrupt controller and console, as a program sees them. Ends with
 * status 42 if all is good. The test types "a" after "type".
 */
#include <stdio.h>

#include "soc.h"
#include "soc_map.h"

#define CLINT(offset) (*(volatile uint32_t *)(SOC_CLINT_BASE + (offset)))
#define PLIC(offset)  (*(volatile uint32_t *)(SOC_PLIC_BASE + (offset)))
#define UART(offset)  (*(volatile uint8_t *)(SOC_CONSOLE_BASE + (offset)))
#define CLAIM         PLIC(0x200004u)
#define THRESHOLD     PLIC(0x200000u)

#define SOFTWARE (1u << 3) /* in mip and mie */
#define TIMER    (1u << 7)
#define EXTERNAL (1u << 11)

static int failures;

static void expect(bool good, const char *name) {
  printf("%s: %s\n", name, good ? "good" : "WRONG");
  failures += !good;
}

/* An interrupt is pending some cycles after what caused it. */
static uint32_t pending(void) {
  uint32_t value;
  for (volatile int i = 0; i < 20; i++) {
  }
  __asm__ volatile("csrr %0, mip" : "=r"(value));
  return value;
}

static void check_timer(void) {
  const uint32_t begin = soc_cycles();
  CLINT(0x4004) = 0;
  CLINT(0x4000) = CLINT(0xbff8) + 3000u;
  __asm__ volatile("csrw mie, %0" ::"r"(TIMER));
  const bool early = (pending() & TIMER) != 0;
  __asm__ volatile("wfi");
  const uint32_t waited = soc_cycles() - begin;
  expect(!early && (pending() & TIMER) != 0 && waited >= 3000u && waited < 3400u, "timer and wfi");
  CLINT(0x4004) = UINT32_MAX;
  expect((pending() & TIMER) == 0, "timer set anew");
  CLINT(0) = 1;
  const bool raised = (pending() & SOFTWARE) != 0;
  CLINT(0) = 0;
  expect(raised && (pending() & SOFTWARE) == 0, "software interrupt");
}

static void check_console(void) {
  const uint32_t source = SOC_CONSOLE_SOURCE;
  UART(1) = 1; /* an interrupt for each character that comes */
  PLIC(4u * source) = 1;
  PLIC(0x2000) = 1u << source;
  __asm__ volatile("csrw mie, %0" ::"r"(EXTERNAL));
  expect((pending() & EXTERNAL) == 0 && CLAIM == 0 && (UART(5) & 1u) == 0, "nothing typed");
  printf("type\n");
  __asm__ volatile("wfi");
  THRESHOLD = 1;
  expect((pending() & EXTERNAL) == 0 && CLAIM == 0, "interrupt below the threshold");
  THRESHOLD = 0;
  expect((pending() & EXTERNAL) != 0 && (UART(5) & 1u) == 1u, "interrupt above it");
  expect(CLAIM == source && CLAIM == 0 && (pending() & EXTERNAL) == 0, "claimed once");
  CLAIM = source; /* completed while the level is still high */
  expect((pending() & EXTERNAL) != 0 && CLAIM == source, "pending again");
  expect(UART(0) == 'a' && (UART(5) & 1u) == 0, "the character");
  CLAIM = source;
  expect((pending() & EXTERNAL) == 0 && CLAIM == 0, "nothing left");
}

int main(void) {
  check_timer();
  check_console();
  return failures == 0 ? 42 : 1;
}
