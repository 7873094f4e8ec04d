/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SHA-1, SHA-2, SHA-3 and SHAKE (FIPS 180-4, FIPS 202).
 */
#include "digest.h"

static struct owp_inside inside_of(const struct owp_digest *digest) {
  return (struct owp_inside){digest->inside, digest->calls->update};
}

static bool is_xof(const struct owp_digest *digest) {
  return ow_hash_digest_len(digest->opcode) == 0;
}

void *owp_digest_new(void *provider, enum owp_digest_index index, uint8_t opcode) {
  struct owp_provider *owner = provider;
  struct owp_digest *digest = OPENSSL_zalloc(sizeof(*digest));
  if (digest == NULL) {
    return NULL;
  }
  digest->provider = owner;
  digest->calls = &owner->digest_calls[index];
  digest->opcode = opcode;
  digest->digest_len = is_xof(digest) ? owner->digest_lens[index] : ow_hash_digest_len(opcode);
  digest->inside = digest->calls->newctx(digest->calls->context);
  if (digest->inside == NULL) {
    OPENSSL_free(digest);
    return NULL;
  }
  return digest;
}

static void freectx(void *context) {
  struct owp_digest *digest = context;
  if (digest != NULL) {
    digest->calls->freectx(digest->inside);
    owp_stream_drop(&digest->stream);
    OPENSSL_free(digest);
  }
}

static void *dupctx(void *context) {
  struct owp_digest *digest = context;
  struct owp_inside original = inside_of(digest);
  void *inside = owp_stream_feed_inside(&digest->stream, &original)
                     ? digest->calls->dupctx(digest->inside)
                     : NULL;
  struct owp_digest *copy = inside != NULL ? OPENSSL_memdup(digest, sizeof(*digest)) : NULL;
  if (copy == NULL) {
    if (inside != NULL) {
      digest->calls->freectx(inside);
    }
    return NULL;
  }
  copy->inside = inside;
  if (!owp_stream_dup(&copy->stream, &digest->stream)) {
    freectx(copy);
    return NULL;
  }
  return copy;
}

/* Notes the output length of a SHAKE. */
static void note_params(struct owp_digest *digest, const OSSL_PARAM params[]) {
  if (params == NULL || !is_xof(digest)) {
    return;
  }
  for (const OSSL_PARAM *param = params; param->key != NULL; param++) {
    if (owp_is_param(param, OSSL_DIGEST_PARAM_XOFLEN) || owp_is_param(param, "size")) {
      (void)OSSL_PARAM_get_size_t(param, &digest->digest_len);
    }
  }
}

static int init(void *context, const OSSL_PARAM params[]) {
  struct owp_digest *digest = context;
  if (!OWP_INSIDE(digest, init, params)) {
    return 0;
  }
  note_params(digest, params);
  digest->squeezing = false;
  owp_stream_begin(&digest->stream, digest->provider->offload, digest->opcode, NULL, 0);
  return 1;
}

static int update(void *context, const unsigned char *in, size_t length) {
  struct owp_digest *digest = context;
  struct owp_inside inside = inside_of(digest);
  return owp_stream_update(&digest->stream, &inside, in, length);
}

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_digest *digest = context;
  struct owp_inside inside = inside_of(digest);
  struct owp_stream *stream = &digest->stream;
  size_t length = digest->digest_len;
  bool room = is_xof(digest) ? out_size != 0 : out_size >= length;
  enum owp_end end =
      room ? owp_stream_end(stream, &inside, out, length) : owp_stream_end_here(stream, &inside);
  if (end == OWP_END_INSIDE) {
    return OWP_INSIDE(digest, final, out, out_len, out_size);
  }
  if (end == OWP_END_FAILED || !room || length == 0) {
    return 0;
  }
  if (end == OWP_END_HERE) {
    ow_hash_state_finish(&stream->state, digest->opcode, out, length);
    owp_stream_drop(stream);
  }
  *out_len = length;
  return 1;
}

/* A parameter may change what is hashed (SSLv3's master secret does), so the message goes to the
 * inner context. Only a SHAKE's length may change without that. */
static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct owp_digest *digest = context;
  struct owp_inside inside = inside_of(digest);
  if (!is_xof(digest) && params != NULL && params->key != NULL &&
      !owp_stream_hand_inside(&digest->stream, &inside)) {
    return 0;
  }
  if (!OWP_INSIDE(digest, set_ctx_params, params)) {
    return 0;
  }
  note_params(digest, params);
  return 1;
}

static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct owp_digest *digest = context;
  return OWP_INSIDE(digest, get_ctx_params, params);
}

#ifdef OSSL_FUNC_DIGEST_SQUEEZE
/* How much output will be requested is unknown: software computes it from the state. */
static int squeeze(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_digest *digest = context;
  struct owp_inside inside = inside_of(digest);
  if (!digest->squeezing) {
    enum owp_end end = owp_stream_end_here(&digest->stream, &inside);
    if (end == OWP_END_FAILED) {
      return 0;
    }
    digest->squeezing = end == OWP_END_HERE;
    digest->stream.counted = true;
    if (digest->squeezing) {
      ow_hash_state_close(&digest->stream.state, digest->opcode);
    }
  }
  if (!digest->squeezing) {
    return OWP_INSIDE(digest, squeeze, out, out_len, out_size);
  }
  ow_hash_state_squeeze(&digest->stream.state, digest->opcode, out, out_size);
  *out_len = out_size;
  return 1;
}
#endif

const OSSL_DISPATCH owp_digest_functions[] = {{OSSL_FUNC_DIGEST_FREECTX, (void (*)(void))freectx},
                                              {OSSL_FUNC_DIGEST_DUPCTX, (void (*)(void))dupctx},
                                              {OSSL_FUNC_DIGEST_INIT, (void (*)(void))init},
                                              {OSSL_FUNC_DIGEST_UPDATE, (void (*)(void))update},
                                              {OSSL_FUNC_DIGEST_FINAL, (void (*)(void)) final},
                                              {0, NULL}};

const OSSL_DISPATCH owp_digest_optional[] = {
    {OSSL_FUNC_DIGEST_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {OSSL_FUNC_DIGEST_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
#ifdef OSSL_FUNC_DIGEST_SQUEEZE
    {OSSL_FUNC_DIGEST_SQUEEZE, (void (*)(void))squeeze},
#endif
    {0, NULL}};
