/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Reads the numbers of keys in the driver's format, most significant byte first.
 */
#include "pkey.h"

/* Reads the number with this name into `length` bytes, with leading zeros. OpenSSL returns numbers
 * in the CPU's byte order, which the driver requires to be little-endian. False: no such number, or
 * longer. */
static bool read_number(const struct owp_provider *provider, enum owp_keymgmt_index index,
                        void *key, const char *name, uint8_t *bytes, size_t length) {
  if (!owp_key_param(provider, index, key, OSSL_PARAM_construct_BN(name, bytes, length))) {
    OPENSSL_cleanse(bytes, length);
    return false;
  }
  for (size_t i = 0; i < length / 2; i++) {
    uint8_t byte = bytes[i];
    bytes[i] = bytes[length - 1 - i];
    bytes[length - 1 - i] = byte;
  }
  return true;
}

static bool has_number(const struct owp_provider *provider, enum owp_keymgmt_index index, void *key,
                       const char *name) {
  return owp_key_param(provider, index, key, OSSL_PARAM_construct_BN(name, NULL, 0));
}

void owp_rsa_set_key(const struct owp_provider *provider, struct owp_rsa_key *key, void *data) {
  int bits = 0;
  OPENSSL_cleanse(key, sizeof(*key));
  key->data = data;
  if (owp_key_param(provider, OWP_KEYS_RSA, data,
                    OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_BITS, &bits))) {
    key->bits = (uint32_t)bits;
    key->bytes = (key->bits + 7u) / 8u;
  }
}

bool owp_rsa_read_public(const struct owp_provider *provider, struct owp_rsa_key *key) {
  if (!key->has_public) {
    key->public = (struct ow_rsa_public){{key->n, sizeof(key->n)}, {key->e, sizeof(key->e)}};
    key->has_public = read_number(provider, OWP_KEYS_RSA, key->data, OSSL_PKEY_PARAM_RSA_N, key->n,
                                  sizeof(key->n)) &&
                      read_number(provider, OWP_KEYS_RSA, key->data, OSSL_PKEY_PARAM_RSA_E, key->e,
                                  sizeof(key->e));
  }
  return key->has_public;
}

bool owp_rsa_read_private(const struct owp_provider *provider, struct owp_rsa_key *key) {
  static const char *const names[] = {OSSL_PKEY_PARAM_RSA_FACTOR1, OSSL_PKEY_PARAM_RSA_FACTOR2,
                                      OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
                                      OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  uint8_t *const places[] = {key->p, key->q, key->dp, key->dq, key->qinv};
  struct ow_number *const numbers[] = {&key->private.p, &key->private.q, &key->private.dp,
                                       &key->private.dq, &key->private.qinv};
  if (key->has_private) {
    return true;
  }
  bool good = owp_rsa_read_public(provider, key) &&
              !has_number(provider, OWP_KEYS_RSA, key->data, OSSL_PKEY_PARAM_RSA_FACTOR3);
  key->private.n = key->public.n;
  key->private.e = key->public.e;
  for (unsigned i = 0; i < 5; i++) {
    *numbers[i] = (struct ow_number){places[i], sizeof(key->p)};
    good =
        good && read_number(provider, OWP_KEYS_RSA, key->data, names[i], places[i], sizeof(key->p));
  }
  key->has_private = good;
  return good;
}

void owp_ec_set_key(const struct owp_provider *provider, struct owp_ec_key *key, void *data) {
  static const struct {
    const char *name;
    enum ow_curve curve;
  } curves[] = {{"prime256v1", OW_CURVE_P256},
                {"secp384r1", OW_CURVE_P384},
                {"secp521r1", OW_CURVE_P521},
                {"secp256k1", OW_CURVE_SECP256K1}};
  char name[OWP_NAME_MAX] = "";
  OPENSSL_cleanse(key, sizeof(*key));
  key->data = data;
  (void)owp_key_param(
      provider, OWP_KEYS_EC, data,
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name, sizeof(name)));
  for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
    if (strcmp(name, curves[i].name) == 0) {
      key->known = true;
      key->curve = curves[i].curve;
    }
  }
}

bool owp_ec_read_point(const struct owp_provider *provider, struct owp_ec_key *key) {
  if (key->known && !key->has_point) {
    size_t length = ow_curve_bytes(key->curve);
    key->has_point = read_number(provider, OWP_KEYS_EC, key->data, OSSL_PKEY_PARAM_EC_PUB_X,
                                 key->point, length) &&
                     read_number(provider, OWP_KEYS_EC, key->data, OSSL_PKEY_PARAM_EC_PUB_Y,
                                 key->point + length, length);
  }
  return key->has_point;
}

bool owp_ec_read_private(const struct owp_provider *provider, struct owp_ec_key *key) {
  if (key->known && !key->has_private) {
    key->has_private = read_number(provider, OWP_KEYS_EC, key->data, OSSL_PKEY_PARAM_PRIV_KEY,
                                   key->d, ow_curve_bytes(key->curve));
  }
  return key->has_private;
}
