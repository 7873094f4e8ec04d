/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A queue that may only sign with a P-256 key in a slot tries to compute the key: with a k of its
 * own, or with the same k twice.
 */
#include <openssl/bn.h>
#include <openssl/rand.h>

#include "check.h"
#include "rig_board.h"

#define MOST  20
#define BYTES 32u
#define SLOT  5u

static const char order_hex[] = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551";

static struct rig rig;
static struct ow_pka *pka;
static uint8_t *memory;
static BIGNUM *order;
static BN_CTX *numbers;

static void open_rig(void) {
  rig_open(&rig);
  pka = rig_allocate(&rig, sizeof(*pka), 64);
  memory = rig_allocate(&rig, 4096, 64);
  CHECK_EQUAL(ow_pka_init(pka, &rig.queue), OW_OK);
  order = NULL;
  CHECK(BN_hex2bn(&order, order_hex) != 0);
  numbers = BN_CTX_new();
}

static void close_rig(void) {
  BN_free(order);
  BN_CTX_free(numbers);
  ow_pka_close(pka);
  rig_close(&rig);
}

static void random_number(uint8_t *bytes) {
  BIGNUM *number = BN_new();
  do {
    CHECK(BN_priv_rand_range(number, order));
  } while (BN_is_zero(number));
  CHECK_EQUAL(BN_bn2binpad(number, bytes, BYTES), BYTES);
  BN_free(number);
}

/* Returns whether d = (s k - e) / r for this k. */
static bool gives_key(const uint8_t *d, const uint8_t *signature, const uint8_t *e,
                      const uint8_t *k) {
  BIGNUM *r = BN_bin2bn(signature, BYTES, NULL), *s = BN_bin2bn(signature + BYTES, BYTES, NULL);
  BIGNUM *hash = BN_bin2bn(e, BYTES, NULL), *nonce = BN_bin2bn(k, BYTES, NULL);
  uint8_t found[BYTES];
  CHECK(BN_mod_mul(s, s, nonce, order, numbers));
  CHECK(BN_mod_sub(s, s, hash, order, numbers));
  CHECK(BN_mod_inverse(r, r, order, numbers) != NULL);
  CHECK(BN_mod_mul(s, s, r, order, numbers));
  CHECK_EQUAL(BN_bn2binpad(s, found, BYTES), BYTES);
  BN_free(r);
  BN_free(s);
  BN_free(hash);
  BN_free(nonce);
  return memcmp(found, d, BYTES) == 0;
}

/* Runs a signing job as any process can write it: with any number of bytes for the device to read.
 */
static ow_status sign_raw(uint8_t *signature, const uint8_t *input, uint32_t length) {
  uint8_t curve[OW_PKA_PARAMETERS_SIZE] = {0};
  memcpy(memory, input, length);
  struct ow_job job = {.opcode = OW_OP_EC_SIGN,
                       .key = {.slot = SLOT},
                       .iv = curve,
                       .iv_len = sizeof(curve),
                       .length = length,
                       .source = memory,
                       .destination = memory + 2048,
                       .destination_len = 2 * BYTES,
                       .aad = memory};
  ow_status status = ow_queue_run(&rig.queue, &job);
  memcpy(signature, memory + 2048, 2u * BYTES);
  return status;
}

static unsigned keys;

/* Of each key a job with its own k is refused; an accepted job signs with another k. */
static void test_own_nonce(void) {
  static const uint8_t k[BYTES] = {[BYTES - 1] = 1};
  open_rig();
  for (unsigned i = 0; i < keys; i++) {
    uint8_t d[BYTES], signature[2u * BYTES], input[4u * BYTES + 8u] = {0};
    struct ow_ec_private key = {.curve = OW_CURVE_P256, .slotted = true, .slot = SLOT};
    random_number(d);
    random_number(input);
    memcpy(input + BYTES, k, BYTES);
    CHECK_EQUAL(ow_ec_slot_load(&rig.device, SLOT,
                                &(struct ow_key_properties){.queues = 0x01, .lock = true}, true,
                                OW_CURVE_P256, d),
                OW_OK);
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, signature, &key, input, k), OW_BAD_ARGUMENT);
    for (uint32_t length = BYTES + 8u; length <= sizeof(input); length += 8u) {
      CHECK_EQUAL(sign_raw(signature, input, length), OW_BAD_ARGUMENT);
    }
    CHECK_EQUAL(sign_raw(signature, input, BYTES), OW_OK);
    CHECK(!gives_key(d, signature, input, k));
    CHECK_EQUAL(ow_key_zeroise(&rig.device, SLOT), OW_OK);
  }
  close_rig();
}

/* Signs one hash many times. r depends on k, and must never repeat: two signatures with one r would
 * give the key. */
static void test_nonce_twice(void) {
  uint8_t d[BYTES], e[BYTES], signatures[MOST][2u * BYTES];
  open_rig();
  random_number(d);
  random_number(e);
  CHECK_EQUAL(ow_ec_slot_load(&rig.device, SLOT,
                              &(struct ow_key_properties){.queues = 0x01, .lock = true}, true,
                              OW_CURVE_P256, d),
              OW_OK);
  for (unsigned i = 0; i < keys; i++) {
    CHECK_EQUAL(sign_raw(signatures[i], e, BYTES), OW_OK);
    for (unsigned j = 0; j < i; j++) {
      CHECK(memcmp(signatures[i], signatures[j], BYTES) != 0);
    }
  }
  CHECK_EQUAL(ow_key_zeroise(&rig.device, SLOT), OW_OK);
  close_rig();
}

/* The number of keys, and of signatures under one: MOST without an argument. */
int main(int argc, char **argv) {
  keys = argc == 2 ? (unsigned)atoi(argv[1]) : MOST;
  CHECK(keys > 1 && keys <= MOST);
  RUN(test_own_nonce);
  RUN(test_nonce_twice);
  return 0;
}
