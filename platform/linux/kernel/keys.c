// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Keys in the device's slots: a key gets a slot when it is used again, and loses it to another one
 * when it has not been used for long. A key without a slot is sent with its jobs; a pair of keys
 * gets one with its first use, and without one software does the job. Slots of protected keys
 * (protected.c) and of processes stay theirs.
 */
#include <crypto/algapi.h>
#include <linux/string.h>

#include "internal.h"
#include "outwork_linux.h"

/* Uses before a key gets a slot: loading costs some 30 register accesses. */
#define OWK_USES_BEFORE_SLOT 2u
/* A key keeps its slot for so many uses of other keys: with more keys than slots in turn, most are
 * sent with their jobs instead of all of them being loaded again and again.
 */
#define OWK_USES_TO_KEEP_SLOT 64u

void owk_keys_init(struct owk_keys *keys, unsigned int slots)
{
	spin_lock_init(&keys->lock);
	keys->slots = min(slots, OWK_SLOTS_MAX);
}

void owk_key_set(struct owk_key *key, const u8 *bytes, unsigned int len, bool two_keys)
{
	unsigned int one = two_keys ? len / 2 : len;

	owk_key_clear(key);
	memcpy(key->bytes, bytes, len);
	key->two_keys = two_keys;
	key->len = one;
	/* Both are no keys for the device (IEEE 1619, FIPS 140 IG C.I). */
	if (two_keys && (one == 24 || !crypto_memneq(bytes, bytes + one, one)))
		key->len = 0;
}

void owk_key_set_mac(struct owk_key *key, const u8 *bytes, unsigned int len)
{
	owk_key_set(key, bytes, len, false);
	key->is_mac = true;
}

void owk_key_set_kind(struct owk_key *key, u8 opcode, const u8 *bytes, unsigned int len)
{
	owk_key_set(key, bytes, len, false);
	key->opcode = opcode;
}

void owk_key_set_pair(struct owk_key *key, u8 opcode, const u8 *bytes, unsigned int len,
		      const u8 *mac, unsigned int mac_len)
{
	owk_key_set_kind(key, opcode, bytes, len);
	key->is_pair = true;
	if (mac_len > sizeof(key->mac)) {
		key->len = 0;
		return;
	}
	memcpy(key->mac, mac, mac_len);
	key->mac_len = mac_len;
}

/* Takes a slot from the key that is in it. */
static void owk_slot_take(struct owk_keys *keys, struct owk_slot *slot)
{
	keys->protected -= slot->key->is_protected;
	slot->key->in_slot = false;
	slot->key = NULL;
}

static void owk_slot_zeroise(struct owk_device *device, u8 number)
{
	if (ow_key_zeroise(&device->device, number) != OW_OK)
		dev_err_ratelimited(device->dev, "slot %u was not zeroised\n", number);
}

void owk_key_unload(struct owk_key *key)
{
	struct owk_device *device;

	rcu_read_lock();
	device = rcu_dereference(owk_key_device);
	if (device) {
		spin_lock_bh(&device->keys.lock);
		if (key->in_slot) {
			owk_slot_take(&device->keys, &device->keys.slot[key->slot]);
			owk_slot_zeroise(device, key->slot);
		}
		key->uses = 0;
		spin_unlock_bh(&device->keys.lock);
	}
	rcu_read_unlock();
}

void owk_key_clear(struct owk_key *key)
{
	owk_key_unload(key);
	memzero_explicit(key->bytes, sizeof(key->bytes));
	memzero_explicit(key->mac, sizeof(key->mac));
	key->len = 0;
	key->opcode = OW_OP_NOP;
	key->is_pair = false;
	key->is_mac = false;
	key->mac_len = 0;
}

struct owk_slot *owk_slot_find(struct owk_keys *keys, u32 keep)
{
	struct owk_slot *found = NULL;
	unsigned int i;

	for (i = 0; i < keys->slots; i++) {
		struct owk_slot *slot = &keys->slot[i];

		if (slot->in_flight || slot->process)
			continue;
		if (!slot->key)
			return slot;
		if (slot->key->is_protected || keys->clock - slot->last_use < keep)
			continue;
		if (!found || keys->clock - slot->last_use > keys->clock - found->last_use)
			found = slot;
	}
	return found;
}

/* Takes a slot from the key that is in it, for another one. */
static void owk_slot_evict(struct owk_keys *keys, struct owk_slot *slot)
{
	if (!slot->key)
		return;
	slot->key->uses = 0;
	owk_slot_take(keys, slot);
	keys->evictions++;
}

static ow_status owk_key_load(struct owk_device *device, const struct owk_key *key, u8 number)
{
	const struct ow_key_properties properties = {
		.queues = BIT(device->queues) - 1,
		.encrypt = true,
		.decrypt = !key->is_mac,
		.mac = key->is_mac,
		.lock = key->is_protected,
	};

	if (key->is_pair)
		return ow_key_load_pair(&device->device, number, &properties, key->opcode,
					key->bytes, key->len, key->mac, key->mac_len);
	if (key->opcode != OW_OP_NOP)
		return ow_key_load_kind(&device->device, number, &properties, key->opcode,
					key->bytes, key->len);
	return ow_key_load(&device->device, number, &properties, key->bytes, key->len,
			   key->two_keys ? key->bytes + key->len : NULL);
}

ow_status owk_slot_fill(struct owk_device *device, struct owk_key *key, struct owk_slot *slot)
{
	struct owk_keys *keys = &device->keys;
	u8 number = slot - keys->slot;
	struct ow_key_info info;
	ow_status status;

	owk_slot_evict(keys, slot);
	status = owk_key_load(device, key, number);
	if (status == OW_OK)
		status = ow_key_query(&device->device, &info, number);
	if (status != OW_OK || !info.valid) {
		/* Nobody would know of the key, which may be there, or still come. */
		owk_slot_zeroise(device, number);
		return status == OW_OK ? OW_DEVICE_ERROR : status;
	}
	slot->key = key;
	key->slot = number;
	key->generation = info.generation;
	key->in_slot = true;
	keys->loads++;
	keys->protected += key->is_protected;
	return OW_OK;
}

bool owk_key_use(struct owk_device *device, struct owk_key *key, struct ow_key *named)
{
	struct owk_keys *keys = &device->keys;
	struct owk_slot *slot;
	bool in_slot;

	spin_lock_bh(&keys->lock);
	keys->clock++;
	key->uses++;
	if (!key->in_slot && !key->is_protected &&
	    (key->is_pair || key->uses >= OWK_USES_BEFORE_SLOT)) {
		slot = owk_slot_find(keys, OWK_USES_TO_KEEP_SLOT);
		if (slot)
			owk_slot_fill(device, key, slot);
	}
	in_slot = key->in_slot;
	if (in_slot) {
		slot = &keys->slot[key->slot];
		slot->in_flight++;
		slot->last_use = keys->clock;
		keys->protected_jobs += key->is_protected;
		*named = (struct ow_key){ .slot = key->slot, .generation = key->generation };
	} else if (!owk_key_needs_slot(key)) {
		keys->inline_jobs++;
		*named = (struct ow_key){
			.bytes = key->bytes,
			.key_len = key->len,
			.tweak_bytes = key->two_keys ? key->bytes + key->len : NULL,
		};
	}
	spin_unlock_bh(&keys->lock);
	return in_slot;
}

void owk_slot_check(struct owk_device *device, u8 number)
{
	struct owk_slot *slot = &device->keys.slot[number];
	struct ow_key_info info;

	if (!slot->key || (ow_key_query(&device->device, &info, number) == OW_OK && info.valid &&
			   info.generation == slot->key->generation))
		return;
	slot->key->uses = OWK_USES_BEFORE_SLOT; /* it had one: it gets one with its next use */
	owk_slot_take(&device->keys, slot);
}

void owk_key_release(struct owk_device *device, u8 slot, bool denied)
{
	struct owk_keys *keys = &device->keys;

	spin_lock_bh(&keys->lock);
	keys->slot[slot].in_flight--;
	if (denied)
		owk_slot_check(device, slot);
	spin_unlock_bh(&keys->lock);
}

void owk_keys_forget(struct owk_device *device)
{
	struct owk_keys *keys = &device->keys;
	unsigned int i;

	spin_lock_bh(&keys->lock);
	for (i = 0; i < keys->slots; i++) {
		if (!keys->slot[i].key)
			continue;
		keys->slot[i].key->uses = 0;
		owk_slot_take(keys, &keys->slot[i]);
		ow_key_zeroise(&device->device, i);
	}
	spin_unlock_bh(&keys->lock);
}

void owk_keys_recover(struct owk_device *device, unsigned int queue)
{
	u32 offset = OW_QUEUE_CONFIG_OFFSET + queue * OW_QUEUE_CONFIG_STRIDE +
		     OW_QUEUE_CONFIG_GRANT_OFFSET;
	unsigned int i;

	spin_lock_bh(&device->keys.lock);
	if (!(ow_read(&device->platform, offset) & OW_QUEUE_CONFIG_GRANT_ALLOW_MASK)) {
		ow_queue_grant(&device->device, queue, NULL);
		ow_device_seed(&device->device);
		for (i = 0; i < device->keys.slots; i++)
			owk_slot_check(device, i);
	}
	spin_unlock_bh(&device->keys.lock);
}

/* Returns whether a slot is known to be empty: a load that took too long may still end later. */
static bool owk_slot_is_empty(struct owk_device *device, u8 slot)
{
	struct ow_key_info info;

	return ow_key_query(&device->device, &info, slot) == OW_OK && !info.valid &&
	       !info.reserved &&
	       !(ow_read(&device->platform, OW_GLOBAL_KEY_STATUS_OFFSET) &
		 OW_GLOBAL_KEY_STATUS_BUSY_MASK);
}

/* Loads into a slot of the process's own, under the lock. Without success the slot is given back,
 * unless it is not known to be empty.
 */
static int owk_process_slot_load(struct owk_process *process, struct owk_slot *slot,
				 const struct ow_key_material *material, struct ow_linux_key *key)
{
	struct owk_device *device = process->device;
	u8 number = slot - device->keys.slot;
	struct ow_key_info info;
	ow_status status;

	slot->process = process->index + 1;
	process->slots++;
	status = ow_key_load_material(&device->device, number, material);
	if (status == OW_OK)
		status = ow_key_query(&device->device, &info, number);
	if (status == OW_OK && (material->reserve ? info.reserved : info.valid)) {
		key->slot = number;
		key->generation = info.generation;
		return 0;
	}
	if (owk_slot_is_empty(device, number)) {
		slot->process = 0;
		process->slots--;
	}
	if (status == OW_BAD_ARGUMENT)
		return -EINVAL;
	if (status == OW_UNSUPPORTED)
		return -EOPNOTSUPP;
	return status == OW_KEY_REFUSED ? -EKEYREJECTED : -EIO;
}

int owk_process_key_load(struct owk_process *process, struct ow_linux_key *key)
{
	const struct ow_key_material material = {
		.properties = {
			.queues = BIT(process->index),
			.encrypt = key->encrypt,
			.decrypt = key->decrypt,
			.mac = key->mac,
			.lock = key->lock,
		},
		.opcode = key->opcode,
		.curve = key->curve,
		.key_len = key->key_len,
		.reserve = key->reserve,
		.key = key->reserve ? NULL : key->key,
		.tweak_key = key->two_keys ? key->tweak_key : NULL,
	};
	struct owk_keys *keys = &process->device->keys;
	struct owk_slot *slot;
	int error;

	if (key->key_len > sizeof(key->key) ||
	    (key->two_keys && key->key_len > sizeof(key->tweak_key)))
		return -EINVAL;
	spin_lock_bh(&keys->lock);
	slot = owk_slot_find(keys, 0);
	if (process->slots >= process->device->processes.slots_each) {
		error = -EDQUOT;
	} else if (!slot) {
		error = -ENOSPC;
	} else {
		owk_slot_evict(keys, slot);
		error = owk_process_slot_load(process, slot, &material, key);
	}
	spin_unlock_bh(&keys->lock);
	return error;
}

int owk_process_key_zeroise(struct owk_process *process, const struct ow_linux_handle *handle)
{
	const struct ow_key_handle named = {
		.slot = handle->slot, .generation = handle->generation,
	};
	struct owk_keys *keys = &process->device->keys;
	int error = -EACCES;

	spin_lock_bh(&keys->lock);
	if (handle->slot < keys->slots &&
	    keys->slot[handle->slot].process == process->index + 1) {
		ow_status status = ow_key_zeroise_handle(&process->device->device, &named);

		error = status == OW_OK ? 0 : status == OW_KEY_GONE ? -ENOKEY : -EIO;
		if (!error && owk_slot_is_empty(process->device, handle->slot)) {
			keys->slot[handle->slot].process = 0;
			process->slots--;
		}
	}
	spin_unlock_bh(&keys->lock);
	return error;
}

bool owk_process_keys_clear(struct owk_process *process)
{
	struct owk_keys *keys = &process->device->keys;
	unsigned int i;

	spin_lock_bh(&keys->lock);
	for (i = 0; i < keys->slots; i++) {
		if (keys->slot[i].process != process->index + 1)
			continue;
		if (ow_key_zeroise(&process->device->device, i) != OW_OK ||
		    !owk_slot_is_empty(process->device, i))
			continue;
		keys->slot[i].process = 0;
		process->slots--;
	}
	spin_unlock_bh(&keys->lock);
	return !process->slots;
}
