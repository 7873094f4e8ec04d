/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The driver of the small accelerator on the verilated RTL: known answers, random messages against
 * libcrypto, pieces, errors.
 */
#include "check.h"
#include "outwork/lite.h"
#include "reference.h"
#include "rig.h"

enum { BYTES_MAX = 400 };
static struct ow_lite lite;

static void from_hex(uint8_t *bytes, const char *hex) {
  for (; *hex != '\0'; hex += 2) {
    unsigned value;
    CHECK(sscanf(hex, "%2x", &value) == 1);
    *bytes++ = (uint8_t)value;
  }
}

/* SP 800-38A, F.1, F.2 and F.5. */
static void test_known_answers(void) {
  static const char *const text =
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
  static const char *const keys[] = {
      "2b7e151628aed2a6abf7158809cf4f3c", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"};
  static const char *const ecb[] = {
      "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
      "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
      "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
      "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
      "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
      "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7"};
  static const char *const cbc[] = {
      "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
      "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
      "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
      "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
      "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"};
  static const char *const ctr[] = {
      "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
      "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
      "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
      "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
      "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
      "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"};
  uint8_t plain[64], key[32], iv[16], wanted[64], got[64];
  from_hex(plain, text);
  for (size_t k = 0; k < 3; k++) {
    from_hex(key, keys[k]);
    CHECK_EQUAL(ow_lite_load_key(&lite, key, 16 + 8 * k), OW_OK);
    from_hex(wanted, ecb[k]);
    CHECK_EQUAL(ow_lite_ecb_crypt(&lite, got, OW_LITE_ENCRYPT, plain, 64), OW_OK);
    CHECK(memcmp(got, wanted, 64) == 0);
    CHECK_EQUAL(ow_lite_ecb_crypt(&lite, got, OW_LITE_DECRYPT, got, 64), OW_OK);
    CHECK(memcmp(got, plain, 64) == 0);
    from_hex(wanted, cbc[k]);
    from_hex(iv, "000102030405060708090a0b0c0d0e0f");
    CHECK_EQUAL(ow_lite_cbc_crypt(&lite, got, iv, OW_LITE_ENCRYPT, plain, 64), OW_OK);
    CHECK(memcmp(got, wanted, 64) == 0);
    from_hex(iv, "000102030405060708090a0b0c0d0e0f");
    CHECK_EQUAL(ow_lite_cbc_crypt(&lite, got, iv, OW_LITE_DECRYPT, got, 64), OW_OK);
    CHECK(memcmp(got, plain, 64) == 0);
    from_hex(wanted, ctr[k]);
    from_hex(iv, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    CHECK_EQUAL(ow_lite_ctr_crypt(&lite, got, iv, plain, 64), OW_OK);
    CHECK(memcmp(got, wanted, 64) == 0);
  }
}

/* Messages in random pieces, at any alignment, in place or not, with pauses on the bus. */
static void random_messages(uint32_t messages) {
  static const char *const modes[] = {"ECB", "CBC", "CTR"};
  static const unsigned pauses[] = {0, 20, 70};
  uint8_t buffer[BYTES_MAX + 8], other[BYTES_MAX + 8], wanted[BYTES_MAX], plain[BYTES_MAX];
  uint8_t key[32], iv[16], chain[16];
  size_t key_len = 0;
  for (uint32_t n = 0; n < messages; n++) {
    rig_pauses(pauses[random_below(3)], random_number());
    if (n == 0 || random_below(3) == 0) {
      key_len = 16 + 8 * random_below(3);
      random_bytes(key, sizeof(key));
      CHECK_EQUAL(ow_lite_load_key(&lite, key, key_len), OW_OK);
    }
    unsigned mode = random_below(3);
    bool decrypt = random_below(2) != 0;
    random_bytes(iv, sizeof(iv));
    /* Counters that carry into every word. */
    if (random_below(3) == 0) {
      size_t from = random_below(16);
      memset(iv + from, 0xff, 16 - from);
    }
    memcpy(chain, iv, sizeof(iv));
    size_t length = random_below(mode == 2 ? BYTES_MAX : BYTES_MAX / 16) * (mode == 2 ? 1 : 16);
    random_bytes(plain, length);
    reference_crypt(modes[mode], wanted, key, key_len, mode == 0 ? NULL : iv, decrypt, plain,
                    length);
    uint8_t *input = buffer + random_below(8);
    uint8_t *output = random_below(2) != 0 ? input : other + random_below(8);
    memcpy(input, plain, length);
    ow_lite_operation operation = decrypt ? OW_LITE_DECRYPT : OW_LITE_ENCRYPT;
    for (size_t done = 0; done < length;) {
      size_t piece = 16 * (1 + random_below(8));
      piece = piece > length - done ? length - done : piece;
      ow_status status =
          mode == 0 ? ow_lite_ecb_crypt(&lite, output + done, operation, input + done, piece)
          : mode == 1
              ? ow_lite_cbc_crypt(&lite, output + done, chain, operation, input + done, piece)
              : ow_lite_ctr_crypt(&lite, output + done, chain, input + done, piece);
      CHECK_EQUAL(status, OW_OK);
      done += piece;
    }
    CHECK(memcmp(output, wanted, length) == 0);
    if (mode == 2) {
      for (size_t n = 0; n < (length + 15) / 16; n++) {
        for (size_t i = 16; i-- > 0 && ++iv[i] == 0;) {
        }
      }
      CHECK(memcmp(chain, iv, sizeof(iv)) == 0);
    }
  }
  rig_pauses(0, 0);
}

static void test_arguments(void) {
  uint8_t key[32] = {1}, iv[16] = {0}, data[32] = {0};
  ow_lite_zeroise(&lite);
  CHECK_EQUAL(ow_lite_ecb_crypt(&lite, data, OW_LITE_ENCRYPT, data, 16), OW_BAD_KEY);
  CHECK_EQUAL(ow_lite_load_key(&lite, key, 15), OW_BAD_KEY);
  /* What another program has left half written does no harm. */
  rig_write(OW_LITE_KEY_OFFSET, 1, 15);
  CHECK_EQUAL(ow_lite_load_key(&lite, key, 16), OW_OK);
  CHECK_EQUAL(ow_lite_ecb_crypt(&lite, data, OW_LITE_ENCRYPT, data, 17), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_lite_cbc_crypt(&lite, data, iv, OW_LITE_ENCRYPT, data, 31), OW_BAD_ARGUMENT);
  /* Nothing to do changes nothing. */
  CHECK_EQUAL(ow_lite_cbc_crypt(&lite, data, iv, OW_LITE_ENCRYPT, data, 0), OW_OK);
  CHECK_EQUAL(ow_lite_ctr_crypt(&lite, data, iv, data, 0), OW_OK);
  CHECK(memcmp(iv, (uint8_t[16]){0}, 16) == 0);
}

/* A tamper at any moment of a message: either its result is right, or it is zero and the key is
 * gone. */
static void test_tamper_in_a_message(void) {
  uint8_t key[16], plain[64], wanted[64], got[64], counter[16];
  random_bytes(key, sizeof(key));
  random_bytes(plain, sizeof(plain));
  unsigned gone = 0, after = 0;
  for (unsigned delay = 0; delay < 420; delay += 3) {
    CHECK_EQUAL(ow_lite_load_key(&lite, key, sizeof(key)), OW_OK);
    memset(counter, 0, sizeof(counter));
    reference_crypt("CTR", wanted, key, sizeof(key), counter, false, plain, 61);
    rig_tamper_in(delay);
    ow_status status = ow_lite_ctr_crypt(&lite, got, counter, plain, 61);
    bool is_zero = true;
    for (size_t i = 0; i < 61; i++) {
      is_zero = is_zero && got[i] == 0;
    }
    CHECK(status == OW_OK ? memcmp(got, wanted, 61) == 0 : is_zero);
    CHECK(status == OW_OK || status == OW_KEY_GONE || status == OW_BAD_KEY);
    gone += status == OW_KEY_GONE;
    after += status == OW_OK;
    rig_step(500);
  }
  CHECK(gone > 50 && after > 0);
  rig_tamper(true);
  CHECK_EQUAL(ow_lite_load_key(&lite, key, sizeof(key)), OW_KEY_REFUSED);
  rig_tamper(false);
  CHECK_EQUAL(ow_lite_load_key(&lite, key, sizeof(key)), OW_OK);
}

static uint32_t read_nothing(void *context, uint32_t offset) {
  (void)context, (void)offset;
  return 0;
}

static void test_no_device(void) {
  struct ow_lite absent;
  const struct ow_platform platform = {.read32 = read_nothing};
  CHECK_EQUAL(ow_lite_open(&absent, &platform), OW_NO_DEVICE);
}

int main(int argc, char **argv) {
  uint32_t messages = random_start(argc, argv, "messages", 400);
  rig_start();
  CHECK_EQUAL(ow_lite_open(&lite, rig_platform()), OW_OK);
  RUN(test_no_device);
  RUN(test_known_answers);
  RUN(test_arguments);
  random_messages(messages);
  RUN(test_tamper_in_a_message);
  return 0;
}
