/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * X25519, Ed25519 and Ed25519ctx, and their key pairs.
 */
#include "families.h"

#include <outwork/curve25519.h>

#if defined(HAVE_CURVE25519) || defined(HAVE_ED25519)

static bool wants(struct ow_offload *offload, uint8_t opcode) {
  return ow_offload_wants(offload, opcode, 0, false, OW_X25519_BYTES);
}

static bool run(struct ow_offload *offload, uint8_t opcode, ow_operate *operate, void *user) {
  return ow_offload_operate(offload, opcode, OW_X25519_BYTES, operate, user, NULL, NULL);
}

#endif

#ifdef HAVE_CURVE25519

struct exchange {
  uint8_t k[OW_X25519_BYTES], point[OW_X25519_BYTES], secret[OW_X25519_BYTES];
};

static ow_status do_derive(struct ow_pka *pka, void *user) {
  struct exchange *exchange = user;
  const struct ow_x25519_private key = {.k = exchange->k};
  return ow_x25519(pka, exchange->secret, &key, exchange->point);
}

static ow_status do_generate(struct ow_pka *pka, void *user) {
  struct exchange *exchange = user;
  return ow_x25519_generate(pka, exchange->k, exchange->point);
}

static int derive(struct ow_offload *offload, struct exchange *exchange, wc_CryptoInfo *info) {
  const bool big = info->pk.curve25519.endian == EC25519_BIG_ENDIAN;
  if (!wants(offload, OW_OP_X25519) || *info->pk.curve25519.outlen < OW_X25519_BYTES) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(exchange->k, info->pk.curve25519.private_key->k, OW_X25519_BYTES);
  memcpy(exchange->point, info->pk.curve25519.public_key->p.point, OW_X25519_BYTES);
  if (!run(offload, OW_OP_X25519, do_derive, exchange)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  for (unsigned i = 0; i < OW_X25519_BYTES; i++) {
    info->pk.curve25519.out[i] = exchange->secret[big ? OW_X25519_BYTES - 1u - i : i];
  }
  *info->pk.curve25519.outlen = OW_X25519_BYTES;
  return 0;
}

static int generate(struct ow_offload *offload, struct exchange *exchange, wc_CryptoInfo *info) {
  if (info->pk.curve25519kg.size != (int)OW_X25519_BYTES || !wants(offload, OW_OP_X25519) ||
      !run(offload, OW_OP_X25519, do_generate, exchange)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  /* The bits that RFC 7748 5 sets and clears: wolfSSL keeps private keys so. */
  exchange->k[0] &= 0xf8;
  exchange->k[OW_X25519_BYTES - 1u] = (uint8_t)((exchange->k[OW_X25519_BYTES - 1u] & 0x7f) | 0x40);
  return wc_curve25519_import_private_raw_ex(exchange->k, OW_X25519_BYTES, exchange->point,
                                             OW_X25519_BYTES, info->pk.curve25519kg.key,
                                             EC25519_LITTLE_ENDIAN);
}

int ow_wolfssl_x25519(struct ow_offload *offload, wc_CryptoInfo *info) {
  struct exchange exchange;
  int result = info->pk.type == WC_PK_TYPE_CURVE25519 ? derive(offload, &exchange, info)
                                                      : generate(offload, &exchange, info);
  explicit_bzero(&exchange, sizeof(exchange));
  return result;
}

#endif

#ifdef HAVE_ED25519

struct signing {
  struct ow_ed25519_private private;
  uint8_t seed[OW_ED25519_KEY_BYTES], signature[OW_ED25519_SIGNATURE_BYTES];
  const uint8_t *point;
  struct ow_ed25519_context context;
  bool pure;
  const byte *message;
  word32 message_len;
};

/* Fills in the message and the variant. False: the device cannot do it. Of Ed25519ph wolfSSL has
 * hashed the message already. */
static bool prepare(struct signing *signing, const byte *message, word32 message_len, byte type,
                    const byte *context, byte context_len) {
  signing->pure = type == (byte)Ed25519;
  signing->context = (struct ow_ed25519_context){.bytes = context, .length = context_len};
  signing->message = message;
  signing->message_len = message_len;
  return message_len <= OW_REQUEST_BYTES &&
         (signing->pure ? context_len == 0 : type == (byte)Ed25519ctx && context_len != 0);
}

/* Copies the message to where the device can read it. */
static uint8_t *place(struct ow_pka *pka, const struct signing *signing) {
  uint8_t *message = ow_operate_payload(pka);
  if (signing->message_len != 0) {
    memcpy(message, signing->message, signing->message_len);
  }
  return message;
}

static ow_status do_sign(struct ow_pka *pka, void *user) {
  struct signing *signing = user;
  uint8_t *message = place(pka, signing);
  ow_status status =
      ow_ed25519_sign(pka, signing->signature, &signing->private,
                      signing->pure ? NULL : &signing->context, message, signing->message_len);
  explicit_bzero(message, signing->message_len);
  return status;
}

static ow_status do_verify(struct ow_pka *pka, void *user) {
  struct signing *signing = user;
  uint8_t *message = place(pka, signing);
  ow_status status =
      ow_ed25519_verify(pka, signing->point, signing->pure ? NULL : &signing->context, message,
                        signing->message_len, signing->signature);
  explicit_bzero(message, signing->message_len);
  return status;
}

static ow_status do_generate_pair(struct ow_pka *pka, void *user) {
  struct signing *signing = user;
  return ow_ed25519_generate(pka, &signing->private, signing->seed);
}

static int sign(struct ow_offload *offload, struct signing *signing, wc_CryptoInfo *info) {
  ed25519_key *key = info->pk.ed25519sign.key;
  if (!wants(offload, OW_OP_ED25519_SIGN)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  if (!prepare(signing, info->pk.ed25519sign.in, info->pk.ed25519sign.inLen,
               info->pk.ed25519sign.type, info->pk.ed25519sign.context,
               info->pk.ed25519sign.contextLen) ||
      *info->pk.ed25519sign.outLen < sizeof(signing->signature) || !key->pubKeySet ||
      !key->privKeySet || ow_ed25519_load_pair(&signing->private, key->k, key->p) != OW_OK) {
    ow_offload_count(offload, OW_OP_ED25519_SIGN, OW_FALLBACK_OPCODE, OW_X25519_BYTES);
    return CRYPTOCB_UNAVAILABLE;
  }
  if (!run(offload, OW_OP_ED25519_SIGN, do_sign, signing)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(info->pk.ed25519sign.out, signing->signature, sizeof(signing->signature));
  *info->pk.ed25519sign.outLen = sizeof(signing->signature);
  return 0;
}

/* Returns whether a public key is a point of order 1, 2, 4 or 8, for which anybody can make
 * signatures (y: 0, 1, -1, also with p added, and two others); or next to one. wolfSSL decides
 * which of them it takes. */
static bool is_of_small_order(const uint8_t point[OW_ED25519_KEY_BYTES]) {
  static const uint8_t of_order_8[2][OW_ED25519_KEY_BYTES] = {
      {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4,
       0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6,
       0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
      {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b,
       0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39,
       0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a}};
  const unsigned last = OW_ED25519_KEY_BYTES - 1u;
  uint8_t y[OW_ED25519_KEY_BYTES];
  bool zeros = true, ones = true;
  memcpy(y, point, sizeof(y));
  y[last] &= 0x7f; /* the sign of x */
  for (unsigned i = 1; i < last; i++) {
    zeros = zeros && y[i] == 0;
    ones = ones && y[i] == 0xff;
  }
  return (zeros && y[0] <= 1 && y[last] == 0) || (ones && y[0] >= 0xec && y[last] == 0x7f) ||
         memcmp(y, of_order_8[0], sizeof(y)) == 0 || memcmp(y, of_order_8[1], sizeof(y)) == 0;
}

/* Verifies. If the device finds a signature wrong, software checks it again. */
static int verify(struct ow_offload *offload, struct signing *signing, wc_CryptoInfo *info) {
  ed25519_key *key = info->pk.ed25519verify.key;
  if (!wants(offload, OW_OP_ED25519_VERIFY)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  if (!prepare(signing, info->pk.ed25519verify.msg, info->pk.ed25519verify.msgLen,
               info->pk.ed25519verify.type, info->pk.ed25519verify.context,
               info->pk.ed25519verify.contextLen) ||
      info->pk.ed25519verify.sigLen != sizeof(signing->signature) || !key->pubKeySet ||
      is_of_small_order(key->p)) {
    ow_offload_count(offload, OW_OP_ED25519_VERIFY, OW_FALLBACK_OPCODE, OW_X25519_BYTES);
    return CRYPTOCB_UNAVAILABLE;
  }
  signing->point = key->p;
  memcpy(signing->signature, info->pk.ed25519verify.sig, sizeof(signing->signature));
  if (!run(offload, OW_OP_ED25519_VERIFY, do_verify, signing)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  *info->pk.ed25519verify.res = 1;
  return 0;
}

static int generate_pair(struct ow_offload *offload, struct signing *signing, wc_CryptoInfo *info) {
  if (info->pk.ed25519kg.size != (int)OW_ED25519_KEY_BYTES ||
      !wants(offload, OW_OP_ED25519_PUBLIC) ||
      !run(offload, OW_OP_ED25519_PUBLIC, do_generate_pair, signing)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  return wc_ed25519_import_private_key(signing->seed, OW_ED25519_KEY_BYTES, signing->private.point,
                                       OW_ED25519_KEY_BYTES, info->pk.ed25519kg.key);
}

int ow_wolfssl_ed25519(struct ow_offload *offload, wc_CryptoInfo *info) {
  struct signing signing;
  int result = info->pk.type == WC_PK_TYPE_ED25519_SIGN ? sign(offload, &signing, info)
               : info->pk.type == WC_PK_TYPE_ED25519_VERIFY
                   ? verify(offload, &signing, info)
                   : generate_pair(offload, &signing, info);
  explicit_bzero(&signing, sizeof(signing));
  return result;
}

#endif
