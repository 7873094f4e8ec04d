/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on a context of AES-CCM.
 *
 * Left out, because OpenSSL itself is not consistent there:
 * - after encryption, all but fetching the tag and a new IV: OpenSSL would encrypt once more with
 *   the same IV, which the provider refuses; fetching the tag after the new IV, which drops that;
 * - AAD and payload, after a message that failed or whose tag was not fetched, before a length is
 *   announced: OpenSSL goes on with the IV of that message;
 * - a tag to verify that nobody has set: OpenSSL takes what its buffer happens to contain;
 * - the tag of a message that has not been encrypted;
 * - another direction without a key: OpenSSL chooses its code for the direction with the key;
 * - after a payload that had another length than the announced one, or a longer one than can be
 *   announced, all before the next key: OpenSSL has lost the length of the tag;
 * - the end of a message without payload, in releases that do nothing then, or if they do nothing
 *   because an earlier tag is there; the end of records.
 */
#include "sequence.h"

#define AAD_ROOM 1000u

enum tag { TAG_NONE, TAG_SET, TAG_OTHER };

struct ccm {
  struct sequence *sequence;
  EVP_CIPHER_CTX *contexts[2];
  EVP_CIPHER *cipher;
  size_t iv_len, tag_len;
  uint8_t key[32], iv[16], aad[AAD_ROOM];
  size_t aad_len;
  bool encrypt, key_set, iv_set, records;
  /* OpenSSL has the length of a payload, that of an earlier message */
  bool announced, stale;
  size_t announced_len;
  /* a payload had another length than the announced one */
  bool broken;
  /* a message without payload is ended like one with an empty payload */
  bool ends_empty;
  /* encrypted; the tag can be fetched */
  bool used, tag_made;
  enum tag tag;
};

static bool agrees(const struct ccm *ccm) {
  return sequence_agrees(ccm->sequence);
}

static bool succeeded(const struct ccm *ccm) {
  return sequence_succeeded(ccm->sequence);
}

static bool init(struct ccm *ccm, bool key, bool iv) {
  struct sequence *sequence = ccm->sequence;
  bool turn = key && sequence_chance(sequence, 4);
  ccm->encrypt = ccm->encrypt != turn;
  if (key) {
    dice_fill(&sequence->dice, ccm->key, sizeof(ccm->key));
  }
  if (iv) {
    dice_fill(&sequence->dice, ccm->iv, sizeof(ccm->iv));
  }
  sequence_init(sequence, ccm->contexts, key ? ccm->key : NULL, iv ? ccm->iv : NULL, ccm->encrypt);
  ccm->key_set = ccm->key_set || key;
  ccm->tag_made = ccm->tag_made && !key;
  ccm->broken = ccm->broken && !key;
  if (iv) {
    ccm->iv_set = true;
    ccm->used = ccm->tag_made = false;
    ccm->stale = ccm->announced;
    ccm->aad_len = 0;
  }
  return agrees(ccm);
}

static bool control(struct ccm *ccm, const char *name, int command, int argument, void *value,
                    size_t returned) {
  struct sequence *sequence = ccm->sequence;
  uint8_t bytes[16];
  dice_fill(&sequence->dice, bytes, sizeof(bytes));
  if (value != NULL) {
    memcpy(bytes, value, sizeof(bytes));
  }
  bool size_only = command == EVP_CTRL_AEAD_SET_TAG && sequence_chance(sequence, 2) && !value;
  call_log_note(&sequence->log, "%s %d%s", name, argument, size_only ? " without a tag" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    memcpy(answer->bytes, bytes, sizeof(bytes));
    answer->length = returned;
    answer->good = EVP_CIPHER_CTX_ctrl(ccm->contexts[side], command, argument,
                                       size_only ? NULL : answer->bytes);
  }
  if (command == EVP_CTRL_AEAD_SET_TAG && succeeded(ccm)) {
    ccm->tag_len = (size_t)argument;
    ccm->tag = size_only ? ccm->tag : TAG_SET;
  }
  return agrees(ccm);
}

static bool set_iv_len(struct ccm *ccm) {
  size_t length =
      sequence_chance(ccm->sequence, 2) ? ccm->iv_len : 5 + dice_roll(&ccm->sequence->dice, 9);
  bool good = control(ccm, "SET_IVLEN", EVP_CTRL_AEAD_SET_IVLEN, (int)length, NULL, 0);
  if (succeeded(ccm) && length != ccm->iv_len) {
    ccm->iv_set = false;
    ccm->iv_len = length;
  }
  return good;
}

static bool get_tag(struct ccm *ccm) {
  size_t length = sequence_chance(ccm->sequence, 8) ? 10 : ccm->tag_len;
  if (!ccm->tag_made || ccm->records) {
    return true;
  }
  bool good = control(ccm, "GET_TAG", EVP_CTRL_AEAD_GET_TAG, (int)length, NULL, length);
  if (succeeded(ccm)) {
    ccm->tag_made = ccm->used = ccm->iv_set = ccm->announced = ccm->stale = false;
    ccm->tag = TAG_NONE;
    /* only once */
    good = good && control(ccm, "GET_TAG", EVP_CTRL_AEAD_GET_TAG, (int)length, NULL, length);
  }
  return good;
}

/* Announces the length of a payload. */
static bool announce(struct ccm *ccm, size_t length) {
  struct sequence *sequence = ccm->sequence;
  call_log_note(&sequence->log, "announce %zu", length);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    int written = 0;
    answer->length = 0;
    answer->good = EVP_CipherUpdate(ccm->contexts[side], NULL, &written, NULL, (int)length);
  }
  if (succeeded(ccm)) {
    ccm->announced = true;
    ccm->announced_len = length;
    ccm->stale = ccm->tag_made = false;
    ccm->aad_len = 0;
  }
  return agrees(ccm);
}

/* Processes AAD (without `out`) or payload. */
static bool process(struct ccm *ccm, bool aad, const uint8_t *input, size_t length) {
  struct sequence *sequence = ccm->sequence;
  bool in_place = !aad && sequence_chance(sequence, ccm->records ? 1 : 2);
  bool one_shot = sequence_chance(sequence, 4);
  call_log_note(&sequence->log, "%s(%s %zu%s)", one_shot ? "EVP_Cipher" : "update",
                aad ? "AAD" : "payload", length, in_place ? ", in place" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    uint8_t *out = aad ? NULL : answer->bytes;
    uint8_t *in = in_place ? answer->bytes : sequence->work;
    int written = 0;
    memmove(in, input, length);
    if (one_shot) {
      answer->good = EVP_Cipher(ccm->contexts[side], out, in, (unsigned)length);
      written = answer->good;
      answer->good += answer->good >= 0;
    } else {
      answer->good = EVP_CipherUpdate(ccm->contexts[side], out, &written, in, (int)length);
    }
    answer->length = aad || written < 0 ? 0 : (size_t)written;
  }
  return agrees(ccm);
}

static bool add_aad(struct ccm *ccm) {
  size_t length = sequence_length(ccm->sequence) % AAD_ROOM;
  if ((ccm->stale || ccm->used) && !ccm->records) {
    return true;
  }
  bool good = process(ccm, true, ccm->sequence->input, length);
  memcpy(ccm->aad, ccm->sequence->input, length);
  ccm->aad_len = length;
  return good;
}

/* Encrypts the input as the message under way would be, so that there is something to decrypt. */
static bool seal(struct ccm *ccm, uint8_t *sealed, size_t length) {
  EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();
  uint8_t tag[16] = {0};
  int written;
  bool made = EVP_EncryptInit_ex(other, ccm->cipher, NULL, NULL, NULL) &&
              EVP_CIPHER_CTX_ctrl(other, EVP_CTRL_AEAD_SET_IVLEN, (int)ccm->iv_len, NULL) > 0 &&
              EVP_CIPHER_CTX_ctrl(other, EVP_CTRL_AEAD_SET_TAG, (int)ccm->tag_len, NULL) > 0 &&
              EVP_EncryptInit_ex(other, NULL, NULL, ccm->key, ccm->iv) &&
              EVP_EncryptUpdate(other, NULL, &written, NULL, (int)length) &&
              EVP_EncryptUpdate(other, NULL, &written, ccm->aad, (int)ccm->aad_len) &&
              EVP_EncryptUpdate(other, sealed, &written, ccm->sequence->input, (int)length) &&
              EVP_CIPHER_CTX_ctrl(other, EVP_CTRL_AEAD_GET_TAG, (int)ccm->tag_len, tag) > 0;
  EVP_CIPHER_CTX_free(other);
  return !made || control(ccm, "SET_TAG", EVP_CTRL_AEAD_SET_TAG, (int)ccm->tag_len, tag, 0);
}

static void note_payload(struct ccm *ccm, size_t length) {
  if (succeeded(ccm) && ccm->encrypt) {
    ccm->used = ccm->tag_made = ccm->announced = true;
    ccm->tag = TAG_OTHER;
  } else if (succeeded(ccm)) {
    ccm->iv_set = ccm->announced = false;
    ccm->tag = TAG_NONE;
  } else if (ccm->key_set && ccm->iv_set) {
    ccm->broken = (ccm->announced && length != ccm->announced_len) || length > UINT16_MAX;
    ccm->announced = ccm->stale = true;
  }
}

static bool add_payload(struct ccm *ccm) {
  struct sequence *sequence = ccm->sequence;
  static uint8_t sealed[SEQUENCE_ROOM];
  size_t length = sequence_length(sequence);
  const uint8_t *input = sequence->input;
  bool good = true;
  if (ccm->records) {
    return process(ccm, false, input, length);
  }
  if (ccm->used || (!ccm->encrypt && ccm->tag == TAG_OTHER)) {
    return true;
  }
  if (!sequence_chance(sequence, 4) || ccm->stale) {
    good = announce(ccm, length) && (sequence_chance(sequence, 2) || add_aad(ccm));
  }
  if (!ccm->encrypt && !sequence_chance(sequence, 4)) {
    memcpy(sealed, sequence->input, length);
    good = good && seal(ccm, sealed, length);
    input = sealed;
  }
  if (ccm->stale || !good) {
    return good;
  }
  good = process(ccm, false, input, length);
  note_payload(ccm, length);
  return good;
}

static bool final(struct ccm *ccm) {
  bool empty = ccm->iv_set && !ccm->used;
  if (ccm->records || (empty && (!ccm->ends_empty || ccm->stale ||
                                 (ccm->encrypt ? ccm->tag != TAG_NONE : ccm->tag == TAG_OTHER)))) {
    return true;
  }
  sequence_final(ccm->sequence, ccm->contexts);
  if (empty) {
    note_payload(ccm, 0);
  }
  return agrees(ccm);
}

/* Goes on with copies. */
static void copy(struct ccm *ccm) {
  call_log_note(&ccm->sequence->log, "copy");
  for (unsigned side = 0; side < 2; side++) {
    EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();
    CHECK(EVP_CIPHER_CTX_copy(other, ccm->contexts[side]));
    EVP_CIPHER_CTX_free(ccm->contexts[side]);
    ccm->contexts[side] = other;
  }
}

static bool play_call(struct ccm *ccm) {
  struct dice *dice = &ccm->sequence->dice;
  bool good;
  if (ccm->broken) {
    return init(ccm, true, true);
  }
  switch (dice_roll(dice, 20)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return init(ccm, sequence_chance(ccm->sequence, 4), true);
  case 4:
    return ccm->used || init(ccm, sequence_chance(ccm->sequence, 2), false);
  case 5:
  case 6:
    return set_iv_len(ccm);
  case 7:
    return control(ccm, "SET_TAG", EVP_CTRL_AEAD_SET_TAG,
                   sequence_chance(ccm->sequence, 8) ? 5 : 4 + 2 * (int)dice_roll(dice, 7), NULL,
                   0);
  case 8:
  case 9:
    return get_tag(ccm);
  case 10:
    return add_aad(ccm);
  case 11:
    return ccm->used || announce(ccm, sequence_length(ccm->sequence));
  case 12:
    copy(ccm);
    return true;
  case 13:
    return final(ccm);
  case 14:
    if (!sequence_chance(ccm->sequence, 8)) {
      good = control(ccm, "SET_IV_FIXED", EVP_CTRL_CCM_SET_IV_FIXED, 4, ccm->aad, 0);
      memcpy(ccm->iv, ccm->aad, 4);
      return good;
    }
    good = control(ccm, "TLS1_AAD", EVP_CTRL_AEAD_TLS1_AAD, 13, ccm->sequence->input, 0);
    ccm->records = ccm->records || succeeded(ccm);
    return good;
  default:
    return add_payload(ccm) && (sequence_chance(ccm->sequence, 2) || get_tag(ccm));
  }
}

/* Returns whether the default provider makes a tag when a message without payload ends. */
static bool ends_empty(const struct ccm *ccm) {
  EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();
  uint8_t tag[16];
  int written;
  CHECK(EVP_EncryptInit_ex(other, ccm->cipher, NULL, ccm->key, ccm->iv));
  CHECK(EVP_EncryptFinal_ex(other, tag, &written));
  bool made = EVP_CIPHER_CTX_ctrl(other, EVP_CTRL_AEAD_GET_TAG, 12, tag) > 0;
  EVP_CIPHER_CTX_free(other);
  return made;
}

bool sequence_play_ccm(struct sequence *sequence, size_t calls) {
  size_t cipher = dice_roll(&sequence->dice, 3);
  struct ccm ccm = {.sequence = sequence, .iv_len = 7, .tag_len = 12};
  bool good = true;
  ccm.encrypt = !sequence_chance(sequence, 3);
  ccm.cipher = sequence->hosts[1]->ciphers[12 + cipher];
  ccm.ends_empty = ends_empty(&ccm);
  call_log_note(&sequence->log, "AES-%zu-CCM", 128 + 64 * cipher);
  for (unsigned side = 0; side < 2; side++) {
    ccm.contexts[side] = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex(ccm.contexts[side], sequence->hosts[side]->ciphers[12 + cipher], NULL,
                            NULL, NULL, ccm.encrypt));
  }
  if (!sequence_chance(sequence, 8)) {
    good = set_iv_len(&ccm) && init(&ccm, true, true);
  }
  while (good && calls-- > 0) {
    sequence_disturb(sequence);
    good = play_call(&ccm);
  }
  EVP_CIPHER_CTX_free(ccm.contexts[0]);
  EVP_CIPHER_CTX_free(ccm.contexts[1]);
  return good;
}
