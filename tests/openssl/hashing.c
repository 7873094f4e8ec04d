/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Plans, runs and compares messages under a hash.
 */
#include "hashing.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

struct plan {
  const char *name; /* of the digest or KMAC */
  size_t digest;    /* of the host's */
  bool keyed, xof;
  uint8_t key[150], custom[20];
  size_t key_len, custom_len;
  size_t output_len; /* of a SHAKE or KMAC; 0: the default length */
  size_t length, largest_cut, copy_at;
  uint64_t cuts;
  bool even;  /* all pieces have the largest length */
  bool again; /* run a second message with the same context */
};

static void plan_make(struct plan *plan, const struct hashing *hashing, struct dice *dice,
                      size_t longest) {
  size_t which = dice_roll(dice, HOST_DIGESTS);
  bool sponge = which >= HOST_DIGESTS - 2;
  *plan = (struct plan){.name = host_digest_names[which], .digest = which};
  plan->keyed = dice_roll(dice, 2) == 0 && !hashing->plain;
  if (plan->keyed && sponge) {
    plan->name = which == HOST_DIGESTS - 2 ? "KMAC128" : "KMAC256";
    plan->custom_len = dice_roll(dice, 4) == 0 ? 1 + dice_roll(dice, sizeof(plan->custom)) : 0;
  }
  plan->xof = sponge && dice_roll(dice, 4) != 0;
  plan->key_len = 4 + dice_roll(dice, dice_roll(dice, 4) == 0 ? sizeof(plan->key) - 4 : 61);
  plan->output_len = !sponge || (plan->keyed && dice_roll(dice, 4) == 0) ? 0
                     : dice_roll(dice, 20) == 0 ? dice_roll(dice, HASHING_OUTPUT_MAX)
                                                : 1 + dice_roll(dice, 300);
  plan->length = dice_roll(dice, 3) == 0   ? dice_roll(dice, 300)
                 : dice_roll(dice, 3) == 0 ? dice_roll(dice, HASHING_MAX)
                                           : dice_roll(dice, 5000);
  plan->length = plan->length < longest ? plan->length : longest;
  plan->largest_cut = dice_roll(dice, 3) == 0 ? 200 : dice_roll(dice, 2) == 0 ? 3000 : 150000;
  plan->copy_at = dice_roll(dice, 3) == 0 ? dice_roll(dice, 4) : SIZE_MAX;
  plan->cuts = dice_next(dice);
  plan->again = dice_roll(dice, 3) == 0;
  if (hashing->piece != 0) {
    plan->even = true;
    plan->largest_cut = hashing->piece;
    plan->length = 2 * hashing->piece + dice_roll(dice, HASHING_MAX - 2 * hashing->piece);
  }
  dice_fill(dice, plan->key, sizeof(plan->key));
  dice_fill(dice, plan->custom, sizeof(plan->custom));
}

/* The division of a message into pieces, the same for both sides. */
struct pieces {
  struct dice cuts;
  size_t done, count;
};

static size_t next(struct pieces *pieces, const struct plan *plan) {
  size_t left = plan->length - pieces->done;
  size_t now = plan->even ? plan->largest_cut : dice_roll(&pieces->cuts, plan->largest_cut);
  now = now < left ? now : left;
  pieces->done += now;
  pieces->count++;
  return now;
}

static int play_digest(uint8_t *output, const struct plan *plan, EVP_MD *md, EVP_MD_CTX **context,
                       const uint8_t *message, void (*between)(void)) {
  struct pieces pieces = {.cuts = {plan->cuts}};
  unsigned written = 0;
  int good = EVP_DigestInit_ex2(*context, md, NULL);
  while (pieces.done < plan->length) {
    size_t at = pieces.done, now = next(&pieces, plan);
    if (pieces.count - 1 == plan->copy_at) {
      EVP_MD_CTX *copy = EVP_MD_CTX_new();
      CHECK(EVP_MD_CTX_copy_ex(copy, *context) == 1);
      EVP_MD_CTX_free(*context);
      *context = copy;
    }
    if (between != NULL) {
      between();
    }
    good &= EVP_DigestUpdate(*context, message + at, now);
  }
  if (plan->output_len != 0) {
    return good & EVP_DigestFinalXOF(*context, output, plan->output_len);
  }
  return good & EVP_DigestFinal_ex(*context, output, &written);
}

static int play_mac(uint8_t *output, const struct plan *plan, EVP_MAC_CTX **context, bool again,
                    const uint8_t *message, void (*between)(void)) {
  struct pieces pieces = {.cuts = {plan->cuts}};
  bool kmac = strncmp(plan->name, "KMAC", 4) == 0;
  size_t written = 0;
  OSSL_PARAM params[4], *end = params;
  if (kmac && plan->custom_len != 0) {
    *end++ = OSSL_PARAM_construct_octet_string("custom", (void *)(uintptr_t)plan->custom,
                                               plan->custom_len);
  }
  if (!kmac) {
    *end++ = OSSL_PARAM_construct_utf8_string("digest", (char *)(uintptr_t)plan->name, 0);
  }
  if (kmac && plan->output_len != 0 && !plan->xof) {
    *end++ = OSSL_PARAM_construct_size_t("size", (size_t *)(uintptr_t)&plan->output_len);
  }
  *end = OSSL_PARAM_construct_end();
  int good = again ? EVP_MAC_init(*context, NULL, 0, NULL)
                   : EVP_MAC_init(*context, plan->key, plan->key_len, params);
  while (pieces.done < plan->length) {
    size_t at = pieces.done, now = next(&pieces, plan);
    if (pieces.count - 1 == plan->copy_at) {
      EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(*context);
      CHECK(copy != NULL);
      EVP_MAC_CTX_free(*context);
      *context = copy;
    }
    if (between != NULL) {
      between();
    }
    good &= EVP_MAC_update(*context, message + at, now);
  }
  if (kmac && plan->xof && plan->output_len != 0) {
    return good & EVP_MAC_finalXOF(*context, output, plan->output_len);
  }
  good &= EVP_MAC_final(*context, output, &written, HASHING_OUTPUT_MAX);
  CHECK(!good || written == EVP_MAC_CTX_get_mac_size(*context));
  return good;
}

static int play(uint8_t output[2][HASHING_OUTPUT_MAX], const struct plan *plan, struct host *host,
                const uint8_t *message, void (*between)(void)) {
  int good;
  memset(output, 0, 2u * HASHING_OUTPUT_MAX);
  if (plan->keyed) {
    const char *name = strncmp(plan->name, "KMAC", 4) == 0 ? plan->name : "HMAC";
    EVP_MAC *mac = EVP_MAC_fetch(host->libctx, name, NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    CHECK(context != NULL);
    good = play_mac(output[0], plan, &context, false, message, between);
    good &= !plan->again || play_mac(output[1], plan, &context, true, message, between);
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
    return good;
  }
  EVP_MD *md = host->digests[plan->digest];
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  CHECK(context != NULL);
  good = play_digest(output[0], plan, md, &context, message, between);
  good &= !plan->again || play_digest(output[1], plan, md, &context, message, between);
  EVP_MD_CTX_free(context);
  return good;
}

bool hashing_play(struct hashing *hashing, struct host *ours, struct host *theirs,
                  struct dice *dice, size_t longest) {
  struct plan plan;
  plan_make(&plan, hashing, dice, longest);
  dice_fill(dice, hashing->message, plan.length < 4096 ? plan.length : 4096);
  int their_answer = play(hashing->theirs, &plan, theirs, hashing->message, NULL);
  int our_answer = play(hashing->ours, &plan, ours, hashing->message, hashing->between);
  if (our_answer == their_answer &&
      memcmp(hashing->ours, hashing->theirs, sizeof(hashing->ours)) == 0) {
    return true;
  }
  fprintf(stderr,
          "%s%s, %zu bytes, cuts below %zu, key %zu, custom %zu, output %zu, XOF %d, copy at %zu, "
          "again %d: answers %d and %d, the first %s\n",
          plan.keyed ? "MAC with " : "", plan.name, plan.length, plan.largest_cut, plan.key_len,
          plan.custom_len, plan.output_len, plan.xof, plan.copy_at, plan.again, our_answer,
          their_answer,
          memcmp(hashing->ours[0], hashing->theirs[0], HASHING_OUTPUT_MAX) == 0 ? "equal"
                                                                                : "differs");
  return false;
}
