/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on a context of AES-GCM.
 *
 * Left out, because OpenSSL's own results are then random, undefined, or no more than what its
 * buffers happen to contain:
 * - encryption before there is an IV, whose IV would be random;
 * - a new key in a begun message: OpenSSL goes on from a counter of zeros;
 * - anything after a wrong tag but a new IV: OpenSSL would go on with the message;
 * - the tag of a message that has not ended, or a comparison with it; a tag before a record, whose
 *   AAD is in the same buffer;
 * - sequences of IVs and records with IVs of less than 8 bytes: OpenSSL counts before its buffer.
 */
#include "sequence.h"

enum iv { NONE, READY, BEGUN, USED };
enum tag { TAG_NONE, TAG_SET, TAG_MADE, TAG_OTHER };

struct gcm {
  struct sequence *sequence;
  EVP_CIPHER_CTX *contexts[2];
  size_t iv_len;
  bool encrypt, record;
  /* only a new IV makes the state defined again */
  bool undefined;
  enum iv iv;
  /* what the tag's buffer contains */
  enum tag tag;
};

static bool agrees(const struct gcm *gcm) {
  return sequence_agrees(gcm->sequence);
}

static bool succeeded(const struct gcm *gcm) {
  return sequence_succeeded(gcm->sequence);
}

static bool init(struct gcm *gcm, bool key, bool iv) {
  struct sequence *sequence = gcm->sequence;
  uint8_t key_bytes[32], iv_bytes[128];
  bool turn = sequence_chance(sequence, 4);
  gcm->encrypt = gcm->encrypt != turn;
  dice_fill(&sequence->dice, key_bytes, sizeof(key_bytes));
  dice_fill(&sequence->dice, iv_bytes, sizeof(iv_bytes));
  sequence_init(sequence, gcm->contexts, key ? key_bytes : NULL, iv ? iv_bytes : NULL,
                gcm->encrypt);
  gcm->undefined = (gcm->undefined || (key && gcm->iv == BEGUN)) && !iv;
  gcm->iv = iv ? READY : gcm->iv;
  return agrees(gcm);
}

/* Makes the tag of the message so far: a copy of the context ends it as if it encrypted. */
static void make_tag(struct gcm *gcm, uint8_t tag[16]) {
  EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();
  uint8_t nothing[16];
  int written;
  CHECK(EVP_CIPHER_CTX_copy(other, gcm->contexts[1]));
  CHECK(EVP_CipherInit_ex(other, NULL, NULL, NULL, NULL, 1));
  CHECK(EVP_CipherFinal_ex(other, nothing, &written));
  CHECK(EVP_CIPHER_CTX_ctrl(other, EVP_CTRL_AEAD_GET_TAG, 16, tag));
  EVP_CIPHER_CTX_free(other);
}

static bool control(struct gcm *gcm, const char *name, int command, int argument, size_t returned) {
  struct sequence *sequence = gcm->sequence;
  uint8_t bytes[128];
  dice_fill(&sequence->dice, bytes, sizeof(bytes));
  if (command == EVP_CTRL_AEAD_TLS1_AAD) { /* a length of payload that is long enough */
    bytes[11] = 1;
  }
  if (command == EVP_CTRL_AEAD_SET_TAG && gcm->iv == BEGUN && !gcm->record && !gcm->undefined) {
    make_tag(gcm, bytes);
    bytes[0] ^= sequence_chance(sequence, 4);
  }
  call_log_note(&sequence->log, "%s %d", name, argument);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    memcpy(answer->bytes, bytes, sizeof(bytes));
    answer->length = returned;
    answer->good = EVP_CIPHER_CTX_ctrl(gcm->contexts[side], command, argument, answer->bytes);
  }
  return agrees(gcm);
}

static bool set_iv_len(struct gcm *gcm) {
  static const size_t lengths[] = {12, 12, 16, 8, 1, 60};
  size_t length =
      sequence_chance(gcm->sequence, 2) ? gcm->iv_len : lengths[dice_roll(&gcm->sequence->dice, 6)];
  bool good = control(gcm, "SET_IVLEN", EVP_CTRL_AEAD_SET_IVLEN, (int)length, 0);
  gcm->iv = length != gcm->iv_len && gcm->iv != NONE ? USED : gcm->iv;
  gcm->iv_len = length;
  return good;
}

static bool set_tag(struct gcm *gcm) {
  if (gcm->record) {
    return true;
  }
  bool good = control(gcm, "SET_TAG", EVP_CTRL_AEAD_SET_TAG,
                      4 + (int)dice_roll(&gcm->sequence->dice, 13), 0);
  gcm->tag = succeeded(gcm) ? TAG_SET : gcm->tag == TAG_NONE ? TAG_NONE : TAG_OTHER;
  return good;
}

static bool get_tag(struct gcm *gcm) {
  int length = 4 + (int)dice_roll(&gcm->sequence->dice, 13);
  return (gcm->tag != TAG_NONE && gcm->tag != TAG_MADE) ||
         control(gcm, "GET_TAG", EVP_CTRL_AEAD_GET_TAG, length, (size_t)length);
}

/* The IV of a sequence: the first one, the next one, or, when decrypting, the last part. */
static bool set_iv(struct gcm *gcm, size_t which) {
  bool good = true;
  if (gcm->iv_len < 8) {
    return true;
  }
  if (which == 0) {
    good = control(gcm, "SET_IV_FIXED", EVP_CTRL_GCM_SET_IV_FIXED, -1, 0);
  } else if (which == 1) {
    good = control(gcm, "IV_GEN", EVP_CTRL_GCM_IV_GEN, 8, 8);
  } else {
    good = control(gcm, "SET_IV_INV", EVP_CTRL_GCM_SET_IV_INV, 8, 0);
  }
  if (succeeded(gcm)) {
    gcm->iv = which == 0 ? READY : BEGUN;
    gcm->undefined = false;
  }
  return good;
}

static bool expect_record(struct gcm *gcm) {
  if (gcm->iv_len < 8 || (sequence_chance(gcm->sequence, 2) && !set_iv(gcm, 0))) {
    return gcm->iv_len < 8;
  }
  bool good = control(gcm, "TLS1_AAD", EVP_CTRL_AEAD_TLS1_AAD, 13, 0);
  gcm->record = gcm->record || succeeded(gcm);
  gcm->tag = TAG_OTHER;
  return good;
}

/* Notes what a call with input has done to the IV. */
static void note_input(struct gcm *gcm) {
  if (gcm->record) {
    gcm->record = false;
    gcm->iv = USED;
  } else if (succeeded(gcm)) {
    gcm->iv = BEGUN;
  }
}

/* AAD, payload or a record. */
static bool update(struct gcm *gcm, bool aad) {
  struct sequence *sequence = gcm->sequence;
  size_t length = sequence_length(sequence);
  bool in_place = !aad && sequence_chance(sequence, gcm->record ? 1 : 2);
  bool one_shot = sequence_chance(sequence, 4);
  if (one_shot && length == 0) {
    return true;
  }
  call_log_note(&sequence->log, "%s(%s %zu%s)", one_shot ? "EVP_Cipher" : "update",
                aad ? "AAD" : "payload", length, in_place ? ", in place" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    uint8_t *out = aad ? NULL : answer->bytes;
    uint8_t *in = in_place ? answer->bytes : sequence->work;
    int written = 0;
    memcpy(in, sequence->input, length);
    if (one_shot) {
      answer->good = EVP_Cipher(gcm->contexts[side], out, in, (unsigned)length);
      written = aad ? 0 : answer->good;
    } else {
      answer->good = EVP_CipherUpdate(gcm->contexts[side], out, &written, in, (int)length);
    }
    answer->length = aad || written < 0 ? 0 : (size_t)written;
  }
  if (length != 0) {
    note_input(gcm);
  }
  return agrees(gcm);
}

static bool final(struct gcm *gcm, bool by_update) {
  struct sequence *sequence = gcm->sequence;
  if (!gcm->encrypt && !gcm->record && gcm->tag != TAG_NONE && gcm->tag != TAG_SET) {
    return true;
  }
  call_log_note(&sequence->log, by_update ? "update(NULL 5)" : "final");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    int written = 0;
    answer->good = by_update
                       ? EVP_CipherUpdate(gcm->contexts[side], answer->bytes, &written, NULL, 5)
                       : EVP_CipherFinal_ex(gcm->contexts[side], answer->bytes, &written);
    answer->length = (size_t)written;
  }
  bool record = gcm->record;
  note_input(gcm);
  if (!record && succeeded(gcm)) {
    gcm->iv = USED;
    gcm->tag = gcm->encrypt ? TAG_MADE : gcm->tag;
  } else if (!record && !gcm->encrypt && gcm->tag == TAG_SET && gcm->iv != USED) {
    gcm->undefined = true;
  }
  return agrees(gcm);
}

static bool get_iv(struct gcm *gcm) {
  struct sequence *sequence = gcm->sequence;
  call_log_note(&sequence->log, "get the IV");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = &sequence->answers[side];
    answer->length = gcm->iv_len;
    answer->good = EVP_CIPHER_CTX_get_updated_iv(gcm->contexts[side], answer->bytes, 128);
  }
  return agrees(gcm);
}

/* Goes on with a copy or, after a copy was made and freed, with the original. */
static void copy(struct gcm *gcm) {
  bool change = sequence_chance(gcm->sequence, 2);
  call_log_note(&gcm->sequence->log, "copy%s", change ? ", and go on with it" : "");
  for (unsigned side = 0; side < 2; side++) {
    EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();
    CHECK(EVP_CIPHER_CTX_copy(other, gcm->contexts[side]));
    if (change) {
      EVP_CIPHER_CTX *old = gcm->contexts[side];
      gcm->contexts[side] = other;
      other = old;
    }
    EVP_CIPHER_CTX_free(other);
  }
}

static bool play_call(struct gcm *gcm) {
  struct dice *dice = &gcm->sequence->dice;
  size_t call = gcm->undefined ? 0 : dice_roll(dice, 24);
  bool random_iv = gcm->encrypt && gcm->iv == NONE && !gcm->record;
  switch (call) {
  case 0:
  case 1:
  case 2:
    return init(gcm, sequence_chance(gcm->sequence, 4), true);
  case 3:
    return init(gcm, sequence_chance(gcm->sequence, 2), false);
  case 4:
  case 5:
    return set_iv_len(gcm);
  case 6:
  case 7:
    return set_tag(gcm);
  case 8:
    return get_tag(gcm);
  case 9:
    return set_iv(gcm, dice_roll(dice, 3));
  case 10:
    return set_iv(gcm, 1);
  case 11:
    return expect_record(gcm);
  case 12:
    copy(gcm);
    return true;
  case 13:
    return gcm->iv == NONE || get_iv(gcm);
  case 14:
  case 15:
  case 16:
    return random_iv || (final(gcm, call == 14) && get_tag(gcm));
  case 17:
  case 18:
  case 19:
    return random_iv || update(gcm, true);
  default:
    return random_iv || update(gcm, false);
  }
}

bool sequence_play_gcm(struct sequence *sequence, size_t calls) {
  size_t cipher = dice_roll(&sequence->dice, 3);
  struct gcm gcm = {.sequence = sequence, .iv_len = 12};
  bool good = true;
  gcm.encrypt = !sequence_chance(sequence, 3);
  call_log_note(&sequence->log, "AES-%zu-GCM", 128 + 64 * cipher);
  for (unsigned side = 0; side < 2; side++) {
    gcm.contexts[side] = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex(gcm.contexts[side], sequence->hosts[side]->ciphers[9 + cipher], NULL,
                            NULL, NULL, gcm.encrypt));
  }
  if (!sequence_chance(sequence, 8)) {
    good = init(&gcm, true, true);
  }
  while (good && calls-- > 0) {
    sequence_disturb(sequence);
    good = play_call(&gcm);
  }
  EVP_CIPHER_CTX_free(gcm.contexts[0]);
  EVP_CIPHER_CTX_free(gcm.contexts[1]);
  return good;
}
