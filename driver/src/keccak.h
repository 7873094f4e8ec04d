/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keccak in software.
 */
#ifndef OUTWORK_KECCAK_H
#define OUTWORK_KECCAK_H

#include <stdint.h>

#define OW_KECCAK_BYTES 200u

/* Keccak-f[1600] (FIPS 202 3.3) on the bytes of a state in the order of FIPS 202 3.1.2 and B.1. */
void ow_keccak_f(uint8_t state[OW_KECCAK_BYTES]);

#endif
