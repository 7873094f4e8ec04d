/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on a context of CMAC, GMAC, HMAC or KMAC.
 *
 * Left out, because OpenSSL's own results are then random or undefined:
 * - more data, or the end once more, after the end (but of GMAC, which refuses it);
 * - GMAC without an IV, which would be random;
 * - GMAC, until the next IV, after a new key in a begun message: OpenSSL goes on from a counter of
 *   zeros; and after an error in a begun message, or after its end: how many of the parameters
 *   OpenSSL has taken is not known, so the provider refuses what follows.
 */
#include <openssl/core_names.h>
#include <openssl/params.h>

#include "sequence.h"

enum kind { CMAC, GMAC, HMAC, KMAC_128, KMAC_256, KINDS };

static const char *const names[KINDS] = {"CMAC", "GMAC", "HMAC", "KMAC-128", "KMAC-256"};

struct mac {
  struct sequence *sequence;
  EVP_MAC_CTX *contexts[2];
  enum kind kind;
  /* of the cipher set last */
  size_t key_len;
  bool key_set, begun, ended;
  /* GMAC */
  bool iv_set, undefined;
};

/* Parameters of one call, with the memory of their values. */
struct values {
  OSSL_PARAM params[8];
  size_t count;
  uint8_t key[200], iv[200], custom[40];
  size_t size;
  int extendable;
  bool names, key_given, iv_given;
};

static bool agrees(const struct mac *mac) {
  return sequence_agrees(mac->sequence);
}

static bool succeeded(const struct mac *mac) {
  return sequence_succeeded(mac->sequence);
}

static void add(struct values *values, OSSL_PARAM param) {
  values->params[values->count++] = param;
}

/* Adds the name of a cipher or a digest. */
static void add_name(struct mac *mac, struct values *values) {
  static const char *const cbc[] = {"AES-128-CBC", "AES-192-CBC", "AES-256-CBC"};
  static const char *const gcm[] = {"AES-128-GCM", "AES-192-GCM", "AES-256-GCM"};
  static const char *const digests[] = {"SHA1",     "SHA256",     "SHA512",
                                        "SHA3-256", "SHA512-256", "MD5"};
  struct dice *dice = &mac->sequence->dice;
  size_t which = dice_roll(dice, 3);
  const char *name = mac->kind == CMAC   ? cbc[which]
                     : mac->kind == GMAC ? gcm[which]
                                         : digests[dice_roll(dice, 6)];
  if (mac->kind >= KMAC_128) {
    return;
  }
  mac->key_len = 16 + 8 * which;
  values->names = true;
  add(values, OSSL_PARAM_construct_utf8_string(mac->kind == HMAC ? OSSL_MAC_PARAM_DIGEST
                                                                 : OSSL_MAC_PARAM_CIPHER,
                                               (char *)(uintptr_t)name, 0));
  call_log_note(&mac->sequence->log, "  with %s", name);
}

/* Returns the length of a key, sometimes one that is refused. */
static size_t any_key(struct mac *mac, struct values *values) {
  static const size_t lengths[] = {4, 16, 32, 64, 65, 128, 129, 200};
  struct dice *dice = &mac->sequence->dice;
  dice_fill(dice, values->key, sizeof(values->key));
  if (mac->kind < HMAC) {
    return sequence_chance(mac->sequence, 12) ? 20 : mac->key_len;
  }
  return mac->kind != HMAC && sequence_chance(mac->sequence, 12) ? 3 : lengths[dice_roll(dice, 8)];
}

static void add_key(struct mac *mac, struct values *values) {
  size_t length = any_key(mac, values);
  call_log_note(&mac->sequence->log, "  with a key of %zu bytes", length);
  values->key_given = true;
  add(values, OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, values->key, length));
}

static void add_iv(struct mac *mac, struct values *values) {
  static const size_t lengths[] = {12, 12, 16, 8, 64, 100};
  size_t length = lengths[dice_roll(&mac->sequence->dice, 6)];
  dice_fill(&mac->sequence->dice, values->iv, length);
  call_log_note(&mac->sequence->log, "  with an IV of %zu bytes", length);
  values->iv_given = true;
  add(values, OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, values->iv, length));
}

/* Adds what only KMAC has. */
static void add_shape(struct mac *mac, struct values *values) {
  struct dice *dice = &mac->sequence->dice;
  if (sequence_chance(mac->sequence, 3)) {
    size_t length = sequence_chance(mac->sequence, 2) ? 0 : dice_roll(dice, 40);
    call_log_note(&mac->sequence->log, "  with a customization of %zu bytes", length);
    add(values, OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, values->custom, length));
  }
  if (sequence_chance(mac->sequence, 4)) {
    values->size = 1 + dice_roll(dice, 90);
    call_log_note(&mac->sequence->log, "  with %zu bytes of MAC", values->size);
    add(values, OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &values->size));
  }
  if (sequence_chance(mac->sequence, 4)) {
    values->extendable = sequence_chance(mac->sequence, 2);
    call_log_note(&mac->sequence->log, "  with XOF %d", values->extendable);
    add(values, OSSL_PARAM_construct_int(OSSL_MAC_PARAM_XOF, &values->extendable));
  }
}

static void any_params(struct mac *mac, struct values *values, bool name, bool key) {
  if (name) {
    add_name(mac, values);
  }
  if (key) {
    add_key(mac, values);
  }
  if (mac->kind == GMAC && !sequence_chance(mac->sequence, 3)) {
    add_iv(mac, values);
  }
  if (mac->kind >= KMAC_128) {
    add_shape(mac, values);
  }
  values->params[values->count] = OSSL_PARAM_construct_end();
}

/* Notes what parameters and perhaps a key have done. */
static void note(struct mac *mac, const struct values *values, bool init) {
  bool good = succeeded(mac);
  if (mac->kind == GMAC) {
    if (mac->begun && (!good || (values->key_given && !mac->ended))) {
      mac->undefined = true;
    }
    if (values->names) { /* a new cipher has neither; of a list that failed, who knows */
      mac->key_set = mac->iv_set = mac->begun = mac->ended = false;
      mac->undefined = !good;
    }
    mac->key_set = mac->key_set || (good && values->key_given);
    if (good && values->iv_given) {
      mac->iv_set = true;
      mac->begun = mac->ended = mac->undefined = false;
    }
  } else if (good && (init || (values->key_given && mac->kind < KMAC_128))) {
    mac->begun = mac->ended = false;
  }
}

static bool init(struct mac *mac, bool name, bool key) {
  struct sequence *sequence = mac->sequence;
  struct values values = {.count = 0};
  bool as_argument = key && !sequence_chance(sequence, 4);
  size_t key_len = 0;
  call_log_note(&sequence->log, "init(%s)", as_argument ? "key" : "");
  any_params(mac, &values, name, key && !as_argument);
  if (as_argument) {
    key_len = any_key(mac, &values);
    values.key_given = true;
    call_log_note(&sequence->log, "  of %zu bytes", key_len);
  }
  for (unsigned side = 0; side < 2; side++) {
    sequence->answers[side].length = 0;
    sequence->answers[side].good =
        EVP_MAC_init(mac->contexts[side], as_argument ? values.key : NULL, key_len,
                     values.count == 0 && sequence->dice.state % 2 ? NULL : values.params);
  }
  note(mac, &values, true);
  return agrees(mac);
}

static bool set_params(struct mac *mac, bool name, bool key) {
  struct sequence *sequence = mac->sequence;
  struct values values = {.count = 0};
  call_log_note(&sequence->log, "set parameters");
  any_params(mac, &values, name, key);
  for (unsigned side = 0; side < 2; side++) {
    sequence->answers[side].length = 0;
    sequence->answers[side].good = EVP_MAC_CTX_set_params(mac->contexts[side], values.params);
  }
  note(mac, &values, false);
  return agrees(mac);
}

/* Returns whether OpenSSL's answer to data, or to the end, is defined. */
static bool defined(const struct mac *mac) {
  return mac->kind == GMAC ? !mac->undefined && (mac->iv_set || !mac->key_set) : !mac->ended;
}

static bool update(struct mac *mac) {
  struct sequence *sequence = mac->sequence;
  size_t length = sequence_length(sequence);
  if (!defined(mac)) {
    return true;
  }
  call_log_note(&sequence->log, "update(%zu)", length);
  for (unsigned side = 0; side < 2; side++) {
    sequence->answers[side].length = 0;
    sequence->answers[side].good = EVP_MAC_update(mac->contexts[side], sequence->input, length);
  }
  mac->begun = mac->begun || (length != 0 && succeeded(mac));
  return agrees(mac);
}

static bool final(struct mac *mac) {
  struct sequence *sequence = mac->sequence;
  if (!defined(mac)) {
    return true;
  }
  call_log_note(&sequence->log, "final");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    answer->length = 0;
    answer->good = EVP_MAC_final(mac->contexts[side], answer->bytes, &answer->length, 128);
  }
  mac->begun = mac->begun || succeeded(mac);
  mac->ended = mac->ended || succeeded(mac);
  return agrees(mac);
}

/* Goes on with copies, if there can be any. */
static bool copy(struct mac *mac) {
  EVP_MAC_CTX *others[2];
  call_log_note(&mac->sequence->log, "copy");
  for (unsigned side = 0; side < 2; side++) {
    others[side] = EVP_MAC_CTX_dup(mac->contexts[side]);
    mac->sequence->answers[side].length = 0;
    mac->sequence->answers[side].good = others[side] != NULL;
  }
  for (unsigned side = 0; side < 2 && others[0] != NULL && others[1] != NULL; side++) {
    EVP_MAC_CTX_free(mac->contexts[side]);
    mac->contexts[side] = others[side];
  }
  return agrees(mac);
}

static bool play_call(struct mac *mac) {
  bool name = sequence_chance(mac->sequence, 5);
  switch (dice_roll(&mac->sequence->dice, 16)) {
  case 0:
  case 1:
    return init(mac, name, true);
  case 2:
  case 3:
    return init(mac, name, false);
  case 4:
  case 5:
    return set_params(mac, name, true);
  case 6:
    return set_params(mac, name, false);
  case 7:
    return copy(mac);
  case 8:
  case 9:
  case 10:
    return final(mac);
  default:
    return update(mac);
  }
}

bool sequence_play_mac(struct sequence *sequence, size_t calls) {
  enum kind kind = (enum kind)dice_roll(&sequence->dice, KINDS);
  struct mac mac = {.sequence = sequence, .kind = kind, .key_len = 16};
  bool good = true;
  call_log_note(&sequence->log, "%s", names[kind]);
  for (unsigned side = 0; side < 2; side++) {
    EVP_MAC *method = EVP_MAC_fetch(sequence->hosts[side]->libctx, names[kind], NULL);
    CHECK(method != NULL);
    mac.contexts[side] = EVP_MAC_CTX_new(method);
    EVP_MAC_free(method);
  }
  if (!sequence_chance(sequence, 8)) {
    good = init(&mac, true, true);
  }
  while (good && calls-- > 0) {
    sequence_disturb(sequence);
    good = play_call(&mac);
  }
  EVP_MAC_CTX_free(mac.contexts[0]);
  EVP_MAC_CTX_free(mac.contexts[1]);
  return good;
}
