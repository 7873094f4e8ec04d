/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Interrupts of the accelerator become notifications of tasks.
 *
 * An interrupt is claimed in the handler and completed at the task's next wait, when the driver has
 * cleared its level in the device: completed at once it would be pending again.
 */
#include "soc_freertos.h"

#include <stdio.h>

#include "outwork/spec.h"

#define DRIVER_NOTIFICATION   1u
#define MICROSECONDS_PER_TICK (1000000u / configTICK_RATE_HZ)
#define PLIC                  ((volatile uint32_t *)SOC_PLIC_BASE)
#define PLIC_ENABLE           PLIC[0x2000u / 4u]
#define PLIC_CLAIM            PLIC[0x200004u / 4u]

static TaskHandle_t waiting[OW_QUEUE_COUNT];
static volatile bool claimed[OW_QUEUE_COUNT];

void freertos_risc_v_application_interrupt_handler(uint32_t cause) {
  BaseType_t woken = pdFALSE;
  (void)cause; /* the timer's is the kernel's: this is one of the interrupt controller */
  const uint32_t queue = PLIC_CLAIM - SOC_OUTWORK_SOURCE;
  if (queue < OW_QUEUE_COUNT) {
    claimed[queue] = true;
    vTaskNotifyGiveIndexedFromISR(waiting[queue], DRIVER_NOTIFICATION, &woken);
  }
  portYIELD_FROM_ISR(woken);
}

void freertos_risc_v_application_exception_handler(uint32_t cause) {
  uint32_t address, value;
  __asm__ volatile("csrr %0, mepc\ncsrr %1, mtval" : "=r"(address), "=r"(value));
  (void)soc_trap(cause, address, value);
  soc_exit(125); /* the kernel's trap handler cannot go on elsewhere */
}

static bool wait_interrupt(void *context, unsigned queue, uint32_t limit_us) {
  const uint32_t source = SOC_OUTWORK_SOURCE + queue;
  (void)context;
  waiting[queue] = xTaskGetCurrentTaskHandle();
  if (claimed[queue]) {
    claimed[queue] = false;
    PLIC_CLAIM = source;
  }
  PLIC[source] = 1; /* its priority */
  taskENTER_CRITICAL();
  PLIC_ENABLE |= 1u << source;
  taskEXIT_CRITICAL();
  const TickType_t ticks = limit_us / MICROSECONDS_PER_TICK + 1u;
  return ulTaskNotifyTakeIndexed(DRIVER_NOTIFICATION, pdTRUE, ticks) != 0u;
}

void soc_freertos_platform(struct ow_platform *platform) {
  soc_platform(platform);
  platform->wait_interrupt = wait_interrupt;
}

_Noreturn void soc_freertos_start(void) {
  extern void freertos_risc_v_trap_handler(void);
  __asm__ volatile("csrw mtvec, %0" ::"r"(freertos_risc_v_trap_handler));
  vTaskStartScheduler();
  soc_freertos_assert(__FILE__, __LINE__); /* it returns only if memory is short */
  soc_exit(1);
}

void soc_freertos_assert(const char *file, int line) {
  printf("%s:%d: an assertion of FreeRTOS has failed\n", file, line);
  soc_exit(1);
}

void vApplicationIdleHook(void) {
  __asm__ volatile("wfi");
}

void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  printf("The stack of the task %s is too small\n", name);
  soc_exit(1);
}
