/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES in three modes by one implementation: cycles of a message from the call until its result may
 * be read, the key set up before, and the last block of each result for a comparison.
 */
#include "modes.h"

#include <string.h>

#include "measure.h"

static const char *const modes[MODES] = {"ecb", "cbc", "ctr"};
static _Alignas(64) uint8_t message[MESSAGE_BYTES_MAX];

/* Prints the cycles of a message in the last round; the caches are warm then. */
static bool measure(enum mode mode, unsigned key_bits, uint32_t bytes, unsigned rounds) {
  char name[24];
  uint32_t cycles = 0;
  for (unsigned round = 0; round < rounds; round++) {
    uint8_t iv[16] = {0xf0, 0xf1, 0xf2};
    memset(iv + 12, 0xff, 4); /* the counter carries */
    fill_message(message, bytes);
    const uint32_t begin = soc_cycles();
    const bool good = modes_encrypt(mode, message, bytes, iv);
    cycles = soc_cycles() - begin;
    if (!good) {
      printf("%s failed: AES-%u-%s, %lu bytes\n", modes_name, key_bits, modes[mode],
             (unsigned long)bytes);
      return false;
    }
  }
  (void)snprintf(name, sizeof(name), "%s-%u-%s", modes_name, key_bits, modes[mode]);
  print_row(name, bytes, 1, cycles);
  printf("block %u-%s %lu ", key_bits, modes[mode], (unsigned long)bytes);
  for (uint32_t i = bytes - 16u; i < bytes; i++) {
    printf("%02x", message[i]);
  }
  printf("\n");
  return true;
}

int main(void) {
  uint32_t messages = 0;
  bool good = modes_open();
  for (unsigned key_bits = 128; key_bits <= 256 && good; key_bits += 128) {
    good = modes_set_key(message_key, key_bits / 8u);
    for (unsigned mode = 0; mode < MODES && good; mode++) {
      for (unsigned i = 0; i < MESSAGE_SIZES && good; i++) {
        /* What does not fit into the cache is the same in every round. */
        const unsigned rounds = message_bytes[i] > 4096u ? 1u : 3u;
        good = measure((enum mode)mode, key_bits, message_bytes[i], rounds);
        messages += rounds;
      }
    }
  }
  const uint32_t jobs = modes_jobs();
  if (jobs != 0 && jobs != messages) {
    printf("the device has counted %lu jobs of %lu\n", (unsigned long)jobs,
           (unsigned long)messages);
    return 1;
  }
  return good ? 0 : 1;
}
