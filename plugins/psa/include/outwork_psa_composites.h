/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * MAC and AEAD operations in pieces. Each contains Mbed TLS's own operation, which is always up to
 * date, so that software can continue at any time; and the key for the device's next job. Included
 * by Mbed TLS.
 */
#ifndef OUTWORK_PSA_COMPOSITES_H
#define OUTWORK_PSA_COMPOSITES_H

typedef struct {
  mbedtls_psa_mac_operation_t software;
  /* of the message so far */
  uint64_t bytes;
  uint8_t key[32];
  uint8_t key_len;
} outwork_transparent_mac_operation_t;

/* An operation under a key in a slot: software cannot continue it. */
typedef struct {
  uint8_t slot;
  /* of the key in the slot */
  uint16_t generation;
  /* of the device, to notice that it was opened again */
  unsigned opening;
  uint8_t opcode;
  /* `state` is valid */
  uint8_t begun;
  uint32_t held_len;
  /* bytes of the message that have not been sent yet */
  uint8_t held[256];
  /* sealed by the device */
  uint8_t state[256];
} outwork_opaque_mac_operation_t;

typedef struct {
  mbedtls_psa_aead_operation_t software;
  uint8_t key[32];
  uint8_t key_len;
  uint8_t decrypt;
} outwork_transparent_aead_operation_t;

#endif
