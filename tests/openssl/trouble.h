/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A fake device that can be made to fail.
 */
#ifndef OUTWORK_TEST_OPENSSL_TROUBLE_H
#define OUTWORK_TEST_OPENSSL_TROUBLE_H

#include "host.h"

#define TROUBLE_KINDS 8u

/* The number of failures of each kind; the last kind is no failure. */
extern uint64_t trouble_injected[TROUBLE_KINDS];

/* Returns whether the board (OUTWORK_TEST_LIBRARY) is the fake one; if not, the other functions
 * must not be called. */
bool trouble_find(void);
/* Starts or ends a random failure. */
void trouble_harm(void);
/* Sometimes makes the next job fail. */
void trouble_fail_next(void);
/* Makes the next job fail. */
void trouble_fail_one(void);
/* Stops the device from answering. */
void trouble_vanish(void);
/* The same, and no board can be opened again in this process. */
void trouble_remove(void);
/* Ends all failures. */
void trouble_end(void);
/* Returns the number of doorbells so far. */
uint32_t trouble_doorbells(void);

#endif
