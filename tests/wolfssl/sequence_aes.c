/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on an AES context, which all of the modes share, and on one of triple DES.
 *
 * Left out, because wolfSSL's software then works with the schedule of the other direction:
 * decryption of blocks under a key for encryption, everything else under a key for decryption; and
 * GCM under a key that was not set for GCM, of which software has not made the table. And keys with
 * invalid lengths in releases that do not note that no key is set: they have changed half a key.
 */
#include "sequence.h"

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/des3.h>

enum mode { ECB, CBC, CTR, BLOCK, MODES };

struct aes {
  struct sequence *sequence;
  Aes contexts[2];
  bool for_gcm, decrypts;
};

/* Returns whether both contexts go on from the same chaining value. */
static bool agrees(struct aes *aes) {
  const Aes *ours = &aes->contexts[0], *theirs = &aes->contexts[1];
  bool same = sequence_agrees(aes->sequence);
  if (same && (memcmp(ours->reg, theirs->reg, 16) != 0 || ours->left != theirs->left)) {
    fprintf(stderr, "%sthe next chaining value differs\n", aes->sequence->log.text);
    same = false;
  }
  return same;
}

static bool start(struct aes *aes, bool again) {
  call_log_note(&aes->sequence->log, "init");
  for (unsigned side = 0; side < 2; side++) {
    if (again) {
      wc_AesFree(&aes->contexts[side]);
    }
    sequence_side(aes->sequence, side, false)->result =
        wc_AesInit(&aes->contexts[side], NULL, sequence_devices[side]);
  }
  aes->for_gcm = aes->decrypts = false;
  return sequence_agrees(aes->sequence);
}

static bool set_key(struct aes *aes, unsigned how) {
  uint8_t key[32], iv[16];
#ifdef WC_AES_KEY_IS_SET
  uint32_t length = roll(16) == 0 ? roll(33) : 16 + 8 * roll(3);
#else
  uint32_t length = 16 + 8 * roll(3);
#endif
  bool with_iv = roll(4) != 0, decrypt = how == 0 && roll(3) == 0;
  fill(key, sizeof(key));
  fill(iv, sizeof(iv));
  if (roll(4) == 0) {
    memset(iv, 0xff, sizeof(iv)); /* the counter overflows */
  }
  static const char *const names[] = {"", "GCM ", "CCM "};
  call_log_note(&aes->sequence->log, "set %skey(%u%s%s)", names[how], length, with_iv ? ", IV" : "",
                decrypt ? ", decrypt" : "");
  for (unsigned side = 0; side < 2; side++) {
    Aes *context = &aes->contexts[side];
    sequence_side(aes->sequence, side, false)->result =
        how == 0   ? wc_AesSetKey(context, key, length, with_iv ? iv : NULL,
                                  decrypt ? AES_DECRYPTION : AES_ENCRYPTION)
        : how == 1 ? wc_AesGcmSetKey(context, key, length)
                   : wc_AesCcmSetKey(context, key, length);
  }
  if (sequence_succeeded(aes->sequence)) {
    aes->for_gcm = how == 1;
    aes->decrypts = decrypt;
  }
  return agrees(aes);
}

static bool set_iv(struct aes *aes) {
  uint8_t iv[16];
  fill(iv, sizeof(iv));
  bool none = roll(6) == 0;
  call_log_note(&aes->sequence->log, "set IV%s", none ? "(none)" : "");
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(aes->sequence, side, false)->result =
        wc_AesSetIV(&aes->contexts[side], none ? NULL : iv);
  }
  return agrees(aes);
}

static int blocks(Aes *aes, enum mode mode, bool decrypt, uint8_t *out, const uint8_t *in,
                  uint32_t length) {
  switch (mode) {
  case ECB:
    return decrypt ? wc_AesEcbDecrypt(aes, out, in, length)
                   : wc_AesEcbEncrypt(aes, out, in, length);
  case CBC:
    return decrypt ? wc_AesCbcDecrypt(aes, out, in, length)
                   : wc_AesCbcEncrypt(aes, out, in, length);
  case CTR:
    return wc_AesCtrEncrypt(aes, out, in, length);
  default:
#ifdef OUTWORK_WOLFSSL_SHA3 /* a release whose functions of one block return something */
    return decrypt ? wc_AesDecryptDirect(aes, out, in) : wc_AesEncryptDirect(aes, out, in);
#else
    return 0;
#endif
  }
}

static bool update(struct aes *aes) {
  static const char *const names[] = {"ECB", "CBC", "CTR", "block"};
  enum mode mode = (enum mode)roll(MODES);
  uint32_t length = any_length(roll);
  bool in_place = roll(3) == 0;
  if (mode == CTR && aes->decrypts) {
    mode = CBC;
  }
  if (mode != CTR && roll(8) != 0) {
    length -= length % 16;
  }
  call_log_note(&aes->sequence->log, "%s(%u%s)", names[mode], length, in_place ? ", in place" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(aes->sequence, side, in_place);
    answer->result = blocks(&aes->contexts[side], mode, aes->decrypts, answer->bytes,
                            in_place ? answer->bytes : aes->sequence->input, length);
  }
  return agrees(aes);
}

/* The arguments of an AEAD. */
struct message {
  bool ccm;
  uint8_t nonce[80], aad[300];
  uint32_t nonce_len, aad_len, tag_len, length;
  /* no pointer is given for what has no bytes, or for AAD that has */
  bool bare, no_aad;
};

static int seal(Aes *aes, const struct message *message, struct answer *answer,
                const uint8_t *input) {
  const uint8_t *aad =
      message->no_aad || (message->bare && message->aad_len == 0) ? NULL : message->aad;
  answer->tag_len = message->tag_len < 64 ? message->tag_len : 64;
  return (message->ccm ? wc_AesCcmEncrypt : wc_AesGcmEncrypt)(
      aes, answer->bytes, input, message->length, message->nonce, message->nonce_len, answer->tag,
      message->tag_len, aad, message->aad_len);
}

static int open(Aes *aes, const struct message *message, struct answer *answer,
                const uint8_t *input, const uint8_t *tag) {
  const uint8_t *aad =
      message->no_aad || (message->bare && message->aad_len == 0) ? NULL : message->aad;
  return (message->ccm ? wc_AesCcmDecrypt : wc_AesGcmDecrypt)(
      aes, answer->bytes, input, message->length, message->nonce, message->nonce_len, tag,
      message->tag_len, aad, message->aad_len);
}

static bool aead(struct aes *aes) {
  static uint8_t sealed[SEQUENCE_ROOM];
  struct sequence *sequence = aes->sequence;
  struct message message = {
      .ccm = !aes->for_gcm || roll(2) != 0, .length = any_length(roll), .bare = roll(2) != 0};
  bool in_place = roll(3) == 0;
  uint8_t tag[64];
  message.nonce_len = roll(3) == 0 ? roll(81) : 12;
  message.aad_len = roll(2) != 0 ? roll(sizeof(message.aad)) : 0;
  message.no_aad = !message.ccm && roll(20) == 0;
  message.tag_len = roll(8) == 0 ? roll(20) : message.ccm ? 4 + 2 * roll(7) : 12 + roll(5);
  fill(message.nonce, sizeof(message.nonce));
  fill(message.aad, sizeof(message.aad));
  call_log_note(&sequence->log, "%s(nonce %u, AAD %u%s, tag %u, %u%s)", message.ccm ? "CCM" : "GCM",
                message.nonce_len, message.aad_len, message.no_aad ? " but none" : "",
                message.tag_len, message.length, in_place ? ", in place" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, in_place);
    answer->result =
        seal(&aes->contexts[side], &message, answer, in_place ? answer->bytes : sequence->input);
  }
  if (!agrees(aes)) {
    return false;
  }
  fill(tag, sizeof(tag));
  memcpy(sealed, sequence->input, message.length);
  bool right = sequence_succeeded(sequence) && roll(4) != 0;
  if (right) {
    memcpy(tag, sequence->answers[1].tag, sequence->answers[1].tag_len);
    memcpy(sealed, sequence->answers[1].bytes, message.length);
  }
  message.tag_len += roll(12) == 0;
  call_log_note(&sequence->log, "  open it, tag %u%s", message.tag_len, right ? "" : ", wrong");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, false);
    if (in_place) {
      memcpy(answer->bytes, sealed, sizeof(sealed));
    }
    answer->result =
        open(&aes->contexts[side], &message, answer, in_place ? answer->bytes : sealed, tag);
  }
  return agrees(aes);
}

static bool play_aes(struct aes *aes) {
  switch (roll(16)) {
  case 0:
    return roll(4) != 0 || start(aes, true);
  case 1:
  case 2:
    return set_key(aes, 0);
  case 3:
    return set_key(aes, 1 + roll(2));
  case 4:
  case 5:
    return set_iv(aes);
  case 6:
  case 7:
  case 8:
  case 9:
    return aes->decrypts || aead(aes);
  default:
    return update(aes);
  }
}

bool sequence_play_aes(struct sequence *sequence, unsigned calls) {
  struct aes aes = {.sequence = sequence};
  bool good = start(&aes, false) && (roll(8) == 0 || set_key(&aes, roll(3)));
  while (good && calls-- > 0) {
    good = play_aes(&aes);
  }
  wc_AesFree(&aes.contexts[0]);
  wc_AesFree(&aes.contexts[1]);
  return good;
}

struct des {
  struct sequence *sequence;
  Des3 contexts[2];
  bool key_set, decrypts;
};

static bool play_des(struct des *des) {
  struct sequence *sequence = des->sequence;
  uint8_t key[24], iv[8];
  unsigned what = roll(10);
  uint32_t length = any_length(roll);
  bool in_place = roll(3) == 0, with_iv = roll(3) != 0;
  fill(key, sizeof(key));
  fill(iv, sizeof(iv));
  length -= roll(8) != 0 ? length % 8 : 0;
  if (what < 2 || !des->key_set) {
    what = 0;
    des->key_set = true;
    des->decrypts = roll(2) != 0;
  }
  call_log_note(&sequence->log, "%s(%u%s%s)",
                what < 2    ? "set key"
                : what == 2 ? "set IV"
                            : "CBC",
                length, in_place ? ", in place" : "", with_iv ? ", IV" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, in_place);
    Des3 *context = &des->contexts[side];
    const uint8_t *input = in_place ? answer->bytes : sequence->input;
    answer->result = what < 2    ? wc_Des3_SetKey(context, key, with_iv ? iv : NULL,
                                                  des->decrypts ? DES_DECRYPTION : DES_ENCRYPTION)
                     : what == 2 ? wc_Des3_SetIV(context, with_iv ? iv : NULL)
                     : des->decrypts ? wc_Des3_CbcDecrypt(context, answer->bytes, input, length)
                                     : wc_Des3_CbcEncrypt(context, answer->bytes, input, length);
  }
  return sequence_agrees(sequence);
}

bool sequence_play_des(struct sequence *sequence, unsigned calls) {
  struct des des = {.sequence = sequence};
  bool good = true;
  call_log_note(&sequence->log, "triple DES");
  for (unsigned side = 0; side < 2; side++) {
    CHECK_EQUAL(wc_Des3Init(&des.contexts[side], NULL, sequence_devices[side]), 0);
  }
  while (good && calls-- > 0) {
    good = play_des(&des);
  }
  wc_Des3Free(&des.contexts[0]);
  wc_Des3Free(&des.contexts[1]);
  return good;
}
