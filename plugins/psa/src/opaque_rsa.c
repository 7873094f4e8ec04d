/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA keys in the device's slots: signatures and OAEP. The device does the raw operation; Mbed TLS
 * checks that the key may be used with the scheme.
 */
#include "pka.h"
#include "slots.h"

#include <string.h>

#include "psa_crypto_rsa.h"

static bool is_scheme(psa_algorithm_t alg) {
  return PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg) || PSA_ALG_IS_RSA_PSS(alg) || PSA_ALG_IS_RSA_OAEP(alg);
}

/* Mbed TLS parses the key too, and refuses an invalid one. */
psa_status_t ow_psa_rsa_slot_import(const psa_key_attributes_t *attributes, const uint8_t *data,
                                    size_t data_len, uint8_t *key, size_t key_size, size_t *key_len,
                                    size_t *bits) {
  struct ow_psa_rsa_slot record = {0};
  struct ow_psa_rsa work;
  struct ow_rsa_private slotted;
  size_t public_len = 0, bits_wanted = psa_get_key_bits(attributes);
  if (!ow_psa_slot_keeps(attributes) || !is_scheme(psa_get_key_algorithm(attributes)) ||
      key_size < sizeof(record)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  psa_status_t status = mbedtls_psa_rsa_export_public_key(
      attributes, data, data_len, record.public_key, sizeof(record.public_key), &public_len);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (!ow_psa_rsa_key(&work, true, data, data_len)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  const struct ow_psa_slot_key loaded = {.properties = {.queues = 0xff},
                                         .opcode = OW_OP_RSA_PRIVATE,
                                         .length = work.public_key.n.length,
                                         .rsa = &work.private_key,
                                         .slotted = &slotted};
  status = ow_psa_slot_load(&record.slot, &loaded);
  if (status == PSA_SUCCESS && bits_wanted != 0 && bits_wanted != slotted.bits[0]) {
    (void)ow_psa_slot_destroy(&record.slot);
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (status == PSA_SUCCESS) {
    memcpy(record.bits, slotted.bits, sizeof(record.bits));
    record.public_len = (uint16_t)public_len;
    memcpy(key, &record, sizeof(record));
    *key_len = sizeof(record);
    *bits = record.bits[0];
  }
  return status;
}

/* Reads public and private parts. */
static bool read(struct ow_psa_rsa_slot *record, struct ow_psa_rsa *work, const uint8_t *key,
                 size_t key_size) {
  if (key == NULL || key_size != sizeof(*record)) {
    return false;
  }
  memcpy(record, key, sizeof(*record));
  if (!ow_psa_rsa_key(work, false, record->public_key, record->public_len)) {
    return false;
  }
  work->private_key = (struct ow_rsa_private){
      .slotted = true, .slot = record->slot.key.slot, .generation = record->slot.key.generation};
  memcpy(work->private_key.bits, record->bits, sizeof(record->bits));
  return true;
}

psa_status_t ow_psa_rsa_slot_public(const uint8_t *key, size_t key_size, uint8_t *data,
                                    size_t data_size, size_t *data_len) {
  struct ow_psa_rsa_slot record;
  struct ow_psa_rsa work;
  if (!read(&record, &work, key, key_size)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (data_size < record.public_len) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  memcpy(data, record.public_key, record.public_len);
  *data_len = record.public_len;
  return PSA_SUCCESS;
}

psa_status_t ow_psa_rsa_slot_sign(const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                  const uint8_t *hash, size_t hash_len, uint8_t *signature,
                                  size_t signature_size, size_t *signature_len) {
  struct ow_psa_rsa_slot record;
  struct ow_psa_rsa work = {.input = hash, .output = signature};
  if (!read(&record, &work, key, key_size) || !ow_psa_rsa_scheme(&work, alg, hash_len)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t bytes = work.public_key.n.length;
  if (signature_size < bytes) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  psa_status_t status =
      ow_psa_slot_operate(OW_OP_RSA_PRIVATE, bytes, ow_psa_rsa_make, &work, &record.slot);
  *signature_len = status == PSA_SUCCESS ? bytes : 0;
  return status;
}

psa_status_t ow_psa_rsa_slot_verify(const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                    const uint8_t *hash, size_t hash_len, const uint8_t *signature,
                                    size_t signature_len) {
  struct ow_psa_rsa_slot record;
  struct ow_psa_rsa work = {.input = hash, .signature = signature, .signature_len = signature_len};
  if (!read(&record, &work, key, key_size) || !ow_psa_rsa_scheme(&work, alg, hash_len)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  if (PSA_ALG_IS_RSA_PSS_ANY_SALT(alg)) {
    work.padding.salt_len = OW_RSA_SALT_ANY;
  }
  return ow_psa_slot_operate(OW_OP_RSA_PUBLIC, work.public_key.n.length, ow_psa_rsa_check, &work,
                             NULL);
}

psa_status_t outwork_opaque_asymmetric_encrypt(const psa_key_attributes_t *attributes,
                                               const uint8_t *key, size_t key_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_len, const uint8_t *label,
                                               size_t label_len, uint8_t *output,
                                               size_t output_size, size_t *output_len) {
  struct ow_psa_rsa_slot record;
  struct ow_psa_rsa work = {.input = input, .input_len = input_len, .output = output};
  (void)attributes;
  if (!read(&record, &work, key, key_size) || !ow_psa_rsa_oaep(&work, alg, label, label_len)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t bytes = work.public_key.n.length;
  if (output_size < bytes) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  psa_status_t status =
      ow_psa_slot_operate(OW_OP_RSA_PUBLIC, bytes, ow_psa_rsa_encrypt, &work, NULL);
  *output_len = status == PSA_SUCCESS ? bytes : 0;
  return status;
}

psa_status_t outwork_opaque_asymmetric_decrypt(const psa_key_attributes_t *attributes,
                                               const uint8_t *key, size_t key_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_len, const uint8_t *label,
                                               size_t label_len, uint8_t *output,
                                               size_t output_size, size_t *output_len) {
  struct ow_psa_rsa_slot record;
  struct ow_psa_rsa work = {
      .input = input, .input_len = input_len, .output = output, .output_len = output_size};
  (void)attributes;
  if (!read(&record, &work, key, key_size) || !ow_psa_rsa_oaep(&work, alg, label, label_len)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  psa_status_t status = ow_psa_slot_operate(OW_OP_RSA_PRIVATE, work.public_key.n.length,
                                            ow_psa_rsa_decrypt, &work, &record.slot);
  *output_len = status == PSA_SUCCESS ? work.output_len : 0;
  /* The driver reports a wrong padding as a wrong signature; an output that does not fit as an
   * invalid argument. */
  return status == PSA_ERROR_INVALID_SIGNATURE  ? PSA_ERROR_INVALID_PADDING
         : status == PSA_ERROR_INVALID_ARGUMENT ? PSA_ERROR_BUFFER_TOO_SMALL
                                                : status;
}
