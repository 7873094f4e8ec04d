/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA encryption: OAEP and no padding in both directions, PKCS #1 v1.5 when encrypting.
 *
 * The inner context decrypts PKCS #1 v1.5 and the premaster secret of TLS: on invalid padding
 * OpenSSL returns a message derived from the key and the ciphertext (since 3.2), which must take as
 * long as a valid one.
 */
#include "pkey.h"

struct rsa_cipher {
  struct owp_provider *provider;
  const struct owp_asym_cipher_calls *calls;
  void *inside;
  struct owp_rsa_key key;
};

struct work {
  struct owp_rsa_key *key;
  /* no padding */
  bool bare;
  struct ow_rsa_padding padding;
  const uint8_t *input;
  uint8_t *out;
  size_t input_len, out_len;
};

void *owp_rsa_cipher_new(void *provider) {
  struct owp_provider *owner = provider;
  struct rsa_cipher *cipher = OPENSSL_zalloc(sizeof(*cipher));
  if (cipher == NULL) {
    return NULL;
  }
  cipher->provider = owner;
  cipher->calls = &owner->pkeys->rsa_cipher_calls;
  cipher->inside = cipher->calls->newctx(cipher->calls->context);
  if (cipher->inside == NULL) {
    OPENSSL_free(cipher);
    return NULL;
  }
  return cipher;
}

static void rsa_cipher_free(void *context) {
  struct rsa_cipher *cipher = context;
  if (cipher != NULL) {
    cipher->calls->freectx(cipher->inside);
    OPENSSL_clear_free(cipher, sizeof(*cipher));
  }
}

static void *rsa_cipher_dup(void *context) {
  const struct rsa_cipher *cipher = context;
  void *inside = cipher->calls->dupctx(cipher->inside);
  struct rsa_cipher *copy = inside != NULL ? OPENSSL_zalloc(sizeof(*copy)) : NULL;
  if (copy != NULL) {
    copy->provider = cipher->provider;
    copy->calls = cipher->calls;
    copy->inside = inside;
    owp_rsa_set_key(copy->provider, &copy->key, cipher->key.data);
  } else if (inside != NULL) {
    cipher->calls->freectx(inside);
  }
  return copy;
}

static int begin(struct rsa_cipher *cipher, OSSL_FUNC_asym_cipher_encrypt_init_fn *init, void *key,
                 const OSSL_PARAM params[]) {
  OSSL_PARAM copy[OWP_PARAMS_MAX];
  if (!owp_without_properties(copy, params) ||
      !owp_carried(cipher->provider, init(cipher->inside, key, copy))) {
    return 0;
  }
  if (key != NULL) {
    owp_rsa_set_key(cipher->provider, &cipher->key, key);
  }
  return 1;
}

static int encrypt_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct rsa_cipher *cipher = context;
  return begin(cipher, cipher->calls->encrypt_init, key, params);
}

static int decrypt_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct rsa_cipher *cipher = context;
  return begin(cipher, cipher->calls->decrypt_init, key, params);
}

/* Reads from the inner context what the device needs. False: the device cannot do the operation. */
static bool prepare(const struct rsa_cipher *cipher, struct work *work, bool decrypt) {
  char digest[OWP_NAME_MAX] = "", mask[OWP_NAME_MAX] = "";
  void *label = NULL;
  int mode = 0;
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_int(OSSL_ASYM_CIPHER_PARAM_PAD_MODE, &mode),
      OSSL_PARAM_construct_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, digest, sizeof(digest)),
      OSSL_PARAM_construct_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, mask, sizeof(mask)),
      OSSL_PARAM_construct_octet_ptr(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, &label, 0),
      OSSL_PARAM_construct_end()};
  if (!OWP_INSIDE(cipher, get_ctx_params, params)) {
    return false;
  }
  switch (mode) {
  case RSA_NO_PADDING:
    work->bare = true;
    return work->input_len == cipher->key.bytes;
  case RSA_PKCS1_PADDING:
    work->padding.scheme = OW_RSA_PKCS1;
    return !decrypt;
  case RSA_PKCS1_OAEP_PADDING:
    work->padding.scheme = OW_RSA_OAEP;
    work->padding.hash = owp_hash_of(cipher->provider, digest[0] != '\0' ? digest : "SHA1");
    work->padding.mask_hash =
        mask[0] != '\0' ? owp_hash_of(cipher->provider, mask) : work->padding.hash;
    if (label != NULL) {
      work->padding.label = (struct ow_number){label, params[3].return_size};
    }
    return owp_masks_with(work->padding.hash) && owp_masks_with(work->padding.mask_hash);
  default:
    return false;
  }
}

static ow_status do_encrypt(struct ow_pka *pka, void *user) {
  struct work *work = user;
  const struct ow_rsa_public *key = &work->key->public;
  return work->bare
             ? ow_rsa_public_raw(pka, work->out, key, work->input)
             : ow_rsa_encrypt(pka, work->out, key, &work->padding, work->input, work->input_len);
}

static ow_status do_decrypt(struct ow_pka *pka, void *user) {
  struct work *work = user;
  const struct ow_rsa_private *key = &work->key->private;
  return work->bare ? ow_rsa_private_raw(pka, work->out, key, work->input)
                    : ow_rsa_decrypt(pka, work->out, &work->out_len, key, &work->padding,
                                     work->input, work->input_len);
}

/* Runs the operation on the device. False: it did not, the CPU has to. */
static bool run_on_device(struct rsa_cipher *cipher, bool decrypt, struct work *work) {
  struct ow_offload *offload = cipher->provider->offload;
  uint8_t opcode = decrypt ? OW_OP_RSA_PRIVATE : OW_OP_RSA_PUBLIC;
  struct owp_rsa_key *key = work->key;
  if (!ow_offload_wants(offload, opcode, 0, false, key->bytes)) {
    return false;
  }
  if (key->bytes > OW_RSA_BYTES_MAX || work->out_len < key->bytes ||
      !prepare(cipher, work, decrypt) ||
      !(decrypt ? owp_rsa_read_private(cipher->provider, key)
                : owp_rsa_read_public(cipher->provider, key))) {
    ow_offload_count(offload, opcode, OW_FALLBACK_OPCODE, key->bytes);
    return false;
  }
  if (!decrypt || work->bare) {
    work->out_len = key->bytes;
  }
  return ow_offload_operate(offload, opcode, key->bytes, decrypt ? do_decrypt : do_encrypt, work,
                            NULL, NULL);
}

static int encrypt(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                   const unsigned char *input, size_t input_len) {
  struct rsa_cipher *cipher = context;
  struct work work = {
      .key = &cipher->key, .out = out, .out_len = out_size, .input = input, .input_len = input_len};
  if (out == NULL || !run_on_device(cipher, false, &work)) {
    return OWP_INSIDE(cipher, encrypt, out, out_len, out_size, input, input_len);
  }
  *out_len = work.out_len;
  return 1;
}

static int decrypt(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                   const unsigned char *input, size_t input_len) {
  struct rsa_cipher *cipher = context;
  struct work work = {
      .key = &cipher->key, .out = out, .out_len = out_size, .input = input, .input_len = input_len};
  if (out == NULL || !run_on_device(cipher, true, &work)) {
    return OWP_INSIDE(cipher, decrypt, out, out_len, out_size, input, input_len);
  }
  *out_len = work.out_len;
  return 1;
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct rsa_cipher *cipher = context;
  OSSL_PARAM copy[OWP_PARAMS_MAX];
  return owp_without_properties(copy, params) && OWP_INSIDE(cipher, set_ctx_params, copy);
}

static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct rsa_cipher *cipher = context;
  return OWP_INSIDE(cipher, get_ctx_params, params);
}

const OSSL_DISPATCH owp_rsa_cipher_functions[] = {
    {OSSL_FUNC_ASYM_CIPHER_FREECTX, (void (*)(void))rsa_cipher_free},
    {OSSL_FUNC_ASYM_CIPHER_DUPCTX, (void (*)(void))rsa_cipher_dup},
    {OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, (void (*)(void))encrypt_init},
    {OSSL_FUNC_ASYM_CIPHER_ENCRYPT, (void (*)(void))encrypt},
    {OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, (void (*)(void))decrypt_init},
    {OSSL_FUNC_ASYM_CIPHER_DECRYPT, (void (*)(void))decrypt},
    {OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {0, NULL}};
