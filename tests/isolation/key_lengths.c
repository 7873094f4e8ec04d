/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The owner loads a key of every kind with every length: no slot has an AES key of a length that no
 * AES key has. Its expansion would stop at the first round key.
 */
#include "seal_board.h"

static struct seal_board board;

static void write_register(uint32_t offset, uint32_t value) {
  board.platform.write32(board.platform.context, offset, value);
}

/* Gives the command, and returns the slot's status when it has ended. */
static uint32_t command(uint32_t bits) {
  uint32_t status;
  write_register(OW_GLOBAL_KEY_COMMAND_OFFSET, bits);
  do {
    status = board.platform.read32(board.platform.context, OW_GLOBAL_KEY_STATUS_OFFSET);
  } while ((status & OW_GLOBAL_KEY_STATUS_BUSY_MASK) != 0);
  return status;
}

static uint32_t load(uint32_t kind, uint32_t length) {
  write_register(OW_GLOBAL_KEY_SLOT_OFFSET, SLOT);
  (void)command(OW_GLOBAL_KEY_COMMAND_ZEROISE_MASK);
  write_register(OW_GLOBAL_KEY_CONFIG_OFFSET, length << OW_GLOBAL_KEY_CONFIG_LENGTH_SHIFT |
                                                  OW_GLOBAL_KEY_CONFIG_ENCRYPT_MASK |
                                                  1u << OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT |
                                                  32u << OW_GLOBAL_KEY_CONFIG_BYTES_SHIFT |
                                                  kind << OW_GLOBAL_KEY_CONFIG_KIND_SHIFT);
  write_register(OW_GLOBAL_KEY_DATA_OFFSET, 0xdeadbeef);
  return command(OW_GLOBAL_KEY_COMMAND_LOAD_MASK);
}

/* Returns whether keys of the kind have an AES key in them. */
static bool has_aes(uint32_t kind) {
#define IS_COMBINED(engine, digit)                                                                 \
  if (strcmp(#engine, "combined") == 0 && kind >> 4 == (digit)) {                                  \
    return true;                                                                                   \
  }
  OW_ENGINE_DIGITS(IS_COMBINED)
#undef IS_COMBINED
  return kind == 0;
}

int main(void) {
  unsigned loaded[4] = {0}, with_aes[4] = {0};
  board_open(&board);
  for (uint32_t kind = 0; kind < 256; kind++) {
    for (uint32_t length = 0; length < 4; length++) {
      uint32_t status = load(kind, length);
      bool valid = (status & OW_GLOBAL_KEY_STATUS_VALID_MASK) != 0;
      CHECK(valid == ((status & OW_GLOBAL_KEY_STATUS_REFUSED_MASK) == 0));
      loaded[length] += valid;
      with_aes[length] += valid && has_aes(kind);
    }
  }
  CHECK(with_aes[0] > 1 && with_aes[0] == with_aes[1] && with_aes[0] == with_aes[2]);
  CHECK_EQUAL(with_aes[3], 0);
  CHECK(loaded[3] > 0); /* for a curve 3 is secp256k1 */
  board_close(&board);
  printf("ok lengths\n");
  return 0;
}
