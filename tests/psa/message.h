/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Functions that the PSA driver's tests share: the device, if they use it, and random messages.
 */
#ifndef OUTWORK_TEST_PSA_MESSAGE_H
#define OUTWORK_TEST_PSA_MESSAGE_H

#include <psa/crypto.h>

#include "check.h"
#include "outwork_psa.h"

/* Opens the board of a library, initialises PSA, and sends everything to the device. */
void begin(const char *library);
/* Uses the driver from now on, or not. */
void choose(bool with);
/* Returns the jobs of the device in this process. */
uint64_t jobs(void);
void end(void);

/* After trouble(), each call of disturb() may start or end a failure of the library's fake
 * device. */
void trouble(const char *library);
void disturb(void);
/* Ends the failures; returns when `play` uses the device again. */
void recover(void (*play)(void));

uint32_t roll(uint32_t sides);
void fill(uint8_t *bytes, size_t length);
/* Chooses three places to cut a message, in order. */
void cut(uint32_t cuts[3], uint32_t length);
psa_key_id_t import(psa_key_type_t type, psa_key_lifetime_t lifetime, psa_algorithm_t alg,
                    psa_key_usage_t usage, const uint8_t *bytes, size_t length);
psa_key_id_t aes_key(size_t length, psa_algorithm_t alg, psa_key_usage_t usage);

#endif
