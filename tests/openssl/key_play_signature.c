/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random signatures: each context signs and verifies, also what the other has signed.
 */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include "key_play.h"

static size_t digest_length(const char *name) {
  return (size_t)EVP_MD_get_size(EVP_get_digestbyname(name));
}

static void plan_signature(struct key_plan *plan, struct dice *dice) {
  static const char *const paddings[] = {"pkcs1", "pss", "pss", "none", "x931"};
  static const char *const salts[] = {"digest", "max", "auto", "0", "11", "500"};
  *plan = (struct key_plan){.key = (unsigned)dice_roll(dice, KEYS - 1u)};
  bool message = dice_roll(dice, 2) != 0;
  plan->digest = message || dice_roll(dice, 4) != 0 ? PLAY_PICK(dice, play_digests) : NULL;
  if (key_is_rsa(plan->key)) {
    plan->padding = PLAY_PICK(dice, paddings);
    if (strcmp(plan->padding, "pss") == 0 && plan->digest != NULL) {
      plan->salt = dice_roll(dice, 2) != 0 ? PLAY_PICK(dice, salts) : NULL;
      plan->mask = dice_roll(dice, 3) == 0 ? PLAY_PICK(dice, play_digests) : NULL;
    }
  }
  plan->input_len = dice_roll(dice, 400);
  if (message) {
    plan->piece = 1 + dice_roll(dice, 400);
    plan->copied = dice_roll(dice, 2) != 0;
  } else if (plan->digest != NULL) { /* a digest, or sometimes a wrong length */
    bool wrong = dice_roll(dice, 10) == 0;
    plan->input_len = wrong ? dice_roll(dice, 66) : digest_length(plan->digest);
  } else if (plan->digest == NULL) { /* as long as the modulus, or of any length */
    size_t length = key_is_rsa(plan->key) ? (key_kinds[plan->key].bits + 7) / 8 : 48;
    plan->input_len = dice_roll(dice, 2) != 0 ? length : dice_roll(dice, 80);
  }
  dice_fill(dice, plan->input, plan->input_len);
}

/* Sets the parameters of a plan. */
static void parameters(OSSL_PARAM params[8], const struct key_plan *plan) {
  size_t count = 0;
  const struct {
    const char *name, *value;
  } words[] = {{OSSL_SIGNATURE_PARAM_PAD_MODE, plan->padding},
               {OSSL_SIGNATURE_PARAM_PSS_SALTLEN, plan->salt},
               {OSSL_SIGNATURE_PARAM_MGF1_DIGEST, plan->mask}};
  for (unsigned i = 0; i < 3; i++) {
    if (words[i].value != NULL) {
      params[count++] = OSSL_PARAM_construct_utf8_string(words[i].name, (char *)words[i].value, 0);
    }
  }
  if (plan->digest != NULL && plan->piece == 0) {
    params[count++] =
        OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, (char *)plan->digest, 0);
  }
  params[count] = OSSL_PARAM_construct_end();
}

/* Returns a context that is ready to sign or verify the plan's digest; NULL: refused. */
static EVP_PKEY_CTX *signature_context(const struct host *host, EVP_PKEY *key,
                                       const struct key_plan *plan, bool verify) {
  OSSL_PARAM params[8];
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  CHECK(ctx != NULL);
  parameters(params, plan);
  if ((verify ? EVP_PKEY_verify_init(ctx) : EVP_PKEY_sign_init(ctx)) > 0 &&
      EVP_PKEY_CTX_set_params(ctx, params) > 0) {
    if (plan->copied) {
      EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(ctx);
      EVP_PKEY_CTX_free(ctx);
      ctx = copy;
    }
    return ctx;
  }
  EVP_PKEY_CTX_free(ctx);
  return NULL;
}

/* Returns a context that has the plan's whole message; NULL: refused. */
static EVP_MD_CTX *message_context(const struct host *host, EVP_PKEY *key,
                                   const struct key_plan *plan, bool verify) {
  OSSL_PARAM params[8];
  EVP_PKEY_CTX *inside = NULL;
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  parameters(params, plan);
  bool good =
      (verify ? EVP_DigestVerifyInit_ex(ctx, &inside, plan->digest, host->libctx, NULL, key, NULL)
              : EVP_DigestSignInit_ex(ctx, &inside, plan->digest, host->libctx, NULL, key, NULL)) >
          0 &&
      EVP_PKEY_CTX_set_params(inside, params) > 0;
  for (size_t done = 0; good && done < plan->input_len; done += plan->piece) {
    size_t now = plan->input_len - done < plan->piece ? plan->input_len - done : plan->piece;
    good = (verify ? EVP_DigestVerifyUpdate(ctx, plan->input + done, now)
                   : EVP_DigestSignUpdate(ctx, plan->input + done, now)) > 0;
    if (good && plan->copied && done == 0) {
      EVP_MD_CTX *copy = EVP_MD_CTX_new();
      good = EVP_MD_CTX_copy_ex(copy, ctx) > 0;
      EVP_MD_CTX_free(ctx);
      ctx = copy;
    }
  }
  if (!good) {
    EVP_MD_CTX_free(ctx);
    return NULL;
  }
  return ctx;
}

static bool sign(const struct host *host, EVP_PKEY *key, const struct key_plan *plan, uint8_t *out,
                 size_t *out_len) {
  bool good = false;
  *out_len = PLAY_BYTES_MAX;
  if (plan->piece != 0) {
    EVP_MD_CTX *ctx = message_context(host, key, plan, false);
    good = ctx != NULL && EVP_DigestSignFinal(ctx, out, out_len) > 0;
    EVP_MD_CTX_free(ctx);
  } else {
    EVP_PKEY_CTX *ctx = signature_context(host, key, plan, false);
    good = ctx != NULL && EVP_PKEY_sign(ctx, out, out_len, plan->input, plan->input_len) > 0;
    EVP_PKEY_CTX_free(ctx);
  }
  ERR_clear_error();
  return good;
}

static bool verify(const struct host *host, EVP_PKEY *key, const struct key_plan *plan,
                   const uint8_t *made, size_t made_len) {
  bool good = false;
  if (plan->piece != 0) {
    EVP_MD_CTX *ctx = message_context(host, key, plan, true);
    good = ctx != NULL && EVP_DigestVerifyFinal(ctx, made, made_len) > 0;
    EVP_MD_CTX_free(ctx);
  } else {
    EVP_PKEY_CTX *ctx = signature_context(host, key, plan, true);
    good = ctx != NULL && EVP_PKEY_verify(ctx, made, made_len, plan->input, plan->input_len) > 0;
    EVP_PKEY_CTX_free(ctx);
  }
  ERR_clear_error();
  return good;
}

/* Returns whether OpenSSL signs this and then refuses its own signature: no bytes, PKCS #1 without
 * a digest (RSA_sign() pads nothing, RSA_verify() takes no empty message). */
static bool refuses_its_own(const struct key_plan *plan) {
  return plan->input_len == 0 && plan->piece == 0 && plan->digest == NULL &&
         plan->padding != NULL && strcmp(plan->padding, "pkcs1") == 0;
}

bool play_signature(const struct keys *keys, struct dice *dice) {
  struct key_plan plan;
  uint8_t made[2][PLAY_BYTES_MAX];
  size_t length[2];
  bool good[2];
  plan_signature(&plan, dice);
  for (unsigned side = 0; side < 2; side++) {
    play_between(keys);
    good[side] =
        sign(keys->hosts[side], keys->keys[side][plan.key], &plan, made[side], &length[side]);
  }
  if (good[0] != good[1]) {
    return play_complain(&plan, "signing", good[0], good[1]);
  }
  if (!good[0]) {
    return true;
  }
  bool unique = plan.padding != NULL && strcmp(plan.padding, "pss") != 0;
  if (unique && (length[0] != length[1] || memcmp(made[0], made[1], length[0]) != 0)) {
    return play_complain(&plan, "signature", false, true);
  }
  unsigned maker = (unsigned)dice_roll(dice, 2);
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    if (wrong != 0) {
      made[maker][dice_roll(dice, length[maker])] ^= (uint8_t)(1u << dice_roll(dice, 8));
    }
    for (unsigned side = 0; side < 2; side++) {
      play_between(keys);
      good[side] =
          verify(keys->hosts[side], keys->keys[side][plan.key], &plan, made[maker], length[maker]);
    }
    if (good[0] != good[1] || (wrong == 0 && good[0] == refuses_its_own(&plan))) {
      return play_complain(&plan, "verifying", good[0], good[1]);
    }
  }
  return true;
}
