/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Seals a message by AES-256-GCM and hashes it by SHA-256 with wolfCrypt: first with its own code,
 * then on the accelerator. Ends with status 1 if the results differ, or if the device has not
 * counted a job for each.
 */
#include <wolfssl/wolfcrypt/settings.h>
/* After the settings. */
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/wc_port.h>

#include <stdio.h>
#include <string.h>

#include "device.h"
#include "outwork_wolfssl.h"

#define MESSAGE_BYTES 256u
#define TAG_BYTES     16u
#define DEVICE        0x4f57

static uint8_t message[MESSAGE_BYTES], sealed[2][MESSAGE_BYTES + TAG_BYTES], digest[2][32];

/* Nothing here asks for random numbers. */
int no_random(unsigned char *bytes, unsigned length) {
  (void)bytes, (void)length;
  return -1;
}

static bool seal_and_hash(unsigned which, int device) {
  static const uint8_t key[32] = {1}, nonce[12] = {2};
  static Aes aes;
  static wc_Sha256 sha;
  const bool good =
      wc_AesInit(&aes, NULL, device) == 0 && wc_AesGcmSetKey(&aes, key, sizeof(key)) == 0 &&
      wc_AesGcmEncrypt(&aes, sealed[which], message, sizeof(message), nonce, sizeof(nonce),
                       sealed[which] + MESSAGE_BYTES, TAG_BYTES, NULL, 0) == 0 &&
      wc_InitSha256_ex(&sha, NULL, device) == 0 &&
      wc_Sha256Update(&sha, message, sizeof(message)) == 0 &&
      wc_Sha256Final(&sha, digest[which]) == 0;
  wc_AesFree(&aes);
  wc_Sha256Free(&sha);
  return good;
}

int main(void) {
  const struct ow_offload_settings settings = {.policy = "always"};
  if (!device_open() || wolfCrypt_Init() != 0 || ow_wolfssl_register(DEVICE, &settings) != 0) {
    printf("The callback was not registered.\n");
    return 1;
  }
  bool good = seal_and_hash(0, INVALID_DEVID);
  const uint32_t before = device_jobs();
  good = good && before == 0 && seal_and_hash(1, DEVICE);
  const uint32_t jobs = device_jobs() - before;
  good = good && memcmp(sealed[0], sealed[1], sizeof(sealed[0])) == 0 &&
         memcmp(digest[0], digest[1], sizeof(digest[0])) == 0;
  printf("wolfCrypt: results %s, jobs of the device: %lu\n", good ? "equal" : "DIFFER",
         (unsigned long)jobs);
  return good && jobs >= 2 ? 0 : 1;
}
