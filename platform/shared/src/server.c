/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The main loop of the server: connections, messages, and the clock of the board, which runs while
 * there are jobs.
 *
 * No client can block the server: it never waits for a message, drops an answer that would block,
 * and closes a connection that breaks the protocol.
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

/* Polls of the pages between two polls of the sockets. */
#define POLLS_PER_SOCKET 256u
/* Polls of the pages between two checks whether the device still has jobs. */
#define POLLS_PER_STATUS 8u
/* Limit of device time for a key command, a multiple of the hardware's bound of 2,000 cycles. The
 * server, and so every client, waits for at most that long. */
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
    return "the path is too long for a socket (107 bytes at most)";
  }
  memcpy(address.sun_path, path, strlen(path));
  server->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (server->listener < 0 ||
      bind(server->listener, (const struct sockaddr *)&address, sizeof(address)) != 0) {
    return errno == EADDRINUSE
               ? "the path exists: stop the server that listens there, or remove the file"
               : strerror(errno);
  }
  memcpy(server->path, path, strlen(path) + 1); /* removed by ow_shared_server_close() */
  return listen(server->listener, 16) == 0 ? NULL : strerror(errno);
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
  memset(server->key_owner, NO_OWNER, sizeof(server->key_owner));
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    server->sessions[i].socket = -1;
  }
  for (unsigned i = 0; i < PENDING_MAX; i++) {
    server->pending[i].socket = -1;
  }
  *why = start(server, path);
  if (*why != NULL) {
    ow_shared_server_close(server);
    return NULL;
  }
  return server;
}

/* Resets the device if a queue is in use: that ends all jobs and zeroises all keys. */
void ow_shared_server_close(struct ow_shared_server *server) {
  bool used = false;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    used = used || server->sessions[i].state != SESSION_FREE;
  }
  if (used) {
    ow_sim_reset(server->sim);
  }
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    struct session *session = &server->sessions[i];
    if (session->state != SESSION_FREE) {
      (void)ow_sim_unregister(server->sim, (uint8_t *)session->page + OW_SHARED_PAGE);
      munmap(session->page, session->mapped_len);
    }
    close_if_open(session->socket);
  }
  for (unsigned i = 0; i < PENDING_MAX; i++) {
    close_if_open(server->pending[i].socket);
  }
  close_if_open(server->listener);
  if (server->path[0] != '\0') {
    unlink(server->path);
  }
  free(server);
}

/* Executes a request and sends the answer. False: close the connection. */
static bool execute(struct ow_shared_server *server, unsigned number,
                    const struct shared_message *message) {
  struct shared_answer answer = {.status = OW_BAD_ARGUMENT};
  if (message->request == SHARED_KEY_LOAD) {
    ow_session_load_key(server, number, message, &answer);
  } else if (message->request == SHARED_KEY_ZEROISE) {
    const struct ow_key_handle handle = {.slot = message->slot, .generation = message->generation};
    ow_session_zeroise_key(server, number, &handle, &answer);
  } else if (message->request != SHARED_HELLO) { /* it has a queue */
    return false;
  }
  return ow_message_send(server->sessions[number].socket, &answer, -1);
}

static void receive(struct ow_shared_server *server, unsigned number) {
  struct shared_message message;
  enum received received = ow_message_receive(server->sessions[number].socket, &message);
  if (received == RECEIVED_INVALID ||
      (received == RECEIVED_MESSAGE && !execute(server, number, &message))) {
    ow_session_close(server, number);
  }
  explicit_bzero(&message, sizeof(message));
}

/* Serves clients that leave before those that arrive. */
static void poll_sockets(struct ow_shared_server *server, uint64_t now_ms, int milliseconds) {
  struct pollfd polled[OW_QUEUE_COUNT + PENDING_MAX + 1];
  struct pollfd *pending = &polled[OW_QUEUE_COUNT], *listener = &pending[PENDING_MAX];
  *listener = (struct pollfd){.fd = server->listener, .events = POLLIN};
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    polled[i] = (struct pollfd){.fd = server->sessions[i].socket, .events = POLLIN};
  }
  for (unsigned i = 0; i < PENDING_MAX; i++) {
    pending[i] = (struct pollfd){.fd = server->pending[i].socket, .events = POLLIN};
  }
  if (poll(polled, OW_QUEUE_COUNT + PENDING_MAX + 1, milliseconds) <= 0) {
    return;
  }
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    if (polled[i].revents != 0) {
      receive(server, i);
    }
  }
  for (unsigned i = 0; i < PENDING_MAX; i++) {
    if (pending[i].revents != 0) {
      ow_pending_receive(server, &server->pending[i]);
    }
  }
  if (listener->revents != 0) {
    ow_pending_accept(server, now_ms);
  }
}

static void serve_all(struct ow_shared_server *server) {
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    ow_session_serve(server, i);
  }
}

/* Tells the clients whether they have to send a byte after they have changed their page. */
static void set_asleep(struct ow_shared_server *server, bool asleep) {
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    if (server->sessions[i].state == SESSION_OPEN) {
      atomic_store(&server->sessions[i].page->asleep, asleep);
    }
  }
}

void ow_shared_server_turn(struct ow_shared_server *server, uint32_t milliseconds) {
  ow_shared_server_turn_at(server, milliseconds, wall_ms());
}

void ow_shared_server_turn_at(struct ow_shared_server *server, uint32_t milliseconds,
                              uint64_t now_ms) {
  const struct ow_platform *platform = &server->platform;
  set_asleep(server, true);
  serve_all(server); /* what came before the clients could see the flag */
  uint32_t wait = server->polls_left != 0 ? 0 : ow_pending_wait(server, now_ms, milliseconds);
  poll_sockets(server, now_ms, (int)wait);
  ow_pending_serve(server, now_ms);
  set_asleep(server, false);
  for (unsigned poll = 0; poll < POLLS_PER_SOCKET; poll++) {
    serve_all(server);
    if (server->polls_left == 0) {
      break;
    }
    ow_sim_run(server->sim, CYCLES_PER_POLL);
    if (--server->polls_left == 0) {
      uint32_t status = platform->read32(platform->context, OW_GLOBAL_STATUS_OFFSET);
      server->polls_left = (status & OW_GLOBAL_STATUS_BUSY_MASK) != 0 ? POLLS_PER_STATUS : 0;
    }
  }
}

uint32_t ow_shared_server_clients(const struct ow_shared_server *server) {
  uint32_t clients = 0;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    clients += server->sessions[i].state == SESSION_OPEN ? 1u : 0u;
  }
  return clients;
}

uint64_t ow_shared_server_served(const struct ow_shared_server *server) {
  return server->served;
}

uint32_t ow_shared_server_lost(const struct ow_shared_server *server) {
  uint32_t lost = 0;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    lost += server->sessions[i].state == SESSION_STUCK ? 1u : 0u;
  }
  return lost;
}
