/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Declarations that the driver's files share.
 */
#ifndef OUTWORK_PSA_SRC_DRIVER_H
#define OUTWORK_PSA_SRC_DRIVER_H

/* The driver is part of the library. */
#ifndef MBEDTLS_ALLOW_PRIVATE_ACCESS
#define MBEDTLS_ALLOW_PRIVATE_ACCESS
#endif

#include <psa/crypto.h>

#include "outwork_psa.h"
#include "outwork_psa_driver.h"

/* Returns the opcode of a hash; 0: not on the device. */
uint8_t ow_psa_hash_opcode(psa_algorithm_t hash);
/* Returns the opcode of an HMAC; 0: not on the device, or not an HMAC. */
uint8_t ow_psa_hmac_opcode(psa_algorithm_t alg);
/* Returns the opcode of a block cipher's mode with an AES key; 0: not on the device. */
uint8_t ow_psa_cipher_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg);
/* Returns the opcode of CMAC with an AES key; 0: not on the device. */
uint8_t ow_psa_cmac_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg);
/* Returns the opcode of an AEAD with an AES key; 0: not on the device. */
uint8_t ow_psa_aead_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg);

/* Returns whether a message goes to the device; if not, counts the fallback. */
bool ow_psa_wants(uint8_t opcode, uint8_t key_len, bool decrypt, size_t length);
/* Returns whether any piece of a message of unknown length could go to the device. */
bool ow_psa_may_want(uint8_t opcode, uint8_t key_len, bool decrypt);

#endif
