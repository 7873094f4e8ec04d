/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on contexts of hashes (and a copy), HMAC and CMAC.
 */
#include "sequence.h"

#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/sha3.h>

static const enum wc_HashType types[] = {
    WC_HASH_TYPE_SHA,      WC_HASH_TYPE_SHA224,   WC_HASH_TYPE_SHA256,
    WC_HASH_TYPE_SHA384,   WC_HASH_TYPE_SHA512,   WC_HASH_TYPE_SHA3_224,
    WC_HASH_TYPE_SHA3_256, WC_HASH_TYPE_SHA3_384, WC_HASH_TYPE_SHA3_512};

struct hash {
  struct sequence *sequence;
  /* two of each side */
  wc_HashAlg contexts[2][2];
  enum wc_HashType type;
};

static int copy_hash(enum wc_HashType type, wc_HashAlg *from, wc_HashAlg *to) {
#ifdef OUTWORK_WOLFSSL_SHA3
#define INNER(member) (&from->alg.member), (&to->alg.member)
#else
#define INNER(member) (&from->member), (&to->member)
#endif
  switch (type) {
  case WC_HASH_TYPE_SHA:
    return wc_ShaCopy(INNER(sha));
  case WC_HASH_TYPE_SHA224:
    return wc_Sha224Copy(INNER(sha224));
  case WC_HASH_TYPE_SHA256:
    return wc_Sha256Copy(INNER(sha256));
  case WC_HASH_TYPE_SHA384:
    return wc_Sha384Copy(INNER(sha384));
  case WC_HASH_TYPE_SHA512:
    return wc_Sha512Copy(INNER(sha512));
  case WC_HASH_TYPE_SHA3_224:
    return wc_Sha3_224_Copy(INNER(sha3));
  case WC_HASH_TYPE_SHA3_256:
    return wc_Sha3_256_Copy(INNER(sha3));
  case WC_HASH_TYPE_SHA3_384:
    return wc_Sha3_384_Copy(INNER(sha3));
  default:
    return wc_Sha3_512_Copy(INNER(sha3));
  }
}

static bool play_hash(struct hash *hash) {
  struct sequence *sequence = hash->sequence;
  static const char *const names[] = {"final", "copy", "init", "update"};
  unsigned which = roll(2), what = roll(12);
  uint32_t length = any_length(roll);
  what = what < 3 ? what : 3;
  call_log_note(&sequence->log, "%s(%u, %u)", names[what], which, length);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, false);
    wc_HashAlg *contexts = hash->contexts[side];
    if (what == 1 || what == 2) {
      wc_HashFree(&contexts[what == 1 ? 1 - which : which], hash->type);
    }
    answer->result =
        what == 0   ? wc_HashFinal(&contexts[which], hash->type, answer->bytes)
        : what == 1 ? copy_hash(hash->type, &contexts[which], &contexts[1 - which])
        : what == 2 ? wc_HashInit_ex(&contexts[which], hash->type, NULL, sequence_devices[side])
                    : wc_HashUpdate(&contexts[which], hash->type, sequence->input, length);
#ifdef OUTWORK_WOLFSSL_SHA3
    contexts[1 - which].type = hash->type;
#endif
  }
  return sequence_agrees(sequence);
}

bool sequence_play_hash(struct sequence *sequence, unsigned calls) {
  struct hash hash = {.sequence = sequence, .type = types[roll(9)]};
  bool good = true;
  call_log_note(&sequence->log, "hash %d", (int)hash.type);
  for (unsigned i = 0; i < 4; i++) {
    CHECK_EQUAL(
        wc_HashInit_ex(&hash.contexts[i / 2][i % 2], hash.type, NULL, sequence_devices[i / 2]), 0);
  }
  while (good && calls-- > 0) {
    good = play_hash(&hash);
  }
  for (unsigned i = 0; i < 4; i++) {
    wc_HashFree(&hash.contexts[i / 2][i % 2], hash.type);
  }
  return good;
}

bool sequence_play_hmac(struct sequence *sequence, unsigned calls) {
  static const int macs[] = {WC_SHA,      WC_SHA224,   WC_SHA256,   WC_SHA384,  WC_SHA512,
                             WC_SHA3_224, WC_SHA3_256, WC_SHA3_384, WC_SHA3_512};
  Hmac contexts[2];
  bool good = true, key_set = false;
  for (unsigned side = 0; side < 2; side++) {
    CHECK_EQUAL(wc_HmacInit(&contexts[side], NULL, sequence_devices[side]), 0);
  }
  while (good && calls-- > 0) {
    uint8_t key[200];
    unsigned what = key_set ? roll(10) : 0;
    int type = macs[roll(9)];
    uint32_t length = any_length(roll), key_len = 14 + roll(sizeof(key) - 14);
    fill(key, sizeof(key));
    call_log_note(&sequence->log, "HMAC %s(%u, %d)",
                  what == 0  ? "set key"
                  : what < 3 ? "final"
                             : "update",
                  length, type);
    for (unsigned side = 0; side < 2; side++) {
      struct answer *answer = sequence_side(sequence, side, false);
      if (what == 0 && key_set) {
        wc_HmacFree(&contexts[side]);
        CHECK_EQUAL(wc_HmacInit(&contexts[side], NULL, sequence_devices[side]), 0);
      }
      answer->result = what == 0  ? wc_HmacSetKey(&contexts[side], type, key, key_len)
                       : what < 3 ? wc_HmacFinal(&contexts[side], answer->bytes)
                                  : wc_HmacUpdate(&contexts[side], sequence->input, length);
    }
    key_set = true;
    good = sequence_agrees(sequence);
  }
  wc_HmacFree(&contexts[0]);
  wc_HmacFree(&contexts[1]);
  return good;
}

bool sequence_play_cmac(struct sequence *sequence, unsigned calls) {
  Cmac contexts[2];
  bool good = true, begun = false;
  while (good && calls-- > 0) {
    uint8_t key[32];
    unsigned what = begun ? roll(10) : 0;
    uint32_t length = any_length(roll), key_len = roll(20) == 0 ? roll(33) : 16 + 8 * roll(3);
    uint32_t size = roll(3) == 0 ? roll(18) : 16;
    fill(key, sizeof(key));
    call_log_note(&sequence->log, "CMAC %s(%u, key %u, size %u)",
                  what == 0  ? "init"
                  : what < 3 ? "final"
                             : "update",
                  length, key_len, size);
    for (unsigned side = 0; side < 2; side++) {
      struct answer *answer = sequence_side(sequence, side, false);
      answer->length = size;
      answer->result = what == 0  ? wc_InitCmac_ex(&contexts[side], key, key_len, WC_CMAC_AES, NULL,
                                                   NULL, sequence_devices[side])
                       : what < 3 ? wc_CmacFinal(&contexts[side], answer->bytes, &answer->length)
                                  : wc_CmacUpdate(&contexts[side], sequence->input, length);
    }
    good = sequence_agrees(sequence);
    begun = what == 0 ? sequence_succeeded(sequence) : begun && what >= 3;
  }
  return good;
}
