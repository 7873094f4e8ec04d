/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * One simulated board for several processes: the server that has the board (shared_server.h) gives
 * each client one queue, and memory that both map.
 *
 * The device can access that memory and nothing else: it is the queue's only address window. The
 * client's register accesses go through a page at its beginning, limited to the queue's own page.
 * Keys are loaded through the server, which lets only this queue use them. When a client leaves,
 * its window is revoked, its queue reset, its keys zeroised and its memory unregistered; a queue is
 * given to the next client only after all of this has succeeded.
 */
#ifndef OUTWORK_SHARED_H
#define OUTWORK_SHARED_H

#include "outwork/device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_SHARED_MAGIC     0x4f575348u
#define OW_SHARED_VERSION   5u
#define OW_SHARED_PAGE      4096u      /* at the start of the memory; not in the window */
#define OW_SHARED_BYTES_MAX 0x10000000 /* most memory of a client */

struct ow_shared {
  int socket;
  void *mapped;
  size_t mapped_len;
  void *memory; /* public: zeroed, page-aligned, accessible to the device */
  size_t memory_len;
  uint64_t base;  /* of `mapped`, as the device sees it */
  unsigned queue; /* public: number of this client's queue */
  struct ow_capabilities capabilities;
  bool gone; /* the server no longer answers */
  uint32_t asked;
  uint32_t idle;
  uint64_t microseconds; /* after `gone` */
};

/* Connects and asks for `bytes` of memory. Returns NULL, or the reason of the failure. Call
 * ow_shared_close() in the process that opened it, ow_shared_forget() in a forked child. */
const char *ow_shared_open(struct ow_shared *shared, const char *path, size_t bytes);
void ow_shared_close(struct ow_shared *shared);
/* Drops the parent's connection in a child, without ending the parent's session. */
void ow_shared_forget(struct ow_shared *shared);
/* Fills in the driver's platform: valid until ow_shared_close(), for one thread at a time. Its
 * clock is the device's, so that no timeout depends on the load of this machine: it advances while
 * the board has jobs or registers are accessed, and, when the server is gone, with each read. */
void ow_shared_platform(struct ow_shared *shared, struct ow_platform *platform);

/* Load a key into a free slot that the server chooses, for this queue only (`properties.queues` is
 * ignored), and zeroise it. As ow_key_load_material() and ow_key_zeroise_handle(); OW_BUSY: no slot
 * is free for this client. */
ow_status ow_shared_key_load(struct ow_shared *shared, struct ow_key_handle *handle,
                             const struct ow_key_material *material);
ow_status ow_shared_key_zeroise(struct ow_shared *shared, const struct ow_key_handle *handle);

#ifdef __cplusplus
}
#endif

#endif
