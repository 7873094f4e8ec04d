/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What several adapters share.
 */
#ifndef OUTWORK_LAB_ADAPTER_H
#define OUTWORK_LAB_ADAPTER_H

#include "lab.h"
#include "outwork/spec.h"

#include <stdlib.h>
#include <string.h>

#define OW_LAB_EXPORT __attribute__((visibility("default")))

enum { BLOCK = 16 };

/* Contexts lie on cache lines of their own. */
static inline void *ow_lab_allocate(size_t size) {
  void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
  if (memory) {
    memset(memory, 0, size);
  }
  return memory;
}

/* In a way that no compiler leaves out. */
static inline void ow_lab_wipe(void *memory, size_t size) {
  memset(memory, 0, size);
  __asm__ volatile("" : : "r"(memory) : "memory");
}

/* Without a branch on the tag. */
static inline int ow_lab_tag_matches(const struct ow_lab_message *message, uint32_t tag_len) {
  unsigned int difference = 0;
  for (uint32_t at = 0; at < tag_len; at++) {
    difference |= (unsigned int)(message->tag[at] ^ message->expected[at]);
  }
  return difference == 0;
}

static inline int ow_lab_is_radio(uint32_t opcode) {
  return opcode >> 4 == OW_OP_EEA1 >> 4 || opcode == OW_OP_EEA2 || opcode == OW_OP_EIA2;
}

/* SHA-1 to SHAKE256, and the HMACs and KMACs of them: the high digits 2 and 3. */
static inline int ow_lab_is_hash(uint32_t opcode) {
  return opcode >> 4 == OW_OP_SHA1 >> 4;
}

static inline int ow_lab_is_hash_mac(uint32_t opcode) {
  return opcode >> 4 == OW_OP_HMAC_SHA1 >> 4;
}

/* What most libraries lack, or are not asked for: NULL if it is something else. */
static inline const char *ow_lab_refuses_rare(const struct ow_lab_setting *setting) {
  if (setting->opcode >> 4 == OW_OP_DES_ECB >> 4) {
    return "DES is not measured on CPUs";
  }
  return ow_lab_is_radio(setting->opcode) ? "it has no radio algorithms" : NULL;
}

/* The end of a MAC: it was made in message->tag. */
static inline int ow_lab_finish_mac(const struct ow_lab_setting *setting,
                                    const struct ow_lab_message *message) {
  return !setting->is_inverse || ow_lab_tag_matches(message, setting->tag_len);
}

#endif
