/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device under valgrind, for secrets: it may read all its inputs, because the check does
 * not apply to hardware; the outputs of its public-key engine are secret.
 */
#ifndef OUTWORK_TEST_SECRET_DEVICE_H
#define OUTWORK_TEST_SECRET_DEVICE_H

#include "fake_device.h"

void secret_device(struct fake_device *fake);

#endif
