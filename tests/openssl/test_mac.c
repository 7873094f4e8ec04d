/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * CMAC and GMAC in random pieces, copied midway, restarted: the provider must return the same as
 * OpenSSL's default provider.
 *
 *   test_mac [ROUNDS [SEED]]
 */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>

#include "host.h"

#define LENGTH_MAX 150000u

struct plan {
  const char *mac, *cipher;
  uint8_t key[32], iv[64];
  size_t iv_len, length, largest_cut, copy_at;
  uint64_t cuts;
  bool key_in_params, again; /* again: a second message under the same key */
};

static struct host provider, reference;
static uint8_t message[LENGTH_MAX];

static size_t key_len_of(const struct plan *plan) {
  return (size_t)atoi(plan->cipher + 4) / 8;
}

static int start(EVP_MAC_CTX *context, const struct plan *plan, const uint8_t *key) {
  OSSL_PARAM params[4], *end = params;
  *end++ = OSSL_PARAM_construct_utf8_string("cipher", (char *)(uintptr_t)plan->cipher, 0);
  if (strcmp(plan->mac, "GMAC") == 0) {
    *end++ = OSSL_PARAM_construct_octet_string("iv", (void *)(uintptr_t)plan->iv, plan->iv_len);
  }
  size_t key_len = key_len_of(plan);
  if (plan->key_in_params && key != NULL) {
    *end++ = OSSL_PARAM_construct_octet_string("key", (void *)(uintptr_t)key, key_len);
    key = NULL;
  }
  *end = OSSL_PARAM_construct_end();
  if (key == NULL && !plan->key_in_params) { /* `again`: the cipher stays set too */
    return EVP_MAC_init(context, NULL, 0, strcmp(plan->mac, "GMAC") == 0 ? params + 1 : NULL);
  }
  return EVP_MAC_init(context, key, key_len, params);
}

static EVP_MAC_CTX *feed(EVP_MAC_CTX *context, const struct plan *plan, int *good) {
  struct dice cuts = {plan->cuts};
  size_t updates = 0;
  for (size_t done = 0; done < plan->length; updates++) {
    size_t now = dice_roll(&cuts, plan->largest_cut);
    now = now < plan->length - done ? now : plan->length - done;
    if (updates == plan->copy_at) {
      EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(context);
      CHECK(copy != NULL);
      EVP_MAC_CTX_free(context);
      context = copy;
    }
    *good &= EVP_MAC_update(context, message + done, now);
    done += now;
  }
  return context;
}

static int play(uint8_t tags[2][16], const struct plan *plan, struct host *host) {
  EVP_MAC *mac = EVP_MAC_fetch(host->libctx, plan->mac, NULL);
  CHECK(mac != NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  size_t length = 0;
  memset(tags, 0, 32);
  int good = start(context, plan, plan->key);
  context = feed(context, plan, &good);
  CHECK_EQUAL(EVP_MAC_CTX_get_mac_size(context), 16);
  good &= EVP_MAC_final(context, tags[0], &length, 16);
  CHECK_EQUAL(length, 16);
  if (plan->again) {
    good &= start(context, plan, NULL);
    context = feed(context, plan, &good);
    good &= EVP_MAC_final(context, tags[1], &length, 16);
  }
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
  return good;
}

static void plan_make(struct plan *plan, struct dice *dice) {
  static const char *const ciphers[2][4] = {
      {"AES-128-CBC", "aes-192-cbc", "AES-256-CBC", "AES-256-CBC"},
      {"AES-128-GCM", "AES-192-GCM", "aes-256-gcm", "AES-256-GCM"}};
  size_t gmac = dice_roll(dice, 2);
  plan->mac = gmac ? "GMAC" : "CMAC";
  plan->cipher = ciphers[gmac][dice_roll(dice, 4)];
  plan->iv_len = dice_roll(dice, 2) == 0 ? 12 : 1 + dice_roll(dice, 64);
  plan->length = dice_roll(dice, 3) == 0   ? dice_roll(dice, 70)
                 : dice_roll(dice, 3) == 0 ? dice_roll(dice, LENGTH_MAX)
                                           : dice_roll(dice, 5000);
  plan->largest_cut = dice_roll(dice, 2) == 0 ? 100 : 100000;
  plan->copy_at = dice_roll(dice, 3) == 0 ? dice_roll(dice, 4) : SIZE_MAX;
  plan->cuts = dice_next(dice);
  plan->key_in_params = dice_roll(dice, 4) == 0;
  plan->again = !plan->key_in_params && dice_roll(dice, 2) == 0;
  dice_fill(dice, plan->key, sizeof(plan->key));
  dice_fill(dice, plan->iv, sizeof(plan->iv));
}

/* For both MACs one update of whole blocks is one job. */
static void one_update(void) {
  for (unsigned gmac = 0; gmac < 2; gmac++) {
    struct plan plan = {.mac = gmac ? "GMAC" : "CMAC",
                        .cipher = gmac ? "AES-128-GCM" : "AES-128-CBC",
                        .iv_len = 12,
                        .length = 64,
                        .largest_cut = 1,
                        .copy_at = SIZE_MAX};
    uint8_t tag[16];
    int good = 1;
    uint64_t jobs = host_count(&provider, "jobs");
    EVP_MAC *mac = EVP_MAC_fetch(provider.libctx, plan.mac, NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    size_t length;
    good &= start(context, &plan, plan.key);
    good &= EVP_MAC_update(context, message, plan.length);
    good &= EVP_MAC_final(context, tag, &length, 16);
    CHECK(good);
    CHECK_EQUAL(host_count(&provider, "jobs"), jobs + 1);
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
  }
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 300;
  struct dice dice = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
  printf("%u rounds, seed %llu\n", rounds, (unsigned long long)dice.state);
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  dice_fill(&dice, message, sizeof(message));
  one_update();
  for (unsigned round = 0; round < rounds; round++) {
    struct plan plan;
    uint8_t ours[2][16], theirs[2][16];
    plan_make(&plan, &dice);
    int our_answer = play(ours, &plan, &provider), their_answer = play(theirs, &plan, &reference);
    if (our_answer != their_answer || memcmp(ours, theirs, sizeof(ours)) != 0) {
      fprintf(stderr, "round %u: %s %s, %zu bytes, cuts below %zu, IV %zu, again %d: %d and %d\n",
              round, plan.mac, plan.cipher, plan.length, plan.largest_cut, plan.iv_len, plan.again,
              our_answer, their_answer);
      return 1;
    }
  }
  printf("%llu jobs of the device, %llu requests of the CPU\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-requests"));
  CHECK(host_count(&provider, "jobs") > rounds);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
