/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The device for its owner: capabilities, key slots, and the grants of the queues.
 *
 * These calls use the global register page; call them from one thread at a time. Queues are
 * independent of them and of each other (queue.h).
 */
#ifndef OUTWORK_DEVICE_H
#define OUTWORK_DEVICE_H

#include "outwork/platform.h"
#include "outwork/spec.h"
#include "outwork/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_WINDOWS_MAX 4u

/* What this build of the hardware contains. */
struct ow_capabilities {
  uint16_t version_major; /* of the register interface */
  uint8_t version_minor;
  uint8_t version_patch;
  uint8_t queues;
  uint8_t streams; /* jobs in flight */
  uint8_t key_slots;
  uint8_t bus_bytes;
  uint8_t ring_log2_max;
  uint8_t windows;  /* per queue */
  uint32_t engines; /* bit n is engine n of enum ow_engine */
  /* The engines' capability registers. OW_FIELD(capabilities.engine.aes, OW_GLOBAL_AES_STAGES), for
   * example, is a field of one. */
  struct ow_engine_capabilities engine;
  bool made_keys; /* jobs can make keys for slots: ow_key_reserve() */
};

/* Caller-owned; fill it with ow_device_open or ow_device_attach. */
struct ow_device {
  const struct ow_platform *platform;
  struct ow_capabilities capabilities;
  bool owner;          /* the global page may be used */
  uint32_t timeout_us; /* limit for commands to the device; may be changed */
};

/* Checks that a compatible device is present, reads its capabilities, and seeds it
 * (ow_device_seed()). Without entropy everything works that needs no seed. `platform` must outlive
 * the device. OW_NO_DEVICE: no device, or one with another interface version. */
ow_status ow_device_open(struct ow_device *device, const struct ow_platform *platform);
/* Writes new entropy into the device, from which it derives the key that seals the states of
 * messages in pieces under keys in slots; states saved before are lost. Call it again after tamper.
 * OW_UNSUPPORTED: the platform has no entropy; then such messages end with OW_BAD_STATE. */
ow_status ow_device_seed(struct ow_device *device);
/* Opens the device for a process that has one queue page only; `capabilities` come from the owner.
 */
ow_status ow_device_attach(struct ow_device *device, const struct ow_platform *platform,
                           const struct ow_capabilities *capabilities);
/* Zeroises every key and revokes the grant of every queue. Close the queues first. */
ow_status ow_device_close(struct ow_device *device);
/* Returns whether this build has an opcode (enum ow_opcode) in that direction. */
bool ow_device_supports(const struct ow_device *device, uint8_t opcode, bool decrypt);
/* Returns the device cycles since its reset. */
uint64_t ow_device_cycles(const struct ow_device *device);
/* Returns whether the tamper input was active since reset; then all keys have been zeroised. */
bool ow_device_tampered(const struct ow_device *device);

/* Permissions of a key. */
struct ow_key_properties {
  uint8_t queues; /* bit n: queue n may use it */
  bool encrypt;
  bool decrypt;
  bool mac;  /* CMAC, HMAC, KMAC, and with `encrypt` GMAC: compute and verify */
  bool lock; /* refuse loads into this slot until the key is zeroised */
};

/* Names one key in a slot: never matches a key that is loaded there later. */
struct ow_key_handle {
  uint8_t slot;
  uint16_t generation; /* not 0 */
};

struct ow_key_info {
  bool valid;
  bool reserved; /* for a key that a job makes; not valid before. The rest is that key's */
  bool locked;
  bool two_keys;       /* for XTS */
  uint8_t key_len;     /* bytes of one AES key; not known for other keys */
  uint8_t kind;        /* 0: AES; else the only opcode that may use it */
  uint16_t generation; /* changes with every load and zeroise of the slot; never 0 */
  struct ow_key_properties properties;
};

/* Loads an AES key of 16, 24 or 32 bytes into a slot. With `tweak_key` (same length, else NULL) the
 * slot serves XTS only; equal keys are refused (IEEE 1619, FIPS 140 IG C.I). The driver keeps no
 * copy. Jobs that use the slot's former key end with OW_KEY_GONE. OW_KEY_REFUSED: the slot is
 * locked. */
ow_status ow_key_load(struct ow_device *device, uint8_t slot,
                      const struct ow_key_properties *properties, const uint8_t *key,
                      size_t key_len, const uint8_t *tweak_key);
/* Longest key of ow_key_load_kind(), bytes. */
#define OW_KEY_KIND_MAX 64u
/* Loads a key that serves `opcode` only, an HMAC or KMAC. OW_KEY_REFUSED: the slot is locked, or no
 * engine of this build has such keys. */
ow_status ow_key_load_kind(struct ow_device *device, uint8_t slot,
                           const struct ow_key_properties *properties, uint8_t opcode,
                           const uint8_t *key, size_t key_len);
/* A key of any kind. */
struct ow_key_material {
  struct ow_key_properties properties;
  uint8_t opcode; /* the only one that may use the key; OW_OP_NOP: an AES key, for all of AES */
  /* enum ow_curve, if the opcode is EC_SIGN or EC_MULTIPLY; of MLKEM_DECAPSULATE (key: d, z) and
   * MLDSA_SIGN (key: xi) the parameter set, from the smallest, 0, on */
  uint8_t curve;
  uint8_t key_len;
  /* A job makes the key, of `key_len` bytes: the slot is reserved as by ow_key_reserve(). `key` and
   * `tweak_key` are NULL. */
  bool reserve;
  const uint8_t *key;
  const uint8_t *tweak_key; /* of an AES key for XTS, else NULL */
};
/* Returns whether the material is complete, and can be copied into fields of these lengths. For
 * what hands keys to the owner of a device. */
bool ow_key_material_fits(const struct ow_key_material *material, size_t key_len,
                          size_t tweak_key_len);
/* Loads a key of any kind, or reserves the slot for it, as the call for that kind does. */
ow_status ow_key_load_material(struct ow_device *device, uint8_t slot,
                               const struct ow_key_material *material);
/* The same into the first empty slot. OW_BUSY: no slot is empty. */
ow_status ow_key_load_anywhere(struct ow_device *device, struct ow_key_handle *handle,
                               const struct ow_key_material *material);
/* Reserves a slot for one key that a job makes (ow_mlkem_slot_decapsulate_to()) and that never
 * leaves the device; `handle` names it before and after. An AES key of 16, 24 or 32 bytes (`opcode`
 * is OW_OP_NOP), or one of 16 to 32 bytes that serves `opcode` only: the first bytes of what the
 * job makes. Jobs that use the slot's former key end with OW_KEY_GONE. OW_KEY_REFUSED: the slot is
 * locked. OW_UNSUPPORTED: no engine of this build makes keys. */
ow_status ow_key_reserve(struct ow_device *device, struct ow_key_handle *handle, uint8_t slot,
                         const struct ow_key_properties *properties, uint8_t opcode,
                         size_t key_len);
/* Zeroises a slot, reserved or not. Does not wait for jobs: those that use the key end with
 * OW_KEY_GONE. */
ow_status ow_key_zeroise(struct ow_device *device, uint8_t slot);
/* The same for this key only, or its reservation. OW_KEY_GONE: the slot is empty or holds another
 * key, which stays. */
ow_status ow_key_zeroise_handle(struct ow_device *device, const struct ow_key_handle *handle);
/* Zeroises every slot, also locked ones, and the seed; then seeds the device again. */
ow_status ow_key_zeroise_all(struct ow_device *device);
/* Reads the properties of a slot's key. The key itself cannot be read. */
ow_status ow_key_query(struct ow_device *device, struct ow_key_info *info, uint8_t slot);

/* A range of addresses that a queue may access, both ends included. */
struct ow_window {
  uint64_t first;
  uint64_t last;
  bool read;
  bool write;
};

struct ow_grant {
  bool priority; /* its jobs start before those of queues without it; running, they share */
  uint32_t watchdog_cycles; /* limit for one job; 0: none */
  uint8_t windows_len;      /* 0: any address */
  struct ow_window windows[OW_WINDOWS_MAX];
};

/* Grants a queue. NULL: any address, no priority, no watchdog. Change the grant of a queue only
 * while it is idle. */
ow_status ow_queue_grant(struct ow_device *device, unsigned queue, const struct ow_grant *grant);
/* Revokes the grant. Reset or close the queue first. */
ow_status ow_queue_revoke(struct ow_device *device, unsigned queue);

#ifdef __cplusplus
}
#endif

#endif
