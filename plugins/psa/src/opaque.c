/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys in the device's slots: AES, HMAC, P-256 and P-384 with one purpose, and RSA (opaque_rsa.c).
 * Software does not have these keys, so an error of the device is final.
 */
#include "pka.h"
#include "slots.h"

#include <mbedtls/platform_util.h>

#include <string.h>

size_t outwork_opaque_size_function(psa_key_type_t type, size_t bits) {
  (void)bits;
  return type == PSA_KEY_TYPE_RSA_KEY_PAIR ? sizeof(struct ow_psa_rsa_slot)
                                           : sizeof(struct ow_psa_slot);
}

/* Reads the permissions of the slot. False: not a key for a slot. */
static bool read_attributes(struct ow_psa_slot_key *key, const psa_key_attributes_t *attributes) {
  psa_key_type_t type = psa_get_key_type(attributes);
  psa_algorithm_t alg = psa_get_key_algorithm(attributes);
  psa_key_usage_t usage = psa_get_key_usage_flags(attributes);
  bool makes = (usage & (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)) != 0;
  key->properties = (struct ow_key_properties){.queues = 0xff,
                                               .encrypt = (usage & PSA_KEY_USAGE_ENCRYPT) != 0,
                                               .decrypt = (usage & PSA_KEY_USAGE_DECRYPT) != 0,
                                               .mac = PSA_ALG_IS_MAC(alg) && makes};
  /* CTR decrypts by encrypting, on the device too. */
  key->properties.encrypt |= alg == PSA_ALG_CTR && key->properties.decrypt;
  if (!ow_psa_slot_keeps(attributes)) {
    return false;
  }
  if (type == PSA_KEY_TYPE_AES) {
    key->opcode = OW_OP_AES_ECB;
    return ow_psa_cipher_opcode(attributes, alg) != 0 || ow_psa_cmac_opcode(attributes, alg) != 0 ||
           ow_psa_aead_opcode(attributes, alg) != 0;
  }
  if (type == PSA_KEY_TYPE_HMAC) {
    key->opcode = ow_psa_hmac_opcode(alg);
    return key->opcode != 0;
  }
  key->opcode = PSA_ALG_IS_ECDH(alg) ? OW_OP_EC_MULTIPLY : OW_OP_EC_SIGN;
  return PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type) &&
         PSA_KEY_TYPE_ECC_GET_FAMILY(type) == PSA_ECC_FAMILY_SECP_R1 &&
         (PSA_ALG_IS_ECDH(alg) || PSA_ALG_IS_RANDOMIZED_ECDSA(alg));
}

static psa_status_t put(const psa_key_attributes_t *attributes, const uint8_t *data,
                        size_t data_len, uint8_t *key, size_t key_size, size_t *key_len) {
  struct ow_psa_slot slot;
  struct ow_psa_slot_key loaded = {.bytes = data, .length = data_len};
  bool aes = psa_get_key_type(attributes) == PSA_KEY_TYPE_AES;
  loaded.curve = data_len == 48 ? OW_CURVE_P384 : OW_CURVE_P256;
  if (!read_attributes(&loaded, attributes) || key_size < sizeof(slot) ||
      data_len > OW_KEY_KIND_MAX) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  bool good = aes ? data_len == 16 || data_len == 24 || data_len == 32
              : ow_hash_block_len(loaded.opcode) != 0 ? data_len != 0
                                                      : data_len == 32 || data_len == 48;
  if (!good) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  psa_status_t status = ow_psa_slot_load(&slot, &loaded);
  if (status == PSA_SUCCESS) {
    memcpy(key, &slot, sizeof(slot));
    *key_len = sizeof(slot);
  }
  return status;
}

psa_status_t outwork_opaque_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                       size_t data_len, uint8_t *key, size_t key_size,
                                       size_t *key_len, size_t *bits) {
  size_t bits_wanted = psa_get_key_bits(attributes);
  if (psa_get_key_type(attributes) == PSA_KEY_TYPE_RSA_KEY_PAIR) {
    return ow_psa_rsa_slot_import(attributes, data, data_len, key, key_size, key_len, bits);
  }
  if (bits_wanted != 0 && bits_wanted != 8 * data_len) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  *bits = 8 * data_len;
  return put(attributes, data, data_len, key, key_size, key_len);
}

struct generating {
  enum ow_curve curve;
  uint8_t *d;
};

static ow_status generate(struct ow_pka *pka, void *user) {
  const struct generating *generating = user;
  uint8_t point[2 * OW_CURVE_BYTES_MAX];
  return ow_ec_generate(pka, generating->curve, generating->d, point);
}

/* The key is on the stack until it is in its slot, then wiped. */
psa_status_t outwork_opaque_generate_key(const psa_key_attributes_t *attributes, uint8_t *key,
                                         size_t key_size, size_t *key_len) {
  uint8_t bytes[OW_KEY_KIND_MAX];
  size_t bits = psa_get_key_bits(attributes), length = bits / 8;
  struct generating generating = {.d = bytes};
  if (bits % 8 != 0 || length == 0 || length > sizeof(bytes)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  psa_status_t status =
      ow_psa_curve(&generating.curve, attributes)
          ? ow_psa_slot_operate(OW_OP_EC_PUBLIC, length, generate, &generating, NULL)
          : psa_generate_random(bytes, length);
  if (status == PSA_SUCCESS) {
    status = put(attributes, bytes, length, key, key_size, key_len);
  }
  mbedtls_platform_zeroize(bytes, sizeof(bytes));
  return status;
}

psa_status_t outwork_opaque_export_key(const psa_key_attributes_t *attributes, const uint8_t *key,
                                       size_t key_size, uint8_t *data, size_t data_size,
                                       size_t *data_len) {
  (void)attributes;
  (void)key;
  (void)key_size;
  (void)data;
  (void)data_size;
  *data_len = 0;
  return PSA_ERROR_NOT_PERMITTED;
}

psa_status_t outwork_opaque_export_public_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *key, size_t key_size, uint8_t *data,
                                              size_t data_size, size_t *data_len) {
  struct ow_psa_slot slot;
  enum ow_curve curve;
  if (psa_get_key_type(attributes) == PSA_KEY_TYPE_RSA_KEY_PAIR) {
    return ow_psa_rsa_slot_public(key, key_size, data, data_size, data_len);
  }
  if (!ow_psa_slot_read(&slot, key, key_size) || !ow_psa_curve(&curve, attributes)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  size_t length = 2 * ow_curve_bytes(curve);
  if (data_size < length + 1) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  data[0] = 0x04;
  memcpy(data + 1, slot.point, length);
  *data_len = length + 1;
  return PSA_SUCCESS;
}

psa_status_t outwork_opaque_destroy_key(psa_key_location_t location, const uint8_t *key,
                                        size_t key_size) {
  struct ow_psa_slot slot;
  return location == OUTWORK_PSA_LOCATION && ow_psa_slot_read(&slot, key, key_size)
             ? ow_psa_slot_destroy(&slot)
             : PSA_SUCCESS;
}

psa_status_t outwork_opaque_signature_sign_hash(const psa_key_attributes_t *attributes,
                                                const uint8_t *key, size_t key_size,
                                                psa_algorithm_t alg, const uint8_t *hash,
                                                size_t hash_len, uint8_t *signature,
                                                size_t signature_size, size_t *signature_len) {
  struct ow_psa_slot slot;
  struct ow_psa_ec work = {.input = hash, .input_len = hash_len, .output = signature};
  if (psa_get_key_type(attributes) == PSA_KEY_TYPE_RSA_KEY_PAIR) {
    return ow_psa_rsa_slot_sign(key, key_size, alg, hash, hash_len, signature, signature_size,
                                signature_len);
  }
  if (!ow_psa_slot_read(&slot, key, key_size) || !ow_psa_curve(&work.key.curve, attributes) ||
      !ow_psa_ecdsa_hash(&work.hash, alg, work.key.curve)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  work.key.slotted = true;
  work.key.slot = slot.key.slot;
  work.key.generation = slot.key.generation;
  size_t bytes = ow_curve_bytes(work.key.curve);
  if (signature_size < 2 * bytes) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  psa_status_t status = ow_psa_slot_operate(OW_OP_EC_SIGN, bytes, ow_psa_ec_sign, &work, &slot);
  *signature_len = status == PSA_SUCCESS ? 2 * bytes : 0;
  return status;
}

psa_status_t outwork_opaque_signature_verify_hash(const psa_key_attributes_t *attributes,
                                                  const uint8_t *key, size_t key_size,
                                                  psa_algorithm_t alg, const uint8_t *hash,
                                                  size_t hash_len, const uint8_t *signature,
                                                  size_t signature_len) {
  struct ow_psa_slot slot;
  struct ow_psa_ec work = {.input = hash, .input_len = hash_len, .signature = signature};
  if (psa_get_key_type(attributes) == PSA_KEY_TYPE_RSA_KEY_PAIR) {
    return ow_psa_rsa_slot_verify(key, key_size, alg, hash, hash_len, signature, signature_len);
  }
  if (!ow_psa_slot_read(&slot, key, key_size) || !ow_psa_curve(&work.key.curve, attributes) ||
      !PSA_ALG_IS_ECDSA(alg)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t bytes = ow_curve_bytes(work.key.curve);
  if (signature_len != 2 * bytes) {
    return PSA_ERROR_INVALID_SIGNATURE;
  }
  work.point = slot.point;
  return ow_psa_slot_operate(OW_OP_EC_VERIFY, bytes, ow_psa_ec_verify, &work, NULL);
}

psa_status_t outwork_opaque_key_agreement(const psa_key_attributes_t *attributes,
                                          const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                          const uint8_t *peer, size_t peer_len, uint8_t *secret,
                                          size_t secret_size, size_t *secret_len) {
  struct ow_psa_slot slot;
  struct ow_psa_ec work = {.input = peer, .input_len = peer_len, .output = secret};
  if (!ow_psa_slot_read(&slot, key, key_size) || !ow_psa_curve(&work.key.curve, attributes) ||
      !PSA_ALG_IS_ECDH(alg)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  work.key.slotted = true;
  work.key.slot = slot.key.slot;
  work.key.generation = slot.key.generation;
  size_t bytes = ow_curve_bytes(work.key.curve);
  if (secret_size < bytes) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  psa_status_t status =
      ow_psa_slot_operate(OW_OP_EC_MULTIPLY, bytes, ow_psa_ec_agree, &work, &slot);
  *secret_len = status == PSA_SUCCESS ? bytes : 0;
  return status;
}
