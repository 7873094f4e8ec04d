/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Library contexts for the tests: one with only the provider, and one with only OpenSSL's own.
 */
#ifndef OUTWORK_TEST_OPENSSL_HOST_H
#define OUTWORK_TEST_OPENSSL_HOST_H

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <stdint.h>

#include "check.h"

#define HOST_CIPHERS 19u
#define HOST_DIGESTS 13u

/* Includes aliases; the last two are the SHAKEs. */
extern const char *const host_digest_names[HOST_DIGESTS];

/* A library context. Ciphers and digests are fetched once, because OpenSSL's own locks do not
 * survive a fork during a fetch. */
struct host {
  OSSL_LIB_CTX *libctx;
  OSSL_PROVIDER *provider;
  EVP_CIPHER *ciphers[HOST_CIPHERS];
  EVP_MD *digests[HOST_DIGESTS];
};

/* Opens the provider alone, configured by a file with `settings` (lines of its section). The module
 * and the board's library are OUTWORK_TEST_MODULE and OUTWORK_TEST_LIBRARY. */
void host_open(struct host *host, const char *settings);
/* Opens the provider with the default one, preferred to it, as when installed. */
void host_open_beside(struct host *host, const char *settings);
/* Opens OpenSSL's default provider alone. */
void host_open_default(struct host *host);
void host_close(struct host *host);
/* Writes a policy that gives the device every operation with a key, and nothing else; `path` is a
 * template of mkstemp(). */
void host_write_key_policy(char path[]);

/* Returns a counter of the provider: jobs, bytes, cpu-requests, ... */
uint64_t host_count(const struct host *host, const char *name);

/* A random generator with the same results on every machine. */
struct dice {
  uint64_t state;
};
uint64_t dice_next(struct dice *dice);
/* Returns 0 to sides - 1. */
size_t dice_roll(struct dice *dice, size_t sides);
void dice_fill(struct dice *dice, uint8_t *bytes, size_t length);

#ifdef OSSL_OP_SKEYMGMT
/* Returns an AES key in a slot of the device; NULL: refused. */
EVP_SKEY *host_slot_key(const struct host *host, const uint8_t *bytes, size_t length);
#endif

#endif
