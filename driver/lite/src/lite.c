/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The driver of the small AES accelerator.
 */
#include "outwork/lite.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 16, WORD = 4 };

/* The platform's functions. A copy for a message stays in registers of the CPU. */
struct port {
  void *context;
  uint32_t (*read32)(void *context, uint32_t offset);
  void (*write32)(void *context, uint32_t offset, uint32_t value);
};

static struct port port_of(const struct ow_lite *lite) {
  const struct ow_platform *const platform = lite->platform;
  return (struct port){platform->context, platform->read32, platform->write32};
}

static uint32_t read_register(const struct ow_lite *lite, uint32_t offset) {
  return lite->platform->read32(lite->platform->context, offset);
}

static void write_register(const struct ow_lite *lite, uint32_t offset, uint32_t value) {
  lite->platform->write32(lite->platform->context, offset, value);
}

/* Erases a secret; the compiler must not leave it out. */
static void wipe(uint8_t *bytes, size_t length) {
  volatile uint8_t *out = bytes;
  for (size_t i = 0; i < length; i++) {
    out[i] = 0;
  }
}

/* Bytes at a word's boundary are moved as words where memory has the device's order of bytes. */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint32_t __attribute__((may_alias)) word_in_memory;
#define MOVES_WORDS(bytes) ((uintptr_t)(bytes) % WORD == 0)
#else
typedef uint32_t word_in_memory;
#define MOVES_WORDS(bytes) false
#endif

static inline uint32_t word_of(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static inline void put_word(uint8_t *bytes, uint32_t word) {
  bytes[0] = (uint8_t)word;
  bytes[1] = (uint8_t)(word >> 8);
  bytes[2] = (uint8_t)(word >> 16);
  bytes[3] = (uint8_t)(word >> 24);
}

/* Writes words of `length` bytes to a register; the bytes may lie at any address. */
static inline void write_words(struct port port, uint32_t offset, const uint8_t *bytes,
                               size_t length) {
  const uint8_t *const end = bytes + length;
  if (MOVES_WORDS(bytes)) {
    for (; bytes != end; bytes += WORD) {
      port.write32(port.context, offset, *(const word_in_memory *)(const void *)bytes);
    }
  } else {
    for (; bytes != end; bytes += WORD) {
      port.write32(port.context, offset, word_of(bytes));
    }
  }
}

static inline void read_block(struct port port, uint8_t *block) {
  const bool whole = MOVES_WORDS(block);
  for (const uint8_t *const end = block + BLOCK; block != end; block += WORD) {
    const uint32_t word = port.read32(port.context, OW_LITE_DATA_OUT_OFFSET);
    if (whole) {
      *(word_in_memory *)(void *)block = word;
    } else {
      put_word(block, word);
    }
  }
}

static void command(const struct ow_lite *lite, uint32_t value) {
  write_register(lite, OW_LITE_COMMAND_OFFSET, value);
}

/* Returns what has become of the commands and data since the last command. */
static ow_status outcome(const struct ow_lite *lite) {
  uint32_t status = read_register(lite, OW_LITE_STATUS_OFFSET);
  uint32_t error = OW_FIELD(status, OW_LITE_STATUS_ERROR);
  if (error == OW_LITE_ERROR_NONE) {
    return OW_OK;
  }
  /* A key that was there at the beginning: only a zeroise takes it away. */
  if (error != OW_LITE_ERROR_NO_KEY && OW_FIELD(status, OW_LITE_STATUS_KEY) == 0) {
    return OW_KEY_GONE;
  }
  return error == OW_LITE_ERROR_NO_KEY ? OW_BAD_KEY : OW_DEVICE_ERROR;
}

ow_status ow_lite_open(struct ow_lite *lite, const struct ow_platform *platform) {
  lite->platform = platform;
  uint32_t version = read_register(lite, OW_LITE_VERSION_OFFSET);
  uint32_t wanted = OW_LITE_VERSION_RESET;
  if (read_register(lite, OW_LITE_ID_OFFSET) != OW_LITE_ID_RESET ||
      OW_FIELD(version, OW_LITE_VERSION_MAJOR) != OW_FIELD(wanted, OW_LITE_VERSION_MAJOR)) {
    return OW_NO_DEVICE;
  }
  return OW_OK;
}

ow_status ow_lite_load_key(struct ow_lite *lite, const uint8_t *key, size_t key_len) {
  if (key_len != 16 && key_len != 24 && key_len != 32) {
    return OW_BAD_KEY;
  }
  /* A key that was left half written must not become the beginning of this one. */
  ow_lite_zeroise(lite);
  write_words(port_of(lite), OW_LITE_KEY_OFFSET, key, key_len);
  command(lite, OW_LITE_COMMAND_LOAD_KEY);
  return outcome(lite) == OW_OK ? OW_OK : OW_KEY_REFUSED;
}

void ow_lite_zeroise(struct ow_lite *lite) {
  command(lite, OW_LITE_COMMAND_ZEROISE);
}

/* Sends blocks and fetches their results: a block is sent before the result of the one before is
 * fetched, so that the device works meanwhile. */
static ow_status crypt_blocks(const struct ow_lite *lite, uint8_t *output, uint32_t start,
                              const uint8_t *input, size_t length) {
  const struct port port = port_of(lite);
  command(lite, OW_LITE_COMMAND_START | start);
  for (size_t sent = 0; sent <= length; sent += BLOCK) {
    if (sent < length) {
      write_words(port, OW_LITE_DATA_IN_OFFSET, input + sent, BLOCK);
    }
    if (sent > 0) {
      read_block(port, output + sent - BLOCK);
    }
  }
  ow_status status = outcome(lite);
  if (status != OW_OK) {
    memset(output, 0, length);
  }
  return status;
}

static uint32_t start_of(enum ow_lite_mode mode, ow_lite_operation operation) {
  return (uint32_t)mode << OW_LITE_COMMAND_MODE_SHIFT | (uint32_t)operation
                                                            << OW_LITE_COMMAND_DECRYPT_SHIFT;
}

ow_status ow_lite_ecb_crypt(struct ow_lite *lite, void *output, ow_lite_operation operation,
                            const void *input, size_t length) {
  if (length % BLOCK != 0) {
    return OW_BAD_ARGUMENT;
  }
  return crypt_blocks(lite, output, start_of(OW_LITE_MODE_ECB, operation), input, length);
}

ow_status ow_lite_cbc_crypt(struct ow_lite *lite, void *output, uint8_t iv[16],
                            ow_lite_operation operation, const void *input, size_t length) {
  if (length % BLOCK != 0) {
    return OW_BAD_ARGUMENT;
  }
  uint8_t last[BLOCK];
  memcpy(last, iv, BLOCK);
  if (length > 0) {
    memcpy(last, (const uint8_t *)input + length - BLOCK, BLOCK);
  }
  write_words(port_of(lite), OW_LITE_IV_OFFSET, iv, BLOCK);
  ow_status status =
      crypt_blocks(lite, output, start_of(OW_LITE_MODE_CBC, operation), input, length);
  if (status == OW_OK && length > 0) {
    memcpy(iv, operation == OW_LITE_DECRYPT ? last : (uint8_t *)output + length - BLOCK, BLOCK);
  }
  return status;
}

/* Adds to a big-endian number of 16 bytes. */
static void count_up(uint8_t counter[16], size_t by) {
  uint64_t carry = by;
  for (size_t i = BLOCK; i-- > 0;) {
    /* Of 64 bits and a byte, without overflow. */
    uint64_t sum = (carry & 0xff) + counter[i];
    counter[i] = (uint8_t)sum;
    carry = (carry >> 8) + (sum >> 8);
  }
}

ow_status ow_lite_ctr_crypt(struct ow_lite *lite, void *output, uint8_t counter[16],
                            const void *input, size_t length) {
  size_t whole = length - length % BLOCK, rest = length % BLOCK;
  write_words(port_of(lite), OW_LITE_IV_OFFSET, counter, BLOCK);
  ow_status status =
      crypt_blocks(lite, output, start_of(OW_LITE_MODE_CTR, OW_LITE_ENCRYPT), input, whole);
  if (status == OW_OK && rest > 0) {
    uint8_t block[BLOCK] = {0};
    memcpy(block, (const uint8_t *)input + whole, rest);
    /* The message is still running. */
    write_words(port_of(lite), OW_LITE_DATA_IN_OFFSET, block, BLOCK);
    read_block(port_of(lite), block);
    status = outcome(lite);
    if (status == OW_OK) {
      memcpy((uint8_t *)output + whole, block, rest);
    } else {
      memset(output, 0, length);
    }
    wipe(block, sizeof(block));
  } else if (status != OW_OK) {
    memset(output, 0, length);
  }
  if (status == OW_OK) {
    count_up(counter, whole / BLOCK + (rest > 0));
  }
  return status;
}
