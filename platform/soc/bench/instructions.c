/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-256-GCM with the CPU's scalar crypto instructions: a message under a key that has been set up
 * before.
 */
#include "gcm_zkn.h"
#include "measure.h"

static _Alignas(64) uint8_t message[MESSAGE_BYTES_MAX];
static struct gcm_zkn gcm;

int main(void) {
  uint8_t tag[16];
  gcm_zkn_set_key(&gcm, message_key);
  for (unsigned i = 0; i < MESSAGE_SIZES; i++) {
    const uint32_t bytes = message_bytes[i];
    uint32_t cycles = 0;
    for (unsigned round = 0; round < 2; round++) { /* the last one counts: caches are warm */
      fill_message(message, bytes);
      const uint32_t begin = soc_cycles();
      gcm_zkn_seal(&gcm, tag, message, message, bytes, message_iv);
      cycles = soc_cycles() - begin;
    }
    print_row("instructions", bytes, 1, cycles);
    print_tag(bytes, tag);
  }
  return 0;
}
