/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * No branch and no address of the callback depends on keys, messages, or results of a private key.
 * Runs under valgrind, which detects it. wolfSSL's own software has such branches (memcheck.supp),
 * so only ours is checked: the device and wolfSSL compare tags and paddings.
 *
 *   wolfssl_constant_time LIBRARY [leak]     the fake device's; `leak` is the proof of the method
 */
#include "rig.h"

#include <dlfcn.h>

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/rsa.h>

#include "fake_board.h"
#include "secret.h"
#include "secret_device.h"

#define LENGTH 5000u

static uint8_t message[LENGTH], ours[LENGTH], theirs[LENGTH], key[32], iv[16];
static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;

static void fail_next(void) {
  struct fake_device *fake = lock();
  CHECK(fake != NULL);
  fake->force_status = OW_DEVICE_READ_ERROR;
  unlock();
}

/* Secrets are marked only during the callback; its results are compared unmarked. */
static void hide(void) {
  SECRET(message, sizeof(message));
  SECRET(key, sizeof(key));
}

static void show(void) {
  PUBLIC(message, sizeof(message));
  PUBLIC(key, sizeof(key));
  PUBLIC(ours, sizeof(ours));
  PUBLIC(theirs, sizeof(theirs));
}

static void gcm(int device, uint8_t *out) {
  Aes aes;
  CHECK_EQUAL(wc_AesInit(&aes, NULL, device), 0);
  CHECK_EQUAL(wc_AesGcmSetKey(&aes, key, 32), 0);
  CHECK_EQUAL(wc_AesGcmEncrypt(&aes, out, message, 1003, iv, 12, out + 1003, 16, NULL, 0), 0);
  wc_AesFree(&aes);
}

/* The second job fails: software does the rest. */
static void ctr(int device, uint8_t *out) {
  Aes aes;
  CHECK_EQUAL(wc_AesInit(&aes, NULL, device), 0);
  CHECK_EQUAL(wc_AesSetKey(&aes, key, 32, iv, AES_ENCRYPTION), 0);
  CHECK_EQUAL(wc_AesCtrEncrypt(&aes, out, message, 1600), 0);
  if (device == DEVICE) {
    fail_next();
  }
  CHECK_EQUAL(wc_AesCtrEncrypt(&aes, out + 1600, message + 1600, 3000), 0);
  wc_AesFree(&aes);
}

static void cmac(int device, uint8_t *out) {
  Cmac mac;
  uint32_t size = 16;
  CHECK_EQUAL(wc_InitCmac_ex(&mac, key, 32, WC_CMAC_AES, NULL, NULL, device), 0);
  CHECK_EQUAL(wc_CmacUpdate(&mac, message, 1003), 0);
  if (device == DEVICE) {
    fail_next();
  }
  CHECK_EQUAL(wc_CmacUpdate(&mac, message + 1003, 2000), 0);
  CHECK_EQUAL(wc_CmacFinal(&mac, out, &size), 0);
}

static void sha(int device, uint8_t *out) {
  wc_Sha512 hash;
  CHECK_EQUAL(wc_InitSha512_ex(&hash, NULL, device), 0);
  CHECK_EQUAL(wc_Sha512Update(&hash, message, 1003), 0);
  if (device == DEVICE) {
    fail_next();
  }
  CHECK_EQUAL(wc_Sha512Update(&hash, message + 1003, 2000), 0);
  CHECK_EQUAL(wc_Sha512Final(&hash, out), 0);
  wc_Sha512Free(&hash);
}

static void test_messages(void) {
  static const struct {
    void (*play)(int device, uint8_t *out);
    unsigned jobs, faults;
  } parts[] = {{gcm, 1, 0}, {ctr, 1, 1}, {cmac, 1, 1}, {sha, 1, 1}};
  for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    uint64_t jobs = rig_jobs(), failures = rig_failures();
    memset(ours, 0, sizeof(ours));
    memset(theirs, 0, sizeof(theirs));
    parts[i].play(INVALID_DEVID, theirs);
    hide();
    parts[i].play(DEVICE, ours);
    show();
    CHECK(memcmp(ours, theirs, sizeof(ours)) == 0);
    CHECK(rig_jobs() - jobs >= parts[i].jobs);
    CHECK_EQUAL(rig_failures() - failures, parts[i].faults);
  }
}

#ifdef OUTWORK_WOLFSSL_NUMBERS
/* What the private key gives is secret; wolfSSL takes the padding off. */
static void test_keys(void) {
  static RsaKey rsa;
  static ecc_key curve;
  WC_RNG rng;
  uint32_t size = sizeof(ours);
  CHECK_EQUAL(wc_InitRng(&rng), 0);
  CHECK_EQUAL(wc_InitRsaKey_ex(&rsa, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_MakeRsaKey(&rsa, 2048, WC_RSA_EXPONENT, &rng), 0);
  CHECK_EQUAL(wc_RsaSetRNG(&rsa, &rng), 0);
  CHECK_EQUAL(wc_RsaPublicEncrypt(message, 30, theirs, 256, &rsa, &rng), 256);
  rsa.devId = DEVICE;
  uint64_t before = rig_jobs();
  int length = wc_RsaPrivateDecrypt(theirs, 256, ours, 256, &rsa);
  PUBLIC(&length, sizeof(length));
  show();
  CHECK_EQUAL(length, 30);
  CHECK(memcmp(ours, message, 30) == 0);
  CHECK_EQUAL(rig_jobs() - before, 1);
  wc_FreeRsaKey(&rsa);

  CHECK_EQUAL(wc_ecc_init_ex(&curve, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_ecc_make_key_ex(&rng, 32, &curve, ECC_SECP256R1), 0);
  CHECK_EQUAL(wc_ecc_set_rng(&curve, &rng), 0);
  CHECK_EQUAL(wc_ecc_shared_secret(&curve, &curve, theirs, &size), 0);
  curve.devId = DEVICE;
  size = sizeof(ours);
  before = rig_jobs();
  CHECK_EQUAL(wc_ecc_shared_secret(&curve, &curve, ours, &size), 0);
  show();
  CHECK(memcmp(ours, theirs, 32) == 0);
  CHECK_EQUAL(rig_jobs() - before, 1);
  wc_ecc_free(&curve);
  CHECK_EQUAL(wc_FreeRng(&rng), 0);
}
#endif

/* As one must not. */
static void leak(void) {
  hide();
  gcm(DEVICE, ours);
  for (unsigned i = 0; i < 16; i++) {
    if (message[i] != iv[i]) {
      puts("leaked");
      break;
    }
  }
  show();
}

int main(int argc, char **argv) {
  CHECK(argc >= 2);
  if (RUNNING_ON_VALGRIND == 0) {
    fputs("test_constant_time: run it under valgrind: without, it checks nothing\n", stderr);
    return 1;
  }
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  *(void **)&lock = dlsym(library, "fake_board_lock");
  *(void **)&unlock = dlsym(library, "fake_board_unlock");
  rig_open(argv[1]);
  fill(message, sizeof(message));
  fill(key, sizeof(key));
  gcm(DEVICE, ours); /* opens the device */
  struct fake_device *fake = lock();
  CHECK(fake != NULL);
  secret_device(fake);
  unlock();
  if (argc > 2) {
    leak();
  } else {
    RUN(test_messages);
#ifdef OUTWORK_WOLFSSL_NUMBERS
    RUN(test_keys);
#endif
  }
  rig_close();
  return 0;
}
