/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The device for a crypto library's plug-in in firmware.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stdint.h>

/* Opens device and queue and gives them to the plug-ins. Prints the reason and returns false if
 * that fails. */
bool device_open(void);

/* Returns how many jobs the device has counted on the queue. */
uint32_t device_jobs(void);

#endif
