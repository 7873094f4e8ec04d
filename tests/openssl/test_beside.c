/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The provider with the default one, as installed: its algorithms have OpenSSL's names, and random
 * generators do not use the device.
 */
#include <openssl/rand.h>
#include <string.h>

#include "host.h"

#define NAMES_MAX 8u

struct names {
  const char *first;
  const char *all[NAMES_MAX];
  size_t count;
};

static void note(const char *name, void *names) {
  struct names *noted = names;
  CHECK(noted->count < NAMES_MAX);
  noted->all[noted->count++] = name;
}

static bool has(const struct names *names, const char *name) {
  bool found = false;
  for (size_t i = 0; i < names->count; i++) {
    found = found || strcmp(names->all[i], name) == 0;
  }
  return found;
}

static void compare(const struct names *ours, const struct names *theirs) {
  CHECK(strcmp(ours->first, theirs->first) == 0);
  CHECK_EQUAL(ours->count, theirs->count);
  for (size_t i = 0; i < ours->count; i++) {
    CHECK(has(theirs, ours->all[i]));
  }
}

/* Compares each algorithm of the provider with that of the default provider alone, whose context is
 * `argument`, which also counts them. */
struct list {
  OSSL_LIB_CTX *reference;
  unsigned ours;
};

#define COMPARE(TYPE, function)                                                                    \
  static void function(TYPE *algorithm, void *argument) {                                          \
    struct list *list = argument;                                                                  \
    const char *provider = OSSL_PROVIDER_get0_name(TYPE##_get0_provider(algorithm));               \
    struct names ours = {.first = TYPE##_get0_name(algorithm)};                                    \
    struct names theirs = {.count = 0};                                                            \
    if (strcmp(provider, "outwork") == 0) {                                                        \
      TYPE *other = TYPE##_fetch(list->reference, ours.first, NULL);                               \
      CHECK(other != NULL);                                                                        \
      theirs.first = TYPE##_get0_name(other);                                                      \
      CHECK(TYPE##_names_do_all(algorithm, note, &ours));                                          \
      CHECK(TYPE##_names_do_all(other, note, &theirs));                                            \
      compare(&ours, &theirs);                                                                     \
      TYPE##_free(other);                                                                          \
      list->ours++;                                                                                \
    }                                                                                              \
  }
COMPARE(EVP_CIPHER, compare_cipher)
COMPARE(EVP_MD, compare_digest)
COMPARE(EVP_MAC, compare_mac)
COMPARE(EVP_RAND, compare_rand)

static void test_names(void) {
  struct host host, reference;
  host_open_beside(&host, "policy = always");
  host_open_default(&reference);
  struct list ciphers = {reference.libctx, 0}, digests = ciphers, macs = ciphers, rands = ciphers;
  EVP_CIPHER_do_all_provided(host.libctx, compare_cipher, &ciphers);
  EVP_MD_do_all_provided(host.libctx, compare_digest, &digests);
  EVP_MAC_do_all_provided(host.libctx, compare_mac, &macs);
  EVP_RAND_do_all_provided(host.libctx, compare_rand, &rands);
  CHECK_EQUAL(ciphers.ours, HOST_CIPHERS);
  CHECK_EQUAL(digests.ours, HOST_DIGESTS);
  CHECK_EQUAL(macs.ours, 5);
  CHECK_EQUAL(rands.ours, 3);
  host_close(&host);
  host_close(&reference);
}

static void test_random(void) {
  static uint8_t bytes[65536];
  static const struct {
    const char *name, *cipher, *digest;
  } kinds[] = {{"CTR-DRBG", "AES-256-CTR", NULL},
               {"HASH-DRBG", NULL, "SHA2-512"},
               {"HMAC-DRBG", NULL, "SHA2-256"}};
  for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    struct host host;
    host_open_beside(&host, "policy = always");
    CHECK(RAND_set_DRBG_type(host.libctx, kinds[i].name, NULL, kinds[i].cipher, kinds[i].digest) ==
          1);
    CHECK(RAND_bytes_ex(host.libctx, bytes, sizeof(bytes), 0) == 1);
    CHECK(memcmp(bytes, bytes + sizeof(bytes) / 2, sizeof(bytes) / 2) != 0);
    CHECK(EVP_RAND_is_a(EVP_RAND_CTX_get0_rand(RAND_get0_public(host.libctx)), kinds[i].name));
    CHECK_EQUAL(host_count(&host, "jobs"), 0);
    CHECK_EQUAL(host_count(&host, "cpu-requests"), 0);
    host_close(&host);
  }
}

int main(void) {
  RUN(test_names);
  RUN(test_random);
  return 0;
}
