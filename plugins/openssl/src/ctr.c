/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-CTR: the whole blocks of any update may go to the device. The position in the key stream
 * follows from the number of bytes since the IV; the inner context has the rest of a started block.
 */
#include "cipher.h"
#include "pipes.h"

struct ctr {
  struct owp_cipher cipher;
  /* bytes since the IV */
  uint64_t total;
  /* the application has set the position (a parameter); only the inner context knows it */
  bool foreign;
  /* the inner context must be restarted before its next use */
  bool behind;
  /* the counter block of a pipe's request */
  uint8_t next[16];
  /* under a key in a slot: key stream of the started block */
  uint8_t stream[16];
};

const size_t owp_ctr_size = sizeof(struct ctr);

/* Computes the counter block of the next whole block. */
static void next_counter(uint8_t counter[16], const struct ctr *ctr) {
  uint64_t blocks = ctr->total / 16;
  memcpy(counter, ctr->cipher.iv, 16);
  for (unsigned i = 16; i-- > 0 && blocks != 0;) {
    uint64_t sum = counter[i] + (blocks & 0xff);
    counter[i] = (uint8_t)sum;
    blocks = (blocks >> 8) + (sum >> 8);
  }
}

/* Restarts the inner context, if needed, at the block after the last one of the device. */
static bool catch_up(struct ctr *ctr) {
  uint8_t counter[16];
  if (!ctr->behind) {
    return true;
  }
  ctr->behind = false;
  next_counter(counter, ctr);
  return owp_cipher_restart(&ctr->cipher, counter, 16) != 0;
}

/* Returns the request for the whole blocks, as many as fit. `counter` must stay valid until it has
 * run. */
static struct ow_request state_job(const struct ctr *ctr, const uint8_t counter[16], uint8_t *out,
                                   const uint8_t *in, size_t length) {
  struct ow_request request = owp_cipher_request(&ctr->cipher);
  size_t whole = length & ~(size_t)15;
  request.flags = 0; /* encryption and decryption are the same */
  request.iv = counter;
  request.iv_len = 16;
  request.input = in;
  request.output = out;
  request.length = whole < OW_REQUEST_BYTES ? (uint32_t)whole : OW_REQUEST_BYTES;
  return request;
}

/* Sends whole blocks to the device. Returns how many bytes it has processed. */
static size_t offload(struct ctr *ctr, uint8_t *out, const uint8_t *in, size_t length) {
  struct owp_cipher *cipher = &ctr->cipher;
  uint8_t counter[16];
  size_t done = 0;
  next_counter(counter, ctr);
  while (length - done >= 16) {
    struct ow_request request = state_job(ctr, counter, out + done, in + done, length - done);
    if (!owp_cipher_run(cipher, &request)) {
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
  int good = catch_up(ctr) && OWP_INSIDE(cipher, update, out, out_len, out_size, in, length);
  ctr->total += good ? length : 0;
  return good;
}

/* Starts a block: encrypts zeros to get its key stream. */
static bool begin_block(struct ctr *ctr) {
  static const uint8_t zeros[16];
  uint8_t counter[16];
  next_counter(counter, ctr);
  struct ow_request request = state_job(ctr, counter, ctr->stream, zeros, 16);
  return owp_cipher_run(&ctr->cipher, &request);
}

/* Processes an update under a key in a slot: whole blocks on the device; the bytes around them with
 * its key stream here. */
static int update_in_slot(struct ctr *ctr, unsigned char *out, size_t *out_len,
                          const unsigned char *in, size_t length) {
  if (ctr->foreign || ctr->cipher.iv_len == 0) {
    return owp_refuse(ctr->cipher.provider, PROV_R_NOT_SUPPORTED);
  }
  *out_len = length;
  while (length != 0) {
    size_t used = ctr->total % 16, now = 16 - used < length ? 16 - used : length;
    if (now == 16) {
      now = offload(ctr, out, in, length);
      if (now != (length & ~(size_t)15)) {
        return owp_refuse(ctr->cipher.provider, PROV_R_CIPHER_OPERATION_FAILED);
      }
    } else {
      if (used == 0 && !begin_block(ctr)) {
        return owp_refuse(ctr->cipher.provider, PROV_R_CIPHER_OPERATION_FAILED);
      }
      for (size_t i = 0; i < now; i++) {
        out[i] = in[i] ^ ctr->stream[used + i];
      }
      ctr->total += now;
    }
    out += now;
    in += now;
    length -= now;
  }
  return 1;
}

static int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                  const unsigned char *in, size_t length) {
  struct ctr *ctr = context;
  struct owp_cipher *cipher = &ctr->cipher;
  size_t written = 0;
  if (cipher->slot_key != NULL) {
    return out_size < length ? owp_refuse(ctr->cipher.provider, PROV_R_OUTPUT_BUFFER_TOO_SMALL)
                             : update_in_slot(ctr, out, out_len, in, length);
  }
  if (!owp_cipher_wants(cipher, length) || out_size < length || ctr->foreign ||
      cipher->iv_len == 0) {
    return inside(ctr, out, out_len, out_size, in, length);
  }
  size_t head = (16 - ctr->total % 16) % 16; /* bytes to the end of the started block */
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
                    : OWP_INSIDE(cipher, cipher, out, out_len, out_size, in, length);
}

static void note_params(struct ctr *ctr, const OSSL_PARAM params[]) {
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
  /* a new init without an IV continues at the next block */
  ctr->total = (ctr->total + 15) & ~UINT64_C(15);
  note_params(ctr, params);
  return 1;
}

OWP_INIT

#ifdef OWP_HAS_SKEYS
OWP_SKEY_INIT
#endif

/* Under a key in a slot the inner context has no key and cannot finish. */
static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_cipher *cipher = context;
  *out_len = 0;
  return cipher->slot_key != NULL || owp_cipher_final(context, out, out_len, out_size);
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct ctr *ctr = context;
  note_params(ctr, params);
  return catch_up(ctr) && owp_cipher_set_ctx_params(context, params);
}

/* The inner context must be up to date before it returns its position. */
static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  bool good = true;
  if (owp_is_only_param(params, OSSL_CIPHER_PARAM_IVLEN)) {
    return owp_cipher_get_iv_size(context, params);
  }
  for (const OSSL_PARAM *param = params; param->key != NULL; param++) {
    bool about = owp_is_param(param, OSSL_CIPHER_PARAM_UPDATED_IV) ||
                 owp_is_param(param, OSSL_CIPHER_PARAM_NUM);
    good = good && (!about || catch_up(context));
  }
  return good && owp_cipher_get_ctx_params(context, params);
}

#ifdef OWP_HAS_PIPES
static bool offer(void *context, struct ow_request *request, const struct owp_piece *piece) {
  struct ctr *ctr = context;
  struct owp_cipher *cipher = &ctr->cipher;
  if (piece->done != 0 ? piece->length < 16
                       : ctr->total % 16 != 0 || ctr->foreign || cipher->iv_len == 0 ||
                             piece->out_size < piece->length ||
                             !owp_cipher_wants_among(cipher, piece->length, piece->together)) {
    return false;
  }
  next_counter(ctr->next, ctr);
  *request = state_job(ctr, ctr->next, piece->out, piece->in, piece->length);
  return true;
}

static void accept(void *context, const struct ow_request *request) {
  struct ctr *ctr = context;
  ctr->behind = true;
  ctr->total += request->length;
}

static int finish(void *context, size_t *out_len, const struct owp_piece *piece) {
  struct ctr *ctr = context;
  if (piece->length == 0) {
    return 1;
  }
  /* In a started block no request has been made yet. */
  return piece->done == 0 && ctr->total % 16 != 0
             ? update(ctr, piece->out, out_len, piece->out_size, piece->in, piece->length)
             : inside(ctr, piece->out, out_len, piece->out_size, piece->in, piece->length);
}

static const struct owp_pipe_mode pipe_mode = {
    .freectx = owp_cipher_free,
    .dupctx = owp_cipher_dup,
    .encrypt_init = encrypt_init,
    .decrypt_init = decrypt_init,
    .update = update,
    .final = final,
    .get_ctx_params = get_ctx_params,
    .set_ctx_params = set_ctx_params,
    .offer = offer,
    .accept = accept,
    .finish = finish,
};
OWP_PIPES_INIT(&pipe_mode)
#endif

const OSSL_DISPATCH owp_ctr_functions[] = {
#ifdef OWP_HAS_PIPES
    OWP_PIPES_FUNCTIONS,
#endif
#ifdef OWP_HAS_SKEYS
    OWP_SKEY_FUNCTIONS,
#endif
    {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))owp_cipher_free},
    {OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))owp_cipher_dup},
    {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))encrypt_init},
    {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))decrypt_init},
    {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_CIPHER_FINAL, (void (*)(void)) final},
    {OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))one_shot},
    {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
