/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys of key encapsulation.
 */
#ifndef OUTWORK_PROVIDER_KEM_KEYS_H
#define OUTWORK_PROVIDER_KEM_KEYS_H

#include <stdatomic.h>

#include "kem.h"

/* What a key has as bytes. */
enum owp_kem_part { OWP_KEM_NOTHING, OWP_KEM_PUBLIC, OWP_KEM_PRIVATE };

struct owp_kem_key {
  struct owp_provider *provider;
  enum owp_kem_index index;
  /* the default provider's object; NULL: not made yet */
  void *_Atomic inside;
  /* does not change once the key is in use */
  enum owp_kem_part part;
  /* d and z of FIPS 203 */
  uint8_t seed[2u * OW_MLKEM_SEED_BYTES];
  /* ML-KEM's, then X25519's */
  uint8_t public[OW_MLKEM_EK_BYTES(OW_MLKEM_1024) + OW_X25519_BYTES];
  uint8_t private[OW_MLKEM_DK_BYTES(OW_MLKEM_1024) + OW_X25519_BYTES];
};

/* Return the bytes of the parts. */
static inline size_t owp_kem_public_len(const struct owp_kem_kind *kind) {
  return OW_MLKEM_EK_BYTES(kind->set) + (kind->hybrid ? OW_X25519_BYTES : 0);
}
static inline size_t owp_kem_private_len(const struct owp_kem_kind *kind) {
  return OW_MLKEM_DK_BYTES(kind->set) + (kind->hybrid ? OW_X25519_BYTES : 0);
}

/* Makes a key that has nothing. NULL: no memory. */
struct owp_kem_key *owp_kem_key_new(struct owp_provider *provider, enum owp_kem_index index);
/* Makes a key around the default provider's object, which may be NULL, and which it frees if there
 * is no memory. NULL: failure. */
struct owp_kem_key *owp_kem_key_around(struct owp_provider *provider, enum owp_kem_index index,
                                       void *inside);
void owp_kem_key_free(void *key);
/* All but `new` and generation; ended by 0. */
extern const OSSL_DISPATCH owp_kem_key_functions[];
/* Returns the default provider's object, which stays the key's. NULL: it cannot be made. */
void *owp_kem_key_inside(struct owp_kem_key *key);
/* Returns whether the key has the part, as bytes or in the object. */
bool owp_kem_key_has(const struct owp_kem_key *key, enum owp_kem_part part);
/* Copies a part. False: the key does not have it. */
bool owp_kem_key_read(struct owp_kem_key *key, uint8_t *bytes, enum owp_kem_part part);

/* kem_jobs.c: generates the bytes of a key on the device. False: the CPU has to do it. */
bool owp_kem_generate(const struct owp_provider *provider, struct owp_kem_key *key);

#endif
