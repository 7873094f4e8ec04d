/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA signatures on the device: PKCS #1 v1.5 with and without a digest, PSS, and no padding. The
 * inner context does X9.31, digests that the driver does not have, and message recovery.
 */
#include "pkey.h"

#define PKCS1_OVERHEAD 11u /* 00 01, at least eight FF, 00 */
#define MD5_SHA1_BYTES 36u /* TLS 1.1 signs MD5 and SHA-1 together, without DigestInfo */

#ifndef RSA_PSS_SALTLEN_AUTO_DIGEST_MAX /* before 3.1 */
#define RSA_PSS_SALTLEN_AUTO_DIGEST_MAX (-4)
#endif

struct work {
  struct owp_rsa_key *key;
  /* `em` is the number to sign; else `input`, which the driver pads */
  bool encoded;
  uint8_t em[OW_RSA_BYTES_MAX];
  struct ow_rsa_padding padding;
  const uint8_t *input;
  /* the signature to verify */
  const uint8_t *made;
  uint8_t *out;
};

/* Encodes T as EM (RFC 8017 9.2, steps 3 to 5). */
static bool encode_pkcs1(struct work *work, const uint8_t *input, size_t length) {
  size_t bytes = work->key->bytes;
  if (length + PKCS1_OVERHEAD > bytes) {
    return false;
  }
  memset(work->em, 0xff, bytes - length);
  work->em[0] = 0;
  work->em[1] = 1;
  work->em[bytes - length - 1] = 0;
  memcpy(work->em + bytes - length, input, length);
  work->encoded = true;
  return true;
}

/* Encodes without a digest. OpenSSL does an empty message: it signs it, and accepts no signature of
 * it. */
static bool encode_bare(struct work *work, int mode, const uint8_t *input, size_t length) {
  if (mode == RSA_PKCS1_PADDING) {
    return length != 0 && encode_pkcs1(work, input, length);
  }
  if (mode != RSA_NO_PADDING || length != work->key->bytes) {
    return false;
  }
  memcpy(work->em, input, length);
  work->encoded = true;
  return true;
}

/* Reads the salt's length in bytes; SIZE_MAX: any, or the longest possible. False: not for the
 * device. */
static bool salt_of(size_t *salt, int asked, size_t digest_len, const struct owp_rsa_key *key,
                    bool verify) {
  size_t encoded = (key->bits + 6u) / 8u; /* of bits - 1 */
  if (encoded < digest_len + 2u) {
    return false;
  }
  size_t most = encoded - digest_len - 2u;
  switch (asked) {
  case RSA_PSS_SALTLEN_DIGEST:
    *salt = digest_len;
    break;
  case RSA_PSS_SALTLEN_MAX:
    *salt = most;
    break;
  case RSA_PSS_SALTLEN_AUTO:
    *salt = verify ? OW_RSA_SALT_ANY : most;
    break;
  case RSA_PSS_SALTLEN_AUTO_DIGEST_MAX:
    *salt = verify ? OW_RSA_SALT_ANY : digest_len < most ? digest_len : most;
    break;
  default:
    *salt = (size_t)asked;
    return asked >= 0 && *salt <= most;
  }
  return verify || *salt <= most;
}

static bool prepare_pss(const struct owp_signature *signature, struct work *work, bool verify) {
  char name[OWP_NAME_MAX] = "";
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, name, sizeof(name)),
      OSSL_PARAM_construct_end()};
  int asked = 0;
  work->padding.scheme = OW_RSA_PSS;
  if (!OWP_INSIDE(signature, get_ctx_params, params) ||
      !owp_signature_get_int(signature, OSSL_SIGNATURE_PARAM_PSS_SALTLEN, &asked)) {
    return false;
  }
  work->padding.mask_hash = owp_hash_of(signature->provider, name);
  return owp_masks_with(work->padding.hash) && owp_masks_with(work->padding.mask_hash) &&
         salt_of(&work->padding.salt_len, asked, ow_hash_digest_len(work->padding.hash), work->key,
                 verify);
}

/* Prepares the device's work. False: the device cannot do it, or the inner context has to report an
 * error. */
static bool prepare(const struct owp_signature *signature, struct work *work, bool verify,
                    const uint8_t *input, size_t length) {
  char name[OWP_NAME_MAX];
  int mode = 0;
  if (!owp_signature_get_int(signature, OSSL_SIGNATURE_PARAM_PAD_MODE, &mode) ||
      !owp_signature_digest_name(signature, name)) {
    return false;
  }
  work->input = input;
  if (name[0] == '\0') {
    return encode_bare(work, mode, input, length);
  }
  if (mode == RSA_PKCS1_PADDING && strcmp(name, "MD5-SHA1") == 0) {
    return length == MD5_SHA1_BYTES && encode_pkcs1(work, input, length);
  }
  work->padding.hash = owp_hash_of(signature->provider, name);
  if (work->padding.hash == 0 || length != ow_hash_digest_len(work->padding.hash)) {
    return false;
  }
  work->padding.scheme = OW_RSA_PKCS1;
  return mode == RSA_PKCS1_PADDING ||
         (mode == RSA_PKCS1_PSS_PADDING && prepare_pss(signature, work, verify));
}

static ow_status do_sign(struct ow_pka *pka, void *user) {
  struct work *work = user;
  const struct ow_rsa_private *key = &work->key->private;
  return work->encoded ? ow_rsa_private_raw(pka, work->out, key, work->em)
                       : ow_rsa_sign(pka, work->out, key, &work->padding, work->input);
}

static ow_status do_verify(struct ow_pka *pka, void *user) {
  struct work *work = user;
  const struct ow_rsa_public *key = &work->key->public;
  size_t bytes = work->key->bytes;
  uint8_t em[OW_RSA_BYTES_MAX];
  if (!work->encoded) {
    return ow_rsa_verify(pka, key, &work->padding, work->input, work->made, bytes);
  }
  ow_status status = ow_rsa_public_raw(pka, em, key, work->made);
  return status == OW_OK && memcmp(em, work->em, bytes) != 0 ? OW_AUTH_FAILED : status;
}

static bool sign(struct owp_signature *signature, uint8_t *out, size_t *out_len,
                 const uint8_t *input, size_t input_len) {
  struct ow_offload *offload = signature->provider->offload;
  struct owp_rsa_key *key = &signature->key.rsa;
  struct work work = {.key = key, .out = out};
  if (!ow_offload_wants(offload, OW_OP_RSA_PRIVATE, 0, false, key->bytes)) {
    return false;
  }
  if (key->bytes > OW_RSA_BYTES_MAX || !prepare(signature, &work, false, input, input_len) ||
      !owp_rsa_read_private(signature->provider, key)) {
    ow_offload_count(offload, OW_OP_RSA_PRIVATE, OW_FALLBACK_OPCODE, key->bytes);
    return false;
  }
  if (!ow_offload_operate(offload, OW_OP_RSA_PRIVATE, key->bytes, do_sign, &work, NULL, NULL)) {
    return false;
  }
  *out_len = key->bytes;
  return true;
}

static bool verify(struct owp_signature *signature, const uint8_t *input, size_t input_len,
                   const uint8_t *made, size_t made_len) {
  struct ow_offload *offload = signature->provider->offload;
  struct owp_rsa_key *key = &signature->key.rsa;
  struct work work = {.key = key, .made = made};
  if (!ow_offload_wants(offload, OW_OP_RSA_PUBLIC, 0, false, key->bytes)) {
    return false;
  }
  if (key->bytes > OW_RSA_BYTES_MAX || made_len != key->bytes ||
      !prepare(signature, &work, true, input, input_len) ||
      !owp_rsa_read_public(signature->provider, key)) {
    ow_offload_count(offload, OW_OP_RSA_PUBLIC, OW_FALLBACK_OPCODE, key->bytes);
    return false;
  }
  return ow_offload_operate(offload, OW_OP_RSA_PUBLIC, key->bytes, do_verify, &work, NULL, NULL);
}

static void set_key(struct owp_signature *signature, void *data) {
  owp_rsa_set_key(signature->provider, &signature->key.rsa, data);
}

const struct owp_signature_kind owp_rsa_signature_kind = {
    .set_key = set_key, .sign = sign, .verify = verify};
