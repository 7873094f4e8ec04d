/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The policy: which messages the device does faster than software. `outwork lab policy` writes it
 * as text (docs/policy.md). A queue with a policy returns OW_UNSUPPORTED for all other messages.
 */
#ifndef OUTWORK_POLICY_H
#define OUTWORK_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outwork/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With `depth` or more messages in flight, those of `first` to `last` bytes go to the device; none
 * if `first` is greater than `last`. */
struct ow_policy_rule {
  uint32_t first;
  uint32_t last;
  uint16_t depth;
  uint8_t opcode;  /* enum ow_opcode */
  uint8_t key_len; /* bytes; 0: every key, or none */
  bool decrypt;    /* or verify */
};

/* Caller-owned; any number of queues may share it while it does not change. */
struct ow_policy {
  const struct ow_policy_rule *rules;
  size_t rules_len;
};

/* Parses the text of a policy into `rules`, an array of `capacity` entries. The text may be freed
 * afterwards. OW_BAD_ARGUMENT: line *line (from 1; `line` may be NULL) is not a rule of this
 * version, or there are too many; then `policy` has no rule and keeps everything in software. */
ow_status ow_policy_read(struct ow_policy *policy, struct ow_policy_rule *rules, size_t capacity,
                         const char *text, size_t text_len, unsigned *line);

/* Returns whether a message of `length` bytes goes to the device when `depth` messages, including
 * this one, are in flight. Of the rules for its opcode, key length and direction the one with the
 * greatest depth up to `depth` applies; without one the answer is no. With key_len 0 (a key in a
 * slot, whose length is not known) the answer is yes only if the rules of every key length say yes.
 */
bool ow_policy_wants(const struct ow_policy *policy, uint8_t opcode, uint8_t key_len, bool decrypt,
                     uint32_t length, uint32_t depth);

#ifdef __cplusplus
}
#endif

#endif
