/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * What /dev/outwork understands: between the kernel module and processes that own a queue.
 *
 * The layout is the same for processes of 32 and 64 bits.
 */
#ifndef OUTWORK_LINUX_ABI_H
#define OUTWORK_LINUX_ABI_H

#include "outwork/device.h"

#ifdef __KERNEL__
#include <linux/ioctl.h>
#else
#include <sys/ioctl.h>
#endif

/* Changes with every layout below, that of struct ow_capabilities included. */
#define OW_LINUX_VERSION 2u

/* Gives this file a queue, and memory that the queue may access. Errors: EPROTO (another version),
 * EBUSY (no queue is free, or the file has one), EDQUOT (more memory than a queue may have), ENOMEM
 * (no memory, or RLIMIT_MEMLOCK), EOPNOTSUPP (an eventfd, but the queue has no interrupt).
 */
struct ow_linux_open {
  uint32_t version;                    /* in: OW_LINUX_VERSION */
  uint32_t memory_bytes;               /* in: a multiple of 4096 */
  int32_t event;                       /* in: eventfd that is told of interrupts; -1: none */
  uint32_t queue;                      /* out: number of the queue */
  uint32_t address_low, address_high;  /* out: of the memory, as the device sees it */
  struct ow_capabilities capabilities; /* out */
  uint8_t reserved[16];
};

/* Loads a key for this queue only, into a slot that the module chooses, or reserves the slot for
 * one that a job of this queue makes (ow_key_reserve(); `key` is not read). Errors: EDQUOT (the
 * queue has as many slots as it may), ENOSPC (no slot is free), EKEYREJECTED (the device has no
 * such keys), EOPNOTSUPP (nor makes any), EINVAL.
 */
struct ow_linux_key {
  uint8_t opcode, curve, key_len, two_keys; /* in: struct ow_key_material */
  uint8_t encrypt, decrypt, mac, lock;      /* in: struct ow_key_properties */
  uint8_t key[64], tweak_key[32];           /* in */
  uint16_t generation;                      /* out */
  uint8_t slot;                             /* out */
  uint8_t reserve;                          /* in: struct ow_key_material */
};

/* Zeroises a key of this queue. Errors: EACCES (not one of this queue), ENOKEY (another key by
 * now).
 */
struct ow_linux_handle {
  uint16_t generation;
  uint8_t slot;
  uint8_t reserved;
};

#define OW_LINUX_OPEN        _IOWR('o', 0x40, struct ow_linux_open)
#define OW_LINUX_KEY_LOAD    _IOWR('o', 0x41, struct ow_linux_key)
#define OW_LINUX_KEY_ZEROISE _IOW('o', 0x42, struct ow_linux_handle)
/* Permits one interrupt, of which the eventfd is told. */
#define OW_LINUX_ARM _IO('o', 0x43)

/* What mmap() maps at these offsets: the queue's page of registers, and the memory. */
#define OW_LINUX_MAP_REGISTERS 0u
#define OW_LINUX_MAP_MEMORY    4096u

#endif
