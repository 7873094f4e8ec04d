/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * EVP_SKEY: keys in the device's slots work for AES-GCM as their bytes do, cannot be read, and
 * return either an error or a correct result when the device fails.
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
/* The first AES-GCM among the host's ciphers; one for each length of keys. */
#define GCM 9u
/* The fake device's slots. */
#define SLOTS 8u

static struct host provider, reference;
static const uint8_t message[LENGTH];
static const uint8_t bytes[33] = {1, 2, 3, [16] = 4, [31] = 5};

static EVP_SKEY *import_into_slot(size_t length) {
  return host_slot_key(&provider, bytes, length);
}

/* A message that is processed in pieces of random lengths. */
struct sealed {
  uint8_t iv[64], aad[256], input[3000], output[3000], tag[16];
  size_t iv_len, aad_len, length, largest_cut;
  uint64_t cuts;
  bool copied;
  void (*between)(void); /* called before each update; may be NULL */
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
    unsigned cipher = GCM + i % 3;
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
  /* A key that the context had before is not used either: the inner context has no key. */
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(EVP_EncryptInit_ex(context, provider.ciphers[11], NULL, bytes, bytes));
  CHECK(EVP_CipherInit_SKEY(context, NULL, key, bytes, 12, 1, NULL));
  uint8_t much[300] = {0}; /* more AAD than the provider keeps */
  CHECK(!EVP_EncryptUpdate(context, NULL, &length, much, sizeof(much)));
  CHECK(!EVP_EncryptUpdate(context, output, &length, message, LENGTH));
  EVP_CIPHER_CTX_free(context);
  /* A context keeps its key after the object is freed. */
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
static void device_fails(void) {
  static struct sealed ours, theirs;
  unsigned refused = 0, done = 0, no_slot = 0;
  ours = (struct sealed){.iv_len = 12, .aad_len = 20, .length = 3000, .largest_cut = 1000};
  theirs = ours;
  CHECK(seal(reference.ciphers[GCM], NULL, &theirs, true));
  for (unsigned i = 0; i < 300; i++) {
    trouble_end();
    EVP_SKEY *key = import_into_slot(16);
    if (key == NULL) { /* starts a back-off */
      no_slot++;
      usleep(5000);
      continue;
    }
    ours.between = trouble_harm;
    int good = seal(provider.ciphers[GCM], key, &ours, true);
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

/* The body of a thread, with its own keys and contexts. */
static void *load_and_seal(void *expected) {
  struct sealed *sealed = calloc(1, sizeof(*sealed));
  for (unsigned i = 0; i < 40; i++) {
    const struct sealed *theirs = expected;
    *sealed = (struct sealed){.iv_len = 12, .aad_len = 20, .length = 3000, .largest_cut = 1000};
    EVP_SKEY *key = import_into_slot(16);
    CHECK(key != NULL);
    CHECK(seal(provider.ciphers[GCM], key, sealed, true));
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
  CHECK(seal(reference.ciphers[GCM], NULL, &expected, true));
  for (unsigned i = 0; i < 6; i++) {
    CHECK(pthread_create(&threads[i], NULL, load_and_seal, &expected) == 0);
  }
  for (unsigned i = 0; i < 6; i++) {
    pthread_join(threads[i], NULL);
  }
}

/* After the device was opened again, the key's slot may have another key. The lost key never works
 * with it. */
static void lost(void) {
  static struct sealed sealed;
  sealed = (struct sealed){.iv_len = 12, .length = 100, .largest_cut = 100};
  EVP_SKEY *key = import_into_slot(16), *next = NULL;
  CHECK(seal(provider.ciphers[GCM], key, &sealed, true));
  trouble_vanish();
  for (unsigned i = 0; i < 10; i++) { /* until the provider stops using the device */
    CHECK(!seal(provider.ciphers[GCM], key, &sealed, true));
  }
  for (unsigned i = 0; i < 200 && next == NULL; i++) {
    trouble_end();
    usleep(5000);
    next = import_into_slot(16);
  }
  CHECK(next != NULL);
  CHECK(!seal(provider.ciphers[GCM], key, &sealed, true));
  CHECK(seal(provider.ciphers[GCM], next, &sealed, true));
  EVP_SKEY_free(key); /* must not zeroise the other key */
  CHECK(seal(provider.ciphers[GCM], next, &sealed, true));
  EVP_SKEY_free(next);
}

int main(void) {
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  RUN(in_slots);
  RUN(all_slots);
  RUN(in_threads);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  RUN(only_there);
  CHECK(trouble_find());
  RUN(device_fails);
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
