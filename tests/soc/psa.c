/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Known answers through PSA, by the accelerator and by the CPU; tags that are wrong, buffers that
 * overlap. Each check prints its name and "good" or "WRONG"; at the end come the device's jobs.
 */
#include <string.h>

#include <psa/crypto.h>

#include "library.h"
#include "outwork_psa.h"

/* More than the device reads ahead of what it writes. */
#define OVERLAP 16384
#define SHIFT   1024

static const struct ow_offload_settings never = {.policy = "never"}, always = {.policy = "always"};
static int failures;
static uint32_t wanted;

/* SP 800-38A, F.2.5: CBC-AES256.Encrypt, the first two blocks. */
static const uint8_t cbc_key[32] = {
    0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
    0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4};
static const uint8_t cbc_iv[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t cbc_plain[32] = {
    0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a,
    0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51};
static const uint8_t cbc_sealed[32] = {
    0xf5, 0x8c, 0x4c, 0x04, 0xd6, 0xe5, 0xf1, 0xba, 0x77, 0x9e, 0xab, 0xfb, 0x5f, 0x7b, 0xfb, 0xd6,
    0x9c, 0xfc, 0x4e, 0x96, 0x7e, 0xdb, 0x80, 0x8d, 0x67, 0x9f, 0x77, 0x7b, 0xc6, 0x70, 0x2c, 0x7d};

/* Test case 14 of the GCM specification (McGrew and Viega), revised 2005. */
static const uint8_t zeros[32];
static const uint8_t gcm_sealed[32] = {
    0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e, 0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18,
    0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0, 0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19};

/* FIPS 180-4's example: SHA-256 of "abc". */
static const uint8_t abc[32] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length) {
  (void)context;
  library_random(output, output_size);
  *output_length = output_size;
  return PSA_SUCCESS;
}

static void expect(bool good, const char *name) {
  printf("%s: %s\n", name, good ? "good" : "WRONG");
  failures += !good;
}

static psa_key_id_t aes_key(const uint8_t bytes[32], psa_algorithm_t alg) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_key_id_t key = 0;
  psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
  expect(psa_import_key(&attributes, bytes, 32, &key) == PSA_SUCCESS, "a key");
  return key;
}

static void check_cbc(void) {
  uint8_t output[32];
  size_t made = 0, more = 0;
  psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
  const psa_key_id_t key = aes_key(cbc_key, PSA_ALG_CBC_NO_PADDING);
  const bool good =
      psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CBC_NO_PADDING) == PSA_SUCCESS &&
      psa_cipher_set_iv(&operation, cbc_iv, sizeof(cbc_iv)) == PSA_SUCCESS &&
      psa_cipher_update(&operation, cbc_plain, 32, output, 32, &made) == PSA_SUCCESS &&
      psa_cipher_finish(&operation, output + made, 32 - made, &more) == PSA_SUCCESS;
  expect(good && made + more == 32 && memcmp(output, cbc_sealed, 32) == 0, "AES-256-CBC");
  (void)psa_destroy_key(key);
}

static void check_gcm(bool on_device) {
  uint8_t sealed[32], opened[16];
  size_t made = 0;
  const psa_key_id_t key = aes_key(zeros, PSA_ALG_GCM);
  expect(psa_aead_encrypt(key, PSA_ALG_GCM, zeros, 12, NULL, 0, zeros, 16, sealed, 32, &made) ==
                 PSA_SUCCESS &&
             made == 32 && memcmp(sealed, gcm_sealed, 32) == 0,
         "AES-256-GCM");
  memset(opened, 1, sizeof(opened));
  expect(psa_aead_decrypt(key, PSA_ALG_GCM, zeros, 12, NULL, 0, sealed, 32, opened, 16, &made) ==
                 PSA_SUCCESS &&
             made == 16 && memcmp(opened, zeros, 16) == 0,
         "AES-256-GCM, decryption");
  sealed[3] ^= 1;
  memset(opened, 1, sizeof(opened));
  expect(psa_aead_decrypt(key, PSA_ALG_GCM, zeros, 12, NULL, 0, sealed, 32, opened, 16, &made) ==
                 PSA_ERROR_INVALID_SIGNATURE &&
             memcmp(opened, zeros, 16) == 0,
         "a wrong tag");
  wanted += on_device ? 2 : 0; /* a wrong tag is counted as an error */
  (void)psa_destroy_key(key);
}

static void check_sha256(void) {
  uint8_t digest[32];
  size_t made = 0;
  expect(psa_hash_compute(PSA_ALG_SHA_256, (const uint8_t *)"abc", 3, digest, 32, &made) ==
                 PSA_SUCCESS &&
             made == 32 && memcmp(digest, abc, 32) == 0,
         "SHA-256");
}

/* What PSA's interface does not allow, but the core of the plug-ins: buffers that overlap. */
static void check_overlap(void) {
  static const int shifts[] = {0, SHIFT, -SHIFT};
  static uint8_t expected[OVERLAP], room[OVERLAP + 2 * SHIFT];
  struct ow_request request = {.opcode = OW_OP_AES_CTR,
                               .key = cbc_key,
                               .key_len = 32,
                               .iv = cbc_iv,
                               .iv_len = 16,
                               .length = OVERLAP};
  bool good = true;
  for (unsigned i = 0; i < 3; i++) {
    uint8_t *const input = room + SHIFT;
    for (unsigned k = 0; k < OVERLAP; k++) {
      input[k] = (uint8_t)(k + k / 256);
    }
    request.input = input;
    request.output = expected;
    good = ow_offload_run(ow_psa_offload(), &request) && good;
    request.output = input + shifts[i];
    good = ow_offload_run(ow_psa_offload(), &request) && good;
    good = memcmp(input + shifts[i], expected, OVERLAP) == 0 && good;
    wanted += 2;
  }
  expect(good, "buffers that overlap");
}

/* A request that is longer than a task takes to sleep: in CBC a block waits for the one before. */
static void check_long(void) {
  static uint8_t plain[OVERLAP], sealed[OVERLAP], opened[OVERLAP];
  struct ow_request request = {.opcode = OW_OP_AES_CBC,
                               .key = cbc_key,
                               .key_len = 32,
                               .iv = cbc_iv,
                               .iv_len = 16,
                               .input = plain,
                               .output = sealed,
                               .length = OVERLAP};
  memcpy(plain, cbc_plain, sizeof(cbc_plain));
  bool good = ow_offload_run(ow_psa_offload(), &request);
  request.flags = OW_JOB_DECRYPT;
  request.input = sealed;
  request.output = opened;
  good = ow_offload_run(ow_psa_offload(), &request) && good;
  wanted += 2;
  good = memcmp(sealed, cbc_sealed, sizeof(cbc_sealed)) == 0 && good;
  expect(good && memcmp(opened, plain, OVERLAP) == 0, "a long request");
}

int library_measure(void) {
  if (!library_open() || psa_crypto_init() != PSA_SUCCESS) {
    printf("PSA was not opened.\n");
    return 1;
  }
  for (unsigned on_device = 0; on_device < 2; on_device++) {
    (void)ow_psa_configure(on_device ? &always : &never);
    check_cbc();
    check_gcm(on_device);
    check_sha256();
    wanted += on_device ? 2 : 0;
  }
  check_overlap();
  check_long();
  printf("jobs %lu of %lu\n", (unsigned long)library_jobs(), (unsigned long)wanted);
  return failures == 0 && library_jobs() == wanted ? 0 : 1;
}
