/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A library in a task of FreeRTOS: requests sleep until the interrupt, and a task with lower
 * priority works meanwhile.
 */
#include "soc_freertos.h" /* before semphr.h */

#include "library.h"
#include "semphr.h"

#define WORDS 16384u /* of a task's stack */

static SemaphoreHandle_t mutex;
static volatile uint32_t other_work;

static void lock(void *context) {
  (void)context;
  (void)xSemaphoreTake(mutex, portMAX_DELAY);
}

static void unlock(void *context) {
  (void)context;
  (void)xSemaphoreGive(mutex);
}

void library_environment(struct ow_platform *platform, struct ow_offload_firmware *firmware) {
  static StaticSemaphore_t memory;
  mutex = xSemaphoreCreateMutexStatic(&memory);
  firmware->lock = lock;
  firmware->unlock = unlock;
  soc_freertos_platform(platform);
}

static void measure(void *parameter) {
  (void)parameter;
  const int status = library_measure();
  printf("The other task has counted to %lu.\n", (unsigned long)other_work);
  soc_exit(status);
}

static void work(void *parameter) {
  (void)parameter;
  for (;;) {
    other_work++;
  }
}

int main(void) {
  static StaticTask_t measuring, working;
  static StackType_t measuring_stack[WORDS], working_stack[WORDS / 16];
  (void)xTaskCreateStatic(measure, "measure", WORDS, NULL, 2, measuring_stack, &measuring);
  (void)xTaskCreateStatic(work, "work", WORDS / 16, NULL, 1, working_stack, &working);
  soc_freertos_start();
}
