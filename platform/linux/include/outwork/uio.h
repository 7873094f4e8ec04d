/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The platform of a process on Linux: registers and the interrupt of queue 0 through a UIO device,
 * memory that the accelerator reaches through a device of u-dma-buf.
 *
 * The memory must be coherent, or mapped without cache as u-dma-buf does with O_SYNC: nothing is
 * cleaned or invalidated. One thread at a time.
 */
#ifndef OUTWORK_UIO_H
#define OUTWORK_UIO_H

#include "outwork/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ow_uio {
  /* the UIO device: an interrupt is a read of four bytes, a write of four permits the next one */
  int device;
  volatile uint32_t *registers;
  size_t registers_bytes;
  uint8_t *memory;
  size_t memory_bytes;
  /* bytes that ow_uio_take has given away */
  size_t memory_taken;
  /* of its first byte, as the accelerator sees it */
  uint64_t memory_address;
  /* why ow_uio_open failed */
  char error[256];
};

/* Opens /dev/<registers> and /dev/<memory>, for example "uio0" and "udmabuf0"; their sizes and the
 * memory's address are those under /sys/class. `root` stands before both paths: "" on a running
 * system. On failure returns false, sets `error` and leaves nothing open. */
bool ow_uio_open(struct ow_uio *uio, const char *root, const char *registers, const char *memory);
void ow_uio_close(struct ow_uio *uio);

/* Returns memory that the accelerator reaches, 64-byte aligned, until ow_uio_close; NULL: not so
 * much is left. */
void *ow_uio_take(struct ow_uio *uio, size_t length);

/* Fills the platform; `uio` must outlive it. */
void ow_uio_platform(struct ow_platform *platform, struct ow_uio *uio);

#ifdef __cplusplus
}
#endif

#endif
