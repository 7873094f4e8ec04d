/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A file of the lab in a process under Linux: read in pieces from a file system in memory,
 * ciphered by the adapter that is linked to it, written to another file.
 *
 * The point's `length` is that of a piece, `turns` is the number of pieces, `messages_len` how many
 * have a buffer, and `messages` are these buffers. The first one has the file's IV. The last
 * message of all has the whole file as its source, and gets the result. A library ciphers one piece
 * after the other; the device has those that are in memory while others are read and written.
 */
#include <stdbool.h>
#include <stdio.h>

#include "adapter.h"
#include "point.h"
#include "soc.h"
#include "system_calls.h"

static struct point *const point = (struct point *)POINT_BASE;
static struct ow_lab_message *const whole =
    &((struct point *)POINT_BASE)->messages[POINT_MESSAGES - 1u];

/* One way of a file through the cipher, or of its first pieces. */
struct pass {
  const struct ow_lab_calls *calls;
  void *context;
  int source, result; /* files */
  uint32_t pieces;
  uint32_t given, ended; /* pieces: read and submitted, ciphered */
  uint32_t written;      /* pieces */
  uint8_t iv[BLOCK];     /* of the next piece */
};

static struct ow_lab_message *buffer_of(uint32_t piece) {
  return &point->messages[piece % point->messages_len];
}

/* Adds the blocks of a piece to a counter block. */
static void count_blocks(uint8_t counter[BLOCK]) {
  uint32_t carry = point->length / BLOCK;
  for (size_t at = BLOCK; at-- > 0;) {
    carry += counter[at];
    counter[at] = (uint8_t)carry;
    carry >>= 8;
  }
}

static bool is_chained(void) {
  return point->opcode == OW_OP_AES_CBC && !point->is_inverse;
}

/* Gives the piece its IV, and works out the next one's if that does not need the result. */
static void set_iv(struct pass *pass, struct ow_lab_message *piece) {
  memcpy(piece->iv, pass->iv, BLOCK);
  if (point->opcode == OW_OP_AES_CTR) {
    count_blocks(pass->iv);
  } else if (point->opcode == OW_OP_AES_CBC && point->is_inverse) {
    memcpy(pass->iv, piece->source + point->length - BLOCK, BLOCK);
  }
}

static bool read_piece(const struct pass *pass, struct ow_lab_message *piece) {
  return system_read(pass->source, (void *)piece->source, point->length) == (long)point->length;
}

static bool write_piece(struct pass *pass) {
  const uint8_t *bytes = buffer_of(pass->written++)->destination;
  return system_write(pass->result, (const char *)bytes, point->length) == (long)point->length;
}

/* Waits for the next piece, or more. */
static bool end_piece(struct pass *pass) {
  const int count = pass->calls->flush();
  pass->ended += count > 0 ? (uint32_t)count : 0u;
  return count > 0;
}

/* Reads a piece, meanwhile the device has others, and submits it. */
static bool give_piece(struct pass *pass) {
  struct ow_lab_message *piece = buffer_of(pass->given);
  if (!read_piece(pass, piece)) {
    return false;
  }
  if (is_chained() && pass->given > 0) {
    while (pass->ended < pass->given) {
      if (!end_piece(pass)) {
        return false;
      }
    }
    memcpy(pass->iv, buffer_of(pass->given - 1u)->destination + point->length - BLOCK, BLOCK);
  }
  set_iv(pass, piece);
  pass->given++;
  return pass->calls->submit(&pass->context, &piece, 1) == 0;
}

static bool with_device(struct pass *pass) {
  bool good = true;
  while (good && pass->written < pass->pieces) {
    if (pass->given < pass->pieces && pass->given - pass->written < point->messages_len) {
      good = give_piece(pass);
    } else {
      good = (pass->ended > pass->written || end_piece(pass)) && write_piece(pass);
    }
  }
  return good;
}

static bool with_library(struct pass *pass) {
  bool good = true;
  while (good && pass->written < pass->pieces) {
    struct ow_lab_message *piece = buffer_of(pass->written);
    good = read_piece(pass, piece);
    set_iv(pass, piece);
    good = good && pass->calls->message(pass->context, piece, NULL);
    if (is_chained()) {
      memcpy(pass->iv, piece->destination + point->length - BLOCK, BLOCK);
    }
    good = good && write_piece(pass);
  }
  return good;
}

/* Runs the first pieces of the file through an adapter. */
static bool run(const struct ow_lab_calls *calls, void *context, uint32_t pieces) {
  struct pass pass = {.calls = calls,
                      .context = context,
                      .source = (int)system_open("/source", O_RDONLY),
                      .result = (int)system_open("/result", O_WRONLY | O_CREAT | O_TRUNC),
                      .pieces = pieces};
  memcpy(pass.iv, whole->iv, BLOCK);
  const bool good = calls->submit != NULL ? with_device(&pass) : with_library(&pass);
  system_close(pass.source);
  system_close(pass.result);
  return good;
}

/* Returns whether all of it went through. */
static bool whole_file(const char *path, int flags, long (*move)(int, uint8_t *, size_t),
                       uint8_t *bytes) {
  const size_t length = (size_t)point->length * point->turns;
  const int file = (int)system_open(path, flags);
  const bool good = file >= 0 && move(file, bytes, length) == (long)length;
  system_close(file);
  return good;
}

static long fill(int file, uint8_t *bytes, size_t bytes_len) {
  return system_write(file, (const char *)bytes, bytes_len);
}

static long fetch(int file, uint8_t *bytes, size_t bytes_len) {
  return system_read(file, bytes, bytes_len);
}

/* Measures, after so many pieces as warm caches and file system. */
static bool measure(const struct ow_lab_calls *calls, void *context) {
  bool good = whole_file("/source", O_WRONLY | O_CREAT | O_TRUNC, fill, (uint8_t *)whole->source);
  good = good && run(calls, context, point->warm_turns);
  point_device.polling_cycles = 0;
  const uint64_t begin = soc_cycles64();
  good = good && run(calls, context, point->turns);
  point->cycles = (uint32_t)(soc_cycles64() - begin);
  point->polling_cycles = point_device.polling_cycles;
  return good && whole_file("/result", O_RDONLY, fetch, whole->destination);
}

int point_measure_file(void) {
  const struct ow_lab_calls *calls = ow_lab_adapter("");
  if (point->point_bytes != sizeof(*point) || calls == NULL) {
    printf("The point has %lu bytes, not %u.\n", (unsigned long)point->point_bytes,
           (unsigned)sizeof(*point));
    return 1;
  }
  const struct ow_lab_setting asked = {.opcode = point->opcode,
                                       .is_inverse = point->is_inverse,
                                       .key_len = point->key_len,
                                       .iv_len = point->iv_len,
                                       .length = point->length};
  const char *why = calls->refuses(&asked);
  if (why != NULL || point->turns == 0) {
    printf("%s", why != NULL ? why : "");
    return why != NULL;
  }
  void *context = calls->open(&asked);
  if (context == NULL || !calls->set_key(context, point->context_keys[0]) ||
      !measure(calls, context)) {
    printf("A file has not gone through.\n");
    return 1;
  }
  point->jobs = point_device.finish != NULL ? point_device.finish() : 0;
  return 0;
}
