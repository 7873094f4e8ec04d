/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA, ECDSA, ECDH and key pairs with wolfSSL: each side accepts the other's results, with and
 * without the callback, and the device has done its part; also a device that is switched off.
 *
 *   wolfssl_pka LIBRARY board|flaky
 */
#include "rig.h"

#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/rsa.h>

static WC_RNG rng;

/* One key, twice: with the callback and without. */
static void rsa_keys(RsaKey *with, RsaKey *without, int bits) {
  static uint8_t der[4096];
  word32 at = 0;
  CHECK_EQUAL(wc_InitRsaKey_ex(without, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_MakeRsaKey(without, bits, WC_RSA_EXPONENT, &rng), 0);
  int length = wc_RsaKeyToDer(without, der, sizeof(der));
  CHECK(length > 0);
  CHECK_EQUAL(wc_InitRsaKey_ex(with, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_RsaPrivateKeyDecode(der, &at, with, (word32)length), 0);
  CHECK_EQUAL(wc_RsaSetRNG(with, &rng), 0);
  CHECK_EQUAL(wc_RsaSetRNG(without, &rng), 0);
}

static void one_rsa(int bits) {
  RsaKey with, without;
  uint8_t digest[32], ours[512], theirs[512], plain[512];
  word32 bytes = (word32)bits / 8;
  rsa_keys(&with, &without, bits);
  fill(digest, sizeof(digest));
  rig_seen = rig_jobs();

  /* PKCS #1 v1.5 has no randomness: the same signatures. */
  CHECK_EQUAL(wc_RsaSSL_Sign(digest, 32, ours, bytes, &with, &rng), bytes);
  CHECK_JOBS(1);
  CHECK_EQUAL(wc_RsaSSL_Sign(digest, 32, theirs, bytes, &without, &rng), bytes);
  CHECK(memcmp(ours, theirs, bytes) == 0);
  CHECK_JOBS(0);
  CHECK_EQUAL(wc_RsaSSL_Verify(ours, bytes, plain, sizeof(plain), &with), 32);
  CHECK(memcmp(plain, digest, 32) == 0);
  CHECK_JOBS(1);
  ours[bytes / 2] ^= 1;
  int refused = wc_RsaSSL_Verify(ours, bytes, plain, sizeof(plain), &without);
  CHECK(refused < 0);
  CHECK_EQUAL(wc_RsaSSL_Verify(ours, bytes, plain, sizeof(plain), &with), refused);
  CHECK_JOBS(1);

  /* PSS and OAEP: what one makes the other takes. */
  CHECK_EQUAL(
      wc_RsaPSS_Sign(digest, 32, ours, bytes, WC_HASH_TYPE_SHA256, WC_MGF1SHA256, &with, &rng),
      bytes);
  CHECK_JOBS(1);
  CHECK(wc_RsaPSS_VerifyCheck(ours, bytes, plain, sizeof(plain), digest, 32, WC_HASH_TYPE_SHA256,
                              WC_MGF1SHA256, &without) > 0);
  CHECK(wc_RsaPSS_VerifyCheck(ours, bytes, plain, sizeof(plain), digest, 32, WC_HASH_TYPE_SHA256,
                              WC_MGF1SHA256, &with) > 0);
  CHECK_JOBS(1);
  digest[0] ^= 1;
  CHECK(wc_RsaPSS_VerifyCheck(ours, bytes, plain, sizeof(plain), digest, 32, WC_HASH_TYPE_SHA256,
                              WC_MGF1SHA256, &with) < 0);
  CHECK_JOBS(1);
  CHECK_EQUAL(wc_RsaPublicEncrypt_ex(digest, 32, ours, bytes, &with, &rng, WC_RSA_OAEP_PAD,
                                     WC_HASH_TYPE_SHA256, WC_MGF1SHA256, NULL, 0),
              bytes);
  CHECK_EQUAL(wc_RsaPrivateDecrypt_ex(ours, bytes, plain, sizeof(plain), &with, WC_RSA_OAEP_PAD,
                                      WC_HASH_TYPE_SHA256, WC_MGF1SHA256, NULL, 0),
              32);
  CHECK(memcmp(plain, digest, 32) == 0);
  CHECK_JOBS(2);

  /* Nothing is below the modulus any more: software says so; and of 0, 1 and n - 1. */
  word32 n_len = bytes, e_len = sizeof(plain);
  CHECK_EQUAL(wc_RsaFlattenPublicKey(&with, plain, &e_len, ours, &n_len), 0);
  ours[bytes - 1] &= 0xfe;
  for (unsigned i = 0; i < 4; i++) {
    int wanted = wc_RsaSSL_Verify(ours, bytes, plain, sizeof(plain), &without);
    CHECK(wanted < 0);
    CHECK_EQUAL(wc_RsaSSL_Verify(ours, bytes, plain, sizeof(plain), &with), wanted);
    wanted = wc_RsaPrivateDecrypt(ours, bytes, plain, sizeof(plain), &without);
    CHECK(wanted < 0);
    CHECK_EQUAL(wc_RsaPrivateDecrypt(ours, bytes, plain, sizeof(plain), &with), wanted);
    memset(ours, i == 0 ? 0xff : 0, bytes);
    ours[bytes - 1] = (uint8_t)(i == 0 ? 0xff : i - 1);
  }
  CHECK_JOBS(0);
  wc_FreeRsaKey(&with);
  wc_FreeRsaKey(&without);
}

static void rsa(void) {
  one_rsa(2048);
}

static const int curves[] = {ECC_SECP256R1, ECC_SECP384R1, ECC_SECP521R1, ECC_SECP256K1};

/* The same key pair under another identifier. */
static void twin(ecc_key *copy, ecc_key *key, int device) {
  uint8_t x[66], y[66], d[66];
  word32 lengths[3] = {66, 66, 66};
  CHECK_EQUAL(wc_ecc_export_private_raw(key, x, &lengths[0], y, &lengths[1], d, &lengths[2]), 0);
  CHECK_EQUAL(wc_ecc_init_ex(copy, NULL, device), 0);
  CHECK_EQUAL(wc_ecc_import_unsigned(copy, x, y, d, key->dp->id), 0);
}

static void one_curve(int curve) {
  ecc_key with, without, peer;
  uint8_t digest[64], signature[160], ours[66], theirs[66];
  uint32_t size = (uint32_t)wc_ecc_get_curve_size_from_id(curve);
  word32 length = sizeof(signature), ours_len = sizeof(ours), theirs_len = sizeof(theirs);
  uint32_t digest_len = curve == ECC_SECP384R1 ? 20 : 64; /* shorter than the order, and longer */
  int good = 0;
  fill(digest, sizeof(digest));
  rig_seen = rig_jobs();

  CHECK_EQUAL(wc_ecc_init_ex(&with, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_ecc_make_key_ex(&rng, (int)size, &with, curve), 0);
  CHECK_JOBS(1);
  twin(&without, &with, INVALID_DEVID);
  CHECK_EQUAL(wc_ecc_check_key(&without), 0); /* a pair indeed */
  CHECK_EQUAL(with.dp->id, curve);

  length = sizeof(signature);
  CHECK_EQUAL(wc_ecc_sign_hash(digest, digest_len, signature, &length, &rng, &with), 0);
  CHECK_JOBS(1);
  CHECK_EQUAL(wc_ecc_verify_hash(signature, length, digest, digest_len, &good, &without), 0);
  CHECK_EQUAL(good, 1);
  length = sizeof(signature);
  CHECK_EQUAL(wc_ecc_sign_hash(digest, digest_len, signature, &length, &rng, &without), 0);
  CHECK_EQUAL(wc_ecc_verify_hash(signature, length, digest, digest_len, &good, &with), 0);
  CHECK_EQUAL(good, 1);
  CHECK_JOBS(1);
  digest[roll(20)] ^= 4;
  CHECK_EQUAL(wc_ecc_verify_hash(signature, length, digest, digest_len, &good, &with), 0);
  CHECK_EQUAL(good, 0);
  CHECK_JOBS(0); /* software has confirmed it */

  CHECK_EQUAL(wc_ecc_init_ex(&peer, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_ecc_make_key_ex(&rng, (int)size, &peer, curve), 0);
  CHECK_EQUAL(wc_ecc_set_rng(&with, &rng), 0);
  CHECK_EQUAL(wc_ecc_set_rng(&peer, &rng), 0);
  CHECK_JOBS(0);
  CHECK_EQUAL(wc_ecc_shared_secret(&with, &peer, ours, &ours_len), 0);
  CHECK_JOBS(1);
  CHECK_EQUAL(wc_ecc_shared_secret(&peer, &without, theirs, &theirs_len), 0);
  CHECK(ours_len == size && theirs_len == size && memcmp(ours, theirs, size) == 0);
  ours_len = size - 1;
  CHECK(wc_ecc_shared_secret(&with, &peer, ours, &ours_len) != 0); /* no room */
  CHECK_JOBS(0);
  wc_ecc_free(&with);
  wc_ecc_free(&without);
  wc_ecc_free(&peer);
}

static void elliptic(void) {
  for (unsigned i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
    one_curve(curves[i]);
  }
}

/* Software does curves that the device does not have, digests that some releases refuse, and nonces
 * k set by the caller. */
static void left_alone(void) {
  ecc_key key;
  uint8_t digest[32] = {1}, signature[160];
  word32 length = sizeof(signature);
  rig_seen = rig_jobs();
  CHECK_EQUAL(wc_ecc_init_ex(&key, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_ecc_make_key_ex(&rng, 28, &key, ECC_SECP224R1), 0);
  CHECK_EQUAL(wc_ecc_sign_hash(digest, 32, signature, &length, &rng, &key), 0);
  CHECK_JOBS(0);
  wc_ecc_free(&key);

  static const uint8_t zeros[32];
  int good = 0, answers[2][2];
  CHECK_EQUAL(wc_ecc_init_ex(&key, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_ecc_make_key_ex(&rng, 32, &key, ECC_SECP256R1), 0);
  CHECK_JOBS(1);
  length = sizeof(signature);
  CHECK_EQUAL(wc_ecc_sign_hash(digest, 32, signature, &length, &rng, &key), 0);
  CHECK_JOBS(1);
  for (unsigned i = 0; i < 2; i++) {
    uint8_t made[160];
    word32 room = sizeof(made);
    key.devId = i == 0 ? DEVICE : INVALID_DEVID;
    answers[i][0] = wc_ecc_verify_hash(signature, length, zeros, 32, &good, &key);
    answers[i][1] = wc_ecc_sign_hash(zeros, 32, made, &room, &rng, &key);
  }
  CHECK(memcmp(answers[0], answers[1], sizeof(answers[0])) == 0);
  CHECK_JOBS(0);
  wc_ecc_free(&key);
#if defined(WOLFSSL_ECDSA_DETERMINISTIC_K) || defined(WOLFSSL_ECDSA_DETERMINISTIC_K_VARIANT)
  uint8_t again[160];
  word32 again_len = sizeof(again);
  CHECK_EQUAL(wc_ecc_init_ex(&key, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_ecc_make_key_ex(&rng, 32, &key, ECC_SECP256R1), 0);
  CHECK_EQUAL(wc_ecc_set_deterministic(&key, 1), 0);
  length = sizeof(signature);
  CHECK_JOBS(1);
  CHECK_EQUAL(wc_ecc_sign_hash(digest, 32, signature, &length, &rng, &key), 0);
  CHECK_EQUAL(wc_ecc_sign_hash(digest, 32, again, &again_len, &rng, &key), 0);
  CHECK(length == again_len && memcmp(signature, again, length) == 0);
  CHECK_JOBS(0);
  wc_ecc_free(&key);
#endif
}

/* The device goes away before each kind of operation, and in the middle of one. */
static void device_goes(void) {
  RsaKey rsa_with, rsa_without;
  ecc_key with, without, fresh;
  uint8_t digest[32], ours[256], theirs[256];
  word32 ours_len = sizeof(ours), theirs_len = sizeof(theirs);
  int good = 0;
  rsa_keys(&rsa_with, &rsa_without, 2048);
  CHECK_EQUAL(wc_ecc_init_ex(&without, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_ecc_make_key_ex(&rng, 32, &without, ECC_SECP256R1), 0);
  twin(&with, &without, DEVICE);
  CHECK_EQUAL(wc_ecc_set_rng(&with, &rng), 0);
  fill(digest, sizeof(digest));
  for (uint32_t left = 0; left < 3; left++) {
    uint64_t before = rig_failures();
    theirs_len = 32; /* opens the device: that has doorbells too */
    CHECK_EQUAL(wc_ecc_shared_secret(&with, &without, theirs, &theirs_len), 0);
    rig_allow(left);
    CHECK_EQUAL(wc_RsaSSL_Sign(digest, 32, ours, 256, &rsa_with, &rng), 256);
    CHECK_EQUAL(wc_RsaSSL_Sign(digest, 32, theirs, 256, &rsa_without, &rng), 256);
    CHECK(memcmp(ours, theirs, 256) == 0);
    ours_len = sizeof(ours);
    CHECK_EQUAL(wc_ecc_sign_hash(digest, 32, ours, &ours_len, &rng, &with), 0);
    CHECK_EQUAL(wc_ecc_verify_hash(ours, ours_len, digest, 32, &good, &with), 0);
    CHECK_EQUAL(good, 1);
    CHECK_EQUAL(wc_ecc_verify_hash(ours, ours_len, digest, 32, &good, &without), 0);
    CHECK_EQUAL(good, 1);
    ours_len = theirs_len = 32;
    CHECK_EQUAL(wc_ecc_shared_secret(&with, &without, ours, &ours_len), 0);
    rig_recover();
    CHECK_EQUAL(wc_ecc_shared_secret(&with, &without, theirs, &theirs_len), 0);
    CHECK(memcmp(ours, theirs, 32) == 0);
    rig_allow(left);
    CHECK_EQUAL(wc_ecc_init_ex(&fresh, NULL, DEVICE), 0);
    CHECK_EQUAL(wc_ecc_make_key_ex(&rng, 32, &fresh, ECC_SECP256R1), 0);
    rig_recover();
    CHECK_EQUAL(wc_ecc_check_key(&fresh), 0);
    wc_ecc_free(&fresh);
    CHECK(rig_failures() >= before + 2);
  }
  wc_FreeRsaKey(&rsa_with);
  wc_FreeRsaKey(&rsa_without);
  wc_ecc_free(&with);
  wc_ecc_free(&without);
}

int main(int argc, char **argv) {
  bool flaky = rig_is(argc, argv, "flaky");
  rig_open_for(argv[1], OW_OP_MODEXP, OW_OP_EC_VERIFY);
  CHECK_EQUAL(wc_InitRng_ex(&rng, NULL, INVALID_DEVID), 0);
  if (flaky) {
    RUN(device_goes);
  } else {
    RUN(elliptic);
    RUN(left_alone);
    RUN(rsa);
  }
  CHECK_EQUAL(wc_FreeRng(&rng), 0);
  rig_close();
  return 0;
}
