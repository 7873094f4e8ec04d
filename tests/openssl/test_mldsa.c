/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-DSA: the provider and OpenSSL's default provider verify each other's signatures, refuse the
 * same ones, and sign alike where nothing is random, with the device's jobs counted. Releases
 * before 3.5 have no such keys.
 *
 *   test_mldsa ROUNDS [SEED]
 */
#include <openssl/core_dispatch.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <unistd.h>

#include "keys.h"
#include "trouble.h"

#define SKIPPED 77

#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT

#define LONGEST       100000u
#define SIGNATURE_MAX 4627u

static const struct {
  const char *name;
  size_t signature;
} kinds[] = {{"ML-DSA-44", 2420}, {"ML-DSA-65", 3309}, {"ML-DSA-87", 4627}};

/* A signature of one message. */
struct plan {
  size_t kind, message_len, context_len;
  uint8_t context[256];
  int deterministic, is_mu;
  /* random bytes of a test: then the CPU signs */
  uint8_t entropy[32];
  bool has_entropy;
  /* through EVP_PKEY_sign_message_init() and not EVP_DigestSign() */
  bool by_message;
  bool copied;
};

static uint8_t message[LONGEST];
static struct host provider, reference;
static const struct host *const hosts[2] = {&provider, &reference};
static EVP_PKEY *keys[2];

static void plan_make(struct plan *plan, size_t kind, struct dice *dice) {
  *plan = (struct plan){.kind = kind,
                        .by_message = dice_roll(dice, 2) != 0,
                        .copied = dice_roll(dice, 2) != 0,
                        .deterministic = dice_roll(dice, 2) != 0,
                        .is_mu = dice_roll(dice, 5) == 0,
                        .has_entropy = dice_roll(dice, 8) == 0};
  plan->message_len = dice_roll(dice, 8) == 0 ? dice_roll(dice, LONGEST) : dice_roll(dice, 300);
  plan->message_len = plan->is_mu ? 64 : plan->message_len;
  plan->context_len = dice_roll(dice, 2) != 0 ? dice_roll(dice, 256) : 0;
  dice_fill(dice, plan->context, plan->context_len);
  dice_fill(dice, plan->entropy, sizeof(plan->entropy));
  dice_fill(dice, message, plan->message_len);
}

static void parameters(OSSL_PARAM params[5], struct plan *plan) {
  size_t count = 0;
  if (plan->context_len != 0) {
    params[count++] =
        OSSL_PARAM_construct_octet_string("context-string", plan->context, plan->context_len);
  }
  if (plan->deterministic) {
    params[count++] = OSSL_PARAM_construct_int("deterministic", &plan->deterministic);
  }
  if (plan->is_mu) {
    params[count++] = OSSL_PARAM_construct_int("mu", &plan->is_mu);
  }
  if (plan->has_entropy) {
    params[count++] =
        OSSL_PARAM_construct_octet_string("test-entropy", plan->entropy, sizeof(plan->entropy));
  }
  params[count] = OSSL_PARAM_construct_end();
}

static bool by_digest(unsigned side, struct plan *plan, bool verify, uint8_t *made,
                      size_t *length) {
  OSSL_PARAM params[5];
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  OSSL_LIB_CTX *libctx = hosts[side]->libctx;
  parameters(params, plan);
  bool good =
      (verify ? EVP_DigestVerifyInit_ex(ctx, NULL, NULL, libctx, NULL, keys[side], params)
              : EVP_DigestSignInit_ex(ctx, NULL, NULL, libctx, NULL, keys[side], params)) > 0;
  if (good && plan->copied) {
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    CHECK(EVP_MD_CTX_copy_ex(copy, ctx));
    EVP_MD_CTX_free(ctx);
    ctx = copy;
  }
  good = good && (verify ? EVP_DigestVerify(ctx, made, *length, message, plan->message_len)
                         : EVP_DigestSign(ctx, made, length, message, plan->message_len)) > 0;
  EVP_MD_CTX_free(ctx);
  return good;
}

static bool by_message(unsigned side, struct plan *plan, bool verify, uint8_t *made,
                       size_t *length) {
  OSSL_PARAM params[5];
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(hosts[side]->libctx, keys[side], NULL);
  EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(hosts[side]->libctx, kinds[plan->kind].name, NULL);
  CHECK(ctx != NULL && signature != NULL);
  parameters(params, plan);
  bool good = (verify ? EVP_PKEY_verify_message_init(ctx, signature, params)
                      : EVP_PKEY_sign_message_init(ctx, signature, params)) > 0;
  if (good && plan->copied) {
    EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(ctx);
    EVP_PKEY_CTX_free(ctx);
    ctx = copy;
  }
  good = good && (verify ? EVP_PKEY_verify(ctx, made, *length, message, plan->message_len)
                         : EVP_PKEY_sign(ctx, made, length, message, plan->message_len)) > 0;
  EVP_PKEY_CTX_free(ctx);
  EVP_SIGNATURE_free(signature);
  return good;
}

static bool sign(unsigned side, struct plan *plan, uint8_t made[SIGNATURE_MAX]) {
  size_t length = SIGNATURE_MAX;
  bool good = plan->by_message ? by_message(side, plan, false, made, &length)
                               : by_digest(side, plan, false, made, &length);
  CHECK(!good || length == kinds[plan->kind].signature);
  ERR_clear_error();
  return good;
}

static bool verify(unsigned side, struct plan *plan, uint8_t *made, size_t length) {
  bool good = plan->by_message ? by_message(side, plan, true, made, &length)
                               : by_digest(side, plan, true, made, &length);
  ERR_clear_error();
  return good;
}

/* Both sides sign; each verifies the other's signature, and a wrong one. */
static void play(size_t kind, struct dice *dice) {
  struct plan plan;
  static uint8_t made[2][SIGNATURE_MAX];
  const size_t length = kinds[kind].signature;
  plan_make(&plan, kind, dice);
  uint64_t jobs = host_count(&provider, "jobs");
  CHECK(sign(0, &plan, made[0]));
  CHECK_EQUAL(host_count(&provider, "jobs") - jobs, !plan.has_entropy);
  CHECK(sign(1, &plan, made[1]));
  if (plan.deterministic || plan.has_entropy) {
    CHECK(memcmp(made[0], made[1], length) == 0);
  }
  plan.has_entropy = false;
  jobs = host_count(&provider, "jobs");
  CHECK(verify(0, &plan, made[1], length) && verify(1, &plan, made[0], length));
  CHECK_EQUAL(host_count(&provider, "jobs") - jobs, 1);
  made[0][dice_roll(dice, length)] ^= (uint8_t)(1u << dice_roll(dice, 8));
  CHECK(!verify(0, &plan, made[0], length) && !verify(1, &plan, made[0], length));
  if (plan.message_len != 0) {
    message[dice_roll(dice, plan.message_len)] ^= 1;
    CHECK(!verify(0, &plan, made[1], length));
  }
}

/* A message in pieces, where the release has them, is the CPU's. */
static void pieces(size_t kind) {
  static uint8_t made[SIGNATURE_MAX];
  size_t length = sizeof(made);
  struct plan plan = {.kind = kind, .message_len = 60};
  EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(provider.libctx, kinds[kind].name, NULL);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(provider.libctx, keys[0], NULL);
  CHECK(EVP_PKEY_sign_message_init(ctx, signature, NULL) > 0);
  bool has = EVP_PKEY_sign_message_update(ctx, message, 20) > 0;
  CHECK_EQUAL(has, OPENSSL_version_major() >= 4);
  if (has) {
    CHECK(EVP_PKEY_sign_message_update(ctx, message + 20, 40) > 0);
    CHECK(EVP_PKEY_sign_message_final(ctx, made, &length) > 0);
    CHECK(verify(0, &plan, made, length) && verify(1, &plan, made, length));
    CHECK(EVP_PKEY_verify_message_init(ctx, signature, NULL) > 0);
    CHECK(EVP_PKEY_CTX_set_signature(ctx, made, length) > 0);
    CHECK(EVP_PKEY_verify_message_update(ctx, message, 60) > 0);
    CHECK(EVP_PKEY_verify_message_final(ctx) > 0);
  }
  ERR_clear_error();
  EVP_PKEY_CTX_free(ctx);
  EVP_SIGNATURE_free(signature);
}

/* Contexts, values of mu and signatures of other lengths. */
static void malformed(size_t kind) {
  static uint8_t made[2][SIGNATURE_MAX];
  const size_t length = kinds[kind].signature;
  for (unsigned by_message = 0; by_message < 2; by_message++) {
    struct plan good = {.kind = kind, .message_len = 20, .by_message = by_message != 0};
    struct plan long_context = good, long_mu = good;
    long_context.context_len = 256;
    long_mu.is_mu = 1;
    long_mu.message_len = 65;
    for (unsigned side = 0; side < 2; side++) {
      CHECK(sign(side, &good, made[side]));
      CHECK(!verify(side, &good, made[side], 0) && !verify(side, &good, made[side], length - 1));
      CHECK(!sign(side, &long_context, made[side]) && !sign(side, &long_mu, made[side]));
    }
  }
}

static void make_keys(size_t kind, unsigned maker) {
  EVP_PKEY_free(keys[0]);
  EVP_PKEY_free(keys[1]);
  keys[maker] = EVP_PKEY_Q_keygen(hosts[maker]->libctx, NULL, kinds[kind].name);
  keys[!maker] = keys_move(hosts[!maker], keys[maker]);
  CHECK(keys[0] != NULL && keys[1] != NULL);
}

/* The same key of the same seed, and none of a seed of another length. */
static void seeded(size_t kind, struct dice *dice) {
  uint8_t seed[32];
  EVP_PKEY *made[2] = {NULL};
  dice_fill(dice, seed, sizeof(seed));
  for (unsigned side = 0; side < 2; side++) {
    for (size_t length = 31; length < 33; length++) {
      OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("seed", seed, length),
                             OSSL_PARAM_construct_end()};
      EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(hosts[side]->libctx, kinds[kind].name, NULL);
      CHECK(ctx != NULL && EVP_PKEY_fromdata_init(ctx) > 0);
      CHECK_EQUAL(EVP_PKEY_fromdata(ctx, &made[side], EVP_PKEY_KEYPAIR, params) > 0, length == 32);
      EVP_PKEY_CTX_free(ctx);
    }
    ERR_clear_error();
  }
  EVP_PKEY *moved = keys_move(&provider, made[1]);
  CHECK(EVP_PKEY_eq(made[0], moved) == 1);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(provider.libctx, moved, NULL);
  CHECK(EVP_PKEY_pairwise_check(ctx) > 0);
  EVP_PKEY_CTX_free(ctx);
  EVP_PKEY_free(moved);
  EVP_PKEY_free(made[0]);
  EVP_PKEY_free(made[1]);
}

/* Under the policy `always` the device hashes too: one job for mu, and one for the key when it is
 * verified. OpenSSL's encoders write a key of the provider, its decoders read it. */
static void with_hashes(size_t kind) {
  struct host beside;
  static uint8_t made[SIGNATURE_MAX];
  size_t length = sizeof(made);
  host_open_beside(&beside, "policy = always");
  EVP_PKEY *key = EVP_PKEY_Q_keygen(beside.libctx, NULL, kinds[kind].name), *read = NULL;
  BIO *bio = BIO_new(BIO_s_mem());
  CHECK(key != NULL && PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL));
  read = PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, beside.libctx, NULL);
  CHECK(read != NULL && EVP_PKEY_eq(key, read) == 1);
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  uint64_t jobs = host_count(&beside, "jobs");
  CHECK(EVP_DigestSignInit_ex(ctx, NULL, NULL, beside.libctx, NULL, read, NULL) > 0);
  CHECK(EVP_DigestSign(ctx, made, &length, message, 100) > 0);
  CHECK_EQUAL(host_count(&beside, "jobs") - jobs, 2);
  EVP_MD_CTX_reset(ctx);
  CHECK(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, beside.libctx, NULL, key, NULL) > 0);
  CHECK(EVP_DigestVerify(ctx, made, length, message, 100) > 0);
  CHECK_EQUAL(host_count(&beside, "jobs") - jobs, 5);
  EVP_MD_CTX_free(ctx);
  BIO_free(bio);
  EVP_PKEY_free(read);
  EVP_PKEY_free(key);
  host_close(&beside);
}

/* A job fails: the CPU signs and verifies. */
static void failing(void) {
  static uint8_t made[SIGNATURE_MAX];
  struct plan plan = {.message_len = 100};
  uint64_t faults = host_count(&provider, "cpu-fault");
  trouble_fail_one();
  CHECK(sign(0, &plan, made) && verify(1, &plan, made, kinds[0].signature));
  trouble_fail_one();
  CHECK(verify(0, &plan, made, kinds[0].signature));
  CHECK_EQUAL(host_count(&provider, "cpu-fault") - faults, 2);
}

/* The board is gone: the CPU signs and verifies. */
static void without_board(void) {
  static uint8_t made[SIGNATURE_MAX];
  uint64_t jobs = host_count(&provider, "jobs"), faults = host_count(&provider, "cpu-fault");
  trouble_remove();
  for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
    struct plan plan = {.kind = kind, .message_len = 100};
    make_keys(kind, kind % 2);
    CHECK(sign(0, &plan, made) && verify(1, &plan, made, kinds[kind].signature));
    CHECK(verify(0, &plan, made, kinds[kind].signature));
    made[3] ^= 1;
    CHECK(!verify(0, &plan, made, kinds[kind].signature));
  }
  CHECK_EQUAL(host_count(&provider, "jobs"), jobs);
  CHECK(host_count(&provider, "cpu-fault") > faults);
}

static void run(unsigned rounds, struct dice *dice) {
  char path[] = "/tmp/outwork-test-XXXXXX", settings[64];
  host_write_key_policy(path);
  snprintf(settings, sizeof(settings), "policy = %s", path);
  host_open(&provider, settings);
  host_open_default(&reference);
  for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
    for (unsigned round = 0; round < rounds; round++) {
      if (round % 5 == 0) {
        make_keys(kind, round / 5 % 2);
      }
      play(kind, dice);
    }
    malformed(kind);
    pieces(kind);
    seeded(kind, dice);
    with_hashes(kind);
  }
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  if (trouble_find()) {
    /* the provider's board is to be the one that was opened last; keys would keep it open */
    EVP_PKEY_free(keys[0]);
    keys[0] = NULL;
    host_close(&provider);
    host_open(&provider, settings);
    make_keys(0, 0);
    play(0, dice);
    failing();
    without_board();
  }
  printf("%llu jobs of the device\n", (unsigned long long)host_count(&provider, "jobs"));
  EVP_PKEY_free(keys[0]);
  EVP_PKEY_free(keys[1]);
  host_close(&provider);
  host_close(&reference);
  unlink(path);
}

int main(int argc, char **argv) {
  CHECK(argc > 1);
  struct dice dice = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
  if (OPENSSL_version_major() == 3 && OPENSSL_version_minor() < 5) {
    printf("skipped: %s has no ML-DSA, OpenSSL 3.5 has\n", OpenSSL_version(OPENSSL_VERSION));
    return SKIPPED;
  }
  run((unsigned)strtoul(argv[1], NULL, 0), &dice);
  return 0;
}

#else

int main(void) {
  printf("skipped: %s has no ML-DSA, OpenSSL 3.5 has\n", OpenSSL_version(OPENSSL_VERSION));
  return SKIPPED;
}

#endif
