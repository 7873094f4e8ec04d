/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What a MAC or AEAD operation keeps between two calls: Mbed TLS's own operation, so that at any
 * moment software can go on; and a key for the device's next job. Included by Mbed TLS.
 */
#ifndef OUTWORK_PSA_COMPOSITES_H
#define OUTWORK_PSA_COMPOSITES_H

typedef struct {
  mbedtls_psa_mac_operation_t software;
  uint64_t bytes; /* of the message so far */
  uint8_t key[32];
  uint8_t key_len;
} outwork_transparent_mac_operation_t;

/* Of a key in a slot: there is no software behind it. */
typedef struct {
  uint8_t slot;
  uint16_t generation; /* of the key in it */
  unsigned opening;    /* of the device */
  uint8_t opcode;
  uint8_t begun; /* a state has been saved */
  uint32_t held_len;
  uint8_t held[256];  /* of the message, not sent yet */
  uint8_t state[256]; /* sealed by the device */
} outwork_opaque_mac_operation_t;

typedef struct {
  mbedtls_psa_aead_operation_t software;
  uint8_t key[32];
  uint8_t key_len;
  uint8_t decrypt;
} outwork_transparent_aead_operation_t;

#endif
