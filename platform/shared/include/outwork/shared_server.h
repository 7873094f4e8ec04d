/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The process that has the simulated board, and serves its queues (shared.h).
 */
#ifndef OUTWORK_SHARED_SERVER_H
#define OUTWORK_SHARED_SERVER_H

#include "outwork/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ow_shared_server;

/* Listens at a path, where no file may be; its permissions say who may connect. The board is nobody
 * else's from now on. NULL: *why says why. */
struct ow_shared_server *ow_shared_server_open(struct ow_sim *sim, const char *path,
                                               const char **why);
/* Serves whatever there is to do, and waits at most so long for something. Call it for ever. */
void ow_shared_server_turn(struct ow_shared_server *server, uint32_t milliseconds);
/* The same with a clock of the caller's, whose time limits of connections are: milliseconds that
 * never go back. */
void ow_shared_server_turn_at(struct ow_shared_server *server, uint32_t milliseconds,
                              uint64_t now_ms);
/* Clients that have a queue now; that there have been; queues that nobody can have now, because the
 * device has not obeyed: they are tried again whenever somebody asks for one. */
uint32_t ow_shared_server_clients(const struct ow_shared_server *server);
uint64_t ow_shared_server_served(const struct ow_shared_server *server);
uint32_t ow_shared_server_lost(const struct ow_shared_server *server);
/* Resets the device, if a queue is in use, and removes the path. */
void ow_shared_server_close(struct ow_shared_server *server);

#ifdef __cplusplus
}
#endif

#endif
