/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ECDSA, ECDH and key pairs on the curves that the device has.
 */
#include "families.h"

#if defined(HAVE_ECC) && defined(OUTWORK_WOLFSSL_NUMBERS)

struct operation {
  enum ow_curve curve;
  uint8_t d[OW_CURVE_BYTES_MAX];
  uint8_t point[1 + 2 * OW_CURVE_BYTES_MAX]; /* 0x04, x, y */
  uint8_t signature[2 * OW_CURVE_BYTES_MAX];
  uint8_t secret[OW_CURVE_BYTES_MAX];
  const byte *digest;
  word32 digest_len;
};

static bool curve_of(enum ow_curve *curve, const ecc_key *key) {
  static const struct {
    int id;
    enum ow_curve curve;
  } curves[] = {{ECC_SECP256R1, OW_CURVE_P256},
                {ECC_SECP384R1, OW_CURVE_P384},
                {ECC_SECP521R1, OW_CURVE_P521},
                {ECC_SECP256K1, OW_CURVE_SECP256K1}};
  for (unsigned i = 0; key->dp != NULL && i < sizeof(curves) / sizeof(curves[0]); i++) {
    if (key->dp->id == curves[i].id) {
      *curve = curves[i].curve;
      return true;
    }
  }
  return false;
}

static bool get_private(struct operation *operation, ecc_key *key) {
  word32 length = (word32)ow_curve_bytes(operation->curve);
  return (key->type == ECC_PRIVATEKEY || key->type == ECC_PRIVATEKEY_ONLY) &&
         wc_ecc_export_private_only(key, operation->d, &length) == 0 &&
         length == ow_curve_bytes(operation->curve);
}

static bool get_public(struct operation *operation, ecc_key *key) {
  word32 length = (word32)(1 + 2 * ow_curve_bytes(operation->curve));
  return (key->type == ECC_PRIVATEKEY || key->type == ECC_PUBLICKEY) &&
         wc_ecc_export_x963(key, operation->point, &length) == 0 &&
         length == 1 + 2 * ow_curve_bytes(operation->curve);
}

static struct ow_ec_private private_of(const struct operation *operation) {
  return (struct ow_ec_private){.curve = operation->curve,
                                .d = {operation->d, ow_curve_bytes(operation->curve)}};
}

static bool run(struct ow_offload *offload, uint8_t opcode, struct operation *operation,
                ow_operate *operate) {
  return ow_offload_operate(offload, opcode, (uint32_t)ow_curve_bytes(operation->curve), operate,
                            operation, NULL, NULL);
}

#ifdef HAVE_ECC_SIGN
/* Returns the hash for the nonce, as strong as the curve. */
static uint8_t nonce_hash(enum ow_curve curve) {
  return curve == OW_CURVE_P384   ? OW_OP_SHA384
         : curve == OW_CURVE_P521 ? OW_OP_SHA512
                                  : OW_OP_SHA256;
}

static ow_status do_sign(struct ow_pka *pka, void *user) {
  struct operation *operation = user;
  const struct ow_ec_private key = private_of(operation);
  return ow_ecdsa_sign(pka, operation->signature, &key, nonce_hash(operation->curve),
                       operation->digest, operation->digest_len);
}

/* Returns whether a digest is not zero and has a usual length. Releases of wolfSSL differ in what
 * they refuse, so software gets all others. */
static bool is_ordinary(const byte *digest, word32 length) {
  byte any = 0;
  for (word32 i = 0; i < length; i++) {
    any |= digest[i];
  }
  return any != 0 && length >= WC_SHA_DIGEST_SIZE && length <= WC_MAX_DIGEST_SIZE;
}

/* Returns whether the caller has set the nonce, or how it is made. */
static bool has_nonce(const ecc_key *key) {
  bool chosen = false;
#if defined(WOLFSSL_ECDSA_SET_K) || defined(WOLFSSL_ECDSA_SET_K_ONE_LOOP) ||                       \
    defined(WOLFSSL_ECDSA_DETERMINISTIC_K) || defined(WOLFSSL_ECDSA_DETERMINISTIC_K_VARIANT)
#ifndef WOLFSSL_NO_MALLOC
  chosen = key->sign_k != NULL;
#else
  chosen = key->sign_k_set;
#endif
#endif
#if defined(WOLFSSL_ECDSA_DETERMINISTIC_K) || defined(WOLFSSL_ECDSA_DETERMINISTIC_K_VARIANT)
  chosen = chosen || key->deterministic;
#endif
  (void)key;
  return chosen;
}

static int sign(struct ow_offload *offload, struct operation *operation, wc_CryptoInfo *info) {
  uint8_t der[OW_ECDSA_DER_MAX];
  operation->digest = info->pk.eccsign.in;
  operation->digest_len = info->pk.eccsign.inlen;
  if (!is_ordinary(operation->digest, info->pk.eccsign.inlen) || has_nonce(info->pk.eccsign.key) ||
      !get_private(operation, info->pk.eccsign.key) ||
      !run(offload, OW_OP_EC_SIGN, operation, do_sign)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  size_t length = ow_ecdsa_to_der(der, operation->curve, operation->signature);
  if (length > *info->pk.eccsign.outlen) {
    return CRYPTOCB_UNAVAILABLE; /* software reports the error */
  }
  memcpy(info->pk.eccsign.out, der, length);
  *info->pk.eccsign.outlen = (word32)length;
  return 0;
}
#endif

#ifdef HAVE_ECC_VERIFY
static ow_status do_verify(struct ow_pka *pka, void *user) {
  struct operation *operation = user;
  return ow_ecdsa_verify(pka, operation->curve, operation->point + 1, operation->digest,
                         operation->digest_len, operation->signature);
}

/* Verifies. If the device finds a signature wrong or malformed, software checks it again. */
static int verify(struct ow_offload *offload, struct operation *operation, wc_CryptoInfo *info) {
  operation->digest = info->pk.eccverify.hash;
  operation->digest_len = info->pk.eccverify.hashlen;
  if (!is_ordinary(operation->digest, info->pk.eccverify.hashlen) ||
      !get_public(operation, info->pk.eccverify.key) ||
      ow_ecdsa_from_der(operation->signature, operation->curve, info->pk.eccverify.sig,
                        info->pk.eccverify.siglen) != OW_OK ||
      !run(offload, OW_OP_EC_VERIFY, operation, do_verify)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  *info->pk.eccverify.res = 1;
  return 0;
}
#endif

#ifdef HAVE_ECC_DHE
static ow_status do_derive(struct ow_pka *pka, void *user) {
  struct operation *operation = user;
  const struct ow_ec_private key = private_of(operation);
  return ow_ecdh(pka, operation->secret, &key, operation->point,
                 1 + 2 * ow_curve_bytes(operation->curve));
}

static int derive(struct ow_offload *offload, struct operation *operation, wc_CryptoInfo *info) {
  word32 length = (word32)ow_curve_bytes(operation->curve);
  enum ow_curve theirs;
  if (!curve_of(&theirs, info->pk.ecdh.public_key) || theirs != operation->curve ||
      *info->pk.ecdh.outlen < length || !get_private(operation, info->pk.ecdh.private_key) ||
      !get_public(operation, info->pk.ecdh.public_key) ||
      !run(offload, OW_OP_EC_MULTIPLY, operation, do_derive)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(info->pk.ecdh.out, operation->secret, length);
  *info->pk.ecdh.outlen = length;
  return 0;
}

static ow_status do_generate(struct ow_pka *pka, void *user) {
  struct operation *operation = user;
  return ow_ec_generate(pka, operation->curve, operation->d, operation->point + 1);
}

static int generate(struct ow_offload *offload, struct operation *operation, wc_CryptoInfo *info) {
  size_t length = ow_curve_bytes(operation->curve);
  ecc_key *key = info->pk.eckg.key;
  if (!run(offload, OW_OP_EC_PUBLIC, operation, do_generate)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  return wc_ecc_import_unsigned(key, operation->point + 1, operation->point + 1 + length,
                                operation->d, key->dp->id);
}
#endif

/* The key that names the device, the opcode, and the function for an operation. */
struct dispatch {
  ecc_key *key;
  uint8_t opcode;
  int (*go)(struct ow_offload *offload, struct operation *operation, wc_CryptoInfo *info);
};

static struct dispatch dispatch_for(wc_CryptoInfo *info) {
  switch (info->pk.type) {
#ifdef HAVE_ECC_SIGN
  case WC_PK_TYPE_ECDSA_SIGN:
    return (struct dispatch){info->pk.eccsign.key, OW_OP_EC_SIGN, sign};
#endif
#ifdef HAVE_ECC_VERIFY
  case WC_PK_TYPE_ECDSA_VERIFY:
    return (struct dispatch){info->pk.eccverify.key, OW_OP_EC_VERIFY, verify};
#endif
#ifdef HAVE_ECC_DHE
  case WC_PK_TYPE_ECDH:
    return (struct dispatch){info->pk.ecdh.private_key, OW_OP_EC_MULTIPLY, derive};
  case WC_PK_TYPE_EC_KEYGEN:
    return (struct dispatch){info->pk.eckg.key, OW_OP_EC_PUBLIC, generate};
#endif
  default:
    return (struct dispatch){.key = NULL};
  }
}

int ow_wolfssl_ec(struct ow_offload *offload, wc_CryptoInfo *info) {
  struct dispatch dispatch = dispatch_for(info);
  struct operation operation = {.digest = NULL};
  if (dispatch.key == NULL || !curve_of(&operation.curve, dispatch.key) ||
      !ow_offload_wants(offload, dispatch.opcode, 0, false, ow_curve_bytes(operation.curve))) {
    return CRYPTOCB_UNAVAILABLE;
  }
  int result = dispatch.go(offload, &operation, info);
  explicit_bzero(&operation, sizeof(operation));
  return result;
}

#endif
