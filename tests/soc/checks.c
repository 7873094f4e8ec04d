/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What a program on the system relies on. Each check prints its name and "good" or "WRONG".
 */
#include <stdio.h>
#include <string.h>

#include "gcm_zkn.h"
#include "outwork/outwork.h"
#include "soc.h"

#define LOG2 2u

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;
static uint32_t jobs;
static int failures;

static void expect(bool good, const char *name) {
  printf("%s: %s\n", name, good ? "good" : "WRONG");
  failures += !good;
}

static ow_status crypt(uint8_t *tag, void *destination, const void *source, uint32_t length,
                       const uint8_t *key, const uint8_t *nonce) {
  struct ow_job job = {.opcode = OW_OP_AES_GCM,
                       .tag_len = 16,
                       .length = length,
                       .source = source,
                       .destination = destination,
                       .iv = nonce,
                       .iv_len = 12};
  job.key.bytes = key;
  job.key.key_len = 32;
  const ow_status status = ow_queue_run(&queue, &job);
  memcpy(tag, job.tag, 16);
  jobs += status == OW_OK;
  return status;
}

static void check_atomics(void) {
  static volatile uint32_t word = 40;
  uint32_t before, failed;
  __asm__ volatile("amoadd.w %0, %1, (%2)" : "=r"(before) : "r"(2), "r"(&word) : "memory");
  expect(before == 40 && word == 42, "amoadd");
  __asm__ volatile("amoswap.w %0, %1, (%2)" : "=r"(before) : "r"(7), "r"(&word) : "memory");
  expect(before == 42 && word == 7, "amoswap");
  __asm__ volatile("lr.w %0, (%2)\nsc.w %1, %3, (%2)"
                   : "=&r"(before), "=&r"(failed)
                   : "r"(&word), "r"(8)
                   : "memory");
  expect(before == 7 && failed == 0 && word == 8, "sc after lr");
  __asm__ volatile("sc.w %0, %2, (%1)" : "=&r"(failed) : "r"(&word), "r"(9) : "memory");
  expect(failed != 0 && word == 8, "sc without lr");
  __asm__ volatile("lr.w %0, (%2)\nsc.w %1, %4, (%3)"
                   : "=&r"(before), "=&r"(failed)
                   : "r"(&word), "r"(&queue), "r"(9)
                   : "memory");
  expect(failed != 0, "sc to another line");
}

/* The device writes to a line that the CPU has reserved between lr and sc. */
static void check_reservation(void) {
  static _Alignas(64) uint32_t line[16];
  static const uint8_t key[32], nonce[12];
  uint8_t tag[16];
  uint32_t value, failed;
  __asm__ volatile("lr.w %0, (%1)" : "=r"(value) : "r"(line) : "memory");
  (void)crypt(tag, &line[4], &line[4], 16, key, nonce);
  __asm__ volatile("sc.w %0, %2, (%1)" : "=&r"(failed) : "r"(line), "r"(1) : "memory");
  expect(failed != 0 && line[0] == 0, "sc after the device's write");
}

static const uint8_t zeros[64];

/* Test case 14 of the GCM specification (McGrew and Viega), revised 2005. */
static void check_known_answer(void) {
  static const uint8_t text[] = {0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e,
                                 0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18};
  static const uint8_t good[] = {0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0,
                                 0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19};
  static struct gcm_zkn gcm;
  _Alignas(4) uint8_t data[16] = {0};
  uint8_t tag[16];
  gcm_zkn_set_key(&gcm, zeros);
  gcm_zkn_seal(&gcm, tag, data, data, sizeof(data), zeros);
  expect(memcmp(data, text, 16) == 0 && memcmp(tag, good, 16) == 0, "GCM by instructions");
  memset(data, 0, sizeof(data));
  const ow_status status = crypt(tag, data, data, sizeof(data), zeros, zeros);
  expect(status == OW_OK && memcmp(data, text, 16) == 0 && memcmp(tag, good, 16) == 0,
         "GCM by the accelerator");
}

/* Every length and place, from a fixed sequence. */
static void check_same_result(void) {
  static _Alignas(64) uint8_t data[2][1024 + 64];
  static struct gcm_zkn gcm;
  uint8_t key[32], nonce[12], tags[2][16];
  uint32_t random = 1;
  bool good = true;
  for (unsigned round = 0; round < 12; round++) {
    const uint32_t length = 16u * (1u + (random >> 8) % 64u), place = 4u * ((random >> 20) % 16u);
    for (unsigned i = 0; i < length; i++) {
      random = random * 1664525u + 1013904223u;
      data[0][place + i] = data[1][place + i] = (uint8_t)(random >> 24);
      key[i % 32u] = (uint8_t)(random >> 16);
      nonce[i % 12u] = (uint8_t)(random >> 8);
    }
    for (unsigned i = length; i < 32u; i++) {
      key[i] = (uint8_t)i;
    }
    gcm_zkn_set_key(&gcm, key);
    gcm_zkn_seal(&gcm, tags[0], &data[0][place], &data[0][place], length, nonce);
    good = good && crypt(tags[1], &data[1][place], &data[1][place], length, key, nonce) == OW_OK &&
           memcmp(tags[0], tags[1], 16) == 0 && memcmp(data[0], data[1], sizeof(data[0])) == 0;
  }
  expect(good, "instructions and accelerator agree");
}

/* The result's line holds words that the CPU changes while the device writes its neighbours. */
static void check_shared_line(void) {
  static _Alignas(64) struct {
    uint32_t before[2];
    uint8_t result[16];
    uint32_t after[10];
  } line;
  struct ow_job job = {.opcode = OW_OP_AES_GCM,
                       .tag_len = 16,
                       .length = 16,
                       .source = zeros,
                       .destination = line.result,
                       .iv = zeros,
                       .iv_len = 12};
  struct ow_job *list[] = {&job};
  job.key.bytes = zeros;
  job.key.key_len = 32;
  (void)ow_queue_submit(&queue, NULL, list, 1);
  uint32_t counted = 0;
  while (job.status == OW_PENDING) {
    line.before[1] = ++counted;
    line.after[0] = counted;
    (void)ow_queue_poll(&queue, NULL);
  }
  jobs += job.status == OW_OK;
  expect(line.before[1] == counted && line.after[0] == counted && line.result[0] == 0xce &&
             line.result[15] == 0x18,
         "a line that CPU and device write");
}

/* Returns after a time in which the job has ended. */
static bool never(void *context, unsigned index, uint32_t limit_us) {
  const uint32_t begin = soc_cycles();
  (void)context, (void)index, (void)limit_us;
  while (soc_cycles() - begin < 5000u) {
  }
  return false;
}

/* With messages so long that the driver does not find them finished before it sleeps. */
static void check_lost_interrupt(void) {
  static uint8_t data[16384];
  uint8_t tag[16];
  bool (*const wait)(void *, unsigned, uint32_t) = platform.wait_interrupt;
  ow_queue_set_interrupts(&queue, true, 1, 0);
  expect(crypt(tag, data, data, sizeof(data), zeros, zeros) == OW_OK &&
             queue.missed_interrupts == 0,
         "interrupt");
  platform.wait_interrupt = never;
  expect(crypt(tag, data, data, sizeof(data), zeros, zeros) == OW_OK &&
             queue.missed_interrupts == 1,
         "lost interrupt");
  platform.wait_interrupt = wait;
  ow_queue_set_interrupts(&queue, false, 0, 0);
}

static bool map_all(void *context, uint64_t *address, void *memory, size_t length,
                    ow_direction direction) {
  (void)context, (void)length, (void)direction;
  *address = (uintptr_t)memory;
  return true;
}

static void check_bus_error(void) {
  uint8_t data[16], tag[16];
  void *const nowhere = (void *)0x60000000;
  expect(crypt(tag, data, nowhere, 16, zeros, zeros) == OW_UNSUPPORTED,
         "memory that is not mapped");
  bool (*const map)(void *, uint64_t *, void *, size_t, ow_direction) = platform.map;
  platform.map = map_all;
  expect(crypt(tag, data, nowhere, 16, zeros, zeros) == OW_BUS_ERROR, "memory that is not there");
  platform.map = map;
}

int main(void) {
  soc_platform(&platform);
  if (ow_device_open(&device, &platform) != OW_OK || ow_queue_grant(&device, 0, NULL) != OW_OK ||
      ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2) != OW_OK) {
    printf("the device does not open\n");
    return 1;
  }
  check_atomics();
  if (soc_is_coherent()) {
    check_reservation();
  }
  check_known_answer();
  check_same_result();
  check_shared_line();
  check_lost_interrupt();
  check_bus_error();
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  expect(counters.jobs == jobs, "the device's count of jobs");
  printf("jobs %lu\n", (unsigned long)counters.jobs);
  return failures;
}
