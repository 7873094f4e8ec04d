/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA: PKCS #1 v1.5 and PSS signatures, OAEP. Keys are in DER (RFC 8017 A.1).
 */
#include "pka.h"

#include <mbedtls/asn1.h>

#include <string.h>

enum { PARTS = 8 }; /* n, e, d, p, q, dP, dQ, qInv */

/* Reads the INTEGERs of a SEQUENCE; skips the version of a private key. */
static bool parse(struct ow_number numbers[PARTS], const uint8_t *der, size_t der_len,
                  bool private_key) {
  unsigned char *at = (unsigned char *)(uintptr_t)der;
  const unsigned char *end = der + der_len;
  size_t length;
  int version = 0;
  if (mbedtls_asn1_get_tag(&at, end, &length, MBEDTLS_ASN1_CONSTRUCTED | MBEDTLS_ASN1_SEQUENCE) !=
          0 ||
      (private_key && (mbedtls_asn1_get_int(&at, end, &version) != 0 || version != 0))) {
    return false;
  }
  for (unsigned i = 0; i < (private_key ? PARTS : 2u); i++) {
    if (mbedtls_asn1_get_tag(&at, end, &length, MBEDTLS_ASN1_INTEGER) != 0) {
      return false;
    }
    for (numbers[i] = (struct ow_number){at, length};
         numbers[i].length > 1 && numbers[i].bytes[0] == 0;) {
      numbers[i].bytes++;
      numbers[i].length--;
    }
    at += length;
  }
  return true;
}

bool ow_psa_rsa_key(struct ow_psa_rsa *work, bool private_key, const uint8_t *der, size_t der_len) {
  struct ow_number numbers[PARTS] = {{0}};
  if (!parse(numbers, der, der_len, private_key)) {
    return false;
  }
  work->public_key = (struct ow_rsa_public){numbers[0], numbers[1]};
  work->private_key = (struct ow_rsa_private){.n = numbers[0],
                                              .e = numbers[1],
                                              .p = numbers[3],
                                              .q = numbers[4],
                                              .dp = numbers[5],
                                              .dq = numbers[6],
                                              .qinv = numbers[7]};
  return true;
}

static bool read_key(struct ow_psa_rsa *work, const psa_key_attributes_t *attributes,
                     const uint8_t *key, size_t key_size) {
  return ow_psa_rsa_key(work, psa_get_key_type(attributes) == PSA_KEY_TYPE_RSA_KEY_PAIR, key,
                        key_size);
}

bool ow_psa_rsa_scheme(struct ow_psa_rsa *work, psa_algorithm_t alg, size_t digest_len) {
  uint8_t hash = ow_psa_hash_opcode(PSA_ALG_GET_HASH(alg));
  bool pss = PSA_ALG_IS_RSA_PSS(alg);
  if (hash == 0 || digest_len != ow_hash_digest_len(hash) ||
      !(pss || PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg))) {
    return false;
  }
  work->padding = (struct ow_rsa_padding){.scheme = pss ? OW_RSA_PSS : OW_RSA_PKCS1,
                                          .hash = hash,
                                          .mask_hash = hash,
                                          .salt_len = digest_len};
  return true;
}

ow_status ow_psa_rsa_make(struct ow_pka *pka, void *user) {
  const struct ow_psa_rsa *work = user;
  return ow_rsa_sign(pka, work->output, &work->private_key, &work->padding, work->input);
}

ow_status ow_psa_rsa_check(struct ow_pka *pka, void *user) {
  const struct ow_psa_rsa *work = user;
  return ow_rsa_verify(pka, &work->public_key, &work->padding, work->input, work->signature,
                       work->signature_len);
}

ow_status ow_psa_rsa_encrypt(struct ow_pka *pka, void *user) {
  const struct ow_psa_rsa *work = user;
  return ow_rsa_encrypt(pka, work->output, &work->public_key, &work->padding, work->input,
                        work->input_len);
}

ow_status ow_psa_rsa_decrypt(struct ow_pka *pka, void *user) {
  struct ow_psa_rsa *work = user;
  return ow_rsa_decrypt(pka, work->output, &work->output_len, &work->private_key, &work->padding,
                        work->input, work->input_len);
}

psa_status_t ow_psa_rsa_sign(const psa_key_attributes_t *attributes, const uint8_t *key,
                             size_t key_size, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_len, uint8_t *signature, size_t signature_size,
                             size_t *signature_len) {
  struct ow_psa_rsa work = {.input = hash, .output = signature};
  if (!ow_psa_rsa_scheme(&work, alg, hash_len) || !read_key(&work, attributes, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t bytes = work.public_key.n.length;
  /* If the salt is too long for the key, software reports the error. */
  if (signature_size < bytes || !ow_psa_operate(OW_OP_RSA_PRIVATE, bytes, ow_psa_rsa_make, &work)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  *signature_len = bytes;
  return PSA_SUCCESS;
}

psa_status_t ow_psa_rsa_verify(const psa_key_attributes_t *attributes, const uint8_t *key,
                               size_t key_size, psa_algorithm_t alg, const uint8_t *hash,
                               size_t hash_len, const uint8_t *signature, size_t signature_len) {
  struct ow_psa_rsa work = {.input = hash, .signature = signature, .signature_len = signature_len};
  if (!ow_psa_rsa_scheme(&work, alg, hash_len) || !read_key(&work, attributes, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  if (PSA_ALG_IS_RSA_PSS_ANY_SALT(alg)) {
    work.padding.salt_len = OW_RSA_SALT_ANY;
  }
  return ow_psa_operate(OW_OP_RSA_PUBLIC, work.public_key.n.length, ow_psa_rsa_check, &work)
             ? PSA_SUCCESS
             : PSA_ERROR_NOT_SUPPORTED;
}

bool ow_psa_rsa_oaep(struct ow_psa_rsa *work, psa_algorithm_t alg, const uint8_t *label,
                     size_t label_len) {
  uint8_t hash = PSA_ALG_IS_RSA_OAEP(alg) ? ow_psa_hash_opcode(PSA_ALG_RSA_OAEP_GET_HASH(alg)) : 0;
  work->padding = (struct ow_rsa_padding){
      .scheme = OW_RSA_OAEP, .hash = hash, .mask_hash = hash, .label = {label, label_len}};
  return hash != 0;
}

psa_status_t outwork_transparent_asymmetric_encrypt(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key, size_t key_size,
                                                    psa_algorithm_t alg, const uint8_t *input,
                                                    size_t input_len, const uint8_t *label,
                                                    size_t label_len, uint8_t *output,
                                                    size_t output_size, size_t *output_len) {
  struct ow_psa_rsa work = {.input = input, .input_len = input_len, .output = output};
  if (!ow_psa_rsa_oaep(&work, alg, label, label_len) ||
      !read_key(&work, attributes, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t bytes = work.public_key.n.length;
  if (output_size < bytes || !ow_psa_operate(OW_OP_RSA_PUBLIC, bytes, ow_psa_rsa_encrypt, &work)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  *output_len = bytes;
  return PSA_SUCCESS;
}

psa_status_t outwork_transparent_asymmetric_decrypt(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key, size_t key_size,
                                                    psa_algorithm_t alg, const uint8_t *input,
                                                    size_t input_len, const uint8_t *label,
                                                    size_t label_len, uint8_t *output,
                                                    size_t output_size, size_t *output_len) {
  struct ow_psa_rsa work = {
      .input = input, .input_len = input_len, .output = output, .output_len = output_size};
  if (!ow_psa_rsa_oaep(&work, alg, label, label_len) ||
      !read_key(&work, attributes, key, key_size) ||
      !ow_psa_operate(OW_OP_RSA_PRIVATE, work.public_key.n.length, ow_psa_rsa_decrypt, &work)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  *output_len = work.output_len;
  return PSA_SUCCESS;
}
