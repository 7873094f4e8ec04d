/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes, HMAC, CMAC and triple DES in random pieces with wolfSSL, with and without the callback;
 * and with a device that is switched off midway.
 *
 *   wolfssl_stream LIBRARY board|flaky
 */
#include "rig.h"

#include <pthread.h>

#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/des3.h>
#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/hmac.h>

#define LONGEST 150000u
#define PIECES  4u

static uint8_t message[LONGEST], ours[LONGEST], theirs[LONGEST], key[200];

/* Of the longest piece, so that one of a request's bytes is in it; often near a block's. */
static void cut(uint32_t pieces[PIECES], uint32_t length) {
  for (unsigned i = 0; i < PIECES - 1; i++) {
    pieces[i] = roll(2) != 0 ? roll(length + 1) : roll(300) <= length ? roll(length / 64 + 1) : 0;
    length -= pieces[i];
  }
  pieces[PIECES - 1] = length;
}

/* Releases that do not ask of SHA-3 do not ask of SHA-224 either, and their SHA-256 forgets its
 * device with the first digest. */
#ifdef OUTWORK_WOLFSSL_SHA3
#define ALL_HASHES true
#else
#define ALL_HASHES false
#endif

static const struct {
  enum wc_HashType type;
  uint32_t block;
  bool device;
} hashes[] = {
    {WC_HASH_TYPE_SHA, 64, true},
    {WC_HASH_TYPE_SHA224, 64, ALL_HASHES},
    {WC_HASH_TYPE_SHA256, 64, true},
    {WC_HASH_TYPE_SHA384, 128, true},
    {WC_HASH_TYPE_SHA512, 128, true},
    {WC_HASH_TYPE_SHA3_224, 144, ALL_HASHES},
    {WC_HASH_TYPE_SHA3_256, 136, ALL_HASHES},
    {WC_HASH_TYPE_SHA3_384, 104, ALL_HASHES},
    {WC_HASH_TYPE_SHA3_512, 72, ALL_HASHES},
};
#define HASHES (sizeof(hashes) / sizeof(hashes[0]))

/* Jobs of a piece that comes when `done` bytes have come: none where no block gets full. */
static uint64_t jobs_of(uint32_t done, uint32_t piece, uint32_t block) {
  return done % block + piece < block ? 0 : (piece + OW_REQUEST_BYTES - 1) / OW_REQUEST_BYTES;
}

static void one_hash(unsigned which, uint32_t length, bool exact) {
  wc_HashAlg with, without;
  enum wc_HashType type = hashes[which].type;
  uint32_t pieces[PIECES], done = 0;
  uint64_t before = rig_jobs(), expected = 0;
  cut(pieces, length);
  CHECK_EQUAL(wc_HashInit_ex(&with, type, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_HashInit_ex(&without, type, NULL, INVALID_DEVID), 0);
  for (unsigned i = 0; i < PIECES; done += pieces[i++]) {
    if (pieces[i] != 0) {
      CHECK_EQUAL(wc_HashUpdate(&with, type, message + done, pieces[i]), 0);
      CHECK_EQUAL(wc_HashUpdate(&without, type, message + done, pieces[i]), 0);
      expected += jobs_of(done, pieces[i], hashes[which].block);
    }
  }
  CHECK_EQUAL(wc_HashFinal(&with, type, ours), 0);
  CHECK_EQUAL(wc_HashFinal(&without, type, theirs), 0);
  CHECK(memcmp(ours, theirs, (size_t)wc_HashGetDigestSize(type)) == 0);
  if (exact) {
    CHECK_EQUAL(rig_jobs() - before, hashes[which].device ? expected : 0);
  }
  wc_HashFree(&with, type);
  wc_HashFree(&without, type);
}

static void digests(void) {
  for (unsigned i = 0; i < HASHES * 12; i++) {
    fill(message, 3000);
    one_hash(i % HASHES, roll(3000), true);
  }
  fill(message, LONGEST);
  for (unsigned i = 0; i < HASHES; i++) {
    one_hash(i, LONGEST, true);
  }
}

/* A copy of a stream is a stream of its own. */
static void copies(void) {
  wc_Sha256 first, second;
  uint64_t before = rig_jobs();
  fill(message, 1000);
  CHECK_EQUAL(wc_InitSha256_ex(&first, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_Sha256Update(&first, message, 500), 0);
  CHECK_EQUAL(wc_Sha256Copy(&first, &second), 0);
  CHECK_EQUAL(wc_Sha256Update(&first, message + 500, 500), 0);
  CHECK_EQUAL(wc_Sha256Update(&second, message + 500, 500), 0);
  CHECK_EQUAL(wc_Sha256Final(&first, ours), 0);
  CHECK_EQUAL(wc_Sha256Final(&second, ours + 32), 0);
  CHECK_EQUAL(rig_jobs() - before, 3);
  CHECK_EQUAL(wc_InitSha256_ex(&first, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_Sha256Update(&first, message, 1000), 0);
  CHECK_EQUAL(wc_Sha256Final(&first, theirs), 0);
  CHECK(memcmp(ours, theirs, 32) == 0 && memcmp(ours + 32, theirs, 32) == 0);
}

static void one_hmac(int type, uint32_t digest, uint32_t length, bool exact) {
  Hmac with, without;
  uint32_t pieces[PIECES], key_len = 14 + roll(sizeof(key) - 14);
  cut(pieces, length);
  CHECK_EQUAL(wc_HmacInit(&with, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_HmacInit(&without, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_HmacSetKey(&with, type, key, key_len), 0);
  CHECK_EQUAL(wc_HmacSetKey(&without, type, key, key_len), 0);
  for (unsigned turn = 0; turn < 2; turn++) { /* the key stays for a second message */
    uint64_t before = rig_jobs();
    for (unsigned i = 0, done = 0; i < PIECES; done += pieces[i++]) {
      CHECK_EQUAL(wc_HmacUpdate(&with, message + done, pieces[i]), 0);
      CHECK_EQUAL(wc_HmacUpdate(&without, message + done, pieces[i]), 0);
    }
    CHECK_EQUAL(wc_HmacFinal(&with, ours), 0);
    CHECK_EQUAL(wc_HmacFinal(&without, theirs), 0);
    CHECK(memcmp(ours, theirs, digest) == 0);
    if (exact) {
      bool asked = type != WC_SHA224 && (type != WC_SHA256 || (turn == 0 && key_len <= 64));
      CHECK_EQUAL(rig_jobs() - before > 0, asked || ALL_HASHES);
    }
  }
  wc_HmacFree(&with);
  wc_HmacFree(&without);
}

static void hmacs(void) {
  static const struct {
    int type;
    uint32_t digest;
  } macs[] = {{WC_SHA, 20}, {WC_SHA224, 28}, {WC_SHA256, 32}, {WC_SHA384, 48}, {WC_SHA512, 64}};
  for (unsigned i = 0; i < 20; i++) {
    fill(message, 3000);
    fill(key, sizeof(key));
    one_hmac(macs[i % 5].type, macs[i % 5].digest, 200 + roll(2800), true);
  }
}

static void one_cmac(uint32_t key_len, uint32_t length, bool exact) {
  Cmac with, without;
  uint32_t pieces[PIECES], done = 0, size = 16;
  uint64_t before = rig_jobs(), expected = 0;
  cut(pieces, length);
  CHECK_EQUAL(wc_InitCmac_ex(&with, key, key_len, WC_CMAC_AES, NULL, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_InitCmac_ex(&without, key, key_len, WC_CMAC_AES, NULL, NULL, INVALID_DEVID), 0);
  /* wolfSSL makes the subkeys with AES of one block, which may be a job too. */
  uint64_t key_jobs = rig_jobs() - before;
  for (unsigned i = 0; i < PIECES; done += pieces[i++]) {
    if (pieces[i] != 0) {
      uint32_t held = done == 0 ? 0 : (done - 1) % 16 + 1, whole = (held + pieces[i] - 1) & ~15u;
      CHECK_EQUAL(wc_CmacUpdate(&with, message + done, pieces[i]), 0);
      CHECK_EQUAL(wc_CmacUpdate(&without, message + done, pieces[i]), 0);
      expected += (whole + OW_REQUEST_BYTES - 1) / OW_REQUEST_BYTES;
    }
  }
  if (exact) {
    CHECK_EQUAL(rig_jobs() - before - key_jobs, expected);
  }
  CHECK_EQUAL(wc_CmacFinal(&with, ours, &size), 0);
  CHECK_EQUAL(wc_CmacFinal(&without, theirs, &size), 0);
  CHECK(memcmp(ours, theirs, 16) == 0);
}

static void cmacs(void) {
  for (unsigned i = 0; i < 60; i++) {
    uint32_t length = i == 59 ? LONGEST : roll(i % 2 != 0 ? 100 : 3000);
    fill(message, length);
    fill(key, sizeof(key));
    one_cmac(16 + 8 * roll(3), length, true);
  }
  Cmac cmac;
  uint32_t size = 16;
  uint64_t before = rig_jobs();
  CHECK_EQUAL(wc_InitCmac_ex(&cmac, key, 16, WC_CMAC_AES, NULL, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_CmacUpdate(&cmac, message, 1000), 0);
  CHECK_EQUAL(wc_CmacFinal(&cmac, ours, &size), 0);
  CHECK_EQUAL(wc_AesCmacGenerate(theirs, &size, message, 1000, key, 16), 0);
  CHECK(memcmp(ours, theirs, 16) == 0);
  CHECK_EQUAL(wc_AesCmacVerify(ours, 16, message, 1000, key, 16), 0);
  ours[3] ^= 1;
  CHECK(wc_AesCmacVerify(ours, 16, message, 1000, key, 16) != 0);
  CHECK(rig_jobs() > before);
}

static void one_des(uint32_t length, bool decrypt) {
  Des3 with, without;
  uint32_t first = roll(length / 8 + 1) * 8;
  int way = decrypt ? DES_DECRYPTION : DES_ENCRYPTION;
  memcpy(ours, message, length);
  CHECK_EQUAL(wc_Des3Init(&with, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_Des3Init(&without, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_Des3_SetKey(&with, key, key + 24, way), 0);
  CHECK_EQUAL(wc_Des3_SetKey(&without, key, key + 24, way), 0);
  for (uint32_t done = 0, now = first; done < length; done += now, now = length - done) {
    if (decrypt) {
      CHECK_EQUAL(wc_Des3_CbcDecrypt(&with, ours + done, ours + done, now), 0);
      CHECK_EQUAL(wc_Des3_CbcDecrypt(&without, theirs + done, message + done, now), 0);
    } else {
      CHECK_EQUAL(wc_Des3_CbcEncrypt(&with, ours + done, ours + done, now), 0);
      CHECK_EQUAL(wc_Des3_CbcEncrypt(&without, theirs + done, message + done, now), 0);
    }
  }
  CHECK(memcmp(ours, theirs, length) == 0);
  wc_Des3Free(&with);
  wc_Des3Free(&without);
}

static void triple_des(void) {
  uint64_t before = rig_jobs();
  for (unsigned i = 0; i < 30; i++) {
    uint32_t length = i == 29 ? 100000 : 8 + 8 * roll(300);
    fill(message, length);
    fill(key, sizeof(key));
    one_des(length, i % 2 != 0);
  }
  CHECK(rig_jobs() >= before + 30);
  /* No job of a request takes longer. */
  Des3 des;
  uint64_t failures = rig_failures();
  CHECK_EQUAL(wc_Des3Init(&des, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_Des3_SetKey(&des, key, NULL, DES_ENCRYPTION), 0);
  CHECK_EQUAL(wc_Des3_CbcEncrypt(&des, ours, message, OW_REQUEST_BYTES), 0);
  CHECK_EQUAL(rig_failures(), failures);
  wc_Des3Free(&des);
}

static uint8_t stack[1u << 20] __attribute__((aligned(4096)));
static Hmac kept_hmac;
static Cmac kept_cmac;

static void *begin_hmac(void *unused) {
  CHECK_EQUAL(wc_HmacInit(&kept_hmac, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_HmacSetKey(&kept_hmac, WC_SHA256, key, 32), 0);
  CHECK_EQUAL(wc_HmacUpdate(&kept_hmac, message, 640), 0);
  return unused;
}

static void *begin_cmac(void *unused) {
  CHECK_EQUAL(wc_InitCmac_ex(&kept_cmac, key, 16, WC_CMAC_AES, NULL, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_CmacUpdate(&kept_cmac, message, 640), 0);
  return unused;
}

static void on_own_stack(void *(*begin)(void *)) {
  pthread_attr_t attributes;
  pthread_t thread;
  uint64_t before = rig_jobs();
  CHECK_EQUAL(pthread_attr_init(&attributes), 0);
  CHECK_EQUAL(pthread_attr_setstack(&attributes, stack, sizeof(stack)), 0);
  CHECK_EQUAL(pthread_create(&thread, &attributes, begin, NULL), 0);
  CHECK_EQUAL(pthread_join(thread, NULL), 0);
  CHECK_EQUAL(pthread_attr_destroy(&attributes), 0);
  CHECK(rig_jobs() > before);
}

static bool on_stack(const uint8_t *bytes, size_t length) {
  bool found = false;
  for (size_t i = 0; i + length <= sizeof(stack); i++) {
    found = found || memcmp(stack + i, bytes, length) == 0;
  }
  return found;
}

/* The states of MACs, which the key has made, do not stay on the stack of the thread. */
static void no_states_stay(void) {
  uint8_t chain[32];
  fill(message, 640);
  fill(key, sizeof(key));
  on_own_stack(begin_hmac);
  for (unsigned i = 0; i < sizeof(chain); i++) { /* as the device has it */
    chain[i] = (uint8_t)(kept_hmac.hash.sha256.digest[i / 4] >> (24 - 8 * (i % 4)));
  }
  CHECK(!on_stack(chain, sizeof(chain)));
  on_own_stack(begin_cmac);
  CHECK(!on_stack((const uint8_t *)kept_cmac.digest, 16));
  wc_HmacFree(&kept_hmac);
}

/* The device goes away before a job of a stream, often the second of three. The answers are as
 * ever; and when it has come back, it is used again. */
static void device_goes(void) {
  uint64_t before = rig_failures();
  fill(message, LONGEST);
  fill(key, sizeof(key));
  for (unsigned i = 0; i < HASHES; i += 2) {
    one_hash(2, 1000, true); /* opens the device: that has doorbells too */
    rig_allow(i / 2 % 3);
    one_hash(i, LONGEST, false);
    CHECK(!hashes[i].device || rig_failures() > before);
    before = rig_failures();
    rig_recover();
  }
  one_hash(2, 1000, true);
  rig_allow(2);
  one_hmac(WC_SHA512, 64, 3000, false);
  CHECK(rig_failures() > before);
  rig_recover();
  before = rig_failures();
  one_hash(2, 1000, true);
  rig_allow(1);
  one_cmac(32, LONGEST, false);
  CHECK(rig_failures() > before);
  rig_recover();
  before = rig_failures();
  one_hash(2, 1000, true);
  rig_allow(1);
  one_des(LONGEST - LONGEST % 8, false);
  CHECK(rig_failures() > before);
  rig_recover();
  one_hash(2, 1000, true);
}

int main(int argc, char **argv) {
  bool flaky = rig_is(argc, argv, "flaky");
  rig_open(argv[1]);
  if (flaky) {
    RUN(device_goes);
  } else {
    RUN(digests);
    RUN(copies);
    RUN(hmacs);
    RUN(cmacs);
    RUN(triple_des);
    if (rig_is(argc, argv, "board")) { /* the fake device itself works on this stack */
      RUN(no_states_stay);
    }
  }
  rig_close();
  return 0;
}
