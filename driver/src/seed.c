/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Seeds the device from the platform's entropy.
 */
#include "internal.h"

/* Writes entropy of the platform to registers that cannot be read. */
ow_status ow_device_seed(struct ow_device *device) {
  const struct ow_platform *platform = device->platform;
  uint8_t seed[4 * OW_GLOBAL_SEED_COUNT];
  if (!device->owner) {
    return OW_BAD_ARGUMENT;
  }
  if (platform->entropy == NULL || !platform->entropy(platform->context, seed, sizeof(seed))) {
    return OW_UNSUPPORTED;
  }
  for (uint32_t i = 0; i < OW_GLOBAL_SEED_COUNT; i++) {
    const uint8_t *bytes = &seed[4u * i];
    ow_write(platform, OW_GLOBAL_SEED_OFFSET + i * OW_GLOBAL_SEED_STRIDE,
             (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                 (uint32_t)bytes[3] << 24);
  }
  ow_wipe(seed, sizeof(seed));
  return OW_OK;
}
