/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The connection to a device: its platform, the queues that this process may use, and memory
 * accessible to the device. Each kind (simulated board in this process, shared board, a queue of
 * the kernel module) fills in a struct ow_link.
 */
#ifndef OUTWORK_OFFLOAD_LINK_H
#define OUTWORK_OFFLOAD_LINK_H

#include "offload.h"

struct ow_link {
  struct ow_platform platform;
  struct ow_device device; /* opened, its queues granted */
  uint8_t queues[OW_QUEUE_COUNT];
  unsigned queues_len;
  uint32_t timeout_us; /* without progress, after which a queue is reset */
  /* accessible to the device, page-aligned, in equal parts for the queues; nothing relies on what
   * is in it */
  void *memory;
  size_t memory_len;
  /* Load a key for these queues into a free slot (OW_BUSY: none is free), and zeroise it. */
  ow_status (*key_load)(struct ow_link *link, struct ow_key_handle *handle,
                        const struct ow_key_material *material);
  ow_status (*key_zeroise)(struct ow_link *link, const struct ow_key_handle *handle);
  void (*close)(struct ow_link *link);  /* releases everything; NULL: not open */
  void (*forked)(struct ow_link *link); /* drops the connection in a forked child; may be NULL */
  void *inside[4];                      /* private to the kind of link */
};

/* Opens a link with at least `bytes_per_queue` of memory for each queue, or with what there is:
 * then the queues have fewer lanes. Returns NULL, or the reason of the failure; then nothing stays
 * open.
 */
typedef const char *ow_link_open(struct ow_link *link, const struct ow_offload_settings *settings,
                                 size_t bytes_per_queue);
ow_link_open ow_link_open_sim;
ow_link_open ow_link_open_shared;
ow_link_open ow_link_open_linux;

/* A reason of ow_link_open_sim, which is no failure: the process may not have a device. */
extern const char ow_link_in_sandbox[];

/* Returns the kind of link with this name; NULL: unknown. */
ow_link_open *ow_link_find(const char *platform);

#endif
