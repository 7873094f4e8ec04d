/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Helpers that several adapters share.
 */
#ifndef OUTWORK_LAB_ADAPTER_H
#define OUTWORK_LAB_ADAPTER_H

#include "lab.h"
#include "outwork/spec.h"

#include <stdlib.h>
#include <string.h>

#define OW_LAB_EXPORT __attribute__((visibility("default")))

enum { BLOCK = 16 };

/* The loop's clock, nanoseconds; where the loop runs on another machine, that machine's unit. */
uint64_t ow_lab_clock(void);

/* Allocates memory with cache lines of its own. NULL: no memory. */
static inline void *ow_lab_allocate(size_t size) {
  void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
  if (memory) {
    memset(memory, 0, size);
  }
  return memory;
}

/* Wipes memory; the compiler cannot remove it. */
static inline void ow_lab_wipe(void *memory, size_t size) {
  memset(memory, 0, size);
  __asm__ volatile("" : : "r"(memory) : "memory");
}

/* Returns whether the tag matches, without a branch on it. */
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

/* Returns whether an opcode is SHA-1 to SHAKE256, or their HMAC or KMAC: the high digits 2 and
 * 3. */
static inline int ow_lab_is_hash(uint32_t opcode) {
  return opcode >> 4 == OW_OP_SHA1 >> 4;
}

static inline int ow_lab_is_hash_mac(uint32_t opcode) {
  return opcode >> 4 == OW_OP_HMAC_SHA1 >> 4;
}

/* Returns whether an opcode is AES with HMAC, whose key material is the AES key and the HMAC key.
 */
static inline int ow_lab_is_combined(uint32_t opcode) {
  return opcode >> 4 == OW_OP_AES_CBC_HMAC_SHA1 >> 4;
}

/* Returns the opcode of the cipher alone. */
static inline uint32_t ow_lab_cipher_opcode(uint32_t opcode) {
  return !ow_lab_is_combined(opcode)        ? opcode
         : opcode < OW_OP_AES_CTR_HMAC_SHA1 ? OW_OP_AES_CBC
                                            : OW_OP_AES_CTR;
}

/* Returns the opcode of the MAC alone. */
static inline uint32_t ow_lab_mac_opcode(uint32_t opcode) {
  static const uint32_t hmacs[4] = {OW_OP_HMAC_SHA1, OW_OP_HMAC_SHA256, OW_OP_HMAC_SHA384,
                                    OW_OP_HMAC_SHA512};
  return ow_lab_is_combined(opcode) ? hmacs[opcode & 3] : opcode;
}

/* Returns the bytes of the cipher's key, which is the first of two in XTS and in AES with HMAC. */
static inline uint32_t ow_lab_cipher_key_len(const struct ow_lab_setting *setting) {
  if (ow_lab_is_combined(setting->opcode)) {
    return setting->key_len - (ow_lab_mac_opcode(setting->opcode) == OW_OP_HMAC_SHA1 ? 20 : 32);
  }
  return setting->opcode == OW_OP_AES_XTS ? setting->key_len / 2 : setting->key_len;
}

/* Returns why an algorithm that most libraries do not have is refused; NULL: another algorithm. */
static inline const char *ow_lab_refuses_rare(const struct ow_lab_setting *setting) {
  if (ow_lab_is_combined(setting->opcode)) {
    return "AES with HMAC is measured with OpenSSL and Mbed TLS only";
  }
  if (setting->opcode >> 4 == OW_OP_DES_ECB >> 4) {
    return "DES is not measured on CPUs";
  }
  return ow_lab_is_radio(setting->opcode) ? "it has no radio algorithms" : NULL;
}

/* Ends a MAC, which is in message->tag: verifies it if the setting says so. */
static inline int ow_lab_finish_mac(const struct ow_lab_setting *setting,
                                    const struct ow_lab_message *message) {
  return !setting->is_inverse || ow_lab_tag_matches(message, setting->tag_len);
}

#endif
