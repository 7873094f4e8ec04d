/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A lattice engine for the fake device, based on libcrypto from release 3.5 on.
 */
#ifndef OUTWORK_TEST_OPENSSL_FAKE_LATTICE_H
#define OUTWORK_TEST_OPENSSL_FAKE_LATTICE_H

#include "fake_device.h"

/* Adds the engine to the device, with the registers that report it. */
void fake_lattice_fit(struct fake_device *fake);

#endif
