/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The policy's file and the table of least lengths.
 */
#include "verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (1u << 20)

/* 0 for what has no key, or one of another length. */
static unsigned key_index(uint8_t key_len) {
  return key_len == 16 ? 1 : key_len == 24 ? 2 : key_len == 32 ? 3 : 0;
}

static void fill_floor(struct ow_verdict *verdict) {
  const uint32_t level = verdict->always ? 0 : UINT32_MAX;
  for (unsigned opcode = 0; opcode < OW_OPCODES; opcode++) {
    for (unsigned i = 0; i < 8; i++) {
      verdict->floor[opcode][i / 2][i % 2] = level;
    }
  }
  for (size_t i = 0; i < verdict->policy.rules_len; i++) {
    const struct ow_policy_rule *rule = &verdict->policy.rules[i];
    if (rule->opcode < OW_OPCODES && rule->first <= rule->last) {
      for (unsigned index = 0; index < 4; index++) {
        uint32_t *floor = &verdict->floor[rule->opcode][index][rule->decrypt];
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

static const char *read_policy(struct ow_verdict *verdict, const char *path) {
  size_t length = 0;
  char *text = read_file(&length, path);
  if (text == NULL) {
    return "the policy file cannot be read";
  }
  size_t lines = 1;
  for (size_t i = 0; i < length; i++) {
    lines += text[i] == '\n';
  }
  verdict->rules = calloc(lines, sizeof(*verdict->rules));
  bool good = verdict->rules != NULL &&
              ow_policy_read(&verdict->policy, verdict->rules, lines, text, length, NULL) == OW_OK;
  free(text);
  return good ? NULL : "the policy file is none of this version (see `outwork lab policy`)";
}

const char *ow_verdict_open(struct ow_verdict *verdict, const char *text) {
  const char *why = NULL;
  *verdict = (struct ow_verdict){.always = text != NULL && strcmp(text, "always") == 0};
  if (text != NULL && !verdict->always && strcmp(text, "never") != 0) {
    why = read_policy(verdict, text);
  }
  if (why != NULL) {
    ow_verdict_close(verdict);
  }
  fill_floor(verdict);
  return why;
}

void ow_verdict_close(struct ow_verdict *verdict) {
  free(verdict->rules);
  verdict->rules = NULL;
  verdict->policy = (struct ow_policy){.rules = NULL};
}

uint32_t ow_verdict_floor(const struct ow_verdict *verdict, uint8_t opcode, uint8_t key_len,
                          bool decrypt) {
  return verdict->floor[opcode % OW_OPCODES][key_index(key_len)][decrypt];
}

bool ow_verdict_device(const struct ow_verdict *verdict, uint8_t opcode, uint8_t key_len,
                       bool decrypt, size_t length, uint32_t depth) {
  uint32_t rounded = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
  return rounded >= ow_verdict_floor(verdict, opcode, key_len, decrypt) &&
         (verdict->always ||
          ow_policy_wants(&verdict->policy, opcode, key_len, decrypt, rounded, depth));
}
