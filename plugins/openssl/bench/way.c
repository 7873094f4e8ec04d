/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Contexts of one cipher under different providers, each in a library context of its own.
 */
#include "bench.h"

#include <openssl/conf.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void give_up(const char *what, const char *why) {
  fprintf(stderr, "openssl_bench: %s: %s\n", what, why);
  exit(2);
}

const char *path_of(const char *variable) {
  const char *value = getenv(variable);
  if (value == NULL) {
    give_up(variable, "not set in the environment; run `make bench-openssl`");
  }
  return value;
}

double cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

double quartile(double *values, size_t values_len) {
  qsort(values, values_len, sizeof(*values), by_size);
  return values[values_len / 4];
}

void way_new_context(struct way *way) {
  static const uint8_t key[64] = {1, 2, 3}, iv[16];
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(way->libctx, way->cipher, NULL);
  way->context = EVP_CIPHER_CTX_new();
  if (cipher == NULL || !EVP_EncryptInit_ex2(way->context, cipher, key, iv, NULL)) {
    give_up(way->cipher, "cannot be fetched; this OpenSSL may lack it");
  }
  if (EVP_CIPHER_CTX_get_block_size(way->context) > 1) {
    EVP_CIPHER_CTX_set_padding(way->context, 0);
  }
  way->iv_len = EVP_CIPHER_CTX_get_iv_length(way->context);
  way->aead = (EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
  EVP_CIPHER_free(cipher);
}

void way_free_context(struct way *way) {
  EVP_CIPHER_CTX_free(way->context);
}

void way_open_default(struct way *way, const char *cipher) {
  way->libctx = OSSL_LIB_CTX_new();
  way->provider = OSSL_PROVIDER_load(way->libctx, "default");
  way->cipher = cipher;
  way_new_context(way);
}

void way_open(struct way *way, const char *cipher, const char *library, const char *policy) {
  char path[] = "/tmp/outwork-bench-XXXXXX";
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  if (out == NULL) {
    give_up(path, "cannot write the file");
  }
  fprintf(out,
          "openssl_conf = main\n[main]\nproviders = list\n[list]\noutwork = ours\n[ours]\n"
          "module = %s\nlibrary = %s\npolicy = %s\nactivate = 1\n",
          path_of("OUTWORK_BENCH_MODULE"), library, policy);
  fclose(out);
  way->libctx = OSSL_LIB_CTX_new();
  int good = OSSL_LIB_CTX_load_config(way->libctx, path);
  unlink(path);
  way->provider = OSSL_PROVIDER_try_load(way->libctx, "outwork", 1);
  if (!good || way->provider == NULL) {
    give_up(path_of("OUTWORK_BENCH_MODULE"), "cannot load the module");
  }
  way->cipher = cipher;
  way_new_context(way);
}

void way_close(struct way *way) {
  way_free_context(way);
  OSSL_PROVIDER_unload(way->provider);
  OSSL_LIB_CTX_free(way->libctx);
}

uint64_t way_count(const struct way *way, const char *name) {
  uint64_t value = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_uint64(name, &value), OSSL_PARAM_construct_end()};
  if (!OSSL_PROVIDER_get_params(way->provider, params)) {
    give_up(name, "not a counter of this provider");
  }
  return value;
}

void way_seal(struct way *way, uint8_t *output, const uint8_t *input, size_t length) {
  static uint8_t iv[16];
  int written = 0;
  iv[3]++;
  bool good =
      EVP_EncryptInit_ex2(way->context, NULL, NULL, way->iv_len != 0 ? iv : NULL, NULL) == 1 &&
      EVP_EncryptUpdate(way->context, output, &written, input, (int)length) == 1 &&
      EVP_EncryptFinal_ex(way->context, output + written, &written) == 1;
  if (!good) {
    give_up(way->cipher, "cannot encrypt a message");
  }
}
