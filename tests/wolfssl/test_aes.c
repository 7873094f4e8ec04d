/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES: random messages with wolfSSL, with and without the callback: the same results, and the
 * device has computed them.
 *
 *   wolfssl_aes LIBRARY fake|board
 */
#include "rig.h"

#include <wolfssl/wolfcrypt/aes.h>

#define LONGEST 100000u
#define ROUNDS  60u

static uint8_t message[LONGEST], ours[LONGEST], theirs[LONGEST], key[32], iv[16], aad[64];

/* Gives the message in two pieces, in place or not. What wolfSSL answered, both pieces added. */
static int play_stream(Aes *aes, int mode, bool decrypt, uint8_t *out, uint32_t length,
                       uint32_t cut) {
  const uint32_t pieces[] = {cut, length - cut};
  int result = 0;
  for (unsigned i = 0, done = 0; i < 2; done += pieces[i++]) {
    const uint8_t *in = decrypt ? out + done : message + done; /* what was encrypted, in place */
    uint32_t now = pieces[i];
    result |= mode == 0   ? decrypt ? wc_AesEcbDecrypt(aes, out + done, in, now)
                                    : wc_AesEcbEncrypt(aes, out + done, in, now)
              : mode == 1 ? decrypt ? wc_AesCbcDecrypt(aes, out + done, in, now)
                                    : wc_AesCbcEncrypt(aes, out + done, in, now)
                          : wc_AesCtrEncrypt(aes, out + done, in, now);
  }
  return result;
}

static void set_up(Aes *aes, int device, uint32_t key_len, bool decrypt) {
  CHECK_EQUAL(wc_AesInit(aes, NULL, device), 0);
  CHECK_EQUAL(wc_AesSetKey(aes, key, key_len, iv, decrypt ? AES_DECRYPTION : AES_ENCRYPTION), 0);
}

static void streams(void) {
  for (unsigned i = 0; i < ROUNDS * 3; i++) {
    int mode = (int)(i % 3);
    uint32_t key_len = 16 + 8 * roll(3);
    uint32_t length = 1 + roll(i % 10 == 9 ? LONGEST : 3000), cut = roll(length);
    length -= mode == 2 ? 0 : length % 16;
    cut -= mode == 2 && i % 2 != 0 ? 0 : cut % 16;
    cut = cut < length ? cut : 0;
    fill(message, length);
    fill(key, sizeof(key));
    memset(iv, i % 4 == 0 ? 0xff : (int)roll(256), sizeof(iv)); /* the counter's carry too */
    for (unsigned decrypt = 0; decrypt < 2; decrypt++) {
      Aes with, without;
      bool down = decrypt != 0 && mode != 2;
      set_up(&with, DEVICE, key_len, down);
      set_up(&without, INVALID_DEVID, key_len, down);
      CHECK_EQUAL(play_stream(&with, mode, decrypt != 0, ours, length, cut), 0);
      CHECK_EQUAL(play_stream(&without, mode, decrypt != 0, theirs, length, cut), 0);
      CHECK(memcmp(ours, theirs, length) == 0);
      CHECK(decrypt == 0 || memcmp(ours, message, length) == 0);
      wc_AesFree(&with);
      wc_AesFree(&without);
    }
  }
}

static void one_aead(bool ccm, uint32_t key_len, uint32_t length, uint32_t aad_len) {
  Aes with, without;
  uint8_t tag[16], same[16];
  uint32_t nonce = ccm ? 7 + roll(7) : 12, tag_len = ccm ? 4 + 2 * roll(7) : 12 + roll(5);
  CHECK_EQUAL(wc_AesInit(&with, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_AesInit(&without, NULL, INVALID_DEVID), 0);
  if (ccm) {
    CHECK_EQUAL(wc_AesCcmSetKey(&with, key, key_len), 0);
    CHECK_EQUAL(wc_AesCcmSetKey(&without, key, key_len), 0);
    CHECK_EQUAL(
        wc_AesCcmEncrypt(&with, ours, message, length, iv, nonce, tag, tag_len, aad, aad_len), 0);
    CHECK_EQUAL(
        wc_AesCcmEncrypt(&without, theirs, message, length, iv, nonce, same, tag_len, aad, aad_len),
        0);
  } else {
    CHECK_EQUAL(wc_AesGcmSetKey(&with, key, key_len), 0);
    CHECK_EQUAL(wc_AesGcmSetKey(&without, key, key_len), 0);
    CHECK_EQUAL(
        wc_AesGcmEncrypt(&with, ours, message, length, iv, nonce, tag, tag_len, aad, aad_len), 0);
    CHECK_EQUAL(
        wc_AesGcmEncrypt(&without, theirs, message, length, iv, nonce, same, tag_len, aad, aad_len),
        0);
  }
  CHECK(memcmp(ours, theirs, length) == 0);
  CHECK(memcmp(tag, same, tag_len) == 0);
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    tag[roll(tag_len)] ^= (uint8_t)(wrong << roll(8));
    int got =
        ccm ? wc_AesCcmDecrypt(&with, theirs, ours, length, iv, nonce, tag, tag_len, aad, aad_len)
            : wc_AesGcmDecrypt(&with, theirs, ours, length, iv, nonce, tag, tag_len, aad, aad_len);
    CHECK_EQUAL(got, wrong == 0 ? 0 : ccm ? AES_CCM_AUTH_E : AES_GCM_AUTH_E);
    CHECK(wrong != 0 || memcmp(theirs, message, length) == 0);
  }
  wc_AesFree(&with);
  wc_AesFree(&without);
}

static void aeads(void) {
  for (unsigned i = 0; i < ROUNDS * 2; i++) {
    uint32_t length = roll(i % 10 == 9 ? LONGEST : 3000) + 1;
    fill(message, length);
    fill(key, sizeof(key));
    fill(iv, sizeof(iv));
    fill(aad, sizeof(aad));
    one_aead(i % 2 != 0, 16 + 8 * roll(3), length % (i % 2 != 0 ? 60000 : LONGEST),
             roll(sizeof(aad)));
  }
}

/* Without a policy nothing goes there, and what was registered can be again. */
static void registration(void) {
  const struct ow_offload_settings never = {.policy = "never"};
  CHECK_EQUAL(ow_wolfssl_register(DEVICE, &never), BAD_STATE_E);
  ow_wolfssl_unregister(DEVICE);
  CHECK(ow_wolfssl_offload(DEVICE) == NULL);
  CHECK_EQUAL(ow_wolfssl_register(DEVICE, &never), 0);
  uint64_t before = rig_jobs();
  aeads();
  CHECK_EQUAL(rig_jobs(), before);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  rig_open(argv[1]);
  RUN(streams);
  uint64_t before = rig_jobs();
  CHECK(before >= ROUNDS * 3);
  RUN(aeads);
  CHECK(rig_jobs() >= before + ROUNDS * 3);
  RUN(registration);
  rig_close();
  return 0;
}
