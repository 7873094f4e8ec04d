/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The same keys in two library contexts, and random operations with them.
 */
#ifndef OUTWORK_TEST_OPENSSL_KEYS_H
#define OUTWORK_TEST_OPENSSL_KEYS_H

#include "host.h"

#define KEYS 13u

struct key_kind {
  /* of EVP_PKEY */
  const char *type;
  /* RSA: of the modulus */
  unsigned bits;
  /* EC: the curve; X25519: its name; RSA: NULL */
  const char *group;
  /* RSA: only n, e and d */
  bool bare;
};

extern const struct key_kind key_kinds[KEYS];

static inline bool key_is_rsa(unsigned key) {
  return key_kinds[key].group == NULL;
}

/* The same keys in the provider and in OpenSSL's own; read-only after creation. */
struct keys {
  /* the provider's, OpenSSL's own */
  const struct host *hosts[2];
  EVP_PKEY *keys[2][KEYS];
  /* other keys of the same kind, for key agreement */
  EVP_PKEY *peers[2][KEYS];
  /* called before each operation; may be NULL */
  void (*between)(void);
};

void keys_make(struct keys *keys, const struct host *ours, const struct host *theirs);
void keys_free(struct keys *keys);
/* Copies a key to another library context. */
EVP_PKEY *keys_move(const struct host *host, EVP_PKEY *pkey);

/* Runs a random operation on one side and its inverse on the other. Returns false, and prints a
 * line to stderr, if they disagree. */
bool keys_play(const struct keys *keys, struct dice *dice);

#endif
