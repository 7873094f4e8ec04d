/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * HMAC (FIPS 198-1) with the digests that the device has.
 */
#include "keyed.h"

#define PARAMS_MAX 16u

/* Returns the opcode of HMAC with a digest, by any of its names; 0: not on the device. */
static uint8_t opcode_of(const struct owp_keyed *keyed, const char *digest) {
  static const uint8_t opcodes[OWP_DIGESTS] = {
      [OWP_SHA1] = OW_OP_HMAC_SHA1,
      [OWP_SHA224] = OW_OP_HMAC_SHA224,
      [OWP_SHA256] = OW_OP_HMAC_SHA256,
      [OWP_SHA384] = OW_OP_HMAC_SHA384,
      [OWP_SHA512] = OW_OP_HMAC_SHA512,
      [OWP_SHA512_224] = OW_OP_HMAC_SHA512_224,
      [OWP_SHA512_256] = OW_OP_HMAC_SHA512_256,
      [OWP_SHA3_224] = OW_OP_HMAC_SHA3_224,
      [OWP_SHA3_256] = OW_OP_HMAC_SHA3_256,
      [OWP_SHA3_384] = OW_OP_HMAC_SHA3_384,
      [OWP_SHA3_512] = OW_OP_HMAC_SHA3_512,
  };
  for (unsigned i = 0; i < OWP_DIGESTS; i++) {
    const char *names = keyed->provider->digest_names[i];
    if (names != NULL && owp_is_named(names, digest)) {
      return opcodes[i];
    }
  }
  return 0;
}

/* Sets the parameters of the inner context and notes them. A key begins a new message. */
static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct owp_keyed *keyed = context;
  OSSL_PARAM copy[PARAMS_MAX];
  const OSSL_PARAM *key = NULL;
  size_t count = 0, record = 0;
  for (; params != NULL && params->key != NULL; params++) {
    if (count == PARAMS_MAX - 1) {
      return 0;
    }
    /* Properties select a provider; the inner library context has only one. */
    if (strcmp(params->key, OSSL_MAC_PARAM_PROPERTIES) != 0) {
      copy[count++] = *params;
    }
  }
  copy[count] = OSSL_PARAM_construct_end();
  if (!OWP_INSIDE(keyed, set_ctx_params, copy)) {
    return 0;
  }
  for (const OSSL_PARAM *param = copy; param->key != NULL; param++) {
    if (owp_is_param(param, OSSL_MAC_PARAM_DIGEST) && param->data_type == OSSL_PARAM_UTF8_STRING) {
      keyed->named = opcode_of(keyed, param->data);
    } else if (owp_is_param(param, OSSL_MAC_PARAM_KEY)) {
      key = param;
    } else if (owp_is_param(param, OSSL_MAC_PARAM_TLS_DATA_SIZE) &&
               OSSL_PARAM_get_size_t(param, &record) && (record != 0) != keyed->special) {
      keyed->special = record != 0;
      owp_keyed_begin(keyed);
    }
  }
  if (key != NULL && key->data_type == OSSL_PARAM_OCTET_STRING) {
    owp_mac_key_take(&keyed->key, key->data, key->data_size);
    keyed->opcode = keyed->named;
    owp_keyed_begin(keyed);
  }
  return 1;
}

static int init(void *context, const unsigned char *key, size_t key_len,
                const OSSL_PARAM params[]) {
  struct owp_keyed *keyed = context;
  if (!set_ctx_params(context, params) || !OWP_INSIDE(keyed, init, key, key_len, NULL)) {
    return 0;
  }
  if (key != NULL) {
    owp_mac_key_take(&keyed->key, key, key_len);
    keyed->opcode = keyed->named;
  }
  owp_keyed_begin(keyed);
  return 1;
}

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_keyed *keyed = context;
  struct owp_inside inside = owp_keyed_inside(keyed);
  struct owp_stream *stream = &keyed->stream;
  size_t length = ow_hash_digest_len(keyed->opcode);
  bool room = out_size >= length;
  enum owp_end end =
      room ? owp_stream_end(stream, &inside, out, length) : owp_stream_end_here(stream, &inside);
  if (end == OWP_END_INSIDE) {
    return OWP_INSIDE(keyed, final, out, out_len, out_size);
  }
  if (end == OWP_END_FAILED || !room) {
    return 0;
  }
  if (end == OWP_END_HERE) {
    ow_hash_state_finish_hmac(&stream->state, keyed->opcode, out, keyed->key.bytes, keyed->key.len);
    owp_stream_drop(stream);
  }
  *out_len = length;
  return 1;
}

const OSSL_DISPATCH owp_hmac_functions[] = {
    {OSSL_FUNC_MAC_FREECTX, (void (*)(void))owp_keyed_free},
    {OSSL_FUNC_MAC_DUPCTX, (void (*)(void))owp_keyed_dup},
    {OSSL_FUNC_MAC_INIT, (void (*)(void))init},
    {OSSL_FUNC_MAC_UPDATE, (void (*)(void))owp_keyed_update},
    {OSSL_FUNC_MAC_FINAL, (void (*)(void)) final},
    {OSSL_FUNC_MAC_GET_CTX_PARAMS, (void (*)(void))owp_keyed_get_ctx_params},
    {OSSL_FUNC_MAC_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
