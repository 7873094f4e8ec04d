/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * X25519 (RFC 7748) on the device. The inner context refuses peers whose secret would be zero, as
 * the device does.
 */
#include <outwork/curve25519.h>

#include "pkey.h"

/* The keys are the default provider's objects, which the inner context keeps alive. */
struct x25519 {
  struct owp_provider *provider;
  const struct owp_keyexch_calls *calls;
  void *inside;
  void *key, *peer;
};

void *owp_x25519_new(void *provider) {
  struct owp_provider *owner = provider;
  struct x25519 *exchange = OPENSSL_zalloc(sizeof(*exchange));
  if (exchange == NULL) {
    return NULL;
  }
  exchange->provider = owner;
  exchange->calls = &owner->pkeys->x25519_calls;
  exchange->inside = exchange->calls->newctx(exchange->calls->context);
  if (exchange->inside == NULL) {
    OPENSSL_free(exchange);
    return NULL;
  }
  return exchange;
}

static void x25519_free(void *context) {
  struct x25519 *exchange = context;
  if (exchange != NULL) {
    exchange->calls->freectx(exchange->inside);
    OPENSSL_free(exchange);
  }
}

static void *x25519_dup(void *context) {
  struct x25519 *exchange = context;
  void *inside = exchange->calls->dupctx(exchange->inside);
  struct x25519 *copy = inside != NULL ? OPENSSL_memdup(exchange, sizeof(*exchange)) : NULL;
  if (copy != NULL) {
    copy->inside = inside;
  } else if (inside != NULL) {
    exchange->calls->freectx(inside);
  }
  return copy;
}

static int init(void *context, void *key, const OSSL_PARAM params[]) {
  struct x25519 *exchange = context;
  exchange->key = NULL;
  if (!OWP_INSIDE(exchange, init, key, params)) {
    return 0;
  }
  exchange->key = key;
  return 1;
}

static int set_peer(void *context, void *key) {
  struct x25519 *exchange = context;
  exchange->peer = NULL;
  if (!OWP_INSIDE(exchange, set_peer, key)) {
    return 0;
  }
  exchange->peer = key;
  return 1;
}

struct work {
  uint8_t k[OW_X25519_BYTES], peer[OW_X25519_BYTES], secret[OW_X25519_BYTES];
};

static ow_status do_derive(struct ow_pka *pka, void *user) {
  struct work *work = user;
  const struct ow_x25519_private private = {.k = work->k};
  return ow_x25519(pka, work->secret, &private, work->peer);
}

/* Reads the bytes of a key. False: it does not have them. */
static bool read_bytes(const struct x25519 *exchange, void *key, const char *name,
                       uint8_t bytes[OW_X25519_BYTES]) {
  return owp_key_param(exchange->provider, OWP_KEYS_X25519, key,
                       OSSL_PARAM_construct_octet_string(name, bytes, OW_X25519_BYTES));
}

/* Computes the secret on the device. False: it did not, the CPU has to. */
static bool run_on_device(struct x25519 *exchange, uint8_t *secret, size_t room) {
  struct ow_offload *offload = exchange->provider->offload;
  struct work work;
  if (!ow_offload_wants(offload, OW_OP_X25519, 0, false, OW_X25519_BYTES)) {
    return false;
  }
  bool done = false;
  if (room < OW_X25519_BYTES ||
      !read_bytes(exchange, exchange->key, OSSL_PKEY_PARAM_PRIV_KEY, work.k) ||
      !read_bytes(exchange, exchange->peer, OSSL_PKEY_PARAM_PUB_KEY, work.peer)) {
    ow_offload_count(offload, OW_OP_X25519, OW_FALLBACK_OPCODE, OW_X25519_BYTES);
  } else {
    done = ow_offload_operate(offload, OW_OP_X25519, OW_X25519_BYTES, do_derive, &work, NULL, NULL);
  }
  if (done) {
    memcpy(secret, work.secret, OW_X25519_BYTES);
  }
  OPENSSL_cleanse(&work, sizeof(work));
  return done;
}

static int derive(void *context, unsigned char *secret, size_t *secret_len, size_t room) {
  struct x25519 *exchange = context;
  if (secret == NULL || !run_on_device(exchange, secret, room)) {
    return OWP_INSIDE(exchange, derive, secret, secret_len, room);
  }
  *secret_len = OW_X25519_BYTES;
  return 1;
}

static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct x25519 *exchange = context;
  return OWP_INSIDE(exchange, get_ctx_params, params);
}

/* The first function is left out where the default provider has none. */
const OSSL_DISPATCH owp_x25519_functions[] = {
    {OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {OSSL_FUNC_KEYEXCH_FREECTX, (void (*)(void))x25519_free},
    {OSSL_FUNC_KEYEXCH_DUPCTX, (void (*)(void))x25519_dup},
    {OSSL_FUNC_KEYEXCH_INIT, (void (*)(void))init},
    {OSSL_FUNC_KEYEXCH_SET_PEER, (void (*)(void))set_peer},
    {OSSL_FUNC_KEYEXCH_DERIVE, (void (*)(void))derive},
    {0, NULL}};
