/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ECDSA and ECDH on P-256 and P-384, and the choice between these and RSA.
 */
#include "pka.h"

bool ow_psa_curve(enum ow_curve *curve, const psa_key_attributes_t *attributes) {
  psa_key_type_t type = psa_get_key_type(attributes);
  size_t bits = psa_get_key_bits(attributes);
  *curve = bits == 384 ? OW_CURVE_P384 : OW_CURVE_P256;
  return PSA_KEY_TYPE_IS_ECC(type) && PSA_KEY_TYPE_ECC_GET_FAMILY(type) == PSA_ECC_FAMILY_SECP_R1 &&
         (bits == 256 || bits == 384);
}

bool ow_psa_ecdsa_hash(uint8_t *hash, psa_algorithm_t alg, enum ow_curve curve) {
  *hash = curve == OW_CURVE_P384 ? OW_OP_SHA384 : OW_OP_SHA256;
  return PSA_ALG_IS_RANDOMIZED_ECDSA(alg);
}

ow_status ow_psa_ec_sign(struct ow_pka *pka, void *user) {
  const struct ow_psa_ec *work = user;
  return ow_ecdsa_sign(pka, work->output, &work->key, work->hash, work->input, work->input_len);
}

ow_status ow_psa_ec_verify(struct ow_pka *pka, void *user) {
  const struct ow_psa_ec *work = user;
  return ow_ecdsa_verify(pka, work->key.curve, work->point, work->input, work->input_len,
                         work->signature);
}

ow_status ow_psa_ec_agree(struct ow_pka *pka, void *user) {
  const struct ow_psa_ec *work = user;
  return ow_ecdh(pka, work->output, &work->key, work->input, work->input_len);
}

/* Verifies with a private key: computes the public key first. */
static ow_status verify_own(struct ow_pka *pka, void *user) {
  struct ow_psa_ec *work = user;
  uint8_t point[2 * OW_CURVE_BYTES_MAX];
  ow_status status = ow_ec_public(pka, point, &work->key);
  if (status == OW_OK) {
    work->point = point;
    status = ow_psa_ec_verify(pka, work);
    work->point = NULL;
  }
  return status;
}

psa_status_t outwork_transparent_signature_sign_hash(const psa_key_attributes_t *attributes,
                                                     const uint8_t *key, size_t key_size,
                                                     psa_algorithm_t alg, const uint8_t *hash,
                                                     size_t hash_len, uint8_t *signature,
                                                     size_t signature_size, size_t *signature_len) {
  if (psa_get_key_type(attributes) == PSA_KEY_TYPE_RSA_KEY_PAIR) {
    return ow_psa_rsa_sign(attributes, key, key_size, alg, hash, hash_len, signature,
                           signature_size, signature_len);
  }
  struct ow_psa_ec work = {
      .key.d = {key, key_size}, .input = hash, .input_len = hash_len, .output = signature};
  if (!ow_psa_curve(&work.key.curve, attributes) ||
      !PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes)) ||
      !ow_psa_ecdsa_hash(&work.hash, alg, work.key.curve)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t bytes = ow_curve_bytes(work.key.curve);
  if (key_size != bytes || signature_size < 2 * bytes ||
      !ow_psa_operate(OW_OP_EC_SIGN, bytes, ow_psa_ec_sign, &work)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  *signature_len = 2 * bytes;
  return PSA_SUCCESS;
}

psa_status_t outwork_transparent_signature_verify_hash(const psa_key_attributes_t *attributes,
                                                       const uint8_t *key, size_t key_size,
                                                       psa_algorithm_t alg, const uint8_t *hash,
                                                       size_t hash_len, const uint8_t *signature,
                                                       size_t signature_len) {
  if (PSA_KEY_TYPE_IS_RSA(psa_get_key_type(attributes))) {
    return ow_psa_rsa_verify(attributes, key, key_size, alg, hash, hash_len, signature,
                             signature_len);
  }
  struct ow_psa_ec work = {.input = hash, .input_len = hash_len, .signature = signature};
  if (!PSA_ALG_IS_ECDSA(alg) || !ow_psa_curve(&work.key.curve, attributes)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t bytes = ow_curve_bytes(work.key.curve);
  bool pair = PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes));
  if (signature_len != 2 * bytes || key_size != (pair ? bytes : 2 * bytes + 1)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  work.key.d = (struct ow_number){key, key_size};
  work.point = key + 1;
  return ow_psa_operate(OW_OP_EC_VERIFY, bytes, pair ? verify_own : ow_psa_ec_verify, &work)
             ? PSA_SUCCESS
             : PSA_ERROR_NOT_SUPPORTED;
}

psa_status_t outwork_transparent_key_agreement(const psa_key_attributes_t *attributes,
                                               const uint8_t *key, size_t key_size,
                                               psa_algorithm_t alg, const uint8_t *peer,
                                               size_t peer_len, uint8_t *secret, size_t secret_size,
                                               size_t *secret_len) {
  struct ow_psa_ec work = {
      .key.d = {key, key_size}, .input = peer, .input_len = peer_len, .output = secret};
  if (!PSA_ALG_IS_ECDH(alg) || !ow_psa_curve(&work.key.curve, attributes)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t bytes = ow_curve_bytes(work.key.curve);
  if (key_size != bytes || secret_size < bytes || peer_len != 2 * bytes + 1 ||
      !ow_psa_operate(OW_OP_EC_MULTIPLY, bytes, ow_psa_ec_agree, &work)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  *secret_len = bytes;
  return PSA_SUCCESS;
}
