/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the driver's parts share.
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

/* The opcode of a hash; 0: none of the device's. */
uint8_t ow_psa_hash_opcode(psa_algorithm_t hash);
/* The opcode of an HMAC; 0: none of the device's, or none. */
uint8_t ow_psa_hmac_opcode(psa_algorithm_t alg);
/* The opcode of a block cipher's mode on an AES key; 0: none of the device's. */
uint8_t ow_psa_cipher_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg);
/* The opcode of a CMAC on an AES key, or 0. */
uint8_t ow_psa_cmac_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg);
/* The opcode of an AEAD on an AES key; 0: none of the device's. */
uint8_t ow_psa_aead_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg);

/* Whether a message goes to the device, counted if not. */
bool ow_psa_wants(uint8_t opcode, uint8_t key_len, bool decrypt, size_t length);
/* Whether any piece of a message of unknown length might. */
bool ow_psa_may_want(uint8_t opcode, uint8_t key_len, bool decrypt);

#endif
