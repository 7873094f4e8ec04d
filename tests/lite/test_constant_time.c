/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * No branch and no address of the small accelerator's driver depends on a key, an IV or data.
 * Secrets are marked as undefined for valgrind's memcheck. `leak` proves that the method works: it
 * uses a driver's result in a condition.
 */
#include "check.h"
#include "outwork/lite.h"
#include "secret.h"

enum { LENGTH = 61 };

/* A device that answers a secret, whatever is asked, but for what the driver may decide on. */
static uint32_t read32(void *context, uint32_t offset) {
  (void)context;
  uint32_t word = 0x01020304u * offset;
  switch (offset) {
  case OW_LITE_ID_OFFSET:
    return OW_LITE_ID_RESET;
  case OW_LITE_VERSION_OFFSET:
    return OW_LITE_VERSION_RESET;
  case OW_LITE_STATUS_OFFSET:
    return OW_LITE_STATUS_KEY_MASK;
  default:
    SECRET(&word, sizeof(word));
    return word;
  }
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  (void)context, (void)offset, (void)value;
}

int main(int argc, char **argv) {
  const struct ow_platform platform = {.read32 = read32, .write32 = write32};
  struct ow_lite lite;
  uint8_t key[32] = {1}, iv[16] = {2}, data[LENGTH] = {3};
  (void)argv;
  SECRET(key, sizeof(key));
  SECRET(iv, sizeof(iv));
  SECRET(data, sizeof(data));
  CHECK_EQUAL(ow_lite_open(&lite, &platform), OW_OK);
  CHECK_EQUAL(ow_lite_load_key(&lite, key, sizeof(key)), OW_OK);
  CHECK_EQUAL(ow_lite_ecb_crypt(&lite, data, OW_LITE_DECRYPT, data, 48), OW_OK);
  CHECK_EQUAL(ow_lite_cbc_crypt(&lite, data, iv, OW_LITE_ENCRYPT, data, 48), OW_OK);
  CHECK_EQUAL(ow_lite_cbc_crypt(&lite, data, iv, OW_LITE_DECRYPT, data, 48), OW_OK);
  CHECK_EQUAL(ow_lite_ctr_crypt(&lite, data, iv, data, LENGTH), OW_OK);
  if (argc > 1) {
    CHECK(data[0] != 1);
  }
  return 0;
}
