/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the programs of this folder share: crypto libraries with their plug-in, on the bare machine
 * or in a task.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "offload_firmware.h"
#include "soc.h"

/* Opens device and queue and gives them to the plug-ins. Prints the reason and returns false if
 * that fails. */
bool library_open(void);

/* Returns how many jobs the device has counted on the queue. */
uint32_t library_jobs(void);

/* Random numbers of a generator that costs nothing: nothing here is secret. */
void library_random(uint8_t *bytes, size_t length);

/* Each program defines it; returns the exit status. */
int library_measure(void);

/* The environment's (bare_metal.c, freertos.c): fills the platform, and what tasks need. */
void library_environment(struct ow_platform *platform, struct ow_offload_firmware *firmware);

#endif
