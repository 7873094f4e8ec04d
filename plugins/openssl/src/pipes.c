/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Cipher pipelines for the modes that support them.
 */
#include "pipes.h"

#ifdef OWP_HAS_PIPES

struct owp_pipes {
  const struct owp_pipe_mode *mode;
  size_t count;
  void *contexts[OW_REQUESTS_TOGETHER];
};

static void free_all(struct owp_pipes *pipes) {
  if (pipes != NULL) {
    for (size_t i = 0; i < pipes->count; i++) {
      pipes->mode->freectx(pipes->contexts[i]);
    }
    OPENSSL_free(pipes);
  }
}

static struct owp_pipes *copy_all(const struct owp_pipes *pipes) {
  struct owp_pipes *copy = OPENSSL_zalloc(sizeof(*copy));
  if (copy == NULL) {
    return NULL;
  }
  copy->mode = pipes->mode;
  for (; copy->count < pipes->count; copy->count++) {
    copy->contexts[copy->count] = pipes->mode->dupctx(pipes->contexts[copy->count]);
    if (copy->contexts[copy->count] == NULL) {
      free_all(copy);
      return NULL;
    }
  }
  return copy;
}

/* Creates pipes without a key. NULL: no memory. */
static struct owp_pipes *make(struct owp_cipher *cipher, const struct owp_pipe_mode *mode,
                              size_t count) {
  struct owp_provider *provider = cipher->provider;
  size_t index = (size_t)(cipher->calls - provider->cipher_calls);
  OSSL_FUNC_cipher_newctx_fn *newctx = OSSL_FUNC_cipher_newctx(provider->cipher_dispatch[index]);
  struct owp_pipes *pipes = OPENSSL_zalloc(sizeof(*pipes));
  if (pipes == NULL) {
    return NULL;
  }
  pipes->mode = mode;
  for (; pipes->count < count; pipes->count++) {
    pipes->contexts[pipes->count] = newctx(provider);
    if (pipes->contexts[pipes->count] == NULL) {
      free_all(pipes);
      return NULL;
    }
  }
  return pipes;
}

/* Copies to the new pipes the padding flag that was set before they existed. */
static bool hand_down_padding(struct owp_cipher *cipher) {
  const struct owp_pipes *pipes = cipher->pipes;
  unsigned padding = 1;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding),
                         OSSL_PARAM_construct_end()};
  bool good = OWP_INSIDE(cipher, get_ctx_params, params) != 0;
  for (size_t i = 0; i < pipes->count && good; i++) {
    good = pipes->mode->set_ctx_params(pipes->contexts[i], params) != 0;
  }
  return good;
}

static int tag_params(const struct owp_cipher *cipher, OSSL_PARAM one[2], size_t pipe,
                      const OSSL_PARAM *tags) {
  const void *buffers;
  size_t length;
  if (!OSSL_PARAM_get_octet_ptr(tags, &buffers, &length) || buffers == NULL) {
    return owp_refuse(cipher->provider, PROV_R_FAILED_TO_GET_PARAMETER);
  }
  one[0] = OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG,
                                             ((unsigned char *const *)buffers)[pipe], length);
  one[1] = OSSL_PARAM_construct_end();
  return 1;
}

static int set_params(struct owp_cipher *cipher, const OSSL_PARAM params[]) {
  const struct owp_pipes *pipes = cipher->pipes;
  const OSSL_PARAM *tags =
      params != NULL ? OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_PIPELINE_AEAD_TAG) : NULL;
  OSSL_PARAM one[2];
  int good = OWP_INSIDE(cipher, set_ctx_params, params);
  for (size_t i = 0; i < pipes->count && good; i++) {
    good = pipes->mode->set_ctx_params(pipes->contexts[i], params) &&
           (tags == NULL || (tag_params(cipher, one, i, tags) &&
                             pipes->mode->set_ctx_params(pipes->contexts[i], one)));
  }
  return good;
}

static int get_params(struct owp_cipher *cipher, OSSL_PARAM params[]) {
  const struct owp_pipes *pipes = cipher->pipes;
  const OSSL_PARAM *tags = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_PIPELINE_AEAD_TAG);
  OSSL_PARAM one[2];
  int good = owp_cipher_get_all_but(cipher, params, tags);
  for (size_t i = 0; i < pipes->count && good && tags != NULL; i++) {
    good = tag_params(cipher, one, i, tags) && pipes->mode->get_ctx_params(pipes->contexts[i], one);
  }
  return good;
}

static const struct owp_pipes_calls calls = {
    .free = free_all, .dup = copy_all, .set_params = set_params, .get_params = get_params};

int owp_pipes_init(struct owp_cipher *cipher, const struct owp_pipe_mode *mode, bool decrypt,
                   const unsigned char *key, size_t key_len, size_t count, const unsigned char **iv,
                   size_t iv_len, const OSSL_PARAM params[]) {
  OSSL_FUNC_cipher_encrypt_init_fn *init = decrypt ? mode->decrypt_init : mode->encrypt_init;
  if (count == 0 || count > OW_REQUESTS_TOGETHER) {
    return owp_refuse(cipher->provider, ERR_R_PASSED_INVALID_ARGUMENT);
  }
  if (key != NULL && key_len != cipher->key_len) {
    return owp_refuse(cipher->provider, PROV_R_INVALID_KEY_LENGTH);
  }
  /* OpenSSL cannot begin a pipeline with a key in a slot */
  if (key == NULL && cipher->slot_key != NULL) {
    return owp_refuse(cipher->provider, PROV_R_NOT_SUPPORTED);
  }
  if (key != NULL) {
    memcpy(cipher->key, key, key_len);
    cipher->key_set = true;
  }
  if (cipher->pipes == NULL || cipher->pipes->count != count) {
    free_all(cipher->pipes);
    cipher->pipes = make(cipher, mode, count);
    cipher->pipes_calls = &calls;
    if (cipher->pipes == NULL || (mode->padded && !hand_down_padding(cipher))) {
      return 0;
    }
    key = cipher->key_set ? cipher->key : NULL;
  }
  for (size_t i = 0; i < count; i++) {
    if (!init(cipher->pipes->contexts[i], key, key != NULL ? cipher->key_len : 0,
              iv != NULL ? iv[i] : NULL, iv != NULL ? iv_len : 0, params)) {
      return 0;
    }
  }
  return 1;
}

/* Submits the next request of every pipe together, until no pipe has one left. */
static void run(struct owp_cipher *cipher, struct owp_piece pieces[], size_t count) {
  const struct owp_pipes *pipes = cipher->pipes;
  struct ow_request requests[OW_REQUESTS_TOGETHER];
  size_t whose[OW_REQUESTS_TOGETHER], offered;
  bool done[OW_REQUESTS_TOGETHER];
  bool open[OW_REQUESTS_TOGETHER];
  memset(open, true, sizeof(open));
  do {
    offered = 0;
    for (size_t i = 0; i < count; i++) {
      open[i] = open[i] && pieces[i].length != 0 && pieces[i].out != NULL &&
                pipes->mode->offer(pipes->contexts[i], &requests[offered], &pieces[i]);
      if (open[i]) {
        whose[offered++] = i;
      }
    }
    ow_offload_run_many(cipher->provider->offload, requests, done, offered);
    for (size_t i = 0; i < offered; i++) {
      struct owp_piece *piece = &pieces[whose[i]];
      uint32_t made = requests[i].length, taken = made - requests[i].head_len;
      if (!done[i]) {
        piece->refused = made;
        open[whose[i]] = false;
        continue;
      }
      pipes->mode->accept(pipes->contexts[whose[i]], &requests[i]);
      piece->out += made;
      piece->out_size -= made;
      piece->in += taken;
      piece->length -= taken;
      piece->done += made;
    }
  } while (offered != 0);
}

int owp_pipes_update(void *context, size_t count, unsigned char **out, size_t *out_len,
                     const size_t *out_size, const unsigned char **in, const size_t *length) {
  struct owp_cipher *cipher = context;
  const struct owp_pipes *pipes = cipher->pipes;
  struct owp_piece pieces[OW_REQUESTS_TOGETHER];
  if (pipes == NULL || count != pipes->count) {
    return owp_refuse(cipher->provider, PROV_R_NOT_INSTANTIATED);
  }
  for (size_t i = 0; i < count; i++) {
    pieces[i] = (struct owp_piece){.out = out != NULL ? out[i] : NULL,
                                   .out_size = out_size != NULL ? out_size[i] : SIZE_MAX,
                                   .in = in[i],
                                   .length = length[i],
                                   .together = (unsigned)count};
  }
  run(cipher, pieces, count);
  int good = 1;
  for (size_t i = 0; i < count && good; i++) {
    size_t written = 0;
    if (pieces[i].out != NULL) {
      good = pipes->mode->finish(pipes->contexts[i], &written, &pieces[i]);
    } else if (length[i] != 0) {
      good = pipes->mode->update(pipes->contexts[i], NULL, &written, 0, in[i], length[i]);
    }
    out_len[i] = pieces[i].done + written;
  }
  return good;
}

/* Ends every message, even if one of them fails. */
int owp_pipes_final(void *context, size_t count, unsigned char **out, size_t *out_len,
                    const size_t *out_size) {
  struct owp_cipher *cipher = context;
  const struct owp_pipes *pipes = cipher->pipes;
  uint8_t nothing[16];
  int good = 1;
  if (pipes == NULL || count != pipes->count) {
    return owp_refuse(cipher->provider, PROV_R_NOT_INSTANTIATED);
  }
  for (size_t i = 0; i < count; i++) {
    bool room = out != NULL && out[i] != NULL;
    size_t size = !room ? sizeof(nothing) : out_size != NULL ? out_size[i] : SIZE_MAX;
    size_t written = 0;
    if (!pipes->mode->final(pipes->contexts[i], room ? out[i] : nothing, &written, size)) {
      good = 0;
      written = 0;
    }
    out_len[i] = written;
  }
  return good;
}

#endif
