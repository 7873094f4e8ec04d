/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The policy: which messages pay for the device. Read from the text that `outwork lab policy`
 * writes (docs/policy.md); a queue that has one answers OW_UNSUPPORTED to the others.
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

/* With `depth` or more messages in flight those of `first` to `last` bytes go to the device; none
 * if `first` is greater than `last`. */
struct ow_policy_rule {
  uint32_t first;
  uint32_t last;
  uint16_t depth;
  uint8_t opcode;  /* enum ow_opcode */
  uint8_t key_len; /* bytes; 0: every key, or none */
  bool decrypt;    /* or verify */
};

/* Caller-owned; may be shared by any number of queues while nobody changes it. */
struct ow_policy {
  const struct ow_policy_rule *rules;
  size_t rules_len;
};

/* Reads a policy into `rules`, room for `capacity`. The text may be freed afterwards.
 * OW_BAD_ARGUMENT: line *line (from 1; `line` may be NULL) is no rule of this version, or there is
 * no room for it; `policy` then has no rule, which keeps everything from the device. */
ow_status ow_policy_read(struct ow_policy *policy, struct ow_policy_rule *rules, size_t capacity,
                         const char *text, size_t text_len, unsigned *line);

/* Whether a message of `length` bytes is the device's when `depth` are in flight, itself counted.
 * Of the rules for its opcode, key length and direction the one with the greatest depth up to
 * `depth` holds; without one the answer is no. key_len 0 with a key in a slot, whose length is not
 * known: yes only if every key length of the opcode that has rules says yes. */
bool ow_policy_wants(const struct ow_policy *policy, uint8_t opcode, uint8_t key_len, bool decrypt,
                     uint32_t length, uint32_t depth);

#ifdef __cplusplus
}
#endif

#endif
