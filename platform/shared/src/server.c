/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The server's turns: who comes, what they say, and the board's clock, which runs while there are
 * jobs.
 *
 * Nothing that a client does can hold the server up: no message is waited for, no answer is sent
 * that would block, and what does not follow the protocol ends the connection.
 */
#include "server.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Looks between two at the sockets. */
#define LOOKS_PER_SOCKET 256u
/* And at whether there still are jobs. */
#define LOOKS_PER_STATUS 8u
/* Device time that a reset or a key command may take. */
#define COMMAND_TIMEOUT_US 5000u

static const char *listen_at(struct ow_shared_server *server, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path)) {
    return "the path is too long for a socket";
  }
  memcpy(address.sun_path, path, strlen(path));
  server->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (server->listener < 0 ||
      bind(server->listener, (const struct sockaddr *)&address, sizeof(address)) != 0) {
    return errno == EADDRINUSE ? "the path exists: does another server listen there?"
                               : "the socket cannot be made there";
  }
  memcpy(server->path, path, strlen(path) + 1); /* ours to remove from now on */
  return listen(server->listener, 16) == 0 ? NULL : "nobody can be listened to";
}

static const char *start(struct ow_shared_server *server, const char *path) {
  const size_t ring_bytes = OW_QUEUE_MEMORY_BYTES(1);
  ow_sim_platform(server->sim, &server->platform);
  if (ow_device_open(&server->device, &server->platform) != OW_OK) {
    return "the board does not answer";
  }
  server->device.timeout_us = COMMAND_TIMEOUT_US;
  server->ring = aligned_alloc(64, (ring_bytes + 63u) & ~(size_t)63u);
  if (server->ring == NULL || ow_sim_register(server->sim, server->ring, ring_bytes) == 0) {
    return "no memory";
  }
  return listen_at(server, path);
}

struct ow_shared_server *ow_shared_server_open(struct ow_sim *sim, const char *path,
                                               const char **why) {
  struct ow_shared_server *server = calloc(1, sizeof(*server));
  if (server == NULL) {
    *why = "no memory";
    return NULL;
  }
  server->sim = sim;
  server->listener = -1;
  memset(server->key_owner, NOBODY, sizeof(server->key_owner));
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    server->seats[i].socket = -1;
  }
  *why = start(server, path);
  if (*why != NULL) {
    ow_shared_server_close(server);
    return NULL;
  }
  return server;
}

void ow_shared_server_close(struct ow_shared_server *server) {
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    if (server->seats[i].socket >= 0) {
      ow_seat_clear(server, i);
    }
  }
  if (server->listener >= 0) {
    close(server->listener);
  }
  if (server->path[0] != '\0') {
    unlink(server->path);
  }
  if (server->ring != NULL) {
    (void)ow_sim_unregister(server->sim, server->ring);
    free(server->ring);
  }
  free(server);
}

/* A queue for whoever comes; without one they are told so. */
static void welcome(struct ow_shared_server *server) {
  int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (socket < 0) {
    return;
  }
  for (unsigned i = 0; i < server->device.capabilities.queues; i++) {
    struct seat *seat = &server->seats[i];
    if (seat->socket < 0 && !seat->lost) {
      seat->socket = socket;
      return;
    }
  }
  const struct shared_answer answer = {.status = OW_BUSY};
  (void)send(socket, &answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT);
  close(socket);
}

static bool reply(int socket, struct shared_answer *answer, int memory) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {.room = {0}};
  struct iovec part = {.iov_base = answer, .iov_len = sizeof(*answer)};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (memory >= 0) {
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.header), &memory, sizeof(memory));
    message.msg_control = control.room;
    message.msg_controllen = sizeof(control.room);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof(*answer);
}

/* What one message asks for. False: it is none of the protocol. */
static bool obey(struct ow_shared_server *server, unsigned number,
                 const struct shared_message *message) {
  struct shared_answer answer = {.status = OW_BAD_ARGUMENT};
  int memory = -1;
  bool greeted = server->seats[number].page != NULL;
  if (message->word == SHARED_HELLO) {
    ow_seat_greet(server, number, message->bytes, &answer, &memory);
  } else if (greeted && message->word == SHARED_KEY_LOAD) {
    ow_seat_load_key(server, number, message, &answer);
  } else if (greeted && message->word == SHARED_KEY_ZEROISE) {
    ow_seat_zeroise_key(server, number, message->slot, &answer);
  } else {
    return false;
  }
  bool good = reply(server->seats[number].socket, &answer, memory);
  if (memory >= 0) {
    close(memory);
  }
  return good;
}

/* False: the client is gone, or does not follow the protocol. */
static bool hear(struct ow_shared_server *server, unsigned number) {
  struct seat *seat = &server->seats[number];
  struct shared_message message;
  ssize_t length = recv(seat->socket, &message, sizeof(message), MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) {
    return true;
  }
  if (length == 1 && seat->page != NULL) {
    return true; /* we are awake now */
  }
  bool good = length == (ssize_t)sizeof(message) && message.magic == OW_SHARED_MAGIC &&
              message.version == OW_SHARED_VERSION && obey(server, number, &message);
  explicit_bzero(&message, sizeof(message));
  return good;
}

static void look_at_sockets(struct ow_shared_server *server, int milliseconds) {
  struct pollfd looks[OW_QUEUE_COUNT + 1];
  looks[OW_QUEUE_COUNT] = (struct pollfd){.fd = server->listener, .events = POLLIN};
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    looks[i] = (struct pollfd){.fd = server->seats[i].socket, .events = POLLIN};
  }
  if (poll(looks, OW_QUEUE_COUNT + 1, milliseconds) <= 0) {
    return;
  }
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    if (looks[i].revents != 0 && !hear(server, i)) {
      ow_seat_clear(server, i);
    }
  }
  if (looks[OW_QUEUE_COUNT].revents != 0) {
    welcome(server);
  }
}

static void serve_all(struct ow_shared_server *server) {
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    if (server->seats[i].page != NULL) {
      ow_seat_serve(server, i);
    }
  }
}

/* Whoever has something for us from now on sends a byte. */
static void say_asleep(struct ow_shared_server *server, bool asleep) {
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    if (server->seats[i].page != NULL) {
      atomic_store(&server->seats[i].page->asleep, asleep);
    }
  }
}

void ow_shared_server_turn(struct ow_shared_server *server, uint32_t milliseconds) {
  const struct ow_platform *platform = &server->platform;
  say_asleep(server, true);
  serve_all(server); /* what came before they could know */
  look_at_sockets(server, server->looks_left != 0 ? 0 : (int)milliseconds);
  say_asleep(server, false);
  for (unsigned look = 0; look < LOOKS_PER_SOCKET; look++) {
    serve_all(server);
    if (server->looks_left == 0) {
      break;
    }
    ow_sim_run(server->sim, CYCLES_PER_LOOK);
    if (--server->looks_left == 0) {
      uint32_t status = platform->read32(platform->context, OW_GLOBAL_STATUS_OFFSET);
      server->looks_left = (status & OW_GLOBAL_STATUS_BUSY_MASK) != 0 ? LOOKS_PER_STATUS : 0;
    }
  }
}

uint32_t ow_shared_server_clients(const struct ow_shared_server *server) {
  uint32_t clients = 0;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    clients += server->seats[i].page != NULL ? 1u : 0u;
  }
  return clients;
}

uint64_t ow_shared_server_served(const struct ow_shared_server *server) {
  return server->served;
}

uint32_t ow_shared_server_lost(const struct ow_shared_server *server) {
  uint32_t lost = 0;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    lost += server->seats[i].lost ? 1u : 0u;
  }
  return lost;
}
