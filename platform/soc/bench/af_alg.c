/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Measures the kernel's crypto API from a process, through AF_ALG: AES-256-GCM under a key of
 * zeros.
 *
 *   af_alg DRIVER BYTES DEPTH COUNT
 *
 * COUNT messages of BYTES zeros are encrypted, DEPTH at a time: with 1 by sendmsg() and read(),
 * which waits, with more by asynchronous reads (io_submit) on as many sockets. Prints the cycles of
 * all, and a checksum of the last results, which are those of every driver.
 */
#include "posix.h"

#define CALL_IO_SETUP  0
#define CALL_IO_SUBMIT 2
#define CALL_SOCKET    198
#define CALL_BIND      200
#define CALL_SET       208 /* setsockopt */
#define CALL_SEND      211 /* sendmsg */
#define CALL_ACCEPT    242 /* accept4 */
#define CALL_IO_GET    416 /* io_pgetevents_time64 */

#define AF_ALG        38
#define SOCK_SEQUENCE 5
#define SOL_ALG       279
#define SET_KEY       1
#define SET_IV        2
#define SET_OP        3
#define SET_AAD       4
#define SET_TAG       5
#define OP_ENCRYPT    1
#define IO_READ       0

enum { KEY = 32, IV = 12, AAD = 16, TAG = 16, BYTES_MAX = 4096, DEPTH_MAX = 16, PAGE = 4096 };

struct address { /* struct sockaddr_alg */
  uint16_t family;
  char type[14];
  uint32_t features, mask;
  char name[64];
};

struct piece { /* struct iovec */
  const void *bytes;
  size_t length;
};

struct message { /* struct msghdr */
  void *name;
  uint32_t name_length;
  struct piece *pieces;
  size_t count;
  void *control;
  size_t control_length;
  uint32_t flags;
};

struct control { /* three of struct cmsghdr, with what each brings */
  uint32_t op_length, op_level, op_type, op;
  uint32_t iv_length, iv_level, iv_type, iv_bytes;
  uint8_t iv[IV];
  uint32_t aad_length, aad_level, aad_type, aad;
};

struct io { /* struct iocb */
  uint64_t data;
  uint32_t key, read_flags;
  uint16_t operation;
  int16_t priority;
  uint32_t file;
  uint64_t buffer, length;
  int64_t offset;
  uint64_t reserved;
  uint32_t flags, event;
};

struct io_result { /* struct io_event */
  uint64_t data, request;
  int64_t result, second;
};

static _Alignas(PAGE) uint8_t text[AAD + BYTES_MAX], results[DEPTH_MAX][2 * PAGE];
static int files[DEPTH_MAX];
static struct io reads[DEPTH_MAX];

static uint32_t cycles_now(void) {
  uint32_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
  return cycles;
}

static uint32_t number(const char *text_of_it) {
  uint32_t value = 0;
  for (; *text_of_it >= '0' && *text_of_it <= '9'; text_of_it++) {
    value = 10 * value + (uint32_t)(*text_of_it - '0');
  }
  return value;
}

/* Opens the sockets of requests. Returns false if the kernel does not have the driver. */
static bool open_sockets(const char *driver, uint32_t depth) {
  static const uint8_t key[KEY];
  struct address address = {.family = AF_ALG, .type = "aead"};
  for (size_t i = 0; driver[i] != 0 && i + 1 < sizeof(address.name); i++) {
    address.name[i] = driver[i];
  }
  const long own = syscall(CALL_SOCKET, AF_ALG, SOCK_SEQUENCE, 0);
  if (own < 0 || syscall(CALL_BIND, own, &address, sizeof(address)) != 0 ||
      syscall(CALL_SET, own, SOL_ALG, SET_KEY, key, sizeof(key)) != 0 ||
      syscall(CALL_SET, own, SOL_ALG, SET_TAG, NULL, TAG) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < depth; i++) {
    files[i] = (int)syscall(CALL_ACCEPT, own, NULL, NULL, 0);
    if (files[i] < 0) {
      return false;
    }
  }
  return true;
}

static bool send(int file, uint32_t bytes) {
  struct control control = {16, SOL_ALG, SET_OP, OP_ENCRYPT, 16 + IV, SOL_ALG, SET_IV,
                            IV, {0},     16,     SOL_ALG,    SET_AAD, AAD};
  struct piece piece = {text, AAD + bytes};
  const struct message message = {
      .pieces = &piece, .count = 1, .control = &control, .control_length = sizeof(control)};
  return syscall(CALL_SEND, file, &message, 0) == (long)piece.length;
}

static bool one(uint32_t bytes) {
  const size_t length = AAD + bytes + TAG;
  return send(files[0], bytes) && read(files[0], results[0], length) == (ssize_t)length;
}

static bool several(unsigned long context, uint32_t bytes, uint32_t depth) {
  struct io *list[DEPTH_MAX];
  struct io_result over[DEPTH_MAX];
  const size_t length = AAD + bytes + TAG;
  for (uint32_t i = 0; i < depth; i++) {
    if (!send(files[i], bytes)) {
      return false;
    }
    reads[i] = (struct io){.operation = IO_READ,
                           .file = (uint32_t)files[i],
                           .buffer = (uintptr_t)results[i],
                           .length = length};
    list[i] = &reads[i];
  }
  if (syscall(CALL_IO_SUBMIT, context, depth, list) != (long)depth ||
      syscall(CALL_IO_GET, context, depth, depth, over, NULL, NULL) != (long)depth) {
    return false;
  }
  for (uint32_t i = 0; i < depth; i++) {
    if (over[i].result != (int64_t)length) {
      return false;
    }
  }
  return true;
}

/* FNV-1a of what the last messages have become. */
static uint32_t checksum(uint32_t bytes, uint32_t depth) {
  uint32_t sum = 0x811c9dc5u;
  for (uint32_t i = 0; i < depth; i++) {
    for (uint32_t j = AAD; j < AAD + bytes + TAG; j++) {
      sum = (sum ^ results[i][j]) * 0x01000193u;
    }
  }
  return sum;
}

int main(int argc, char **argv) {
  unsigned long context = 0;
  if (argc != 5) {
    return 2;
  }
  const uint32_t bytes = number(argv[2]), depth = number(argv[3]), count = number(argv[4]);
  if (bytes > BYTES_MAX || depth == 0 || depth > DEPTH_MAX || count % depth != 0 ||
      !open_sockets(argv[1], depth) ||
      (depth > 1 && syscall(CALL_IO_SETUP, DEPTH_MAX, &context) != 0)) {
    return 1;
  }
  uint32_t begin = 0;
  for (uint32_t done = 0; done <= count; done += depth) { /* the first ones warm the caches */
    if (done == depth) {
      begin = cycles_now();
    }
    if (!(depth == 1 ? one(bytes) : several(context, bytes, depth))) {
      return 1;
    }
  }
  const uint32_t cycles = cycles_now() - begin;
  say("af_alg: %s bytes %u depth %u count %u cycles %u checksum %x\n", argv[1], bytes, depth, count,
      cycles, checksum(bytes, depth));
  return 0;
}
