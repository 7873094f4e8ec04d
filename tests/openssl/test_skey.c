/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * EVP_SKEY: key objects serve every AES cipher and MAC as their bytes do, those in the device's
 * slots AES-GCM; and wrong ones are refused.
 */
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "trouble.h"

#ifdef OSSL_OP_SKEYMGMT

#define LENGTH 1000u
#define MODES  12u /* of the host's ciphers: ECB, CBC, CTR, GCM */

static struct host provider, reference;
static uint8_t message[LENGTH];
static const uint8_t bytes[33] = {1, 2, 3, [16] = 4, [31] = 5};

static EVP_SKEY *import(size_t length) {
  return EVP_SKEY_import_raw_key(provider.libctx, "AES", (unsigned char *)bytes, length, NULL);
}

/* Encrypts with the object, or with the bytes. */
static size_t encrypt(const EVP_CIPHER *cipher, EVP_SKEY *key, uint8_t *output) {
  static const uint8_t iv[16] = {7};
  int length = 0, last = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (key != NULL) {
    CHECK(EVP_CipherInit_SKEY(context, cipher, key, iv, (size_t)EVP_CIPHER_get_iv_length(cipher), 1,
                              NULL));
  } else {
    CHECK(EVP_EncryptInit_ex(context, cipher, NULL, bytes, iv));
  }
  CHECK(EVP_EncryptUpdate(context, output, &length, message, LENGTH));
  CHECK(EVP_EncryptFinal_ex(context, output + length, &last));
  EVP_CIPHER_CTX_free(context);
  return (size_t)(length + last);
}

static void ciphers(void) {
  for (unsigned i = 0; i < MODES; i++) {
    const EVP_CIPHER *cipher = provider.ciphers[i];
    uint8_t ours[LENGTH + 16], theirs[LENGTH + 16];
    EVP_SKEY *key = import((size_t)EVP_CIPHER_get_key_length(cipher));
    CHECK(key != NULL);
    uint64_t jobs = host_count(&provider, "jobs");
    size_t length = encrypt(cipher, key, ours);
    CHECK(host_count(&provider, "jobs") > jobs);
    CHECK_EQUAL(length, encrypt(reference.ciphers[i], NULL, theirs));
    CHECK(memcmp(ours, theirs, length) == 0);
    EVP_SKEY_free(key);
  }
}

static void make_mac(struct host *host, const char *name, const char *cipher, EVP_SKEY *key,
                     uint8_t tag[16]) {
  uint8_t iv[12] = {8};
  size_t length = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, (char *)cipher, 0),
                         OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, sizeof(iv)),
                         OSSL_PARAM_construct_end()};
  if (name[0] == 'C') {
    params[1] = OSSL_PARAM_construct_end();
  }
  EVP_MAC *mac = EVP_MAC_fetch(host->libctx, name, NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  if (key != NULL) {
    CHECK(EVP_MAC_CTX_set_params(context, params));
    CHECK(EVP_MAC_init_SKEY(context, key, NULL));
  } else {
    CHECK(EVP_MAC_init(context, bytes, 32, params));
  }
  CHECK(EVP_MAC_update(context, message, LENGTH));
  CHECK(EVP_MAC_final(context, tag, &length, 16));
  CHECK_EQUAL(length, 16);
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
}

static void macs(void) {
  static const char *const names[2][2] = {{"CMAC", "AES-256-CBC"}, {"GMAC", "AES-256-GCM"}};
  EVP_SKEY *key = import(32);
  for (unsigned i = 0; i < 2; i++) {
    uint8_t ours[16], theirs[16];
    uint64_t jobs = host_count(&provider, "jobs");
    make_mac(&provider, names[i][0], names[i][1], key, ours);
    CHECK(host_count(&provider, "jobs") > jobs);
    make_mac(&reference, names[i][0], names[i][1], NULL, theirs);
    CHECK(memcmp(ours, theirs, sizeof(ours)) == 0);
  }
  EVP_SKEY_free(key);
}

static void exported(void) {
  const unsigned char *raw = NULL;
  size_t length = 0;
  EVP_SKEY *key = import(24);
  CHECK(EVP_SKEY_get0_raw_key(key, &raw, &length));
  CHECK_EQUAL(length, 24);
  CHECK(memcmp(raw, bytes, 24) == 0);
  EVP_SKEY *moved = EVP_SKEY_to_provider(key, reference.libctx, reference.provider, NULL);
  CHECK(moved != NULL);
  CHECK(EVP_SKEY_get0_raw_key(moved, &raw, &length));
  CHECK_EQUAL(length, 24);
  EVP_SKEY_free(moved);
  EVP_SKEY_free(key);
}

#define SLOTS 8u /* of the fake device */

static EVP_SKEY *import_into_slot(size_t length) {
  return host_slot_key(&provider, bytes, length);
}

static EVP_SKEY *generate(size_t length, int slot) {
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_SKEY_PARAM_KEY_LENGTH, &length),
                         OSSL_PARAM_construct_int("outwork-slot", &slot),
                         OSSL_PARAM_construct_end()};
  return EVP_SKEY_generate(provider.libctx, "AES", NULL, params);
}

/* Two differ; one in a slot can be used, but not exported. */
static void generated(void) {
  const unsigned char *raw[2] = {NULL, NULL};
  uint8_t output[2][LENGTH + 16];
  size_t length;
  EVP_SKEY *first = generate(32, 0), *second = generate(32, 0), *hidden = generate(32, 1);
  CHECK(EVP_SKEY_get0_raw_key(first, &raw[0], &length));
  CHECK(EVP_SKEY_get0_raw_key(second, &raw[1], &length));
  CHECK_EQUAL(length, 32);
  CHECK(memcmp(raw[0], raw[1], 32) != 0);
  CHECK(!EVP_SKEY_get0_raw_key(hidden, &raw[0], &length));
  CHECK_EQUAL(encrypt(provider.ciphers[8], first, output[0]), LENGTH);
  CHECK_EQUAL(encrypt(provider.ciphers[8], hidden, output[1]), LENGTH);
  CHECK(memcmp(output[0], output[1], LENGTH) != 0);
  CHECK(generate(33, 0) == NULL);
  CHECK(generate(20, 0) == NULL);
  CHECK(EVP_SKEY_generate(provider.libctx, "AES", NULL, NULL) == NULL);
  EVP_SKEY_free(first);
  EVP_SKEY_free(second);
  EVP_SKEY_free(hidden);
}

/* A message in pieces: AAD, IV, lengths at random. */
struct sealed {
  uint8_t iv[64], aad[256], input[3000], output[3000], tag[16];
  size_t iv_len, aad_len, length, largest_cut;
  uint64_t cuts;
  bool copied;
  void (*between)(void); /* before each update; may be NULL */
};

static int seal(const EVP_CIPHER *cipher, EVP_SKEY *key, struct sealed *sealed, bool encrypt) {
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &sealed->iv_len),
                         OSSL_PARAM_construct_end()};
  struct dice cuts = {sealed->cuts};
  int written, good;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (key != NULL) {
    good = EVP_CipherInit_SKEY(context, cipher, key, sealed->iv, sealed->iv_len, encrypt, NULL);
  } else {
    good = EVP_CipherInit_ex2(context, cipher, bytes, sealed->iv, encrypt, params);
  }
  if (good && sealed->aad_len != 0) {
    good = EVP_CipherUpdate(context, NULL, &written, sealed->aad, (int)sealed->aad_len);
  }
  for (size_t done = 0; good && done < sealed->length;) {
    size_t now = 1 + dice_roll(&cuts, sealed->largest_cut);
    now = now < sealed->length - done ? now : sealed->length - done;
    if (sealed->between != NULL) {
      sealed->between();
    }
    good =
        EVP_CipherUpdate(context, sealed->output + done, &written, sealed->input + done, (int)now);
    done += now;
    if (sealed->copied) {
      EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
      CHECK(EVP_CIPHER_CTX_copy(copy, context));
      EVP_CIPHER_CTX_free(context);
      context = copy;
    }
  }
  if (good && !encrypt) {
    good = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, sealed->tag) > 0;
  }
  good = good && EVP_CipherFinal_ex(context, sealed->output, &written);
  if (good && encrypt) {
    good = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, sealed->tag) > 0;
  }
  EVP_CIPHER_CTX_free(context);
  return good;
}

static void in_slots(void) {
  static struct sealed ours, theirs;
  struct dice dice = {3};
  for (unsigned i = 0; i < 300; i++) {
    unsigned cipher = 9 + i % 3; /* AES-GCM */
    EVP_SKEY *key = import_into_slot(16 + 8 * (i % 3));
    CHECK(key != NULL);
    dice_fill(&dice, ours.iv, sizeof(ours.iv));
    dice_fill(&dice, ours.aad, sizeof(ours.aad));
    dice_fill(&dice, ours.input, sizeof(ours.input));
    ours.iv_len = dice_roll(&dice, 2) == 0 ? 12 : 1 + dice_roll(&dice, 64);
    ours.aad_len = dice_roll(&dice, sizeof(ours.aad) + 1);
    ours.length = dice_roll(&dice, 4) == 0 ? dice_roll(&dice, 17) : dice_roll(&dice, 3000);
    ours.largest_cut = dice_roll(&dice, 2) == 0 ? 3000 : 1 + dice_roll(&dice, 700);
    ours.copied = dice_roll(&dice, 4) == 0;
    theirs = ours;
    uint64_t cpu = host_count(&provider, "cpu-requests"), jobs = host_count(&provider, "jobs");
    CHECK(seal(provider.ciphers[cipher], key, &ours, true));
    CHECK_EQUAL(host_count(&provider, "cpu-requests"), cpu);
    CHECK(host_count(&provider, "jobs") >= jobs + (ours.length != 0 ? 2 : 1));
    CHECK(seal(reference.ciphers[cipher], NULL, &theirs, true));
    CHECK(memcmp(ours.output, theirs.output, ours.length) == 0);
    CHECK(memcmp(ours.tag, theirs.tag, 16) == 0);
    memcpy(theirs.input, ours.output, sizeof(theirs.input));
    memcpy(theirs.tag, ours.tag, 16);
    CHECK(seal(provider.ciphers[cipher], key, &theirs, false));
    CHECK(memcmp(theirs.output, ours.input, ours.length) == 0);
    theirs.tag[i % 16] ^= 1;
    CHECK(!seal(provider.ciphers[cipher], key, &theirs, false));
    EVP_SKEY_free(key);
  }
}

/* The key is only in the slot: no other provider can use it, and it cannot be read. */
static void only_there(void) {
  uint8_t output[LENGTH], tag[16] = {0};
  int length;
  size_t key_len = 0;
  const unsigned char *raw = NULL;
  EVP_SKEY *key = import_into_slot(32);
  CHECK(!EVP_SKEY_get0_raw_key(key, &raw, &key_len));
  CHECK(EVP_SKEY_to_provider(key, reference.libctx, reference.provider, NULL) == NULL);
  for (unsigned i = 2; i < HOST_CIPHERS; i += 3) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK_EQUAL(EVP_CipherInit_SKEY(context, provider.ciphers[i], key, bytes,
                                    (size_t)EVP_CIPHER_get_iv_length(provider.ciphers[i]), 1, NULL),
                i <= 11); /* not CCM, not XTS */
    EVP_CIPHER_CTX_free(context);
  }
  /* Nor does another key that was there before stay: what has none refuses. */
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(EVP_EncryptInit_ex(context, provider.ciphers[11], NULL, bytes, bytes));
  CHECK(EVP_CipherInit_SKEY(context, NULL, key, bytes, 12, 1, NULL));
  uint8_t much[300] = {0}; /* AAD that is not lent */
  CHECK(!EVP_EncryptUpdate(context, NULL, &length, much, sizeof(much)));
  CHECK(!EVP_EncryptUpdate(context, output, &length, message, LENGTH));
  EVP_CIPHER_CTX_free(context);
  /* A context holds on to its key. */
  context = EVP_CIPHER_CTX_new();
  CHECK(EVP_CipherInit_SKEY(context, provider.ciphers[11], key, bytes, 12, 1, NULL));
  EVP_SKEY_free(key);
  CHECK(EVP_EncryptUpdate(context, output, &length, message, LENGTH));
  CHECK(EVP_EncryptFinal_ex(context, output, &length));
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) > 0);
  EVP_CIPHER_CTX_free(context);
}

static void all_slots(void) {
  EVP_SKEY *keys[SLOTS];
  for (unsigned i = 0; i < SLOTS; i++) {
    keys[i] = import_into_slot(16);
    CHECK(keys[i] != NULL);
  }
  CHECK(import_into_slot(16) == NULL);
  EVP_SKEY_free(keys[3]);
  keys[3] = import_into_slot(24);
  CHECK(keys[3] != NULL);
  for (unsigned i = 0; i < SLOTS; i++) {
    EVP_SKEY_free(keys[i]);
  }
}

/* If a device fails during a message, the result is an error or correct. A device that was opened
 * again has lost its keys. */
static void let_down(void) {
  static struct sealed ours, theirs;
  unsigned refused = 0, done = 0, no_slot = 0;
  ours = (struct sealed){.iv_len = 12, .aad_len = 20, .length = 3000, .largest_cut = 1000};
  theirs = ours;
  CHECK(seal(reference.ciphers[9], NULL, &theirs, true));
  for (unsigned i = 0; i < 300; i++) {
    trouble_end();
    EVP_SKEY *key = import_into_slot(16);
    if (key == NULL) { /* starts a back-off */
      no_slot++;
      usleep(5000);
      continue;
    }
    ours.between = trouble_harm;
    int good = seal(provider.ciphers[9], key, &ours, true);
    CHECK(!good || (memcmp(ours.output, theirs.output, ours.length) == 0 &&
                    memcmp(ours.tag, theirs.tag, 16) == 0));
    refused += good ? 0 : 1;
    done += good ? 1 : 0;
    EVP_SKEY_free(key);
  }
  printf("%u messages, %u refused, %u times no slot\n", done, refused, no_slot);
  CHECK(done > 100);
  CHECK(refused != 0);
  CHECK(host_count(&provider, "cpu-fault") != 0);
  trouble_end();
}

/* Threads with keys and contexts of their own. */
static void *load_and_seal(void *expected) {
  struct sealed *sealed = calloc(1, sizeof(*sealed));
  for (unsigned i = 0; i < 40; i++) {
    const struct sealed *theirs = expected;
    *sealed = (struct sealed){.iv_len = 12, .aad_len = 20, .length = 3000, .largest_cut = 1000};
    EVP_SKEY *key = import_into_slot(16);
    CHECK(key != NULL);
    CHECK(seal(provider.ciphers[9], key, sealed, true));
    CHECK(memcmp(sealed->output, theirs->output, sealed->length) == 0);
    CHECK(memcmp(sealed->tag, theirs->tag, sizeof(sealed->tag)) == 0);
    EVP_SKEY_free(key);
  }
  free(sealed);
  return NULL;
}

static void in_threads(void) {
  static struct sealed expected;
  pthread_t threads[6];
  expected = (struct sealed){.iv_len = 12, .aad_len = 20, .length = 3000, .largest_cut = 1000};
  CHECK(seal(reference.ciphers[9], NULL, &expected, true));
  for (unsigned i = 0; i < 6; i++) {
    CHECK(pthread_create(&threads[i], NULL, load_and_seal, &expected) == 0);
  }
  for (unsigned i = 0; i < 6; i++) {
    pthread_join(threads[i], NULL);
  }
}

/* Where a key was may be another's by now: nothing is ever done with that one. */
static void lost(void) {
  static struct sealed sealed;
  sealed = (struct sealed){.iv_len = 12, .length = 100, .largest_cut = 100};
  EVP_SKEY *key = import_into_slot(16), *next = NULL;
  CHECK(seal(provider.ciphers[9], key, &sealed, true));
  trouble_vanish();
  for (unsigned i = 0; i < 10; i++) { /* until the device is given up */
    CHECK(!seal(provider.ciphers[9], key, &sealed, true));
  }
  for (unsigned i = 0; i < 200 && next == NULL; i++) {
    trouble_end();
    usleep(5000);
    next = import_into_slot(16);
  }
  CHECK(next != NULL);
  CHECK(!seal(provider.ciphers[9], key, &sealed, true));
  CHECK(seal(provider.ciphers[9], next, &sealed, true));
  EVP_SKEY_free(key); /* and that other one stays */
  CHECK(seal(provider.ciphers[9], next, &sealed, true));
  EVP_SKEY_free(next);
}

static void refused(void) {
  OSSL_PARAM none[] = {OSSL_PARAM_construct_end()};
  CHECK(import(0) == NULL);
  CHECK(import(15) == NULL);
  CHECK(import(33) == NULL);
  CHECK(EVP_SKEY_import(provider.libctx, "AES", NULL, OSSL_SKEYMGMT_SELECT_SECRET_KEY, none) ==
        NULL);
  EVP_SKEY *key = import(16); /* and not for AES-256 */
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(!EVP_CipherInit_SKEY(context, provider.ciphers[8], key, bytes, 16, 1, NULL));
  EVP_CIPHER_CTX_free(context);
  EVP_SKEY_free(key);
}

int main(void) {
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  RUN(ciphers);
  RUN(macs);
  RUN(exported);
  RUN(refused);
  RUN(generated);
  RUN(in_slots);
  RUN(all_slots);
  RUN(in_threads);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  RUN(only_there);
  CHECK(trouble_find());
  RUN(let_down);
  RUN(lost);
  host_close(&provider);
  host_close(&reference);
  return 0;
}

#else

int main(void) {
  printf("this release of OpenSSL has no key objects\n");
  return 0;
}

#endif
