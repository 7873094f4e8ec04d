/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The queues that a process shares among its threads. Each queue has as many lanes as its ring has
 * entries; a lane is the memory of one request, and whoever holds it may submit.
 */
#ifndef OUTWORK_OFFLOAD_POOL_H
#define OUTWORK_OFFLOAD_POOL_H

#include "link.h"

#include <stdatomic.h>

struct ow_pool;

/* Forks before this process: a request that was paused before one has lost its device. */
extern atomic_uint ow_forks;

/* Opens every queue of the link, which must stay. NULL: *status says why. */
struct ow_pool *ow_pool_open(struct ow_link *link, ow_status *status);
/* Closes the queues. Nobody may hold a lane. */
void ow_pool_close(struct ow_pool *pool);
/* Memory that a link must have for each queue. */
size_t ow_pool_bytes_per_queue(void);

/* Runs a request; `insist`: waits for a lane. OW_OK: done, the request holds the results. OW_BUSY:
 * no lane is free, and with `insist` none will be before the caller goes on. OW_UNSUPPORTED: not by
 * this device. Anything else: the device failed. Nothing has been written to the output unless
 * OW_OK. */
ow_status ow_pool_run(struct ow_pool *pool, struct ow_request *request,
                      const struct ow_offload_settings *host, bool insist);
/* Runs requests that do not depend on each other, as many at once as there are lanes; each has its
 * status. */
void ow_pool_run_many(struct ow_pool *pool, struct ow_request *const requests[],
                      ow_status statuses[], size_t count, const struct ow_offload_settings *host);
/* Runs a public-key operation, whose jobs may be paused. *cycles: of all of them. */
ow_status ow_pool_operate(struct ow_pool *pool, ow_operate *operate, void *user,
                          const struct ow_offload_settings *host, uint64_t *cycles);
/* Between the two nobody else is at the link's platform, which need not be for several threads. */
void ow_pool_hold(struct ow_pool *pool);
void ow_pool_release(struct ow_pool *pool);
/* No queue of it will ever work again. */
bool ow_pool_dead(const struct ow_pool *pool);

#endif
