/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A point of the lab in a task of FreeRTOS: waits are for the interrupt, and a task with lower
 * priority works meanwhile. How much it does shows what is left of the CPU.
 */
#include "point.h"
#include "soc.h"
#include "soc_freertos.h"

#define WORDS    4096u /* of a task's stack */
#define ALONE_MS 2u

void point_platform(struct ow_platform *platform) {
  soc_freertos_platform(platform);
}

static void measure(void *parameter) {
  struct point *const point = (struct point *)POINT_BASE;
  (void)parameter;
  const uint32_t begin = soc_cycles(), work = point_other_work;
  vTaskDelay(ALONE_MS);
  point->other_alone = point_other_work - work;
  point->other_alone_cycles = soc_cycles() - begin;
  soc_exit(point_measure());
}

static void work(void *parameter) {
  (void)parameter;
  for (;;) {
    point_other_work++;
  }
}

int main(void) {
  static StaticTask_t measuring, working;
  static StackType_t measuring_stack[WORDS], working_stack[WORDS];
  (void)xTaskCreateStatic(measure, "measure", WORDS, NULL, 2, measuring_stack, &measuring);
  (void)xTaskCreateStatic(work, "work", WORDS, NULL, 1, working_stack, &working);
  soc_freertos_start();
}
