/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Declares what the PSA driver's tests share: access to the device, and random messages.
 */
#ifndef OUTWORK_TEST_PSA_MESSAGE_H
#define OUTWORK_TEST_PSA_MESSAGE_H

#include <psa/crypto.h>

#include "check.h"
#include "outwork_psa.h"

/* Opens the board of a library, initialises PSA, and sends everything to the device. end() closes
 * both. */
void begin(const char *library);
/* The same with a policy that sends only pieces of at least so many bytes to the device. */
void begin_above(const char *library, unsigned least);
/* Selects for the following operations: the driver, or software only. */
void choose(bool with);
/* Returns the number of jobs that the device has done for this process. */
uint64_t jobs(void);
void end(void);

/* Enables faults: from now on, each call of disturb() may start or end a failure of the fake device
 * in `library`. Until then disturb() does nothing. */
void trouble(const char *library);
void disturb(void);
/* Ends all failures and calls `play` until the device does jobs again; at most 500 times. */
void recover(void (*play)(void));

/* Begins another series of pseudo-random numbers. */
void reseed(uint32_t seed);
/* Returns a pseudo-random number below `sides`; 0 for 0. */
uint32_t roll(uint32_t sides);
/* Writes pseudo-random bytes. */
void fill(uint8_t *bytes, size_t length);
/* Chooses at random three places to cut a message of `length` bytes, in ascending order. */
void cut(uint32_t cuts[3], uint32_t length);
/* Import a key that PSA must accept, and an AES key of `length` random bytes. The caller destroys
 * it. */
psa_key_id_t import(psa_key_type_t type, psa_key_lifetime_t lifetime, psa_algorithm_t alg,
                    psa_key_usage_t usage, const uint8_t *bytes, size_t length);
psa_key_id_t aes_key(size_t length, psa_algorithm_t alg, psa_key_usage_t usage);

#endif
