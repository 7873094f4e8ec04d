/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-256-GCM on the accelerator, with a key in a slot: from the call of the driver until the
 * result may be read, caches included.
 */
#include "jobs.h"
#include "measure.h"

static struct ow_platform platform;
static struct ow_queue queue;
static struct ow_job jobs[JOBS_MAX];
static _Alignas(64) uint8_t message[MESSAGE_BYTES_MAX];

/* Returns the cycles of `batch` messages of so many bytes each, from submitting the jobs; 0: one
 * has failed. A program keeps its jobs, and changes a pointer or two. */
static uint32_t measure(uint32_t bytes, uint32_t batch) {
  struct ow_job *list[JOBS_MAX];
  size_t accepted = 0, finished = 0, done = 0;
  for (uint32_t i = 0; i < batch; i++) {
    jobs_prepare(&jobs[i], message + i * bytes, bytes);
    list[i] = &jobs[i];
  }
  const uint32_t begin = soc_cycles();
  if (ow_queue_submit(&queue, &accepted, list, batch) != OW_OK || accepted != batch) {
    return 0;
  }
  while (done < batch) {
    if (ow_queue_poll(&queue, &finished) != OW_OK) {
      return 0;
    }
    done += finished;
  }
  const uint32_t cycles = soc_cycles() - begin;
  for (uint32_t i = 0; i < batch; i++) {
    if (jobs[i].status != OW_OK) {
      return 0;
    }
  }
  return cycles;
}

static int failed(const char *what, uint32_t bytes) {
  printf("%s failed with %lu bytes\n", what, (unsigned long)bytes);
  return 1;
}

int main(void) {
  soc_platform(&platform);
  if (!jobs_open(&queue, &platform)) {
    return 1;
  }
  uint64_t wanted = 0;
  for (unsigned i = 0; i < MESSAGE_SIZES; i++) {
    const uint32_t bytes = message_bytes[i];
    uint32_t cycles = 0;
    for (unsigned round = 0; round < 3; round++) { /* the last one counts: caches are warm */
      fill_message(message, bytes);
      cycles = measure(bytes, 1);
      wanted++;
      if (cycles == 0) {
        return failed("one message", bytes);
      }
    }
    print_row("device", bytes, 1, cycles);
    print_tag(bytes, jobs[0].tag);
  }
  for (unsigned i = 0; i < 3; i++) {
    const uint32_t bytes = message_bytes[i];
    uint32_t cycles = 0;
    for (unsigned round = 0; round < 3; round++) {
      cycles = measure(bytes, JOBS_MAX);
      wanted += JOBS_MAX;
      if (cycles == 0) {
        return failed("a batch", bytes);
      }
    }
    print_row("device", bytes, JOBS_MAX, cycles / JOBS_MAX);
  }
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  printf("jobs %lu of %lu\n", (unsigned long)counters.jobs, (unsigned long)wanted);
  return counters.jobs == wanted ? 0 : 1;
}
