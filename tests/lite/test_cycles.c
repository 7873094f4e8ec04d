/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The cycles of rtl/lite/README.md, and that none of them depends on a key or on data.
 */
#include "check.h"
#include "outwork/lite.h"
#include "reference.h"
#include "rig.h"

enum { BLOCKS = 64, LENGTH = 16 * BLOCKS };
static struct ow_lite lite;

/* Returns the cycles of a call with random key and data. */
static uint64_t cycles_of(unsigned mode, ow_lite_operation operation, size_t key_len,
                          size_t length) {
  uint8_t key[32], iv[16], data[LENGTH];
  random_bytes(key, sizeof(key));
  random_bytes(iv, sizeof(iv));
  random_bytes(data, sizeof(data));
  CHECK_EQUAL(ow_lite_load_key(&lite, key, key_len), OW_OK);
  rig_step(RIG_CYCLES_MAX);
  uint64_t begin = rig_cycles();
  ow_status status =
      mode == OW_LITE_MODE_ECB   ? ow_lite_ecb_crypt(&lite, data, operation, data, length)
      : mode == OW_LITE_MODE_CBC ? ow_lite_cbc_crypt(&lite, data, iv, operation, data, length)
                                 : ow_lite_ctr_crypt(&lite, data, iv, data, length);
  CHECK_EQUAL(status, OW_OK);
  return rig_cycles() - begin;
}

/* A block takes four cycles for each round key: no cycle is lost between blocks. */
static void test_blocks(void) {
  for (size_t key_len = 16; key_len <= 32; key_len += 8) {
    uint64_t limit = 4 * (key_len / 4 + 7);
    for (unsigned mode = OW_LITE_MODE_ECB; mode <= OW_LITE_MODE_CTR; mode++) {
      for (int operation = OW_LITE_ENCRYPT; operation <= OW_LITE_DECRYPT; operation++) {
        uint64_t whole = cycles_of(mode, operation, key_len, LENGTH);
        uint64_t half = cycles_of(mode, operation, key_len, LENGTH / 2);
        uint64_t one = cycles_of(mode, operation, key_len, 16);
        CHECK_EQUAL((whole - half) / (BLOCKS / 2), limit);
        printf("AES-%zu mode %u operation %d: %llu a block, %llu one block alone\n", 8 * key_len,
               mode, operation, (unsigned long long)limit, (unsigned long long)one);
        for (int n = 0; n < 5; n++) {
          CHECK_EQUAL(cycles_of(mode, operation, key_len, LENGTH), whole);
          CHECK_EQUAL(cycles_of(mode, operation, key_len, 16), one);
        }
      }
    }
  }
}

/* Returns the cycles until the device is not busy. */
static unsigned busy_cycles(void) {
  unsigned cycles = 0;
  while (OW_FIELD(rig_read(OW_LITE_STATUS_OFFSET), OW_LITE_STATUS_BUSY) != 0) {
    cycles++;
    CHECK(cycles < RIG_CYCLES_MAX);
  }
  return cycles;
}

static void test_keys(void) {
  for (size_t key_len = 16; key_len <= 32; key_len += 8) {
    unsigned first = 0;
    for (int n = 0; n < 10; n++) {
      uint8_t key[32];
      random_bytes(key, sizeof(key));
      CHECK_EQUAL(ow_lite_load_key(&lite, key, key_len), OW_OK);
      unsigned reads = busy_cycles();
      first = n == 0 ? reads : first;
      CHECK_EQUAL(reads, first);
    }
  }
}

int main(int argc, char **argv) {
  random_start(argc, argv, "", 0);
  rig_start();
  CHECK_EQUAL(ow_lite_open(&lite, rig_platform()), OW_OK);
  RUN(test_blocks);
  RUN(test_keys);
  return 0;
}
