/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What a hash or cipher operation keeps between two calls: Mbed TLS's own operation, so that at any
 * moment software can go on; and a key for the device's next job. Included by Mbed TLS.
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

/* Of a key in a slot: there is no software behind it. */
typedef struct {
  uint8_t slot;
  uint16_t generation; /* of the key in it */
  unsigned opening;    /* of the device */
  uint8_t opcode;
  uint8_t decrypt;
  uint8_t held_len;
  uint8_t held[16];  /* a block that is not full, or CTR's key stream */
  uint8_t chain[16]; /* the next IV */
} outwork_opaque_cipher_operation_t;

#endif
