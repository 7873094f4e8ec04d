/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Messages of vhost-user, and its rings (Virtual I/O Device 1.1, 2.6: split virtqueues).
 */
#include "vhost.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "messages.h"

/* Requests of the peer. */
#define GET_FEATURES          1u
#define SET_MEMORY            5u
#define SET_RING_ENTRIES      8u
#define SET_RING_ADDRESSES    9u
#define GET_PROTOCOL_FEATURES 15u
#define SET_CALL_SOCKET       21u
#define KICK                  35u
/* A request to the peer. */
#define CALL 4u

#define FLAG_VERSION    1u
#define FLAG_REPLY      4u
#define FLAG_NEED_REPLY 8u

/* VIRTIO_F_VERSION_1, and that there are features of the protocol. */
#define FEATURES (UINT64_C(1) << 32 | UINT64_C(1) << 30)
/* REPLY_ACK, SLAVE_REQ, INBAND_NOTIFICATIONS. */
#define PROTOCOL_FEATURES (UINT64_C(1) << 3 | UINT64_C(1) << 5 | UINT64_C(1) << 14)

#define COMMANDS 0u
#define MESSAGES 1u
/* Of a descriptor. */
#define HAS_NEXT 1u
#define TO_PEER  2u
/* Commands after which the peer is told of its free buffers: far fewer than a ring has. */
#define ANNOUNCED_EACH 32u

struct ow_vhost_descriptor {
  uint64_t address;
  uint32_t length;
  uint16_t flags, next;
};

struct __attribute__((packed)) memory_region {
  uint64_t guest_address, length, peer_address, offset;
};

struct __attribute__((packed)) message {
  uint32_t request, flags, length;
  union {
    uint64_t number;
    struct {
      uint32_t index, number;
    } ring;
    struct {
      uint32_t index, flags;
      uint64_t descriptors, used, available, log;
    } addresses;
    struct {
      uint32_t count, padding;
      struct memory_region region[OW_VHOST_REGIONS];
    } memory;
  } body;
};
#define HEADER_BYTES offsetof(struct message, body)

static bool refuse(const char *what) {
  fprintf(stderr, "outwork_pci: the peer breaks the protocol: %s\n", what);
  return false;
}

static bool write_message(int socket, const struct message *message) {
  const size_t length = HEADER_BYTES + message->length;
  return send(socket, message, length, MSG_NOSIGNAL) == (ssize_t)length;
}

static bool answer(struct ow_vhost *vhost, const struct message *to, uint64_t number) {
  const struct message reply = {.request = to->request,
                                .flags = FLAG_VERSION | FLAG_REPLY,
                                .length = sizeof(number),
                                .body.number = number};
  return write_message(vhost->socket, &reply);
}

/* Tells the peer to look at a ring. It does not answer: it may be waiting for an answer itself. */
static void call(struct ow_vhost *vhost, uint32_t ring) {
  const struct message message = {.request = CALL,
                                  .flags = FLAG_VERSION,
                                  .length = sizeof(message.body.ring),
                                  .body.ring = {.index = ring}};
  (void)write_message(vhost->calls, &message);
}

/* Returns a place in the peer's memory. NULL: it has none there. */
static uint8_t *place(const struct ow_vhost *vhost, uint64_t address, uint64_t length) {
  for (size_t i = 0; i < vhost->regions; i++) {
    const uint64_t begin = (uintptr_t)vhost->region[i].begin;
    if (address >= begin && address - begin <= vhost->region[i].length &&
        length <= vhost->region[i].length - (address - begin)) {
      return vhost->region[i].begin + (address - begin);
    }
  }
  return NULL;
}

/* Maps memory where the peer's physical addresses are those of this process: DMA needs no
 * translation. */
static bool set_memory(struct ow_vhost *vhost, const struct message *message, const int *files) {
  if (message->body.memory.count > OW_VHOST_REGIONS - vhost->regions) {
    return refuse("it has more regions of memory than this device knows");
  }
  for (size_t i = 0; i < message->body.memory.count; i++) {
    const struct memory_region *region = &message->body.memory.region[i];
    void *wanted = (void *)(uintptr_t)region->guest_address;
    void *memory = files[i] < 0
                       ? MAP_FAILED
                       : mmap(wanted, region->length, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_FIXED_NOREPLACE, files[i], (off_t)region->offset);
    if (memory != wanted) {
      return refuse("its memory cannot be mapped at its addresses");
    }
    vhost->region[vhost->regions].begin = memory;
    vhost->region[vhost->regions++].length = region->length;
    if (!vhost->handler.memory(vhost->handler.context, memory, region->length)) {
      return refuse("its memory is of no use for the board");
    }
  }
  return true;
}

static bool set_addresses(struct ow_vhost *vhost, const struct message *message) {
  struct ow_vhost_ring *ring = &vhost->ring[message->body.addresses.index % OW_VHOST_RINGS];
  const size_t entries = ring->entries;
  uint8_t *descriptors = place(vhost, message->body.addresses.descriptors,
                               entries * sizeof(struct ow_vhost_descriptor));
  uint8_t *available = place(vhost, message->body.addresses.available, 4 + 2 * entries);
  uint8_t *used = place(vhost, message->body.addresses.used, 4 + 8 * entries);
  if (entries == 0 || descriptors == NULL || available == NULL || used == NULL) {
    return refuse("a ring is not in its memory");
  }
  ring->descriptors = (struct ow_vhost_descriptor *)(void *)descriptors;
  ring->available = (uint16_t *)(void *)available;
  ring->used = (uint16_t *)(void *)used;
  ring->is_on = true;
  ring->taken = 0;
  ring->done = 0;
  return true;
}

/* Takes the next chain of buffers. Returns whether there is one, and its first descriptor. */
static bool take(struct ow_vhost_ring *ring, uint16_t *first) {
  if (!ring->is_on || ring->available[1] == ring->taken) {
    return false;
  }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  *first = ring->available[2 + ring->taken++ % ring->entries];
  return true;
}

/* Gives a chain back in which `length` bytes were written. */
static void give_back(struct ow_vhost_ring *ring, uint16_t first, size_t length) {
  volatile uint32_t *entry =
      (volatile uint32_t *)(volatile void *)(ring->used + 2) + 2 * (ring->done % ring->entries);
  entry[0] = first;
  entry[1] = (uint32_t)length;
  __atomic_thread_fence(__ATOMIC_RELEASE);
  ring->used[1] = ++ring->done;
}

/* Returns the memory of a descriptor, and the next one: -1 after the last. NULL: none. */
static uint8_t *buffer(const struct ow_vhost *vhost, const struct ow_vhost_ring *ring, int at,
                       struct ow_vhost_descriptor *descriptor, int *next) {
  *descriptor = ring->descriptors[at % ring->entries];
  *next = (descriptor->flags & HAS_NEXT) != 0 ? descriptor->next : -1;
  return place(vhost, descriptor->address, descriptor->length);
}

static bool carry_out(struct ow_vhost *vhost, uint16_t first) {
  struct ow_vhost_ring *ring = &vhost->ring[COMMANDS];
  uint8_t command[OW_VHOST_COMMAND_BYTES], *to = NULL;
  size_t command_len = 0, to_len = 0;
  for (int at = first, next, count = 0; at >= 0; at = next, count++) {
    struct ow_vhost_descriptor descriptor;
    uint8_t *memory = buffer(vhost, ring, at, &descriptor, &next);
    if (memory == NULL || count == ring->entries) {
      return refuse("a command is not in its memory");
    }
    if ((descriptor.flags & TO_PEER) != 0) {
      to = memory;
      to_len = descriptor.length;
    } else if (descriptor.length > sizeof(command) - command_len) {
      return refuse("a command is too long");
    } else {
      memcpy(command + command_len, memory, descriptor.length);
      command_len += descriptor.length;
    }
  }
  vhost->handler.command(vhost->handler.context, to, to_len, command, command_len);
  give_back(ring, first, to_len);
  return true;
}

static bool kick(struct ow_vhost *vhost) {
  uint16_t first;
  while (take(&vhost->ring[COMMANDS], &first)) {
    if (!carry_out(vhost, first)) {
      return false;
    }
    if (++vhost->unannounced >= ANNOUNCED_EACH) {
      vhost->unannounced = 0;
      call(vhost, COMMANDS);
    }
  }
  return true;
}

bool ow_vhost_send(struct ow_vhost *vhost, const void *message, size_t length) {
  struct ow_vhost_ring *ring = &vhost->ring[MESSAGES];
  struct ow_vhost_descriptor descriptor;
  uint16_t first;
  int next;
  if (!take(ring, &first)) {
    return false;
  }
  uint8_t *memory = buffer(vhost, ring, first, &descriptor, &next);
  if (memory != NULL && descriptor.length >= length) {
    memcpy(memory, message, length);
    give_back(ring, first, length);
    call(vhost, MESSAGES);
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

static bool handle(struct ow_vhost *vhost, const struct message *message, int *files) {
  switch (message->request) {
  case GET_FEATURES:
    return answer(vhost, message, FEATURES);
  case GET_PROTOCOL_FEATURES:
    return answer(vhost, message, PROTOCOL_FEATURES);
  case SET_MEMORY:
    return set_memory(vhost, message, files);
  case SET_RING_ENTRIES:
    vhost->ring[message->body.ring.index % OW_VHOST_RINGS].entries =
        (uint16_t)message->body.ring.number;
    return true;
  case SET_RING_ADDRESSES:
    return set_addresses(vhost, message);
  case SET_CALL_SOCKET:
    vhost->calls = files[0];
    files[0] = -1;
    return true;
  case KICK:
    return message->body.ring.index != COMMANDS || kick(vhost);
  default:
    return true; /* nothing of it matters here */
  }
}

bool ow_vhost_serve(struct ow_vhost *vhost) {
  struct message message = {0};
  int files[OW_MESSAGE_FILES];
  bool good = read_message(vhost->socket, &message, files) && handle(vhost, &message, files);
  ow_message_close(files);
  if (good && (message.flags & FLAG_NEED_REPLY) != 0) {
    good = answer(vhost, &message, 0);
  }
  return good;
}

int ow_vhost_listen(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(address.sun_path, path, strlen(path) + 1);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener >= 0 && (bind(listener, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
                        listen(listener, 1) != 0)) {
    const int error = errno;
    close(listener);
    errno = error;
    return -1;
  }
  return listener;
}

bool ow_vhost_open(struct ow_vhost *vhost, int listener, const struct ow_vhost_handler *handler) {
  *vhost = (struct ow_vhost){.handler = *handler, .calls = -1};
  vhost->socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  return vhost->socket >= 0;
}

void ow_vhost_close(struct ow_vhost *vhost) {
  close(vhost->socket);
  if (vhost->calls >= 0) {
    close(vhost->calls);
  }
}
