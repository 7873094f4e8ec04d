/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-KEM and ML-DSA with wolfSSL: each side accepts the other's results, with and without the
 * callback, and the device has done its part. Releases before 5.9 do not pass them.
 *
 *   wolfssl_lattice LIBRARY board
 */
#include "rig.h"

#include <wolfssl/wolfcrypt/wc_mldsa.h>
#include <wolfssl/wolfcrypt/wc_mlkem.h>

static WC_RNG rng;

static void mlkem(void) {
  static const int types[] = {WC_ML_KEM_512, WC_ML_KEM_768, WC_ML_KEM_1024};
  static MlKemKey with, without;
  static uint8_t encoded[3168], again[3168], ciphertext[1568];
  for (unsigned i = 0; i < 3; i++) {
    uint8_t sent[32], received[32];
    word32 encoded_len = 0, ciphertext_len = 0;
    rig_seen = rig_jobs();
    CHECK_EQUAL(wc_MlKemKey_Init(&with, types[i], NULL, DEVICE), 0);
    CHECK_EQUAL(wc_MlKemKey_Init(&without, types[i], NULL, INVALID_DEVID), 0);
    CHECK_EQUAL(wc_MlKemKey_MakeKey(&with, &rng), 0);
    CHECK_JOBS(1);
    CHECK_EQUAL(wc_MlKemKey_PrivateKeySize(&with, &encoded_len), 0);
    CHECK_EQUAL(wc_MlKemKey_CipherTextSize(&with, &ciphertext_len), 0);
    CHECK_EQUAL(wc_MlKemKey_EncodePrivateKey(&with, encoded, encoded_len), 0);
    CHECK_EQUAL(wc_MlKemKey_DecodePrivateKey(&without, encoded, encoded_len), 0);
    CHECK_EQUAL(wc_MlKemKey_EncodePrivateKey(&without, again, encoded_len), 0);
    CHECK(memcmp(encoded, again, encoded_len) == 0);

    CHECK_EQUAL(wc_MlKemKey_Encapsulate(&with, ciphertext, sent, &rng), 0);
    CHECK_JOBS(1);
    CHECK_EQUAL(wc_MlKemKey_Decapsulate(&without, received, ciphertext, ciphertext_len), 0);
    CHECK_JOBS(0);
    CHECK(memcmp(sent, received, 32) == 0);
    CHECK_EQUAL(wc_MlKemKey_Encapsulate(&without, ciphertext, sent, &rng), 0);
    CHECK_EQUAL(wc_MlKemKey_Decapsulate(&with, received, ciphertext, ciphertext_len), 0);
    CHECK_JOBS(1);
    CHECK(memcmp(sent, received, 32) == 0);
    /* Implicit rejection: the same secret on both sides, another one. */
    ciphertext[roll(ciphertext_len)] ^= 2;
    CHECK_EQUAL(wc_MlKemKey_Decapsulate(&with, received, ciphertext, ciphertext_len), 0);
    CHECK_JOBS(1);
    CHECK(memcmp(sent, received, 32) != 0);
    CHECK_EQUAL(wc_MlKemKey_Decapsulate(&without, sent, ciphertext, ciphertext_len), 0);
    CHECK(memcmp(sent, received, 32) == 0);
    /* A ciphertext of another length: wolfSSL says so. */
    CHECK(wc_MlKemKey_Decapsulate(&with, received, ciphertext, ciphertext_len - 1) != 0);
    CHECK_JOBS(0);
    CHECK_EQUAL(wc_MlKemKey_Free(&with), 0);
    CHECK_EQUAL(wc_MlKemKey_Free(&without), 0);
  }
}

static void mldsa(void) {
  static const byte levels[] = {WC_ML_DSA_44, WC_ML_DSA_65, WC_ML_DSA_87};
  static const word32 lengths[] = {1, 32, 5000, 48000};
  static const byte context[] = "Outwork";
  static wc_MlDsaKey with, without;
  static uint8_t private[4896], public[2592], signature[4627], message[65536];
  fill(message, sizeof(message));
  for (unsigned i = 0; i < 3; i++) {
    word32 private_len = sizeof(private), public_len = sizeof(public);
    int good = 0;
    rig_seen = rig_jobs();
    CHECK_EQUAL(wc_MlDsaKey_Init(&with, NULL, DEVICE), 0);
    CHECK_EQUAL(wc_MlDsaKey_Init(&without, NULL, INVALID_DEVID), 0);
    CHECK_EQUAL(wc_MlDsaKey_SetParams(&with, levels[i]), 0);
    CHECK_EQUAL(wc_MlDsaKey_SetParams(&without, levels[i]), 0);
    CHECK_EQUAL(wc_MlDsaKey_MakeKey(&with, &rng), 0);
    CHECK_JOBS(1);
    CHECK_EQUAL(wc_MlDsaKey_ExportKey(&with, private, &private_len, public, &public_len), 0);
    CHECK_EQUAL(wc_MlDsaKey_ImportKey(&without, private, private_len, public, public_len), 0);
    for (unsigned n = 0; n < sizeof(lengths) / sizeof(lengths[0]); n++) {
      const byte context_len = n % 2 == 0 ? 0 : sizeof(context);
      word32 length = sizeof(signature);
      CHECK_EQUAL(wc_MlDsaKey_SignCtx(&with, context, context_len, signature, &length, message,
                                      lengths[n], &rng),
                  0);
      CHECK_JOBS(1);
      CHECK_EQUAL(wc_MlDsaKey_VerifyCtx(&without, signature, length, context, context_len, message,
                                        lengths[n], &good),
                  0);
      CHECK_EQUAL(good, 1);
      CHECK_JOBS(0);
      length = sizeof(signature);
      CHECK_EQUAL(wc_MlDsaKey_SignCtx(&without, context, context_len, signature, &length, message,
                                      lengths[n], &rng),
                  0);
      good = 0;
      CHECK_EQUAL(wc_MlDsaKey_VerifyCtx(&with, signature, length, context, context_len, message,
                                        lengths[n], &good),
                  0);
      CHECK_EQUAL(good, 1);
      CHECK_JOBS(1);
      signature[roll(length)] ^= 1;
      good = 1;
      (void)wc_MlDsaKey_VerifyCtx(&with, signature, length, context, context_len, message,
                                  lengths[n], &good);
      CHECK_EQUAL(good, 0);
      CHECK_JOBS(0); /* software has confirmed it */
    }
    /* A message that the lane has no room for, and a hash in its place: software's. */
    word32 length = sizeof(signature);
    CHECK_EQUAL(
        wc_MlDsaKey_SignCtx(&with, NULL, 0, signature, &length, message, sizeof(message), &rng), 0);
    length = sizeof(signature);
    CHECK_EQUAL(wc_MlDsaKey_SignCtxHash(&with, NULL, 0, signature, &length, message, 32,
                                        WC_HASH_TYPE_SHA256, &rng),
                0);
    CHECK_JOBS(0);
    wc_MlDsaKey_Free(&with);
    wc_MlDsaKey_Free(&without);
  }
}

int main(int argc, char **argv) {
  (void)rig_is(argc, argv, "board");
  rig_open_for(argv[1], OW_OP_MLKEM_KEYGEN, OW_OP_MLDSA_VERIFY);
  CHECK_EQUAL(wc_InitRng_ex(&rng, NULL, INVALID_DEVID), 0);
  RUN(mlkem);
  RUN(mldsa);
  CHECK_EQUAL(wc_FreeRng(&rng), 0);
  rig_close();
  return 0;
}
