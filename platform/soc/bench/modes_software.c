/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES by Mbed TLS.
 */
#include "modes.h"

#include <mbedtls/aes.h>

const char *const modes_name = "software";
static mbedtls_aes_context aes;

bool modes_open(void) {
  mbedtls_aes_init(&aes);
  return true;
}

bool modes_set_key(const uint8_t *key, size_t key_len) {
  return mbedtls_aes_setkey_enc(&aes, key, (unsigned)key_len * 8u) == 0;
}

bool modes_encrypt(enum mode mode, uint8_t *message, uint32_t length, uint8_t iv[16]) {
  size_t offset = 0;
  uint8_t pad[16];
  int status = 0;
  switch (mode) {
  case MODE_ECB:
    for (uint32_t i = 0; i < length && status == 0; i += 16u) {
      status = mbedtls_aes_crypt_ecb(&aes, MBEDTLS_AES_ENCRYPT, message + i, message + i);
    }
    return status == 0;
  case MODE_CBC:
    return mbedtls_aes_crypt_cbc(&aes, MBEDTLS_AES_ENCRYPT, length, iv, message, message) == 0;
  default:
    return mbedtls_aes_crypt_ctr(&aes, length, &offset, iv, pad, message, message) == 0;
  }
}

uint32_t modes_jobs(void) {
  return 0;
}
