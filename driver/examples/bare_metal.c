/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Example: the platform of a small system without caches, where addresses are the same for CPU and
 * device.
 */
#include "outwork/outwork.h"

/* --8<-- [start:platform] */
struct board {
  volatile uint32_t *registers;   /* the accelerator's AXI4-Lite window */
  volatile const uint32_t *timer; /* counts microseconds and wraps */
  uint32_t timer_last;
  uint64_t timer_total;
  uintptr_t memory_first, memory_last; /* what the device's port reaches */
};

static uint32_t board_read32(void *context, uint32_t offset) {
  struct board *board = context;
  return board->registers[offset / 4u];
}

static void board_write32(void *context, uint32_t offset, uint32_t value) {
  struct board *board = context;
  board->registers[offset / 4u] = value;
}

static bool board_map(void *context, uint64_t *address, void *memory, size_t length,
                      ow_direction direction) {
  struct board *board = context;
  uintptr_t first = (uintptr_t)memory;
  (void)direction; /* a system with caches cleans or invalidates them here */
  *address = first;
  return first >= board->memory_first && first <= board->memory_last &&
         length <= board->memory_last - first + 1u;
}

static void board_barrier(void *context) {
  (void)context;
  __sync_synchronize();
}

/* The timer has 32 bits; it is read often enough, because every wait of the driver reads it. */
static uint64_t board_microseconds(void *context) {
  struct board *board = context;
  uint32_t now = *board->timer;
  board->timer_total += (uint32_t)(now - board->timer_last);
  board->timer_last = now;
  return board->timer_total;
}

void board_platform(struct ow_platform *platform, struct board *board);
void board_platform(struct ow_platform *platform, struct board *board) {
  *platform = (struct ow_platform){
      .context = board,
      .read32 = board_read32,
      .write32 = board_write32,
      .map = board_map,
      .barrier = board_barrier,
      .microseconds = board_microseconds,
      /* The rest may stay NULL: memory is coherent, and waiting is polling. */
  };
}
/* --8<-- [end:platform] */
