/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key encapsulation (ML-KEM, X25519MLKEM768): what its files share.
 */
#ifndef OUTWORK_PROVIDER_KEM_H
#define OUTWORK_PROVIDER_KEM_H

#include <outwork/curve25519.h>
#include <outwork/mlkem.h>

#include "pkey.h"

/* An algorithm. A hybrid's keys, ciphertexts and secrets are those of ML-KEM followed by those of
 * X25519 (draft-ietf-tls-ecdhe-mlkem). */
struct owp_kem_kind {
  const char *name;
  enum owp_keymgmt_index keys;
  enum ow_mlkem_set set;
  bool hybrid;
};
extern const struct owp_kem_kind owp_kem_kinds[OWP_KEMS];

/* Return the bytes of a ciphertext and of a secret. */
static inline size_t owp_kem_ciphertext_len(const struct owp_kem_kind *kind) {
  return OW_MLKEM_CIPHERTEXT_BYTES(kind->set) + (kind->hybrid ? OW_X25519_BYTES : 0);
}
static inline size_t owp_kem_secret_len(const struct owp_kem_kind *kind) {
  return OW_MLKEM_SECRET_BYTES + (kind->hybrid ? OW_X25519_BYTES : 0);
}

struct owp_kem_key; /* kem_keys.h */

/* kem_jobs.c: run the operation on the device. The jobs of a hybrid run side by side. False: the
 * CPU has to do it. */
bool owp_kem_encapsulate(const struct owp_provider *provider, const struct owp_kem_kind *kind,
                         struct owp_kem_key *key, uint8_t *ciphertext, uint8_t *secret);
bool owp_kem_decapsulate(const struct owp_provider *provider, const struct owp_kem_kind *kind,
                         struct owp_kem_key *key, uint8_t *secret, const uint8_t *ciphertext);

/* kem.c; kems.c adds `newctx`. */
void *owp_kem_new(void *provider, enum owp_kem_index index);
extern const OSSL_DISPATCH owp_kem_functions[];

#endif
