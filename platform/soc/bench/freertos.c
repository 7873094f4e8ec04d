/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-256-GCM on the accelerator from a task that sleeps until the interrupt, and the share of the
 * CPU that a task with lower priority gets while messages stream through the device.
 */
#include "jobs.h"
#include "measure.h"
#include "soc_freertos.h"

#define WORDS     1024u /* of a task's stack */
#define BYTES_MAX 65536u
#define FLIGHT    8u
#define HALF      (FLIGHT / 2u)
#define HALVES    30u
#define ALONE_MS  3u

static struct ow_platform platform;
static struct ow_queue queue;
static struct ow_job jobs[FLIGHT];
static _Alignas(64) uint8_t message[FLIGHT][BYTES_MAX];
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

/* Streams messages: while the device works on one half of those in flight, the task collects the
 * other half and submits it again. The interrupt comes once per half. */
static void stream(unsigned halves) {
  struct ow_job *list[FLIGHT];
  for (unsigned i = 0; i < FLIGHT; i++) {
    list[i] = &jobs[i];
  }
  bool good = ow_queue_submit(&queue, NULL, list, FLIGHT) == OW_OK;
  for (unsigned i = 0; i < halves && good; i++) {
    struct ow_job **half = &list[i % 2u * HALF];
    good = ow_queue_wait(&queue, half[HALF - 1u]) == OW_OK &&
           ow_queue_submit(&queue, NULL, half, HALF) == OW_OK;
  }
  if (!good || ow_queue_wait(&queue, NULL) != OW_OK) {
    stop("the stream");
  }
}

/* Returns how much the other task does in 2^20 cycles, from its count and the cycles. */
static uint32_t rate(uint32_t work, uint32_t cycles) {
  return (uint32_t)(((uint64_t)work << 20) / cycles);
}

/* Prints the cycles of a message, and the per cent that the other task has of what it has alone. */
static void measure_stream(uint32_t bytes, uint32_t alone) {
  for (unsigned i = 0; i < FLIGHT; i++) {
    jobs_prepare(&jobs[i], message[i], bytes);
  }
  stream(2); /* warms the caches */
  const uint32_t begin = soc_cycles(), work = other_work;
  stream(HALVES);
  const uint32_t cycles = soc_cycles() - begin, beside = rate(other_work - work, cycles);
  print_row("freertos", bytes, FLIGHT, cycles / (HALVES * HALF + FLIGHT));
  printf("free %lu %u %lu\n", (unsigned long)bytes, FLIGHT, (unsigned long)(beside * 100u / alone));
}

static void bench(void *parameter) {
  (void)parameter;
  measure_one(16);
  measure_one(1024);
  measure_one(16384);

  const uint32_t begin = soc_cycles(), work = other_work;
  vTaskDelay(ALONE_MS);
  const uint32_t alone = rate(other_work - work, soc_cycles() - begin);
  ow_queue_set_interrupts(&queue, true, HALF, 100000);
  measure_stream(4096, alone);
  measure_stream(16384, alone);
  measure_stream(BYTES_MAX, alone);
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
