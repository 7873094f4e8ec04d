/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Signatures of whole messages (Ed25519, ML-DSA): what their files share.
 *
 * The message comes in one call, because it is hashed twice, or with the key. The inner context
 * holds every parameter; it cannot be asked for them, so they are recorded here too.
 */
#ifndef OUTWORK_PROVIDER_ONESHOT_H
#define OUTWORK_PROVIDER_ONESHOT_H

#include "pkey.h"

/* Parameters of later releases than 3.0. */
#ifndef OSSL_SIGNATURE_PARAM_INSTANCE
#define OSSL_SIGNATURE_PARAM_INSTANCE "instance"
#endif
#ifndef OSSL_SIGNATURE_PARAM_CONTEXT_STRING
#define OSSL_SIGNATURE_PARAM_CONTEXT_STRING "context-string"
#endif
#ifndef OSSL_SIGNATURE_PARAM_DETERMINISTIC
#define OSSL_SIGNATURE_PARAM_DETERMINISTIC "deterministic"
#endif
#ifndef OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING
#define OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING "message-encoding"
#endif
#ifndef OSSL_SIGNATURE_PARAM_TLS_VERSION
#define OSSL_SIGNATURE_PARAM_TLS_VERSION "tls-version"
#endif
#ifndef OSSL_SIGNATURE_PARAM_MU
#define OSSL_SIGNATURE_PARAM_MU "mu"
#endif

#define OWP_CONTEXT_MAX 255u /* RFC 8032, FIPS 204 */

/* The variants of Ed25519 (RFC 8032 5.1). */
enum owp_instance { OWP_PURE, OWP_WITH_CONTEXT, OWP_PREHASHED };

struct owp_oneshot_kind;

/* The context of a signature. */
struct owp_oneshot {
  struct owp_provider *provider;
  const struct owp_oneshot_kind *kind;
  const struct owp_oneshot_calls *calls;
  void *inside;
  /* the default provider's key, which the inner context keeps alive */
  void *key;
  /* set to something that only the inner context knows */
  bool unknown;
  /* ML-DSA: not hedged; what is signed is mu */
  bool deterministic, is_mu;
  enum owp_instance instance;
  size_t context_len;
  uint8_t context[OWP_CONTEXT_MAX];
};

/* What differs between algorithms. `sign` and `verify` return true if the device made the
 * signature, or found it right. In every other case the CPU repeats the operation. */
struct owp_oneshot_kind {
  const char *name;
  enum owp_keymgmt_index keys;
  /* Ed25519's */
  enum owp_instance instance;
  bool (*sign)(const struct owp_oneshot *oneshot, uint8_t *out, size_t *out_len, size_t out_size,
               const uint8_t *message, size_t message_len);
  bool (*verify)(const struct owp_oneshot *oneshot, const uint8_t *made, size_t made_len,
                 const uint8_t *message, size_t message_len);
};
extern const struct owp_oneshot_kind owp_oneshot_kinds[OWP_ONESHOTS];

/* oneshot.c; oneshots.c adds `newctx`. */
void *owp_oneshot_new(void *provider, enum owp_oneshot_index index);
extern const OSSL_DISPATCH owp_oneshot_functions[];

/* ed25519.c */
bool owp_ed25519_sign(const struct owp_oneshot *oneshot, uint8_t *out, size_t *out_len,
                      size_t out_size, const uint8_t *message, size_t message_len);
bool owp_ed25519_verify(const struct owp_oneshot *oneshot, const uint8_t *made, size_t made_len,
                        const uint8_t *message, size_t message_len);
/* mldsa.c */
bool owp_mldsa_sign(const struct owp_oneshot *oneshot, uint8_t *out, size_t *out_len,
                    size_t out_size, const uint8_t *message, size_t message_len);
bool owp_mldsa_verify(const struct owp_oneshot *oneshot, const uint8_t *made, size_t made_len,
                      const uint8_t *message, size_t message_len);

#endif
