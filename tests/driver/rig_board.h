/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Functions of the rig that only the simulated board has.
 */
#ifndef OUTWORK_TEST_RIG_BOARD_H
#define OUTWORK_TEST_RIG_BOARD_H

#include "outwork/sim.h"
#include "rig.h"

struct ow_sim *rig_sim(const struct rig *rig);

#endif
