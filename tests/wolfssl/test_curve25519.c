/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * X25519 and Ed25519 with wolfSSL: each side accepts the other's results, with and without the
 * callback, and the device has done its part.
 *
 *   wolfssl_curve25519 LIBRARY board
 */
#include "rig.h"

#include <wolfssl/wolfcrypt/curve25519.h>
#include <wolfssl/wolfcrypt/ed25519.h>

static WC_RNG rng;

static void x25519(void) {
  static const int orders[] = {EC25519_LITTLE_ENDIAN, EC25519_BIG_ENDIAN};
  curve25519_key with, without;
  uint8_t ours[32], theirs[32];
  rig_seen = rig_jobs();
  CHECK_EQUAL(wc_curve25519_init_ex(&with, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_curve25519_init(&without), 0);
  CHECK_EQUAL(wc_curve25519_make_key(&rng, 32, &with), 0);
  CHECK_JOBS(1);
  CHECK_EQUAL(wc_curve25519_make_key(&rng, 32, &without), 0);
  CHECK_JOBS(0);
  for (unsigned i = 0; i < 2; i++) {
    word32 ours_len = sizeof(ours), theirs_len = sizeof(theirs);
    CHECK_EQUAL(wc_curve25519_shared_secret_ex(&with, &without, ours, &ours_len, orders[i]), 0);
    CHECK_JOBS(1);
    CHECK_EQUAL(wc_curve25519_shared_secret_ex(&without, &with, theirs, &theirs_len, orders[i]), 0);
    CHECK_JOBS(0);
    CHECK(ours_len == 32 && theirs_len == 32 && memcmp(ours, theirs, 32) == 0);
  }
  /* A peer that is none, and no room: as without the callback. */
  memset(without.p.point, 0, 32);
  for (int device = 0; device < 2; device++) {
    word32 ours_len = sizeof(ours);
    with.devId = device == 0 ? INVALID_DEVID : DEVICE;
    int status = wc_curve25519_shared_secret(&with, &without, ours, &ours_len);
    static int before;
    CHECK(device == 0 || status == before);
    before = status;
  }
  CHECK_JOBS(0);
  wc_curve25519_free(&with);
  wc_curve25519_free(&without);
}

/* The same key pair under another identifier. */
static void twin(ed25519_key *copy, ed25519_key *key, int device) {
  uint8_t seed[32], point[32];
  word32 seed_len = 32, point_len = 32;
  CHECK_EQUAL(wc_ed25519_export_private_only(key, seed, &seed_len), 0);
  CHECK_EQUAL(wc_ed25519_export_public(key, point, &point_len), 0);
  CHECK_EQUAL(wc_ed25519_init_ex(copy, NULL, device), 0);
  CHECK_EQUAL(wc_ed25519_import_private_key(seed, 32, point, 32, copy), 0);
}

static void ed25519(void) {
  static const word32 lengths[] = {0, 1, 64, 1023};
  static const byte context[] = "Outwork";
  ed25519_key with, without;
  uint8_t message[1023], ours[64], theirs[64];
  word32 ours_len = 64, theirs_len = 64;
  int good = 0;
  fill(message, sizeof(message));
  rig_seen = rig_jobs();
  CHECK_EQUAL(wc_ed25519_init_ex(&with, NULL, DEVICE), 0);
  CHECK_EQUAL(wc_ed25519_make_key(&rng, 32, &with), 0);
  CHECK_JOBS(1);
  twin(&without, &with, INVALID_DEVID);
  CHECK_EQUAL(wc_ed25519_check_key(&without), 0); /* a pair indeed */
  for (unsigned i = 0; i < 2 * sizeof(lengths) / sizeof(lengths[0]); i++) {
    const word32 length = lengths[i / 2];
    const byte type = i % 2 == 0 ? (byte)Ed25519 : (byte)Ed25519ctx;
    const byte context_len = i % 2 == 0 ? 0 : sizeof(context);
    CHECK_EQUAL(
        wc_ed25519_sign_msg_ex(message, length, ours, &ours_len, &with, type, context, context_len),
        0);
    CHECK_JOBS(1);
    CHECK_EQUAL(wc_ed25519_sign_msg_ex(message, length, theirs, &theirs_len, &without, type,
                                       context, context_len),
                0);
    CHECK(ours_len == 64 && theirs_len == 64 && memcmp(ours, theirs, 64) == 0);
    good = 0;
    CHECK_EQUAL(wc_ed25519_verify_msg_ex(ours, 64, message, length, &good, &with, type, context,
                                         context_len),
                0);
    CHECK_EQUAL(good, 1);
    CHECK_JOBS(1);
    ours[roll(64)] ^= 1;
    CHECK(wc_ed25519_verify_msg_ex(ours, 64, message, length, &good, &with, type, context,
                                   context_len) != 0 ||
          good == 0);
    CHECK_JOBS(0); /* software has confirmed it */
  }
  /* wolfSSL has hashed what Ed25519ph signs. */
  CHECK_EQUAL(wc_ed25519ph_sign_msg(message, 64, ours, &ours_len, &with, context, 7), 0);
  CHECK_JOBS(0);
  CHECK_EQUAL(wc_ed25519ph_verify_msg(ours, 64, message, 64, &good, &without, context, 7), 0);
  CHECK_EQUAL(good, 1);
  wc_ed25519_free(&with);
  wc_ed25519_free(&without);
}

/* Without a private key software decides: later releases refuse to sign. */
static void ed25519_public(void) {
  ed25519_key pair, keys[2];
  uint8_t point[32], message[64], signatures[2][64] = {{0}};
  int results[2];
  word32 length = sizeof(point);
  fill(message, sizeof(message));
  CHECK_EQUAL(wc_ed25519_init_ex(&pair, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_ed25519_make_key(&rng, 32, &pair), 0);
  CHECK_EQUAL(wc_ed25519_export_public(&pair, point, &length), 0);
  rig_seen = rig_jobs();
  for (unsigned i = 0; i < 2; i++) {
    length = sizeof(signatures[i]);
    CHECK_EQUAL(wc_ed25519_init_ex(&keys[i], NULL, i == 0 ? DEVICE : INVALID_DEVID), 0);
    CHECK_EQUAL(wc_ed25519_import_public(point, sizeof(point), &keys[i]), 0);
    results[i] = wc_ed25519_sign_msg(message, sizeof(message), signatures[i], &length, &keys[i]);
    wc_ed25519_free(&keys[i]);
  }
  CHECK_JOBS(0);
  CHECK_EQUAL(results[0], results[1]);
  CHECK(memcmp(signatures[0], signatures[1], sizeof(signatures[0])) == 0);
  wc_ed25519_free(&pair);
}

/* The signatures S = 0, R = A under points A of small order: software decides, and later releases
 * refuse them. */
static void ed25519_small(void) {
  static const uint8_t of_order_8[32] = {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0,
                                         0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
                                         0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39,
                                         0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05};
  rig_seen = rig_jobs();
  for (unsigned which = 0; which < 6; which++) {
    uint8_t signature[64] = {0}, message[8] = {(uint8_t)which};
    int good[2] = {0, 0}, results[2];
    if (which == 5) {
      memcpy(signature, of_order_8, sizeof(of_order_8));
    } else if (which >= 2) { /* -1, p and p + 1 */
      memset(signature, 0xff, 31);
      signature[0] = (uint8_t)(0xec + which - 2);
      signature[31] = 0x7f;
    } else {
      signature[0] = (uint8_t)which;
    }
    for (unsigned i = 0; i < 2; i++) {
      ed25519_key key;
      CHECK_EQUAL(wc_ed25519_init_ex(&key, NULL, i == 0 ? DEVICE : INVALID_DEVID), 0);
      CHECK_EQUAL(wc_ed25519_import_public_ex(signature, 32, &key, 1), 0);
      results[i] = wc_ed25519_verify_msg(signature, sizeof(signature), message, sizeof(message),
                                         &good[i], &key);
      wc_ed25519_free(&key);
    }
    CHECK(results[0] == results[1] && good[0] == good[1]);
  }
  CHECK_JOBS(0);
}

int main(int argc, char **argv) {
  (void)rig_is(argc, argv, "board");
  rig_open_for(argv[1], OW_OP_X25519, OW_OP_ED25519_VERIFY);
  CHECK_EQUAL(wc_InitRng_ex(&rng, NULL, INVALID_DEVID), 0);
  RUN(x25519);
  RUN(ed25519);
  RUN(ed25519_public);
  RUN(ed25519_small);
  CHECK_EQUAL(wc_FreeRng(&rng), 0);
  rig_close();
  return 0;
}
