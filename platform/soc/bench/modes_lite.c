/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES by Outwork lite: the CPU carries every word through registers.
 */
#include "modes.h"
#include "outwork/lite.h"
#include "soc.h"

const char *const modes_name = "lite";
static struct ow_platform platform;
static struct ow_lite lite;

bool modes_open(void) {
  soc_lite_platform(&platform);
  return ow_lite_open(&lite, &platform) == OW_OK;
}

bool modes_set_key(const uint8_t *key, size_t key_len) {
  return ow_lite_load_key(&lite, key, key_len) == OW_OK;
}

bool modes_encrypt(enum mode mode, uint8_t *message, uint32_t length, uint8_t iv[16]) {
  switch (mode) {
  case MODE_ECB:
    return ow_lite_ecb_crypt(&lite, message, OW_LITE_ENCRYPT, message, length) == OW_OK;
  case MODE_CBC:
    return ow_lite_cbc_crypt(&lite, message, iv, OW_LITE_ENCRYPT, message, length) == OW_OK;
  default:
    return ow_lite_ctr_crypt(&lite, message, iv, message, length) == OW_OK;
  }
}

uint32_t modes_jobs(void) {
  return 0; /* the simulation counts the words that it gives */
}
