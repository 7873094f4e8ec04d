/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Cipher pipelines (OpenSSL 3.5): several messages under one key, whose jobs are submitted
 * together.
 *
 * Each pipe is a context of the cipher's mode like any other; the context that the application has
 * holds them. The default provider has no pipelines, so what the device does not do is done by each
 * pipe for itself.
 */
#ifndef OUTWORK_PROVIDER_PIPES_H
#define OUTWORK_PROVIDER_PIPES_H

#include "cipher.h"

#ifdef OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT
#define OWP_HAS_PIPES

/* What is left of one pipe's update. */
struct owp_piece {
  uint8_t *out;
  size_t out_size;
  const uint8_t *in;
  size_t length;
  size_t done;       /* bytes of this update's output that the device has made */
  unsigned together; /* messages that are offered at once */
  uint32_t refused;  /* bytes of a job that the device has not done, 0: there is none */
};

/* A mode. */
struct owp_pipe_mode {
  bool padded; /* may be: the last block */
  OSSL_FUNC_cipher_freectx_fn *freectx;
  OSSL_FUNC_cipher_dupctx_fn *dupctx;
  OSSL_FUNC_cipher_encrypt_init_fn *encrypt_init;
  OSSL_FUNC_cipher_decrypt_init_fn *decrypt_init;
  OSSL_FUNC_cipher_update_fn *update;
  OSSL_FUNC_cipher_final_fn *final;
  OSSL_FUNC_cipher_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_cipher_set_ctx_params_fn *set_ctx_params;
  /* States the next job of a piece; false: there is none. */
  bool (*offer)(void *context, struct ow_request *request, const struct owp_piece *piece);
  /* That job is done. */
  void (*accept)(void *context, const struct ow_request *request);
  /* Does what is left, perhaps nothing. */
  int (*finish)(void *context, size_t *out_len, const struct owp_piece *piece);
};

int owp_pipes_init(struct owp_cipher *cipher, const struct owp_pipe_mode *mode, bool decrypt,
                   const unsigned char *key, size_t key_len, size_t count, const unsigned char **iv,
                   size_t iv_len, const OSSL_PARAM params[]);
OSSL_FUNC_cipher_pipeline_update_fn owp_pipes_update;
OSSL_FUNC_cipher_pipeline_final_fn owp_pipes_final;

/* A mode's two functions that begin, and their entries among its functions. */
#define OWP_PIPES_INIT(mode)                                                                       \
  static int pipeline_encrypt_init(void *context, const unsigned char *key, size_t key_len,        \
                                   size_t count, const unsigned char **iv, size_t iv_len,          \
                                   const OSSL_PARAM params[]) {                                    \
    return owp_pipes_init(context, mode, false, key, key_len, count, iv, iv_len, params);          \
  }                                                                                                \
  static int pipeline_decrypt_init(void *context, const unsigned char *key, size_t key_len,        \
                                   size_t count, const unsigned char **iv, size_t iv_len,          \
                                   const OSSL_PARAM params[]) {                                    \
    return owp_pipes_init(context, mode, true, key, key_len, count, iv, iv_len, params);           \
  }
#define OWP_PIPES_FUNCTIONS                                                                        \
  {OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT, (void (*)(void))pipeline_encrypt_init},                 \
      {OSSL_FUNC_CIPHER_PIPELINE_DECRYPT_INIT, (void (*)(void))pipeline_decrypt_init},             \
      {OSSL_FUNC_CIPHER_PIPELINE_UPDATE, (void (*)(void))owp_pipes_update}, {                      \
    OSSL_FUNC_CIPHER_PIPELINE_FINAL, (void (*)(void))owp_pipes_final                               \
  }
#endif

#endif
