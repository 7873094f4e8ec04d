/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Seals a message by AES-256-GCM and hashes it by SHA-256 through PSA: first with Mbed TLS's own
 * code, then on the accelerator. Ends with status 1 if the results differ, or if the device has
 * not counted a job for each.
 */
#include <psa/crypto.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "outwork_psa.h"

#define MESSAGE_BYTES 4096u
#define TAG_BYTES     16u

static const struct ow_offload_settings never = {.policy = "never"}, always = {.policy = "always"};
static uint8_t message[MESSAGE_BYTES], sealed[2][MESSAGE_BYTES + TAG_BYTES], digest[2][32];

/* Nothing here asks for random numbers. */
psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length) {
  (void)context, (void)output, (void)output_size, (void)output_length;
  return PSA_ERROR_INSUFFICIENT_ENTROPY;
}

static bool seal_and_hash(unsigned which) {
  static const uint8_t key_bytes[32] = {1}, nonce[12] = {2};
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_key_id_t key = 0;
  size_t made = 0;
  psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
  psa_set_key_algorithm(&attributes, PSA_ALG_GCM);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT);
  const bool good =
      psa_import_key(&attributes, key_bytes, sizeof(key_bytes), &key) == PSA_SUCCESS &&
      psa_aead_encrypt(key, PSA_ALG_GCM, nonce, sizeof(nonce), NULL, 0, message, sizeof(message),
                       sealed[which], sizeof(sealed[which]), &made) == PSA_SUCCESS &&
      psa_hash_compute(PSA_ALG_SHA_256, message, sizeof(message), digest[which], 32, &made) ==
          PSA_SUCCESS;
  (void)psa_destroy_key(key);
  return good;
}

int main(void) {
  if (!device_open() || psa_crypto_init() != PSA_SUCCESS) {
    return 1;
  }
  bool good = ow_psa_configure(&never) && seal_and_hash(0);
  const uint32_t before = device_jobs();
  good = good && before == 0 && ow_psa_configure(&always) && seal_and_hash(1);
  const uint32_t jobs = device_jobs() - before;
  good = good && memcmp(sealed[0], sealed[1], sizeof(sealed[0])) == 0 &&
         memcmp(digest[0], digest[1], sizeof(digest[0])) == 0;
  printf("Mbed TLS: results %s, jobs of the device: %lu\n", good ? "equal" : "DIFFER",
         (unsigned long)jobs);
  return good && jobs == 2 ? 0 : 1;
}
