/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys in the device's slots: the record that Mbed TLS keeps of a key, and its operations.
 */
#ifndef OUTWORK_PSA_SRC_SLOTS_H
#define OUTWORK_PSA_SRC_SLOTS_H

#include "driver.h"

/* The record that Mbed TLS keeps of a key in a slot. */
struct ow_psa_slot {
  struct ow_slot_key key;
  /* EC_SIGN, EC_MULTIPLY, RSA_PRIVATE or an HMAC; AES_ECB stands for all of AES */
  uint8_t opcode;
  /* of a key on a curve: the public key, x and y */
  uint8_t point[96];
};

/* The record of an RSA key. */
struct ow_psa_rsa_slot {
  struct ow_psa_slot slot;
  /* as in struct ow_rsa_private */
  uint16_t bits[4];
  /* bytes of the public key in DER (RFC 8017 A.1.1), which follows */
  uint16_t public_len;
  uint8_t public_key[PSA_KEY_EXPORT_RSA_PUBLIC_KEY_MAX_SIZE(8 * OW_RSA_BYTES_MAX)];
};

/* Reads the record. False: not a record of this driver. */
bool ow_psa_slot_read(struct ow_psa_slot *slot, const uint8_t *key, size_t key_size);

/* A key to load into a slot. */
struct ow_psa_slot_key {
  struct ow_key_properties properties;
  uint8_t opcode;
  enum ow_curve curve;
  const uint8_t *bytes;
  size_t length;
  /* a private RSA key, or NULL */
  const struct ow_rsa_private *rsa;
  struct ow_rsa_private *slotted;
};

/* Returns whether the attributes are those of a key that stays in its slot. */
bool ow_psa_slot_keeps(const psa_key_attributes_t *attributes);

/* Loads a key into a free slot; for a key on a curve, also computes `point`. INSUFFICIENT_MEMORY:
 * no slot is free. NOT_SUPPORTED: no device, or a device without such keys. */
psa_status_t ow_psa_slot_load(struct ow_psa_slot *slot, const struct ow_psa_slot_key *key);
psa_status_t ow_psa_slot_destroy(const struct ow_psa_slot *slot);

/* Runs a request under the key in a slot. NOT_SUPPORTED: too long for the offload core. */
psa_status_t ow_psa_slot_run(const struct ow_psa_slot *slot, struct ow_request *request);
/* Runs a public-key operation. slot: of the key that it uses, or NULL. */
psa_status_t ow_psa_slot_operate(uint8_t opcode, size_t length, ow_operate *operate, void *user,
                                 const struct ow_psa_slot *slot);

/* RSA keys. */
psa_status_t ow_psa_rsa_slot_import(const psa_key_attributes_t *attributes, const uint8_t *data,
                                    size_t data_len, uint8_t *key, size_t key_size, size_t *key_len,
                                    size_t *bits);
psa_status_t ow_psa_rsa_slot_public(const uint8_t *key, size_t key_size, uint8_t *data,
                                    size_t data_size, size_t *data_len);
psa_status_t ow_psa_rsa_slot_sign(const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                  const uint8_t *hash, size_t hash_len, uint8_t *signature,
                                  size_t signature_size, size_t *signature_len);
psa_status_t ow_psa_rsa_slot_verify(const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                    const uint8_t *hash, size_t hash_len, const uint8_t *signature,
                                    size_t signature_len);

#endif
