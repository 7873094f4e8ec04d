/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A LiteX SoC with VexRiscv: where the device is, what its caches want, how time passes.
 *
 * CPU and device use the same addresses. VexRiscv's data cache writes through, in order with its
 * accesses to registers, so the device always reads what the CPU wrote. It does not see what the
 * device writes: before the CPU reads that, the cache is emptied.
 */
#include "board.h"

#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>
#include <irq.h>
#include <system.h>

static volatile uint32_t *const registers = (volatile uint32_t *)OUTWORK_BASE;

static uint32_t read32(void *context, uint32_t offset) {
  (void)context;
  return registers[offset / 4u];
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  (void)context;
  registers[offset / 4u] = value;
}

/* The device reaches what its bus reaches; the ROM is among it. */
static bool map(void *context, uint64_t *address, void *memory, size_t length,
                ow_direction direction) {
  (void)context, (void)length, (void)direction;
  *address = (uintptr_t)memory;
  return true;
}

static void unmap(void *context, uint64_t address, void *memory, size_t length,
                  ow_direction direction) {
  (void)context, (void)address, (void)memory, (void)length;
  if (direction != OW_TO_DEVICE) {
    flush_cpu_dcache();
  }
}

/* The cache has no command for a line: the whole of it is emptied, 4 KiB. */
static void sync_for_cpu(void *context, void *memory, size_t length) {
  (void)context, (void)memory, (void)length;
  flush_cpu_dcache();
}

static void barrier(void *context) {
  (void)context;
  __asm__ volatile("fence" ::: "memory");
}

static uint64_t microseconds(void *context) {
  (void)context;
  timer0_uptime_latch_write(1);
  return timer0_uptime_cycles_read() / (CONFIG_CLOCK_FREQUENCY / 1000000u);
}

/* The line is looked at where it enters the CPU, with interrupts off: there is nothing else to do.
 */
static bool wait_interrupt(void *context, unsigned queue, uint32_t limit_us) {
  uint64_t end = microseconds(context) + limit_us;
  outwork_ev_enable_write(1u << queue);
  irq_setmask(1u << OUTWORK_INTERRUPT);
  do {
    if ((irq_pending() >> OUTWORK_INTERRUPT & 1u) != 0u) {
      return true;
    }
  } while (microseconds(context) < end);
  return false;
}

void board_platform(struct ow_platform *platform) {
  *platform = (struct ow_platform){
      .read32 = read32,
      .write32 = write32,
      .map = map,
      .unmap = unmap,
      .sync_for_cpu = sync_for_cpu,
      .barrier = barrier,
      .wait_interrupt = wait_interrupt,
      .microseconds = microseconds,
  };
}

static void print_character(char character) {
  while (uart_txfull_read() != 0u) {
  }
  uart_rxtx_write((uint8_t)character);
}

void board_print(const char *text) {
  while (*text != '\0') {
    print_character(*text++);
  }
}

void board_print_number(uint32_t number) {
  if (number >= 10u) {
    board_print_number(number / 10u);
  }
  print_character((char)('0' + number % 10u));
}

void board_print_hex(uint32_t number) {
  for (unsigned shift = 32; shift > 0u; shift -= 4u) {
    print_character("0123456789abcdef"[number >> (shift - 4u) & 15u]);
  }
}

_Noreturn void board_stop(void) {
  while (uart_txempty_read() == 0u) {
  }
#ifdef CSR_SIM_FINISH_FINISH_ADDR
  sim_finish_finish_write(1);
#endif
  for (;;) {
  }
}

/* LiteX's start-up code names it; interrupts stay off. */
void isr(void);
void isr(void) {
  board_stop();
}
