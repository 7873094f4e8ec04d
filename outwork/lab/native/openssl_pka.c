/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Public-key adapter of OpenSSL's libcrypto, version 3 or later, through EVP; the library is opened
 * by name.
 */
#include "adapter_pka.h"

#include <dlfcn.h>

enum { NO_PADDING = 3 /* RSA_NO_PADDING */ };

static struct {
  const char *(*OpenSSL_version)(int);
  void *(*EVP_PKEY_Q_keygen)(void *, const char *, const char *, ...);
  void (*EVP_PKEY_free)(void *);
  void *(*EVP_PKEY_CTX_new_from_pkey)(void *, void *, const char *);
  void (*EVP_PKEY_CTX_free)(void *);
  int (*EVP_PKEY_CTX_set_rsa_padding)(void *, int);
  int (*EVP_PKEY_encrypt_init)(void *);
  int (*EVP_PKEY_encrypt)(void *, uint8_t *, size_t *, const uint8_t *, size_t);
  int (*EVP_PKEY_decrypt_init)(void *);
  int (*EVP_PKEY_decrypt)(void *, uint8_t *, size_t *, const uint8_t *, size_t);
  int (*EVP_PKEY_sign_init)(void *);
  int (*EVP_PKEY_sign)(void *, uint8_t *, size_t *, const uint8_t *, size_t);
  int (*EVP_PKEY_verify_init)(void *);
  int (*EVP_PKEY_verify)(void *, const uint8_t *, size_t, const uint8_t *, size_t);
  int (*EVP_PKEY_derive_init)(void *);
  int (*EVP_PKEY_derive_set_peer)(void *, void *);
  int (*EVP_PKEY_derive)(void *, uint8_t *, size_t *);
} ssl;

/* A context of libcrypto is for one operation: there is one for the measured operation, and one for
 * its inverse. */
struct context {
  struct ow_lab_setting setting;
  void *key, *peer;
  void *operation, *inverse;
  uint8_t input[PKA_BYTES_MAX], output[PKA_BYTES_MAX];
  size_t output_len;
};

static const char *version(void) {
  return ssl.OpenSSL_version(0);
}

static void close_context(void *opened) {
  struct context *context = opened;
  ssl.EVP_PKEY_CTX_free(context->operation);
  ssl.EVP_PKEY_CTX_free(context->inverse);
  ssl.EVP_PKEY_free(context->key);
  ssl.EVP_PKEY_free(context->peer);
  ow_lab_wipe(context, sizeof *context);
  free(context);
}

static void *make_key(const struct ow_lab_setting *setting) {
  static const char *const curves[] = {"P-256", "P-384", "P-521", "secp256k1"};
  if (ow_lab_is_rsa(setting)) {
    return ssl.EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)setting->key_len);
  }
  return setting->iv_len == PKA_CURVE25519
             ? ssl.EVP_PKEY_Q_keygen(NULL, NULL, "X25519")
             : ssl.EVP_PKEY_Q_keygen(NULL, NULL, "EC", curves[setting->iv_len]);
}

static void *operation_on(void *key, int (*init)(void *)) {
  void *made = ssl.EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  if (made && init(made) == 1) {
    return made;
  }
  ssl.EVP_PKEY_CTX_free(made);
  return NULL;
}

static int run(struct context *context) {
  const size_t length = context->setting.length;
  context->output_len = sizeof context->output;
  switch (context->setting.opcode) {
  case OW_OP_RSA_PUBLIC:
    return ssl.EVP_PKEY_encrypt(context->operation, context->output, &context->output_len,
                                context->input, length) == 1;
  case OW_OP_RSA_PRIVATE:
    return ssl.EVP_PKEY_decrypt(context->operation, context->output, &context->output_len,
                                context->input, length) == 1;
  case OW_OP_EC_MULTIPLY:
    return ssl.EVP_PKEY_derive(context->operation, context->output, &context->output_len) == 1;
  default:
    return ssl.EVP_PKEY_sign(context->operation, context->output, &context->output_len,
                             context->input, PKA_DIGEST) == 1;
  }
}

/* Checks the result with the inverse operation. */
static int check_rsa(struct context *context) {
  const int is_public = context->setting.opcode == OW_OP_RSA_PUBLIC;
  uint8_t back[PKA_BYTES_MAX];
  size_t back_len = sizeof back;
  context->operation =
      operation_on(context->key, is_public ? ssl.EVP_PKEY_encrypt_init : ssl.EVP_PKEY_decrypt_init);
  context->inverse =
      operation_on(context->key, is_public ? ssl.EVP_PKEY_decrypt_init : ssl.EVP_PKEY_encrypt_init);
  return context->operation && context->inverse &&
         ssl.EVP_PKEY_CTX_set_rsa_padding(context->operation, NO_PADDING) == 1 &&
         ssl.EVP_PKEY_CTX_set_rsa_padding(context->inverse, NO_PADDING) == 1 && run(context) &&
         (is_public ? ssl.EVP_PKEY_decrypt : ssl.EVP_PKEY_encrypt)(
             context->inverse, back, &back_len, context->output, context->output_len) == 1 &&
         back_len == context->setting.length && memcmp(back, context->input, back_len) == 0;
}

static int check_ecdh(struct context *context) {
  uint8_t other[PKA_BYTES_MAX];
  size_t other_len = sizeof other;
  context->peer = make_key(&context->setting);
  context->operation = operation_on(context->key, ssl.EVP_PKEY_derive_init);
  context->inverse = operation_on(context->peer, ssl.EVP_PKEY_derive_init);
  return context->operation && context->inverse &&
         ssl.EVP_PKEY_derive_set_peer(context->operation, context->peer) == 1 &&
         ssl.EVP_PKEY_derive_set_peer(context->inverse, context->key) == 1 && run(context) &&
         ssl.EVP_PKEY_derive(context->inverse, other, &other_len) == 1 &&
         other_len == context->output_len && memcmp(other, context->output, other_len) == 0;
}

static int verify(struct context *context) {
  return ssl.EVP_PKEY_verify(context->inverse, context->output, context->output_len, context->input,
                             PKA_DIGEST) == 1;
}

static int check_ecdsa(struct context *context) {
  context->operation = operation_on(context->key, ssl.EVP_PKEY_sign_init);
  context->inverse = operation_on(context->key, ssl.EVP_PKEY_verify_init);
  if (!context->operation || !context->inverse || !run(context) || !verify(context)) {
    return 0;
  }
  context->input[0] ^= 1;
  const int refused = !verify(context);
  context->input[0] ^= 1;
  return refused;
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (!context) {
    return NULL;
  }
  context->setting = *setting;
  context->key = make_key(setting);
  ow_lab_fill(context->input, setting);
  const int good = context->key && (ow_lab_is_rsa(setting)                 ? check_rsa(context)
                                    : setting->opcode == OW_OP_EC_MULTIPLY ? check_ecdh(context)
                                                                           : check_ecdsa(context));
  if (good) {
    return context;
  }
  close_context(context);
  return NULL;
}

static int message(void *opened, struct ow_lab_message *unused, const uint8_t *key) {
  struct context *context = opened;
  (void)unused;
  (void)key;
  return context->setting.opcode == OW_OP_EC_VERIFY ? verify(context) : run(context);
}

static const struct ow_lab_calls calls = {
    .version = version,
    .instructions = version,
    .refuses = ow_lab_pka_refuses,
    .open = open_context,
    .message = message,
    .close = close_context,
};

OW_LAB_EXPORT const struct ow_lab_calls *ow_lab_adapter(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    return NULL;
  }
  /* POSIX allows a function's address in a void pointer; ISO C has no cast for it. */
#define FIND(name)                                                                                 \
  do {                                                                                             \
    void *address = dlsym(handle, #name);                                                          \
    if (!address) {                                                                                \
      return NULL;                                                                                 \
    }                                                                                              \
    memcpy(&ssl.name, &address, sizeof address);                                                   \
  } while (0)
  FIND(OpenSSL_version);
  FIND(EVP_PKEY_Q_keygen);
  FIND(EVP_PKEY_free);
  FIND(EVP_PKEY_CTX_new_from_pkey);
  FIND(EVP_PKEY_CTX_free);
  FIND(EVP_PKEY_CTX_set_rsa_padding);
  FIND(EVP_PKEY_encrypt_init);
  FIND(EVP_PKEY_encrypt);
  FIND(EVP_PKEY_decrypt_init);
  FIND(EVP_PKEY_decrypt);
  FIND(EVP_PKEY_sign_init);
  FIND(EVP_PKEY_sign);
  FIND(EVP_PKEY_verify_init);
  FIND(EVP_PKEY_verify);
  FIND(EVP_PKEY_derive_init);
  FIND(EVP_PKEY_derive_set_peer);
  FIND(EVP_PKEY_derive);
  return &calls;
}
