/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What all ciphers of the provider share: a context that contains one of the default provider, and
 * the functions that are the same for all modes.
 *
 * The default provider's context (the "inner context") is always initialised, holds every
 * parameter, and does what the device does not do. A mode's own context begins with struct
 * owp_cipher.
 */
#ifndef OUTWORK_PROVIDER_CIPHER_H
#define OUTWORK_PROVIDER_CIPHER_H

#include "provider.h"
#include "skey.h"

struct owp_pipes; /* pipes.h */

struct owp_cipher {
  struct owp_provider *provider;
  const struct owp_cipher_calls *calls;
  /* the inner context */
  void *inside;
  /* bytes of the mode's context */
  size_t size;
  uint8_t opcode;
  /* bytes of one key; an XTS key has two */
  uint8_t key_len;
  /* bytes of `iv`; 0: not set */
  uint8_t iv_len;
  bool decrypt;
  bool key_set;
  bool cbc;
  /* bytes of a block */
  uint8_t block;
  bool iv_size_known;
  /* IV bytes that the inner context expects */
  size_t iv_size;
  /* as given to init, in modes whose IV is a block */
  uint8_t iv[16];
  uint8_t key[64];
  /* least length for the device: when encrypting, when decrypting */
  size_t floor[2];
  /* the key, if it is in a key slot; then the inner context has none */
  struct owp_skey *slot_key;
  /* the messages of a pipeline, or NULL */
  struct owp_pipes *pipes;
  const struct owp_pipes_calls *pipes_calls;
};

/* Creates a context of `size` bytes, zeroed after its struct owp_cipher. NULL: no memory. */
void *owp_cipher_new(void *provider, enum owp_cipher_index index, uint8_t opcode, uint8_t key_len,
                     size_t size);
OSSL_FUNC_cipher_freectx_fn owp_cipher_free;
/* Copies a context. NULL: the default provider cannot copy its context. */
OSSL_FUNC_cipher_dupctx_fn owp_cipher_dup;

/* Parameters of the inner context; the IV is the one given to init. */
OSSL_FUNC_cipher_get_ctx_params_fn owp_cipher_get_ctx_params;
OSSL_FUNC_cipher_set_ctx_params_fn owp_cipher_set_ctx_params;
/* Returns whether IVLEN is the only parameter requested, and answers it. EVP requests it with every
 * message; the inner context would search its whole list. */
int owp_cipher_get_iv_size(struct owp_cipher *cipher, OSSL_PARAM params[]);

/* Initialises the inner context; keeps copies of key and IV. */
int owp_cipher_init(struct owp_cipher *cipher, bool decrypt, const uint8_t *key, size_t key_len,
                    const uint8_t *iv, size_t iv_len, const OSSL_PARAM params[]);
/* Defines a mode's two init functions in terms of its `init`. */
#define OWP_INIT                                                                                   \
  static int encrypt_init(void *context, const unsigned char *key, size_t key_len,                 \
                          const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {     \
    return init(context, false, key, key_len, iv, iv_len, params);                                 \
  }                                                                                                \
  static int decrypt_init(void *context, const unsigned char *key, size_t key_len,                 \
                          const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {     \
    return init(context, true, key, key_len, iv, iv_len, params);                                  \
  }
#ifdef OWP_HAS_SKEYS
/* Returns key bytes and length for an init with a key object (NULL: keeps the key). If the key is
 * in a slot, *bytes is NULL and the context uses the slot. */
int owp_cipher_take_skey(struct owp_cipher *cipher, struct owp_skey *key, const uint8_t **bytes,
                         size_t *length);
/* Defines the two init functions with a key object in terms of the mode's `init`, and their entries
 * in its dispatch table. */
#define OWP_SKEY_INIT                                                                              \
  static int skey_init(void *context, bool decrypt, void *key, const unsigned char *iv,            \
                       size_t iv_len, const OSSL_PARAM params[]) {                                 \
    const uint8_t *bytes;                                                                          \
    size_t length;                                                                                 \
    return owp_cipher_take_skey(context, key, &bytes, &length) &&                                  \
           init(context, decrypt, bytes, length, iv, iv_len, params);                              \
  }                                                                                                \
  static int encrypt_skey_init(void *context, void *key, const unsigned char *iv, size_t iv_len,   \
                               const OSSL_PARAM params[]) {                                        \
    return skey_init(context, false, key, iv, iv_len, params);                                     \
  }                                                                                                \
  static int decrypt_skey_init(void *context, void *key, const unsigned char *iv, size_t iv_len,   \
                               const OSSL_PARAM params[]) {                                        \
    return skey_init(context, true, key, iv, iv_len, params);                                      \
  }
#define OWP_SKEY_FUNCTIONS                                                                         \
  {OSSL_FUNC_CIPHER_ENCRYPT_SKEY_INIT, (void (*)(void))encrypt_skey_init}, {                       \
    OSSL_FUNC_CIPHER_DECRYPT_SKEY_INIT, (void (*)(void))decrypt_skey_init                          \
  }
#endif
OSSL_FUNC_cipher_encrypt_init_fn owp_cipher_encrypt_init;
OSSL_FUNC_cipher_decrypt_init_fn owp_cipher_decrypt_init;
OSSL_FUNC_cipher_final_fn owp_cipher_final;
/* Restarts the inner context with the same key. iv: NULL to keep the IV. */
int owp_cipher_restart(struct owp_cipher *cipher, const uint8_t *iv, size_t iv_len);

/* Returns whether a message of this length goes to the device; if not, counts the fallback.
 * together: messages that are submitted at once. A small message costs one comparison. */
static inline bool owp_cipher_wants_among(struct owp_cipher *cipher, size_t length,
                                          unsigned together) {
  if (length >= cipher->floor[cipher->decrypt]) {
    return cipher->key_set &&
           ow_offload_wants_among(cipher->provider->offload, cipher->opcode, cipher->key_len,
                                  cipher->decrypt, length, together);
  }
  ow_offload_count(cipher->provider->offload, cipher->opcode, OW_FALLBACK_POLICY, length);
  return false;
}

static inline bool owp_cipher_wants(struct owp_cipher *cipher, size_t length) {
  return owp_cipher_wants_among(cipher, length, 1);
}

/* Returns a request with key and flags of this cipher, without data. */
struct ow_request owp_cipher_request(const struct owp_cipher *cipher);
/* Runs a request. Under a key in a slot the CPU cannot help, so the request is retried. */
static inline bool owp_cipher_run(const struct owp_cipher *cipher, struct ow_request *request) {
  struct ow_offload *offload = cipher->provider->offload;
  return request->slot != NULL ? ow_offload_run_retry(offload, request)
                               : ow_offload_run(offload, request);
}

/* Reads an octet string parameter of the inner context. */
bool owp_cipher_get(const struct owp_cipher *cipher, const char *name, void *value, size_t length);
/* Answers every parameter except `but` from the inner context. */
bool owp_cipher_get_all_but(const struct owp_cipher *cipher, OSSL_PARAM params[],
                            const OSSL_PARAM *but);

/* The functions of pipes.c, called through pointers so that cipher.c does not depend on it. */
struct owp_pipes_calls {
  void (*free)(struct owp_pipes *pipes);
  /* returns NULL if there is no memory */
  struct owp_pipes *(*dup)(const struct owp_pipes *pipes);
  int (*set_params)(struct owp_cipher *cipher, const OSSL_PARAM params[]);
  int (*get_params)(struct owp_cipher *cipher, OSSL_PARAM params[]);
};

/* Dispatch tables of the modes, each in the mode's file; ciphers.c adds `newctx`. */
extern const OSSL_DISPATCH owp_blocks_functions[]; /* ECB, CBC */
extern const OSSL_DISPATCH owp_tdes_functions[];   /* TDES: ECB, CBC */
extern const OSSL_DISPATCH owp_ctr_functions[];
extern const OSSL_DISPATCH owp_gcm_functions[];
extern const OSSL_DISPATCH owp_ccm_functions[];
extern const OSSL_DISPATCH owp_xts_functions[];
extern const size_t owp_blocks_size, owp_ctr_size, owp_gcm_size, owp_ccm_size, owp_xts_size;

#endif
