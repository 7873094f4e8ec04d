/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A program under Linux that maps the device through /dev/mem: device memory, registers.
 *
 * The program moves its constants, variables and stack into the memory that the device tree
 * reserves for the device. It is contiguous, and is mapped to virtual addresses that equal the
 * physical ones, as are the registers, so that the driver's platform is that of the bare machine.
 * It belongs to one program at a time. There are no interrupts: the driver polls.
 */
#include <string.h>

#include "environment.h"
#include "soc_map.h"
#include "system_calls.h"

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
