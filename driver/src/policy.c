/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Parses the text of a policy and applies it to a message.
 */
#include "outwork/policy.h"

static const char ow_policy_first_line[] = "outwork-policy 1";

/* A part of the text: a line, or the rest of one. */
struct ow_text {
  const char *at;
  size_t len;
};

static bool ow_is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the next line without its comment. */
static struct ow_text ow_line(struct ow_text *text) {
  struct ow_text line = {text->at, 0};
  size_t end = 0;
  bool comment = false;
  while (end < text->len && text->at[end] != '\n') {
    comment = comment || text->at[end] == '#';
    line.len += comment ? 0 : 1;
    end++;
  }
  end += end < text->len ? 1 : 0;
  text->at += end;
  text->len -= end;
  return line;
}

/* Returns the next word of a line; empty at the end. */
static struct ow_text ow_word(struct ow_text *line) {
  while (line->len > 0 && ow_is_space(*line->at)) {
    line->at++;
    line->len--;
  }
  struct ow_text word = {line->at, 0};
  while (word.len < line->len && !ow_is_space(word.at[word.len])) {
    word.len++;
  }
  line->at += word.len;
  line->len -= word.len;
  return word;
}

static bool ow_is(struct ow_text word, const char *text) {
  size_t i = 0;
  while (i < word.len && text[i] != '\0' && word.at[i] == text[i]) {
    i++;
  }
  return i == word.len && text[i] == '\0';
}

/* Decimal, or hexadecimal behind 0x. */
static bool ow_number(uint32_t *value, struct ow_text word, uint32_t least, uint32_t most) {
  uint32_t base = 10;
  uint64_t sum = 0;
  if (word.len > 2 && word.at[0] == '0' && word.at[1] == 'x') {
    base = 16;
    word.at += 2;
    word.len -= 2;
  }
  for (size_t i = 0; i < word.len; i++) {
    char c = word.at[i];
    uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10u
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10u
                                            : base;
    sum = sum * base + digit;
    if (digit >= base || sum > UINT32_MAX) {
      return false;
    }
  }
  *value = (uint32_t)sum;
  return word.len > 0 && sum >= least && sum <= most;
}

static bool ow_rule(struct ow_policy_rule *rule, struct ow_text line) {
  uint32_t opcode = 0, key_len = 0, depth = 0;
  bool good = ow_number(&opcode, ow_word(&line), 0, UINT8_MAX);
  good = ow_number(&key_len, ow_word(&line), 0, UINT8_MAX) && good;
  struct ow_text direction = ow_word(&line);
  good = good && (ow_is(direction, "encrypt") || ow_is(direction, "decrypt"));
  good = ow_number(&depth, ow_word(&line), 1, UINT16_MAX) && good;
  *rule = (struct ow_policy_rule){.first = 1,
                                  .depth = (uint16_t)depth,
                                  .opcode = (uint8_t)opcode,
                                  .key_len = (uint8_t)key_len,
                                  .decrypt = ow_is(direction, "decrypt")};
  struct ow_text first = ow_word(&line);
  if (!ow_is(first, "never")) {
    good = ow_number(&rule->first, first, 0, UINT32_MAX) && good;
    struct ow_text last = ow_word(&line);
    rule->last = UINT32_MAX;
    if (!ow_is(last, "-")) {
      good = ow_number(&rule->last, last, rule->first, UINT32_MAX) && good;
    }
  }
  return good && ow_word(&line).len == 0;
}

ow_status ow_policy_read(struct ow_policy *policy, struct ow_policy_rule *rules, size_t capacity,
                         const char *text, size_t text_len, unsigned *line) {
  struct ow_text rest = {text, text_len};
  struct ow_text head = ow_line(&rest);
  while (head.len > 0 && ow_is_space(head.at[head.len - 1])) {
    head.len--;
  }
  bool good = ow_is(head, ow_policy_first_line);
  size_t count = 0;
  unsigned number = 1;
  while (good && rest.len > 0) {
    struct ow_text current = ow_line(&rest);
    struct ow_text look = current;
    number++;
    if (ow_word(&look).len > 0) {
      good = count < capacity && ow_rule(&rules[count], current);
      count++;
    }
  }
  if (line != NULL) {
    *line = number;
  }
  *policy = (struct ow_policy){rules, good ? count : 0};
  return good ? OW_OK : OW_BAD_ARGUMENT;
}

/* Returns the rule that applies to a key length; NULL: none. */
static const struct ow_policy_rule *ow_policy_find(const struct ow_policy *policy, uint8_t opcode,
                                                   uint8_t key_len, bool decrypt, uint32_t depth) {
  const struct ow_policy_rule *best = NULL;
  for (size_t i = 0; i < policy->rules_len; i++) {
    const struct ow_policy_rule *rule = &policy->rules[i];
    bool fits = rule->key_len == key_len || rule->key_len == 0;
    if (rule->opcode == opcode && fits && rule->decrypt == decrypt && rule->depth <= depth &&
        (best == NULL || rule->depth >= best->depth)) {
      best = rule;
    }
  }
  return best;
}

static bool ow_rule_wants(const struct ow_policy_rule *rule, uint32_t length) {
  return rule != NULL && rule->first <= length && length <= rule->last;
}

bool ow_policy_wants(const struct ow_policy *policy, uint8_t opcode, uint8_t key_len, bool decrypt,
                     uint32_t length, uint32_t depth) {
  if (key_len != 0) {
    return ow_rule_wants(ow_policy_find(policy, opcode, key_len, decrypt, depth), length);
  }
  bool any = false;
  for (size_t i = 0; i < policy->rules_len; i++) {
    const struct ow_policy_rule *rule = &policy->rules[i];
    if (rule->opcode == opcode && rule->decrypt == decrypt) {
      any = true;
      if (!ow_rule_wants(ow_policy_find(policy, opcode, rule->key_len, decrypt, depth), length)) {
        return false;
      }
    }
  }
  return any;
}
