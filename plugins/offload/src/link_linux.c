/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A queue of the kernel module's /dev/outwork (platform/linux).
 */
#include <stdlib.h>

#include "link.h"
#include "outwork/linux_queue.h"

/* Other queues may be at work: an RSA-4096 operation of each may come first. */
#define LINUX_TIMEOUT_US 100000u
/* For a queue's reset, many times over. */
#define LINUX_COMMAND_US 100000u
#define PAGE_BYTES       4096u
/* For six lanes. */
#define LEAST_BYTES (512u * 1024u)

static void linux_close(struct ow_link *link) {
  ow_linux_close(link->inside[0]);
  free(link->inside[0]);
  *link = (struct ow_link){.close = NULL};
}

static void linux_forked(struct ow_link *link) {
  ow_linux_forget(link->inside[0]);
}

static ow_status linux_key_load(struct ow_link *link, struct ow_key_handle *handle,
                                const struct ow_key_material *material) {
  return ow_linux_key_load(link->inside[0], handle, material);
}

static ow_status linux_key_zeroise(struct ow_link *link, const struct ow_key_handle *handle) {
  return ow_linux_key_zeroise(link->inside[0], handle);
}

const char *ow_link_open_linux(struct ow_link *link, const struct ow_offload_settings *settings,
                               size_t bytes_per_queue) {
  *link = (struct ow_link){.close = NULL};
  struct ow_linux *own = calloc(1, sizeof(*own));
  if (own == NULL) {
    return "no memory";
  }
  const char *path = settings->socket != NULL ? settings->socket : OW_LINUX_PATH;
  const size_t bytes = (bytes_per_queue + PAGE_BYTES - 1u) / PAGE_BYTES * PAGE_BYTES;
  const char *why = ow_linux_open_up_to(own, path, bytes, LEAST_BYTES);
  if (why != NULL) {
    free(own);
    return why;
  }
  ow_linux_platform(&link->platform, own);
  (void)ow_device_attach(&link->device, &link->platform, &own->capabilities);
  link->timeout_us = LINUX_TIMEOUT_US;
  link->device.timeout_us = LINUX_COMMAND_US;
  link->queues[0] = (uint8_t)own->queue;
  link->queues_len = 1;
  link->memory = own->memory;
  link->memory_len = own->memory_len;
  link->inside[0] = own;
  link->key_load = linux_key_load;
  link->key_zeroise = linux_key_zeroise;
  link->close = linux_close;
  link->forked = linux_forked;
  return NULL;
}
