/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Shared by the public-key files: jobs, lengths, and the generator.
 */
#ifndef OUTWORK_PKA_INTERNAL_H
#define OUTWORK_PKA_INTERNAL_H

#include "internal.h"
#include "outwork/pka_schemes.h"

/* A job under construction: append to key and payload, then run it. */
struct ow_pka_job {
  struct ow_pka *pka;
  uint8_t opcode;
  bool slotted;
  bool key_is_input; /* RSA_LOAD: the key is the payload */
  uint8_t slot;
  uint16_t generation;
  uint8_t parameters[OW_PKA_PARAMETERS_SIZE];
  size_t key_len;
  size_t input_len;
  size_t output_len;
  ow_status status; /* of what went wrong so far */
};

struct ow_pka_job ow_pka_job_make(struct ow_pka *pka, uint8_t opcode);
/* Sets a length in the parameters, in bits: n, e (or the curve), p, q. */
void ow_pka_job_length(struct ow_pka_job *job, unsigned index, size_t bits);
/* Appends a number as `bytes` bytes: adds or drops leading zeros. */
void ow_pka_job_key(struct ow_pka_job *job, struct ow_number number, size_t bytes);
void ow_pka_job_input(struct ow_pka_job *job, struct ow_number number, size_t bytes);
/* Appends random bytes, unless the key is in a slot: then the device makes them. */
void ow_pka_job_blinding(struct ow_pka_job *job, size_t bytes);
/* Runs the job, copies the result to `output` and wipes the memory. */
ow_status ow_pka_job_run(struct ow_pka_job *job, uint8_t *output);
/* Runs a job with the caller's `run` function, or ow_queue_run(). */
static inline ow_status ow_pka_run(struct ow_pka *pka, struct ow_job *job) {
  return pka->run != NULL ? pka->run(pka->run_context, job) : ow_queue_run(pka->queue, job);
}

/* drbg.c: returns 1 if no block of a stretch is zero or equals the one before it (for the first:
 * `last`), and the last one is not `last` either. No branch on the blocks. */
#define OW_STRETCH_BYTES 576u
uint32_t ow_drbg_is_sound(const uint8_t stretch[OW_STRETCH_BYTES], const uint8_t last[16]);

/* Returns the bits of a number, which is public. */
size_t ow_number_bits(struct ow_number number);

/* Returns what of a key's properties counts in this engine. */
static inline struct ow_key_properties
ow_pka_properties(const struct ow_key_properties *properties) {
  return (struct ow_key_properties){.queues = properties->queues, .lock = properties->lock};
}

/* x25519.c: reverses the order of bytes; the two must not overlap. */
void ow_reverse(uint8_t *output, const uint8_t *input, size_t length);

/* rsa.c: bits of the modulus. */
size_t ow_rsa_private_bits(const struct ow_rsa_private *key);

/* curve.c: return the order of the group, ow_curve_bytes() long, and the bytes that blind a
 * scalar. */
const uint8_t *ow_curve_order(enum ow_curve curve);
size_t ow_curve_blinding(enum ow_curve curve);
/* Returns 1 if 0 < scalar < order. No branch on the scalar. */
uint32_t ow_scalar_in_range(const uint8_t *scalar, const uint8_t *order, size_t length);
/* Writes a random number from 1 to order - 1. */
ow_status ow_curve_scalar(struct ow_pka *pka, enum ow_curve curve, uint8_t *scalar);

#endif
