/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-256-GCM on the accelerator from a task that sleeps until the interrupt, and the share of the
 * CPU that a task with lower priority gets while messages stream through the device.
 */
#include "jobs.h"
#include "measure.h"
#include "soc_freertos.h"

#define WORDS    1024u /* of a task's stack */
#define BYTES    16384u
#define FLIGHT   8u
#define ROUNDS   8u
#define ALONE_MS 3u

static struct ow_platform platform;
static struct ow_queue queue;
static struct ow_job jobs[FLIGHT];
static _Alignas(64) uint8_t message[FLIGHT][BYTES];
static volatile uint32_t other_work;

static void stop(const char *what) {
  printf("%s failed\n", what);
  soc_exit(1);
}

static void measure_one(uint32_t bytes) {
  uint32_t least = UINT32_MAX; /* with warm caches, and without the kernel's tick */
  for (unsigned round = 0; round < 8; round++) {
    const uint32_t begin = soc_cycles();
    jobs_prepare(&jobs[0], message[0], bytes);
    if (ow_queue_run(&queue, &jobs[0]) != OW_OK) {
      stop("one message");
    }
    const uint32_t cycles = soc_cycles() - begin;
    least = cycles < least ? cycles : least;
  }
  print_row("freertos", bytes, 1, least);
}

/* Submits so many messages and sleeps until all are finished. */
static void flight(void) {
  struct ow_job *list[FLIGHT];
  for (unsigned i = 0; i < FLIGHT; i++) {
    jobs_prepare(&jobs[i], message[i], BYTES);
    list[i] = &jobs[i];
  }
  if (ow_queue_submit(&queue, NULL, list, FLIGHT) != OW_OK ||
      ow_queue_wait(&queue, list[FLIGHT - 1]) != OW_OK) {
    stop("a flight");
  }
}

/* Returns how much the other task does in 2^20 cycles, from its count and the cycles. */
static uint32_t rate(uint32_t work, uint32_t cycles) {
  return (uint32_t)(((uint64_t)work << 20) / cycles);
}

static void bench(void *parameter) {
  (void)parameter;
  measure_one(16);
  measure_one(1024);
  measure_one(BYTES);

  uint32_t begin = soc_cycles(), work = other_work;
  vTaskDelay(ALONE_MS);
  const uint32_t alone = rate(other_work - work, soc_cycles() - begin);

  ow_queue_set_interrupts(&queue, true, FLIGHT, 100000);
  flight();
  begin = soc_cycles();
  work = other_work;
  for (unsigned round = 0; round < ROUNDS; round++) {
    flight();
  }
  const uint32_t cycles = soc_cycles() - begin, beside = rate(other_work - work, cycles);
  print_row("freertos", BYTES, FLIGHT, cycles / (ROUNDS * FLIGHT));
  printf("free %lu %u %lu\n", (unsigned long)BYTES, FLIGHT, (unsigned long)(beside * 100u / alone));
  soc_exit(0);
}

static void do_other_work(void *parameter) {
  (void)parameter;
  for (;;) {
    other_work++;
  }
}

int main(void) {
  static StaticTask_t bench_task, other_task;
  static StackType_t bench_stack[WORDS], other_stack[WORDS];
  soc_freertos_platform(&platform);
  if (!jobs_open(&queue, &platform) || ow_queue_set_interrupts(&queue, true, 1, 0) != OW_OK) {
    return 1;
  }
  (void)xTaskCreateStatic(bench, "bench", WORDS, NULL, 2, bench_stack, &bench_task);
  (void)xTaskCreateStatic(do_other_work, "other", WORDS, NULL, 1, other_stack, &other_task);
  soc_freertos_start();
}
