/* SPDX-FileCopyrightText: The Outwork authors */
/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, memory layouts and codes: generated from spec/lite.rdl by spec/generate.py; do not edit. */
#ifndef OUTWORK_LITE_SPEC_H
#define OUTWORK_LITE_SPEC_H

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#ifdef __cplusplus
#define OW_STATIC_ASSERT static_assert
#else
#define OW_STATIC_ASSERT _Static_assert
#endif

enum ow_lite_mode {
  OW_LITE_MODE_ECB = 0x00, /* Electronic codebook (SP 800-38A 6.1). */
  OW_LITE_MODE_CBC = 0x01, /* Cipher block chaining (SP 800-38A 6.2). */
  OW_LITE_MODE_CTR = 0x02, /* Counter (SP 800-38A 6.5), 128-bit big-endian counter. Both directions are the same. */
};

enum ow_lite_command {
  OW_LITE_COMMAND_START = 0x01, /* Begins a message in the mode and direction of this write. CBC and CTR take the four words in IV. What is left of the message before is erased. */
  OW_LITE_COMMAND_LOAD_KEY = 0x02, /* Expands the 4, 6 or 8 words written to KEY: AES-128, AES-192 or AES-256. */
  OW_LITE_COMMAND_DROP = 0x03, /* Ends the message and erases its data. The key stays. */
  OW_LITE_COMMAND_ZEROISE = 0x04, /* Erases the key and everything else. Never waits. */
};

enum ow_lite_error {
  OW_LITE_ERROR_NONE = 0x00, /* No error since the last command. */
  OW_LITE_ERROR_NO_KEY = 0x01, /* START without a key. */
  OW_LITE_ERROR_BAD_KEY = 0x02, /* LOAD_KEY after another number of words than 4, 6 or 8; or a ninth word. */
  OW_LITE_ERROR_BAD_IV = 0x03, /* START of CBC or CTR without four words in IV since the command before; or a fifth word. */
  OW_LITE_ERROR_NO_MESSAGE = 0x04, /* DATA_IN was written without a message. */
  OW_LITE_ERROR_OVERRUN = 0x05, /* DATA_IN was written while three blocks waited to be read. */
  OW_LITE_ERROR_NO_OUTPUT = 0x06, /* DATA_OUT was read, and no block is in the device whose four words have been written. */
  OW_LITE_ERROR_IN_USE = 0x07, /* KEY or IV was written while blocks of a message were in the device. */
  OW_LITE_ERROR_BAD_COMMAND = 0x08, /* No such command or mode. */
  OW_LITE_ERROR_TAMPERED = 0x09, /* A register was written while the tamper input was high. */
};

/* Register offsets count from the start of the block around them (page, queue_config, window). A _MASK is in
   place: (value << _SHIFT) & _MASK. A register of one field that fills it has no masks. */
#define OW_FIELD(value, name) (((value) & name##_MASK) >> name##_SHIFT)

/* All of the accelerator. Only whole words can be written: a write with a missing strobe is answered SLVERR and has no effect. What is not listed reads zero and ignores writes. */
#define OW_LITE_OFFSET 0x0000u
#define OW_LITE_ID_OFFSET 0x000u
#define OW_LITE_ID_RESET 0x4f574c54u
#define OW_LITE_VERSION_OFFSET 0x004u
#define OW_LITE_VERSION_RESET 0x07000100u
#define OW_LITE_VERSION_PATCH_SHIFT 0u
#define OW_LITE_VERSION_PATCH_WIDTH 8u
#define OW_LITE_VERSION_PATCH_MASK 0x000000ffu
#define OW_LITE_VERSION_MINOR_SHIFT 8u
#define OW_LITE_VERSION_MINOR_WIDTH 8u
#define OW_LITE_VERSION_MINOR_MASK 0x0000ff00u
#define OW_LITE_VERSION_MAJOR_SHIFT 16u
#define OW_LITE_VERSION_MAJOR_WIDTH 8u
#define OW_LITE_VERSION_MAJOR_MASK 0x00ff0000u
#define OW_LITE_VERSION_MODES_SHIFT 24u
#define OW_LITE_VERSION_MODES_WIDTH 8u
#define OW_LITE_VERSION_MODES_MASK 0xff000000u
#define OW_LITE_STATUS_OFFSET 0x008u
#define OW_LITE_STATUS_ERROR_SHIFT 0u
#define OW_LITE_STATUS_ERROR_WIDTH 4u
#define OW_LITE_STATUS_ERROR_MASK 0x0000000fu
#define OW_LITE_STATUS_KEY_SHIFT 8u
#define OW_LITE_STATUS_KEY_WIDTH 1u
#define OW_LITE_STATUS_KEY_MASK 0x00000100u
#define OW_LITE_STATUS_MESSAGE_SHIFT 9u
#define OW_LITE_STATUS_MESSAGE_WIDTH 1u
#define OW_LITE_STATUS_MESSAGE_MASK 0x00000200u
#define OW_LITE_STATUS_BUSY_SHIFT 10u
#define OW_LITE_STATUS_BUSY_WIDTH 1u
#define OW_LITE_STATUS_BUSY_MASK 0x00000400u
#define OW_LITE_STATUS_TAMPER_SHIFT 11u
#define OW_LITE_STATUS_TAMPER_WIDTH 1u
#define OW_LITE_STATUS_TAMPER_MASK 0x00000800u
#define OW_LITE_STATUS_BLOCKS_SHIFT 12u
#define OW_LITE_STATUS_BLOCKS_WIDTH 2u
#define OW_LITE_STATUS_BLOCKS_MASK 0x00003000u
#define OW_LITE_STATUS_INPUT_READY_SHIFT 16u
#define OW_LITE_STATUS_INPUT_READY_WIDTH 1u
#define OW_LITE_STATUS_INPUT_READY_MASK 0x00010000u
#define OW_LITE_STATUS_OUTPUT_READY_SHIFT 17u
#define OW_LITE_STATUS_OUTPUT_READY_WIDTH 1u
#define OW_LITE_STATUS_OUTPUT_READY_MASK 0x00020000u
#define OW_LITE_IRQ_ENABLE_OFFSET 0x00cu
#define OW_LITE_IRQ_ENABLE_RESET 0x00000000u
#define OW_LITE_IRQ_ENABLE_OUTPUT_READY_SHIFT 0u
#define OW_LITE_IRQ_ENABLE_OUTPUT_READY_WIDTH 1u
#define OW_LITE_IRQ_ENABLE_OUTPUT_READY_MASK 0x00000001u
#define OW_LITE_IRQ_ENABLE_ERROR_SHIFT 1u
#define OW_LITE_IRQ_ENABLE_ERROR_WIDTH 1u
#define OW_LITE_IRQ_ENABLE_ERROR_MASK 0x00000002u
#define OW_LITE_COMMAND_OFFSET 0x010u
#define OW_LITE_COMMAND_COMMAND_SHIFT 0u
#define OW_LITE_COMMAND_COMMAND_WIDTH 3u
#define OW_LITE_COMMAND_COMMAND_MASK 0x00000007u
#define OW_LITE_COMMAND_MODE_SHIFT 8u
#define OW_LITE_COMMAND_MODE_WIDTH 2u
#define OW_LITE_COMMAND_MODE_MASK 0x00000300u
#define OW_LITE_COMMAND_DECRYPT_SHIFT 10u
#define OW_LITE_COMMAND_DECRYPT_WIDTH 1u
#define OW_LITE_COMMAND_DECRYPT_MASK 0x00000400u
#define OW_LITE_KEY_OFFSET 0x014u
#define OW_LITE_IV_OFFSET 0x018u
#define OW_LITE_DATA_IN_OFFSET 0x01cu
#define OW_LITE_DATA_OUT_OFFSET 0x020u

/* clang-format on */

#endif
