/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Ed25519 and its variants: the provider must sign as OpenSSL's default provider does, byte for
 * byte, accept and refuse the same signatures, and use the device for all that it can do.
 *
 *   test_ed25519 ROUNDS [SEED]
 */
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <stdlib.h>

#include "keys.h"
#include "trouble.h"

#define LONGEST   70000u
#define SIGNATURE 64u
/* Longest message that the device takes. */
#define DEVICE_MAX 65536u

/* A signature of one message. */
struct plan {
  /* NULL: as the key's type says, without a parameter */
  const char *instance;
  uint8_t context[255];
  size_t context_len;
  size_t message_len;
  /* through the functions that release 3.4 has added */
  bool by_message;
  bool copied;
};

static uint8_t message[LONGEST];
static struct host provider, reference;
static const struct host *const hosts[2] = {&provider, &reference};
static EVP_PKEY *keys[2];

/* Returns whether this release knows the variants. */
static bool has_variants(void) {
  EVP_PKEY_CTX *inside = NULL;
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  CHECK(EVP_DigestSignInit_ex(ctx, &inside, NULL, reference.libctx, NULL, keys[1], NULL) > 0);
  const OSSL_PARAM *params = EVP_PKEY_CTX_settable_params(inside);
  bool has = params != NULL && OSSL_PARAM_locate_const(params, "instance") != NULL;
  EVP_MD_CTX_free(ctx);
  return has;
}

static void plan_make(struct plan *plan, struct dice *dice, bool variants) {
  static const char *const instances[] = {NULL, "Ed25519", "Ed25519ctx", "Ed25519ph"};
  *plan = (struct plan){.copied = dice_roll(dice, 2) != 0};
  plan->message_len = dice_roll(dice, 8) == 0 ? dice_roll(dice, LONGEST) : dice_roll(dice, 300);
  if (variants) {
    plan->instance = instances[dice_roll(dice, 4)];
    /* a context that the variant does not allow is refused */
    if (plan->instance != NULL && dice_roll(dice, 4) != 0 && strlen(plan->instance) > 7) {
      plan->context_len = 1 + dice_roll(dice, sizeof(plan->context));
    }
  }
#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
  plan->by_message = dice_roll(dice, 2) != 0;
#endif
  dice_fill(dice, plan->context, plan->context_len);
}

/* Returns whether the device can do it. */
static bool suits(const struct plan *plan) {
  bool needs_context = plan->instance != NULL && strcmp(plan->instance, "Ed25519ctx") == 0;
  return plan->message_len <= DEVICE_MAX && (!needs_context || plan->context_len != 0);
}

static void parameters(OSSL_PARAM params[3], const struct plan *plan) {
  size_t count = 0;
  if (plan->instance != NULL && !plan->by_message) {
    params[count++] = OSSL_PARAM_construct_utf8_string("instance", (char *)plan->instance, 0);
  }
  if (plan->context_len != 0) {
    params[count++] = OSSL_PARAM_construct_octet_string("context-string", (void *)plan->context,
                                                        plan->context_len);
  }
  params[count] = OSSL_PARAM_construct_end();
}

static bool by_digest(const struct host *host, EVP_PKEY *key, const struct plan *plan, bool verify,
                      uint8_t made[SIGNATURE]) {
  OSSL_PARAM params[3];
  EVP_PKEY_CTX *inside = NULL;
  size_t length = SIGNATURE;
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  parameters(params, plan);
  bool good =
      (verify ? EVP_DigestVerifyInit_ex(ctx, &inside, NULL, host->libctx, NULL, key, NULL)
              : EVP_DigestSignInit_ex(ctx, &inside, NULL, host->libctx, NULL, key, NULL)) > 0 &&
      (params[0].key == NULL || EVP_PKEY_CTX_set_params(inside, params) > 0);
  if (good && plan->copied) {
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    CHECK(EVP_MD_CTX_copy_ex(copy, ctx));
    EVP_MD_CTX_free(ctx);
    ctx = copy;
  }
  good = good && (verify ? EVP_DigestVerify(ctx, made, SIGNATURE, message, plan->message_len)
                         : EVP_DigestSign(ctx, made, &length, message, plan->message_len)) > 0;
  CHECK_EQUAL(length, SIGNATURE);
  EVP_MD_CTX_free(ctx);
  return good;
}

#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
static bool by_message(const struct host *host, EVP_PKEY *key, const struct plan *plan, bool verify,
                       uint8_t made[SIGNATURE]) {
  OSSL_PARAM params[3];
  size_t length = SIGNATURE;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  EVP_SIGNATURE *signature =
      EVP_SIGNATURE_fetch(host->libctx, plan->instance != NULL ? plan->instance : "ED25519", NULL);
  CHECK(ctx != NULL && signature != NULL);
  parameters(params, plan);
  bool good = (verify ? EVP_PKEY_verify_message_init(ctx, signature, params)
                      : EVP_PKEY_sign_message_init(ctx, signature, params)) > 0;
  if (good && plan->copied) {
    EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(ctx);
    EVP_PKEY_CTX_free(ctx);
    ctx = copy;
  }
  good = good && (verify ? EVP_PKEY_verify(ctx, made, SIGNATURE, message, plan->message_len)
                         : EVP_PKEY_sign(ctx, made, &length, message, plan->message_len)) > 0;
  EVP_PKEY_CTX_free(ctx);
  EVP_SIGNATURE_free(signature);
  return good;
}
#endif

static bool operate(unsigned side, const struct plan *plan, bool verify, uint8_t made[SIGNATURE]) {
  bool good;
#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
  good = plan->by_message ? by_message(hosts[side], keys[side], plan, verify, made)
                          : by_digest(hosts[side], keys[side], plan, verify, made);
#else
  good = by_digest(hosts[side], keys[side], plan, verify, made);
#endif
  ERR_clear_error();
  return good;
}

/* Both sides sign, then verify the signature, and a wrong one. */
static void play(struct dice *dice, bool variants) {
  struct plan plan;
  uint8_t made[2][SIGNATURE];
  plan_make(&plan, dice, variants);
  dice_fill(dice, message, plan.message_len);
  uint64_t jobs = host_count(&provider, "jobs");
  bool good = operate(0, &plan, false, made[0]);
  CHECK_EQUAL(host_count(&provider, "jobs") - jobs, suits(&plan));
  CHECK_EQUAL(operate(1, &plan, false, made[1]), good);
  if (!good) {
    CHECK(!suits(&plan));
    return;
  }
  CHECK(memcmp(made[0], made[1], SIGNATURE) == 0);
  CHECK(operate(0, &plan, true, made[0]));
  CHECK_EQUAL(host_count(&provider, "jobs") - jobs, 2u * suits(&plan));
  made[0][dice_roll(dice, SIGNATURE)] ^= (uint8_t)(1u << dice_roll(dice, 8));
  CHECK(!operate(0, &plan, true, made[0]) && !operate(1, &plan, true, made[0]));
  if (plan.message_len != 0) {
    message[dice_roll(dice, plan.message_len)] ^= 1;
    CHECK(!operate(0, &plan, true, made[1]));
  }
}

/* S + L in the place of S (RFC 8032 8.4), and signatures of other lengths. */
static void malformed(void) {
  static const uint8_t order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,       0xd6,
                                    0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, [31] = 0x10};
  const struct plan plan = {.message_len = 40};
  uint8_t made[SIGNATURE];
  CHECK(operate(0, &plan, false, made));
  unsigned carry = 0;
  for (unsigned i = 0; i < 32; i++) {
    carry += made[32 + i] + order[i];
    made[32 + i] = (uint8_t)carry;
    carry >>= 8;
  }
  CHECK(!operate(0, &plan, true, made) && !operate(1, &plan, true, made));
  for (size_t length = 0; length <= SIGNATURE + 1u; length += length == 0 ? 63u : 2u) {
    uint8_t bytes[SIGNATURE + 1u] = {0};
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    CHECK(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, provider.libctx, NULL, keys[0], NULL) > 0);
    CHECK(EVP_DigestVerify(ctx, bytes, length, message, 40) <= 0);
    EVP_MD_CTX_free(ctx);
  }
  ERR_clear_error();
}

/* OpenSSL's encoders write a key of the provider, and its decoders read it for the provider. */
static void through_pem(void) {
  struct host beside;
  uint8_t made[2][SIGNATURE];
  const struct plan plan = {.message_len = 100};
  host_open_beside(&beside, "policy = always");
  EVP_PKEY *key = EVP_PKEY_Q_keygen(beside.libctx, NULL, "ED25519"), *read = NULL;
  BIO *bio = BIO_new(BIO_s_mem());
  CHECK(key != NULL && PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL));
  read = PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, beside.libctx, NULL);
  CHECK(read != NULL && EVP_PKEY_eq(key, read) == 1);
  uint64_t jobs = host_count(&beside, "jobs");
  CHECK(by_digest(&beside, key, &plan, false, made[0]));
  CHECK(by_digest(&beside, read, &plan, false, made[1]));
  CHECK_EQUAL(host_count(&beside, "jobs") - jobs, 2);
  CHECK(memcmp(made[0], made[1], SIGNATURE) == 0);
  BIO_free(bio);
  EVP_PKEY_free(read);
  EVP_PKEY_free(key);
  host_close(&beside);
}

/* A job fails, then the board is gone: the CPU signs and verifies. */
static void without_board(void) {
  const struct plan plan = {.message_len = 200};
  uint8_t made[2][SIGNATURE];
  trouble_fail_one();
  CHECK(operate(0, &plan, false, made[0]) && operate(1, &plan, true, made[0]));
  trouble_fail_one();
  CHECK(operate(0, &plan, true, made[0]));
  trouble_end();
  uint64_t jobs = host_count(&provider, "jobs"), faults = host_count(&provider, "cpu-fault");
  trouble_remove();
  CHECK(operate(0, &plan, false, made[0]) && operate(1, &plan, false, made[1]));
  CHECK(memcmp(made[0], made[1], SIGNATURE) == 0);
  CHECK(operate(0, &plan, true, made[0]));
  made[0][3] ^= 1;
  CHECK(!operate(0, &plan, true, made[0]));
  CHECK_EQUAL(host_count(&provider, "jobs"), jobs);
  CHECK(host_count(&provider, "cpu-fault") > faults);
}

int main(int argc, char **argv) {
  CHECK(argc > 1);
  unsigned rounds = (unsigned)strtoul(argv[1], NULL, 0);
  struct dice dice = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  bool variants = false;
  for (unsigned round = 0; round < rounds; round++) {
    if (round % 5 == 0) { /* the two take turns to generate */
      unsigned maker = round / 5 % 2;
      EVP_PKEY_free(keys[0]);
      EVP_PKEY_free(keys[1]);
      keys[maker] = EVP_PKEY_Q_keygen(hosts[maker]->libctx, NULL, "ED25519");
      keys[!maker] = keys_move(hosts[!maker], keys[maker]);
      CHECK(keys[0] != NULL && keys[1] != NULL);
      variants = has_variants();
    }
    play(&dice, variants);
  }
  malformed();
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  through_pem();
  if (trouble_find()) {
    without_board();
  }
  printf("%llu jobs of the device, variants: %s\n",
         (unsigned long long)host_count(&provider, "jobs"), variants ? "yes" : "no");
  EVP_PKEY_free(keys[0]);
  EVP_PKEY_free(keys[1]);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
