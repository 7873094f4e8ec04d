/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reference.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

void reference_crypt(const char *mode, uint8_t *output, const uint8_t *key, size_t key_len,
                     const uint8_t *iv, bool decrypt, const uint8_t *input, size_t length) {
  char name[16];
  int written = 0, last = 0;
  snprintf(name, sizeof(name), "AES-%zu-%s", key_len * 8, mode);
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(cipher != NULL && context != NULL);
  CHECK(EVP_CipherInit_ex2(context, cipher, key, iv, !decrypt, NULL) == 1);
  EVP_CIPHER_CTX_set_padding(context, 0);
  CHECK(EVP_CipherUpdate(context, output, &written, input, (int)length) == 1);
  CHECK(EVP_CipherFinal_ex(context, output + written, &last) == 1);
  CHECK_EQUAL(written + last, length);
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
}

static uint64_t state;

uint32_t random_start(int argc, char **argv, const char *what, uint32_t count) {
  uint32_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    uint32_t value = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    if (strcmp(argv[i], "--seed") == 0) {
      seed = value;
    } else if (strncmp(argv[i], "--", 2) == 0 && strcmp(argv[i] + 2, what) == 0) {
      count = value;
    } else {
      fprintf(stderr, "usage: %s [--seed N] [--%s N]\n", argv[0], what);
      exit(2);
    }
  }
  printf("seed %u, %u %s\n", seed, count, what);
  state = seed;
  return count;
}

/* SplitMix64. */
uint32_t random_number(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)(z >> 32);
}

void random_bytes(uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)random_number();
  }
}
