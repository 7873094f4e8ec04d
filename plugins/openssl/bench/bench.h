/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The provider's benches: declarations of the cipher contexts, timers and benches that the files
 * share.
 */
#ifndef OUTWORK_PROVIDER_BENCH_H
#define OUTWORK_PROVIDER_BENCH_H

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cipher context of one provider, with a key set: processes one message per IV. */
struct way {
  OSSL_LIB_CTX *libctx;
  OSSL_PROVIDER *provider;
  const char *cipher;
  EVP_CIPHER_CTX *context;
  bool aead;
  int iv_len;
};

/* Opens a context of OpenSSL's default provider. Ends the program on failure. */
void way_open_default(struct way *way, const char *cipher);
/* Opens a context of the provider in the module OUTWORK_BENCH_MODULE (an environment variable),
 * with the board in `library` and this policy. Ends the program on failure. */
void way_open(struct way *way, const char *cipher, const char *library, const char *policy);
void way_close(struct way *way);
/* Frees the cipher context, and allocates another: its place in memory changes the speed of AES-GCM
 * by up to a tenth. */
void way_free_context(struct way *way);
void way_new_context(struct way *way);
/* Encrypts one message under a new IV. Ends the program on failure. */
void way_seal(struct way *way, uint8_t *output, const uint8_t *input, size_t length);
/* Returns a counter of the provider, by the name of its parameter. */
uint64_t way_count(const struct way *way, const char *name);

/* Returns the CPU time of this thread in ns. */
double cpu_ns(void);
/* Returns the lower quartile; sorts `values`. Other load on the machine only makes values
 * larger. */
double quartile(double *values, size_t values_len);
/* Prints an error, `what` and why, and ends the program. */
_Noreturn void give_up(const char *what, const char *why);
/* Returns the path in an environment variable. Ends the program if it is not set. */
const char *path_of(const char *variable);

/* The benches. Each prints a table and returns whether every target was reached. */
bool bench_overhead(void);
bool bench_busy(void);
bool bench_choice(const char *policy);

#endif
