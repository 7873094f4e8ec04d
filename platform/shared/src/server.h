/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the server's files share: the board, and a seat for each queue.
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

/* A queue, and the client that has it. */
struct seat {
  int socket;               /* -1: the seat is free */
  bool lost;                /* the queue did not obey a reset: never given again */
  struct shared_page *page; /* NULL: the client has not said hello */
  size_t mapped_len;
  uint32_t doorbells, asked; /* seen */
};

struct ow_shared_server {
  struct ow_sim *sim;
  struct ow_platform platform;
  struct ow_device device;
  int listener;
  char path[108];
  unsigned looks_left; /* for which the clock runs, whatever the board says; 0: it stands still */
  struct seat seats[OW_QUEUE_COUNT];
  uint8_t key_owner[KEY_SLOTS_MAX]; /* seat of each slot's key, or NOBODY */
  uint64_t served;
  uint8_t *ring; /* a queue's memory, for resets */
};

/* seat.c: what a client may have. */
void ow_seat_greet(struct ow_shared_server *server, unsigned number, uint64_t bytes,
                   struct shared_answer *answer, int *memory);
void ow_seat_load_key(struct ow_shared_server *server, unsigned number,
                      const struct shared_message *message, struct shared_answer *answer);
void ow_seat_zeroise_key(struct ow_shared_server *server, unsigned number, uint8_t slot,
                         struct shared_answer *answer);
/* The client is gone, or nobody can follow it: the queue is reset, its keys zeroised, its memory
 * taken back. */
void ow_seat_clear(struct ow_shared_server *server, unsigned number);
/* Carries register accesses and doorbells over. */
void ow_seat_serve(struct ow_shared_server *server, unsigned number);

#endif
