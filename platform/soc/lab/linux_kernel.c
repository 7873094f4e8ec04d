/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A point of the lab in the kernel under Linux: gives the accelerator to its module, says where its
 * code is, then loads the module that measures (platform/linux/kernel/lab).
 */
#include "guest.h"
#include "soc_map.h"
#include "system_calls.h"

#define TEXT(value)    TEXT_OF(value)
#define TEXT_OF(value) #value

/* Comes to its end only if a module is refused. */
_Noreturn void _start(void) {
  if (guest_bind(SOC_OUTWORK_BASE) > 0 && guest_say_module() > 0) {
    (void)guest_load("/outwork_lab.ko", "registers=" TEXT(SOC_OUTWORK_BASE));
  }
  system_exit(1);
}
