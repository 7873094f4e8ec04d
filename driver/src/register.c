/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Waits for bits of a register.
 */
#include "internal.h"

ow_status ow_register_wait(const struct ow_platform *platform, uint32_t offset, uint32_t bits,
                           uint32_t timeout_us) {
  uint64_t start = platform->microseconds(platform->context);
  for (;;) {
    /* Before the read: one that comes late is the last, however long the caller did not run. */
    bool late = platform->microseconds(platform->context) - start > timeout_us;
    if ((ow_read(platform, offset) & bits) == 0) {
      return OW_OK;
    }
    if (late) {
      return OW_TIMEOUT;
    }
    ow_relax(platform);
  }
}
