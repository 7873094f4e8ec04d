/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The device as its owner sees it: what it can do, its key slots, and what each queue is granted.
 *
 * These calls use the global register page and are for one thread at a time. Queues are independent
 * of them and of each other (queue.h).
 */
#ifndef OUTWORK_DEVICE_H
#define OUTWORK_DEVICE_H

#include "outwork/platform.h"
#include "outwork/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_WINDOWS_MAX 4u

/* What this build of the hardware contains. Discover, never assume. */
struct ow_capabilities {
  uint16_t version_major; /* of the register interface */
  uint8_t version_minor;
  uint8_t version_patch;
  uint8_t queues;
  uint8_t streams; /* jobs in flight */
  uint8_t key_slots;
  uint8_t bus_bytes;
  uint8_t ring_log2_max;
  uint8_t windows;           /* per queue */
  uint8_t aes_stages;        /* rounds unrolled */
  uint8_t aes_version;       /* of the engine */
  bool aes_decrypt;          /* inverse cipher: ECB, CBC and XTS decryption */
  uint16_t aes_modes;        /* bit n is opcode AES_ECB + n */
  uint16_t hash_algorithms;  /* bit n is opcode SHA1 + n, and HMAC_SHA1 + n */
  uint16_t radio_algorithms; /* bit n is opcode 0x40 + n */
  uint8_t radio_lanes;       /* packets side by side */
  uint16_t des_modes;        /* bit n is opcode DES_ECB + n; legacy */
  uint16_t pk_operations;    /* bit n is opcode MODEXP + n */
  uint8_t pk_curves;         /* bit n is curve n of enum ow_curve */
  uint8_t pk_rows;           /* of the multiplier: 8 is fastest */
  uint8_t pk_rsa_keys;       /* that slots can hold */
  uint32_t engines;          /* bit n is engine n of enum ow_engine */
};

/* Caller-owned; fill it with ow_device_open or ow_device_attach. */
struct ow_device {
  const struct ow_platform *platform;
  struct ow_capabilities capabilities;
  bool owner;          /* the global page may be used */
  uint32_t timeout_us; /* for commands to the device; may be changed */
};

/* Checks that the device is there and compatible, reads its capabilities, and gives it a seed
 * (ow_device_seed); without entropy it works but for what needs one. `platform` must outlive the
 * device. */
ow_status ow_device_open(struct ow_device *device, const struct ow_platform *platform);
/* Gives the device new entropy: the key of the states that it saves under keys in slots. States
 * saved before are lost. After tamper, the owner's to do. OW_UNSUPPORTED: the platform has no
 * entropy; then messages in pieces under keys in slots end OW_BAD_STATE. */
ow_status ow_device_seed(struct ow_device *device);
/* For a process that was given one queue page only: the owner tells it the capabilities. */
ow_status ow_device_attach(struct ow_device *device, const struct ow_platform *platform,
                           const struct ow_capabilities *capabilities);
/* Zeroises every key and takes every queue's grant away. Close the queues first. */
ow_status ow_device_close(struct ow_device *device);
/* Whether this build can run an opcode (enum ow_opcode), in that direction. */
bool ow_device_supports(const struct ow_device *device, uint8_t opcode, bool decrypt);
/* Device cycles since its reset. */
uint64_t ow_device_cycles(const struct ow_device *device);
/* The tamper input has been seen since reset; keys are gone. */
bool ow_device_tampered(const struct ow_device *device);

/* What a key may be used for, and by whom. */
struct ow_key_properties {
  uint8_t queues; /* bit n: queue n may use it */
  bool encrypt;
  bool decrypt;
  bool mac;  /* CMAC, HMAC, KMAC, and with `encrypt` GMAC: compute and verify */
  bool lock; /* no later load may replace it until it is zeroised */
};

/* A key in a slot, and never another one that the slot holds later. */
struct ow_key_handle {
  uint8_t slot;
  uint16_t generation; /* not 0 */
};

struct ow_key_info {
  bool valid;
  bool locked;
  bool two_keys;       /* for XTS */
  uint8_t key_len;     /* bytes of one AES key; the length of other keys is not told */
  uint8_t kind;        /* 0: AES; else the opcode that may use it */
  uint16_t generation; /* another one with every load and zeroise of the slot; never 0 */
  struct ow_key_properties properties;
};

/* Writes a key of 16, 24 or 32 bytes into a slot. With `tweak_key` (same length, else NULL) the
 * slot serves XTS only; equal keys are refused (IEEE 1619, FIPS 140 IG C.I). The driver keeps no
 * copy. Jobs that use the key that was in the slot end OW_KEY_GONE. */
ow_status ow_key_load(struct ow_device *device, uint8_t slot,
                      const struct ow_key_properties *properties, const uint8_t *key,
                      size_t key_len, const uint8_t *tweak_key);
/* Longest key of ow_key_load_kind. */
#define OW_KEY_KIND_MAX 64u
/* Writes a key that is not for AES: it serves `opcode` only, HMAC or KMAC. OW_KEY_REFUSED: no
 * engine of this build takes such a key. */
ow_status ow_key_load_kind(struct ow_device *device, uint8_t slot,
                           const struct ow_key_properties *properties, uint8_t opcode,
                           const uint8_t *key, size_t key_len);
/* A key of whatever kind, for who hands keys on. */
struct ow_key_material {
  struct ow_key_properties properties;
  uint8_t opcode; /* the only one that may use it; OW_OP_NOP: an AES key, for any of AES */
  uint8_t curve;  /* enum ow_curve, where the opcode is EC_SIGN or EC_MULTIPLY */
  uint8_t key_len;
  const uint8_t *key;
  const uint8_t *tweak_key; /* of an AES key for XTS, else NULL */
};
/* ow_key_load, ow_key_load_kind or ow_ec_slot_load (pk.h), whichever the key is for. */
ow_status ow_key_load_material(struct ow_device *device, uint8_t slot,
                               const struct ow_key_material *material);
/* The same into the first slot that is empty. OW_BUSY: there is none. */
ow_status ow_key_load_anywhere(struct ow_device *device, struct ow_key_handle *handle,
                               const struct ow_key_material *material);
/* Never waits for jobs: those that use the key end OW_KEY_GONE. */
ow_status ow_key_zeroise(struct ow_device *device, uint8_t slot);
/* The same for this key only. OW_KEY_GONE: the slot is empty, or holds another key, which stays. */
ow_status ow_key_zeroise_handle(struct ow_device *device, const struct ow_key_handle *handle);
/* Every slot, locked ones too, and the seed, which is drawn anew. */
ow_status ow_key_zeroise_all(struct ow_device *device);
/* What a slot holds; never the key. */
ow_status ow_key_query(struct ow_device *device, struct ow_key_info *info, uint8_t slot);

/* Addresses a queue may use, both ends included. */
struct ow_window {
  uint64_t first;
  uint64_t last;
  bool read;
  bool write;
};

struct ow_grant {
  bool priority; /* its jobs start before those of queues without it; running, they share */
  uint32_t watchdog_cycles; /* a job may take so long; 0: no limit */
  uint8_t windows_len;      /* 0: any address */
  struct ow_window windows[OW_WINDOWS_MAX];
};

/* Lets a queue run. NULL: any address, no priority, no watchdog. Change the grant of a queue only
 * while it is idle. */
ow_status ow_queue_grant(struct ow_device *device, unsigned queue, const struct ow_grant *grant);
/* Takes the grant back. Reset or close the queue first. */
ow_status ow_queue_revoke(struct ow_device *device, unsigned queue);

#ifdef __cplusplus
}
#endif

#endif
