/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Cipher pipelines (OpenSSL 3.5): several messages under one key, whose jobs are submitted
 * together.
 *
 * Each pipe is a full context of the cipher's mode; the application's context holds the pipes. The
 * default provider has no pipelines, so each pipe does alone what the device does not do.
 */
#ifndef OUTWORK_PROVIDER_PIPES_H
#define OUTWORK_PROVIDER_PIPES_H

#include "cipher.h"

#ifdef OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT
#define OWP_HAS_PIPES

/* The remaining part of one pipe's update. */
struct owp_piece {
  uint8_t *out;
  size_t out_size;
  const uint8_t *in;
  size_t length;
  /* output bytes of this update that the device has made */
  size_t done;
  /* messages that are submitted together */
  unsigned together;
  /* bytes of a request that the device has failed; 0: none */
  uint32_t refused;
};

/* The functions that pipes.c needs from a mode. */
struct owp_pipe_mode {
  /* the last block may have padding */
  bool padded;
  OSSL_FUNC_cipher_freectx_fn *freectx;
  OSSL_FUNC_cipher_dupctx_fn *dupctx;
  OSSL_FUNC_cipher_encrypt_init_fn *encrypt_init;
  OSSL_FUNC_cipher_decrypt_init_fn *decrypt_init;
  OSSL_FUNC_cipher_update_fn *update;
  OSSL_FUNC_cipher_final_fn *final;
  OSSL_FUNC_cipher_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_cipher_set_ctx_params_fn *set_ctx_params;
  /* Fills in the next request for a piece. False: nothing for the device. */
  bool (*offer)(void *context, struct ow_request *request, const struct owp_piece *piece);
  /* Updates the state after that request has succeeded. */
  void (*accept)(void *context, const struct ow_request *request);
  /* Processes the rest of the piece, which may be empty. */
  int (*finish)(void *context, size_t *out_len, const struct owp_piece *piece);
};

int owp_pipes_init(struct owp_cipher *cipher, const struct owp_pipe_mode *mode, bool decrypt,
                   const unsigned char *key, size_t key_len, size_t count, const unsigned char **iv,
                   size_t iv_len, const OSSL_PARAM params[]);
OSSL_FUNC_cipher_pipeline_update_fn owp_pipes_update;
OSSL_FUNC_cipher_pipeline_final_fn owp_pipes_final;

/* Defines the two init functions of a pipeline, and their entries in the mode's dispatch table. */
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
