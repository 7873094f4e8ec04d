/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The server of a shared simulated board: owns the board and serves its queues (shared.h).
 */
#ifndef OUTWORK_SHARED_SERVER_H
#define OUTWORK_SHARED_SERVER_H

#include "outwork/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ow_shared_server;

/* Listens on a socket at `path`, where no file may exist; its permissions say who may connect.
 * Takes the board over until ow_shared_server_close(). NULL: *why is the reason. */
struct ow_shared_server *ow_shared_server_open(struct ow_sim *sim, const char *path,
                                               const char **why);
/* Serves what there is to do; waits for at most `milliseconds` if there is nothing. Call it in a
 * loop. */
void ow_shared_server_turn(struct ow_shared_server *server, uint32_t milliseconds);
/* The same with the caller's clock for the time limits of connections: milliseconds that never
 * decrease. */
void ow_shared_server_turn_at(struct ow_shared_server *server, uint32_t milliseconds,
                              uint64_t now_ms);
/* Return the number of clients with a queue now; of clients served so far; of queues whose reset
 * did not end in time, which are retried when a client asks for a queue. */
uint32_t ow_shared_server_clients(const struct ow_shared_server *server);
uint64_t ow_shared_server_served(const struct ow_shared_server *server);
uint32_t ow_shared_server_lost(const struct ow_shared_server *server);
/* Resets the device if a queue is in use, and removes the socket. */
void ow_shared_server_close(struct ow_shared_server *server);

#ifdef __cplusplus
}
#endif

#endif
