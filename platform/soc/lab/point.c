/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Measures a point of the lab with the adapter that is linked to it: the loop of the CPU libraries,
 * whose clock counts the system's cycles here.
 */
#include "point.h"
#include "adapter.h"

#include <stdbool.h>
#include <stdio.h>

#include "soc.h"

struct point_device point_device;
volatile uint32_t point_other_work;

uint64_t ow_lab_clock(void) {
  return soc_cycles64();
}

static bool open_contexts(const struct ow_lab_work *work) {
  const struct point *const point = point_here();
  for (uint32_t i = 0; i < work->contexts_len; i++) {
    work->contexts[i] = work->calls->open(&work->setting);
    if (work->contexts[i] == NULL ||
        !work->calls->set_key(work->contexts[i], point->context_keys[i])) {
      return false;
    }
  }
  return true;
}

static uint32_t run(struct ow_lab_work *work, uint32_t turns) {
  uint64_t cycles = 0;
  point_here()->wrong += (uint32_t)ow_lab_run(&cycles, work, turns);
  return (uint32_t)cycles;
}

static uint32_t idle_cycles(void) {
  return point_device.idle_cycles != NULL ? point_device.idle_cycles() : 0;
}

int point_measure(void) {
  struct point *const point = point_here();
  static void *contexts[POINT_KEYS];
  const struct ow_lab_calls *calls = ow_lab_adapter("");
  if (point->point_bytes != sizeof(*point) || calls == NULL) {
    printf("The point has %lu bytes, not %u.\n", (unsigned long)point->point_bytes,
           (unsigned)sizeof(*point));
    return 1;
  }
  struct ow_lab_work work = {
      .calls = calls,
      .setting = {.opcode = point->opcode,
                  .is_inverse = point->is_inverse,
                  .is_kept = point->is_kept,
                  .key_len = point->key_len,
                  .iv_len = point->iv_len,
                  .tag_len = point->tag_len,
                  .length = point->length},
      .contexts = contexts,
      .contexts_len = point->contexts_len,
      .messages = point->messages,
      .messages_len = point->messages_len,
      .batch = point->batch,
      .keys = point->keys,
      .counts_up = point->counts_up,
  };
  const char *why = calls->refuses(&work.setting);
  if (why == NULL && point->turns != 0 && !open_contexts(&work)) {
    why = "it does not take its key";
  }
  if (why != NULL) {
    printf("%s\n", why);
    return 1;
  }
  if (point->turns == 0) {
    return 0; /* it was only asked whether it can */
  }
  (void)run(&work, point->warm_turns);
  const uint32_t other_work = point_other_work;
  const uint32_t idle = idle_cycles();
  point_device.polling_cycles = 0;
  point->cycles = run(&work, point->turns);
  point->polling_cycles = point_device.polling_cycles + idle_cycles() - idle;
  point->other_work = point_other_work - other_work;
  work.calls = ow_lab_empty();
  work.counts_up = 0; /* the last IVs and keys belong to the results */
  point->empty_cycles = run(&work, point->turns);
  work.counts_up = point->counts_up;
  work.calls = calls;
  work.messages_len = 1;
  work.batch = 1;
  (void)run(&work, point->alone_turns);
  point->alone_cycles = run(&work, point->alone_turns);
  point->jobs = point_device.finish != NULL ? point_device.finish() : 0;
  return point->wrong != 0;
}
