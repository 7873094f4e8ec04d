/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The driver tests' fake device behind the simulated board's interface: libow_board_fake.so, for
 * tests of plug-ins that run much faster than RTL, and for failures.
 */
#ifndef OUTWORK_TEST_FAKE_BOARD_H
#define OUTWORK_TEST_FAKE_BOARD_H

#include "fake_device.h"

/* Return the device of the board opened last, locked, and unlock it. NULL: none is open, and
 * nothing to unlock. */
typedef struct fake_device *fake_board_lock_fn(void);
typedef void fake_board_unlock_fn(void);
fake_board_lock_fn fake_board_lock;
fake_board_unlock_fn fake_board_unlock;

#endif
