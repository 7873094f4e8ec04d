/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * One simulated board for several processes: the server that has the board (shared_server.h) gives
 * each client one queue, and memory that both map.
 *
 * The device reaches that memory and nothing else: it is the queue's only address window. The
 * client's register accesses go through a page at its beginning, limited to the queue's own page.
 * Keys are loaded through the server, which lets only this queue use them. When the client is gone,
 * its window is taken, its queue reset, its keys zeroised, its memory taken from the device; a
 * queue of which anything is left is given to nobody.
 */
#ifndef OUTWORK_SHARED_H
#define OUTWORK_SHARED_H

#include "outwork/device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_SHARED_MAGIC     0x4f575348u
#define OW_SHARED_VERSION   3u
#define OW_SHARED_PAGE      4096u      /* at the beginning of the memory; not the device's */
#define OW_SHARED_BYTES_MAX 0x10000000 /* that a client may ask for */

struct ow_shared {
  int socket;
  void *mapped;
  size_t mapped_len;
  void *memory; /* public: zeroed, page-aligned, the device reaches it */
  size_t memory_len;
  uint64_t base;  /* of `mapped`, as the device says */
  unsigned queue; /* public: the queue that is ours */
  struct ow_capabilities capabilities;
  bool gone; /* the server does not answer any more */
  uint32_t asked;
  uint32_t idle;
  uint64_t microseconds; /* after `gone` */
};

/* Connects, with so many bytes of memory. NULL, or why not. Close it in the process that opened it;
 * in a forked child call ow_shared_forget instead. */
const char *ow_shared_open(struct ow_shared *shared, const char *path, size_t bytes);
void ow_shared_close(struct ow_shared *shared);
/* The descriptor alone is closed: it would keep the parent's queue alive behind its back. */
void ow_shared_forget(struct ow_shared *shared);
/* Fills the driver's platform. It is valid until ow_shared_close, for one thread at a time. Its
 * time is the device's, so that no timeout depends on how busy this machine is: it goes on while
 * the board has jobs or registers are read. When the server has gone, it goes on with every look at
 * it. */
void ow_shared_platform(struct ow_shared *shared, struct ow_platform *platform);

/* A key in a slot of the server's choice, for this queue only; `properties.queues` is not looked
 * at. As ow_key_load_material and ow_key_zeroise_handle; OW_BUSY: no slot is free. */
ow_status ow_shared_key_load(struct ow_shared *shared, struct ow_key_handle *handle,
                             const struct ow_key_material *material);
ow_status ow_shared_key_zeroise(struct ow_shared *shared, const struct ow_key_handle *handle);

#ifdef __cplusplus
}
#endif

#endif
