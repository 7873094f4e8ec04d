/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on a MAC operation (CMAC, HMAC) and on a hash operation and its clone.
 */
#include "sequence.h"

struct mac {
  struct sequence *sequence;
  psa_mac_operation_t operations[2];
  psa_algorithm_t alg;
};

static bool setup(struct mac *mac, bool verify) {
  struct sequence *sequence = mac->sequence;
  call_log_note(&sequence->log, "setup(%s)", verify ? "verify" : "sign");
  for (unsigned side = 0; side < 2; side++) {
    psa_mac_operation_t *operation = &mac->operations[side];
    sequence_side(sequence, side, false)->status =
        verify ? psa_mac_verify_setup(operation, sequence->keys[side], mac->alg)
               : psa_mac_sign_setup(operation, sequence->keys[side], mac->alg);
  }
  return sequence_agrees(sequence, 0);
}

static bool update(struct mac *mac) {
  size_t length = any_length(roll);
  call_log_note(&mac->sequence->log, "update(%zu)", length);
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(mac->sequence, side, false)->status =
        psa_mac_update(&mac->operations[side], mac->sequence->input, length);
  }
  return sequence_agrees(mac->sequence, 0);
}

static bool sign(struct mac *mac) {
  size_t room = roll(3) == 0 ? roll(70) : 64;
  call_log_note(&mac->sequence->log, "sign(room %zu)", room);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(mac->sequence, side, false);
    answer->status =
        psa_mac_sign_finish(&mac->operations[side], answer->bytes, room, &answer->length);
  }
  return sequence_agrees(mac->sequence, room);
}

static bool verify(struct mac *mac) {
  uint8_t bytes[70];
  size_t length = roll(2) == 0 ? roll(70) : PSA_MAC_LENGTH(PSA_KEY_TYPE_AES, 128, mac->alg);
  fill(bytes, sizeof(bytes));
  call_log_note(&mac->sequence->log, "verify(%zu)", length);
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(mac->sequence, side, false)->status =
        psa_mac_verify_finish(&mac->operations[side], bytes, length);
  }
  return sequence_agrees(mac->sequence, 0);
}

static bool abort_both(struct mac *mac) {
  call_log_note(&mac->sequence->log, "abort");
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(mac->sequence, side, false)->status = psa_mac_abort(&mac->operations[side]);
  }
  return sequence_agrees(mac->sequence, 0);
}

static bool whole(struct mac *mac) {
  struct sequence *sequence = mac->sequence;
  size_t length = any_length(roll), room = roll(3) == 0 ? roll(70) : 64;
  call_log_note(&sequence->log, "whole message(%zu, room %zu)", length, room);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, false);
    answer->status = psa_mac_compute(sequence->keys[side], mac->alg, sequence->input, length,
                                     answer->bytes, room, &answer->length);
  }
  if (!sequence_agrees(sequence, room) || !sequence_succeeded(sequence)) {
    return sequence_agrees(sequence, room);
  }
  uint8_t made[64];
  size_t made_len = sequence->answers[1].length;
  memcpy(made, sequence->answers[1].bytes, made_len);
  made[roll((uint32_t)made_len)] ^= roll(2) == 0;
  made_len -= roll(4) == 0;
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(sequence, side, false)->status =
        psa_mac_verify(sequence->keys[side], mac->alg, sequence->input, length, made, made_len);
  }
  return sequence_agrees(sequence, 0);
}

static bool play_mac(struct mac *mac) {
  switch (roll(16)) {
  case 0:
  case 1:
    return abort_both(mac) && setup(mac, roll(2) != 0);
  case 2:
    return setup(mac, roll(2) != 0);
  case 3:
  case 4:
    return sign(mac);
  case 5:
    return verify(mac);
  case 6:
  case 7:
    return whole(mac);
  case 8:
    return roll(20) != 0 || mac->sequence->slots || sequence_destroy(mac->sequence);
  default:
    return update(mac);
  }
}

static const psa_algorithm_t hashes[] = {PSA_ALG_SHA_1,    PSA_ALG_SHA_224,  PSA_ALG_SHA_256,
                                         PSA_ALG_SHA_384,  PSA_ALG_SHA_512,  PSA_ALG_SHA3_224,
                                         PSA_ALG_SHA3_256, PSA_ALG_SHA3_384, PSA_ALG_SHA3_512};

bool sequence_play_mac(struct sequence *sequence, unsigned calls) {
  bool hmac = roll(2) != 0 && !sequence->no_hmac;
  psa_algorithm_t hash = hashes[roll(9)];
  struct mac mac = {.sequence = sequence, .alg = hmac ? PSA_ALG_HMAC(hash) : PSA_ALG_CMAC};
  if (roll(2) != 0) {
    mac.alg = PSA_ALG_TRUNCATED_MAC(mac.alg, 4 + roll(hmac ? PSA_HASH_LENGTH(hash) - 3 : 13));
  }
  call_log_note(&sequence->log, "MAC %08x", (unsigned)mac.alg);
  sequence_import(sequence, hmac ? PSA_KEY_TYPE_HMAC : PSA_KEY_TYPE_AES, mac.alg,
                  PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE,
                  hmac ? 1 + roll(sequence->slots ? 64 : 200) : 16 + 8 * roll(3));
  bool good = setup(&mac, roll(2) != 0);
  while (good && calls-- > 0) {
    disturb();
    good = play_mac(&mac);
  }
  psa_mac_abort(&mac.operations[0]);
  psa_mac_abort(&mac.operations[1]);
  return good;
}

struct hash {
  struct sequence *sequence;
  /* two of each side */
  psa_hash_operation_t operations[2][2];
  psa_algorithm_t alg;
};

static bool finish_hash(struct hash *hash, unsigned which) {
  size_t room = roll(3) == 0 ? roll(70) : 64;
  call_log_note(&hash->sequence->log, "finish(%u, room %zu)", which, room);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(hash->sequence, side, false);
    answer->status =
        psa_hash_finish(&hash->operations[side][which], answer->bytes, room, &answer->length);
  }
  return sequence_agrees(hash->sequence, room);
}

static bool compute_hash(struct hash *hash) {
  size_t length = any_length(roll), room = roll(3) == 0 ? roll(70) : 64;
  call_log_note(&hash->sequence->log, "compute(%zu, room %zu)", length, room);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(hash->sequence, side, false);
    answer->status = psa_hash_compute(hash->alg, hash->sequence->input, length, answer->bytes, room,
                                      &answer->length);
  }
  return sequence_agrees(hash->sequence, room);
}

static bool play_hash(struct hash *hash) {
  struct sequence *sequence = hash->sequence;
  unsigned which = roll(2), what = roll(16);
  size_t length = any_length(roll);
  if (what < 2) {
    return finish_hash(hash, which);
  }
  if (what == 2) {
    return compute_hash(hash);
  }
  psa_algorithm_t alg = roll(8) == 0 ? PSA_ALG_MD5 : hash->alg;
  call_log_note(&sequence->log, "%s(%u, %zu)",
                what == 3   ? "abort"
                : what < 7  ? "setup"
                : what == 7 ? "clone"
                            : "update",
                which, length);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, false);
    psa_hash_operation_t *operations = hash->operations[side];
    answer->status = what == 3   ? psa_hash_abort(&operations[which])
                     : what < 7  ? psa_hash_setup(&operations[which], alg)
                     : what == 7 ? psa_hash_clone(&operations[which], &operations[1 - which])
                                 : psa_hash_update(&operations[which], sequence->input, length);
  }
  return sequence_agrees(sequence, 0);
}

bool sequence_play_hash(struct sequence *sequence, unsigned calls) {
  struct hash hash = {.sequence = sequence, .alg = hashes[roll(9)]};
  bool good = true;
  call_log_note(&sequence->log, "hash %08x", (unsigned)hash.alg);
  while (good && calls-- > 0) {
    disturb();
    good = play_hash(&hash);
  }
  for (unsigned i = 0; i < 4; i++) {
    psa_hash_abort(&hash.operations[i / 2][i % 2]);
  }
  return good;
}
