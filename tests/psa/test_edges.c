/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests PSA with nonces, AAD, messages and results that end just before an unmapped page, in every
 * length and so at every alignment; and a policy that leaves short messages to the CPU.
 *
 *   psa_edges LIBRARY BOARD
 */
#include <unistd.h>

#include "edge.h"
#include "message.h"

enum { NONCE, AAD, INPUT, OUTPUT, AREAS };

static uint8_t *ends[AREAS], bytes[1024], sealed[1100];

static void aead(psa_key_id_t key, psa_algorithm_t alg, size_t length) {
  size_t aad_len = length % 67, made = 0, wanted = 0, back = 0, whole = length + 16;
  size_t nonce_len = alg == PSA_ALG_CCM ? 7 + length % 7 : 12;
  const uint8_t *nonce = edge_put(ends[NONCE], bytes + 100, nonce_len);
  const uint8_t *aad = edge_put(ends[AAD], bytes + 200, aad_len);
  choose(false);
  CHECK_EQUAL(psa_aead_encrypt(key, alg, nonce, nonce_len, aad, aad_len, bytes, length, sealed,
                               sizeof(sealed), &wanted),
              PSA_SUCCESS);
  choose(true);
  uint8_t *output = edge_take(ends[OUTPUT], whole);
  CHECK_EQUAL(psa_aead_encrypt(key, alg, nonce, nonce_len, aad, aad_len,
                               edge_put(ends[INPUT], bytes, length), length, output, whole, &made),
              PSA_SUCCESS);
  CHECK(made == whole && wanted == whole && memcmp(output, sealed, whole) == 0);
  edge_check(ends[OUTPUT], whole);
  output = edge_take(ends[OUTPUT], length);
  CHECK_EQUAL(psa_aead_decrypt(key, alg, nonce, nonce_len, aad, aad_len,
                               edge_put(ends[INPUT], sealed, whole), whole, output, length, &back),
              PSA_SUCCESS);
  CHECK(back == length && memcmp(output, bytes, length) == 0);
  edge_check(ends[OUTPUT], length);
}

static void digest(size_t length) {
  uint8_t wanted[32];
  size_t made = 0;
  uint8_t *output = edge_take(ends[OUTPUT], 32);
  choose(false);
  CHECK_EQUAL(psa_hash_compute(PSA_ALG_SHA_256, bytes, length, wanted, 32, &made), PSA_SUCCESS);
  choose(true);
  CHECK_EQUAL(psa_hash_compute(PSA_ALG_SHA_256, edge_put(ends[INPUT], bytes, length), length,
                               output, 32, &made),
              PSA_SUCCESS);
  CHECK(memcmp(output, wanted, 32) == 0);
  edge_check(ends[OUTPUT], 32);
}

static void counter(psa_key_id_t key, size_t length) {
  static uint8_t wanted[1024];
  size_t made = 0;
  choose(false);
  CHECK_EQUAL(psa_cipher_encrypt(key, PSA_ALG_CTR, bytes, length, sealed, sizeof(sealed), &made),
              PSA_SUCCESS);
  CHECK_EQUAL(psa_cipher_decrypt(key, PSA_ALG_CTR, sealed, made, wanted, sizeof(wanted), &made),
              PSA_SUCCESS);
  choose(true);
  uint8_t *output = edge_take(ends[OUTPUT], length);
  CHECK_EQUAL(psa_cipher_decrypt(key, PSA_ALG_CTR, edge_put(ends[INPUT], sealed, length + 16),
                                 length + 16, output, length, &made),
              PSA_SUCCESS);
  CHECK(made == length && memcmp(output, wanted, length) == 0);
  edge_check(ends[OUTPUT], length);
}

static void edges(size_t longest) {
  const psa_key_usage_t usage = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
  psa_key_id_t gcm = aes_key(32, PSA_ALG_GCM, usage), ccm = aes_key(32, PSA_ALG_CCM, usage);
  psa_key_id_t ctr = aes_key(32, PSA_ALG_CTR, usage);
  uint64_t before = jobs();
  for (size_t length = 1; length <= longest; length++) {
    aead(gcm, PSA_ALG_GCM, length);
    aead(ccm, PSA_ALG_CCM, length);
    counter(ctr, length);
    digest(length);
  }
  printf("%llu jobs\n", (unsigned long long)(jobs() - before));
  CHECK(jobs() - before >= 5 * longest);
  CHECK_EQUAL(psa_destroy_key(gcm), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(ccm), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(ctr), PSA_SUCCESS);
}

/* Checks a policy that sends AES-GCM of 500 bytes or more to the device, and nothing else. */
static void policy(const char *library) {
  char path[] = "/tmp/outwork-policy-XXXXXX";
  const struct ow_offload_settings settings = {.library = library, .policy = path, .host = "psa"};
  struct ow_offload_totals totals;
  static const size_t lengths[] = {16, 499, 500, 800};
  size_t made = 0;
  uint64_t expected = 0;
  FILE *file = fdopen(mkstemp(path), "w");
  CHECK(file != NULL);
  fprintf(file, "outwork-policy 1\n0x%02x 32 encrypt 1 500 -\n", OW_OP_AES_GCM);
  CHECK_EQUAL(fclose(file), 0);
  psa_key_id_t key = aes_key(32, PSA_ALG_GCM, PSA_KEY_USAGE_ENCRYPT);
  CHECK(ow_psa_configure(&settings));
  CHECK_EQUAL(unlink(path), 0);
  for (unsigned i = 0; i < 4; i++) {
    CHECK_EQUAL(psa_aead_encrypt(key, PSA_ALG_GCM, bytes, 12, NULL, 0, bytes, lengths[i], sealed,
                                 sizeof(sealed), &made),
                PSA_SUCCESS);
    CHECK_EQUAL(psa_hash_compute(PSA_ALG_SHA_256, bytes, lengths[i], sealed, 32, &made),
                PSA_SUCCESS);
    expected += lengths[i] >= 500;
    ow_offload_totals(ow_psa_offload(), &totals);
    CHECK_EQUAL(totals.jobs, expected);
  }
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  choose(true);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  for (unsigned i = 0; i < AREAS; i++) {
    ends[i] = edge_new();
  }
  fill(bytes, sizeof(bytes));
  begin(argv[1]);
  edges(strcmp(argv[2], "fake") == 0 ? 300 : 60);
  policy(argv[1]);
  end();
  return 0;
}
