/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The decision of the policy: a table of least lengths, so that a small message costs one
 * comparison.
 */
#ifndef OUTWORK_OFFLOAD_DECISION_H
#define OUTWORK_OFFLOAD_DECISION_H

#include "outwork/policy.h"

#define OW_OPCODES 0x100u

struct ow_decision {
  bool always;
  struct ow_policy policy;
  struct ow_policy_rule *rules;     /* its memory */
  uint32_t floor[OW_OPCODES][4][2]; /* least length of any rule: opcode, key length, decrypt */
};

/* Reads a policy. text: never, always, or a file name. Returns NULL, or the reason of the failure
 * (static). */
const char *ow_decision_open(struct ow_decision *decision, const char *text);
void ow_decision_close(struct ow_decision *decision);
uint32_t ow_decision_floor(const struct ow_decision *decision, uint8_t opcode, uint8_t key_len,
                           bool decrypt);
/* Returns whether a message goes to the device. depth: messages in flight, including this one. */
bool ow_decision_device(const struct ow_decision *decision, uint8_t opcode, uint8_t key_len,
                        bool decrypt, size_t length, uint32_t depth);

#endif
