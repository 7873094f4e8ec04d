/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SHA-3 (FIPS 202) for a CPU of 32 bits: the fastest portable code that the accelerator is compared
 * with. Lanes are kept as a word of their even bits and one of their odd bits, so that a rotation
 * of 64 bits is two of 32.
 */
#ifndef KECCAK32_H
#define KECCAK32_H

#include <stddef.h>
#include <stdint.h>

/* Computes SHA3-(8 * digest_len) of a message in one piece; digest_len: 28, 32, 48 or 64 bytes. */
void keccak32_sha3(uint8_t *digest, size_t digest_len, const uint8_t *message, size_t length);

#endif
