/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Whose a message is, by the policy: a table made once, so that small messages cost one look.
 */
#ifndef OUTWORK_OFFLOAD_VERDICT_H
#define OUTWORK_OFFLOAD_VERDICT_H

#include "outwork/policy.h"

#define OW_OPCODES 0x80u

struct ow_verdict {
  bool always;
  struct ow_policy policy;
  struct ow_policy_rule *rules;     /* its memory */
  uint32_t floor[OW_OPCODES][4][2]; /* least length of any rule: opcode, key length, decrypt */
};

/* `text`: never, always, or a file's name. NULL, or why not (a string that stays). */
const char *ow_verdict_open(struct ow_verdict *verdict, const char *text);
void ow_verdict_close(struct ow_verdict *verdict);
uint32_t ow_verdict_floor(const struct ow_verdict *verdict, uint8_t opcode, uint8_t key_len,
                          bool decrypt);
/* `depth`: messages in flight, this one counted. */
bool ow_verdict_device(const struct ow_verdict *verdict, uint8_t opcode, uint8_t key_len,
                       bool decrypt, size_t length, uint32_t depth);

#endif
