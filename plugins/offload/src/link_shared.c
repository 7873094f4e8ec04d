/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A queue of a board that another process has (platform/shared).
 */
#include "link.h"

#include <stdlib.h>
#include <string.h>

#include "outwork/shared.h"

/* Of device time, which a busy machine does not use up: an RSA-4096 of every queue may come first.
 */
#define SHARED_TIMEOUT_US 100000u
/* For a queue's reset, many times over. */
#define SHARED_COMMAND_US 5000u

static void shared_close(struct ow_link *link) {
  ow_shared_close(link->inside[0]);
  free(link->inside[0]);
  *link = (struct ow_link){.close = NULL};
}

static void shared_forked(struct ow_link *link) {
  ow_shared_forget(link->inside[0]);
}

static ow_status shared_key_load(struct ow_link *link, struct ow_key_handle *handle,
                                 const struct ow_key_material *material) {
  return ow_shared_key_load(link->inside[0], handle, material);
}

static ow_status shared_key_zeroise(struct ow_link *link, const struct ow_key_handle *handle) {
  return ow_shared_key_zeroise(link->inside[0], handle);
}

const char *ow_link_open_shared(struct ow_link *link, const struct ow_offload_settings *settings,
                                size_t bytes_per_queue) {
  *link = (struct ow_link){.close = NULL};
  if (settings->socket == NULL) {
    return "the shared board's path is not given (key `socket`)";
  }
  struct ow_shared *shared = calloc(1, sizeof(*shared));
  if (shared == NULL) {
    return "no memory";
  }
  const char *why = ow_shared_open(shared, settings->socket, bytes_per_queue);
  if (why != NULL) {
    free(shared);
    return why;
  }
  ow_shared_platform(shared, &link->platform);
  (void)ow_device_attach(&link->device, &link->platform, &shared->capabilities);
  link->timeout_us = SHARED_TIMEOUT_US;
  link->device.timeout_us = SHARED_COMMAND_US;
  link->queues[0] = (uint8_t)shared->queue;
  link->queues_len = 1;
  link->memory = shared->memory;
  link->memory_len = shared->memory_len;
  link->inside[0] = shared;
  link->key_load = shared_key_load;
  link->key_zeroise = shared_key_zeroise;
  link->close = shared_close;
  link->forked = shared_forked;
  return NULL;
}
