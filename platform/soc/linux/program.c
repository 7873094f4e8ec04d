/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A program under Linux: device memory, registers, console, the end.
 *
 * The program moves its constants, variables and stack into the memory that the device tree
 * reserves for the device. It is contiguous, and is mapped to virtual addresses that equal the
 * physical ones, as are the registers, so that the driver's platform is that of the bare machine.
 * It belongs to one program at a time. There are no interrupts: the driver polls.
 */
#include <stdio.h>
#include <string.h>

#include "environment.h"
#include "soc_map.h"
#include "system_calls.h"

bool (*const soc_wait_interrupt)(void *context, unsigned queue, uint32_t limit_us) = NULL;

static _Noreturn void give_up(const char *text) {
  (void)system_write(2, text, strlen(text));
  system_exit(125);
}

/* Maps physical addresses to equal virtual ones. */
static void map_in_place(int file, uintptr_t address, size_t length) {
  if (system_map(address, length, MAP_FIXED, file, address) != (long)address) {
    give_up("The program cannot map the device: /dev/mem refuses it.\n");
  }
}

/* Called by program_start.S on the kernel's stack. Uses no variable with static storage: they move.
 * Code stays where the kernel put it, because Linux 6.1 crashes if memory that is not its own is
 * mapped for execution (flush_icache_pte looks for the page's state). */
void program_move(void) {
  extern char rodata_begin[], bss_begin[], bss_end[];
  const uintptr_t begin = (uintptr_t)rodata_begin;
  const size_t used = (size_t)(bss_end - rodata_begin);
  const size_t copied = (size_t)(bss_begin - rodata_begin);
  const int file = (int)system_open("/dev/mem", O_RDWR | O_SYNC);
  if (file < 0) {
    give_up("The program cannot open /dev/mem.\n");
  }
  const long other = system_map(0, used, 0, file, begin);
  if (other < 0 && other > -(long)PAGE_BYTES) {
    give_up("The program cannot map the device's memory: /dev/mem refuses it.\n");
  }
  memcpy((char *)other, rodata_begin, copied);
  memset((char *)other + copied, 0, used - copied);
  map_in_place(file, begin, SOC_PROGRAM_BASE + SOC_PROGRAM_BYTES - begin);
  map_in_place(file, SOC_OUTWORK_BASE, SOC_OUTWORK_BYTES);
  map_in_place(file, SOC_FINISHER_BASE, PAGE_BYTES);
}

/* A system call for each line: it takes the kernel's console some thousand cycles. */
static char line[128];
static size_t line_len;

static int console_flush(FILE *file) {
  (void)file;
  (void)system_write(1, line, line_len);
  line_len = 0;
  return 0;
}

static int console_put(char character, FILE *file) {
  line[line_len++] = character;
  if (character == '\n' || line_len == sizeof(line)) {
    (void)console_flush(file);
  }
  return (unsigned char)character;
}

static FILE console = FDEV_SETUP_STREAM(console_put, NULL, console_flush, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;
FILE *const stderr = &console;

_Noreturn void soc_exit(int status) {
  (void)console_flush(&console);
  system_exit(status);
}

void _exit(int status) {
  soc_exit(status);
}
