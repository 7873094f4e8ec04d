/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Functions that the tests of the wolfSSL callback share: random numbers, counters, and a board
 * that can be switched off.
 */
#ifndef OUTWORK_TEST_WOLFSSL_RIG_H
#define OUTWORK_TEST_WOLFSSL_RIG_H

#include <stdbool.h>

#include "check.h" /* before wolfSSL undefines _GNU_SOURCE */

#include <wolfssl/options.h>

#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/types.h>
#include <wolfssl/wolfcrypt/wc_port.h>

#include "outwork_wolfssl.h"

#define DEVICE 0x4f57

/* Begins another series of random numbers. */
void reseed(uint32_t seed);
/* Returns 0 to sides - 1; the same on every machine. */
uint32_t roll(uint32_t sides);
void fill(uint8_t *bytes, size_t length);

/* Registers the callback with a board's library; sends everything to the device. */
void rig_open(const char *library);
/* The same for these opcodes only. */
void rig_open_for(const char *library, unsigned first, unsigned last);
/* The same for messages and pieces of at least so many bytes. */
void rig_open_above(const char *library, unsigned least);
void rig_close(void);
/* Parses the arguments LIBRARY WAY; returns whether WAY is this one. */
bool rig_is(int argc, char **argv, const char *way);
uint64_t rig_jobs(void);
/* Checks that there were so many since the last time; that begins with `rig_seen = rig_jobs()`. */
#define CHECK_JOBS(expected)                                                                       \
  do {                                                                                             \
    CHECK_EQUAL(rig_jobs() - rig_seen, (expected));                                                \
    rig_seen = rig_jobs();                                                                         \
  } while (0)
extern uint64_t rig_seen;
/* Returns the requests that the CPU did because the device failed or was missing. */
uint64_t rig_failures(void);

/* For the flaky board only: after this number of doorbells, the device does not answer. */
#define RIG_ALWAYS UINT32_MAX
void rig_allow(uint32_t doorbells);
/* Returns what the device's own registers count. */
uint32_t rig_device_jobs(void);
/* Returns when a device that was abandoned has been opened again. */
void rig_recover(void);

#endif
