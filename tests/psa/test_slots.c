/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys in the device's slots: they give the same results as in software, cannot be exported, follow
 * their policy, and are gone when they are destroyed.
 *
 *   psa_slots LIBRARY BOARD [all]     BOARD: `fake` uses only AES keys from slots
 *
 * `all`: as many messages in pieces on a simulated board as on the fake one. A message can be a
 * hundred jobs.
 */
#include <sys/mman.h>

#include "slots.h"

/* Messages in pieces, of each mode. */
#define ALL_TURNS   40u
#define BOARD_TURNS 8u

static unsigned turns = ALL_TURNS;
static uint8_t message[5000], ours[5100], theirs[5100];

psa_status_t try_import(psa_key_id_t *key, psa_key_type_t type, psa_key_lifetime_t lifetime,
                        psa_algorithm_t alg, psa_key_usage_t usage, const uint8_t *bytes,
                        size_t length) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_set_key_type(&attributes, type);
  psa_set_key_lifetime(&attributes, lifetime);
  if (!PSA_KEY_LIFETIME_IS_VOLATILE(lifetime)) {
    psa_set_key_id(&attributes, 7);
  }
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_usage_flags(&attributes, usage);
  return psa_import_key(&attributes, bytes, length, key);
}

static void aead(psa_algorithm_t alg) {
  const psa_key_usage_t usage = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
  uint8_t bytes[32], nonce[12], aad[100];
  size_t made = 0, wanted = 0;
  fill(bytes, sizeof(bytes));
  fill(nonce, sizeof(nonce));
  fill(aad, sizeof(aad));
  psa_key_id_t slot = import(PSA_KEY_TYPE_AES, IN_SLOT, alg, usage, bytes, 32);
  psa_key_id_t raw = import(PSA_KEY_TYPE_AES, 0, alg, usage, bytes, 32);
  for (unsigned i = 0; i < 20; i++) {
    uint32_t length = roll(2000), aad_len = roll(sizeof(aad));
    fill(message, length);
    CHECK_EQUAL(psa_aead_encrypt(slot, alg, nonce, 12, aad, aad_len, message, length, ours,
                                 sizeof(ours), &made),
                PSA_SUCCESS);
    CHECK_EQUAL(psa_aead_encrypt(raw, alg, nonce, 12, aad, aad_len, message, length, theirs,
                                 sizeof(theirs), &wanted),
                PSA_SUCCESS);
    CHECK(made == wanted && memcmp(ours, theirs, made) == 0);
    CHECK_EQUAL(psa_aead_decrypt(slot, alg, nonce, 12, aad, aad_len, ours, made, theirs,
                                 sizeof(theirs), &wanted),
                PSA_SUCCESS);
    CHECK(wanted == length && memcmp(theirs, message, length) == 0);
    ours[roll((uint32_t)made)] ^= 1;
    CHECK_EQUAL(psa_aead_decrypt(slot, alg, nonce, 12, aad, aad_len, ours, made, theirs,
                                 sizeof(theirs), &wanted),
                PSA_ERROR_INVALID_SIGNATURE);
  }
  static uint8_t longest[65536 + 32];
  CHECK_EQUAL(psa_aead_encrypt(slot, alg, nonce, 12, NULL, 0, longest, 65536, longest,
                               sizeof(longest), &made),
              PSA_SUCCESS);
  CHECK_EQUAL(psa_aead_encrypt(slot, alg, nonce, 12, NULL, 0, longest, 65537, longest,
                               sizeof(longest), &made),
              PSA_ERROR_NOT_SUPPORTED); /* more than one request can hold */
  CHECK_EQUAL(psa_destroy_key(slot), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(raw), PSA_SUCCESS);
}

static void gcm(void) {
  aead(PSA_ALG_GCM);
}

static void ccm(void) {
  aead(PSA_ALG_CCM);
}

/* Processes the input in random pieces. `out` gets the output of all calls. Returns the status of
 * the last one. */
static psa_status_t in_pieces(uint8_t *out, size_t *out_len, psa_key_id_t key, psa_algorithm_t alg,
                              bool decrypt, const uint8_t *input, size_t length, size_t largest) {
  static const uint8_t iv[16] = {3};
  psa_cipher_operation_t operation = psa_cipher_operation_init();
  size_t made = 0;
  *out_len = 0;
  CHECK_EQUAL(decrypt ? psa_cipher_decrypt_setup(&operation, key, alg)
                      : psa_cipher_encrypt_setup(&operation, key, alg),
              PSA_SUCCESS);
  if (alg != PSA_ALG_ECB_NO_PADDING) {
    CHECK_EQUAL(psa_cipher_set_iv(&operation, iv, sizeof(iv)), PSA_SUCCESS);
  }
  for (size_t done = 0; done < length;) {
    size_t now = 1 + roll((uint32_t)largest);
    now = now < length - done ? now : length - done;
    CHECK_EQUAL(psa_cipher_update(&operation, input + done, now, out + *out_len, now + 16, &made),
                PSA_SUCCESS);
    *out_len += made;
    done += now;
  }
  psa_status_t status = psa_cipher_finish(&operation, out + *out_len, 16, &made);
  *out_len += made;
  CHECK_EQUAL(psa_cipher_abort(&operation), PSA_SUCCESS);
  return status;
}

/* Encrypts in pieces with the slot's key and with a raw key, compares, and decrypts again. Except
 * in CTR, both must refuse a message that ends in a partial block. */
static void cipher_in_pieces(psa_key_id_t slot, psa_key_id_t raw, psa_algorithm_t alg) {
  size_t largest = roll(2) != 0 ? 40 : 2000, length = 1 + roll(4000), made, wanted, back;
  length -= roll(8) != 0 && alg != PSA_ALG_CTR ? length % 16 : 0;
  bool whole = alg == PSA_ALG_CTR || length % 16 == 0;
  uint64_t before = jobs();
  psa_status_t status = in_pieces(ours, &made, slot, alg, false, message, length, largest);
  CHECK_EQUAL(status, whole ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT);
  CHECK(length < 16 || jobs() > before);
  choose(false);
  CHECK_EQUAL(in_pieces(theirs, &wanted, raw, alg, false, message, length, largest), status);
  choose(true);
  CHECK(made == wanted && memcmp(ours, theirs, made) == 0);
  if (whole) {
    CHECK_EQUAL(in_pieces(theirs, &back, slot, alg, true, ours, made, largest), PSA_SUCCESS);
    CHECK(back == length && memcmp(theirs, message, back) == 0);
  }
}

static void ciphers(void) {
  const psa_algorithm_t algs[] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING, PSA_ALG_CTR};
  for (unsigned i = 0; i < 3; i++) {
    uint8_t bytes[16];
    size_t made = 0, back = 0;
    fill(bytes, 16);
    fill(message, sizeof(message));
    psa_key_id_t slot = import(PSA_KEY_TYPE_AES, IN_SLOT, algs[i],
                               PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, bytes, 16);
    psa_key_id_t raw = import(PSA_KEY_TYPE_AES, 0, algs[i],
                              PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, bytes, 16);
    CHECK_EQUAL(psa_cipher_encrypt(slot, algs[i], message, 4992, ours, sizeof(ours), &made),
                PSA_SUCCESS);
    CHECK_EQUAL(psa_cipher_decrypt(raw, algs[i], ours, made, theirs, sizeof(theirs), &back),
                PSA_SUCCESS);
    CHECK(back == 4992 && memcmp(theirs, message, back) == 0);
    memset(theirs, 0, sizeof(theirs));
    CHECK_EQUAL(psa_cipher_decrypt(slot, algs[i], ours, made, theirs, sizeof(theirs), &back),
                PSA_SUCCESS);
    CHECK(back == 4992 && memcmp(theirs, message, back) == 0);
    for (unsigned turn = 0; turn < turns; turn++) {
      cipher_in_pieces(slot, raw, algs[i]);
    }
    CHECK_EQUAL(psa_destroy_key(slot), PSA_SUCCESS);
    CHECK_EQUAL(psa_destroy_key(raw), PSA_SUCCESS);
  }
}

/* The key goes in the middle of a message in CTR. The output then has no byte that depends on the
 * text: neither the text itself nor a second use of a key stream. */
static void a_stream_without_its_key(void) {
  static const uint8_t iv[16] = {3};
  for (size_t used = 0; used <= 32; used += 32) {
    psa_cipher_operation_t operation = psa_cipher_operation_init();
    size_t made = 0;
    uint8_t bytes[16];
    fill(bytes, sizeof(bytes));
    fill(message, sizeof(message));
    psa_key_id_t key =
        import(PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT, bytes, 16);
    CHECK_EQUAL(psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR), PSA_SUCCESS);
    CHECK_EQUAL(psa_cipher_set_iv(&operation, iv, sizeof(iv)), PSA_SUCCESS);
    for (size_t done = 0; done < used; done += made) {
      CHECK_EQUAL(psa_cipher_update(&operation, message, 8, ours, 8, &made), PSA_SUCCESS);
    }
    CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
    memset(ours, 0, sizeof(ours));
    CHECK(psa_cipher_update(&operation, message, 15, ours, 15, &made) != PSA_SUCCESS);
    for (unsigned i = 0; i < 15; i++) {
      CHECK_EQUAL(ours[i], 0);
    }
    CHECK_EQUAL(psa_cipher_abort(&operation), PSA_SUCCESS);
  }
}

static void mac_in_pieces(psa_key_id_t key, psa_algorithm_t alg, size_t length) {
  psa_mac_operation_t sign = psa_mac_operation_init(), verify = psa_mac_operation_init();
  size_t largest = roll(2) != 0 ? 100 : 4000, made = 0, wanted = 0;
  CHECK_EQUAL(psa_mac_sign_setup(&sign, key, alg), PSA_SUCCESS);
  CHECK_EQUAL(psa_mac_verify_setup(&verify, key, alg), PSA_SUCCESS);
  for (size_t done = 0; done < length;) {
    size_t now = 1 + roll((uint32_t)largest);
    now = now < length - done ? now : length - done;
    CHECK_EQUAL(psa_mac_update(&sign, message + done, now), PSA_SUCCESS);
    CHECK_EQUAL(psa_mac_update(&verify, message + done, now), PSA_SUCCESS);
    done += now;
  }
  CHECK_EQUAL(psa_mac_sign_finish(&sign, ours, 64, &made), PSA_SUCCESS);
  CHECK_EQUAL(psa_mac_compute(key, alg, message, length, theirs, 64, &wanted), PSA_SUCCESS);
  CHECK(made == wanted && memcmp(ours, theirs, made) == 0);
  bool wrong = roll(3) == 0;
  ours[roll((uint32_t)made)] ^= wrong ? 1 : 0;
  CHECK_EQUAL(psa_mac_verify_finish(&verify, ours, made),
              wrong ? PSA_ERROR_INVALID_SIGNATURE : PSA_SUCCESS);
}

static void mac(psa_key_type_t type, psa_algorithm_t alg) {
  const psa_key_usage_t usage = PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE;
  uint8_t bytes[32];
  size_t made = 0, wanted = 0;
  fill(bytes, sizeof(bytes));
  psa_key_id_t slot = import(type, IN_SLOT, alg, usage, bytes, 32);
  psa_key_id_t raw = import(type, 0, alg, usage, bytes, 32);
  for (unsigned i = 0; i < 10; i++) {
    uint32_t length = i < 2 ? 128 * (2 + roll(20)) : roll(i == 2 ? 20 : 4000);
    fill(message, length);
    CHECK_EQUAL(psa_mac_compute(slot, alg, message, length, ours, 64, &made), PSA_SUCCESS);
    CHECK_EQUAL(psa_mac_compute(raw, alg, message, length, theirs, 64, &wanted), PSA_SUCCESS);
    CHECK(made == wanted && memcmp(ours, theirs, made) == 0);
    CHECK_EQUAL(psa_mac_verify(slot, alg, message, length, ours, made), PSA_SUCCESS);
    mac_in_pieces(slot, alg, length);
  }
  CHECK_EQUAL(psa_destroy_key(slot), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(raw), PSA_SUCCESS);
}

static void cmac(void) {
  mac(PSA_KEY_TYPE_AES, PSA_ALG_CMAC);
}

static void hmac(void) {
  mac(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_256));
  mac(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_512));
  mac(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA3_256));
}

/* Uses of a slot's key that must be refused. */
static void refusals(void) {
  uint8_t bytes[32] = {1}, nonce[12] = {0};
  size_t made = 0;
  psa_key_id_t key = 0;
  const psa_key_usage_t usage = PSA_KEY_USAGE_ENCRYPT;
  CHECK_EQUAL(try_import(&key, PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_GCM, usage | PSA_KEY_USAGE_EXPORT,
                         bytes, 16),
              PSA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(try_import(&key, PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_GCM, usage | PSA_KEY_USAGE_COPY,
                         bytes, 16),
              PSA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(try_import(&key, PSA_KEY_TYPE_AES, IN_SLOT | PSA_KEY_PERSISTENCE_DEFAULT, PSA_ALG_GCM,
                         usage, bytes, 16),
              PSA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(try_import(&key, PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_GCM, usage, bytes, 15),
              PSA_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL(try_import(&key, PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_OFB, usage, bytes, 16),
              PSA_ERROR_NOT_SUPPORTED);
  /* The device's nonces are random, so it cannot sign deterministically. */
  CHECK_EQUAL(try_import(&key, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), IN_SLOT,
                         PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256), PSA_KEY_USAGE_SIGN_MESSAGE,
                         bytes, 32),
              PSA_ERROR_NOT_SUPPORTED);
  key = import(PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_GCM, usage, bytes, 16);
  CHECK_EQUAL(psa_export_key(key, ours, sizeof(ours), &made), PSA_ERROR_NOT_PERMITTED);
  CHECK_EQUAL(psa_aead_decrypt(key, PSA_ALG_GCM, nonce, 12, NULL, 0, message, 32, ours,
                               sizeof(ours), &made),
              PSA_ERROR_NOT_PERMITTED);
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  CHECK_EQUAL(psa_aead_encrypt(key, PSA_ALG_GCM, nonce, 12, NULL, 0, message, 32, ours,
                               sizeof(ours), &made),
              PSA_ERROR_INVALID_HANDLE);
}

/* Checks that a length of more than 32 bits is not taken for a shorter one. Releases that copy
 * their arguments would copy 4 GiB. */
static void huge(void) {
#if MBEDTLS_VERSION_NUMBER < 0x03060000 || defined(MBEDTLS_PSA_ASSUME_EXCLUSIVE_BUFFERS)
  const size_t length = ((size_t)UINT32_MAX + 1) + 20;
  uint8_t bytes[16] = {3}, *many = mmap(NULL, length, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  size_t made = 0, back = 0;
  CHECK(many != MAP_FAILED);
  psa_key_id_t key = import(PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_GCM,
                            PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, bytes, sizeof(bytes));
  CHECK_EQUAL(psa_aead_encrypt(key, PSA_ALG_GCM, bytes, 12, many, 20, message, 16, ours,
                               sizeof(ours), &made),
              PSA_SUCCESS);
  CHECK_EQUAL(psa_aead_decrypt(key, PSA_ALG_GCM, bytes, 12, many, length, ours, made, theirs,
                               sizeof(theirs), &back),
              PSA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(psa_aead_encrypt(key, PSA_ALG_GCM, bytes, 12, many, length, message, 16, ours,
                               sizeof(ours), &made),
              PSA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(psa_aead_encrypt(key, PSA_ALG_GCM, many, length, many, 20, message, 16, ours,
                               sizeof(ours), &made),
              PSA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  CHECK_EQUAL(munmap(many, length), 0);
#endif
}

/* Fills all slots. A destroyed key must free its slot, and mbedtls_psa_crypto_free() all slots. */
static void all_slots(void) {
  uint8_t bytes[32] = {2};
  psa_key_id_t keys[40] = {0}, more = 0;
  unsigned count[2] = {0, 0};
  for (unsigned i = 0; i < 2; i++) {
    while (try_import(&keys[count[i]], PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_CTR,
                      PSA_KEY_USAGE_ENCRYPT, bytes, 16) == PSA_SUCCESS) {
      CHECK(++count[i] < 33);
    }
    CHECK_EQUAL(
        try_import(&more, PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT, bytes, 16),
        PSA_ERROR_INSUFFICIENT_MEMORY);
    CHECK_EQUAL(psa_destroy_key(keys[count[i] / 2]), PSA_SUCCESS);
    CHECK_EQUAL(try_import(&keys[count[i] / 2], PSA_KEY_TYPE_AES, IN_SLOT, PSA_ALG_CTR,
                           PSA_KEY_USAGE_ENCRYPT, bytes, 16),
                PSA_SUCCESS);
    mbedtls_psa_crypto_free();
    CHECK_EQUAL(psa_crypto_init(), PSA_SUCCESS);
  }
  static unsigned at_first;
  at_first = at_first == 0 ? count[0] : at_first; /* no test has left a key in a slot */
  CHECK(count[0] >= 8 && count[0] == count[1] && count[0] == at_first);
  printf("%u slots\n", count[0]);
}

bool large_keys;

/* The board's library, and "fake", "shared", or a name of a board: the last also for hashes and
 * public keys. */
int main(int argc, char **argv) {
  large_keys = argc == 4 && strcmp(argv[3], "all") == 0;
  CHECK(argc == 3 || large_keys);
  bool board = strcmp(argv[2], "fake") != 0 && strcmp(argv[2], "shared") != 0;
  turns = large_keys || strcmp(argv[2], "fake") == 0 ? ALL_TURNS : BOARD_TURNS;
  begin(argv[1]);
  RUN(all_slots);
  uint64_t before = jobs();
  RUN(gcm);
  RUN(ccm);
  RUN(ciphers);
  RUN(a_stream_without_its_key);
  RUN(cmac);
  CHECK(jobs() - before >= 150);
  if (board) {
    before = jobs();
    RUN(hmac);
    CHECK(jobs() - before >= 20);
    before = jobs();
    RUN(curves);
    CHECK(jobs() - before >= (large_keys ? 20 : 10));
    before = jobs();
    RUN(rsa);
    CHECK(jobs() - before >= 20);
  }
  RUN(refusals);
  RUN(huge);
  RUN(all_slots);
  end();
  return 0;
}
