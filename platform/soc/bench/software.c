/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-256-GCM by Mbed TLS on the CPU: a message under a key that has been set up before.
 */
#include <mbedtls/gcm.h>

#include "measure.h"

static uint8_t message[MESSAGE_BYTES_MAX];

int main(void) {
  mbedtls_gcm_context context;
  uint8_t tag[16];
  mbedtls_gcm_init(&context);
  if (mbedtls_gcm_setkey(&context, MBEDTLS_CIPHER_ID_AES, message_key, 256) != 0) {
    printf("the key was refused\n");
    return 1;
  }
  for (unsigned i = 0; i < MESSAGE_SIZES; i++) {
    const uint32_t bytes = message_bytes[i];
    uint32_t cycles = 0;
    for (unsigned round = 0; round < 2; round++) { /* the last one counts: caches are warm */
      fill_message(message, bytes);
      const uint32_t begin = soc_cycles();
      const int status = mbedtls_gcm_crypt_and_tag(&context, MBEDTLS_GCM_ENCRYPT, bytes, message_iv,
                                                   sizeof(message_iv), NULL, 0, message, message,
                                                   sizeof(tag), tag);
      cycles = soc_cycles() - begin;
      if (status != 0) {
        printf("Mbed TLS failed with %lu bytes: %d\n", (unsigned long)bytes, status);
        return 1;
      }
    }
    print_row("software", bytes, 1, cycles);
    print_tag(bytes, tag);
  }
  return 0;
}
