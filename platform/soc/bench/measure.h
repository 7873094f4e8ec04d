/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the programs of this folder measure, and how they print it: rows that scripts/soc_bench.py
 * reads. A row is an implementation, a size in bytes, a batch, and cycles for one message.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>
#include <stdio.h>

#include "soc.h"

#define MESSAGE_BYTES_MAX 65536u

static const uint32_t message_bytes[] = {16, 64, 256, 1024, 4096, 16384, MESSAGE_BYTES_MAX};
#define MESSAGE_SIZES (sizeof(message_bytes) / sizeof(message_bytes[0]))

/* Of AES-256-GCM. */
static const uint8_t message_key[32] = {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe,
                                        0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81};
static const uint8_t message_iv[12] = {0xca, 0xfe, 0xba, 0xbe, 0xfa, 0xce, 0xdb, 0xad};

static inline void fill_message(uint8_t *message, uint32_t bytes) {
  for (uint32_t place = 0; place < bytes; place++) {
    message[place] = (uint8_t)place;
  }
}

static inline void print_row(const char *implementation, uint32_t bytes, uint32_t batch,
                             uint32_t cycles) {
  printf("row %s %lu %lu %lu\n", implementation, (unsigned long)bytes, (unsigned long)batch,
         (unsigned long)cycles);
}

/* All programs print the tags, which must be the same. */
static inline void print_tag(uint32_t bytes, const uint8_t tag[16]) {
  printf("tag %lu ", (unsigned long)bytes);
  for (unsigned i = 0; i < 16; i++) {
    printf("%02x", tag[i]);
  }
  printf("\n");
}

#endif
