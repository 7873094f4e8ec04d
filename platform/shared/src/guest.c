/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Connections that have no queue yet: a few, for a short time, and none of them holds a queue.
 */
#include "server.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void close_guest(struct guest *guest) {
  close(guest->socket);
  *guest = (struct guest){.socket = -1};
}

static void refuse(int socket, ow_status status) {
  const struct shared_answer answer = {.status = status};
  (void)ow_message_reply(socket, &answer, -1);
}

/* A place for a newcomer: the one that has been silent longest loses its own. NULL: all of them
 * have asked for a queue. */
static struct guest *make_place(struct ow_shared_server *server) {
  struct guest *oldest = NULL;
  for (unsigned i = 0; i < GUESTS_MAX; i++) {
    struct guest *guest = &server->guests[i];
    if (guest->socket < 0) {
      return guest;
    }
    if (!guest->asks && (oldest == NULL || guest->since_ms < oldest->since_ms)) {
      oldest = guest;
    }
  }
  if (oldest != NULL) {
    close_guest(oldest);
  }
  return oldest;
}

/* Whoever has said hello before it is looked at is heard before the next one can take its place. */
void ow_guests_welcome(struct ow_shared_server *server, uint64_t now_ms) {
  for (unsigned i = 0; i < GUESTS_MAX; i++) {
    int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) {
      return;
    }
    struct guest *guest = make_place(server);
    if (guest == NULL) {
      refuse(socket, OW_BUSY);
      close(socket);
      continue;
    }
    *guest = (struct guest){.socket = socket, .since_ms = now_ms};
    ow_guest_hear(server, guest);
  }
}

/* Gives what was asked for, if it can be now or never. */
static void settle(struct ow_shared_server *server, struct guest *guest) {
  bool waiting = false;
  for (unsigned i = 0; i < server->device.capabilities.queues; i++) {
    if (server->seats[i].state == SEAT_FREE) {
      if (ow_seat_give(server, i, guest->socket, guest->bytes)) {
        *guest = (struct guest){.socket = -1}; /* the socket is the seat's */
      } else {
        refuse(guest->socket, OW_BAD_ARGUMENT);
        close_guest(guest);
      }
      return;
    }
    waiting = waiting || server->seats[i].state == SEAT_LEAVING;
  }
  if (!waiting) {
    refuse(guest->socket, OW_BUSY);
    close_guest(guest);
  }
}

void ow_guest_hear(struct ow_shared_server *server, struct guest *guest) {
  struct shared_message message;
  enum heard heard = ow_message_hear(guest->socket, &message);
  if (heard == HEARD_NOTHING) {
    return;
  }
  if (heard != HEARD_MESSAGE || message.word != SHARED_HELLO || guest->asks) {
    close_guest(guest);
    return;
  }
  guest->asks = true;
  guest->bytes = message.bytes;
  for (unsigned i = 0; i < server->device.capabilities.queues; i++) {
    if (server->seats[i].state == SEAT_RETIRED) {
      ow_seat_leave(server, i);
    }
  }
  settle(server, guest);
}

void ow_guests_serve(struct ow_shared_server *server, uint64_t now_ms) {
  for (unsigned i = 0; i < GUESTS_MAX; i++) {
    struct guest *guest = &server->guests[i];
    if (guest->socket >= 0 && guest->asks) {
      settle(server, guest);
    } else if (guest->socket >= 0 && now_ms - guest->since_ms >= HELLO_MS) {
      close_guest(guest);
    }
  }
}

uint32_t ow_guests_wait(const struct ow_shared_server *server, uint64_t now_ms,
                        uint32_t milliseconds) {
  for (unsigned i = 0; i < GUESTS_MAX; i++) {
    const struct guest *guest = &server->guests[i];
    uint64_t stayed = now_ms - guest->since_ms;
    if (guest->socket >= 0 && !guest->asks && stayed + milliseconds > HELLO_MS) {
      milliseconds = stayed < HELLO_MS ? (uint32_t)(HELLO_MS - stayed) : 0;
    }
  }
  return milliseconds;
}
