/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ECDSA on the device. The inner context does deterministic nonces, other curves, and hashes longer
 * than 512 bits.
 */
#include "pkey.h"

#ifndef OSSL_SIGNATURE_PARAM_NONCE_TYPE /* before 3.2 */
#define OSSL_SIGNATURE_PARAM_NONCE_TYPE "nonce-type"
#endif

struct work {
  const struct owp_ec_key *key;
  const uint8_t *input;
  size_t input_len;
  uint8_t signature[2u * OW_CURVE_BYTES_MAX];
};

/* Returns whether the device can sign: a random nonce, and a hash that has the length of its
 * digest, if that is known. */
static bool suits(const struct owp_signature *signature, size_t length) {
  size_t digest_len = 0;
  unsigned nonce = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, &digest_len),
                         OSSL_PARAM_construct_uint(OSSL_SIGNATURE_PARAM_NONCE_TYPE, &nonce),
                         OSSL_PARAM_construct_end()};
  return length != 0 && length <= EVP_MAX_MD_SIZE &&
         OWP_INSIDE(signature, get_ctx_params, params) &&
         (digest_len == 0 || digest_len == length) && nonce == 0;
}

static ow_status do_sign(struct ow_pka *pka, void *user) {
  struct work *work = user;
  const struct ow_ec_private key = {.curve = work->key->curve,
                                    .d = {work->key->d, ow_curve_bytes(work->key->curve)}};
  /* The hash function is used for the nonce only. */
  return ow_ecdsa_sign(pka, work->signature, &key, OW_OP_SHA512, work->input, work->input_len);
}

static ow_status do_verify(struct ow_pka *pka, void *user) {
  struct work *work = user;
  return ow_ecdsa_verify(pka, work->key->curve, work->key->point, work->input, work->input_len,
                         work->signature);
}

static bool sign(struct owp_signature *signature, uint8_t *out, size_t *out_len,
                 const uint8_t *input, size_t input_len) {
  struct ow_offload *offload = signature->provider->offload;
  struct owp_ec_key *key = &signature->key.ec;
  struct work work = {.key = key, .input = input, .input_len = input_len};
  uint32_t bytes = key->known ? (uint32_t)ow_curve_bytes(key->curve) : 0;
  if (key->known && !ow_offload_wants(offload, OW_OP_EC_SIGN, 0, false, bytes)) {
    return false;
  }
  if (!suits(signature, input_len) || !owp_ec_read_private(signature->provider, key)) {
    ow_offload_count(offload, OW_OP_EC_SIGN, OW_FALLBACK_OPCODE, bytes);
    return false;
  }
  if (!ow_offload_operate(offload, OW_OP_EC_SIGN, bytes, do_sign, &work, NULL, NULL)) {
    return false;
  }
  *out_len = ow_ecdsa_to_der(out, key->curve, work.signature);
  return true;
}

static bool verify(struct owp_signature *signature, const uint8_t *input, size_t input_len,
                   const uint8_t *made, size_t made_len) {
  struct ow_offload *offload = signature->provider->offload;
  struct owp_ec_key *key = &signature->key.ec;
  struct work work = {.key = key, .input = input, .input_len = input_len};
  uint32_t bytes = key->known ? (uint32_t)ow_curve_bytes(key->curve) : 0;
  if (key->known && !ow_offload_wants(offload, OW_OP_EC_VERIFY, 0, false, bytes)) {
    return false;
  }
  if (!suits(signature, input_len) || !owp_ec_read_point(signature->provider, key) ||
      ow_ecdsa_from_der(work.signature, key->curve, made, made_len) != OW_OK) {
    ow_offload_count(offload, OW_OP_EC_VERIFY, OW_FALLBACK_OPCODE, bytes);
    return false;
  }
  return ow_offload_operate(offload, OW_OP_EC_VERIFY, bytes, do_verify, &work, NULL, NULL);
}

static void set_key(struct owp_signature *signature, void *data) {
  owp_ec_set_key(signature->provider, &signature->key.ec, data);
}

const struct owp_signature_kind owp_ecdsa_kind = {
    .set_key = set_key, .sign = sign, .verify = verify};
