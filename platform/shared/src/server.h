/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the server's files share: the board, a seat for each queue, and connections without one.
 */
#ifndef OUTWORK_SHARED_SERVER_INSIDE_H
#define OUTWORK_SHARED_SERVER_INSIDE_H

#include "outwork/outwork.h"
#include "outwork/shared_server.h"
#include "protocol.h"

#define KEY_SLOTS_MAX 256u
#define NOBODY        0xffu
/* Cycles between two looks at the clients' pages; and looks after which a doorbell has become a job
 * that the board knows of, however slow its memory. */
#define CYCLES_PER_LOOK 32u
#define LOOKS_AT_LEAST  32u
/* Connections that have not got a queue (yet). */
#define GUESTS_MAX 16u
/* A connection that has not said hello by then is closed. */
#define HELLO_MS 1000u

/* A queue is given away only when nothing is left of the client before: its window is taken, its
 * reset is over, its keys are zeroised. */
enum seat_state {
  SEAT_FREE,
  SEAT_TAKEN,
  SEAT_LEAVING, /* revoked; its reset is under way */
  SEAT_RETIRED  /* the device has not obeyed; tried again whenever somebody asks for a queue */
};

struct seat {
  enum seat_state state;
  int socket;               /* of SEAT_TAKEN */
  struct shared_page *page; /* mapped until the device has let go; SEAT_FREE: NULL */
  size_t mapped_len;
  uint64_t deadline;         /* SEAT_LEAVING: the cycle by which the reset must be over */
  uint32_t doorbells, asked; /* seen */
};

struct guest {
  int socket;        /* -1: there is none */
  bool asks;         /* hello has been said, and queues are on their way back */
  uint64_t bytes;    /* that were asked for */
  uint64_t since_ms; /* of the connection */
};

struct ow_shared_server {
  struct ow_sim *sim;
  struct ow_platform platform;
  struct ow_device device;
  int listener;
  char path[108];
  unsigned looks_left; /* for which the clock runs, whatever the board says; 0: it stands still */
  struct seat seats[OW_QUEUE_COUNT];
  struct guest guests[GUESTS_MAX];
  uint8_t key_owner[KEY_SLOTS_MAX]; /* seat of each slot's key, or NOBODY */
  uint64_t served;
};

/* message.c: what comes over a socket, and goes. */
enum heard { HEARD_NOTHING, HEARD_WAKE, HEARD_MESSAGE, HEARD_NONSENSE /* or the end */ };
enum heard ow_message_hear(int socket, struct shared_message *message);
/* `memory`: a descriptor that goes with it, or -1. */
bool ow_message_reply(int socket, const struct shared_answer *answer, int memory);

/* seat.c: what a client may have. All of it for a seat that is free: false if that cannot be. */
bool ow_seat_give(struct ow_shared_server *server, unsigned number, int socket, uint64_t bytes);
void ow_seat_load_key(struct ow_shared_server *server, unsigned number,
                      const struct shared_message *message, struct shared_answer *answer);
void ow_seat_zeroise_key(struct ow_shared_server *server, unsigned number,
                         const struct ow_key_handle *handle, struct shared_answer *answer);
/* The client is gone, or nobody can follow it. Also for a retired seat, to try again. */
void ow_seat_leave(struct ow_shared_server *server, unsigned number);
/* Carries register accesses and doorbells over; or sees to it that a seat becomes free again. */
void ow_seat_serve(struct ow_shared_server *server, unsigned number);

/* guest.c: who has no queue yet. */
void ow_guests_welcome(struct ow_shared_server *server, uint64_t now_ms);
void ow_guest_hear(struct ow_shared_server *server, struct guest *guest);
/* Serves who asks, where a queue has become free or none will; closes who is silent. */
void ow_guests_serve(struct ow_shared_server *server, uint64_t now_ms);
/* Milliseconds until the next silent one is closed, at most `milliseconds`. */
uint32_t ow_guests_wait(const struct ow_shared_server *server, uint64_t now_ms,
                        uint32_t milliseconds);

#endif
