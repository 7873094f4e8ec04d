/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-KEM: each call fills in a job of the lattice engine and runs it.
 */
#include "outwork/mlkem.h"

#include "lattice.h"

/* No padding between members, so that a reader of the header without OW_ALIGNED finds them. */
OW_STATIC_ASSERT(OW_MLKEM_KEY_BYTES % 64u == 0 && OW_MLKEM_INPUT_BYTES % 64u == 0, "ow_mlkem");

static bool ow_mlkem_is_set(const struct ow_mlkem *mlkem, enum ow_mlkem_set set) {
  return mlkem != NULL && mlkem->queue != NULL &&
         (set == OW_MLKEM_512 || set == OW_MLKEM_768 || set == OW_MLKEM_1024);
}

/* Runs a job on `key_len` bytes of the key, or with a key in a slot, and `length` bytes of the
 * input; `output` has `output_len`, or the result goes to the slot `made` (NULL: none). */
static ow_status ow_mlkem_operate(struct ow_mlkem *mlkem, uint8_t opcode, enum ow_mlkem_set set,
                                  const struct ow_key_handle *slotted,
                                  const struct ow_key_handle *made, size_t key_len, size_t length,
                                  size_t output_len) {
  uint8_t parameters[OW_LATTICE_WORD_BYTES];
  uint32_t word = OW_PLACE(set, OW_LATTICE_PARAMETERS_FIRST_K);
  if (made != NULL) {
    word |= OW_PLACE(made->slot, OW_LATTICE_PARAMETERS_FIRST_SLOT) |
            OW_PLACE(made->generation, OW_LATTICE_PARAMETERS_FIRST_GENERATION);
  }
  for (size_t i = 0; i < sizeof(parameters); i++) {
    parameters[i] = (uint8_t)(word >> (8 * i));
  }
  struct ow_job job = {
      .opcode = opcode,
      .key = ow_lattice_key(slotted, opcode == OW_OP_MLKEM_DECAPSULATE ? mlkem->key : NULL),
      .iv = parameters,
      .iv_len = sizeof(parameters),
      .aad = mlkem->key,
      .aad_len = (uint32_t)key_len,
      .source = mlkem->input,
      .length = (uint32_t)length,
      .destination = made != NULL ? NULL : mlkem->output,
      .destination_len = (uint32_t)output_len,
  };
  ow_status status = ow_queue_run(mlkem->queue, &job);
  mlkem->cycles = job.cycles;
  return status;
}

/* Runs a job on `key_len` bytes of the key and `length` of the input. */
static ow_status ow_mlkem_run(struct ow_mlkem *mlkem, uint8_t opcode, enum ow_mlkem_set set,
                              size_t key_len, size_t length, size_t output_len) {
  return ow_mlkem_operate(mlkem, opcode, set, NULL, NULL, key_len, length, output_len);
}

static ow_status ow_mlkem_end(struct ow_mlkem *mlkem, ow_status status) {
  ow_wipe(mlkem->key, sizeof(mlkem->key));
  ow_wipe(mlkem->input, sizeof(mlkem->input));
  ow_wipe(mlkem->output, sizeof(mlkem->output));
  return status;
}

ow_status ow_mlkem_init(struct ow_mlkem *mlkem, struct ow_queue *queue) {
  if (mlkem == NULL || queue == NULL) {
    return OW_BAD_ARGUMENT;
  }
  *mlkem = (struct ow_mlkem){.queue = queue};
  return OW_OK;
}

void ow_mlkem_close(struct ow_mlkem *mlkem) {
  ow_wipe(mlkem, sizeof(*mlkem));
}

ow_status ow_mlkem_generate(struct ow_mlkem *mlkem, uint8_t *ek, uint8_t *dk, enum ow_mlkem_set set,
                            const uint8_t d[OW_MLKEM_SEED_BYTES],
                            const uint8_t z[OW_MLKEM_SEED_BYTES]) {
  if (!ow_mlkem_is_set(mlkem, set) || dk == NULL || d == NULL || z == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(mlkem->input, d, OW_MLKEM_SEED_BYTES);
  ow_copy(mlkem->input + OW_MLKEM_SEED_BYTES, z, OW_MLKEM_SEED_BYTES);
  ow_status status = ow_mlkem_run(mlkem, OW_OP_MLKEM_KEYGEN, set, 0, 2u * OW_MLKEM_SEED_BYTES,
                                  OW_MLKEM_DK_BYTES(set));
  if (status == OW_OK) {
    ow_copy(dk, mlkem->output, OW_MLKEM_DK_BYTES(set));
    if (ek != NULL) {
      ow_copy(ek, mlkem->output + 384u * set, OW_MLKEM_EK_BYTES(set));
    }
  }
  return ow_mlkem_end(mlkem, status);
}

ow_status ow_mlkem_encapsulate(struct ow_mlkem *mlkem, uint8_t *ciphertext,
                               uint8_t secret[OW_MLKEM_SECRET_BYTES], enum ow_mlkem_set set,
                               const uint8_t *ek, const uint8_t m[OW_MLKEM_SEED_BYTES]) {
  if (!ow_mlkem_is_set(mlkem, set) || ciphertext == NULL || secret == NULL || ek == NULL ||
      m == NULL) {
    return OW_BAD_ARGUMENT;
  }
  const size_t length = OW_MLKEM_CIPHERTEXT_BYTES(set);
  ow_copy(mlkem->key, ek, OW_MLKEM_EK_BYTES(set));
  ow_copy(mlkem->input, m, OW_MLKEM_SEED_BYTES);
  ow_status status = ow_mlkem_run(mlkem, OW_OP_MLKEM_ENCAPSULATE, set, OW_MLKEM_EK_BYTES(set),
                                  OW_MLKEM_SEED_BYTES, length + OW_MLKEM_SECRET_BYTES);
  if (status == OW_OK) {
    ow_copy(ciphertext, mlkem->output, length);
    ow_copy(secret, mlkem->output + length, OW_MLKEM_SECRET_BYTES);
  }
  return ow_mlkem_end(mlkem, status);
}

ow_status ow_mlkem_decapsulate(struct ow_mlkem *mlkem, uint8_t secret[OW_MLKEM_SECRET_BYTES],
                               enum ow_mlkem_set set, const uint8_t *dk,
                               const uint8_t *ciphertext) {
  if (!ow_mlkem_is_set(mlkem, set) || secret == NULL || dk == NULL || ciphertext == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(mlkem->key, dk, OW_MLKEM_DK_BYTES(set));
  ow_copy(mlkem->input, ciphertext, OW_MLKEM_CIPHERTEXT_BYTES(set));
  ow_status status = ow_mlkem_run(mlkem, OW_OP_MLKEM_DECAPSULATE, set, OW_MLKEM_DK_BYTES(set),
                                  OW_MLKEM_CIPHERTEXT_BYTES(set), OW_MLKEM_SECRET_BYTES);
  if (status == OW_OK) {
    ow_copy(secret, mlkem->output, OW_MLKEM_SECRET_BYTES);
  }
  return ow_mlkem_end(mlkem, status);
}

ow_status ow_mlkem_check_pair(struct ow_mlkem *mlkem, enum ow_mlkem_set set, const uint8_t *ek,
                              const uint8_t *dk, const uint8_t m[OW_MLKEM_SEED_BYTES]) {
  if (!ow_mlkem_is_set(mlkem, set) || ek == NULL || dk == NULL || m == NULL) {
    return OW_BAD_ARGUMENT;
  }
  const size_t length = OW_MLKEM_CIPHERTEXT_BYTES(set);
  uint8_t sent[OW_MLKEM_SECRET_BYTES];
  ow_copy(mlkem->key, ek, OW_MLKEM_EK_BYTES(set));
  ow_copy(mlkem->input, m, OW_MLKEM_SEED_BYTES);
  ow_status status = ow_mlkem_run(mlkem, OW_OP_MLKEM_ENCAPSULATE, set, OW_MLKEM_EK_BYTES(set),
                                  OW_MLKEM_SEED_BYTES, length + OW_MLKEM_SECRET_BYTES);
  if (status == OW_OK) {
    ow_copy(sent, mlkem->output + length, OW_MLKEM_SECRET_BYTES);
    ow_copy(mlkem->key, dk, OW_MLKEM_DK_BYTES(set));
    ow_copy(mlkem->input, mlkem->output, length);
    status = ow_mlkem_run(mlkem, OW_OP_MLKEM_DECAPSULATE, set, OW_MLKEM_DK_BYTES(set), length,
                          OW_MLKEM_SECRET_BYTES);
    if (status == OW_OK && !ow_equal(sent, mlkem->output, OW_MLKEM_SECRET_BYTES)) {
      status = OW_FAULT;
    }
    ow_wipe(sent, sizeof(sent));
  }
  return ow_mlkem_end(mlkem, status);
}

ow_status ow_mlkem_slot_load(struct ow_device *device, uint8_t slot,
                             const struct ow_key_properties *properties, enum ow_mlkem_set set,
                             const uint8_t d[OW_MLKEM_SEED_BYTES],
                             const uint8_t z[OW_MLKEM_SEED_BYTES]) {
  uint8_t seeds[2u * OW_MLKEM_SEED_BYTES];
  if (device == NULL || set < OW_MLKEM_512 || set > OW_MLKEM_1024 || d == NULL || z == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(seeds, d, OW_MLKEM_SEED_BYTES);
  ow_copy(seeds + OW_MLKEM_SEED_BYTES, z, OW_MLKEM_SEED_BYTES);
  ow_status status = ow_key_load_coded(device, slot, properties, OW_OP_MLKEM_DECAPSULATE,
                                       (uint32_t)set - OW_MLKEM_512, seeds, sizeof(seeds));
  ow_wipe(seeds, sizeof(seeds));
  return status;
}

ow_status ow_mlkem_slot_public(struct ow_mlkem *mlkem, uint8_t *ek, enum ow_mlkem_set set,
                               const struct ow_key_handle *key) {
  if (!ow_mlkem_is_set(mlkem, set) || ek == NULL || key == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status =
      ow_mlkem_operate(mlkem, OW_OP_MLKEM_KEYGEN, set, key, NULL, 0, 0, OW_MLKEM_EK_BYTES(set));
  if (status == OW_OK) {
    ow_copy(ek, mlkem->output, OW_MLKEM_EK_BYTES(set));
  }
  return ow_mlkem_end(mlkem, status);
}

ow_status ow_mlkem_slot_decapsulate(struct ow_mlkem *mlkem, uint8_t secret[OW_MLKEM_SECRET_BYTES],
                                    enum ow_mlkem_set set, const struct ow_key_handle *key,
                                    const uint8_t *ciphertext) {
  if (!ow_mlkem_is_set(mlkem, set) || secret == NULL || key == NULL || ciphertext == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(mlkem->input, ciphertext, OW_MLKEM_CIPHERTEXT_BYTES(set));
  ow_status status = ow_mlkem_operate(mlkem, OW_OP_MLKEM_DECAPSULATE, set, key, NULL, 0,
                                      OW_MLKEM_CIPHERTEXT_BYTES(set), OW_MLKEM_SECRET_BYTES);
  if (status == OW_OK) {
    ow_copy(secret, mlkem->output, OW_MLKEM_SECRET_BYTES);
  }
  return ow_mlkem_end(mlkem, status);
}

ow_status ow_mlkem_slot_decapsulate_to(struct ow_mlkem *mlkem, const struct ow_key_handle *made,
                                       enum ow_mlkem_set set, const struct ow_key_handle *key,
                                       const uint8_t *ciphertext) {
  if (!ow_mlkem_is_set(mlkem, set) || made == NULL || made->generation == 0 || key == NULL ||
      ciphertext == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(mlkem->input, ciphertext, OW_MLKEM_CIPHERTEXT_BYTES(set));
  ow_status status = ow_mlkem_operate(mlkem, OW_OP_MLKEM_DECAPSULATE, set, key, made, 0,
                                      OW_MLKEM_CIPHERTEXT_BYTES(set), 0);
  return ow_mlkem_end(mlkem, status);
}
