/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES and TDES in ECB and CBC: the whole blocks of any update may go to the device.
 *
 * The inner context handles padding and its errors. It keeps up to a block back between updates;
 * `waiting` has a copy of these bytes, so that the device can process them too. The inner context
 * is restarted after the last block that the device has done, before it is used again.
 */
#include "cipher.h"
#include "pipes.h"

struct blocks {
  struct owp_cipher cipher;
  /* copy of the bytes that the inner context keeps back */
  uint8_t waiting[16];
  uint8_t waiting_len;
  /* CBC: the last ciphertext block, if known */
  uint8_t chain[16];
  bool chain_known;
  /* the inner context must be restarted before its next use */
  bool behind;
  bool no_padding;
  /* TLS before 1.3: every update is a record, whose padding and MAC the inner context removes */
  bool tls;
};

const size_t owp_blocks_size = sizeof(struct blocks);

/* Returns how many of `total` bytes are bytes_to_keep for later: on decryption also a whole last
 * block, which may be padding. `block`: the cipher's block size, a constant in each caller, so that
 * the compiler needs no division. */
static inline size_t bytes_to_keep(const struct blocks *blocks, size_t total, size_t block) {
  bool block_too = blocks->cipher.decrypt && !blocks->no_padding;
  return total != 0 && block_too ? (total - 1) % block + 1 : total % block;
}

/* Restarts the inner context, if needed, after the last block that the device has done. */
static bool catch_up(struct blocks *blocks) {
  bool cbc = blocks->cipher.cbc;
  bool behind = blocks->behind;
  blocks->behind = false;
  return !behind || owp_cipher_restart(&blocks->cipher, cbc ? blocks->chain : NULL,
                                       cbc ? blocks->cipher.block : 0) != 0;
}

/* Copies the bytes to keep after this input; call it before output can overwrite them. Returns
 * their number. */
static inline size_t keep_back(uint8_t waiting[16], const struct blocks *blocks, const uint8_t *in,
                               size_t length, size_t block) {
  size_t keep = bytes_to_keep(blocks, blocks->waiting_len + length, block);
  size_t fresh = keep < length ? keep : length; /* bytes to keep from the input */
  if (keep != 0) {
    memcpy(waiting, blocks->waiting + (blocks->waiting_len - (keep - fresh)), keep - fresh);
    memcpy(waiting + (keep - fresh), in + (length - fresh), fresh);
  }
  return keep;
}

/* Processes an update in the inner context, and keeps a copy of the bytes that it keeps back. */
static inline int inside(struct blocks *blocks, unsigned char *out, size_t *out_len,
                         size_t out_size, const unsigned char *in, size_t length, size_t block) {
  struct owp_cipher *cipher = &blocks->cipher;
  uint8_t waiting[16];
  size_t total = blocks->waiting_len + length;
  size_t keep = keep_back(waiting, blocks, in, length, block);
  if (!catch_up(blocks) || !OWP_INSIDE(cipher, update, out, out_len, out_size, in, length)) {
    return 0;
  }
  memcpy(blocks->waiting, waiting, keep);
  blocks->waiting_len = (uint8_t)keep;
  blocks->chain_known = blocks->chain_known && keep == total;
  return 1;
}

static bool know_chain(struct blocks *blocks) {
  const struct owp_cipher *cipher = &blocks->cipher;
  return !cipher->cbc || blocks->chain_known ||
         owp_cipher_get(cipher, OSSL_CIPHER_PARAM_UPDATED_IV, blocks->chain, cipher->block);
}

/* Returns the request for the next `bulk` bytes; waiting bytes come before the input. */
static struct ow_request state_job(const struct blocks *blocks, uint8_t *out, const uint8_t *in,
                                   size_t bulk) {
  struct ow_request request = owp_cipher_request(&blocks->cipher);
  if (blocks->cipher.cbc) {
    request.iv = blocks->chain;
    request.iv_len = blocks->cipher.block;
  }
  request.head = blocks->waiting;
  request.head_len = blocks->waiting_len;
  request.input = in;
  request.output = out;
  request.length = bulk < OW_REQUEST_BYTES ? (uint32_t)bulk : OW_REQUEST_BYTES;
  return request;
}

/* Updates the state after this request has succeeded. */
static void take_job(struct blocks *blocks, const struct ow_request *request) {
  memcpy(blocks->chain, request->tag, 16);
  blocks->waiting_len = 0;
  blocks->chain_known = true;
  blocks->behind = true;
}

/* Sends `bulk` bytes, the waiting ones first, to the device. Returns how many of them it has
 * processed. */
static size_t offload(struct blocks *blocks, uint8_t *out, const uint8_t *in, size_t bulk) {
  size_t done = 0;
  if (!know_chain(blocks)) {
    return 0;
  }
  while (done < bulk) {
    struct ow_request request = state_job(blocks, out + done, in, bulk - done);
    if (!owp_cipher_run(&blocks->cipher, &request)) {
      break;
    }
    in += request.length - request.head_len;
    done += request.length;
    take_job(blocks, &request);
  }
  return done;
}

/* Processes an update under a key in a slot: all blocks on the device, only padding here. */
static int update_in_slot(struct blocks *blocks, unsigned char *out, size_t *out_len,
                          size_t out_size, const unsigned char *in, size_t length) {
  uint8_t waiting[16];
  size_t keep = keep_back(waiting, blocks, in, length, 16);
  size_t bulk = blocks->waiting_len + length - keep;
  if (blocks->tls || (blocks->cipher.cbc && !blocks->chain_known)) {
    return owp_refuse(blocks->cipher.provider, PROV_R_NOT_SUPPORTED);
  }
  if (bulk > out_size) {
    return owp_refuse(blocks->cipher.provider, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
  }
  if (offload(blocks, out, in, bulk) != bulk) {
    return owp_refuse(blocks->cipher.provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  memcpy(blocks->waiting, waiting, keep);
  blocks->waiting_len = (uint8_t)keep;
  *out_len = bulk;
  return 1;
}

/* Returns the length of the PKCS#7 padding at the end of a block; 0: invalid. No branch depends on
 * its bytes. */
static unsigned padding_of(const uint8_t block[16]) {
  unsigned pad = block[15], bad = (pad - 1u) >> 4;
  for (unsigned i = 0; i < 16; i++) {
    unsigned inside_it = 0u - ((i - pad) >> 31);
    bad |= inside_it & (block[15 - i] ^ pad);
  }
  return pad & (0u - ((bad - 1u) >> 31));
}

static int final_in_slot(struct blocks *blocks, unsigned char *out, size_t *out_len,
                         size_t out_size) {
  uint8_t last[16], given[16];
  size_t waiting = blocks->waiting_len, expected = blocks->cipher.decrypt ? 16 : waiting;
  *out_len = 0;
  if (blocks->no_padding ? waiting != 0 : waiting != expected) {
    return owp_refuse(blocks->cipher.provider, PROV_R_WRONG_FINAL_BLOCK_LENGTH);
  }
  if (blocks->no_padding) {
    return 1;
  }
  memset(given, (int)(16 - waiting), sizeof(given));
  memcpy(given, blocks->waiting, waiting);
  blocks->waiting_len = 0;
  int reason = 0;
  unsigned padding = 0;
  if (offload(blocks, last, given, 16) != 16) {
    reason = PROV_R_CIPHER_OPERATION_FAILED;
  } else if (blocks->cipher.decrypt && (padding = padding_of(last)) == 0) {
    reason = PROV_R_BAD_DECRYPT;
  } else if (out_size < 16 - padding) {
    reason = PROV_R_OUTPUT_BUFFER_TOO_SMALL;
  } else {
    memcpy(out, last, 16 - padding);
    *out_len = 16 - padding;
  }
  OPENSSL_cleanse(last, sizeof(last));
  OPENSSL_cleanse(given, sizeof(given));
  return reason == 0 || owp_refuse(blocks->cipher.provider, reason);
}

static inline int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                         const unsigned char *in, size_t length, size_t block) {
  struct blocks *blocks = context;
  struct owp_cipher *cipher = &blocks->cipher;
  if (cipher->slot_key != NULL) {
    return update_in_slot(blocks, out, out_len, out_size, in, length);
  }
  if (blocks->tls) {
    ow_offload_count(cipher->provider->offload, cipher->opcode, OW_FALLBACK_OPCODE, length);
    return OWP_INSIDE(cipher, update, out, out_len, out_size, in, length);
  }
  size_t total = blocks->waiting_len + length;
  size_t bulk = total - bytes_to_keep(blocks, total, block);
  if (bulk > out_size || !owp_cipher_wants(cipher, bulk)) {
    return inside(blocks, out, out_len, out_size, in, length, block);
  }
  size_t waiting = blocks->waiting_len, done = offload(blocks, out, in, bulk);
  if (done != 0) {
    size_t taken = done - waiting;
    in += taken;
    length -= taken;
  }
  size_t rest = 0;
  if (length != 0 && !inside(blocks, out + done, &rest, out_size - done, in, length, block)) {
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
  struct blocks *blocks = context;
  struct owp_cipher *cipher = &blocks->cipher;
  if (cipher->slot_key != NULL) {
    return in != NULL ? update_in_slot(blocks, out, out_len, out_size, in, length)
                      : final_in_slot(blocks, out, out_len, out_size);
  }
  /* Without buffering or padding: whole blocks in, whole blocks out. */
  if (in == NULL || blocks->tls || (length & (cipher->block - 1u)) != 0 || out_size < length ||
      !owp_cipher_wants(cipher, length)) {
    bool good = catch_up(blocks);
    blocks->chain_known = false;
    return good && OWP_INSIDE(cipher, cipher, out, out_len, out_size, in, length);
  }
  uint8_t waiting_len = blocks->waiting_len;
  blocks->waiting_len = 0;
  size_t done = offload(blocks, out, in, length);
  blocks->waiting_len = done == 0 ? waiting_len : 0;
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
static void note_params(struct blocks *blocks, const OSSL_PARAM params[]) {
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
static bool changes(const struct blocks *blocks, const OSSL_PARAM params[]) {
  unsigned padding = 0;
  return blocks->cipher.pipes != NULL || !owp_is_only_param(params, OSSL_CIPHER_PARAM_PADDING) ||
         !OSSL_PARAM_get_uint(params, &padding) || (padding == 0) != blocks->no_padding;
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct blocks *blocks = context;
  if (!changes(blocks, params)) {
    return 1;
  }
  if (!catch_up(blocks) || !owp_cipher_set_ctx_params(context, params)) {
    return 0;
  }
  note_params(blocks, params);
  return 1;
}

static int init(struct blocks *blocks, bool decrypt, const unsigned char *key, size_t key_len,
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

static int encrypt_init(void *context, const unsigned char *key, size_t key_len,
                        const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  return init(context, false, key, key_len, iv, iv_len, params);
}

static int decrypt_init(void *context, const unsigned char *key, size_t key_len,
                        const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  return init(context, true, key, key_len, iv, iv_len, params);
}

#ifdef OWP_HAS_SKEYS
OWP_SKEY_INIT
#endif

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct blocks *blocks = context;
  if (blocks->cipher.slot_key != NULL) {
    return final_in_slot(blocks, out, out_len, out_size);
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
  struct blocks *blocks = context;
  size_t total = blocks->waiting_len + piece->length;
  size_t bulk = total - bytes_to_keep(blocks, total, 16);
  if (piece->done != 0 ? bulk == 0
                       : blocks->tls || bulk > piece->out_size ||
                             !owp_cipher_wants_among(&blocks->cipher, bulk, piece->together) ||
                             !know_chain(blocks)) {
    return false;
  }
  *request = state_job(blocks, piece->out, piece->in, bulk);
  return true;
}

static void accept(void *context, const struct ow_request *request) {
  take_job(context, request);
}

static int finish(void *context, size_t *out_len, const struct owp_piece *piece) {
  struct blocks *blocks = context;
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
