/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-CTR: whole blocks may go to the device in any update. Where the key stream stands follows
 * from the bytes since the IV; the context inside keeps what is left of a block.
 */
#include "cipher.h"

struct ctr {
  struct owp_cipher cipher;
  uint64_t total; /* bytes since the IV */
  bool foreign;   /* somebody has moved the key stream by hand */
  bool behind;    /* the context inside must be begun again before it goes on */
};

const size_t owp_ctr_size = sizeof(struct ctr);

/* The counter block of the next whole block. */
static void next_counter(uint8_t counter[16], const struct ctr *ctr) {
  uint64_t blocks = ctr->total / 16;
  memcpy(counter, ctr->cipher.iv, 16);
  for (unsigned i = 16; i-- > 0 && blocks != 0;) {
    uint64_t sum = counter[i] + (blocks & 0xff);
    counter[i] = (uint8_t)sum;
    blocks = (blocks >> 8) + (sum >> 8);
  }
}

/* Brings the context inside to where the device is: at a block's end. */
static bool catch_up(struct ctr *ctr) {
  uint8_t counter[16];
  if (!ctr->behind) {
    return true;
  }
  ctr->behind = false;
  next_counter(counter, ctr);
  return owp_cipher_restart(&ctr->cipher, counter, 16) != 0;
}

/* Gives whole blocks to the device, and says how many bytes it took. */
static size_t offload(struct ctr *ctr, uint8_t *out, const uint8_t *in, size_t length) {
  struct owp_cipher *cipher = &ctr->cipher;
  uint8_t counter[16];
  size_t done = 0;
  next_counter(counter, ctr);
  while (length - done >= 16) {
    struct ow_request request = owp_cipher_request(cipher);
    size_t left = (length - done) & ~(size_t)15;
    request.flags = 0; /* both directions are one */
    request.iv = counter;
    request.iv_len = 16;
    request.input = in + done;
    request.output = out + done;
    request.length = left < OW_REQUEST_BYTES ? (uint32_t)left : OW_REQUEST_BYTES;
    if (!ow_offload_run(cipher->provider->offload, &request)) {
      break;
    }
    memcpy(counter, request.tag, 16);
    done += request.length;
  }
  ctr->behind = ctr->behind || done != 0;
  ctr->total += done;
  return done;
}

static int inside(struct ctr *ctr, unsigned char *out, size_t *out_len, size_t out_size,
                  const unsigned char *in, size_t length) {
  struct owp_cipher *cipher = &ctr->cipher;
  int good =
      catch_up(ctr) && cipher->calls->update(cipher->inside, out, out_len, out_size, in, length);
  ctr->total += good ? length : 0;
  return good;
}

static int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                  const unsigned char *in, size_t length) {
  struct ctr *ctr = context;
  struct owp_cipher *cipher = &ctr->cipher;
  size_t written = 0;
  if (!owp_cipher_wants(cipher, length) || out_size < length || ctr->foreign ||
      cipher->iv_len == 0) {
    return inside(ctr, out, out_len, out_size, in, length);
  }
  size_t head = (16 - ctr->total % 16) % 16; /* what is left of a block */
  if (head != 0 && !inside(ctr, out, &written, out_size, in, head)) {
    return 0;
  }
  size_t done = head + offload(ctr, out + head, in + head, length - head);
  *out_len = length;
  return done == length ||
         inside(ctr, out + done, &written, out_size - done, in + done, length - done);
}

static int one_shot(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                    const unsigned char *in, size_t length) {
  struct owp_cipher *cipher = context;
  return in != NULL ? update(context, out, out_len, out_size, in, length)
                    : cipher->calls->cipher(cipher->inside, out, out_len, out_size, in, length);
}

static void note(struct ctr *ctr, const OSSL_PARAM params[]) {
  ctr->foreign = ctr->foreign ||
                 (params != NULL && OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_NUM) != NULL);
}

static int init(struct ctr *ctr, bool decrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  if (iv == NULL && !catch_up(ctr)) {
    return 0;
  }
  ctr->behind = false;
  if (!owp_cipher_init(&ctr->cipher, decrypt, key, key_len, iv, iv_len, params)) {
    return 0;
  }
  if (iv != NULL) {
    ctr->total = 0;
    ctr->foreign = false;
  }
  ctr->total = (ctr->total + 15) & ~UINT64_C(15); /* an init ends a block, and goes on behind it */
  note(ctr, params);
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

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct ctr *ctr = context;
  note(ctr, params);
  return catch_up(ctr) && owp_cipher_set_ctx_params(context, params);
}

/* Where the key stream stands is asked of the context inside. */
static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  bool good = true;
  for (const OSSL_PARAM *param = params; param->key != NULL; param++) {
    bool about = owp_is_param(param, OSSL_CIPHER_PARAM_UPDATED_IV) ||
                 owp_is_param(param, OSSL_CIPHER_PARAM_NUM);
    good = good && (!about || catch_up(context));
  }
  return good && owp_cipher_get_ctx_params(context, params);
}

const OSSL_DISPATCH owp_ctr_functions[] = {
    {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))owp_cipher_free},
    {OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))owp_cipher_dup},
    {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))encrypt_init},
    {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))decrypt_init},
    {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_CIPHER_FINAL, (void (*)(void))owp_cipher_final},
    {OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))one_shot},
    {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
