/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random messages of every digest, HMAC and KMAC: the provider must return the same as OpenSSL's
 * default provider. Also short messages under a policy; key derivations based on HMAC; output in
 * pieces.
 *
 *   test_hash [ROUNDS [SEED [LONGEST]]]
 */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <unistd.h>

#include "hashing.h"

static struct host provider, reference;
static struct hashing hashing;

static void play_random(unsigned rounds, uint64_t seed, size_t longest) {
  struct dice dice = {seed};
  for (unsigned round = 0; round < rounds; round++) {
    if (!hashing_play(&hashing, &provider, &reference, &dice, longest)) {
      fprintf(stderr, "in round %u\n", round);
      exit(1);
    }
  }
  printf("%llu jobs of the device, %llu requests of the CPU\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-requests"));
  CHECK(host_count(&provider, "jobs") > rounds / 2);
  CHECK(host_count(&provider, "cpu-requests") < rounds);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
}

/* A key of 65 bytes, a customization, a digest that the device does not support. */
static void test_what_the_device_does_not_do(void) {
  uint8_t key[65] = {1}, mac[64];
  size_t size = 0;
  uint64_t jobs = host_count(&provider, "jobs"), kept = host_count(&provider, "cpu-requests");
  CHECK(EVP_Q_mac(provider.libctx, "HMAC", NULL, "SHA256", NULL, key, 65, mac, 1, mac, sizeof(mac),
                  &size) != NULL);
  CHECK_EQUAL(host_count(&provider, "jobs"), jobs);
  CHECK_EQUAL(host_count(&provider, "cpu-requests"), kept + 1);
  CHECK(EVP_Q_mac(provider.libctx, "HMAC", NULL, "SM3", NULL, key, 16, mac, 1, mac, sizeof(mac),
                  &size) != NULL);
  CHECK(EVP_Q_mac(provider.libctx, "HMAC", NULL, "SHA256", NULL, key, 64, mac, 1, mac, sizeof(mac),
                  &size) != NULL);
  CHECK_EQUAL(host_count(&provider, "jobs"), jobs + 1);
  CHECK_EQUAL(host_count(&provider, "cpu-requests"), kept + 1);
}

static void derive(uint8_t out[64], struct host *host, const char *name) {
  EVP_KDF *kdf = EVP_KDF_fetch(host->libctx, name, NULL);
  EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
  uint8_t secret[32] = {7}, seed[64] = {9};
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", (char *)(uintptr_t)"SHA256", 0),
                         OSSL_PARAM_construct_octet_string("secret", secret, sizeof(secret)),
                         OSSL_PARAM_construct_octet_string("key", secret, sizeof(secret)),
                         OSSL_PARAM_construct_octet_string("seed", seed, sizeof(seed)),
                         OSSL_PARAM_construct_octet_string("salt", seed, sizeof(seed)),
                         OSSL_PARAM_construct_octet_string("info", seed, sizeof(seed)),
                         OSSL_PARAM_construct_end()};
  CHECK(context != NULL);
  CHECK(EVP_KDF_derive(context, out, 64, params) == 1);
  EVP_KDF_CTX_free(context);
  EVP_KDF_free(kdf);
}

/* The default provider's key derivations fetch HMAC from the library context: our HMAC. */
static void test_derivations(void) {
  struct host beside;
  uint8_t ours[64], theirs[64];
  host_open_beside(&beside, "policy = always");
  for (unsigned i = 0; i < 2; i++) {
    const char *name = i == 0 ? "TLS1-PRF" : "HKDF";
    uint64_t before = host_count(&beside, "jobs");
    derive(ours, &beside, name);
    derive(theirs, &reference, name);
    CHECK(memcmp(ours, theirs, 64) == 0);
    CHECK(host_count(&beside, "jobs") > before);
  }
  host_close(&beside);
}

static void write_file(char path[], const char *text) {
  int file = mkstemp(path);
  CHECK(file >= 0);
  CHECK(write(file, text, strlen(text)) == (ssize_t)strlen(text));
  close(file);
}

/* The policy uses the length of the message, not of its pieces: from 1000 bytes on the device gets
 * it. */
static void test_policy(void) {
  static const struct {
    size_t pieces, jobs;
  } messages[] = {{1, 0}, {99, 0}, {100, 1}, {250, 1}, {7000, 2}};
  char path[] = "/tmp/outwork-policy-XXXXXX", settings[64];
  struct host chosen;
  uint8_t ours[32], theirs[32];
  write_file(path, "outwork-policy 1\n0x22 0 encrypt 1 1000 -\n");
  snprintf(settings, sizeof(settings), "policy = %s", path);
  host_open(&chosen, settings);
  for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
    struct host *hosts[] = {&chosen, &reference};
    uint64_t jobs = host_count(&chosen, "jobs"), kept = host_count(&chosen, "cpu-policy");
    uint64_t bytes = host_count(&chosen, "cpu-bytes");
    for (unsigned side = 0; side < 2; side++) {
      EVP_MD *md = EVP_MD_fetch(hosts[side]->libctx, "SHA256", NULL);
      EVP_MD_CTX *context = EVP_MD_CTX_new();
      CHECK(EVP_DigestInit_ex2(context, md, NULL) == 1);
      for (size_t piece = 0; piece < messages[i].pieces; piece++) {
        CHECK(EVP_DigestUpdate(context, hashing.message + 10 * (piece % 1000), 10) == 1);
      }
      CHECK(EVP_DigestFinal_ex(context, side == 0 ? ours : theirs, NULL) == 1);
      EVP_MD_CTX_free(context);
      EVP_MD_free(md);
    }
    CHECK(memcmp(ours, theirs, 32) == 0);
    CHECK_EQUAL(host_count(&chosen, "jobs") - jobs, messages[i].jobs);
    CHECK_EQUAL(host_count(&chosen, "cpu-policy") - kept, messages[i].jobs == 0);
    CHECK_EQUAL(host_count(&chosen, "cpu-bytes") - bytes,
                messages[i].jobs == 0 ? 10 * messages[i].pieces : 0);
  }
  host_close(&chosen);
  unlink(path);
}

/* Random messages shorter and longer than a policy's minimum, and copies of contexts before the
 * decision. */
static void test_random_policy(unsigned rounds, uint64_t seed, size_t longest) {
  char path[] = "/tmp/outwork-policy-XXXXXX", settings[64], rules[1024] = "outwork-policy 1\n";
  struct host chosen;
  struct dice dice = {seed};
  for (unsigned i = 0; i < 32; i++) {
    size_t end = strlen(rules);
    snprintf(rules + end, sizeof(rules) - end, "0x%x 0 encrypt 1 1500 -\n", 0x20 + i);
  }
  write_file(path, rules);
  snprintf(settings, sizeof(settings), "policy = %s", path);
  host_open(&chosen, settings);
  for (unsigned round = 0; round < rounds; round++) {
    CHECK(hashing_play(&hashing, &chosen, &reference, &dice, longest));
  }
  CHECK(host_count(&chosen, "jobs") > rounds / 3);
  CHECK(host_count(&chosen, "cpu-policy") > rounds / 4);
  host_close(&chosen);
  unlink(path);
}

#if OPENSSL_VERSION_NUMBER >= 0x30300000L
/* SHAKE's output in pieces, of messages that the device has begun and of others. */
static void test_squeeze(void) {
  static const size_t lengths[] = {0, 100, 65536, 65537, 150000};
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    struct host *hosts[] = {&provider, &reference};
    for (unsigned side = 0; side < 2; side++) {
      uint8_t *output = side == 0 ? hashing.ours[0] : hashing.theirs[0];
      EVP_MD *md = EVP_MD_fetch(hosts[side]->libctx, "SHAKE256", NULL);
      EVP_MD_CTX *context = EVP_MD_CTX_new();
      CHECK(EVP_DigestInit_ex2(context, md, NULL) == 1);
      CHECK(EVP_DigestUpdate(context, hashing.message, lengths[i]) == 1);
      for (size_t piece = 0, done = 0; piece < 9; done += piece * 37, piece++) {
        CHECK(EVP_DigestSqueeze(context, output + done, piece * 37) == 1);
      }
      EVP_MD_CTX_free(context);
      EVP_MD_free(md);
    }
    CHECK(memcmp(hashing.ours[0], hashing.theirs[0], 36 * 37) == 0);
  }
}
#endif

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 600;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  size_t longest = argc > 3 ? strtoull(argv[3], NULL, 0) : HASHING_MAX;
  printf("%u rounds, seed %llu\n", rounds, (unsigned long long)seed);
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  play_random(rounds, seed, longest);
  test_what_the_device_does_not_do();
  test_derivations();
  test_policy();
  test_random_policy(rounds, seed + 1, longest);
#if OPENSSL_VERSION_NUMBER >= 0x30300000L
  test_squeeze();
#endif
  host_close(&provider);
  host_close(&reference);
  return 0;
}
