/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Timer, software interrupt, interrupt controller, console and the interrupt of Outwork lite, as a
 * program sees them. Ends with status 42 if all is good. The test types "a" after "type".
 */
#include <stdio.h>
#include <string.h>

#include "outwork/lite.h"
#include "soc.h"
#include "soc_map.h"

#define CLINT(offset) (*(volatile uint32_t *)(SOC_CLINT_BASE + (offset)))
#define PLIC(offset)  (*(volatile uint32_t *)(SOC_PLIC_BASE + (offset)))
#define LITE(offset)  (*(volatile uint32_t *)(SOC_LITE_BASE + (offset)))
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

/* The block is computed while the CPU sleeps. Later, after the clock has stopped, the key is there.
 */
static void check_lite(void) {
  static const uint8_t key[16] = {1}, zeros[16];
  const uint32_t source = SOC_LITE_SOURCE;
  struct ow_platform platform;
  struct ow_lite lite;
  uint32_t words[4];
  uint8_t again[16];
  soc_lite_platform(&platform);
  expect(ow_lite_open(&lite, &platform) == OW_OK && ow_lite_load_key(&lite, key, 16) == OW_OK,
         "Outwork lite");
  LITE(OW_LITE_IRQ_ENABLE_OFFSET) = OW_LITE_IRQ_ENABLE_OUTPUT_READY_MASK;
  PLIC(4u * source) = 1;
  PLIC(0x2000) = 1u << source;
  __asm__ volatile("csrw mie, %0" ::"r"(EXTERNAL));
  LITE(OW_LITE_COMMAND_OFFSET) = OW_LITE_COMMAND_START; /* encryption in ECB mode */
  for (unsigned i = 0; i < 4; i++) {
    LITE(OW_LITE_DATA_IN_OFFSET) = 0;
  }
  const uint32_t begin = soc_cycles();
  __asm__ volatile("wfi");
  const uint32_t waited = soc_cycles() - begin;
  expect(CLAIM == source && waited >= 30u && waited < 80u, "its interrupt ends wfi");
  for (unsigned i = 0; i < 4; i++) {
    words[i] = LITE(OW_LITE_DATA_OUT_OFFSET);
  }
  CLAIM = source;
  expect((pending() & EXTERNAL) == 0 && CLAIM == 0, "its interrupt is over");
  for (volatile int i = 0; i < 200; i++) { /* longer than its clock goes on */
  }
  expect(ow_lite_ecb_crypt(&lite, again, OW_LITE_ENCRYPT, zeros, 16) == OW_OK &&
             memcmp(again, words, 16) == 0,
         "the same after a rest");
  CLAIM = CLAIM; /* of that block */
  ow_lite_zeroise(&lite);
  expect(ow_lite_ecb_crypt(&lite, again, OW_LITE_ENCRYPT, zeros, 16) == OW_BAD_KEY,
         "no key after zeroising");
}

int main(void) {
  check_timer();
  check_console();
  check_lite();
  return failures == 0 ? 42 : 1;
}
