/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A fake device that can be made to fail.
 */
#ifndef OUTWORK_TEST_OPENSSL_TROUBLE_H
#define OUTWORK_TEST_OPENSSL_TROUBLE_H

#include "host.h"

#define TROUBLE_KINDS 8u

/* How often each kind of trouble was made; the last one: none. */
extern uint64_t trouble_injected[TROUBLE_KINDS];

/* Whether the board (OUTWORK_TEST_LIBRARY) is the fake one; without it the others may not be
 * called.
 */
bool trouble_find(void);
/* Something goes wrong, or is mended. */
void trouble_harm(void);
/* The next job fails, now and then. */
void trouble_fail_next(void);
/* The next job fails. */
void trouble_fail_one(void);
/* It answers no more. */
void trouble_vanish(void);
/* All is well again. */
void trouble_mend(void);
/* Rung so far. */
uint32_t trouble_doorbells(void);

#endif
