/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Waits for bits of a register.
 */
#include "internal.h"

ow_status ow_register_wait(const struct ow_platform *platform, uint32_t offset, uint32_t bits,
                           uint32_t timeout_us) {
  uint64_t start = platform->microseconds(platform->context);
  while ((ow_read(platform, offset) & bits) != 0) {
    if (platform->microseconds(platform->context) - start > timeout_us) {
      return OW_TIMEOUT;
    }
    ow_relax(platform);
  }
  return OW_OK;
}
