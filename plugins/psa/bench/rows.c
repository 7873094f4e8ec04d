/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The operations of each row. Keys and IVs are used in this row only, so all messages may share an
 * IV.
 */
#include "benchmark.h"

uint8_t answer[MESSAGE_BYTES_MAX + 16];
size_t answer_len, message_len = MESSAGE_BYTES;

static const uint8_t message[MESSAGE_BYTES_MAX] = {1, 2, 3}, iv[16] = {4, 5, 6};
static psa_key_id_t key, peer; /* `peer`: the public key */
static uint8_t signature[256], point[97];
static size_t signature_len, point_len;

static psa_status_t hash(const struct row *row) {
  return psa_hash_compute(row->alg, message, message_len, answer, sizeof(answer), &answer_len);
}

static psa_status_t mac(const struct row *row) {
  /* not all of `answer`: PSA fills what is left of the buffer */
  return psa_mac_compute(key, row->alg, message, message_len, answer, PSA_MAC_MAX_SIZE,
                         &answer_len);
}

static psa_status_t cipher(const struct row *row) {
  psa_cipher_operation_t operation = psa_cipher_operation_init();
  size_t more = 0;
  psa_status_t status = psa_cipher_encrypt_setup(&operation, key, row->alg);
  if (status == PSA_SUCCESS && row->alg != PSA_ALG_ECB_NO_PADDING) {
    status = psa_cipher_set_iv(&operation, iv, sizeof(iv));
  }
  if (status == PSA_SUCCESS) {
    status =
        psa_cipher_update(&operation, message, message_len, answer, sizeof(answer), &answer_len);
  }
  if (status == PSA_SUCCESS) {
    status = psa_cipher_finish(&operation, answer + answer_len, sizeof(answer) - answer_len, &more);
    answer_len += more;
  }
  (void)psa_cipher_abort(&operation);
  return status;
}

static psa_status_t aead(const struct row *row) {
  return psa_aead_encrypt(key, row->alg, iv, 12, NULL, 0, message, message_len, answer,
                          sizeof(answer), &answer_len);
}

/* Returns the digest length of the row's hash. */
static size_t digest_len(const struct row *row) {
  return PSA_HASH_LENGTH(PSA_ALG_GET_HASH(row->alg));
}

static psa_status_t sign(const struct row *row) {
  return psa_sign_hash(key, row->alg, message, digest_len(row), answer, sizeof(signature),
                       &answer_len);
}

static psa_status_t verify(const struct row *row) {
  return psa_verify_hash(peer, row->alg, message, digest_len(row), signature, signature_len);
}

static psa_status_t agree(const struct row *row) {
  return psa_raw_key_agreement(row->alg, key, point, point_len, answer, sizeof(answer),
                               &answer_len);
}

#define RSA   PSA_KEY_TYPE_RSA_KEY_PAIR
#define CURVE PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define AES(name, play, alg)                                                                       \
  {name "-128", NULL, play, alg, PSA_KEY_TYPE_AES, 128, false},                                    \
      {name "-192", NULL, play, alg, PSA_KEY_TYPE_AES, 192, false}, {                              \
    name "-256", NULL, play, alg, PSA_KEY_TYPE_AES, 256, false                                     \
  }

const struct row rows[] = {
    {"SHA-1", NULL, hash, PSA_ALG_SHA_1, 0, 0, false},
    {"SHA-256", NULL, hash, PSA_ALG_SHA_256, 0, 0, false},
    {"SHA-512", NULL, hash, PSA_ALG_SHA_512, 0, 0, false},
    {"SHA3-256", NULL, hash, PSA_ALG_SHA3_256, 0, 0, false},
    {"HMAC-SHA-256", NULL, mac, PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_KEY_TYPE_HMAC, 256, false},
    AES("AES-ECB", cipher, PSA_ALG_ECB_NO_PADDING),
    AES("AES-CBC", cipher, PSA_ALG_CBC_NO_PADDING),
    AES("AES-CTR", cipher, PSA_ALG_CTR),
    AES("AES-GCM", aead, PSA_ALG_GCM),
    AES("AES-CCM", aead, PSA_ALG_CCM),
    AES("AES-CMAC", mac, PSA_ALG_CMAC),
    {"RSA-2048", "public", verify, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256), RSA, 2048, false},
    {"RSA-2048", "private", sign, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256), RSA, 2048, false},
    {"ECDSA-secp256r1", "sign", sign, PSA_ALG_ECDSA(PSA_ALG_SHA_256), CURVE, 256, true},
    {"ECDSA-secp256r1", "verify", verify, PSA_ALG_ECDSA(PSA_ALG_SHA_256), CURVE, 256, false},
    {"ECDSA-secp384r1", "sign", sign, PSA_ALG_ECDSA(PSA_ALG_SHA_384), CURVE, 384, true},
    {"ECDSA-secp384r1", "verify", verify, PSA_ALG_ECDSA(PSA_ALG_SHA_384), CURVE, 384, false},
    {"ECDH-secp256r1", "agree", agree, PSA_ALG_ECDH, CURVE, 256, false},
    {"ECDH-secp384r1", "agree", agree, PSA_ALG_ECDH, CURVE, 384, false},
};
const unsigned rows_len = sizeof(rows) / sizeof(rows[0]);

/* Imports the public key as a key of its own, and makes a signature to verify. */
static psa_status_t begin_verify(const struct row *row, psa_key_attributes_t *attributes) {
  uint8_t bytes[512];
  size_t length = 0;
  psa_status_t status = psa_sign_hash(key, row->alg, message, digest_len(row), signature,
                                      sizeof(signature), &signature_len);
  if (status == PSA_SUCCESS) {
    status = psa_export_public_key(key, bytes, sizeof(bytes), &length);
  }
  psa_set_key_type(attributes, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(row->type));
  psa_set_key_usage_flags(attributes, PSA_KEY_USAGE_VERIFY_HASH);
  psa_set_key_bits(attributes, 0);
  return status == PSA_SUCCESS ? psa_import_key(attributes, bytes, length, &peer) : status;
}

psa_status_t row_begin(const struct row *row) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  answer_len = 0;
  if (row->type == 0) {
    return PSA_SUCCESS;
  }
  psa_set_key_type(&attributes, row->type);
  psa_set_key_bits(&attributes, row->bits);
  psa_set_key_algorithm(&attributes, row->alg);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_SIGN_MESSAGE |
                                           PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_DERIVE);
  psa_status_t status = psa_generate_key(&attributes, &key);
  if (status == PSA_SUCCESS && row->play == agree) {
    /* Agrees with itself: this takes as long as with any other key. */
    status = psa_export_public_key(key, point, sizeof(point), &point_len);
  }
  return status == PSA_SUCCESS && row->play == verify ? begin_verify(row, &attributes) : status;
}

void row_end(void) {
  (void)psa_destroy_key(key);
  (void)psa_destroy_key(peer);
  key = 0;
  peer = 0;
}
