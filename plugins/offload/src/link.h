/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The way to a device: its platform, the queues that this process may use, and memory that the
 * device reaches. Each place where a device can be (the simulated board in this process, a daemon,
 * hardware) fills one struct ow_link.
 */
#ifndef OUTWORK_OFFLOAD_LINK_H
#define OUTWORK_OFFLOAD_LINK_H

#include "offload.h"

struct ow_link {
  struct ow_platform platform;
  struct ow_device device; /* opened, its queues granted */
  uint8_t queues[OW_QUEUE_COUNT];
  unsigned queues_len;
  uint32_t timeout_us; /* without progress, after which a queue is given up */
  void *memory;        /* that the device reaches, zeroed; a page's alignment */
  size_t memory_len;
  /* A key for these queues, in a slot that is free (OW_BUSY: there is none); and away with it. */
  ow_status (*key_load)(struct ow_link *link, struct ow_key_handle *handle,
                        const struct ow_key_material *material);
  ow_status (*key_zeroise)(struct ow_link *link, const struct ow_key_handle *handle);
  void (*close)(struct ow_link *link);  /* takes everything back; NULL: not open */
  void (*forked)(struct ow_link *link); /* in a child that shall not hold on to it; may be NULL */
  void *inside[4];                      /* the back end's own */
};

/* Opens it, with at least so much memory for each queue. NULL, or why not; then nothing is left
 * open.
 */
typedef const char *ow_link_open(struct ow_link *link, const struct ow_offload_settings *settings,
                                 size_t bytes_per_queue);
ow_link_open ow_link_open_sim;
ow_link_open ow_link_open_shared;

/* The back end of that name; NULL if there is none. */
ow_link_open *ow_link_find(const char *platform);

#endif
