/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-KEM and X25519MLKEM768: what the provider encapsulates, OpenSSL's default provider opens, and
 * the other way round, with the device's jobs counted. Releases before 3.5 have no such keys.
 *
 *   test_kem ROUNDS [SEED]
 */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <stdlib.h>

#include "keys.h"
#include "trouble.h"

#define SKIPPED        77
#define CIPHERTEXT_MAX 1568u
#define PUBLIC_MAX     1568u
#define SEED           64u

static const struct {
  const char *name;
  size_t ciphertext, secret;
  /* of the device for each operation */
  unsigned generation_jobs, encapsulation_jobs, decapsulation_jobs;
  bool hybrid;
} kinds[] = {{"ML-KEM-512", 768, 32, 1, 1, 1, false},
             {"ML-KEM-768", 1088, 32, 1, 1, 1, false},
             {"ML-KEM-1024", 1568, 32, 1, 1, 1, false},
             {"X25519MLKEM768", 1120, 64, 2, 3, 2, true}};

static struct host provider, reference;
static const struct host *const hosts[2] = {&provider, &reference};
static bool is_fake;

struct capsule {
  size_t ciphertext_len, secret_len;
  uint8_t ciphertext[CIPHERTEXT_MAX], secret[64];
};

static bool encapsulate(const struct host *host, EVP_PKEY *key, const OSSL_PARAM *params,
                        struct capsule *capsule) {
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  capsule->ciphertext_len = sizeof(capsule->ciphertext);
  capsule->secret_len = sizeof(capsule->secret);
  CHECK(ctx != NULL && EVP_PKEY_encapsulate_init(ctx, params) > 0);
  bool good = EVP_PKEY_encapsulate(ctx, capsule->ciphertext, &capsule->ciphertext_len,
                                   capsule->secret, &capsule->secret_len) > 0;
  EVP_PKEY_CTX_free(ctx);
  return good;
}

/* Returns the bytes of the secret; 0: refused. */
static size_t decapsulate(const struct host *host, EVP_PKEY *key, const struct capsule *capsule,
                          uint8_t secret[64]) {
  size_t length = 64;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  CHECK(ctx != NULL && EVP_PKEY_decapsulate_init(ctx, NULL) > 0);
  bool good =
      EVP_PKEY_decapsulate(ctx, secret, &length, capsule->ciphertext, capsule->ciphertext_len) > 0;
  EVP_PKEY_CTX_free(ctx);
  ERR_clear_error();
  return good ? length : 0;
}

/* Returns a key that has only the public part, made as TLS makes it from a peer's share. */
static EVP_PKEY *public_part(const struct host *host, const char *type, EVP_PKEY *key) {
  unsigned char *bytes = NULL;
  EVP_PKEY *made = NULL;
  size_t length = EVP_PKEY_get1_encoded_public_key(key, &bytes);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(host->libctx, type, NULL);
  CHECK(ctx != NULL && EVP_PKEY_paramgen_init(ctx) > 0 && EVP_PKEY_paramgen(ctx, &made) > 0);
  EVP_PKEY_CTX_free(ctx);
  CHECK(length != 0 && EVP_PKEY_set1_encoded_public_key(made, bytes, length) > 0);
  ctx = EVP_PKEY_CTX_new_from_pkey(host->libctx, made, NULL);
  CHECK(EVP_PKEY_decapsulate_init(ctx, NULL) <= 0); /* has no private part */
  EVP_PKEY_CTX_free(ctx);
  ERR_clear_error();
  OPENSSL_free(bytes);
  return made;
}

/* One encapsulates for the other; then the other gets a wrong ciphertext. */
static void play(size_t kind, EVP_PKEY *const keys[2], unsigned maker, struct dice *dice) {
  struct capsule capsule;
  uint8_t secret[2][64];
  EVP_PKEY *public = public_part(hosts[maker], kinds[kind].name, keys[maker]);
  uint64_t jobs = host_count(&provider, "jobs");
  uint32_t doorbells = is_fake ? trouble_doorbells() : 0;
  CHECK(encapsulate(hosts[maker], public, NULL, &capsule));
  if (maker == 0) {
    CHECK_EQUAL(host_count(&provider, "jobs") - jobs, kinds[kind].encapsulation_jobs);
    /* the jobs of a hybrid are submitted together; the first one opens the queues too */
    CHECK(doorbells == 0 || trouble_doorbells() - doorbells == 1);
  }
  CHECK_EQUAL(capsule.ciphertext_len, kinds[kind].ciphertext);
  CHECK_EQUAL(capsule.secret_len, kinds[kind].secret);
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    if (wrong != 0) {
      capsule.ciphertext[dice_roll(dice, capsule.ciphertext_len)] ^=
          (uint8_t)(1u << dice_roll(dice, 7));
    }
    jobs = host_count(&provider, "jobs");
    for (unsigned side = 0; side < 2; side++) {
      CHECK_EQUAL(decapsulate(hosts[side], keys[side], &capsule, secret[side]), kinds[kind].secret);
    }
    CHECK_EQUAL(host_count(&provider, "jobs") - jobs, kinds[kind].decapsulation_jobs);
    CHECK(memcmp(secret[0], secret[1], kinds[kind].secret) == 0);
    CHECK((memcmp(secret[0], capsule.secret, kinds[kind].secret) == 0) == (wrong == 0));
  }
  EVP_PKEY_free(public);
}

/* A peer's share that is too short, or has a coefficient that is not below q (FIPS 203 7.2). */
static void bad_shares(size_t kind, EVP_PKEY *const keys[2]) {
  for (unsigned side = 0; side < 2; side++) {
    unsigned char *bytes = NULL;
    size_t length = EVP_PKEY_get1_encoded_public_key(keys[side], &bytes);
    for (unsigned change = 0; change < 3; change++) {
      EVP_PKEY *made = NULL;
      EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(hosts[side]->libctx, kinds[kind].name, NULL);
      CHECK(EVP_PKEY_paramgen_init(ctx) > 0 && EVP_PKEY_paramgen(ctx, &made) > 0);
      if (change == 1) {
        memset(bytes + 3, 0xff, 2);
      } else if (change == 2) {
        memset(bytes + 3, 0, 2);
      }
      bool good = EVP_PKEY_set1_encoded_public_key(made, bytes, length - (change == 0)) > 0;
      CHECK_EQUAL(good, change == 2);
      ERR_clear_error();
      EVP_PKEY_CTX_free(ctx);
      EVP_PKEY_free(made);
    }
    OPENSSL_free(bytes);
  }
}

/* A copy of a key is the same key. */
static void copied(EVP_PKEY *key) {
  struct capsule capsule;
  uint8_t secret[64];
  EVP_PKEY *copy = EVP_PKEY_dup(key);
  CHECK(copy != NULL && EVP_PKEY_eq(key, copy) == 1);
  CHECK(encapsulate(&provider, copy, NULL, &capsule));
  CHECK_EQUAL(decapsulate(&provider, key, &capsule, secret), capsule.secret_len);
  CHECK(memcmp(secret, capsule.secret, capsule.secret_len) == 0);
  EVP_PKEY_free(copy);
}

/* Ciphertexts of other lengths, and for a hybrid a peer whose secret would be zero. */
static void malformed(size_t kind, EVP_PKEY *const keys[2]) {
  struct capsule capsule;
  uint8_t secret[64];
  CHECK(encapsulate(&provider, keys[0], NULL, &capsule));
  for (unsigned change = 0; change < 3; change++) {
    struct capsule wrong = capsule;
    wrong.ciphertext_len = change == 0 ? 0 : wrong.ciphertext_len - (change == 1);
    if (change == 2 && !kinds[kind].hybrid) {
      continue;
    }
    if (change == 2) {
      memset(wrong.ciphertext + wrong.ciphertext_len - 32, 0, 32);
    }
    for (unsigned side = 0; side < 2; side++) {
      CHECK_EQUAL(decapsulate(hosts[side], keys[side], &wrong, secret), 0);
    }
  }
}

static EVP_PKEY *import(const struct host *host, const char *type, const char *name, uint8_t *bytes,
                        size_t length) {
  OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, bytes, length),
                         OSSL_PARAM_construct_end()};
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(host->libctx, type, NULL);
  CHECK(ctx != NULL && EVP_PKEY_fromdata_init(ctx) > 0);
  (void)EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params);
  EVP_PKEY_CTX_free(ctx);
  ERR_clear_error();
  return key;
}

/* Keys of a seed, with the random bytes of a test: everything is determined. */
static void determined(size_t kind, struct dice *dice) {
  uint8_t seed[SEED], m[32], public[2][PUBLIC_MAX];
  size_t length[2];
  struct capsule capsules[2];
  OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("ikme", m, sizeof(m)),
                         OSSL_PARAM_construct_end()};
  dice_fill(dice, seed, sizeof(seed));
  dice_fill(dice, m, sizeof(m));
  for (unsigned side = 0; side < 2; side++) {
    EVP_PKEY *key = import(hosts[side], kinds[kind].name, "seed", seed, sizeof(seed));
    CHECK(key != NULL && EVP_PKEY_get_raw_public_key(key, NULL, &length[side]) > 0);
    CHECK(EVP_PKEY_get_raw_public_key(key, public[side], &length[side]) > 0);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(hosts[side]->libctx, key, NULL);
    CHECK(EVP_PKEY_check(ctx) > 0);
    CHECK(encapsulate(hosts[side], key, params, &capsules[side]));
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    CHECK(import(hosts[side], kinds[kind].name, "seed", seed, SEED - 1u) == NULL);
    CHECK(import(hosts[side], kinds[kind].name, "pub", public[side], length[side] - 1) == NULL);
    uint8_t kept[2] = {public[side][0], public[side][1]};
    memset(public[side], 0xff, 2); /* a coefficient that is not below q (FIPS 203 7.2) */
    CHECK(import(hosts[side], kinds[kind].name, "pub", public[side], length[side]) == NULL);
    memcpy(public[side], kept, 2);
  }
  CHECK_EQUAL(length[0], length[1]);
  CHECK(memcmp(public[0], public[1], length[0]) == 0);
  CHECK(memcmp(capsules[0].ciphertext, capsules[1].ciphertext, kinds[kind].ciphertext) == 0);
  CHECK(memcmp(capsules[0].secret, capsules[1].secret, kinds[kind].secret) == 0);
}

/* OpenSSL's encoders write a key of the provider, and its decoders read it for the provider. */
static void through_pem(const char *name) {
  struct host beside;
  struct capsule capsule;
  uint8_t secret[64];
  host_open_beside(&beside, "policy = always");
  EVP_PKEY *key = EVP_PKEY_Q_keygen(beside.libctx, NULL, name), *read = NULL;
  BIO *bio = BIO_new(BIO_s_mem());
  CHECK(key != NULL && PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL));
  read = PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, beside.libctx, NULL);
  CHECK(read != NULL && EVP_PKEY_eq(key, read) == 1);
  uint64_t jobs = host_count(&beside, "jobs");
  CHECK(encapsulate(&beside, key, NULL, &capsule));
  CHECK_EQUAL(decapsulate(&beside, read, &capsule, secret), capsule.secret_len);
  CHECK_EQUAL(host_count(&beside, "jobs") - jobs, 2);
  CHECK(memcmp(secret, capsule.secret, capsule.secret_len) == 0);
  BIO_free(bio);
  EVP_PKEY_free(read);
  EVP_PKEY_free(key);
  host_close(&beside);
}

/* One generates keys for both. Returns the device's jobs. */
static uint64_t make_keys(size_t kind, unsigned maker, EVP_PKEY *keys[2]) {
  uint64_t jobs = host_count(&provider, "jobs");
  keys[maker] = EVP_PKEY_Q_keygen(hosts[maker]->libctx, NULL, kinds[kind].name);
  CHECK(keys[maker] != NULL);
  keys[!maker] = keys_move(hosts[!maker], keys[maker]);
  CHECK(keys[!maker] != NULL);
  return host_count(&provider, "jobs") - jobs;
}

/* One job of several fails: the CPU does the operation. */
static void failing(void) {
  for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
    EVP_PKEY *keys[2];
    struct capsule capsule;
    uint8_t secret[2][64];
    uint64_t faults = host_count(&provider, "cpu-fault");
    /* a job that succeeds: after eight faults in a row the device would rest */
    CHECK(EVP_Digest("a", 1, secret[0], NULL, provider.digests[2], NULL) == 1);
    trouble_fail_one();
    (void)make_keys(kind, 0, keys);
    trouble_fail_one();
    CHECK(encapsulate(&provider, keys[0], NULL, &capsule));
    for (unsigned side = 0; side < 2; side++) {
      trouble_fail_one();
      CHECK_EQUAL(decapsulate(hosts[side], keys[side], &capsule, secret[side]), kinds[kind].secret);
      CHECK(memcmp(secret[side], capsule.secret, kinds[kind].secret) == 0);
    }
    trouble_end();
    CHECK_EQUAL(host_count(&provider, "cpu-fault") - faults, 3);
    EVP_PKEY_free(keys[0]);
    EVP_PKEY_free(keys[1]);
  }
}

/* The board is gone: the CPU does it. */
static void without_board(struct dice *dice) {
  uint64_t jobs = host_count(&provider, "jobs"), faults = host_count(&provider, "cpu-fault");
  trouble_remove();
  for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
    EVP_PKEY *keys[2];
    struct capsule capsule;
    uint8_t secret[64];
    (void)make_keys(kind, kind % 2, keys);
    CHECK(encapsulate(&provider, keys[0], NULL, &capsule));
    capsule.ciphertext[0] ^= (uint8_t)dice_roll(dice, 2);
    for (unsigned side = 0; side < 2; side++) {
      CHECK_EQUAL(decapsulate(hosts[side], keys[side], &capsule, secret), kinds[kind].secret);
    }
    EVP_PKEY_free(keys[0]);
    EVP_PKEY_free(keys[1]);
  }
  CHECK_EQUAL(host_count(&provider, "jobs"), jobs);
  CHECK(host_count(&provider, "cpu-fault") > faults);
}

int main(int argc, char **argv) {
  CHECK(argc > 1);
  unsigned rounds = (unsigned)strtoul(argv[1], NULL, 0);
  struct dice dice = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
  if (OPENSSL_version_major() == 3 && OPENSSL_version_minor() < 5) {
    printf("skipped: %s has no ML-KEM, OpenSSL 3.5 has\n", OpenSSL_version(OPENSSL_VERSION));
    return SKIPPED;
  }
  is_fake = trouble_find();
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
    for (unsigned round = 0; round < rounds; round++) {
      EVP_PKEY *keys[2];
      unsigned generator = round % 2;
      CHECK_EQUAL(make_keys(kind, generator, keys),
                  generator == 0 ? kinds[kind].generation_jobs : 0);
      play(kind, keys, round / 2 % 2, &dice);
      if (round == 0) {
        bad_shares(kind, keys);
        copied(keys[0]);
        malformed(kind, keys);
      }
      EVP_PKEY_free(keys[0]);
      EVP_PKEY_free(keys[1]);
    }
    if (!kinds[kind].hybrid) {
      determined(kind, &dice);
      through_pem(kinds[kind].name);
    }
  }
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  if (is_fake) {
    failing();
    without_board(&dice);
  }
  printf("%llu jobs of the device\n", (unsigned long long)host_count(&provider, "jobs"));
  host_close(&provider);
  host_close(&reference);
  return 0;
}
