/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What comes before a point of the lab under a Linux with the kernel module: loads it, which takes
 * longer than a point, and does not give it the accelerator yet, so that a checkpoint can follow.
 * Every request will go to the device, however small it is.
 */
#include "guest.h"
#include "system_calls.h"

_Noreturn void _start(void) {
  const int good = guest_mount("sysfs", "/sys") == 0 &&
                   guest_write_file("/sys/bus/platform/drivers_autoprobe", "0") > 0 &&
                   guest_load("/outwork.ko", "minimum_cipher=0 minimum_hash=0") == 0;
  system_exit(good ? 0 : 1);
}
