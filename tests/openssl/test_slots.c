/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys in the device's slots in the modes without a tag, and in MACs: messages in pieces and wrong
 * padding as with the default provider; the CPU does no request.
 */
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <stdlib.h>

#include "host.h"

#ifdef OSSL_OP_SKEYMGMT

#define LONGEST 3000u
#define ROOM    (LONGEST + 32u)
#define MODES   9u /* the first of the host's ciphers: ECB, CBC, CTR */

static struct host provider, reference;
static const uint8_t bytes[32] = {9, 8, [17] = 7, [31] = 6};

struct plan {
  size_t length, largest_cut;
  uint64_t cuts;
  bool encrypt, padding, copied;
  uint8_t iv[16];
};

static size_t next_cut(struct dice *cuts, const struct plan *plan, size_t left) {
  size_t now = 1 + dice_roll(cuts, plan->largest_cut);
  return now < left ? now : left;
}

/* Runs a cipher with the key object, or with the bytes if it is NULL. Returns false if it is
 * refused. */
static bool crypt(uint8_t *output, size_t *output_len, const struct plan *plan,
                  const uint8_t *input, const EVP_CIPHER *cipher, EVP_SKEY *key) {
  struct dice cuts = {plan->cuts};
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int length = 0;
  int good = key != NULL ? EVP_CipherInit_SKEY(context, cipher, key, plan->iv,
                                               (size_t)EVP_CIPHER_get_iv_length(cipher),
                                               plan->encrypt, NULL)
                         : EVP_CipherInit_ex(context, cipher, NULL, bytes, plan->iv, plan->encrypt);
  good = good && EVP_CIPHER_CTX_set_padding(context, plan->padding);
  *output_len = 0;
  for (size_t done = 0; good && done < plan->length;) {
    size_t now = next_cut(&cuts, plan, plan->length - done);
    good = EVP_CipherUpdate(context, output + *output_len, &length, input + done, (int)now);
    *output_len += (size_t)length;
    done += now;
    if (plan->copied) {
      EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
      CHECK(EVP_CIPHER_CTX_copy(copy, context));
      EVP_CIPHER_CTX_free(context);
      context = copy;
    }
  }
  good = good && EVP_CipherFinal_ex(context, output + *output_len, &length);
  *output_len += good ? (size_t)length : 0;
  EVP_CIPHER_CTX_free(context);
  return good != 0;
}

static void plan_make(struct plan *plan, struct dice *dice) {
  plan->length = dice_roll(dice, 3) == 0 ? dice_roll(dice, 40) : dice_roll(dice, LONGEST);
  plan->largest_cut = dice_roll(dice, 2) == 0 ? 40 : LONGEST;
  plan->cuts = dice_next(dice);
  plan->padding = dice_roll(dice, 2) == 0;
  plan->copied = dice_roll(dice, 4) == 0;
  plan->length -= plan->padding || dice_roll(dice, 8) == 0 ? 0 : plan->length % 16;
  dice_fill(dice, plan->iv, sizeof(plan->iv));
}

/* Encrypts with both, decrypts our ciphertext, and decrypts an invalid one. */
static void ciphers(unsigned rounds) {
  static uint8_t input[LONGEST], ours[ROOM], theirs[ROOM], back[ROOM];
  struct dice dice = {11};
  unsigned refusals = 0;
  for (unsigned i = 0; i < rounds; i++) {
    const EVP_CIPHER *cipher = provider.ciphers[i % MODES];
    size_t ours_len, theirs_len, back_len;
    struct plan plan = {.encrypt = true};
    EVP_SKEY *key = host_slot_key(&provider, bytes, (size_t)EVP_CIPHER_get_key_length(cipher));
    CHECK(key != NULL);
    plan_make(&plan, &dice);
    dice_fill(&dice, input, sizeof(input));
    uint64_t cpu = host_count(&provider, "cpu-requests"), jobs = host_count(&provider, "jobs");
    bool good = crypt(ours, &ours_len, &plan, input, cipher, key);
    CHECK_EQUAL(host_count(&provider, "cpu-requests"), cpu);
    CHECK(plan.length < 16 || host_count(&provider, "jobs") > jobs);
    CHECK_EQUAL(good, crypt(theirs, &theirs_len, &plan, input, reference.ciphers[i % MODES], NULL));
    if (good) {
      CHECK_EQUAL(ours_len, theirs_len);
      CHECK(memcmp(ours, theirs, ours_len) == 0);
      plan.encrypt = false;
      plan.length = ours_len;
      CHECK(crypt(back, &back_len, &plan, ours, cipher, key));
      CHECK(memcmp(back, input, back_len) == 0);
      ours[ours_len != 0 ? ours_len - 1 : 0] ^= (uint8_t)(1 + dice_roll(&dice, 255));
      good = crypt(back, &back_len, &plan, ours, cipher, key);
      CHECK_EQUAL(good,
                  crypt(theirs, &theirs_len, &plan, ours, reference.ciphers[i % MODES], NULL));
      CHECK(!good || (back_len == theirs_len && memcmp(back, theirs, back_len) == 0));
      refusals += good ? 0 : 1;
    }
    EVP_SKEY_free(key);
  }
  printf("%u messages with wrong padding\n", refusals);
  CHECK(refusals > rounds / 20);
}

static void authenticate(uint8_t tag[16], struct host *host, const struct plan *plan,
                         const uint8_t *input, bool cmac, size_t key_len, EVP_SKEY *key) {
  static const char *const names[2][3] = {{"AES-128-GCM", "AES-192-GCM", "AES-256-GCM"},
                                          {"AES-128-CBC", "AES-192-CBC", "AES-256-CBC"}};
  struct dice cuts = {plan->cuts};
  size_t length = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER,
                                                          (char *)names[cmac][key_len / 8 - 2], 0),
                         OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, (void *)plan->iv, 12),
                         OSSL_PARAM_construct_end()};
  if (cmac) {
    params[1] = OSSL_PARAM_construct_end();
  }
  EVP_MAC *mac = EVP_MAC_fetch(host->libctx, cmac ? "CMAC" : "GMAC", NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  CHECK(key != NULL ? EVP_MAC_init_SKEY(context, key, params)
                    : EVP_MAC_init(context, bytes, key_len, params));
  for (size_t done = 0; done < plan->length;) {
    size_t now = next_cut(&cuts, plan, plan->length - done);
    CHECK(EVP_MAC_update(context, input + done, now));
    done += now;
    if (plan->copied) {
      EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(context);
      CHECK(copy != NULL);
      EVP_MAC_CTX_free(context);
      context = copy;
    }
  }
  CHECK_EQUAL(EVP_MAC_CTX_get_mac_size(context), 16);
  CHECK(EVP_MAC_final(context, tag, &length, 16));
  CHECK_EQUAL(length, 16);
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
}

static void macs(unsigned rounds) {
  static uint8_t input[LONGEST];
  struct dice dice = {12};
  for (unsigned i = 0; i < rounds; i++) {
    uint8_t ours[16], theirs[16];
    size_t key_len = 16 + 8 * (i % 3);
    bool cmac = i / 3 % 2 == 0;
    struct plan plan;
    EVP_SKEY *key = host_slot_key(&provider, bytes, key_len);
    CHECK(key != NULL);
    plan_make(&plan, &dice);
    dice_fill(&dice, input, sizeof(input));
    uint64_t cpu = host_count(&provider, "cpu-requests"), jobs = host_count(&provider, "jobs");
    authenticate(ours, &provider, &plan, input, cmac, key_len, key);
    CHECK_EQUAL(host_count(&provider, "cpu-requests"), cpu);
    CHECK(host_count(&provider, "jobs") > jobs);
    authenticate(theirs, &reference, &plan, input, cmac, key_len, NULL);
    CHECK(memcmp(ours, theirs, 16) == 0);
    EVP_SKEY_free(key);
  }
}

/* A MAC of another key length, and a new message under the same key. */
static void same_key_again(void) {
  uint8_t tags[2][16];
  size_t length;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, "AES-256-CBC", 0),
                         OSSL_PARAM_construct_end()};
  EVP_SKEY *short_key = host_slot_key(&provider, bytes, 16);
  EVP_SKEY *key = host_slot_key(&provider, bytes, 32);
  EVP_MAC *mac = EVP_MAC_fetch(provider.libctx, "CMAC", NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  CHECK(!EVP_MAC_init_SKEY(context, short_key, params));
  CHECK(EVP_MAC_init_SKEY(context, key, params));
  for (unsigned i = 0; i < 2; i++) {
    CHECK(EVP_MAC_update(context, bytes, 20));
    CHECK(EVP_MAC_final(context, tags[i], &length, 16));
    CHECK(EVP_MAC_init(context, NULL, 0, NULL));
  }
  CHECK(memcmp(tags[0], tags[1], 16) == 0);
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
  EVP_SKEY_free(key);
  EVP_SKEY_free(short_key);
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 900;
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  ciphers(rounds);
  macs(rounds);
  same_key_again();
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  host_close(&provider);
  host_close(&reference);
  return 0;
}

#else

int main(void) {
  printf("this release of OpenSSL has no key objects\n");
  return 0;
}

#endif
