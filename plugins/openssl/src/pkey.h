/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the provider's public-key files share.
 *
 * Keys are the default provider's own objects, made, read and written by its functions. A context
 * contains one of the default provider (the inner context), which is always initialised and holds
 * every parameter; the parameters are read from it when an operation begins. An operation that the
 * device can do in the same way goes there with the numbers of the key, which are read at first use
 * and stay in the context as long as the key. The inner context does any other operation, and one
 * that the device has failed.
 */
#ifndef OUTWORK_PROVIDER_PKEY_H
#define OUTWORK_PROVIDER_PKEY_H

#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "provider.h"

#define OWP_NAME_MAX 50u /* Longest name of a digest, as in OpenSSL. */

/* The algorithms, as indices of the tables in keymgmt.c and pkeys.c. */
enum owp_keymgmt_index {
  OWP_KEYS_RSA,
  OWP_KEYS_RSA_PSS,
  OWP_KEYS_EC,
  OWP_KEYS_X25519,
  OWP_KEYS_ED25519,
  OWP_KEYS_MLKEM_512,
  OWP_KEYS_MLKEM_768,
  OWP_KEYS_MLKEM_1024,
  OWP_KEYS_X25519_MLKEM_768,
  OWP_KEYS_MLDSA_44,
  OWP_KEYS_MLDSA_65,
  OWP_KEYS_MLDSA_87,
  OWP_KEYMGMTS
};
/* Most encoders of EC keys; releases up to 4.0 have 13. */
#define OWP_ENCODERS           24u
#define OWP_ENCODER_NEWCTXS    4u
#define OWP_ENCODER_PROPERTIES 128u
enum owp_signature_index { OWP_RSA_SIGNATURE, OWP_ECDSA, OWP_SIGNATURES };
/* of oneshots.c */
enum owp_oneshot_index {
  OWP_ED25519,
  OWP_ED25519CTX,
  OWP_ED25519PH,
  OWP_MLDSA_44,
  OWP_MLDSA_65,
  OWP_MLDSA_87,
  OWP_ONESHOTS
};
/* of kems.c */
enum owp_kem_index { OWP_MLKEM_512, OWP_MLKEM_768, OWP_MLKEM_1024, OWP_X25519_MLKEM_768, OWP_KEMS };

/* The default provider's functions. */
struct owp_keymgmt_calls {
  void *context;
  OSSL_FUNC_keymgmt_new_fn *new;
  OSSL_FUNC_keymgmt_gen_init_fn *gen_init;
  OSSL_FUNC_keymgmt_get_params_fn *get_params;
};
struct owp_signature_calls {
  void *context;
  OSSL_FUNC_signature_newctx_fn *newctx;
  OSSL_FUNC_signature_freectx_fn *freectx;
  OSSL_FUNC_signature_dupctx_fn *dupctx;
  OSSL_FUNC_signature_sign_init_fn *sign_init;
  OSSL_FUNC_signature_sign_fn *sign;
  OSSL_FUNC_signature_verify_init_fn *verify_init;
  OSSL_FUNC_signature_verify_fn *verify;
  /* this one and the next may be NULL */
  OSSL_FUNC_signature_verify_recover_init_fn *verify_recover_init;
  OSSL_FUNC_signature_verify_recover_fn *verify_recover;
  OSSL_FUNC_signature_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_signature_set_ctx_params_fn *set_ctx_params;
  OSSL_FUNC_signature_gettable_ctx_params_fn *gettable_ctx_params;
  OSSL_FUNC_signature_settable_ctx_params_fn *settable_ctx_params;
};
/* All but the first three may be NULL: releases differ. */
struct owp_oneshot_calls {
  void *context;
  OSSL_FUNC_signature_newctx_fn *newctx;
  OSSL_FUNC_signature_freectx_fn *freectx;
  OSSL_FUNC_signature_dupctx_fn *dupctx;
  OSSL_FUNC_signature_sign_init_fn *sign_init;
  OSSL_FUNC_signature_sign_fn *sign;
  OSSL_FUNC_signature_verify_init_fn *verify_init;
  OSSL_FUNC_signature_verify_fn *verify;
#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
  OSSL_FUNC_signature_sign_message_init_fn *sign_message_init;
  OSSL_FUNC_signature_verify_message_init_fn *verify_message_init;
  OSSL_FUNC_signature_sign_message_update_fn *sign_message_update;
  OSSL_FUNC_signature_sign_message_final_fn *sign_message_final;
  OSSL_FUNC_signature_verify_message_update_fn *verify_message_update;
  OSSL_FUNC_signature_verify_message_final_fn *verify_message_final;
#endif
  OSSL_FUNC_signature_digest_sign_init_fn *digest_sign_init;
  OSSL_FUNC_signature_digest_sign_fn *digest_sign;
  OSSL_FUNC_signature_digest_verify_init_fn *digest_verify_init;
  OSSL_FUNC_signature_digest_verify_fn *digest_verify;
  OSSL_FUNC_signature_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_signature_set_ctx_params_fn *set_ctx_params;
};
struct owp_asym_cipher_calls {
  void *context;
  OSSL_FUNC_asym_cipher_newctx_fn *newctx;
  OSSL_FUNC_asym_cipher_freectx_fn *freectx;
  OSSL_FUNC_asym_cipher_dupctx_fn *dupctx;
  OSSL_FUNC_asym_cipher_encrypt_init_fn *encrypt_init;
  OSSL_FUNC_asym_cipher_encrypt_fn *encrypt;
  OSSL_FUNC_asym_cipher_decrypt_init_fn *decrypt_init;
  OSSL_FUNC_asym_cipher_decrypt_fn *decrypt;
  OSSL_FUNC_asym_cipher_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_asym_cipher_set_ctx_params_fn *set_ctx_params;
};
struct owp_keyexch_calls {
  void *context;
  OSSL_FUNC_keyexch_newctx_fn *newctx;
  OSSL_FUNC_keyexch_freectx_fn *freectx;
  OSSL_FUNC_keyexch_dupctx_fn *dupctx;
  OSSL_FUNC_keyexch_init_fn *init;
  OSSL_FUNC_keyexch_set_peer_fn *set_peer;
  OSSL_FUNC_keyexch_derive_fn *derive;
  /* X25519: this one may be NULL, and the next is */
  OSSL_FUNC_keyexch_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_keyexch_set_ctx_params_fn *set_ctx_params;
};
/* `match`, `validate`, `export` and `dup` may be NULL. */
struct owp_kem_keymgmt_calls {
  void *context;
  OSSL_FUNC_keymgmt_new_fn *new;
  OSSL_FUNC_keymgmt_free_fn *free;
  OSSL_FUNC_keymgmt_gen_init_fn *gen_init;
  OSSL_FUNC_keymgmt_gen_set_params_fn *gen_set_params;
  OSSL_FUNC_keymgmt_gen_fn *gen;
  OSSL_FUNC_keymgmt_gen_cleanup_fn *gen_cleanup;
  OSSL_FUNC_keymgmt_get_params_fn *get_params;
  OSSL_FUNC_keymgmt_set_params_fn *set_params;
  OSSL_FUNC_keymgmt_has_fn *has;
  OSSL_FUNC_keymgmt_match_fn *match;
  OSSL_FUNC_keymgmt_validate_fn *validate;
  OSSL_FUNC_keymgmt_import_fn *import;
  OSSL_FUNC_keymgmt_export_fn *export;
  OSSL_FUNC_keymgmt_dup_fn *dup;
};
struct owp_kem_calls {
  void *context;
  OSSL_FUNC_kem_newctx_fn *newctx;
  OSSL_FUNC_kem_freectx_fn *freectx;
  /* may be NULL */
  OSSL_FUNC_kem_dupctx_fn *dupctx;
  OSSL_FUNC_kem_encapsulate_init_fn *encapsulate_init;
  OSSL_FUNC_kem_encapsulate_fn *encapsulate;
  OSSL_FUNC_kem_decapsulate_init_fn *decapsulate_init;
  OSSL_FUNC_kem_decapsulate_fn *decapsulate;
  /* may be NULL */
  OSSL_FUNC_kem_set_ctx_params_fn *set_ctx_params;
};

struct owp_pkeys {
  /* false: the application is linked to another libcrypto */
  bool knows_host;
  /* the application's library context; NULL: OpenSSL's default one */
  OSSL_LIB_CTX *host;

  struct owp_keymgmt_calls keymgmt_calls[OWP_KEYMGMTS];
  OSSL_DISPATCH keymgmt_dispatch[OWP_KEYMGMTS][OWP_DISPATCH_MAX];
  OSSL_ALGORITHM keymgmts[OWP_KEYMGMTS + 1];

  struct owp_signature_calls signature_calls[OWP_SIGNATURES];
  OSSL_DISPATCH signature_dispatch[OWP_SIGNATURES][OWP_DISPATCH_MAX];
  struct owp_oneshot_calls oneshot_calls[OWP_ONESHOTS];
  OSSL_DISPATCH oneshot_dispatch[OWP_ONESHOTS][OWP_DISPATCH_MAX];
  OSSL_ALGORITHM signatures[OWP_SIGNATURES + OWP_ONESHOTS + 1];

  struct owp_asym_cipher_calls rsa_cipher_calls;
  OSSL_DISPATCH rsa_cipher_dispatch[OWP_DISPATCH_MAX];
  OSSL_ALGORITHM asym_ciphers[2];

  struct owp_keyexch_calls ecdh_calls;
  OSSL_DISPATCH ecdh_dispatch[OWP_DISPATCH_MAX];
  struct owp_keyexch_calls x25519_calls;
  OSSL_DISPATCH x25519_dispatch[OWP_DISPATCH_MAX];
  OSSL_ALGORITHM keyexchs[3];

  struct owp_kem_keymgmt_calls kem_keymgmt_calls[OWP_KEMS];
  struct owp_kem_calls kem_calls[OWP_KEMS];
  OSSL_DISPATCH kem_dispatch[OWP_KEMS][OWP_DISPATCH_MAX];
  OSSL_ALGORITHM kems[OWP_KEMS + 1];

  /* the default provider's */
  OSSL_FUNC_encoder_newctx_fn *encoder_newctx[OWP_ENCODER_NEWCTXS];
  char encoder_properties[OWP_ENCODERS][OWP_ENCODER_PROPERTIES];
  OSSL_DISPATCH encoder_dispatch[OWP_ENCODERS][OWP_DISPATCH_MAX];
  OSSL_ALGORITHM encoders[OWP_ENCODERS + 1];
};

/* keymgmt.c: fills in its table. */
void owp_keymgmts_make(struct owp_provider *provider);
/* kem_keymgmt.c: fills in a dispatch table of key management. False: theirs lacks functions. */
bool owp_kem_keys_make(struct owp_provider *provider, enum owp_kem_index index,
                       const OSSL_DISPATCH *theirs, OSSL_DISPATCH dispatch[OWP_DISPATCH_MAX]);
/* oneshots.c: writes its entries to a table. Returns their number. */
size_t owp_oneshots_make(struct owp_provider *provider, OSSL_ALGORITHM *algorithms);
/* kems.c, encoders.c: fill in their tables. */
void owp_kems_make(struct owp_provider *provider);
void owp_encoders_make(struct owp_provider *provider);
/* Reads a parameter of a key. False: it has none with this name; nothing is on the error queue. */
bool owp_key_param(const struct owp_provider *provider, enum owp_keymgmt_index index, void *key,
                   OSSL_PARAM param);

/* numbers.c: the numbers of an RSA key. All members but `data` are copies; each is valid once
 * read. */
struct owp_rsa_key {
  /* the default provider's key, which the inner context keeps alive */
  void *data;
  uint32_t bits, bytes;
  bool has_public, has_private;
  struct ow_rsa_public public;
  struct ow_rsa_private private;
  uint8_t n[OW_RSA_BYTES_MAX], e[64], p[OW_RSA_BYTES_MAX / 2 + 8], q[OW_RSA_BYTES_MAX / 2 + 8];
  uint8_t dp[OW_RSA_BYTES_MAX / 2 + 8], dq[OW_RSA_BYTES_MAX / 2 + 8],
      qinv[OW_RSA_BYTES_MAX / 2 + 8];
};
void owp_rsa_set_key(const struct owp_provider *provider, struct owp_rsa_key *key, void *data);
/* Read the numbers. False: the key does not have them, or has more or longer ones than the device
 * can use. */
bool owp_rsa_read_public(const struct owp_provider *provider, struct owp_rsa_key *key);
bool owp_rsa_read_private(const struct owp_provider *provider, struct owp_rsa_key *key);

/* A key on a curve. */
struct owp_ec_key {
  void *data;
  /* the device has the curve */
  bool known;
  enum ow_curve curve;
  bool has_point, has_private;
  uint8_t point[2u * OW_CURVE_BYTES_MAX];
  uint8_t d[OW_CURVE_BYTES_MAX];
};
void owp_ec_set_key(const struct owp_provider *provider, struct owp_ec_key *key, void *data);
bool owp_ec_read_point(const struct owp_provider *provider, struct owp_ec_key *key);
bool owp_ec_read_private(const struct owp_provider *provider, struct owp_ec_key *key);

/* pkey_digests.c: returns the driver's number of a digest, by any of its names; 0: none. */
uint8_t owp_hash_of(const struct owp_provider *provider, const char *name);
/* Returns whether the driver can make masks (PSS, OAEP) with this hash, which it computes in
 * software. */
static inline bool owp_masks_with(uint8_t hash) {
  return hash >= OW_OP_SHA1 && hash <= OW_OP_SHA512_256;
}
/* Fetches a digest from the application's library context, which may be the device's; if that
 * fails, from the default provider. The caller frees it. */
EVP_MD *owp_digest_fetch(const struct owp_provider *provider, const char *name,
                         const char *properties);
/* Copies parameters without the properties of digests: they select a provider, and the inner
 * library context has only one. False: no room. */
#define OWP_PARAMS_MAX 24u
bool owp_without_properties(OSSL_PARAM copy[OWP_PARAMS_MAX], const OSSL_PARAM params[]);

/* The context of a signature. */
struct owp_signature {
  struct owp_provider *provider;
  const struct owp_signature_kind *kind;
  const struct owp_signature_calls *calls;
  void *inside;
  /* of digests; NULL: none */
  char *properties;
  /* of a message; NULL: not a message */
  EVP_MD_CTX *digest;
  /* a message has begun: its digest cannot be changed */
  bool digest_fixed;
  union {
    struct owp_rsa_key rsa;
    struct owp_ec_key ec;
  } key;
};

/* The functions that differ between RSA and ECDSA. `sign` and `verify` return true if the device
 * made the signature, or found it right. In every other case the CPU repeats the operation. */
struct owp_signature_kind {
  void (*set_key)(struct owp_signature *signature, void *data);
  bool (*sign)(struct owp_signature *signature, uint8_t *out, size_t *out_len, const uint8_t *input,
               size_t input_len);
  bool (*verify)(struct owp_signature *signature, const uint8_t *input, size_t input_len,
                 const uint8_t *made, size_t made_len);
};
extern const struct owp_signature_kind owp_rsa_signature_kind, owp_ecdsa_kind;
/* Reads the name of the inner context's digest; empty: none. False: failure. */
bool owp_signature_digest_name(const struct owp_signature *signature, char name[OWP_NAME_MAX]);
bool owp_signature_get_int(const struct owp_signature *signature, const char *name, int *value);

/* signature.c, rsa_cipher.c, ecdh.c, x25519.c; pkeys.c adds `newctx` to the first two. */
void *owp_signature_new(void *provider, enum owp_signature_index index,
                        const struct owp_signature_kind *kind, const char *properties);
OSSL_FUNC_asym_cipher_newctx_fn owp_rsa_cipher_new;
OSSL_FUNC_keyexch_newctx_fn owp_ecdh_new, owp_x25519_new;
extern const OSSL_DISPATCH owp_signature_functions[];
extern const OSSL_DISPATCH owp_rsa_cipher_functions[];
extern const OSSL_DISPATCH owp_ecdh_functions[];
extern const OSSL_DISPATCH owp_x25519_functions[];

#endif
