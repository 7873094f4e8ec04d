/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES by the CPU's scalar crypto instructions.
 */
#include "aes_zkn.h"
#include "modes.h"

const char *const modes_name = "instructions";
static struct aes_zkn aes;

bool modes_open(void) {
  return true;
}

bool modes_set_key(const uint8_t *key, size_t key_len) {
  aes_zkn_set_key(&aes, key, key_len);
  return true;
}

bool modes_encrypt(enum mode mode, uint8_t *message, uint32_t length, uint8_t iv[16]) {
  switch (mode) {
  case MODE_ECB:
    aes_zkn_ecb(&aes, message, message, length);
    return true;
  case MODE_CBC:
    aes_zkn_cbc(&aes, message, iv, message, length);
    return true;
  default:
    aes_zkn_ctr(&aes, message, iv, message, length);
    return true;
  }
}

uint32_t modes_jobs(void) {
  return 0;
}
