/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A public-key engine for the fake device, based on libcrypto.
 */
#ifndef OUTWORK_TEST_OPENSSL_FAKE_PKA_H
#define OUTWORK_TEST_OPENSSL_FAKE_PKA_H

#include <openssl/bn.h>

#include "fake_device.h"

/* Adds the engine to the device, with the registers that report it. */
void fake_pka_fit(struct fake_device *fake);

/* fake_ed25519.c: the engine's operations of Ed25519. */
unsigned fake_ed25519(struct fake_pka_job *job, BN_CTX *ctx);

#endif
