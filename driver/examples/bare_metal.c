/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Example: the platform of a small system without caches, where addresses are the same for CPU and
 * device, and a program on it. docs/firmware.md links it with bare_metal/startup.c.
 */
#include <string.h>

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

/* A barrier of C orders memory alone: registers need their own kind of fence on RISC-V, and a
 * device outside of the CPU's domain one of all systems on Arm. */
static void board_barrier(void *context) {
  (void)context;
#if defined(__arm__) || defined(__aarch64__)
  __asm__ volatile("dsb sy" ::: "memory");
#elif defined(__riscv)
  __asm__ volatile("fence iorw, iorw" ::: "memory");
#else
  __sync_synchronize();
#endif
}

/* The timer has 32 bits; it is read often enough, because every wait of the driver reads it. */
static uint64_t board_microseconds(void *context) {
  struct board *board = context;
  uint32_t now = *board->timer;
  board->timer_total += (uint32_t)(now - board->timer_last);
  board->timer_last = now;
  return board->timer_total;
}

static void board_platform(struct ow_platform *platform, struct board *board) {
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

/* --8<-- [start:program] */
/* Addresses, from bare_metal/link.ld. */
extern volatile uint32_t outwork_registers[], microsecond_timer[];
extern char ram_first[], ram_last[];

#define LOG2 2u /* four jobs in flight */

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[1u << LOG2];

/* Encrypts the block of FIPS 197, appendix B, and compares. */
static ow_status encrypt_block(struct ow_queue *queue) {
  static const uint8_t key_bytes[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                        0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  static const uint8_t cipher[16] = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                                     0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
  static uint8_t text[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                             0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
  const struct ow_key key = {.bytes = key_bytes, .key_len = sizeof(key_bytes)};
  ow_status status = ow_aes_ecb_crypt(queue, text, &key, OW_ENCRYPT, text, sizeof(text));
  return status == OW_OK && memcmp(text, cipher, sizeof(cipher)) != 0 ? OW_DEVICE_ERROR : status;
}

#ifdef WITH_HASH
/* Hashes "abc" as in FIPS 180-4's example, and compares the first bytes. */
static ow_status hash_text(struct ow_queue *queue) {
  static const uint8_t first[4] = {0xba, 0x78, 0x16, 0xbf};
  static uint8_t text[3] = {'a', 'b', 'c'};
  uint8_t digest[32];
  ow_status status = ow_hash(queue, digest, sizeof(digest), OW_OP_SHA256, text, sizeof(text));
  return status == OW_OK && memcmp(digest, first, sizeof(first)) != 0 ? OW_DEVICE_ERROR : status;
}
#endif

/* Returns 0, or the status of what failed, for a debugger to look at. */
int main(void) {
  static struct board board;
  static struct ow_platform platform;
  static struct ow_device device;
  static struct ow_queue queue;
  board.registers = outwork_registers;
  board.timer = microsecond_timer;
  board.memory_first = (uintptr_t)ram_first;
  board.memory_last = (uintptr_t)ram_last;
  board_platform(&platform, &board);
  ow_status status = ow_device_open(&device, &platform);
  if (status == OW_OK) {
    status = ow_queue_grant(&device, 0, NULL);
  }
  if (status == OW_OK) {
    status = ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2);
  }
  if (status == OW_OK) {
    status = encrypt_block(&queue);
  }
#ifdef WITH_HASH
  if (status == OW_OK) {
    status = hash_text(&queue);
  }
#endif
  return (int)status;
}
/* --8<-- [end:program] */
