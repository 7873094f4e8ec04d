/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on an AEAD operation, and AEAD in one call: AES-GCM and AES-CCM.
 */
#include "sequence.h"

struct aead {
  struct sequence *sequence;
  psa_aead_operation_t operations[2];
  psa_algorithm_t alg;
  uint8_t nonce[64], aad[300];
};

static bool setup(struct aead *aead, bool decrypt) {
  struct sequence *sequence = aead->sequence;
  call_log_note(&sequence->log, "setup(%s)", decrypt ? "decrypt" : "encrypt");
  for (unsigned side = 0; side < 2; side++) {
    psa_aead_operation_t *operation = &aead->operations[side];
    sequence_side(sequence, side, false)->status =
        decrypt ? psa_aead_decrypt_setup(operation, sequence->keys[side], aead->alg)
                : psa_aead_encrypt_setup(operation, sequence->keys[side], aead->alg);
  }
  return sequence_agrees(sequence, 0);
}

static bool set_nonce(struct aead *aead) {
  size_t length = roll(3) == 0 ? roll(sizeof(aead->nonce) + 1) : 12;
  fill(aead->nonce, sizeof(aead->nonce));
  call_log_note(&aead->sequence->log, "set nonce(%zu)", length);
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(aead->sequence, side, false)->status =
        psa_aead_set_nonce(&aead->operations[side], aead->nonce, length);
  }
  return sequence_agrees(aead->sequence, 0);
}

/* Gives the software the nonce that the driver's operation has got. */
static bool generate_nonce(struct aead *aead) {
  struct answer *ours = sequence_side(aead->sequence, 0, false);
  size_t room = roll(4) == 0 ? roll(16) : 16, length = 0;
  call_log_note(&aead->sequence->log, "generate nonce(%zu)", room);
  ours->status = psa_aead_generate_nonce(&aead->operations[0], aead->nonce, room, &length);
  struct answer *theirs = sequence_side(aead->sequence, 1, false);
  theirs->status = ours->status == PSA_SUCCESS
                       ? psa_aead_set_nonce(&aead->operations[1], aead->nonce, length)
                       : psa_aead_generate_nonce(&aead->operations[1], aead->nonce, room, &length);
  return sequence_agrees(aead->sequence, 0);
}

static bool set_lengths(struct aead *aead) {
  size_t aad_len = roll(2) != 0 ? roll(sizeof(aead->aad)) : 0, length = any_length(roll);
  call_log_note(&aead->sequence->log, "set lengths(%zu, %zu)", aad_len, length);
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(aead->sequence, side, false)->status =
        psa_aead_set_lengths(&aead->operations[side], aad_len, length);
  }
  return sequence_agrees(aead->sequence, 0);
}

static bool update_ad(struct aead *aead) {
  size_t length = roll(2) != 0 ? roll(sizeof(aead->aad)) : roll(33);
  call_log_note(&aead->sequence->log, "update AD(%zu)", length);
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(aead->sequence, side, false)->status =
        psa_aead_update_ad(&aead->operations[side], aead->aad, length);
  }
  return sequence_agrees(aead->sequence, 0);
}

static bool update(struct aead *aead) {
  struct sequence *sequence = aead->sequence;
  size_t length = any_length(roll), room = sequence_room(length);
  bool in_place = roll(3) == 0;
  call_log_note(&sequence->log, "update(%zu, room %zu%s)", length, room,
                in_place ? ", in place" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, in_place);
    answer->status =
        psa_aead_update(&aead->operations[side], in_place ? answer->bytes : sequence->input, length,
                        answer->bytes, room, &answer->length);
  }
  return sequence_agrees(sequence, room);
}

static bool finish(struct aead *aead) {
  size_t room = roll(20), tag_room = roll(3) == 0 ? roll(20) : 16;
  call_log_note(&aead->sequence->log, "finish(room %zu, %zu)", room, tag_room);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(aead->sequence, side, false);
    answer->status = psa_aead_finish(&aead->operations[side], answer->bytes, room, &answer->length,
                                     answer->tag, tag_room, &answer->tag_len);
  }
  return sequence_agrees(aead->sequence, room);
}

/* Verifies with a wrong tag: test_aead.c has the right ones. */
static bool verify(struct aead *aead) {
  uint8_t tag[20];
  size_t room = roll(20), length = roll(3) == 0 ? roll(20) : PSA_ALG_AEAD_GET_TAG_LENGTH(aead->alg);
  fill(tag, sizeof(tag));
  call_log_note(&aead->sequence->log, "verify(room %zu, tag %zu)", room, length);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(aead->sequence, side, false);
    answer->status =
        psa_aead_verify(&aead->operations[side], answer->bytes, room, &answer->length, tag, length);
  }
  return sequence_agrees(aead->sequence, room);
}

static bool abort_both(struct aead *aead) {
  call_log_note(&aead->sequence->log, "abort");
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(aead->sequence, side, false)->status = psa_aead_abort(&aead->operations[side]);
  }
  return sequence_agrees(aead->sequence, 0);
}

/* Decrypts what whole() has made, perhaps changed. After an error no plaintext may be there. */
static bool open_whole(struct aead *aead, const uint8_t *sealed, size_t made, size_t nonce_len,
                       size_t aad_len) {
  struct sequence *sequence = aead->sequence;
  static uint8_t text[SEQUENCE_ROOM];
  memcpy(text, sealed, made);
  unsigned how = roll(6);
  if (how == 0 && made != 0) {
    text[roll((uint32_t)made)] ^= 1;
  } else if (how == 1) {
    made -= roll((uint32_t)(made < 20 ? made : 20) + 1);
  }
  size_t tag_len = PSA_ALG_AEAD_GET_TAG_LENGTH(aead->alg);
  size_t room = sequence_room(made > tag_len ? made - tag_len : 0);
  bool in_place = roll(3) == 0;
  call_log_note(&sequence->log, "  decrypt %zu, room %zu%s%s", made, room,
                in_place ? ", in place" : "", how == 0 ? ", changed" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, false);
    if (in_place) {
      memcpy(answer->bytes, text, made);
    }
    answer->status = psa_aead_decrypt(sequence->keys[side], aead->alg, aead->nonce, nonce_len,
                                      aead->aad, aad_len, in_place ? answer->bytes : text, made,
                                      answer->bytes, room, &answer->length);
    for (size_t i = 0; answer->status == PSA_ERROR_INVALID_SIGNATURE && i < room; i++) {
      CHECK_EQUAL(answer->bytes[i], 0);
    }
  }
  return sequence_agrees(sequence, room > made ? room : made);
}

static bool whole(struct aead *aead) {
  struct sequence *sequence = aead->sequence;
  size_t nonce_len = roll(3) == 0 ? roll(sizeof(aead->nonce) + 1) : 12;
  size_t length = any_length(roll), aad_len = roll(2) != 0 ? roll(sizeof(aead->aad)) : 0;
  length = length < SEQUENCE_ROOM - 16 ? length : SEQUENCE_ROOM - 16;
  length = sequence->slots && length > OW_REQUEST_BYTES ? 100 : length;
  size_t room = sequence_room(length + 16);
  bool in_place = roll(3) == 0;
  fill(aead->nonce, sizeof(aead->nonce));
  call_log_note(&sequence->log, "whole message(nonce %zu, AD %zu, %zu, room %zu%s)", nonce_len,
                aad_len, length, room, in_place ? ", in place" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, in_place);
    answer->status = psa_aead_encrypt(
        sequence->keys[side], aead->alg, aead->nonce, nonce_len, aead->aad, aad_len,
        in_place ? answer->bytes : sequence->input, length, answer->bytes, room, &answer->length);
  }
  size_t end = in_place && room < length ? length : room;
  return sequence_agrees(sequence, end) &&
         (!sequence_succeeded(sequence) ||
          open_whole(aead, sequence->answers[0].bytes, sequence->answers[0].length, nonce_len,
                     aad_len));
}

static bool begin_message(struct aead *aead) {
  return abort_both(aead) && setup(aead, roll(2) != 0) && (roll(2) != 0 || set_lengths(aead)) &&
         set_nonce(aead) && (roll(2) != 0 || update_ad(aead));
}

static bool play_call(struct aead *aead) {
  switch (aead->sequence->slots ? 12 : roll(24)) {
  case 0:
  case 1:
  case 2:
    return begin_message(aead);
  case 3:
    return setup(aead, roll(2) != 0);
  case 4:
    return set_nonce(aead);
  case 5:
    return generate_nonce(aead);
  case 6:
    return set_lengths(aead);
  case 7:
  case 8:
    return update_ad(aead);
  case 9:
  case 10:
    return finish(aead);
  case 11:
    return verify(aead);
  case 12:
  case 13:
  case 14:
    return whole(aead);
  case 15:
    return roll(20) != 0 || sequence_destroy(aead->sequence);
  default:
    return update(aead);
  }
}

bool sequence_play_aead(struct sequence *sequence, unsigned calls) {
  bool ccm = roll(3) == 0;
  size_t tag_len = roll(2) != 0 ? 16 : ccm ? 4 + 2 * roll(7) : 12 + roll(5);
  struct aead aead = {
      .sequence = sequence,
      .alg = PSA_ALG_AEAD_WITH_SHORTENED_TAG(ccm ? PSA_ALG_CCM : PSA_ALG_GCM, tag_len)};
  fill(aead.aad, sizeof(aead.aad));
  call_log_note(&sequence->log, "%s, tag %zu", ccm ? "CCM" : "GCM", tag_len);
  sequence_import(sequence, PSA_KEY_TYPE_AES, aead.alg,
                  PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, 16 + 8 * roll(3));
  bool good = sequence->slots || begin_message(&aead);
  while (good && calls-- > 0) {
    disturb();
    good = play_call(&aead);
  }
  psa_aead_abort(&aead.operations[0]);
  psa_aead_abort(&aead.operations[1]);
  return good;
}
