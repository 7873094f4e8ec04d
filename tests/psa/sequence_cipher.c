/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sequences of calls on a cipher operation: AES in ECB, CBC and CTR. Works in place only on whole
 * blocks at the begin of a block: releases that copy no arguments refuse the rest, or overwrite it.
 */
#include "sequence.h"

struct cipher {
  struct sequence *sequence;
  psa_cipher_operation_t operations[2];
  psa_algorithm_t alg;
  /* bytes of a block that is not full */
  size_t held;
};

static bool setup(struct cipher *cipher, bool decrypt, psa_algorithm_t alg) {
  struct sequence *sequence = cipher->sequence;
  call_log_note(&sequence->log, "setup(%s, %08x)", decrypt ? "decrypt" : "encrypt", (unsigned)alg);
  for (unsigned side = 0; side < 2; side++) {
    psa_cipher_operation_t *operation = &cipher->operations[side];
    sequence_side(sequence, side, false)->status =
        decrypt ? psa_cipher_decrypt_setup(operation, sequence->keys[side], alg)
                : psa_cipher_encrypt_setup(operation, sequence->keys[side], alg);
  }
  cipher->held = 0;
  return sequence_agrees(sequence, 0);
}

static bool set_iv(struct cipher *cipher, size_t length) {
  uint8_t iv[20];
  fill(iv, sizeof(iv));
  if (roll(4) == 0) {
    memset(iv, 0xff, sizeof(iv)); /* the counter overflows */
  }
  call_log_note(&cipher->sequence->log, "set IV(%zu)", length);
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(cipher->sequence, side, false)->status =
        psa_cipher_set_iv(&cipher->operations[side], iv, length);
  }
  return sequence_agrees(cipher->sequence, 0);
}

/* Gives the software the IV that the driver's operation has got. */
static bool generate_iv(struct cipher *cipher) {
  struct answer *ours = sequence_side(cipher->sequence, 0, false);
  uint8_t iv[16];
  size_t room = roll(4) == 0 ? roll(16) : 16, length = 0;
  call_log_note(&cipher->sequence->log, "generate IV(%zu)", room);
  ours->status = psa_cipher_generate_iv(&cipher->operations[0], iv, room, &length);
  struct answer *theirs = sequence_side(cipher->sequence, 1, false);
  theirs->status = ours->status == PSA_SUCCESS
                       ? psa_cipher_set_iv(&cipher->operations[1], iv, length)
                       : psa_cipher_generate_iv(&cipher->operations[1], iv, room, &length);
  return sequence_agrees(cipher->sequence, 0);
}

static bool update(struct cipher *cipher) {
  struct sequence *sequence = cipher->sequence;
  size_t length = any_length(roll), room = sequence_room(length + (roll(2) != 0 ? 15 : 0));
  bool in_place = roll(3) == 0 && cipher->held == 0 && length % 16 == 0;
  cipher->held = (cipher->held + length) % 16;
  call_log_note(&sequence->log, "update(%zu, room %zu%s)", length, room,
                in_place ? ", in place" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, in_place);
    answer->status =
        psa_cipher_update(&cipher->operations[side], in_place ? answer->bytes : sequence->input,
                          length, answer->bytes, room, &answer->length);
  }
  return sequence_agrees(sequence, room);
}

static bool finish(struct cipher *cipher) {
  size_t room = roll(20);
  call_log_note(&cipher->sequence->log, "finish(room %zu)", room);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(cipher->sequence, side, false);
    answer->status =
        psa_cipher_finish(&cipher->operations[side], answer->bytes, room, &answer->length);
  }
  return sequence_agrees(cipher->sequence, room);
}

static bool abort_both(struct cipher *cipher) {
  call_log_note(&cipher->sequence->log, "abort");
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(cipher->sequence, side, false)->status =
        psa_cipher_abort(&cipher->operations[side]);
  }
  return sequence_agrees(cipher->sequence, 0);
}

/* Returns whether a message of this length can be whole: room is not also too small for one that
 * cannot, because which of two errors is found first is not defined. */
static bool is_whole(const struct cipher *cipher, size_t length) {
  return cipher->alg == PSA_ALG_CTR || length % 16 == 0;
}

/* A message in one call: encrypted with the driver, whose IV is random, and decrypted by both. */
static bool whole(struct cipher *cipher) {
  struct sequence *sequence = cipher->sequence;
  static uint8_t sealed[SEQUENCE_ROOM];
  size_t length = any_length(roll) % (SEQUENCE_ROOM - 16), made[2] = {0, 0};
  size_t room = is_whole(cipher, length) ? sequence_room(length + 16) : SEQUENCE_ROOM;
  call_log_note(&sequence->log, "whole message(%zu, room %zu)", length, room);
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, false);
    answer->status = psa_cipher_encrypt(sequence->keys[side], cipher->alg, sequence->input, length,
                                        answer->bytes, room, &made[side]);
  }
  memcpy(sealed, sequence->answers[0].bytes, made[0]);
  if (!sequence_agrees(sequence, room) || !sequence_succeeded(sequence)) {
    return sequence_agrees(sequence, room);
  }
  CHECK_EQUAL(made[0], made[1]);
  length = made[0] - (roll(10) == 0 ? roll((uint32_t)made[0] + 1) : 0);
  room = is_whole(cipher, length) ? sequence_room(length) : SEQUENCE_ROOM;
  bool in_place = roll(3) == 0;
  call_log_note(&sequence->log, "  decrypt %zu, room %zu%s", length, room,
                in_place ? ", in place" : "");
  for (unsigned side = 0; side < 2; side++) {
    struct answer *answer = sequence_side(sequence, side, false);
    if (in_place) {
      memcpy(answer->bytes, sealed, length);
    }
    answer->status =
        psa_cipher_decrypt(sequence->keys[side], cipher->alg, in_place ? answer->bytes : sealed,
                           length, answer->bytes, room, &answer->length);
  }
  return sequence_agrees(sequence, room > length ? room : length);
}

static bool play_call(struct cipher *cipher) {
  switch (roll(20)) {
  case 0:
  case 1:
    return abort_both(cipher) && setup(cipher, roll(2) != 0, cipher->alg) && set_iv(cipher, 16);
  case 2:
    return abort_both(cipher) && setup(cipher, roll(2) != 0, cipher->alg);
  case 3:
    return setup(cipher, roll(2) != 0, roll(3) == 0 ? PSA_ALG_CFB : cipher->alg);
  case 4:
    return set_iv(cipher, roll(3) == 0 ? roll(20) : 16);
  case 5:
    return generate_iv(cipher);
  case 6:
  case 7:
    return finish(cipher);
  case 8:
    return whole(cipher);
  case 9:
    return roll(20) != 0 || cipher->sequence->slots || sequence_destroy(cipher->sequence);
  default:
    return update(cipher);
  }
}

bool sequence_play_cipher(struct sequence *sequence, unsigned calls) {
  static const psa_algorithm_t algs[] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING,
                                         PSA_ALG_CTR};
  struct cipher cipher = {.sequence = sequence, .alg = algs[roll(3)]};
  psa_key_usage_t usages = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
  call_log_note(&sequence->log, "cipher %08x", (unsigned)cipher.alg);
  sequence_import(sequence, PSA_KEY_TYPE_AES, cipher.alg, usages, 16 + 8 * roll(3));
  bool good = setup(&cipher, roll(2) != 0, cipher.alg) &&
              (cipher.alg == PSA_ALG_ECB_NO_PADDING || set_iv(&cipher, 16));
  while (good && calls-- > 0) {
    disturb();
    good = play_call(&cipher);
  }
  psa_cipher_abort(&cipher.operations[0]);
  psa_cipher_abort(&cipher.operations[1]);
  return good;
}
