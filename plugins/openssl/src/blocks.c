/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES and TDES in ECB and CBC: the whole blocks of any update may go to the device.
 *
 * The inner context handles padding and its errors. It keeps up to a block back between updates;
 * `waiting` has a copy of these bytes, so that the device can process them too. The inner context
 * is restarted after the last block that the device has done, before it is used again.
 */
#include "blocks.h"
#include "pipes.h"

const size_t owp_blocks_size = sizeof(struct owp_blocks);

/* Restarts the inner context, if needed, after the last block that the device has done. */
static bool catch_up(struct owp_blocks *blocks) {
  bool cbc = blocks->cipher.cbc;
  bool behind = blocks->behind;
  blocks->behind = false;
  return !behind || owp_cipher_restart(&blocks->cipher, cbc ? blocks->chain : NULL,
                                       cbc ? blocks->cipher.block : 0) != 0;
}

/* Processes an update in the inner context, and keeps a copy of the bytes that it keeps back. */
static inline int inside(struct owp_blocks *blocks, unsigned char *out, size_t *out_len,
                         size_t out_size, const unsigned char *in, size_t length, size_t block) {
  struct owp_cipher *cipher = &blocks->cipher;
  uint8_t waiting[16];
  size_t total = blocks->waiting_len + length;
  size_t keep = owp_blocks_keep_back(waiting, blocks, in, length, block);
  if (!catch_up(blocks) || !OWP_INSIDE(cipher, update, out, out_len, out_size, in, length)) {
    return 0;
  }
  memcpy(blocks->waiting, waiting, keep);
  blocks->waiting_len = (uint8_t)keep;
  blocks->chain_known = blocks->chain_known && keep == total;
  return 1;
}

static inline int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                         const unsigned char *in, size_t length, size_t block) {
  struct owp_blocks *blocks = context;
  struct owp_cipher *cipher = &blocks->cipher;
  if (cipher->slot_key != NULL) {
    return owp_blocks_slot_update(blocks, out, out_len, out_size, in, length);
  }
  if (blocks->tls) {
    ow_offload_count(cipher->provider->offload, cipher->opcode, OW_FALLBACK_OPCODE, length);
    return OWP_INSIDE(cipher, update, out, out_len, out_size, in, length);
  }
  size_t total = blocks->waiting_len + length;
  size_t bulk = total - owp_blocks_bytes_to_keep(blocks, total, block);
  if (bulk > out_size || !owp_cipher_wants(cipher, bulk)) {
    return inside(blocks, out, out_len, out_size, in, length, block);
  }
  size_t waiting = blocks->waiting_len, done = owp_blocks_offload(blocks, out, in, bulk);
  if (done != 0) {
    size_t taken = done - waiting;
    in += taken;
    length -= taken;
  }
  size_t rest = 0;
  /* What waited may be a whole block: without padding from now on, it is output too. */
  if ((length != 0 || done == 0) &&
      !inside(blocks, out + done, &rest, out_size - done, in, length, block)) {
    return 0;
  }
  *out_len = done + rest;
  return 1;
}

static int update_aes(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                      const unsigned char *in, size_t length) {
  return update(context, out, out_len, out_size, in, length, 16);
}

static int update_tdes(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                       const unsigned char *in, size_t length) {
  return update(context, out, out_len, out_size, in, length, 8);
}

static int one_shot(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                    const unsigned char *in, size_t length) {
  struct owp_blocks *blocks = context;
  struct owp_cipher *cipher = &blocks->cipher;
  if (cipher->slot_key != NULL) {
    return in != NULL ? owp_blocks_slot_update(blocks, out, out_len, out_size, in, length)
                      : owp_blocks_slot_final(blocks, out, out_len, out_size);
  }
  /* Without buffering or padding: whole blocks in, whole blocks out. What an update has left
   * waiting goes on waiting in the inner context. */
  if (in == NULL || blocks->tls || blocks->waiting_len != 0 ||
      (length & (cipher->block - 1u)) != 0 || out_size < length ||
      !owp_cipher_wants(cipher, length)) {
    bool good = catch_up(blocks);
    blocks->chain_known = false;
    return good && OWP_INSIDE(cipher, cipher, out, out_len, out_size, in, length);
  }
  size_t done = owp_blocks_offload(blocks, out, in, length);
  *out_len = length;
  if (done == length) {
    return 1;
  }
  bool good = catch_up(blocks);
  blocks->chain_known = false;
  return good &&
         OWP_INSIDE(cipher, cipher, out + done, out_len, out_size - done, in + done, length - done);
}

/* Notes the parameters that change how updates are processed. */
static void note_params(struct owp_blocks *blocks, const OSSL_PARAM params[]) {
  if (params == NULL) {
    return;
  }
  unsigned value = 0;
  for (const OSSL_PARAM *param = params; param->key != NULL; param++) {
    if (owp_is_param(param, OSSL_CIPHER_PARAM_PADDING) && OSSL_PARAM_get_uint(param, &value)) {
      blocks->no_padding = value == 0;
    }
    if (owp_is_param(param, OSSL_CIPHER_PARAM_TLS_VERSION) && OSSL_PARAM_get_uint(param, &value)) {
      blocks->tls = value != 0;
    }
  }
}

/* Returns whether the parameters change anything. EVP sets the padding flag with every message. */
static bool changes(const struct owp_blocks *blocks, const OSSL_PARAM params[]) {
  unsigned padding = 0;
  return blocks->cipher.pipes != NULL || !owp_is_only_param(params, OSSL_CIPHER_PARAM_PADDING) ||
         !OSSL_PARAM_get_uint(params, &padding) || (padding == 0) != blocks->no_padding;
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct owp_blocks *blocks = context;
  if (!changes(blocks, params)) {
    return 1;
  }
  if (!catch_up(blocks) || !owp_cipher_set_ctx_params(context, params)) {
    return 0;
  }
  note_params(blocks, params);
  return 1;
}

static int init(struct owp_blocks *blocks, bool decrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  if (!owp_cipher_init(&blocks->cipher, decrypt, key, key_len, iv, iv_len, params)) {
    return 0;
  }
  blocks->waiting_len = 0;
  blocks->behind = false;
  memcpy(blocks->chain, blocks->cipher.iv, 16);
  blocks->chain_known = blocks->cipher.iv_len != 0;
  note_params(blocks, params);
  return 1;
}

OWP_INIT

#ifdef OWP_HAS_SKEYS
OWP_SKEY_INIT
#endif

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_blocks *blocks = context;
  if (blocks->cipher.slot_key != NULL) {
    return owp_blocks_slot_final(blocks, out, out_len, out_size);
  }
  if (blocks->behind && blocks->no_padding && blocks->waiting_len == 0) {
    *out_len = 0; /* no output */
    return 1;
  }
  int good = catch_up(blocks) && owp_cipher_final(context, out, out_len, out_size);
  if (good) {
    blocks->waiting_len = 0;
    blocks->chain_known = false;
  }
  return good;
}

/* The inner context must be up to date before it returns the chaining value. */
static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  bool good = true;
  if (owp_is_only_param(params, OSSL_CIPHER_PARAM_IVLEN)) {
    return owp_cipher_get_iv_size(context, params);
  }
  for (const OSSL_PARAM *param = params; param->key != NULL; param++) {
    good = good && (!owp_is_param(param, OSSL_CIPHER_PARAM_UPDATED_IV) || catch_up(context));
  }
  return good && owp_cipher_get_ctx_params(context, params);
}

#ifdef OWP_HAS_PIPES
static bool offer(void *context, struct ow_request *request, const struct owp_piece *piece) {
  struct owp_blocks *blocks = context;
  size_t total = blocks->waiting_len + piece->length;
  size_t bulk = total - owp_blocks_bytes_to_keep(blocks, total, 16);
  if (piece->done != 0 ? bulk == 0
                       : blocks->tls || bulk > piece->out_size ||
                             !owp_cipher_wants_among(&blocks->cipher, bulk, piece->together) ||
                             !owp_blocks_know_chain(blocks)) {
    return false;
  }
  *request = owp_blocks_job(blocks, piece->out, piece->in, bulk);
  return true;
}

static void accept(void *context, const struct ow_request *request) {
  owp_blocks_take_job(context, request);
}

static int finish(void *context, size_t *out_len, const struct owp_piece *piece) {
  struct owp_blocks *blocks = context;
  if (piece->length == 0) {
    return 1;
  }
  return blocks->tls
             ? update_aes(blocks, piece->out, out_len, piece->out_size, piece->in, piece->length)
             : inside(blocks, piece->out, out_len, piece->out_size, piece->in, piece->length, 16);
}

static const struct owp_pipe_mode pipe_mode = {
    .padded = true,
    .freectx = owp_cipher_free,
    .dupctx = owp_cipher_dup,
    .encrypt_init = encrypt_init,
    .decrypt_init = decrypt_init,
    .update = update_aes,
    .final = final,
    .get_ctx_params = get_ctx_params,
    .set_ctx_params = set_ctx_params,
    .offer = offer,
    .accept = accept,
    .finish = finish,
};
OWP_PIPES_INIT(&pipe_mode)
#endif

#define FUNCTIONS(update_function)                                                                 \
  {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))owp_cipher_free},                                     \
      {OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))owp_cipher_dup},                                   \
      {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))encrypt_init},                               \
      {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))decrypt_init},                               \
      {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))(update_function)},                                \
      {OSSL_FUNC_CIPHER_FINAL, (void (*)(void)) final},                                            \
      {OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))one_shot},                                         \
      {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},                           \
      {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},

const OSSL_DISPATCH owp_blocks_functions[] = {
#ifdef OWP_HAS_PIPES
    OWP_PIPES_FUNCTIONS,
#endif
#ifdef OWP_HAS_SKEYS
    OWP_SKEY_FUNCTIONS,
#endif
    FUNCTIONS(update_aes){0, NULL}};
const OSSL_DISPATCH owp_tdes_functions[] = {FUNCTIONS(update_tdes){0, NULL}};
