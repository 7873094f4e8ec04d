/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * Keys: in the device's slots, or sent with each job.
 */
#ifndef OUTWORK_KEYS_LINUX_H
#define OUTWORK_KEYS_LINUX_H

#include <linux/spinlock.h>

#include "outwork/linux_abi.h"
#include "outwork/outwork.h"

#define OWK_SLOTS_MAX 64u

struct owk_device;
struct owk_process;

/* A key of a transform. It is in a key slot, or sent with each job (inline). */
struct owk_key {
	u8 bytes[64];		/* XTS: both keys, one after the other */
	u8 len;			/* bytes of one key; 0: the device cannot have it */
	bool two_keys;
	bool is_mac;		/* for CMAC and GMAC */
	u8 opcode;		/* the only one that the key is for; OW_OP_NOP: AES in any mode */
	bool is_pair;		/* AES and HMAC: in a slot or nowhere */
	/* Of protected.c: loaded into its slot once, and not in `bytes`. */
	bool is_protected;
	bool is_revoked;	/* a protected key that its owner has given up */
	u8 mac[OW_KEY_KIND_MAX], mac_len;	/* of a pair */
	bool in_slot;		/* this and the next two: under owk_keys.lock */
	u8 slot;
	unsigned int uses;
	u16 generation;
};

struct owk_slot {
	struct owk_key *key;	/* of the crypto API */
	u8 process;		/* number of the process queue that has it, plus 1; 0: none */
	unsigned int in_flight;	/* jobs that use it */
	u32 last_use;		/* owk_keys.clock at that time */
};

/* The device's key slots. */
struct owk_keys {
	spinlock_t lock;	/* protects this structure, and the global register page */
	struct owk_slot slot[OWK_SLOTS_MAX];
	unsigned int slots;
	u32 clock;		/* counts uses of keys */
	u64 loads, evictions, inline_jobs;
	unsigned int protected;	/* slots with protected keys */
	u64 protected_jobs;
};

void owk_keys_init(struct owk_keys *keys, unsigned int slots);
void owk_key_set(struct owk_key *key, const u8 *bytes, unsigned int len, bool two_keys);
/* Sets a key of AES for CMAC and GMAC. */
void owk_key_set_mac(struct owk_key *key, const u8 *bytes, unsigned int len);
/* Sets a key for one opcode. */
void owk_key_set_kind(struct owk_key *key, u8 opcode, const u8 *bytes, unsigned int len);
/* Sets the keys of AES with HMAC in one pass. */
void owk_key_set_pair(struct owk_key *key, u8 opcode, const u8 *bytes, unsigned int len,
		      const u8 *mac, unsigned int mac_len);
void owk_key_clear(struct owk_key *key);
/* Names the key in a job. Returns whether it is in a slot, which owk_key_release() gives back. A
 * pair or a protected key that is in none has no name: it is not for the device now.
 */
bool owk_key_use(struct owk_device *device, struct owk_key *key, struct ow_key *named);
/* Gives a slot back. With `denied` the device has refused the key in it: if it is no longer there,
 * it is loaded again with its next use.
 */
void owk_key_release(struct owk_device *device, u8 slot, bool denied);
/* Takes the slots from every key of the crypto API. */
void owk_keys_forget(struct owk_device *device);
/* If the device was reset and has forgotten the grant of a queue of the crypto API: grants it
 * again, seeds the device, and has keys loaded again when they are used.
 */
void owk_keys_recover(struct owk_device *device, unsigned int queue);
/* Loads and zeroises a key of a process. Returns 0 or an error of linux_abi.h. */
int owk_process_key_load(struct owk_process *process, struct ow_linux_key *key);
int owk_process_key_zeroise(struct owk_process *process, const struct ow_linux_handle *handle);
/* Returns whether every slot of the process is known to be empty. */
bool owk_process_keys_clear(struct owk_process *process);
/* Returns whether a key that is in no slot cannot be sent with a job. */
static inline bool owk_key_needs_slot(const struct owk_key *key)
{
	return key->is_pair || key->is_protected;
}

/* Under owk_keys.lock: an empty slot, or the one whose key was not used for longest, if these are
 * `keep` uses of other keys. NULL: none.
 */
struct owk_slot *owk_slot_find(struct owk_keys *keys, u32 keep);
/* Under owk_keys.lock: loads a key into a slot that was found, in place of the key there.
 * After a failure the slot is empty.
 */
ow_status owk_slot_fill(struct owk_device *device, struct owk_key *key, struct owk_slot *slot);
/* Under owk_keys.lock: takes the slot from its key, if it is no longer in it. */
void owk_slot_check(struct owk_device *device, u8 number);
/* Takes the key out of its slot, if there is a device. One that was withdrawn has forgotten it. */
void owk_key_unload(struct owk_key *key);

#endif
