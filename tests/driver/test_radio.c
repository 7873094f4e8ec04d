/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The driver's radio calls on the board: against the plain C of software/radio, and EEA2 and EIA2
 * against OpenSSL.
 */
#include <openssl/evp.h>

#include "check.h"
#include "outwork/radio_software.h"
#include "reference.h"
#include "rig_board.h"

#define BYTES_MAX 200u

static struct rig rig;
static uint8_t *input, *output, *place;
static uint8_t keys[32];
static struct ow_key both;
static struct ow_radio_packet packet;

static void make_packet(void) {
  random_bytes(keys, sizeof(keys));
  random_bytes(input, BYTES_MAX);
  memset(output, 0x5a, BYTES_MAX + 8);
  both = (struct ow_key){.bytes = keys, .tweak_bytes = keys + 16, .key_len = 16};
  packet = (struct ow_radio_packet){.count = (uint32_t)random_below(1u << 31) * 2u + 1u,
                                    .bearer = (uint8_t)random_below(32),
                                    .direction = (uint8_t)random_below(2)};
  packet.fresh = OW_RADIO_FRESH_OF_BEARER(packet.bearer);
}

/* Returns how many jobs have succeeded since the last call. */
static uint64_t jobs_done(void) {
  static struct ow_counters counters;
  uint64_t before = counters.jobs;
  ow_queue_counters(&rig.queue, &counters);
  return counters.jobs - before;
}

enum algorithm { SNOW_3G, AES, ZUC };
static const uint8_t ciphers[] = {OW_OP_EEA1, OW_OP_EEA2, OW_OP_EEA3};
static const uint8_t macs[] = {OW_OP_EIA1, OW_OP_EIA2, OW_OP_EIA3};

/* Runs AES over `length` bytes, in ECB or CTR. */
static void aes(uint8_t *out, const EVP_CIPHER *mode, const uint8_t *key, const uint8_t *iv,
                const uint8_t *in, size_t length) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int made;
  CHECK(EVP_EncryptInit_ex2(context, mode, key, iv, NULL));
  EVP_CIPHER_CTX_set_padding(context, 0);
  CHECK(EVP_EncryptUpdate(context, out, &made, in, (int)length));
  EVP_CIPHER_CTX_free(context);
}

/* TS 33.401 B.1.3, B.2.3: COUNT, BEARER, DIRECTION and 26 zeros. */
static void aes_start(uint8_t start[16]) {
  memset(start, 0, 16);
  for (unsigned i = 0; i < 4; i++) {
    start[i] = (uint8_t)(packet.count >> (24 - 8 * i));
  }
  start[4] = (uint8_t)(packet.bearer << 3 | packet.direction << 2);
}

static void eea2(uint8_t *out, const uint8_t *in, uint64_t bits) {
  uint8_t start[16];
  aes_start(start);
  aes(out, EVP_aes_128_ctr(), keys, start, in, (bits + 7) / 8);
  if (bits % 8 != 0) {
    out[bits / 8] &= (uint8_t)~(0xffu >> bits % 8);
  }
}

/* Multiplies x by 2 in the field of SP 800-38B 6.1. */
static void twice(uint8_t x[16]) {
  uint8_t carry = x[0] >> 7;
  for (unsigned i = 0; i < 16; i++) {
    x[i] = (uint8_t)(x[i] << 1 ^ (i < 15 ? x[i + 1] >> 7 : carry ? 0x87 : 0));
  }
}

static void eia2(uint8_t mac[4], const uint8_t *key, const uint8_t *in, uint64_t bits) {
  uint8_t text[BYTES_MAX + 32] = {0}, subkey[16] = {0}, chain[16] = {0};
  aes_start(text);
  memcpy(text + 8, in, (bits + 7) / 8);
  bits += 64;
  uint64_t blocks = (bits + 127) / 128;
  aes(subkey, EVP_aes_128_ecb(), key, NULL, subkey, 16);
  twice(subkey);
  if (bits % 128 != 0) {
    twice(subkey);
    text[bits / 8] = (uint8_t)((text[bits / 8] & ~(0xffu >> bits % 8)) | 0x80u >> bits % 8);
  }
  for (uint64_t i = 0; i < blocks; i++) {
    for (unsigned j = 0; j < 16; j++) {
      chain[j] ^= text[16 * i + j] ^ (i + 1 == blocks ? subkey[j] : 0);
    }
    aes(chain, EVP_aes_128_ecb(), key, NULL, chain, 16);
  }
  memcpy(mac, chain, 4);
}

static void reference_cipher(uint8_t *out, enum algorithm algorithm, const uint8_t *in,
                             uint64_t bits) {
  if (algorithm == AES) {
    eea2(out, in, bits);
  } else {
    (algorithm == ZUC ? ow_eea3 : ow_uea2)(out, keys, packet.count, packet.bearer, packet.direction,
                                           in, bits);
  }
}

static void reference_mac(uint8_t *mac, enum algorithm algorithm, const uint8_t *key,
                          const uint8_t *in, uint64_t bits) {
  if (algorithm == AES) {
    eia2(mac, key, in, bits);
  } else if (algorithm == ZUC) {
    ow_eia3(mac, key, packet.count, packet.bearer, packet.direction, in, bits);
  } else {
    ow_uia2(mac, key, packet.count, packet.fresh, packet.direction, in, bits);
  }
}

/* Every length in bits: cipher alone, MAC alone, verification. */
static void test_one_algorithm(void) {
  jobs_done();
  for (uint64_t n = 0; n < 3 * 301; n++) {
    enum algorithm algorithm = (enum algorithm)(n % 3);
    uint64_t bits = n / 3;
    uint32_t bytes = (uint32_t)((bits + 7) / 8);
    uint8_t expected[BYTES_MAX], mac[4], expected_mac[4];
    make_packet();
    struct ow_key one = {.bytes = keys, .key_len = 16};
    reference_cipher(expected, algorithm, input, bits);
    CHECK_EQUAL(ow_radio_crypt(&rig.queue, output, ciphers[algorithm], &one, &packet, input, bits),
                OW_OK);
    CHECK(memcmp(output, expected, bytes) == 0);
    CHECK_EQUAL(output[bytes], 0x5a);
    uint8_t opcode = macs[algorithm];
    reference_mac(expected_mac, algorithm, keys, input, bits);
    CHECK_EQUAL(ow_radio_mac(&rig.queue, mac, opcode, &one, &packet, input, bits), OW_OK);
    CHECK(memcmp(mac, expected_mac, 4) == 0);
    CHECK_EQUAL(ow_radio_verify(&rig.queue, opcode, &one, &packet, input, bits, mac), OW_OK);
    CHECK_EQUAL(jobs_done(), 3);
    mac[bits % 4] ^= (uint8_t)(1u << bits % 8);
    CHECK_EQUAL(ow_radio_verify(&rig.queue, opcode, &one, &packet, input, bits, mac),
                OW_AUTH_FAILED);
    CHECK_EQUAL(jobs_done(), 0);
  }
}

/* A PDCP PDU: clear header, MAC over header and plaintext, encrypted after the payload. */
static void test_pdcp(void) {
  for (unsigned n = 0; n < 120; n++) {
    static const uint8_t opcodes[] = {OW_OP_EEA1_EIA1, OW_OP_EEA1_EIA3, OW_OP_EEA3_EIA1,
                                      OW_OP_EEA3_EIA3};
    enum algorithm cipher = n & 2 ? ZUC : SNOW_3G, mac_algorithm = n & 1 ? ZUC : SNOW_3G;
    uint8_t opcode = opcodes[n % 4];
    uint32_t bytes = 3 + (uint32_t)random_below(BYTES_MAX - 10), header = n / 4 % 4;
    uint8_t expected[BYTES_MAX + 4];
    make_packet();
    packet.clear_bytes = (uint8_t)header;
    memcpy(expected, input, bytes);
    reference_mac(expected + bytes, mac_algorithm, keys + 16, input, 8u * bytes);
    reference_cipher(expected + header, cipher, expected + header, 8u * (bytes + 4 - header));
    CHECK_EQUAL(
        ow_radio_protect(&rig.queue, output, NULL, opcode, &both, &packet, input, 8u * bytes),
        OW_OK);
    CHECK(memcmp(output, expected, bytes + 4) == 0);
    CHECK_EQUAL(output[bytes + 4], 0x5a);
    /* Decrypts in place. */
    CHECK_EQUAL(
        ow_radio_unprotect(&rig.queue, output, opcode, &both, &packet, output, NULL, 8u * bytes),
        OW_OK);
    CHECK(memcmp(output, input, bytes) == 0);
    /* A damaged packet gives no output. */
    memcpy(output, expected, bytes + 4);
    output[random_below(bytes + 4)] ^= (uint8_t)(1u << random_below(8));
    CHECK_EQUAL(
        ow_radio_unprotect(&rig.queue, output, opcode, &both, &packet, output, NULL, 8u * bytes),
        OW_AUTH_FAILED);
    for (uint32_t i = 0; i < bytes; i++) {
      CHECK_EQUAL(output[i], 0);
    }
  }
}

/* A NAS message: the MAC covers a clear byte and ciphertext, and is before them. */
static void test_nas(void) {
  for (unsigned n = 0; n < 60; n++) {
    static const uint8_t opcodes[] = {OW_OP_EEA1_EIA1, OW_OP_EEA1_EIA3, OW_OP_EEA3_EIA1,
                                      OW_OP_EEA3_EIA3};
    enum algorithm cipher = n & 2 ? ZUC : SNOW_3G, mac_algorithm = n & 1 ? ZUC : SNOW_3G;
    uint8_t opcode = opcodes[n % 4];
    uint32_t bytes = 1 + (uint32_t)random_below(BYTES_MAX - 10);
    uint8_t expected[BYTES_MAX], mac[4];
    make_packet();
    packet.clear_bytes = 1;
    packet.mac_of_ciphertext = true;
    memcpy(expected, input, bytes);
    reference_cipher(expected + 1, cipher, input + 1, 8u * (bytes - 1));
    reference_mac(mac, mac_algorithm, keys + 16, expected, 8u * bytes);
    CHECK_EQUAL(
        ow_radio_protect(&rig.queue, output, place, opcode, &both, &packet, input, 8u * bytes),
        OW_OK);
    CHECK(memcmp(output, expected, bytes) == 0);
    CHECK(memcmp(place, mac, 4) == 0);
    CHECK_EQUAL(
        ow_radio_unprotect(&rig.queue, output, opcode, &both, &packet, output, place, 8u * bytes),
        OW_OK);
    CHECK(memcmp(output, input, bytes) == 0);
  }
}

static void test_bad_arguments(void) {
  make_packet();
  packet.bearer = 32;
  CHECK_EQUAL(ow_radio_crypt(&rig.queue, output, OW_OP_EEA3, &both, &packet, input, 64),
              OW_BAD_ARGUMENT);
  make_packet(); /* a second key if the job needs one, one key if it needs two */
  CHECK_EQUAL(ow_radio_crypt(&rig.queue, output, OW_OP_EEA3, &both, &packet, input, 64),
              OW_BAD_ARGUMENT);
  both.tweak_bytes = NULL;
  CHECK_EQUAL(
      ow_radio_protect(&rig.queue, output, NULL, OW_OP_EEA3_EIA3, &both, &packet, input, 64),
      OW_BAD_ARGUMENT);
  both.key_len = 24;
  CHECK_EQUAL(ow_radio_crypt(&rig.queue, output, OW_OP_EEA3, &both, &packet, input, 64),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_radio_crypt(&rig.queue, output, OW_OP_AES_CTR, &both, &packet, input, 64),
              OW_BAD_ARGUMENT);
}

/* Jobs with ZUC-256: the IV, then the control word. */
static void test_zuc_256(void) {
  for (unsigned n = 0; n < 40; n++) {
    uint8_t iv[OW_ZUC256_IV_BYTES + 4] = {0}, key[32], expected[BYTES_MAX], mac[16];
    uint32_t bits = 1 + (uint32_t)random_below(8 * BYTES_MAX), mac_len = 4u << n % 3;
    make_packet();
    random_bytes(iv, OW_ZUC256_IV_BYTES);
    random_bytes(key, sizeof(key));
    iv[OW_ZUC256_IV_BYTES] = (uint8_t)(bits % 8);
    struct ow_job job = {.opcode = OW_OP_ZUC256,
                         .key = {.bytes = key, .key_len = 32},
                         .iv = iv,
                         .iv_len = sizeof(iv),
                         .length = (bits + 7) / 8,
                         .source = input,
                         .destination = output};
    ow_zuc256(expected, key, iv, input, bits);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK(memcmp(output, expected, (bits + 7) / 8) == 0);
    job.opcode = OW_OP_ZUC256_MAC;
    job.destination = NULL;
    job.tag_len = (uint8_t)mac_len;
    ow_zuc256_mac(mac, mac_len, key, iv, input, bits);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK(memcmp(job.tag, mac, mac_len) == 0);
  }
}

int main(void) {
  rig_open(&rig);
  input = rig_allocate(&rig, BYTES_MAX, 64);
  output = rig_allocate(&rig, BYTES_MAX + 8, 64);
  place = rig_allocate(&rig, 64, 64);
  RUN(test_one_algorithm);
  RUN(test_pdcp);
  RUN(test_nas);
  RUN(test_bad_arguments);
  RUN(test_zuc_256);
  rig_close(&rig);
  return 0;
}
