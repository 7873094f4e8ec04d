/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random operations with keys: the provider must return the same as OpenSSL's default provider, and
 * each must accept the other's results.
 *
 *   test_keys [ROUNDS [SEED]]
 */
#include <openssl/rsa.h>
#include <stdlib.h>

#include "keys.h"

/* The copy of a context uses the device too: for signing, decryption and key agreement. */
static void copies(const struct host *provider) {
  const char *const types[] = {"RSA", "EC", "RSA", "EC", "X25519"};
  for (unsigned i = 0; i < 5; i++) {
    uint8_t input[32] = {1}, sealed[128], out[200];
    size_t sealed_len = sizeof(sealed), out_len = sizeof(out);
    EVP_PKEY *key = types[i][0] == 'R'
                        ? EVP_PKEY_Q_keygen(provider->libctx, NULL, "RSA", (size_t)1024)
                        : EVP_PKEY_Q_keygen(provider->libctx, NULL, types[i], "P-256");
    EVP_PKEY_CTX *first = EVP_PKEY_CTX_new_from_pkey(provider->libctx, key, NULL);
    if (i == 2) {
      CHECK(EVP_PKEY_encrypt_init(first) > 0 &&
            EVP_PKEY_CTX_set_rsa_padding(first, RSA_PKCS1_OAEP_PADDING) > 0 &&
            EVP_PKEY_encrypt(first, sealed, &sealed_len, input, sizeof(input)) > 0 &&
            EVP_PKEY_decrypt_init(first) > 0 &&
            EVP_PKEY_CTX_set_rsa_padding(first, RSA_PKCS1_OAEP_PADDING) > 0);
    } else if (i >= 3) {
      CHECK(EVP_PKEY_derive_init(first) > 0 && EVP_PKEY_derive_set_peer(first, key) > 0);
    } else {
      CHECK(EVP_PKEY_sign_init(first) > 0);
    }
    EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(first);
    EVP_PKEY_CTX_free(first);
    uint64_t before = host_count(provider, "jobs");
    CHECK((i == 2   ? EVP_PKEY_decrypt(copy, out, &out_len, sealed, sealed_len)
           : i >= 3 ? EVP_PKEY_derive(copy, out, &out_len)
                    : EVP_PKEY_sign(copy, out, &out_len, input, sizeof(input))) > 0);
    CHECK_EQUAL(host_count(provider, "jobs"), before + 1);
    EVP_PKEY_CTX_free(copy);
    EVP_PKEY_free(key);
  }
}

/* An empty message without a digest: OpenSSL signs it, but refuses every signature of it. */
static void empty_messages(const struct host *host) {
  uint8_t made[128];
  size_t made_len = sizeof(made);
  EVP_PKEY *key = EVP_PKEY_Q_keygen(host->libctx, NULL, "RSA", (size_t)1024);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  CHECK(EVP_PKEY_sign_init(context) > 0);
  CHECK(EVP_PKEY_sign(context, made, &made_len, (const uint8_t *)"", 0) > 0);
  CHECK(EVP_PKEY_verify_init(context) > 0);
  CHECK(EVP_PKEY_verify(context, made, made_len, (const uint8_t *)"", 0) <= 0);
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(key);
}

int main(int argc, char **argv) {
  struct host provider, reference;
  struct keys keys;
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 300;
  struct dice dice = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
  printf("%u rounds, seed %llu\n", rounds, (unsigned long long)dice.state);
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  keys_make(&keys, &provider, &reference);
  for (unsigned round = 0; round < rounds; round++) {
    if (!keys_play(&keys, &dice)) {
      fprintf(stderr, "in round %u\n", round);
      return 1;
    }
  }
  empty_messages(&reference);
  empty_messages(&provider);
  copies(&provider);
  printf("%llu jobs of the device, %llu requests of the CPU\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-requests"));
  CHECK(host_count(&provider, "jobs") > rounds / 2);
  CHECK(host_count(&provider, "cpu-requests") != 0);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  keys_free(&keys);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
