/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hash and cipher operations in pieces. Each contains Mbed TLS's own operation, which is always up
 * to date, so that software can continue at any time; and the key for the device's next job.
 * Included by Mbed TLS.
 */
#ifndef OUTWORK_PSA_PRIMITIVES_H
#define OUTWORK_PSA_PRIMITIVES_H

typedef mbedtls_psa_hash_operation_t outwork_transparent_hash_operation_t;

typedef struct {
  mbedtls_psa_cipher_operation_t software;
  uint8_t key[32];
  uint8_t key_len;
  uint8_t opcode;
  uint8_t decrypt;
} outwork_transparent_cipher_operation_t;

/* An operation under a key in a slot: software cannot continue it. */
typedef struct {
  uint8_t slot;
  /* of the key in the slot */
  uint16_t generation;
  /* of the device, to notice that it was opened again */
  unsigned opening;
  uint8_t opcode;
  uint8_t decrypt;
  uint8_t held_len;
  /* a partial block, or CTR's key stream */
  uint8_t held[16];
  /* the next IV */
  uint8_t chain[16];
} outwork_opaque_cipher_operation_t;

#endif
