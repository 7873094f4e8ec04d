/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Many packets in one call, for callers whose own calls cost more than a short packet.
 */
#include "outwork/radio_software.h"

void ow_radio_run(const struct ow_radio_item *items, uint64_t items_len, ow_radio_call *call) {
  for (uint64_t i = 0; i < items_len; i++) {
    const struct ow_radio_item *item = &items[i];
    call(item->out, item->key, item->count, item->second, item->direction, item->in, item->bits);
  }
}
