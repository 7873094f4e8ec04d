/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The device's side of QEMU's multi-process protocol (device x-pci-proxy-dev), as QEMU 7.2 speaks
 * it: accesses to configuration space and BARs, each of which QEMU waits for, and the guest's
 * memory as files.
 */
#ifndef OUTWORK_PROXY_H
#define OUTWORK_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ow_proxy_handler {
  void *context;
  /* Accesses of 1, 2 or 4 bytes; at a BAR by its address on the bus. */
  uint32_t (*configuration_read)(void *context, uint32_t offset, unsigned bytes);
  void (*configuration_write)(void *context, uint32_t offset, unsigned bytes, uint32_t value);
  uint32_t (*bar_read)(void *context, uint64_t address, unsigned bytes);
  void (*bar_write)(void *context, uint64_t address, unsigned bytes, uint32_t value);
  /* The guest's memory, at the addresses that it has for the guest too. Returns false: of no use.
   */
  bool (*memory)(void *context, void *memory, size_t length);
  void (*reset)(void *context);
};

struct ow_proxy {
  struct ow_proxy_handler handler;
  int socket;
  /* the guest's memory above its first MiB; 0: none yet */
  uint64_t memory_begin, memory_len;
};

/* Handles one message. Returns false if QEMU has gone, or breaks the protocol: then a line on
 * stderr says how. */
bool ow_proxy_serve(struct ow_proxy *proxy);

#endif
