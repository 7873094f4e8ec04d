/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Makes valid and invalid signatures, ciphertexts and secrets.
 */
#include "keys.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rsa.h>

#define BYTES_MAX 600u

/* Keys that the device can do with, and some that it cannot: another curve, no factors. */
static const struct {
  const char *type;
  unsigned bits;     /* RSA */
  const char *group; /* EC */
  bool bare;         /* without factors */
} kinds[KEYS] = {
    {"RSA", 1024, NULL, false},    {"RSA", 1031, NULL, false},          {"RSA", 2048, NULL, false},
    {"RSA", 1024, NULL, true},     {"RSA-PSS", 1024, NULL, false},      {"RSA", 512, NULL, false},
    {"EC", 0, "P-256", false},     {"EC", 0, "P-384", false},           {"EC", 0, "P-521", false},
    {"EC", 0, "secp256k1", false}, {"EC", 0, "brainpoolP256r1", false}, {"EC", 0, "P-256", false},
};

static bool is_rsa(unsigned key) {
  return kinds[key].group == NULL;
}

static EVP_PKEY *import(OSSL_LIB_CTX *libctx, const char *type, OSSL_PARAM *params) {
  EVP_PKEY *made = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(libctx, type, NULL);
  CHECK(ctx != NULL && EVP_PKEY_fromdata_init(ctx) > 0);
  CHECK(EVP_PKEY_fromdata(ctx, &made, EVP_PKEY_KEYPAIR, params) > 0);
  EVP_PKEY_CTX_free(ctx);
  return made;
}

EVP_PKEY *keys_move(const struct host *host, EVP_PKEY *pkey) {
  OSSL_PARAM *params = NULL;
  int selection = EVP_PKEY_KEYPAIR;
  if (EVP_PKEY_todata(pkey, selection, &params) <= 0) {
    return NULL;
  }
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(host->libctx, EVP_PKEY_get0_type_name(pkey), NULL);
  EVP_PKEY *made = NULL;
  CHECK(ctx != NULL && EVP_PKEY_fromdata_init(ctx) > 0);
  CHECK(EVP_PKEY_fromdata(ctx, &made, selection, params) > 0);
  EVP_PKEY_CTX_free(ctx);
  OSSL_PARAM_free(params);
  return made;
}

/* n, e and d of a key. */
static EVP_PKEY *without_factors(OSSL_LIB_CTX *libctx, EVP_PKEY *pkey) {
  static const char *const names[] = {OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E,
                                      OSSL_PKEY_PARAM_RSA_D};
  OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
  BIGNUM *numbers[3] = {NULL};
  for (unsigned i = 0; i < 3; i++) {
    CHECK(EVP_PKEY_get_bn_param(pkey, names[i], &numbers[i]));
    CHECK(OSSL_PARAM_BLD_push_BN(build, names[i], numbers[i]));
  }
  OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
  EVP_PKEY *made = import(libctx, "RSA", params);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(build);
  for (unsigned i = 0; i < 3; i++) {
    BN_clear_free(numbers[i]);
  }
  EVP_PKEY_free(pkey);
  return made;
}

static EVP_PKEY *make(const struct host *host, unsigned kind) {
  EVP_PKEY *pkey = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(host->libctx, kinds[kind].type, NULL);
  CHECK(ctx != NULL && EVP_PKEY_keygen_init(ctx) > 0);
  if (is_rsa(kind)) {
    CHECK(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, (int)kinds[kind].bits) > 0);
  } else {
    CHECK(EVP_PKEY_CTX_set_group_name(ctx, kinds[kind].group) > 0);
  }
  CHECK(EVP_PKEY_generate(ctx, &pkey) > 0);
  EVP_PKEY_CTX_free(ctx);
  return kinds[kind].bare ? without_factors(host->libctx, pkey) : pkey;
}

/* Made by one and moved to the other, in turns. */
void keys_make(struct keys *keys, const struct host *ours, const struct host *theirs) {
  *keys = (struct keys){.hosts = {ours, theirs}};
  for (unsigned i = 0; i < KEYS; i++) {
    unsigned maker = i % 2;
    keys->keys[maker][i] = make(keys->hosts[maker], i);
    keys->keys[!maker][i] = keys_move(keys->hosts[!maker], keys->keys[maker][i]);
    CHECK(keys->keys[!maker][i] != NULL);
    if (!is_rsa(i)) {
      keys->peers[maker][i] = make(keys->hosts[maker], i);
      keys->peers[!maker][i] = keys_move(keys->hosts[!maker], keys->peers[maker][i]);
    }
  }
}

void keys_free(struct keys *keys) {
  for (unsigned i = 0; i < 2 * KEYS; i++) {
    EVP_PKEY_free(keys->keys[i % 2][i / 2]);
    EVP_PKEY_free(keys->peers[i % 2][i / 2]);
  }
}

/* What is to be done, drawn before it is done on either side. */
struct plan {
  unsigned key;
  const char *padding, *digest, *mask, *salt; /* NULL: not set */
  uint8_t input[BYTES_MAX], label[20];
  size_t input_len, label_len;
  size_t piece; /* of a message; 0: the input is a digest */
  bool copied;  /* the context, halfway */
};

static const char *pick(struct dice *dice, const char *const *words, size_t count) {
  return words[dice_roll(dice, count)];
}
#define PICK(dice, words) pick(dice, words, sizeof(words) / sizeof((words)[0]))

static const char *const digests[] = {"SHA1",   "SHA224",     "SHA256",   "SHA384",
                                      "SHA512", "SHA512-256", "SHA3-256", "SHA256"};

static size_t digest_length(const char *name) {
  return (size_t)EVP_MD_get_size(EVP_get_digestbyname(name));
}

static void plan_signature(struct plan *plan, struct dice *dice) {
  static const char *const paddings[] = {"pkcs1", "pss", "pss", "none", "x931"};
  static const char *const salts[] = {"digest", "max", "auto", "0", "11", "500"};
  *plan = (struct plan){.key = (unsigned)dice_roll(dice, KEYS)};
  bool message = dice_roll(dice, 2) != 0;
  plan->digest = message || dice_roll(dice, 4) != 0 ? PICK(dice, digests) : NULL;
  if (is_rsa(plan->key)) {
    plan->padding = PICK(dice, paddings);
    if (strcmp(plan->padding, "pss") == 0 && plan->digest != NULL) {
      plan->salt = dice_roll(dice, 2) != 0 ? PICK(dice, salts) : NULL;
      plan->mask = dice_roll(dice, 3) == 0 ? PICK(dice, digests) : NULL;
    }
  }
  plan->input_len = dice_roll(dice, 400);
  if (message) {
    plan->piece = 1 + dice_roll(dice, 400);
    plan->copied = dice_roll(dice, 2) != 0;
  } else if (plan->digest != NULL) { /* or of another length: refused */
    bool wrong = dice_roll(dice, 10) == 0;
    plan->input_len = wrong ? dice_roll(dice, 66) : digest_length(plan->digest);
  } else if (plan->digest == NULL) { /* ECDSA; a number as long as the modulus; or neither */
    size_t length = is_rsa(plan->key) ? (kinds[plan->key].bits + 7) / 8 : 48;
    plan->input_len = dice_roll(dice, 2) != 0 ? length : dice_roll(dice, 80);
  }
  dice_fill(dice, plan->input, plan->input_len);
}

/* The parameters of a plan; a count of them. */
static void parameters(OSSL_PARAM params[8], const struct plan *plan) {
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

/* A context for the plan; NULL: refused. */
static EVP_PKEY_CTX *signature_context(const struct host *host, EVP_PKEY *key,
                                       const struct plan *plan, bool verify) {
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

static EVP_MD_CTX *message_context(const struct host *host, EVP_PKEY *key, const struct plan *plan,
                                   bool verify) {
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

static bool sign(const struct host *host, EVP_PKEY *key, const struct plan *plan, uint8_t *out,
                 size_t *out_len) {
  bool good = false;
  *out_len = BYTES_MAX;
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

static bool verify(const struct host *host, EVP_PKEY *key, const struct plan *plan,
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

static const char *shown(const char *word) {
  return word != NULL ? word : "-";
}

static bool complain(const struct plan *plan, const char *what, bool ours, bool theirs) {
  fprintf(stderr,
          "%s with %s %u %s: padding %s, digest %s, mask %s, salt %s, %zu bytes: %d, not %d\n",
          what, kinds[plan->key].type, kinds[plan->key].bits, shown(kinds[plan->key].group),
          shown(plan->padding), shown(plan->digest), shown(plan->mask), shown(plan->salt),
          plan->input_len, ours, theirs);
  return false;
}

static void between(const struct keys *keys) {
  if (keys->between != NULL) {
    keys->between();
  }
}

/* Returns whether OpenSSL signs this and then refuses its own signature: no bytes, PKCS #1 without
 * a digest (RSA_sign() pads nothing, RSA_verify() takes no empty message). */
static bool signs_in_vain(const struct plan *plan) {
  return plan->input_len == 0 && plan->piece == 0 && plan->digest == NULL &&
         plan->padding != NULL && strcmp(plan->padding, "pkcs1") == 0;
}

static bool play_signature(const struct keys *keys, struct dice *dice) {
  struct plan plan;
  uint8_t made[2][BYTES_MAX];
  size_t length[2];
  bool good[2];
  plan_signature(&plan, dice);
  for (unsigned side = 0; side < 2; side++) {
    between(keys);
    good[side] =
        sign(keys->hosts[side], keys->keys[side][plan.key], &plan, made[side], &length[side]);
  }
  if (good[0] != good[1]) {
    return complain(&plan, "signing", good[0], good[1]);
  }
  if (!good[0]) {
    return true;
  }
  bool unique = plan.padding != NULL && strcmp(plan.padding, "pss") != 0;
  if (unique && (length[0] != length[1] || memcmp(made[0], made[1], length[0]) != 0)) {
    return complain(&plan, "signature", false, true);
  }
  unsigned maker = (unsigned)dice_roll(dice, 2);
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    if (wrong != 0) {
      made[maker][dice_roll(dice, length[maker])] ^= (uint8_t)(1u << dice_roll(dice, 8));
    }
    for (unsigned side = 0; side < 2; side++) {
      between(keys);
      good[side] =
          verify(keys->hosts[side], keys->keys[side][plan.key], &plan, made[maker], length[maker]);
    }
    if (good[0] != good[1] || (wrong == 0 && good[0] == signs_in_vain(&plan))) {
      return complain(&plan, "verifying", good[0], good[1]);
    }
  }
  return true;
}

/* Encryption, or decryption if the input is a ciphertext. */
static bool crypt_with(const struct host *host, EVP_PKEY *key, const struct plan *plan,
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
  *out_len = BYTES_MAX;
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

static void plan_encryption(struct plan *plan, struct dice *dice) {
  static const char *const paddings[] = {"oaep", "oaep", "oaep", "pkcs1", "none"};
  static const unsigned usable[] = {0, 1, 2, 3, 5};
  *plan = (struct plan){.key = usable[dice_roll(dice, 5)], .padding = PICK(dice, paddings)};
  size_t bytes = (kinds[plan->key].bits + 7) / 8;
  plan->input_len = dice_roll(dice, bytes + 2);
  plan->copied = dice_roll(dice, 2) != 0;
  if (strcmp(plan->padding, "oaep") == 0) {
    plan->digest = dice_roll(dice, 2) != 0 ? PICK(dice, digests) : NULL;
    plan->mask = dice_roll(dice, 3) == 0 ? PICK(dice, digests) : NULL;
    plan->label_len = dice_roll(dice, 3) == 0 ? 1 + dice_roll(dice, sizeof(plan->label)) : 0;
    /* OpenSSL 3.5.4, for one, has both copies free the label. */
    plan->copied = plan->copied && plan->label_len == 0;
    plan->input_len = dice_roll(dice, bytes > 140 ? bytes - 130 : 30);
  } else if (strcmp(plan->padding, "none") == 0 && dice_roll(dice, 5) != 0) {
    plan->input_len = bytes;
  }
  dice_fill(dice, plan->input, plan->input_len);
  dice_fill(dice, plan->label, plan->label_len);
}

static bool play_encryption(const struct keys *keys, struct dice *dice) {
  struct plan plan;
  uint8_t sealed[2][BYTES_MAX], opened[2][BYTES_MAX];
  size_t sealed_len[2], opened_len[2];
  bool good[2];
  plan_encryption(&plan, dice);
  for (unsigned side = 0; side < 2; side++) {
    between(keys);
    good[side] = crypt_with(keys->hosts[side], keys->keys[side][plan.key], &plan, false, plan.input,
                            plan.input_len, sealed[side], &sealed_len[side]);
  }
  if (good[0] != good[1]) {
    return complain(&plan, "encrypting", good[0], good[1]);
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
      between(keys);
      good[side] = crypt_with(keys->hosts[side], keys->keys[side][plan.key], &plan, true,
                              sealed[maker], sealed_len[maker], opened[side], &opened_len[side]);
    }
    bool same =
        good[0] == good[1] && (!good[0] || (opened_len[0] == opened_len[1] &&
                                            memcmp(opened[0], opened[1], opened_len[0]) == 0));
    bool right = wrong != 0 || (good[0] && opened_len[0] == plan.input_len &&
                                memcmp(opened[0], plan.input, plan.input_len) == 0);
    if (!same || !right) {
      return complain(&plan, "decrypting", good[0], good[1]);
    }
  }
  return true;
}

/* A secret of `room` bytes at most, derived further if `kdf`. */
static bool derive(const struct keys *keys, unsigned side, const struct plan *plan, unsigned peer,
                   bool kdf, uint8_t *out, size_t *out_len) {
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

static bool play_derivation(const struct keys *keys, struct dice *dice) {
  uint8_t secret[2][BYTES_MAX];
  size_t length[2];
  bool good[2];
  struct plan plan = {.key = 6 + (unsigned)dice_roll(dice, KEYS - 6)};
  unsigned peer = dice_roll(dice, 8) != 0 ? plan.key : 6 + (unsigned)dice_roll(dice, KEYS - 6);
  bool kdf = dice_roll(dice, 5) == 0;
  plan.input_len = dice_roll(dice, 5) == 0 ? dice_roll(dice, 70) + 1 : BYTES_MAX;
  plan.copied = dice_roll(dice, 2) != 0;
  for (unsigned side = 0; side < 2; side++) {
    between(keys);
    good[side] = derive(keys, side, &plan, peer, kdf, secret[side], &length[side]);
  }
  if (good[0] != good[1] ||
      (good[0] && (length[0] != length[1] || memcmp(secret[0], secret[1], length[0]) != 0))) {
    return complain(&plan, "deriving", good[0], good[1]);
  }
  return true;
}

bool keys_play(const struct keys *keys, struct dice *dice) {
  switch (dice_roll(dice, 3)) {
  case 0:
    return play_signature(keys, dice);
  case 1:
    return play_encryption(keys, dice);
  default:
    return play_derivation(keys, dice);
  }
}
