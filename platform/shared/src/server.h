/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Shared by the files of the server: the board, a session for each queue, pending connections.
 */
#ifndef OUTWORK_SHARED_SERVER_INSIDE_H
#define OUTWORK_SHARED_SERVER_INSIDE_H

#include "outwork/outwork.h"
#include "outwork/shared_server.h"
#include "protocol.h"

#define KEY_SLOTS_MAX 256u
#define NO_OWNER      0xffu
/* Device cycles between two polls of the clients' pages. */
#define CYCLES_PER_POLL 32u
/* Polls until the device reports itself busy after a doorbell, however slow its memory. */
#define POLLS_MIN 32u
/* Most connections without a queue. */
#define PENDING_MAX 16u
/* A connection without a HELLO in this time is closed. */
#define HELLO_MS 1000u

/* A queue is given to the next client only when nothing of the last one is left: its window is
 * revoked, its reset has ended, its page is clear, its keys are zeroised. */
enum session_state {
  SESSION_FREE,
  SESSION_OPEN,
  SESSION_CLOSING, /* window revoked; waits for the end of the reset */
  SESSION_STUCK    /* the reset did not end in time; retried when a client asks for a queue */
};

struct session {
  enum session_state state;
  int socket;               /* SESSION_OPEN; else -1 */
  struct shared_page *page; /* mapped until the reset has ended; SESSION_FREE: NULL */
  size_t mapped_len;
  uint64_t deadline;         /* SESSION_CLOSING: the cycle by which the reset must be over */
  uint32_t doorbells, asked; /* last values read from the page */
};

struct pending {
  int socket;        /* -1: free entry */
  bool waiting;      /* HELLO received; waits for a session that is closing */
  uint64_t bytes;    /* of memory, from HELLO */
  uint64_t since_ms; /* time of the connection */
};

struct ow_shared_server {
  struct ow_sim *sim;
  struct ow_platform platform;
  struct ow_device device;
  int listener;
  char path[108];
  unsigned polls_left; /* with the clock running, whatever the device says; 0: it is stopped */
  struct session sessions[OW_QUEUE_COUNT];
  struct pending pending[PENDING_MAX];
  uint8_t key_owner[KEY_SLOTS_MAX]; /* queue of each slot, or NO_OWNER */
  uint64_t served;
};

/* message.c: receive and send. */
enum received {
  RECEIVED_NOTHING,
  RECEIVED_WAKE,
  RECEIVED_MESSAGE,
  RECEIVED_INVALID /* or closed */
};
enum received ow_message_receive(int socket, struct shared_message *message);
/* Sends an answer, with the file descriptor `memory` if it is not -1. False: not sent. */
bool ow_message_send(int socket, const struct shared_answer *answer, int memory);

/* session.c. Opens a free session: allocates the memory, grants the queue, answers. False: nothing
 * was allocated or sent. */
bool ow_session_open(struct ow_shared_server *server, unsigned number, int socket, uint64_t bytes);
void ow_session_load_key(struct ow_shared_server *server, unsigned number,
                         const struct shared_message *message, struct shared_answer *answer);
void ow_session_zeroise_key(struct ow_shared_server *server, unsigned number,
                            const struct ow_key_handle *handle, struct shared_answer *answer);
/* Closes a session: revokes the window and starts the reset. Also retries a stuck session. */
void ow_session_close(struct ow_shared_server *server, unsigned number);
/* Carries out register accesses and doorbells of an open session; polls the reset of a closing one.
 */
void ow_session_serve(struct ow_shared_server *server, unsigned number);

/* pending.c: connections without a queue. */
void ow_pending_accept(struct ow_shared_server *server, uint64_t now_ms);
void ow_pending_receive(struct ow_shared_server *server, struct pending *connection);
/* Answers those that wait for a queue, if one is free or none will be; closes silent ones. */
void ow_pending_serve(struct ow_shared_server *server, uint64_t now_ms);
/* Returns the milliseconds until the next silent one is to be closed, at most `milliseconds`. */
uint32_t ow_pending_wait(const struct ow_shared_server *server, uint64_t now_ms,
                         uint32_t milliseconds);

#endif
