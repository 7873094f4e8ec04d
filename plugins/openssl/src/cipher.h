/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What every cipher of the provider is made of: a context with the default provider's inside, and
 * the functions that are the same for all modes.
 *
 * The context inside is always initialised, holds every parameter, and does whatever the device
 * does not. A mode's own context begins with struct owp_cipher.
 */
#ifndef OUTWORK_PROVIDER_CIPHER_H
#define OUTWORK_PROVIDER_CIPHER_H

#include "provider.h"
#include "skey.h"

struct owp_pipes; /* pipes.h */

struct owp_cipher {
  struct owp_provider *provider;
  const struct owp_cipher_calls *calls;
  void *inside; /* the default provider's context */
  size_t size;  /* of the mode's context */
  uint8_t opcode;
  uint8_t key_len; /* of one key */
  uint8_t iv_len;  /* of `iv`, 0: none yet */
  bool decrypt;
  bool key_set;
  bool cbc;
  uint8_t block; /* bytes */
  bool iv_size_known;
  size_t iv_size; /* that the context inside expects */
  uint8_t iv[16]; /* as given to init, for the modes that have a block of it */
  uint8_t key[64];
  size_t floor[2]; /* shorter messages are the CPU's: encrypt, decrypt */
  struct owp_skey
      *slot_key; /* the key, if it lies in a slot of the device: the context inside has none */
  struct owp_pipes *pipes; /* a pipeline's messages, or NULL */
  const struct owp_pipes_calls *pipes_calls;
};

/* A new context of `size` bytes, zero behind its struct owp_cipher. */
void *owp_cipher_new(void *provider, enum owp_cipher_index index, uint8_t opcode, uint8_t key_len,
                     size_t size);
OSSL_FUNC_cipher_freectx_fn owp_cipher_free;
/* A copy; NULL where the default provider cannot copy its context. */
OSSL_FUNC_cipher_dupctx_fn owp_cipher_dup;

/* Parameters are the context's inside, but for the IV that was given to init. */
OSSL_FUNC_cipher_get_ctx_params_fn owp_cipher_get_ctx_params;
OSSL_FUNC_cipher_set_ctx_params_fn owp_cipher_set_ctx_params;
/* Answers owp_is_only_param(params, OSSL_CIPHER_PARAM_IVLEN). EVP asks with every message, and the
 * context inside would go through all its parameters. */
int owp_cipher_get_iv_size(struct owp_cipher *cipher, OSSL_PARAM params[]);

/* Initialises the context inside, and notes key and IV. */
int owp_cipher_init(struct owp_cipher *cipher, bool decrypt, const uint8_t *key, size_t key_len,
                    const uint8_t *iv, size_t iv_len, const OSSL_PARAM params[]);
#ifdef OWP_HAS_SKEYS
/* What an init with a key object (NULL: the key stays) goes on with: the key's bytes, or none where
 * it lies in a slot, which is the cipher's key from here on. */
int owp_cipher_take_skey(struct owp_cipher *cipher, struct owp_skey *key, const uint8_t **bytes,
                         size_t *length);
/* A mode's two functions that begin with a key object, out of its `init`; and their entries among
 * its functions. */
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
/* The context inside, begun again with an IV (NULL: as it is) but the same key. */
int owp_cipher_restart(struct owp_cipher *cipher, const uint8_t *iv, size_t iv_len);

/* Whether so many bytes, of one of so many messages at once, go to the device; counted if not.
 * Small ones cost one comparison. */
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

/* A request of this cipher, without data. */
struct ow_request owp_cipher_request(const struct owp_cipher *cipher);
/* Runs it; under a key in a slot, which only the device can use, with patience. */
static inline bool owp_cipher_run(const struct owp_cipher *cipher, struct ow_request *request) {
  struct ow_offload *offload = cipher->provider->offload;
  return request->slot != NULL ? ow_offload_run_retry(offload, request)
                               : ow_offload_run(offload, request);
}

/* An octet string parameter of the context inside. */
bool owp_cipher_get(const struct owp_cipher *cipher, const char *name, void *value, size_t length);
/* Answers every parameter but one from the context inside. */
bool owp_cipher_get_all_but(const struct owp_cipher *cipher, OSSL_PARAM params[],
                            const OSSL_PARAM *but);

/* What a context calls for its pipeline (pipes.c), so that a cipher without pipelines needs none.
 */
struct owp_pipes_calls {
  void (*free)(struct owp_pipes *pipes);
  struct owp_pipes *(*dup)(const struct owp_pipes *pipes); /* NULL: no memory */
  int (*set_params)(struct owp_cipher *cipher, const OSSL_PARAM params[]);
  int (*get_params)(struct owp_cipher *cipher, OSSL_PARAM params[]);
};

/* The functions of the modes, each in the mode's file; `newctx` comes from ciphers.c. */
extern const OSSL_DISPATCH owp_blocks_functions[]; /* ECB, CBC */
extern const OSSL_DISPATCH owp_tdes_functions[];   /* the same of TDES */
extern const OSSL_DISPATCH owp_ctr_functions[];
extern const OSSL_DISPATCH owp_gcm_functions[];
extern const OSSL_DISPATCH owp_ccm_functions[];
extern const OSSL_DISPATCH owp_xts_functions[];
extern const size_t owp_blocks_size, owp_ctr_size, owp_gcm_size, owp_ccm_size, owp_xts_size;

#endif
