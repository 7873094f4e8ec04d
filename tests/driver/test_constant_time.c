/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * No branch and no address of the driver's software depends on a secret. Secrets are marked as
 * undefined for valgrind's memcheck, which reports code that depends on them (the method of
 * ctgrind). The driver is compiled as for its users. `leak` proves that the method works: it
 * compares a tag in variable time.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "internal.h"
#include "pka.h"
#include "rsa_padding.h"
#include "secret.h"
#include "sha.h"

enum { MODULUS_BYTES = 256 };
static const uint8_t message[] = "what was encrypted";

static void fill(uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)(37u * i + 1u) | 1u;
  }
}

/* A valid input, and one with an error at each position that a decoder checks. */
static void test_oaep(void) {
  static const size_t flips[] = {0, 1, 40, 100, MODULUS_BYTES - 1};
  const struct ow_rsa_padding padding = {
      .scheme = OW_RSA_OAEP, .hash = OW_OP_SHA256, .mask_hash = OW_OP_SHA1};
  for (size_t wrong = 0; wrong <= sizeof(flips) / sizeof(flips[0]); wrong++) {
    struct ow_encoded em = {.length = MODULUS_BYTES, .bits = 8 * MODULUS_BYTES};
    uint8_t secret[sizeof(message)];
    memcpy(secret, message, sizeof(message));
    fill(em.bytes + 1, 32);
    SECRET(em.bytes + 1, 32);
    SECRET(secret, sizeof(secret));
    ow_oaep_encode(&em, &padding, secret, sizeof(secret));
    if (wrong != 0) {
      em.bytes[flips[wrong - 1]] ^= 1;
    }
    SECRET(em.bytes, sizeof(em.bytes));
    size_t start = ow_oaep_decode(&em, &padding);
    PUBLIC(&start, sizeof(start));
    PUBLIC(em.bytes, sizeof(em.bytes));
    CHECK_EQUAL(start, wrong != 0 ? 0 : MODULUS_BYTES - sizeof(message));
    CHECK(wrong != 0 || memcmp(em.bytes + start, message, sizeof(message)) == 0);
  }
}

static void test_pkcs1(void) {
  static const size_t zeros[] = {1, 2, 9};
  for (size_t wrong = 0; wrong <= sizeof(zeros) / sizeof(zeros[0]); wrong++) {
    struct ow_encoded em = {.length = MODULUS_BYTES, .bits = 8 * MODULUS_BYTES};
    fill(em.bytes, sizeof(em.bytes));
    ow_pkcs1_encode(&em, message, sizeof(message));
    if (wrong != 0) {
      em.bytes[zeros[wrong - 1]] = 0;
    }
    SECRET(em.bytes, sizeof(em.bytes));
    size_t start = ow_pkcs1_decode(&em);
    PUBLIC(&start, sizeof(start));
    CHECK_EQUAL(start, wrong != 0 ? 0 : MODULUS_BYTES - sizeof(message));
  }
}

static void test_pss_encoding(void) {
  const struct ow_rsa_padding padding = {
      .scheme = OW_RSA_PSS, .hash = OW_OP_SHA384, .mask_hash = OW_OP_SHA384, .salt_len = 48};
  struct ow_encoded em = {.length = MODULUS_BYTES, .bits = 8 * MODULUS_BYTES};
  uint8_t digest[48], salt[48];
  fill(digest, sizeof(digest));
  fill(salt, sizeof(salt));
  SECRET(digest, sizeof(digest));
  SECRET(salt, sizeof(salt));
  CHECK_EQUAL(ow_pss_encode(&em, &padding, digest, salt), OW_OK);
  PUBLIC(digest, sizeof(digest));
  PUBLIC(em.bytes, sizeof(em.bytes));
  CHECK_EQUAL(ow_pss_verify(&em, &padding, digest), OW_OK);
}

/* That a candidate is out of range does not help to guess the next one, so the result is made
 * public. */
static void test_range(void) {
  for (unsigned curve = OW_CURVE_P256; curve <= OW_CURVE_SECP256K1; curve++) {
    const uint8_t *order = ow_curve_order((enum ow_curve)curve);
    size_t length = ow_curve_bytes((enum ow_curve)curve);
    uint8_t scalar[OW_CURVE_BYTES_MAX];
    for (int less = 0; less < 2; less++) {
      memcpy(scalar, order, length);
      scalar[length - 1] = (uint8_t)(scalar[length - 1] - less);
      SECRET(scalar, sizeof(scalar));
      uint32_t in_range = ow_scalar_in_range(scalar, order, length);
      PUBLIC(&in_range, sizeof(in_range));
      CHECK_EQUAL(in_range, less);
    }
  }
}

static void test_hashes(void) {
  static const uint8_t hashes[] = {OW_OP_SHA1, OW_OP_SHA224, OW_OP_SHA256, OW_OP_SHA384,
                                   OW_OP_SHA512};
  for (size_t i = 0; i < sizeof(hashes); i++) {
    uint8_t key[64], text[100], mac[OW_DIGEST_MAX], again[OW_DIGEST_MAX];
    fill(key, sizeof(key));
    fill(text, sizeof(text));
    const struct ow_number part = {text, sizeof(text)};
    ow_hmac_parts(hashes[i], again, (struct ow_number){key, sizeof(key)}, &part, 1);
    SECRET(key, sizeof(key));
    SECRET(text, sizeof(text));
    ow_hmac_parts(hashes[i], mac, (struct ow_number){key, sizeof(key)}, &part, 1);
    bool same = ow_equal(mac, again, ow_hash_digest_len(hashes[i]));
    PUBLIC(&same, sizeof(same));
    CHECK(same);
  }
}

/* A generator's blocks: only the result of its check is public. */
static void test_generator(void) {
  uint8_t stretch[OW_STRETCH_BYTES], last[16];
  fill(last, sizeof(last));
  for (size_t i = 0; i < sizeof(stretch); i++) {
    stretch[i] = (uint8_t)(i / 16u + 2u);
  }
  for (unsigned sound = 0; sound < 2; sound++) {
    /* A block that differs from the others, or is almost the same. */
    stretch[40] = sound == 0 ? 3 : 9;
    memset(stretch + 48, sound == 0 ? 0 : 5, 16);
    SECRET(stretch, sizeof(stretch));
    SECRET(last, sizeof(last));
    uint32_t verdict = ow_drbg_is_sound(stretch, last);
    PUBLIC(&verdict, sizeof(verdict));
    PUBLIC(stretch, sizeof(stretch));
    CHECK_EQUAL(verdict, sound);
  }
}

static void leak(void) {
  uint8_t tag[16] = {0}, wanted[16] = {1};
  SECRET(tag, sizeof(tag));
  for (size_t i = 0; i < sizeof(tag); i++) {
    if (tag[i] != wanted[i]) {
      puts("leaked");
      break;
    }
  }
}

int main(int count, char **arguments) {
  if (RUNNING_ON_VALGRIND == 0) {
    fputs("test_constant_time: run it under valgrind: without, it checks nothing\n", stderr);
    return 1;
  }
  if (count > 1 && strcmp(arguments[1], "leak") == 0) {
    leak();
    return 0;
  }
  RUN(test_oaep);
  RUN(test_pkcs1);
  RUN(test_pss_encoding);
  RUN(test_range);
  RUN(test_hashes);
  RUN(test_generator);
  return 0;
}
