/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the sequences of calls share: preparing and comparing answers.
 */
#include "sequence.h"

const int sequence_devices[2] = {DEVICE, INVALID_DEVID};

struct answer *sequence_side(struct sequence *sequence, unsigned side, bool in_place) {
  struct answer *answer = &sequence->answers[side];
  if (side == 0 && sequence->between != NULL) {
    sequence->between();
  }
  answer->length = answer->tag_len = 0;
  memset(answer->bytes, 0xa5, sizeof(answer->bytes));
  if (in_place) {
    memcpy(answer->bytes, sequence->input, sizeof(answer->bytes));
  }
  return answer;
}

bool sequence_agrees(struct sequence *sequence) {
  const struct answer *ours = &sequence->answers[0], *theirs = &sequence->answers[1];
  bool same =
      ours->result == theirs->result &&
      (ours->result != 0 || (ours->length == theirs->length && ours->tag_len == theirs->tag_len &&
                             memcmp(ours->bytes, theirs->bytes, SEQUENCE_ROOM) == 0 &&
                             memcmp(ours->tag, theirs->tag, ours->tag_len) == 0));
  if (!same) {
    fprintf(stderr, "%sthe last call: %d and %d\n", sequence->log.text, ours->result,
            theirs->result);
  }
  return same;
}

bool sequence_succeeded(const struct sequence *sequence) {
  return sequence->answers[1].result == 0;
}
