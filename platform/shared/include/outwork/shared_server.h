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
/* Clients that have a queue now; that there have been; queues lost to a device that did not obey.
 */
uint32_t ow_shared_server_clients(const struct ow_shared_server *server);
uint64_t ow_shared_server_served(const struct ow_shared_server *server);
uint32_t ow_shared_server_lost(const struct ow_shared_server *server);
/* Takes every client's queue, and removes the path. */
void ow_shared_server_close(struct ow_shared_server *server);

#ifdef __cplusplus
}
#endif

#endif
