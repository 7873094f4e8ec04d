/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-DSA: each call fills in a job of the lattice engine and runs it.
 */
#include "mldsa.h"

/* No padding between members, so that a reader of the header without OW_ALIGNED finds them. */
OW_STATIC_ASSERT(OW_MLDSA_KEY_BYTES % 64u == 0 && OW_MLDSA_INPUT_BYTES % 64u == 0 &&
                     OW_MLDSA_OUTPUT_BYTES % 64u == 0,
                 "ow_mldsa");

/* Runs a job on `key_len` bytes of the key, or with a key in a slot, and `length` bytes of the
 * input; `output` has `output_len`. */
static ow_status ow_mldsa_operate(struct ow_mldsa *mldsa, uint8_t opcode, enum ow_mldsa_set set,
                                  const struct ow_key_handle *slotted, size_t key_len,
                                  size_t length, size_t output_len) {
  const uint8_t k = (uint8_t)set;
  struct ow_job job = {
      .opcode = opcode,
      .key = ow_lattice_key(slotted, opcode == OW_OP_MLDSA_SIGN ? mldsa->key : NULL),
      .iv = &k,
      .iv_len = 1,
      .aad = mldsa->key,
      .aad_len = (uint32_t)key_len,
      .source = mldsa->input,
      .length = (uint32_t)length,
      .destination = output_len != 0 ? mldsa->output : NULL,
      .destination_len = (uint32_t)output_len,
  };
  ow_status status = ow_mldsa_run(mldsa, &job);
  mldsa->cycles = job.cycles;
  return status;
}

static ow_status ow_mldsa_end(struct ow_mldsa *mldsa, ow_status status) {
  ow_wipe(mldsa->key, sizeof(mldsa->key));
  ow_wipe(mldsa->input, sizeof(mldsa->input));
  ow_wipe(mldsa->output, sizeof(mldsa->output));
  return status;
}

ow_status ow_mldsa_init(struct ow_mldsa *mldsa, struct ow_queue *queue) {
  if (mldsa == NULL || queue == NULL) {
    return OW_BAD_ARGUMENT;
  }
  *mldsa = (struct ow_mldsa){.queue = queue};
  return OW_OK;
}

void ow_mldsa_close(struct ow_mldsa *mldsa) {
  ow_wipe(mldsa, sizeof(*mldsa));
}

ow_status ow_mldsa_generate(struct ow_mldsa *mldsa, uint8_t *pk, uint8_t *sk, enum ow_mldsa_set set,
                            const uint8_t xi[OW_MLDSA_SEED_BYTES]) {
  if (!ow_mldsa_is_set(mldsa, set) || pk == NULL || sk == NULL || xi == NULL) {
    return OW_BAD_ARGUMENT;
  }
  const size_t pk_len = OW_MLDSA_PUBLIC_BYTES(set), sk_len = OW_MLDSA_PRIVATE_BYTES(set);
  ow_copy(mldsa->input, xi, OW_MLDSA_SEED_BYTES);
  ow_status status = ow_mldsa_operate(mldsa, OW_OP_MLDSA_KEYGEN, set, NULL, 0, OW_MLDSA_SEED_BYTES,
                                      pk_len + sk_len);
  if (status == OW_OK) {
    ow_copy(pk, mldsa->output, pk_len);
    ow_copy(sk, mldsa->output + pk_len, sk_len);
  }
  return ow_mldsa_end(mldsa, status);
}

/* The private key is that in the slot, or stands in `key`. */
static ow_status ow_mldsa_sign_with(struct ow_mldsa *mldsa, uint8_t *signature,
                                    enum ow_mldsa_set set, const struct ow_key_handle *slotted,
                                    const uint8_t mu[OW_MLDSA_MU_BYTES], const uint8_t *rnd) {
  ow_copy(mldsa->input, mu, OW_MLDSA_MU_BYTES);
  ow_wipe(mldsa->input + OW_MLDSA_MU_BYTES, OW_MLDSA_SEED_BYTES);
  if (rnd != NULL) {
    ow_copy(mldsa->input + OW_MLDSA_MU_BYTES, rnd, OW_MLDSA_SEED_BYTES);
  }
  ow_status status = ow_mldsa_operate(
      mldsa, OW_OP_MLDSA_SIGN, set, slotted, slotted != NULL ? 0 : OW_MLDSA_PRIVATE_BYTES(set),
      OW_MLDSA_MU_BYTES + OW_MLDSA_SEED_BYTES, OW_MLDSA_SIGNATURE_BYTES(set));
  if (status == OW_OK) {
    ow_copy(signature, mldsa->output, OW_MLDSA_SIGNATURE_BYTES(set));
  }
  return ow_mldsa_end(mldsa, status);
}

ow_status ow_mldsa_sign(struct ow_mldsa *mldsa, uint8_t *signature, enum ow_mldsa_set set,
                        const uint8_t *sk, const uint8_t mu[OW_MLDSA_MU_BYTES],
                        const uint8_t *rnd) {
  if (!ow_mldsa_is_set(mldsa, set) || signature == NULL || sk == NULL || mu == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(mldsa->key, sk, OW_MLDSA_PRIVATE_BYTES(set));
  return ow_mldsa_sign_with(mldsa, signature, set, NULL, mu, rnd);
}

ow_status ow_mldsa_verify(struct ow_mldsa *mldsa, enum ow_mldsa_set set, const uint8_t *pk,
                          const uint8_t mu[OW_MLDSA_MU_BYTES], const uint8_t *signature) {
  if (!ow_mldsa_is_set(mldsa, set) || pk == NULL || mu == NULL || signature == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(mldsa->key, pk, OW_MLDSA_PUBLIC_BYTES(set));
  ow_copy(mldsa->input, mu, OW_MLDSA_MU_BYTES);
  ow_copy(mldsa->input + OW_MLDSA_MU_BYTES, signature, OW_MLDSA_SIGNATURE_BYTES(set));
  return ow_mldsa_end(
      mldsa, ow_mldsa_operate(mldsa, OW_OP_MLDSA_VERIFY, set, NULL, OW_MLDSA_PUBLIC_BYTES(set),
                              OW_MLDSA_MU_BYTES + OW_MLDSA_SIGNATURE_BYTES(set), 0));
}

ow_status ow_mldsa_check_pair(struct ow_mldsa *mldsa, enum ow_mldsa_set set, const uint8_t *pk,
                              const uint8_t *sk, const uint8_t mu[OW_MLDSA_MU_BYTES]) {
  if (!ow_mldsa_is_set(mldsa, set) || pk == NULL || sk == NULL || mu == NULL) {
    return OW_BAD_ARGUMENT;
  }
  const size_t length = OW_MLDSA_SIGNATURE_BYTES(set);
  ow_copy(mldsa->key, sk, OW_MLDSA_PRIVATE_BYTES(set));
  ow_copy(mldsa->input, mu, OW_MLDSA_MU_BYTES);
  ow_wipe(mldsa->input + OW_MLDSA_MU_BYTES, OW_MLDSA_SEED_BYTES);
  ow_status status =
      ow_mldsa_operate(mldsa, OW_OP_MLDSA_SIGN, set, NULL, OW_MLDSA_PRIVATE_BYTES(set),
                       OW_MLDSA_MU_BYTES + OW_MLDSA_SEED_BYTES, length);
  if (status == OW_OK) {
    ow_copy(mldsa->key, pk, OW_MLDSA_PUBLIC_BYTES(set));
    ow_copy(mldsa->input + OW_MLDSA_MU_BYTES, mldsa->output, length);
    status = ow_mldsa_operate(mldsa, OW_OP_MLDSA_VERIFY, set, NULL, OW_MLDSA_PUBLIC_BYTES(set),
                              OW_MLDSA_MU_BYTES + length, 0);
    if (status == OW_AUTH_FAILED) {
      status = OW_FAULT;
    }
  }
  return ow_mldsa_end(mldsa, status);
}

ow_status ow_mldsa_slot_load(struct ow_device *device, uint8_t slot,
                             const struct ow_key_properties *properties, enum ow_mldsa_set set,
                             const uint8_t xi[OW_MLDSA_SEED_BYTES]) {
  if (device == NULL || xi == NULL ||
      !(set == OW_MLDSA_44 || set == OW_MLDSA_65 || set == OW_MLDSA_87)) {
    return OW_BAD_ARGUMENT;
  }
  return ow_key_load_coded(device, slot, properties, OW_OP_MLDSA_SIGN,
                           ((uint32_t)set - OW_MLDSA_44) / 2u, xi, OW_MLDSA_SEED_BYTES);
}

ow_status ow_mldsa_slot_public(struct ow_mldsa *mldsa, uint8_t *pk, enum ow_mldsa_set set,
                               const struct ow_key_handle *key) {
  if (!ow_mldsa_is_set(mldsa, set) || pk == NULL || key == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status =
      ow_mldsa_operate(mldsa, OW_OP_MLDSA_KEYGEN, set, key, 0, 0, OW_MLDSA_PUBLIC_BYTES(set));
  if (status == OW_OK) {
    ow_copy(pk, mldsa->output, OW_MLDSA_PUBLIC_BYTES(set));
  }
  return ow_mldsa_end(mldsa, status);
}

ow_status ow_mldsa_slot_sign(struct ow_mldsa *mldsa, uint8_t *signature, enum ow_mldsa_set set,
                             const struct ow_key_handle *key, const uint8_t mu[OW_MLDSA_MU_BYTES],
                             const uint8_t *rnd) {
  if (!ow_mldsa_is_set(mldsa, set) || signature == NULL || key == NULL || mu == NULL) {
    return OW_BAD_ARGUMENT;
  }
  return ow_mldsa_sign_with(mldsa, signature, set, key, mu, rnd);
}
