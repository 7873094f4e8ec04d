/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Messages of QEMU's multi-process protocol.
 */
#include "proxy.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "messages.h"

enum {
  SET_MEMORY = 0,
  REPLY = 1,
  CONFIGURATION_WRITE = 2,
  CONFIGURATION_READ = 3,
  BAR_WRITE = 4,
  BAR_READ = 5,
  RESET = 7,
};

#define REGIONS OW_MESSAGE_FILES /* a file each */
/* Below it a PC has its firmware's memory, which changes all the time and which no driver uses for
 * DMA. */
#define LOW_MEMORY_BYTES 0x100000u

struct message {
  int32_t command;
  uint64_t length;
  union {
    uint64_t number;
    struct {
      uint32_t offset, value;
      int32_t bytes;
    } configuration;
    struct {
      uint64_t address, value;
      uint32_t bytes;
      bool is_memory;
    } bar;
    struct {
      uint64_t address[REGIONS], length[REGIONS];
      int64_t offset[REGIONS];
    } memory;
  } body;
};
#define HEADER_BYTES offsetof(struct message, body)

static bool refuse(const char *what) {
  fprintf(stderr, "outwork_qemu: QEMU breaks the protocol: %s\n", what);
  return false;
}

static bool answer(const struct ow_proxy *proxy, uint64_t number) {
  const struct message reply = {.command = REPLY, .length = sizeof(number), .body.number = number};
  const size_t length = HEADER_BYTES + sizeof(number);
  return send(proxy->socket, &reply, length, MSG_NOSIGNAL) == (ssize_t)length;
}

/* Maps memory where the guest's physical addresses are those of this process: DMA needs no
 * translation. QEMU repeats all regions whenever one changes. */
static bool set_memory(struct ow_proxy *proxy, const struct message *message, const int *files) {
  for (size_t i = 0; i < REGIONS && files[i] >= 0; i++) {
    const uint64_t begin = message->body.memory.address[i];
    const uint64_t length = message->body.memory.length[i];
    if (begin < LOW_MEMORY_BYTES || (begin == proxy->memory_begin && length == proxy->memory_len)) {
      continue;
    }
    if (proxy->memory_len != 0) {
      return refuse("its memory is in more than one piece, or changes");
    }
    void *wanted = (void *)(uintptr_t)begin;
    void *memory = mmap(wanted, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
                        files[i], (off_t)message->body.memory.offset[i]);
    if (memory != wanted || !proxy->handler.memory(proxy->handler.context, memory, length)) {
      return refuse("its memory cannot be mapped at its addresses");
    }
    proxy->memory_begin = begin;
    proxy->memory_len = length;
  }
  return true;
}

static bool read_message(int socket, struct message *message, int *files) {
  const size_t got = ow_message_head(socket, message, HEADER_BYTES, files);
  if (got == 0) {
    return false;
  }
  if (got != HEADER_BYTES || message->length > sizeof(message->body)) {
    return refuse("a message has a wrong length");
  }
  return ow_message_body(socket, &message->body, message->length);
}

static bool handle(struct ow_proxy *proxy, const struct message *message, const int *files) {
  const struct ow_proxy_handler *to = &proxy->handler;
  const uint32_t offset = message->body.configuration.offset;
  const unsigned bytes = (unsigned)message->body.configuration.bytes;
  switch (message->command) {
  case SET_MEMORY:
    return set_memory(proxy, message, files);
  case CONFIGURATION_READ:
    return answer(proxy, to->configuration_read(to->context, offset, bytes));
  case CONFIGURATION_WRITE:
    to->configuration_write(to->context, offset, bytes, message->body.configuration.value);
    return answer(proxy, 0);
  case BAR_READ:
    return answer(proxy,
                  to->bar_read(to->context, message->body.bar.address, message->body.bar.bytes));
  case BAR_WRITE:
    to->bar_write(to->context, message->body.bar.address, message->body.bar.bytes,
                  (uint32_t)message->body.bar.value);
    return answer(proxy, 0);
  case RESET:
    to->reset(to->context);
    return answer(proxy, 0);
  default:
    return true; /* the files for a pin's interrupts, which this function has not */
  }
}

bool ow_proxy_serve(struct ow_proxy *proxy) {
  struct message message = {0};
  int files[OW_MESSAGE_FILES];
  const bool good = read_message(proxy->socket, &message, files) && handle(proxy, &message, files);
  ow_message_close(files);
  return good;
}
