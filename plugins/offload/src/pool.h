/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The queues that the threads of a process share. Each queue has as many lanes as its ring has
 * entries, or as its memory has room for. A lane is the memory of one request; a thread leases it
 * to submit.
 */
#ifndef OUTWORK_OFFLOAD_POOL_H
#define OUTWORK_OFFLOAD_POOL_H

#include "link.h"

#include <stdatomic.h>

struct ow_pool;

/* Number of forks that led to this process: a request that was paused before the last one has lost
 * its device. */
extern atomic_uint ow_forks;

/* Opens every queue of the link, which must outlive the pool. NULL: *status is the reason. */
struct ow_pool *ow_pool_open(struct ow_link *link, ow_status *status);
/* Closes the queues. No lane may be leased. */
void ow_pool_close(struct ow_pool *pool);
/* Returns the bytes of memory for each queue with all its lanes. */
size_t ow_pool_bytes_per_queue(void);

/* Runs a request; `wait`: waits for a lane. OW_OK: done, the request has the results. OW_BUSY: no
 * lane is free, and with `wait` none will be before the caller returns. OW_UNSUPPORTED: not
 * possible on this device. Anything else: the device failed. Writes the output only with OW_OK. */
ow_status ow_pool_run(struct ow_pool *pool, struct ow_request *request,
                      const struct ow_offload_settings *host, bool wait);
/* Runs independent requests, as many at once as lanes are free; each gets a status. */
void ow_pool_run_many(struct ow_pool *pool, struct ow_request *const requests[],
                      ow_status statuses[], size_t count, const struct ow_offload_settings *host);
/* Runs a public-key operation, whose jobs may be paused. *cycles: sum of its jobs. */
ow_status ow_pool_operate(struct ow_pool *pool, ow_operate *operate, void *user,
                          const struct ow_offload_settings *host, uint64_t *cycles);
/* Lock and unlock all queues, for exclusive use of the link's platform, which is not thread-
 * safe. */
void ow_pool_hold(struct ow_pool *pool);
void ow_pool_release(struct ow_pool *pool);
/* Returns whether no queue can be used any more. */
bool ow_pool_dead(const struct ow_pool *pool);

#endif
