/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the public-key files share: jobs, lengths, and the generator.
 */
#ifndef OUTWORK_PK_INTERNAL_H
#define OUTWORK_PK_INTERNAL_H

#include "internal.h"
#include "outwork/pk_schemes.h"

/* A job that is being put together: key and payload grow, then it runs. */
struct ow_pk_job {
  struct ow_pk *pk;
  uint8_t opcode;
  bool slotted;
  bool key_is_input; /* RSA_LOAD: the key is what the device reads as payload */
  uint8_t slot;
  uint16_t generation;
  uint8_t parameters[OW_PK_PARAMETERS_SIZE];
  size_t key_len;
  size_t input_len;
  size_t output_len;
  ow_status status; /* of what went wrong so far */
};

struct ow_pk_job ow_pk_job_make(struct ow_pk *pk, uint8_t opcode);
/* Sets a length in the parameters: n, e (or the curve), p, q. */
void ow_pk_job_length(struct ow_pk_job *job, unsigned index, size_t bits);
/* Appends a number in so many bytes: leading zeros are added or dropped. */
void ow_pk_job_key(struct ow_pk_job *job, struct ow_number number, size_t bytes);
void ow_pk_job_input(struct ow_pk_job *job, struct ow_number number, size_t bytes);
/* Appends random bytes, unless the key is in a slot: then the device makes them. */
void ow_pk_job_blinding(struct ow_pk_job *job, size_t bytes);
/* Runs it, copies the result out and wipes. */
ow_status ow_pk_job_run(struct ow_pk_job *job, uint8_t *output);
/* Any job, in the way that the caller chose. */
ow_status ow_pk_run(struct ow_pk *pk, struct ow_job *job);

/* drbg.c: 1 if no block of a stretch is zero or equals the one before it (for the first: `last`),
 * and the last one is not `last` either; without a branch on the blocks. */
#define OW_STRETCH_BYTES 576u
uint32_t ow_drbg_is_sound(const uint8_t stretch[OW_STRETCH_BYTES], const uint8_t last[16]);

/* Bits of a number; its value is public. */
size_t ow_number_bits(struct ow_number number);

/* rsa.c: bits of the modulus. */
size_t ow_rsa_private_bits(const struct ow_rsa_private *key);

/* curve.c: the group's order, ow_curve_bytes long, and the bytes that blind a scalar. */
const uint8_t *ow_curve_order(enum ow_curve curve);
size_t ow_curve_blinding(enum ow_curve curve);
/* 1 if 0 < scalar < order, without a branch on the scalar. */
uint32_t ow_scalar_in_range(const uint8_t *scalar, const uint8_t *order, size_t length);
/* A random number from 1 to the order less one. */
ow_status ow_curve_scalar(struct ow_pk *pk, enum ow_curve curve, uint8_t *scalar);

/* key.c: a key of a kind, with what stands in the place of an AES key's length: its curve. */
ow_status ow_key_load_coded(struct ow_device *device, uint8_t slot,
                            const struct ow_key_properties *properties, uint8_t opcode,
                            uint32_t code, const uint8_t *key, size_t key_len);

#endif
