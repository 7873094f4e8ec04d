/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random encryption, decryption and key agreement.
 */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include "key_play.h"

/* Encrypts or decrypts the input. Returns false if it is refused. */
static bool crypt_with(const struct host *host, EVP_PKEY *key, const struct key_plan *plan,
                       bool decrypt, const uint8_t *input, size_t input_len, uint8_t *out,
                       size_t *out_len) {
  OSSL_PARAM params[6];
  size_t count = 0;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  CHECK(ctx != NULL);
  params[count++] =
      OSSL_PARAM_construct_utf8_string(OSSL_ASYM_CIPHER_PARAM_PAD_MODE, (char *)plan->padding, 0);
  if (plan->digest != NULL) {
    params[count++] = OSSL_PARAM_construct_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST,
                                                       (char *)plan->digest, 0);
  }
  if (plan->mask != NULL) {
    params[count++] =
        OSSL_PARAM_construct_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, (char *)plan->mask, 0);
  }
  if (plan->label_len != 0) {
    params[count++] = OSSL_PARAM_construct_octet_string(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL,
                                                        (void *)plan->label, plan->label_len);
  }
  params[count] = OSSL_PARAM_construct_end();
  *out_len = PLAY_BYTES_MAX;
  bool good = (decrypt ? EVP_PKEY_decrypt_init(ctx) : EVP_PKEY_encrypt_init(ctx)) > 0 &&
              EVP_PKEY_CTX_set_params(ctx, params) > 0;
  if (good && plan->copied) {
    EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(ctx);
    EVP_PKEY_CTX_free(ctx);
    ctx = copy;
  }
  good = good && (decrypt ? EVP_PKEY_decrypt(ctx, out, out_len, input, input_len)
                          : EVP_PKEY_encrypt(ctx, out, out_len, input, input_len)) > 0;
  EVP_PKEY_CTX_free(ctx);
  ERR_clear_error();
  return good;
}

static void plan_encryption(struct key_plan *plan, struct dice *dice) {
  static const char *const paddings[] = {"oaep", "oaep", "oaep", "pkcs1", "none"};
  static const unsigned usable[] = {0, 1, 2, 3, 5};
  *plan =
      (struct key_plan){.key = usable[dice_roll(dice, 5)], .padding = PLAY_PICK(dice, paddings)};
  size_t bytes = (key_kinds[plan->key].bits + 7) / 8;
  plan->input_len = dice_roll(dice, bytes + 2);
  plan->copied = dice_roll(dice, 2) != 0;
  if (strcmp(plan->padding, "oaep") == 0) {
    plan->digest = dice_roll(dice, 2) != 0 ? PLAY_PICK(dice, play_digests) : NULL;
    plan->mask = dice_roll(dice, 3) == 0 ? PLAY_PICK(dice, play_digests) : NULL;
    plan->label_len = dice_roll(dice, 3) == 0 ? 1 + dice_roll(dice, sizeof(plan->label)) : 0;
    /* In OpenSSL 3.5.4 and others both copies free the label. */
    plan->copied = plan->copied && plan->label_len == 0;
    plan->input_len = dice_roll(dice, bytes > 140 ? bytes - 130 : 30);
  } else if (strcmp(plan->padding, "none") == 0 && dice_roll(dice, 5) != 0) {
    plan->input_len = bytes;
  }
  dice_fill(dice, plan->input, plan->input_len);
  dice_fill(dice, plan->label, plan->label_len);
}

bool play_encryption(const struct keys *keys, struct dice *dice) {
  struct key_plan plan;
  uint8_t sealed[2][PLAY_BYTES_MAX], opened[2][PLAY_BYTES_MAX];
  size_t sealed_len[2], opened_len[2];
  bool good[2];
  plan_encryption(&plan, dice);
  for (unsigned side = 0; side < 2; side++) {
    play_between(keys);
    good[side] = crypt_with(keys->hosts[side], keys->keys[side][plan.key], &plan, false, plan.input,
                            plan.input_len, sealed[side], &sealed_len[side]);
  }
  if (good[0] != good[1]) {
    return play_complain(&plan, "encrypting", good[0], good[1]);
  }
  if (!good[0]) {
    return true;
  }
  unsigned maker = (unsigned)dice_roll(dice, 2);
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    if (wrong != 0) {
      sealed[maker][dice_roll(dice, sealed_len[maker])] ^= (uint8_t)(1u << dice_roll(dice, 8));
    }
    for (unsigned side = 0; side < 2; side++) {
      play_between(keys);
      good[side] = crypt_with(keys->hosts[side], keys->keys[side][plan.key], &plan, true,
                              sealed[maker], sealed_len[maker], opened[side], &opened_len[side]);
    }
    bool same =
        good[0] == good[1] && (!good[0] || (opened_len[0] == opened_len[1] &&
                                            memcmp(opened[0], opened[1], opened_len[0]) == 0));
    bool right = wrong != 0 || (good[0] && opened_len[0] == plan.input_len &&
                                memcmp(opened[0], plan.input, plan.input_len) == 0);
    if (!same || !right) {
      return play_complain(&plan, "decrypting", good[0], good[1]);
    }
  }
  return true;
}

/* Agrees on a secret of at most the plan's `input_len` bytes, which `kdf` derives further. */
static bool derive(const struct keys *keys, unsigned side, const struct key_plan *plan,
                   unsigned peer, bool kdf, uint8_t *out, size_t *out_len) {
  size_t kdf_len = 50;
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, "X963KDF", 0),
      OSSL_PARAM_construct_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, "SHA256", 0),
      OSSL_PARAM_construct_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, &kdf_len),
      OSSL_PARAM_construct_end()};
  EVP_PKEY_CTX *ctx =
      EVP_PKEY_CTX_new_from_pkey(keys->hosts[side]->libctx, keys->keys[side][plan->key], NULL);
  *out_len = plan->input_len;
  bool good = EVP_PKEY_derive_init(ctx) > 0 && (!kdf || EVP_PKEY_CTX_set_params(ctx, params) > 0) &&
              EVP_PKEY_derive_set_peer(ctx, keys->peers[side][peer]) > 0;
  if (good && plan->copied) {
    EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(ctx);
    EVP_PKEY_CTX_free(ctx);
    ctx = copy;
  }
  good = good && EVP_PKEY_derive(ctx, out, out_len) > 0;
  EVP_PKEY_CTX_free(ctx);
  ERR_clear_error();
  return good;
}

bool play_derivation(const struct keys *keys, struct dice *dice) {
  uint8_t secret[2][PLAY_BYTES_MAX];
  size_t length[2];
  bool good[2];
  struct key_plan plan = {.key = 6 + (unsigned)dice_roll(dice, KEYS - 6)};
  unsigned peer = dice_roll(dice, 8) != 0 ? plan.key : 6 + (unsigned)dice_roll(dice, KEYS - 6);
  bool kdf = dice_roll(dice, 5) == 0;
  plan.input_len = dice_roll(dice, 5) == 0 ? dice_roll(dice, 70) + 1 : PLAY_BYTES_MAX;
  plan.copied = dice_roll(dice, 2) != 0;
  for (unsigned side = 0; side < 2; side++) {
    play_between(keys);
    good[side] = derive(keys, side, &plan, peer, kdf, secret[side], &length[side]);
  }
  if (good[0] != good[1] ||
      (good[0] && (length[0] != length[1] || memcmp(secret[0], secret[1], length[0]) != 0))) {
    return play_complain(&plan, "deriving", good[0], good[1]);
  }
  return true;
}
