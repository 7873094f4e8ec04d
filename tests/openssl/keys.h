/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random operations with keys, run in two library contexts that have the same keys.
 */
#ifndef OUTWORK_TEST_OPENSSL_KEYS_H
#define OUTWORK_TEST_OPENSSL_KEYS_H

#include "host.h"

#define KEYS 12u

/* The same keys of the provider and of OpenSSL's own; made once, then only read. */
struct keys {
  const struct host *hosts[2]; /* ours, theirs */
  EVP_PKEY *keys[2][KEYS];
  EVP_PKEY *peers[2][KEYS]; /* others of the same kind, to derive with */
  void (*between)(void);    /* called before each operation; or NULL */
};

void keys_make(struct keys *keys, const struct host *ours, const struct host *theirs);
void keys_free(struct keys *keys);
/* `pkey` as a key of another library context. */
EVP_PKEY *keys_move(const struct host *host, EVP_PKEY *pkey);
/* One operation there and its inverse here, or the other way round: false and a line on stderr if
 * they disagree. */
bool keys_play(const struct keys *keys, struct dice *dice);

#endif
