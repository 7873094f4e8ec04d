/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ECDH on the device. The inner context does key derivation (X9.63) and other curves. The cofactor
 * is 1 on all curves of the device.
 */
#include "pkey.h"

struct ecdh {
  struct owp_provider *provider;
  const struct owp_keyexch_calls *calls;
  void *inside;
  struct owp_ec_key key, peer;
};

void *owp_ecdh_new(void *provider) {
  struct owp_provider *owner = provider;
  struct ecdh *ecdh = OPENSSL_zalloc(sizeof(*ecdh));
  if (ecdh == NULL) {
    return NULL;
  }
  ecdh->provider = owner;
  ecdh->calls = &owner->pkeys->ecdh_calls;
  ecdh->inside = ecdh->calls->newctx(ecdh->calls->context);
  if (ecdh->inside == NULL) {
    OPENSSL_free(ecdh);
    return NULL;
  }
  return ecdh;
}

static void ecdh_free(void *context) {
  struct ecdh *ecdh = context;
  if (ecdh != NULL) {
    ecdh->calls->freectx(ecdh->inside);
    OPENSSL_clear_free(ecdh, sizeof(*ecdh));
  }
}

static void *ecdh_dup(void *context) {
  struct ecdh *ecdh = context;
  void *inside = ecdh->calls->dupctx(ecdh->inside);
  struct ecdh *copy = inside != NULL ? OPENSSL_memdup(ecdh, sizeof(*ecdh)) : NULL;
  if (copy != NULL) {
    copy->inside = inside;
  } else if (inside != NULL) {
    ecdh->calls->freectx(inside);
  }
  return copy;
}

static int init(void *context, void *key, const OSSL_PARAM params[]) {
  struct ecdh *ecdh = context;
  OSSL_PARAM copy[OWP_PARAMS_MAX];
  if (!owp_without_properties(copy, params) || !OWP_INSIDE(ecdh, init, key, copy)) {
    return 0;
  }
  owp_ec_set_key(ecdh->provider, &ecdh->key, key);
  return 1;
}

static int set_peer(void *context, void *key) {
  struct ecdh *ecdh = context;
  if (!OWP_INSIDE(ecdh, set_peer, key)) {
    return 0;
  }
  owp_ec_set_key(ecdh->provider, &ecdh->peer, key);
  return 1;
}

struct work {
  const struct ecdh *ecdh;
  uint8_t point[2u * OW_CURVE_BYTES_MAX];
};

static ow_status do_derive(struct ow_pka *pka, void *user) {
  struct work *work = user;
  const struct owp_ec_key *key = &work->ecdh->key;
  const struct ow_ec_private private = {.curve = key->curve,
                                        .d = {key->d, ow_curve_bytes(key->curve)}};
  return ow_ec_multiply(pka, work->point, &private, work->ecdh->peer.point);
}

/* Returns whether the result is the secret itself, without key derivation. */
static bool is_plain(const struct ecdh *ecdh) {
  char kdf[OWP_NAME_MAX] = "";
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, kdf, sizeof(kdf)),
      OSSL_PARAM_construct_end()};
  return OWP_INSIDE(ecdh, get_ctx_params, params) && kdf[0] == '\0';
}

/* Computes the secret on the device. False: it did not, the CPU has to. */
static bool run_on_device(struct ecdh *ecdh, uint8_t *secret, size_t room) {
  struct ow_offload *offload = ecdh->provider->offload;
  struct owp_ec_key *key = &ecdh->key;
  struct work work = {.ecdh = ecdh};
  uint32_t bytes = key->known ? (uint32_t)ow_curve_bytes(key->curve) : 0;
  if (key->known && !ow_offload_wants(offload, OW_OP_EC_MULTIPLY, 0, false, bytes)) {
    return false;
  }
  if (room < bytes || !is_plain(ecdh) || !owp_ec_read_private(ecdh->provider, key) ||
      !owp_ec_read_point(ecdh->provider, &ecdh->peer) || ecdh->peer.curve != key->curve) {
    ow_offload_count(offload, OW_OP_EC_MULTIPLY, OW_FALLBACK_OPCODE, bytes);
    return false;
  }
  bool done = ow_offload_operate(offload, OW_OP_EC_MULTIPLY, bytes, do_derive, &work, NULL, NULL);
  if (done) {
    memcpy(secret, work.point, bytes);
  }
  OPENSSL_cleanse(work.point, sizeof(work.point));
  return done;
}

static int derive(void *context, unsigned char *secret, size_t *secret_len, size_t room) {
  struct ecdh *ecdh = context;
  if (secret == NULL || !run_on_device(ecdh, secret, room)) {
    return OWP_INSIDE(ecdh, derive, secret, secret_len, room);
  }
  *secret_len = ow_curve_bytes(ecdh->key.curve);
  return 1;
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct ecdh *ecdh = context;
  OSSL_PARAM copy[OWP_PARAMS_MAX];
  return owp_without_properties(copy, params) && OWP_INSIDE(ecdh, set_ctx_params, copy);
}

static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct ecdh *ecdh = context;
  return OWP_INSIDE(ecdh, get_ctx_params, params);
}

const OSSL_DISPATCH owp_ecdh_functions[] = {
    {OSSL_FUNC_KEYEXCH_FREECTX, (void (*)(void))ecdh_free},
    {OSSL_FUNC_KEYEXCH_DUPCTX, (void (*)(void))ecdh_dup},
    {OSSL_FUNC_KEYEXCH_INIT, (void (*)(void))init},
    {OSSL_FUNC_KEYEXCH_SET_PEER, (void (*)(void))set_peer},
    {OSSL_FUNC_KEYEXCH_DERIVE, (void (*)(void))derive},
    {OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {0, NULL}};
