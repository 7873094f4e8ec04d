/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests PSA with random messages: the results with and without the driver must be equal, and the
 * device must have computed the former.
 *
 *   psa_random LIBRARY BOARD     BOARD: `fake` runs more rounds; `trouble` makes the fake fail
 */
#ifndef MBEDTLS_ALLOW_PRIVATE_ACCESS
#define MBEDTLS_ALLOW_PRIVATE_ACCESS
#endif
#include <pthread.h>

#include "message.h"

#define LONGEST 100000u

static uint8_t message[LONGEST + 64], ours[LONGEST + 64], theirs[LONGEST + 64], iv[16];

static size_t play_cipher(psa_key_id_t key, psa_algorithm_t alg, bool decrypt, uint8_t *out,
                          const uint8_t *in, uint32_t length, const uint32_t cuts[3]) {
  psa_cipher_operation_t operation = psa_cipher_operation_init();
  size_t made = 0, more = 0;
  CHECK_EQUAL(decrypt ? psa_cipher_decrypt_setup(&operation, key, alg)
                      : psa_cipher_encrypt_setup(&operation, key, alg),
              PSA_SUCCESS);
  if (alg != PSA_ALG_ECB_NO_PADDING) {
    CHECK_EQUAL(psa_cipher_set_iv(&operation, iv, sizeof(iv)), PSA_SUCCESS);
  }
  for (uint32_t i = 0, done = 0; i < 4; i++) {
    uint32_t end = i < 3 ? cuts[i] : length;
    disturb();
    CHECK_EQUAL(psa_cipher_update(&operation, in + done, end - done, out + made,
                                  sizeof(ours) - made, &more),
                PSA_SUCCESS);
    made += more;
    done = end;
  }
  CHECK_EQUAL(psa_cipher_finish(&operation, out + made, sizeof(ours) - made, &more), PSA_SUCCESS);
  return made + more;
}

static void ciphers(unsigned rounds) {
  const psa_algorithm_t algs[] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING, PSA_ALG_CTR};
  for (unsigned i = 0; i < rounds; i++) {
    psa_algorithm_t alg = algs[i % 3];
    uint32_t length = roll(i % 10 == 9 ? LONGEST : 3000), cuts[3];
    length -= alg == PSA_ALG_CTR ? 0 : length % 16;
    cut(cuts, length);
    fill(message, length);
    memset(iv, i % 4 == 0 ? 0xff : (int)roll(256), sizeof(iv)); /* 0xff: the counter overflows */
    psa_key_id_t key =
        aes_key(16 + 8 * roll(3), alg, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    choose(true);
    CHECK_EQUAL(play_cipher(key, alg, false, ours, message, length, cuts), length);
    choose(false);
    CHECK_EQUAL(play_cipher(key, alg, false, theirs, message, length, cuts), length);
    CHECK(memcmp(ours, theirs, length) == 0);
    choose(true);
    CHECK_EQUAL(play_cipher(key, alg, true, theirs, ours, length, cuts), length);
    CHECK(memcmp(message, theirs, length) == 0);
    size_t made = 0, back = 0; /* in one call, with an IV that Mbed TLS chooses */
    CHECK_EQUAL(psa_cipher_encrypt(key, alg, message, length, ours, sizeof(ours), &made),
                PSA_SUCCESS);
    choose(false);
    CHECK_EQUAL(psa_cipher_decrypt(key, alg, ours, made, theirs, sizeof(theirs), &back),
                PSA_SUCCESS);
    CHECK(back == length && memcmp(message, theirs, length) == 0);
    choose(true);
    CHECK_EQUAL(psa_cipher_decrypt(key, alg, ours, made, theirs, sizeof(theirs), &back),
                PSA_SUCCESS);
    CHECK(back == length && memcmp(message, theirs, length) == 0);
    CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  }
}

/* Hashes the message in pieces. After two of four pieces the operation is cloned; `digest` gets the
 * results of the operation and of its clone. */
static void play_hash(psa_algorithm_t alg, uint8_t digest[2][64], uint32_t length,
                      const uint32_t cuts[3]) {
  psa_hash_operation_t operations[2] = {psa_hash_operation_init(), psa_hash_operation_init()};
  size_t made = 0;
  CHECK_EQUAL(psa_hash_setup(&operations[0], alg), PSA_SUCCESS);
  for (uint32_t i = 0, done = 0; i < 4; i++) {
    uint32_t end = i < 3 ? cuts[i] : length;
    disturb();
    if (i == 2) {
      CHECK_EQUAL(psa_hash_clone(&operations[0], &operations[1]), PSA_SUCCESS);
    }
    for (unsigned j = 0; j < (i < 2 ? 1u : 2u); j++) {
      CHECK_EQUAL(psa_hash_update(&operations[j], message + done, end - done), PSA_SUCCESS);
    }
    done = end;
  }
  for (unsigned j = 0; j < 2; j++) {
    CHECK_EQUAL(psa_hash_finish(&operations[j], digest[j], 64, &made), PSA_SUCCESS);
    CHECK_EQUAL(made, PSA_HASH_LENGTH(alg));
  }
}

static void hashes(unsigned rounds) {
  const psa_algorithm_t algs[] = {PSA_ALG_SHA_1,    PSA_ALG_SHA_224,  PSA_ALG_SHA_256,
                                  PSA_ALG_SHA_384,  PSA_ALG_SHA_512,  PSA_ALG_SHA3_224,
                                  PSA_ALG_SHA3_256, PSA_ALG_SHA3_384, PSA_ALG_SHA3_512};
  for (unsigned i = 0; i < rounds; i++) {
    psa_algorithm_t alg = algs[i % 9];
    uint8_t digest[2][64], want[64];
    uint32_t length = roll(i % 20 == 19 ? LONGEST : 3000), cuts[3];
    size_t size = PSA_HASH_LENGTH(alg), made = 0;
    fill(message, length);
    cut(cuts, length);
    choose(false);
    CHECK_EQUAL(psa_hash_compute(alg, message, length, want, sizeof(want), &made), PSA_SUCCESS);
    choose(true);
    CHECK_EQUAL(psa_hash_compute(alg, message, length, digest[0], 64, &made), PSA_SUCCESS);
    CHECK(made == size && memcmp(digest[0], want, size) == 0);
    play_hash(alg, digest, length, cuts);
    CHECK(memcmp(digest[0], want, size) == 0);
    CHECK(memcmp(digest[1], want, size) == 0);
  }
}

static void play_mac(psa_key_id_t key, psa_algorithm_t alg, uint8_t *mac, uint32_t length,
                     const uint32_t cuts[3]) {
  psa_mac_operation_t sign = psa_mac_operation_init(), verify = psa_mac_operation_init();
  size_t made = 0;
  CHECK_EQUAL(psa_mac_sign_setup(&sign, key, alg), PSA_SUCCESS);
  CHECK_EQUAL(psa_mac_verify_setup(&verify, key, alg), PSA_SUCCESS);
  for (uint32_t i = 0, done = 0; i < 4; i++) {
    uint32_t end = i < 3 ? cuts[i] : length;
    disturb();
    CHECK_EQUAL(psa_mac_update(&sign, message + done, end - done), PSA_SUCCESS);
    CHECK_EQUAL(psa_mac_update(&verify, message + done, end - done), PSA_SUCCESS);
    done = end;
  }
  CHECK_EQUAL(psa_mac_sign_finish(&sign, mac, 64, &made), PSA_SUCCESS);
  CHECK_EQUAL(psa_mac_verify_finish(&verify, mac, made), PSA_SUCCESS);
}

static void macs(unsigned rounds) {
  const psa_algorithm_t algs[] = {
      PSA_ALG_CMAC, PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_ALG_TRUNCATED_MAC(PSA_ALG_CMAC, 8),
      PSA_ALG_HMAC(PSA_ALG_SHA_384), PSA_ALG_TRUNCATED_MAC(PSA_ALG_HMAC(PSA_ALG_SHA_1), 12)};
  for (unsigned i = 0; i < rounds; i++) {
    psa_algorithm_t alg = algs[i % 5];
    bool hmac = PSA_ALG_IS_HMAC(alg);
    uint8_t bytes[100], mac[64], want[64];
    uint32_t length = roll(i % 20 == 19 ? LONGEST : 3000), cuts[3];
    size_t made = 0, size = 0, key_len = hmac ? 1 + roll(100) : 16 + 8 * roll(3);
    fill(bytes, key_len);
    fill(message, length);
    cut(cuts, length);
    psa_key_id_t key =
        import(hmac ? PSA_KEY_TYPE_HMAC : PSA_KEY_TYPE_AES, 0, alg,
               PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE, bytes, key_len);
    choose(false);
    CHECK_EQUAL(psa_mac_compute(key, alg, message, length, want, sizeof(want), &size), PSA_SUCCESS);
    choose(true);
    CHECK_EQUAL(psa_mac_compute(key, alg, message, length, mac, sizeof(mac), &made), PSA_SUCCESS);
    CHECK(made == size && memcmp(mac, want, size) == 0);
    CHECK_EQUAL(psa_mac_verify(key, alg, message, length, mac, made), PSA_SUCCESS);
    play_mac(key, alg, mac, length, cuts);
    CHECK(memcmp(mac, want, size) == 0);
    mac[0] ^= 1;
    CHECK_EQUAL(psa_mac_verify(key, alg, message, length, mac, made), PSA_ERROR_INVALID_SIGNATURE);
    CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  }
}

static uint8_t stack[1u << 20] __attribute__((aligned(4096)));
static psa_hash_operation_t begun;

static void *begin_hash(void *unused) {
  CHECK_EQUAL(psa_hash_setup(&begun, PSA_ALG_SHA_256), PSA_SUCCESS);
  CHECK_EQUAL(psa_hash_update(&begun, message, 640), PSA_SUCCESS);
  return unused;
}

/* Checks that the state of a hash, which may be an HMAC's, does not stay on the thread's stack. */
static void no_state_stays(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  uint8_t chain[32];
  uint64_t before = jobs();
  fill(message, 640);
  CHECK_EQUAL(pthread_attr_init(&attributes), 0);
  CHECK_EQUAL(pthread_attr_setstack(&attributes, stack, sizeof(stack)), 0);
  CHECK_EQUAL(pthread_create(&thread, &attributes, begin_hash, NULL), 0);
  CHECK_EQUAL(pthread_join(thread, NULL), 0);
  CHECK_EQUAL(pthread_attr_destroy(&attributes), 0);
  for (unsigned i = 0; i < sizeof(chain); i++) { /* as the device has it */
    chain[i] = (uint8_t)(begun.ctx.outwork_ctx.ctx.sha256.state[i / 4] >> (24 - 8 * (i % 4)));
  }
  CHECK_EQUAL(jobs() - before, 1);
  for (size_t i = 0; i + sizeof(chain) <= sizeof(stack); i++) {
    CHECK(memcmp(stack + i, chain, sizeof(chain)) != 0);
  }
  CHECK_EQUAL(psa_hash_abort(&begun), PSA_SUCCESS);
}

static void some_ciphers(void) {
  ciphers(3);
}

/* Checks that no message is lost or wrong while the device fails. */
static void bad_days(const char *library) {
  trouble(library);
  uint64_t before = jobs();
  for (unsigned i = 0; i < 300; i++) {
    disturb();
    ciphers(3);
    macs(2);
  }
  CHECK(jobs() - before >= 300);
  recover(some_ciphers);
}

/* Runs `rounds` rounds of each part, and checks that each took at least its number of jobs. */
static void good_days(unsigned rounds) {
  const struct {
    const char *name;
    void (*play)(unsigned);
    unsigned jobs;
  } parts[] = {{"ciphers", ciphers, 4}, {"MACs", macs, 4}, {"hashes", hashes, 3}};
  for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    uint64_t before = jobs();
    parts[i].play(rounds);
    printf("%llu jobs of %s\n", (unsigned long long)(jobs() - before), parts[i].name);
    CHECK(jobs() - before >= rounds * parts[i].jobs);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  bool board = strcmp(argv[2], "fake") != 0;
  printf("seed 1\n");
  begin(argv[1]);
  if (strcmp(argv[2], "trouble") == 0) {
    bad_days(argv[1]);
  } else {
    good_days(board ? 45 : 900);
    if (strcmp(argv[2], "128") == 0) { /* the fake device itself works on this stack */
      no_state_stays();
    }
  }
  end();
  return 0;
}
