/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Plans, runs and compares messages.
 */
#include "message.h"

static bool is_aead(const struct plan *plan) {
  return plan->mode == EVP_CIPH_GCM_MODE || plan->mode == EVP_CIPH_CCM_MODE;
}

static size_t any_length(struct dice *dice, size_t longest) {
  switch (dice_roll(dice, 8)) {
  case 0:
    return dice_roll(dice, 40);
  case 1:
    return 65536 - 20 + dice_roll(dice, 40);
  case 2:
    return dice_roll(dice, longest);
  case 3:
    return 16 * dice_roll(dice, 200);
  default:
    return dice_roll(dice, 5000);
  }
}

static void plan_make(struct plan *plan, const EVP_CIPHER *cipher, struct dice *dice,
                      size_t longest) {
  plan->mode = EVP_CIPHER_get_mode(cipher);
  plan->encrypt = dice_roll(dice, 2) == 0;
  plan->in_place = dice_roll(dice, 2) == 0;
  plan->padding = dice_roll(dice, 3) != 0;
  plan->padding_twice = dice_roll(dice, 3) == 0; /* set the opposite value first */
  plan->bad_tag = dice_roll(dice, 8) == 0;
  plan->key_apart = dice_roll(dice, 4) == 0;
  plan->iv_twice = dice_roll(dice, 4) == 0;
  plan->length = any_length(dice, longest);
  plan->length = plan->length < longest ? plan->length : longest;
  plan->offset = dice_roll(dice, 16);
  plan->largest_cut = dice_roll(dice, 3) == 0 ? 64 : dice_roll(dice, 2) == 0 ? 70000 : 3000;
  plan->cuts = dice_next(dice);
  plan->copy_at = dice_roll(dice, 3) == 0 ? dice_roll(dice, 4) : SIZE_MAX;
  plan->iv_len = (size_t)EVP_CIPHER_get_iv_length(cipher);
  plan->aad_len = dice_roll(dice, 2) == 0 ? dice_roll(dice, 40) : dice_roll(dice, 600);
  plan->tag_len = 16;
  if (plan->mode == EVP_CIPH_GCM_MODE && dice_roll(dice, 3) == 0) {
    plan->iv_len = 1 + dice_roll(dice, 64);
    plan->tag_len = 4 + dice_roll(dice, 13);
  }
  if (plan->mode == EVP_CIPH_CCM_MODE) {
    plan->iv_len = 7 + dice_roll(dice, 5); /* length fields of three bytes and more */
    plan->tag_len = 4 + 2 * dice_roll(dice, 7);
  }
  bool whole = plan->mode == EVP_CIPH_XTS_MODE || plan->mode == EVP_CIPH_CCM_MODE;
  if (whole) {
    plan->largest_cut = MESSAGE_MAX;
  }
  /* With buffered bytes an update can return more bytes than it gets. */
  if (plan->mode == EVP_CIPH_ECB_MODE || plan->mode == EVP_CIPH_CBC_MODE) {
    plan->in_place = plan->in_place && plan->largest_cut == 70000;
    plan->largest_cut = plan->in_place ? MESSAGE_MAX : plan->largest_cut;
  }
  dice_fill(dice, plan->key, sizeof(plan->key));
  dice_fill(dice, plan->iv, sizeof(plan->iv));
  dice_fill(dice, plan->aad, sizeof(plan->aad));
}

static EVP_CIPHER_CTX *start(const struct plan *plan, const EVP_CIPHER *cipher, int *good) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  uint8_t tag[16];
  int encrypt = plan->encrypt, length;
  *good &= EVP_CipherInit_ex(context, cipher, NULL, NULL, NULL, encrypt);
  if (is_aead(plan)) {
    *good &= EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)plan->iv_len, NULL) > 0;
    memcpy(tag, plan->tag, sizeof(tag));
    tag[0] ^= plan->bad_tag ? 1 : 0;
    if (plan->mode == EVP_CIPH_CCM_MODE || !encrypt) {
      *good &= EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)plan->tag_len,
                                   encrypt ? NULL : tag) > 0;
    }
  }
  if (plan->key_apart) {
    *good &= EVP_CipherInit_ex(context, NULL, NULL, plan->key, NULL, encrypt);
    *good &= EVP_CipherInit_ex(context, NULL, NULL, NULL, plan->iv, encrypt);
  } else {
    *good &= EVP_CipherInit_ex(context, NULL, NULL, plan->key, plan->iv, encrypt);
  }
  if (plan->iv_twice) { /* EVP asks for its length first */
    *good &= EVP_CipherInit_ex(context, NULL, NULL, NULL, plan->iv, encrypt);
  }
  if (plan->padding_twice) {
    *good &= EVP_CIPHER_CTX_set_padding(context, !plan->padding);
  }
  *good &= EVP_CIPHER_CTX_set_padding(context, plan->padding);
  if (plan->mode == EVP_CIPH_CCM_MODE) {
    *good &= EVP_CipherUpdate(context, NULL, &length, NULL, (int)plan->length);
  }
  if (is_aead(plan)) {
    size_t first = plan->mode == EVP_CIPH_GCM_MODE ? plan->aad_len / 3 : 0;
    if (first != 0) {
      *good &= EVP_CipherUpdate(context, NULL, &length, plan->aad, (int)first);
    }
    if (plan->aad_len != first) {
      *good &=
          EVP_CipherUpdate(context, NULL, &length, plan->aad + first, (int)(plan->aad_len - first));
    }
  }
  return context;
}

/* Replaces the context by a copy, and frees the original. */
static EVP_CIPHER_CTX *replace(EVP_CIPHER_CTX *context) {
  EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
  CHECK(EVP_CIPHER_CTX_copy(copy, context) == 1);
  EVP_CIPHER_CTX_free(context);
  return copy;
}

/* The results of one side. */
static void play(struct stage *stage, struct result *result, const struct plan *plan,
                 struct host *host) {
  struct dice cuts = {plan->cuts};
  uint8_t *input = stage->work + plan->offset;
  int length = 0;
  memset(result, 0, sizeof(*result));
  result->good = 1;
  EVP_CIPHER_CTX *context = start(plan, host->ciphers[plan->cipher], &result->good);
  memcpy(input, stage->message, plan->length);
  uint8_t *output = plan->in_place ? input : result->output;
  size_t updates = 0;
  for (size_t done = 0; done < plan->length && result->good; updates++) {
    size_t left = plan->length - done, now = 1 + dice_roll(&cuts, plan->largest_cut);
    now = now > left || plan->largest_cut == MESSAGE_MAX ? left : now;
    context = updates == plan->copy_at ? replace(context) : context;
    if (stage->between != NULL && result == &stage->ours) {
      stage->between();
    }
    result->good &=
        EVP_CipherUpdate(context, output + result->output_len, &length, input + done, (int)now);
    result->output_len += (size_t)length;
    done += now;
  }
  context = updates == plan->copy_at ? replace(context) : context;
  if (result->good) {
    result->good &= EVP_CipherFinal_ex(context, output + result->output_len, &length);
    result->output_len += result->good ? (size_t)length : 0;
  }
  if (result->good && is_aead(plan) && plan->encrypt) {
    result->good &=
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)plan->tag_len, result->tag) > 0;
  }
  result->iv_length = EVP_CIPHER_CTX_get_iv_length(context);
  (void)EVP_CIPHER_CTX_get_updated_iv(context, result->iv, plan->iv_len);
  if (plan->in_place) {
    memcpy(result->output, output, result->output_len);
  }
  /* The output of a failed decryption may differ, and must not be used. */
  if (!result->good) {
    memset(result, 0, sizeof(*result));
  }
  EVP_CIPHER_CTX_free(context);
}

static bool same(const struct plan *plan, const EVP_CIPHER *cipher, const struct result *ours,
                 const struct result *theirs) {
  if (memcmp(ours, theirs, sizeof(*ours)) == 0) {
    return true;
  }
  size_t at = 0;
  while (at < MESSAGE_ROOM - 1 && ours->output[at] == theirs->output[at]) {
    at++;
  }
  fprintf(stderr,
          "%s %s, %zu bytes at offset %zu, cuts up to %zu, in place %d, padding %d, IV %zu, AAD "
          "%zu, tag %zu, copy at %zu: answers %d and %d, %zu and %zu bytes, first difference at "
          "%zu, tags %s\n",
          EVP_CIPHER_get0_name(cipher), plan->encrypt ? "encrypt" : "decrypt", plan->length,
          plan->offset, plan->largest_cut, plan->in_place, plan->padding, plan->iv_len,
          plan->aad_len, plan->tag_len, plan->copy_at, ours->good, theirs->good, ours->output_len,
          theirs->output_len, at, memcmp(ours->tag, theirs->tag, 16) == 0 ? "equal" : "differ");
  return false;
}

bool message_play(struct stage *stage, struct host *ours, struct host *theirs, struct dice *dice,
                  size_t longest) {
  struct plan *plan = &stage->plan;
  plan->cipher = dice_roll(dice, HOST_CIPHERS);
  plan_make(plan, theirs->ciphers[plan->cipher], dice, longest);
  dice_fill(dice, stage->message, plan->length < 4096 ? plan->length : 4096);
  if (!plan->encrypt) { /* make a ciphertext to decrypt */
    struct plan forth = *plan;
    forth.encrypt = true;
    forth.padding = true;
    play(stage, &stage->theirs, &forth, theirs);
    memcpy(plan->tag, stage->theirs.tag, sizeof(plan->tag));
    if (stage->theirs.good && stage->theirs.output_len <= MESSAGE_MAX) {
      plan->length = stage->theirs.output_len;
      memcpy(stage->message, stage->theirs.output, plan->length);
    }
  }
  play(stage, &stage->theirs, plan, theirs);
  play(stage, &stage->ours, plan, ours);
  return same(plan, ours->ciphers[plan->cipher], &stage->ours, &stage->theirs);
}
