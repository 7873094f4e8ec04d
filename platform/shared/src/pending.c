/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Connections without a queue: a few of them, for a short time. None of them holds a queue.
 */
#include "server.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void close_pending(struct pending *connection) {
  close(connection->socket);
  *connection = (struct pending){.socket = -1};
}

static void refuse(int socket, ow_status status) {
  const struct shared_answer answer = {.status = status};
  (void)ow_message_send(socket, &answer, -1);
}

/* Returns an entry for a new connection; if none is free, closes the one that has been silent for
 * the longest time. NULL: all have asked for a queue. */
static struct pending *find_entry(struct ow_shared_server *server) {
  struct pending *oldest = NULL;
  for (unsigned i = 0; i < PENDING_MAX; i++) {
    struct pending *connection = &server->pending[i];
    if (connection->socket < 0) {
      return connection;
    }
    if (!connection->waiting && (oldest == NULL || connection->since_ms < oldest->since_ms)) {
      oldest = connection;
    }
  }
  if (oldest != NULL) {
    close_pending(oldest);
  }
  return oldest;
}

/* Receives the HELLO of each new connection at once, before the next one could replace it. */
void ow_pending_accept(struct ow_shared_server *server, uint64_t now_ms) {
  for (unsigned i = 0; i < PENDING_MAX; i++) {
    int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) {
      return;
    }
    struct pending *connection = find_entry(server);
    if (connection == NULL) {
      refuse(socket, OW_BUSY);
      close(socket);
      continue;
    }
    *connection = (struct pending){.socket = socket, .since_ms = now_ms};
    ow_pending_receive(server, connection);
  }
}

/* Opens a session if a queue is free; refuses if none will become free; else leaves it waiting. */
static void answer_hello(struct ow_shared_server *server, struct pending *connection) {
  bool waiting = false;
  for (unsigned i = 0; i < server->device.capabilities.queues; i++) {
    if (server->sessions[i].state == SESSION_FREE) {
      if (ow_session_open(server, i, connection->socket, connection->bytes)) {
        *connection = (struct pending){.socket = -1}; /* the session owns the socket now */
      } else {
        refuse(connection->socket, OW_BAD_ARGUMENT);
        close_pending(connection);
      }
      return;
    }
    waiting = waiting || server->sessions[i].state == SESSION_CLOSING;
  }
  if (!waiting) {
    refuse(connection->socket, OW_BUSY);
    close_pending(connection);
  }
}

void ow_pending_receive(struct ow_shared_server *server, struct pending *connection) {
  struct shared_message message;
  enum received received = ow_message_receive(connection->socket, &message);
  if (received == RECEIVED_NOTHING) {
    return;
  }
  if (received != RECEIVED_MESSAGE || message.request != SHARED_HELLO || connection->waiting) {
    close_pending(connection);
    return;
  }
  connection->waiting = true;
  connection->bytes = message.bytes;
  for (unsigned i = 0; i < server->device.capabilities.queues; i++) {
    if (server->sessions[i].state == SESSION_STUCK) {
      ow_session_close(server, i);
    }
  }
  answer_hello(server, connection);
}

void ow_pending_serve(struct ow_shared_server *server, uint64_t now_ms) {
  for (unsigned i = 0; i < PENDING_MAX; i++) {
    struct pending *connection = &server->pending[i];
    if (connection->socket >= 0 && connection->waiting) {
      answer_hello(server, connection);
    } else if (connection->socket >= 0 && now_ms - connection->since_ms >= HELLO_MS) {
      close_pending(connection);
    }
  }
}

uint32_t ow_pending_wait(const struct ow_shared_server *server, uint64_t now_ms,
                         uint32_t milliseconds) {
  for (unsigned i = 0; i < PENDING_MAX; i++) {
    const struct pending *connection = &server->pending[i];
    uint64_t age = now_ms - connection->since_ms;
    if (connection->socket >= 0 && !connection->waiting && age + milliseconds > HELLO_MS) {
      milliseconds = age < HELLO_MS ? (uint32_t)(HELLO_MS - age) : 0;
    }
  }
  return milliseconds;
}
