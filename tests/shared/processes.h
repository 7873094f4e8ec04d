/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Declares a board's server and its clients, each in a process of its own.
 */
#ifndef OUTWORK_TEST_PROCESSES_H
#define OUTWORK_TEST_PROCESSES_H

#include <sys/types.h>

#include "check.h"
#include "outwork/outwork.h"
#include "outwork/shared.h"

/* Bytes of a client's memory, and the size of its ring. */
#define CLIENT_BYTES (1u << 20)
#define CLIENT_LOG2  4u

struct client {
  struct ow_shared shared;
  struct ow_platform platform;
  struct ow_device device;
  struct ow_queue queue;
  struct ow_queue_slot slots[1u << CLIENT_LOG2];
  /* memory for data, after the ring */
  uint8_t *room;
};

/* The server's socket. */
extern char server_path[64];
extern pid_t server_pid;

/* The key of FIPS 197, C.1, which client_encrypt() expects. */
extern const uint8_t key_bytes[16];
extern const struct ow_key inline_key;

/* Starts the server; returns when clients can connect. It ends with the calling process. */
void server_start(void);

/* Runs `body` in a new process, which ends with the calling one. */
pid_t process_start(void (*body)(void));
/* Waits until the process has ended. Returns its status as waitpid() does. */
int process_end(pid_t pid);

/* Opens a client. Returns NULL, or why it was refused. */
const char *client_try_open(struct client *client);
/* Opens a client; waits while the server still releases the queue of one that has just left. */
void client_open(struct client *client);
/* Closes the queue, then the connection. */
void client_close(struct client *client);
/* Submits a job and waits for it. Returns the first error, or the job's status. */
ow_status client_run(struct client *client, struct ow_job *job);
/* Encrypts copies of the block of FIPS 197, C.1: `length` bytes, a multiple of 16. Returns the
 * job's status; if it is OW_OK, the result has been checked. */
ow_status client_encrypt(struct client *client, const struct ow_key *key, uint32_t length);

#endif
