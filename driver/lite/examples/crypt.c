/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Encrypts with the small AES accelerator on a bare machine: its registers are at an address.
 */
#include "outwork/lite.h"

static uint32_t read32(void *context, uint32_t offset) {
  return *(volatile uint32_t *)((uintptr_t)context + offset);
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  *(volatile uint32_t *)((uintptr_t)context + offset) = value;
}

/* `counter` must never have been used with this key. */
ow_status encrypt_in_place(uintptr_t base, const uint8_t key[16], uint8_t counter[16],
                           uint8_t *message, size_t length) {
  const struct ow_platform platform = {
      .context = (void *)base, .read32 = read32, .write32 = write32};
  struct ow_lite lite;
  ow_status status = ow_lite_open(&lite, &platform);
  if (status == OW_OK) {
    status = ow_lite_load_key(&lite, key, 16);
  }
  if (status == OW_OK) {
    status = ow_lite_ctr_crypt(&lite, message, counter, message, length);
  }
  ow_lite_zeroise(&lite);
  return status;
}
