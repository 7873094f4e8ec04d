// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Keys in the device's slots: a key gets a slot when it is used again, and loses it to another one
 * when it has not been used for long. A key without a slot is sent with its jobs.
 */
#include <crypto/algapi.h>
#include <linux/string.h>

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

void owk_key_set(struct owk_device *device, struct owk_key *key, const u8 *bytes,
		 unsigned int len, bool two_keys)
{
	unsigned int one = two_keys ? len / 2 : len;

	owk_key_clear(device, key);
	memcpy(key->bytes, bytes, len);
	key->two_keys = two_keys;
	key->len = one;
	/* Both are no keys for the device (IEEE 1619, FIPS 140 IG C.I). */
	if (two_keys && (one == 24 || !crypto_memneq(bytes, bytes + one, one)))
		key->len = 0;
}

void owk_key_clear(struct owk_device *device, struct owk_key *key)
{
	struct owk_keys *keys = &device->keys;

	spin_lock_bh(&keys->lock);
	if (key->in_slot) {
		keys->slot[key->slot].key = NULL;
		ow_key_zeroise(&device->device, key->slot);
	}
	key->in_slot = false;
	key->uses = 0;
	spin_unlock_bh(&keys->lock);
	memzero_explicit(key->bytes, sizeof(key->bytes));
	key->len = 0;
}

/* Returns an empty slot, or the one whose key was not used for longest, if that is long. */
static struct owk_slot *owk_slot_find(struct owk_keys *keys)
{
	struct owk_slot *found = NULL;
	unsigned int i;

	for (i = 0; i < keys->slots; i++) {
		struct owk_slot *slot = &keys->slot[i];

		if (slot->in_flight)
			continue;
		if (!slot->key)
			return slot;
		if (keys->clock - slot->last_use < OWK_USES_TO_KEEP_SLOT)
			continue;
		if (!found || keys->clock - slot->last_use > keys->clock - found->last_use)
			found = slot;
	}
	return found;
}

static void owk_slot_load(struct owk_device *device, struct owk_key *key)
{
	struct ow_key_properties properties = {
		.queues = BIT(device->queues) - 1, .encrypt = true, .decrypt = true,
	};
	struct owk_keys *keys = &device->keys;
	struct owk_slot *slot = owk_slot_find(keys);
	struct ow_key_info info;
	u8 number;

	if (!slot)
		return;
	number = slot - keys->slot;
	if (slot->key) {
		slot->key->in_slot = false;
		slot->key->uses = 0;
		slot->key = NULL;
		keys->evictions++;
	}
	if (ow_key_load(&device->device, number, &properties, key->bytes, key->len,
			key->two_keys ? key->bytes + key->len : NULL) != OW_OK ||
	    ow_key_query(&device->device, &info, number) != OW_OK || !info.valid)
		return;
	slot->key = key;
	key->slot = number;
	key->generation = info.generation;
	key->in_slot = true;
	keys->loads++;
}

bool owk_key_use(struct owk_device *device, struct owk_key *key, struct ow_key *named)
{
	struct owk_keys *keys = &device->keys;
	struct owk_slot *slot;
	bool in_slot;

	spin_lock_bh(&keys->lock);
	keys->clock++;
	key->uses++;
	if (!key->in_slot && key->uses >= OWK_USES_BEFORE_SLOT)
		owk_slot_load(device, key);
	in_slot = key->in_slot;
	if (in_slot) {
		slot = &keys->slot[key->slot];
		slot->in_flight++;
		slot->last_use = keys->clock;
		*named = (struct ow_key){ .slot = key->slot, .generation = key->generation };
	} else {
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

void owk_key_release(struct owk_device *device, u8 slot)
{
	struct owk_keys *keys = &device->keys;

	spin_lock_bh(&keys->lock);
	keys->slot[slot].in_flight--;
	spin_unlock_bh(&keys->lock);
}
