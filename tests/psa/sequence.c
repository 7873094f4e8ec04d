/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the sequences of calls share: preparing and comparing answers, random room, keys.
 */
#include "sequence.h"

#define PATTERN 0xa5

struct answer *sequence_side(struct sequence *sequence, unsigned side, bool in_place) {
  struct answer *answer = &sequence->answers[side];
  answer->length = answer->tag_len = 0;
  memset(answer->bytes, PATTERN, sizeof(answer->bytes));
  if (in_place) {
    memcpy(answer->bytes, sequence->input, SEQUENCE_ROOM);
  }
  choose(side == 0);
  return answer;
}

bool sequence_agrees(struct sequence *sequence, size_t room) {
  const struct answer *ours = &sequence->answers[0], *theirs = &sequence->answers[1];
  bool same = ours->status == theirs->status;
  if (same && ours->status == PSA_SUCCESS) {
    same = ours->length == theirs->length && ours->tag_len == theirs->tag_len &&
           memcmp(ours->bytes, theirs->bytes, ours->length) == 0 &&
           memcmp(ours->tag, theirs->tag, ours->tag_len) == 0;
  }
  for (size_t i = room; i < room + SEQUENCE_GUARD; i++) {
    same = same && ours->bytes[i] == (i < SEQUENCE_ROOM ? theirs->bytes[i] : PATTERN);
  }
  if (!same) {
    fprintf(stderr, "%sthe last call: %d and %d, %zu and %zu bytes, tags of %zu and %zu\n",
            sequence->log.text, (int)ours->status, (int)theirs->status, ours->length,
            theirs->length, ours->tag_len, theirs->tag_len);
  }
  return same;
}

bool sequence_succeeded(const struct sequence *sequence) {
  return sequence->answers[1].status == PSA_SUCCESS;
}

size_t sequence_room(size_t length) {
  size_t room = length;
  switch (roll(12)) {
  case 0:
    room = roll((uint32_t)length + 1);
    break;
  case 1:
    room = length + 1 + roll(20);
    break;
  case 2:
    room = length - length % 16;
    break;
  case 3:
    room = length + 16;
    break;
  default:
    break;
  }
  return room < SEQUENCE_ROOM ? room : SEQUENCE_ROOM;
}

void sequence_import(struct sequence *sequence, psa_key_type_t type, psa_algorithm_t alg,
                     psa_key_usage_t usage, size_t length) {
  uint8_t bytes[256];
  CHECK(length <= sizeof(bytes));
  fill(bytes, length);
  choose(true);
  for (unsigned side = 0; side < 2; side++) {
    sequence->keys[side] = import(type, sequence->slots && side == 0 ? OUTWORK_PSA_LIFETIME : 0,
                                  alg, usage, bytes, length);
  }
}

bool sequence_destroy(struct sequence *sequence) {
  call_log_note(&sequence->log, "destroy the key");
  for (unsigned side = 0; side < 2; side++) {
    sequence_side(sequence, side, false)->status = psa_destroy_key(sequence->keys[side]);
  }
  return sequence_agrees(sequence, 0);
}
