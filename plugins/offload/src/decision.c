/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The policy's file and the table of least lengths.
 */
#include "decision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (1u << 20)

/* 0 for what has no key, or one of another length. */
static unsigned key_index(uint8_t key_len) {
  return key_len == 16 ? 1 : key_len == 24 ? 2 : key_len == 32 ? 3 : 0;
}

static void fill_floor(struct ow_decision *decision) {
  const uint32_t level = decision->always ? 0 : UINT32_MAX;
  for (unsigned opcode = 0; opcode < OW_OPCODES; opcode++) {
    for (unsigned i = 0; i < 8; i++) {
      decision->floor[opcode][i / 2][i % 2] = level;
    }
  }
  for (size_t i = 0; i < decision->policy.rules_len; i++) {
    const struct ow_policy_rule *rule = &decision->policy.rules[i];
    if (rule->first <= rule->last) {
      for (unsigned index = 0; index < 4; index++) {
        uint32_t *floor = &decision->floor[rule->opcode][index][rule->decrypt];
        bool meant = rule->key_len == 0 || index == key_index(rule->key_len);
        *floor = meant && rule->first < *floor ? rule->first : *floor;
      }
    }
  }
}

static char *read_file(size_t *length, const char *path) {
  FILE *file = fopen(path, "re");
  char *text = file != NULL ? malloc(FILE_BYTES_MAX) : NULL;
  if (text != NULL) {
    *length = fread(text, 1, FILE_BYTES_MAX, file);
    if (ferror(file) != 0 || *length == FILE_BYTES_MAX) {
      free(text);
      text = NULL;
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return text;
}

static const char *read_policy(struct ow_decision *decision, const char *path) {
  size_t length = 0;
  char *text = read_file(&length, path);
  if (text == NULL) {
    return "the policy file cannot be read";
  }
  size_t lines = 1;
  for (size_t i = 0; i < length; i++) {
    lines += text[i] == '\n';
  }
  decision->rules = calloc(lines, sizeof(*decision->rules));
  bool good = decision->rules != NULL && ow_policy_read(&decision->policy, decision->rules, lines,
                                                        text, length, NULL) == OW_OK;
  free(text);
  return good ? NULL : "the policy file is none of this version (see `outwork lab policy`)";
}

const char *ow_decision_open(struct ow_decision *decision, const char *text) {
  const char *why = NULL;
  *decision = (struct ow_decision){.always = text != NULL && strcmp(text, "always") == 0};
  if (text != NULL && !decision->always && strcmp(text, "never") != 0) {
    why = read_policy(decision, text);
  }
  if (why != NULL) {
    ow_decision_close(decision);
  }
  fill_floor(decision);
  return why;
}

void ow_decision_close(struct ow_decision *decision) {
  free(decision->rules);
  decision->rules = NULL;
  decision->policy = (struct ow_policy){.rules = NULL};
}

uint32_t ow_decision_floor(const struct ow_decision *decision, uint8_t opcode, uint8_t key_len,
                           bool decrypt) {
  return decision->floor[opcode][key_index(key_len)][decrypt];
}

bool ow_decision_device(const struct ow_decision *decision, uint8_t opcode, uint8_t key_len,
                        bool decrypt, size_t length, uint32_t depth) {
  uint32_t rounded = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
  return rounded >= ow_decision_floor(decision, opcode, key_len, decrypt) &&
         (decision->always ||
          ow_policy_wants(&decision->policy, opcode, key_len, decrypt, rounded, depth));
}
