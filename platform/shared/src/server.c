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
#include <time.h>
#include <unistd.h>

/* Looks between two at the sockets. */
#define LOOKS_PER_SOCKET 256u
/* And at whether there still are jobs. */
#define LOOKS_PER_STATUS 8u
/* Device time that a key command may take: a multiple of the hardware's own bound, 2,000 cycles.
 * The server waits that long, and everybody with it. */
#define COMMAND_TIMEOUT_US 500u

static void close_if_open(int file) {
  if (file >= 0) {
    close(file);
  }
}

static uint64_t wall_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

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
  ow_sim_platform(server->sim, &server->platform);
  if (ow_device_open(&server->device, &server->platform) != OW_OK) {
    return "the board does not answer";
  }
  server->device.timeout_us = COMMAND_TIMEOUT_US;
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
  for (unsigned i = 0; i < GUESTS_MAX; i++) {
    server->guests[i].socket = -1;
  }
  *why = start(server, path);
  if (*why != NULL) {
    ow_shared_server_close(server);
    return NULL;
  }
  return server;
}

/* Whatever the queues do, a reset of the device ends it, and leaves no key. */
void ow_shared_server_close(struct ow_shared_server *server) {
  bool used = false;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    used = used || server->seats[i].state != SEAT_FREE;
  }
  if (used) {
    ow_sim_reset(server->sim);
  }
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    struct seat *seat = &server->seats[i];
    if (seat->state != SEAT_FREE) {
      (void)ow_sim_unregister(server->sim, (uint8_t *)seat->page + OW_SHARED_PAGE);
      munmap(seat->page, seat->mapped_len);
    }
    close_if_open(seat->socket);
  }
  for (unsigned i = 0; i < GUESTS_MAX; i++) {
    close_if_open(server->guests[i].socket);
  }
  close_if_open(server->listener);
  if (server->path[0] != '\0') {
    unlink(server->path);
  }
  free(server);
}

/* What one message asks for. False: it is none of the protocol. */
static bool obey(struct ow_shared_server *server, unsigned number,
                 const struct shared_message *message) {
  struct shared_answer answer = {.status = OW_BAD_ARGUMENT};
  if (message->word == SHARED_KEY_LOAD) {
    ow_seat_load_key(server, number, message, &answer);
  } else if (message->word == SHARED_KEY_ZEROISE) {
    const struct ow_key_handle handle = {.slot = message->slot, .generation = message->generation};
    ow_seat_zeroise_key(server, number, &handle, &answer);
  } else if (message->word != SHARED_HELLO) { /* it has a queue */
    return false;
  }
  return ow_message_reply(server->seats[number].socket, &answer, -1);
}

static void hear(struct ow_shared_server *server, unsigned number) {
  struct shared_message message;
  enum heard heard = ow_message_hear(server->seats[number].socket, &message);
  if (heard == HEARD_NONSENSE || (heard == HEARD_MESSAGE && !obey(server, number, &message))) {
    ow_seat_leave(server, number);
  }
  explicit_bzero(&message, sizeof(message));
}

/* Leavers before newcomers. */
static void look_at_sockets(struct ow_shared_server *server, uint64_t now_ms, int milliseconds) {
  struct pollfd looks[OW_QUEUE_COUNT + GUESTS_MAX + 1];
  struct pollfd *guests = &looks[OW_QUEUE_COUNT], *listener = &guests[GUESTS_MAX];
  *listener = (struct pollfd){.fd = server->listener, .events = POLLIN};
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    looks[i] = (struct pollfd){.fd = server->seats[i].socket, .events = POLLIN};
  }
  for (unsigned i = 0; i < GUESTS_MAX; i++) {
    guests[i] = (struct pollfd){.fd = server->guests[i].socket, .events = POLLIN};
  }
  if (poll(looks, OW_QUEUE_COUNT + GUESTS_MAX + 1, milliseconds) <= 0) {
    return;
  }
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    if (looks[i].revents != 0) {
      hear(server, i);
    }
  }
  for (unsigned i = 0; i < GUESTS_MAX; i++) {
    if (guests[i].revents != 0) {
      ow_guest_hear(server, &server->guests[i]);
    }
  }
  if (listener->revents != 0) {
    ow_guests_welcome(server, now_ms);
  }
}

static void serve_all(struct ow_shared_server *server) {
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    ow_seat_serve(server, i);
  }
}

/* Whoever has something for us from now on sends a byte. */
static void say_asleep(struct ow_shared_server *server, bool asleep) {
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    if (server->seats[i].state == SEAT_TAKEN) {
      atomic_store(&server->seats[i].page->asleep, asleep);
    }
  }
}

void ow_shared_server_turn(struct ow_shared_server *server, uint32_t milliseconds) {
  ow_shared_server_turn_at(server, milliseconds, wall_ms());
}

void ow_shared_server_turn_at(struct ow_shared_server *server, uint32_t milliseconds,
                              uint64_t now_ms) {
  const struct ow_platform *platform = &server->platform;
  say_asleep(server, true);
  serve_all(server); /* what came before they could know */
  uint32_t wait = server->looks_left != 0 ? 0 : ow_guests_wait(server, now_ms, milliseconds);
  look_at_sockets(server, now_ms, (int)wait);
  ow_guests_serve(server, now_ms);
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
    clients += server->seats[i].state == SEAT_TAKEN ? 1u : 0u;
  }
  return clients;
}

uint64_t ow_shared_server_served(const struct ow_shared_server *server) {
  return server->served;
}

uint32_t ow_shared_server_lost(const struct ow_shared_server *server) {
  uint32_t lost = 0;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    lost += server->seats[i].state == SEAT_RETIRED ? 1u : 0u;
  }
  return lost;
}
