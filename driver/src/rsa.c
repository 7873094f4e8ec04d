/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA without padding (RFC 8017, 5), and its keys in slots.
 */
#include "pka.h"

#define OW_RSA_RANDOM_BYTES 42u

/* Bits of n, e, p, q of a key. */
struct ow_rsa_sizes {
  size_t bits[4];
  size_t bytes[4];
};

static struct ow_rsa_sizes ow_rsa_sizes_of(const struct ow_rsa_private *key) {
  struct ow_rsa_sizes sizes;
  const struct ow_number *numbers[4] = {&key->n, &key->e, &key->p, &key->q};
  for (unsigned i = 0; i < 4; i++) {
    sizes.bits[i] = key->slotted ? key->bits[i] : ow_number_bits(*numbers[i]);
    sizes.bytes[i] = (sizes.bits[i] + 7u) / 8u;
  }
  return sizes;
}

size_t ow_rsa_public_bytes(const struct ow_rsa_public *key) {
  return (ow_number_bits(key->n) + 7u) / 8u;
}

size_t ow_rsa_private_bits(const struct ow_rsa_private *key) {
  return ow_rsa_sizes_of(key).bits[0];
}

size_t ow_rsa_private_bytes(const struct ow_rsa_private *key) {
  return ow_rsa_sizes_of(key).bytes[0];
}

ow_status ow_rsa_public_raw(struct ow_pka *pka, uint8_t *output, const struct ow_rsa_public *key,
                            const uint8_t *input) {
  struct ow_pka_job job = ow_pka_job_make(pka, OW_OP_RSA_PUBLIC);
  size_t n_bits = ow_number_bits(key->n);
  size_t e_bits = ow_number_bits(key->e);
  size_t n_len = (n_bits + 7u) / 8u;
  ow_pka_job_length(&job, 0, n_bits);
  ow_pka_job_length(&job, 1, e_bits);
  ow_pka_job_key(&job, key->n, n_len);
  ow_pka_job_key(&job, key->e, (e_bits + 7u) / 8u);
  ow_pka_job_input(&job, (struct ow_number){input, n_len}, n_len);
  job.output_len = n_len;
  return ow_pka_job_run(&job, output);
}

/* n, e, p, q, dP, dQ, qInv. */
static void ow_rsa_key_put(struct ow_pka_job *job, const struct ow_rsa_private *key,
                           const struct ow_rsa_sizes *sizes) {
  ow_pka_job_key(job, key->n, sizes->bytes[0]);
  ow_pka_job_key(job, key->e, sizes->bytes[1]);
  ow_pka_job_key(job, key->p, sizes->bytes[2]);
  ow_pka_job_key(job, key->q, sizes->bytes[3]);
  ow_pka_job_key(job, key->dp, sizes->bytes[2]);
  ow_pka_job_key(job, key->dq, sizes->bytes[3]);
  ow_pka_job_key(job, key->qinv, sizes->bytes[2]);
}

static void ow_rsa_lengths_put(struct ow_pka_job *job, const struct ow_rsa_sizes *sizes) {
  for (unsigned i = 0; i < 4; i++) {
    ow_pka_job_length(job, i, sizes->bits[i]);
  }
}

ow_status ow_rsa_private_raw(struct ow_pka *pka, uint8_t *output, const struct ow_rsa_private *key,
                             const uint8_t *input) {
  struct ow_pka_job job = ow_pka_job_make(pka, OW_OP_RSA_PRIVATE);
  struct ow_rsa_sizes sizes = ow_rsa_sizes_of(key);
  ow_rsa_lengths_put(&job, &sizes);
  job.slotted = key->slotted;
  job.slot = key->slot;
  job.generation = key->generation;
  if (!key->slotted) {
    ow_rsa_key_put(&job, key, &sizes);
  }
  ow_pka_job_input(&job, (struct ow_number){input, sizes.bytes[0]}, sizes.bytes[0]);
  ow_pka_job_blinding(&job, OW_RSA_RANDOM_BYTES);
  job.output_len = sizes.bytes[0];
  return ow_pka_job_run(&job, output);
}

ow_status ow_rsa_check(struct ow_pka *pka, const struct ow_rsa_private *key) {
  uint8_t message[OW_RSA_BYTES_MAX];
  size_t length = ow_rsa_private_bytes(key);
  if (length == 0 || length > sizeof(message)) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_pka_random(pka, message, length);
  message[0] = 0; /* below n */
  return status == OW_OK ? ow_rsa_private_raw(pka, message, key, message) : status;
}

ow_status ow_rsa_slot_reserve(struct ow_device *device, uint8_t slot,
                              const struct ow_key_properties *properties) {
  if (properties == NULL) {
    return OW_BAD_ARGUMENT;
  }
  const struct ow_key_properties owners = ow_pka_properties(properties);
  return ow_key_load_coded(device, slot, &owners, OW_OP_RSA_PRIVATE, 0, NULL, 0);
}

ow_status ow_rsa_slot_fill(struct ow_pka *pka, struct ow_rsa_private *slotted,
                           const struct ow_key_handle *handle, const struct ow_rsa_private *key) {
  if (key->slotted) {
    return OW_BAD_ARGUMENT;
  }
  struct ow_pka_job job = ow_pka_job_make(pka, OW_OP_RSA_LOAD);
  struct ow_rsa_sizes sizes = ow_rsa_sizes_of(key);
  ow_rsa_lengths_put(&job, &sizes);
  job.slotted = true;
  job.slot = handle->slot;
  job.generation = handle->generation;
  job.key_is_input = true;
  ow_rsa_key_put(&job, key, &sizes);
  ow_status status = ow_pka_job_run(&job, NULL);
  if (status == OW_OK) {
    *slotted = (struct ow_rsa_private){
        .slotted = true, .slot = handle->slot, .generation = handle->generation};
    for (unsigned i = 0; i < 4; i++) {
      slotted->bits[i] = (uint16_t)sizes.bits[i];
    }
  }
  return status;
}
