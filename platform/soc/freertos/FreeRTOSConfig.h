/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * FreeRTOS on the system on chip: preemptive, tasks and their memory are static, a tick is 1 ms of
 * a clock that is declared as 100 MHz.
 */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include "soc_map.h"

#define configMTIME_BASE_ADDRESS    (SOC_CLINT_BASE + 0xbff8u)
#define configMTIMECMP_BASE_ADDRESS (SOC_CLINT_BASE + 0x4000u)

#define configCPU_CLOCK_HZ            100000000u
#define configTICK_RATE_HZ            1000u
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES          5
#define configMINIMAL_STACK_SIZE      512 /* words; printf takes most */
#define configISR_STACK_SIZE_WORDS    512
#define configMAX_TASK_NAME_LEN       16

#define configUSE_PREEMPTION                    1
#define configUSE_TIME_SLICING                  1
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 1
#define configUSE_IDLE_HOOK                     1 /* soc_freertos.c sleeps there */
#define configUSE_TICK_HOOK                     0
#define configSUPPORT_STATIC_ALLOCATION         1
#define configSUPPORT_DYNAMIC_ALLOCATION        0
#define configKERNEL_PROVIDED_STATIC_MEMORY     1
#define configCHECK_FOR_STACK_OVERFLOW          2
#define configTASK_NOTIFICATION_ARRAY_ENTRIES   2 /* the second one is the driver's */

#define configUSE_TIMERS                  0
#define configUSE_MUTEXES                 1
#define INCLUDE_vTaskDelay                1
#define INCLUDE_vTaskSuspend              1
#define INCLUDE_xTaskGetCurrentTaskHandle 1

void soc_freertos_assert(const char *file, int line);
#define configASSERT(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      soc_freertos_assert(__FILE__, __LINE__);                                                     \
    }                                                                                              \
  } while (0)

#endif
