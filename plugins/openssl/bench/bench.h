/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the benches of the provider share: library contexts, the same work for each, a clock.
 */
#ifndef OUTWORK_PROVIDER_BENCH_H
#define OUTWORK_PROVIDER_BENCH_H

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One way to have a message done: a context under a key, ready for the next IV. */
struct way {
  OSSL_LIB_CTX *libctx;
  OSSL_PROVIDER *provider;
  const char *cipher;
  EVP_CIPHER_CTX *context;
  bool aead;
  int iv_len;
};

/* OpenSSL's default provider. */
void way_open_default(struct way *way, const char *cipher);
/* The module of the environment's OUTWORK_BENCH_MODULE, on a board's library, under a policy. */
void way_open(struct way *way, const char *cipher, const char *library, const char *policy);
void way_close(struct way *way);
/* Gives up the context, and begins another: where it lies in memory is worth a tenth of the speed
 * of AES-GCM. */
void way_rest(struct way *way);
void way_resume(struct way *way);
/* One message under a new IV; ends the program if that fails. */
void way_seal(struct way *way, uint8_t *output, const uint8_t *input, size_t length);
/* A counter of the provider. */
uint64_t way_count(const struct way *way, const char *name);

/* CPU time of this thread. */
double cpu_ns(void);
/* A quarter of the values is smaller: what else runs on the machine only ever adds. */
double quartile(double *values, size_t values_len);
/* Ends the program with what a person can do about it. */
_Noreturn void give_up(const char *why, const char *what);
/* A path of the environment. */
const char *path_of(const char *variable);

/* The benches. Each prints a table, and answers whether every figure was reached. */
bool bench_overhead(void);
bool bench_busy(void);
bool bench_choice(const char *policy);

#endif
