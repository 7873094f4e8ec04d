/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A rig on the board with the driver's public-key calls opened.
 */
#ifndef OUTWORK_TEST_RIG_PKA_H
#define OUTWORK_TEST_RIG_PKA_H

#include <openssl/bn.h>

#include "check.h"
#include "rig_board.h"

extern struct rig rig;
extern struct ow_pka *pka;

void open_rig(void);
/* Closes the rig; checks that the calls have wiped keys and messages from their memory. */
void close_rig(void);
/* Returns how many jobs have ended with OW_OK since the last call. */
unsigned jobs_since(void);

/* Writes a random number below `limit`. */
void random_below(uint8_t *bytes, size_t length, const BIGNUM *limit);

#endif
