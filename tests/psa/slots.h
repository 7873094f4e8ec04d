/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Declares what the parts of the test psa_slots share.
 */
#ifndef OUTWORK_TEST_PSA_SLOTS_H
#define OUTWORK_TEST_PSA_SLOTS_H

#include "message.h"

/* The lifetime of a key in a slot. */
#define IN_SLOT OUTWORK_PSA_LIFETIME

/* Imports a key; unlike import(), returns PSA's status. */
psa_status_t try_import(psa_key_id_t *key, psa_key_type_t type, psa_key_lifetime_t lifetime,
                        psa_algorithm_t alg, psa_key_usage_t usage, const uint8_t *bytes,
                        size_t length);

/* The tests of slots_pka.c. */
/* Whether keys of all sizes are tested: they take long on the simulated board. */
extern bool large_keys;

void curves(void);
void rsa(void);

#endif
