/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What a kernel in supervisor mode gets from the firmware below it: calls, timer, console,
 * exceptions. Ends with status 42 if all is good. The test types "a" after "type".
 */
#include <stdbool.h>
#include <stdint.h>

#include "soc_map.h"

#define EXTENSION_BASE  0x10u
#define EXTENSION_TIMER 0x54494d45u
#define EXTENSION_RESET 0x53525354u
#define NOT_SUPPORTED   (-2)
#define TIMER           (1u << 5) /* in sip and sie */
#define FAR             UINT32_MAX

static struct {
  uint32_t cause, place, value, status, saved;
} trap;
static bool failed;
static uint8_t stack[4096] __attribute__((aligned(16)));
static uint32_t pages[1024] __attribute__((aligned(4096)));

/* Calls the firmware. Returns a1, and a0 in `error`. */
static uint32_t call(uint32_t extension, uint32_t function, uint32_t first, uint32_t second,
                     int32_t *error) {
  register uint32_t a0 __asm__("a0") = first;
  register uint32_t a1 __asm__("a1") = second;
  register uint32_t a6 __asm__("a6") = function;
  register uint32_t a7 __asm__("a7") = extension;
  __asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a6), "r"(a7) : "memory");
  *error = (int32_t)a0;
  return a1;
}

static void print(const char *text) {
  int32_t ignored;
  for (; *text != 0; text++) {
    (void)call(1, 0, (uint8_t)*text, 0, &ignored);
  }
}

static void expect(bool good, const char *name) {
  print(name);
  print(good ? ": good\n" : ": WRONG\n");
  failed |= !good;
}

/* Goes on behind the instruction, which has four bytes. */
__attribute__((naked, aligned(4))) static void handle(void) {
  __asm__ volatile("csrw sscratch, t0\n"
                   "la t0, %0\n"
                   "sw t1, 16(t0)\n"
                   "csrr t1, scause\nsw t1, 0(t0)\n"
                   "csrr t1, stval\nsw t1, 8(t0)\n"
                   "csrr t1, sstatus\nsw t1, 12(t0)\n"
                   "csrr t1, sepc\nsw t1, 4(t0)\n"
                   "addi t1, t1, 4\ncsrw sepc, t1\n"
                   "lw t1, 16(t0)\n"
                   "csrr t0, sscratch\n"
                   "sret\n" ::"i"(&trap));
}

static uint32_t pending(void) {
  uint32_t value;
  for (volatile int i = 0; i < 20; i++) {
  }
  __asm__ volatile("csrr %0, sip" : "=r"(value));
  return value;
}

static uint32_t now(void) {
  uint32_t value;
  __asm__ volatile("rdtime %0" : "=r"(value));
  return value;
}

static void check_calls(void) {
  int32_t error;
  expect(call(EXTENSION_BASE, 0, 0, 0, &error) == 2u && error == 0, "version 0.2");
  expect(call(EXTENSION_BASE, 3, EXTENSION_TIMER, 0, &error) == 1u, "timer is there");
  expect(call(EXTENSION_BASE, 3, 0x735049u, 0, &error) == 0u, "interrupts of other harts are not");
  (void)call(0x735049u, 0, 0, 0, &error);
  expect(error == NOT_SUPPORTED, "a call that it does not have");
}

static void check_timer(void) {
  int32_t error;
  const uint32_t begin = now();
  __asm__ volatile("csrw sie, %0" ::"r"(TIMER));
  (void)call(EXTENSION_TIMER, 0, begin + 3000u, 0, &error);
  const bool early = (pending() & TIMER) != 0;
  __asm__ volatile("wfi");
  const uint32_t waited = now() - begin;
  expect(!early && waited >= 3000u && waited < 3600u && (pending() & TIMER) != 0, "timer and wfi");
  (void)call(EXTENSION_TIMER, 0, FAR, FAR, &error);
  expect((pending() & TIMER) == 0, "timer set anew");
  (void)call(0, 0, now(), 0, &error); /* as version 0.1 has it */
  expect((pending() & TIMER) != 0, "timer that is over at once");
  (void)call(0, 0, FAR, FAR, &error);
}

static void check_exceptions(void) {
  const uint32_t from_supervisor = 1u << 8;
  __asm__ volatile("csrw stvec, %0" ::"r"(handle));
  uint32_t place;
  __asm__ volatile("la %0, 1f\n1: .word 0x00100073" : "=r"(place)::"memory");
  expect(trap.cause == 3u && trap.place == place && (trap.status & from_supervisor) != 0,
         "breakpoint passed on");
  trap.cause = 0;
  __asm__ volatile("la %0, 1f\n1: .word 0xffffffff" : "=r"(place)::"memory");
  expect(trap.cause == 2u && trap.place == place, "wrong instruction");
  __asm__ volatile("la %0, 1f\n1: lw zero, 0(%1)" : "=&r"(place) : "r"(0x60000000u) : "memory");
  expect(trap.cause == 5u && trap.place == place && trap.value == 0x60000000u, "read of nothing");
}

static void check_console(void) {
  int32_t got;
  (void)call(2, 0, 0, 0, &got);
  expect(got == -1, "nothing typed");
  print("type\n");
  do {
    (void)call(2, 0, 0, 0, &got);
  } while (got == -1);
  expect(got == 'a', "the character");
}

/* With the MMU on, and code on a page that it does not know as one of data. */
static void check_cache(void) {
  uint32_t begin, end;
  for (uint32_t i = 0; i < 1024u; i++) {
    pages[i] = i << 20 | 0xcfu; /* 4 MiB at their own address, for every use */
  }
  __asm__ volatile("csrw satp, %2\n"
                   "sfence.vma\n"
                   "lw zero, 0(%3)\n"
                   ".word 0x500f\n"
                   "rdcycle %0\n"
                   "lw zero, 0(%3)\n"
                   "rdcycle %1\n"
                   "csrw satp, zero\n"
                   "sfence.vma\n"
                   : "=&r"(begin), "=&r"(end)
                   : "r"(1u << 31 | (uint32_t)(uintptr_t)pages >> 12), "r"(SOC_DEVICE_MEMORY)
                   : "memory");
  expect(end - begin > 20u, "the cache emptied under the MMU");
}

/* The kernel's first instruction. The firmware gives the hart and the device tree's place. */
void supervise(uint32_t hart, uint32_t device_tree) {
  int32_t ignored;
  expect(hart == 0 && device_tree == SOC_DEVICE_TREE, "start");
  check_calls();
  check_timer();
  check_exceptions();
  check_cache();
  check_console();
  (void)call(EXTENSION_RESET, 0, 0, failed ? 1 : 42, &ignored);
}

__attribute__((naked, section(".text.startup"))) void _start(void) {
  __asm__ volatile("la sp, %0 + 4096\n"
                   "call supervise\n" ::"i"(&stack));
}
