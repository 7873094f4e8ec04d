/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device under valgrind, as far as secrets go: it may look at whatever it is given, for
 * hardware is not held to this; what its public-key engine gives back is secret.
 */
#ifndef OUTWORK_TEST_SECRET_DEVICE_H
#define OUTWORK_TEST_SECRET_DEVICE_H

#include "fake_device.h"

void secret_device(struct fake_device *fake);

#endif
