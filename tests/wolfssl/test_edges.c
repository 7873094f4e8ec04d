/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys, nonces, AAD, messages and results that end at an unmapped page, of every length and so at
 * every alignment, with wolfSSL; and a policy that leaves short messages to the CPU.
 *
 *   wolfssl_edges LIBRARY fake|board
 */
#include "rig.h"

#include <unistd.h>

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/sha256.h>

#include "edge.h"

enum { KEY, IV, AAD, INPUT, OUTPUT, TAG, AREAS };

static uint8_t *ends[AREAS], bytes[1024], sealed[1024];

static int aead(bool ccm, int device, bool decrypt, uint32_t length, const uint8_t *in,
                uint8_t *out, uint8_t *tag) {
  Aes aes;
  uint32_t aad_len = length % 67, nonce_len = ccm ? 7 + length % 7 : 12;
  const uint8_t *nonce = edge_put(ends[IV], bytes + 100, nonce_len);
  const uint8_t *aad = edge_put(ends[AAD], bytes + 200, aad_len);
  CHECK_EQUAL(wc_AesInit(&aes, NULL, device), 0);
  CHECK_EQUAL((ccm ? wc_AesCcmSetKey : wc_AesGcmSetKey)(&aes, edge_put(ends[KEY], bytes, 32), 32),
              0);
  int result = decrypt
                   ? (ccm ? wc_AesCcmDecrypt : wc_AesGcmDecrypt)(&aes, out, in, length, nonce,
                                                                 nonce_len, tag, 16, aad, aad_len)
                   : (ccm ? wc_AesCcmEncrypt : wc_AesGcmEncrypt)(&aes, out, in, length, nonce,
                                                                 nonce_len, tag, 16, aad, aad_len);
  wc_AesFree(&aes);
  return result;
}

static void both_ways(bool ccm, uint32_t length) {
  uint8_t wanted[16];
  CHECK_EQUAL(aead(ccm, INVALID_DEVID, false, length, bytes, sealed, wanted), 0);
  uint8_t *output = edge_take(ends[OUTPUT], length), *tag = edge_take(ends[TAG], 16);
  CHECK_EQUAL(aead(ccm, DEVICE, false, length, edge_put(ends[INPUT], bytes, length), output, tag),
              0);
  CHECK(memcmp(output, sealed, length) == 0 && memcmp(tag, wanted, 16) == 0);
  edge_check(ends[OUTPUT], length);
  edge_check(ends[TAG], 16);
  output = edge_take(ends[OUTPUT], length);
  CHECK_EQUAL(aead(ccm, DEVICE, true, length, edge_put(ends[INPUT], sealed, length), output, tag),
              0);
  CHECK(memcmp(output, bytes, length) == 0);
  edge_check(ends[OUTPUT], length);
}

static void stream(bool cbc, int device, uint32_t length, const uint8_t *in, uint8_t *out) {
  Aes aes;
  CHECK_EQUAL(wc_AesInit(&aes, NULL, device), 0);
  CHECK_EQUAL(wc_AesSetKey(&aes, edge_put(ends[KEY], bytes, 16), 16,
                           edge_put(ends[IV], bytes + 100, 16),
                           cbc ? AES_DECRYPTION : AES_ENCRYPTION),
              0);
  CHECK_EQUAL(
      cbc ? wc_AesCbcDecrypt(&aes, out, in, length) : wc_AesCtrEncrypt(&aes, out, in, length), 0);
  wc_AesFree(&aes);
}

static void one_stream(bool cbc, uint32_t length) {
  stream(cbc, INVALID_DEVID, length, bytes, sealed);
  uint8_t *output = edge_take(ends[OUTPUT], length);
  stream(cbc, DEVICE, length, edge_put(ends[INPUT], bytes, length), output);
  CHECK(memcmp(output, sealed, length) == 0);
  edge_check(ends[OUTPUT], length);
}

static void hash(int device, uint32_t length, const uint8_t *in, uint8_t *out) {
  wc_Sha256 sha;
  CHECK_EQUAL(wc_InitSha256_ex(&sha, NULL, device), 0);
  CHECK_EQUAL(wc_Sha256Update(&sha, in, length), 0);
  CHECK_EQUAL(wc_Sha256Final(&sha, out), 0);
  wc_Sha256Free(&sha);
}

static void digest(uint32_t length) {
  uint8_t wanted[32];
  uint8_t *output = edge_take(ends[OUTPUT], 32);
  hash(INVALID_DEVID, length, bytes, wanted);
  hash(DEVICE, length, edge_put(ends[INPUT], bytes, length), output);
  CHECK(memcmp(output, wanted, 32) == 0);
  edge_check(ends[OUTPUT], 32);
}

static void edges(uint32_t longest) {
  for (uint32_t length = 1; length <= longest; length++) {
    both_ways(false, length);
    both_ways(true, length);
    one_stream(false, length);
    digest(length);
    if (length % 16 == 0) {
      one_stream(true, length);
    }
  }
  CHECK(rig_jobs() > 4 * longest);
  CHECK_EQUAL(rig_failures(), 0);
}

/* From 500 bytes on AES-GCM is the device's, and nothing else is. */
static void policy(const char *library) {
  char path[] = "/tmp/outwork-policy-XXXXXX";
  const struct ow_offload_settings settings = {.library = library, .policy = path};
  uint8_t tag[16];
  FILE *file = fdopen(mkstemp(path), "w");
  CHECK(file != NULL);
  fprintf(file, "outwork-policy 1\n0x%02x 32 encrypt 1 500 -\n", OW_OP_AES_GCM);
  CHECK_EQUAL(fclose(file), 0);
  ow_wolfssl_unregister(DEVICE);
  CHECK_EQUAL(ow_wolfssl_register(DEVICE, &settings), 0);
  CHECK_EQUAL(unlink(path), 0);
  CHECK(ow_offload_complaint(ow_wolfssl_offload(DEVICE)) == NULL);
  static const uint32_t lengths[] = {16, 499, 500, 800};
  for (unsigned i = 0; i < 4; i++) {
    uint64_t before = rig_jobs();
    CHECK_EQUAL(aead(false, DEVICE, false, lengths[i], bytes, sealed, tag), 0);
    CHECK_EQUAL(rig_jobs() - before, lengths[i] >= 500);
    before = rig_jobs();
    CHECK_EQUAL(aead(true, DEVICE, false, lengths[i], bytes, sealed, tag), 0);
    CHECK_EQUAL(rig_jobs() - before, 0);
  }
}

int main(int argc, char **argv) {
  bool fake = rig_is(argc, argv, "fake");
  for (unsigned i = 0; i < AREAS; i++) {
    ends[i] = edge_new();
  }
  rig_open(argv[1]);
  fill(bytes, sizeof(bytes));
  edges(fake ? 300 : 70);
  policy(argv[1]);
  rig_close();
  return 0;
}
