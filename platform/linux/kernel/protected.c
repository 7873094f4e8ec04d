// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Protected keys. Their bytes are wiped as soon as the device has them, so that they are loaded
 * once: a key that has left its slot, for whatever reason, is lost, and every request under it ends
 * with an error. They are found in the slots, by a token; so a token dies with its key.
 */
#include <crypto/aes.h>
#include <crypto/algapi.h>
#include <linux/err.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "protected.h"

#define OWK_TOKEN_VERSION 1u

unsigned int owk_protected_limit(const struct owk_device *device)
{
	const struct owk_processes *processes = &device->processes;
	unsigned int others = processes->queues * processes->slots_each;

	return min(owk_protected_slots, (device->keys.slots - others) / 2);
}

/* Returns whether the bytes are one key of AES, or two for XTS. XTS has no keys of 192 bits. */
static bool owk_protected_fits(unsigned int len, bool two_keys)
{
	if (two_keys)
		return len == 2 * AES_KEYSIZE_128 || len == 2 * AES_KEYSIZE_256;
	return len == AES_KEYSIZE_128 || len == AES_KEYSIZE_192 || len == AES_KEYSIZE_256;
}

static void owk_token_make(struct owk_protected *protected)
{
	struct owk_token *token = &protected->token;

	memcpy(token->magic, OWK_TOKEN_MAGIC, sizeof(token->magic));
	token->version = OWK_TOKEN_VERSION;
	token->slot = protected->key.slot;
	token->generation[0] = protected->key.generation & 0xff;
	token->generation[1] = protected->key.generation >> 8;
	get_random_bytes(token->random, sizeof(token->random));
}

/* Under the lock of the keys. */
static int owk_protected_load(struct owk_device *device, struct owk_protected *protected)
{
	struct owk_keys *keys = &device->keys;
	struct owk_slot *slot;
	ow_status status;

	if (keys->protected >= owk_protected_limit(device))
		return -EDQUOT;
	slot = owk_slot_find(keys, 0);
	if (!slot)
		return -EBUSY;
	status = owk_slot_fill(device, &protected->key, slot);
	if (status == OW_OK) {
		owk_token_make(protected);
		return 0;
	}
	return status == OW_BAD_ARGUMENT ? -EINVAL : -EIO;
}

struct owk_protected *owk_protected_create(const u8 *bytes, unsigned int len, bool two_keys)
{
	struct owk_protected *protected;
	struct owk_device *device;
	int error = -ENODEV;

	if (!owk_protected_fits(len, two_keys))
		return ERR_PTR(-EINVAL);
	if (!rng_is_initialized())
		return ERR_PTR(-EAGAIN);
	protected = kzalloc(sizeof(*protected), GFP_KERNEL);
	if (!protected)
		return ERR_PTR(-ENOMEM);
	refcount_set(&protected->users, 1);
	protected->key.is_protected = true;
	protected->key.two_keys = two_keys;
	protected->key.len = two_keys ? len / 2 : len;
	if (bytes)
		memcpy(protected->key.bytes, bytes, len);
	else
		get_random_bytes(protected->key.bytes, len);
	rcu_read_lock();
	device = rcu_dereference(owk_device);
	if (device) {
		spin_lock_bh(&device->keys.lock);
		error = owk_protected_load(device, protected);
		spin_unlock_bh(&device->keys.lock);
	}
	rcu_read_unlock();
	memzero_explicit(protected->key.bytes, sizeof(protected->key.bytes));
	if (!error)
		return protected;
	owk_protected_put(protected);
	return ERR_PTR(error);
}

void owk_protected_revoke(struct owk_protected *protected)
{
	/* First: a request that finds no key any more says why. */
	WRITE_ONCE(protected->key.is_revoked, true);
	owk_key_unload(&protected->key);
}

void owk_protected_put(struct owk_protected *protected)
{
	if (refcount_dec_and_test(&protected->users))
		kfree_sensitive(protected);
}

/* Under the lock. The device may have lost the key without the module's knowing. */
static bool owk_protected_is_there(struct owk_device *device, const struct owk_key *key)
{
	if (key->in_slot)
		owk_slot_check(device, key->slot);
	return key->in_slot;
}

int owk_protected_token(const struct owk_protected *protected, struct owk_token *token)
{
	struct owk_device *device;
	int error = -ENODEV;

	rcu_read_lock();
	device = rcu_dereference(owk_device);
	if (device) {
		spin_lock_bh(&device->keys.lock);
		error = owk_protected_is_there(device, &protected->key) ? 0 : -ENOKEY;
		spin_unlock_bh(&device->keys.lock);
	}
	rcu_read_unlock();
	if (!error)
		*token = protected->token;
	return error;
}

/* Under the lock. */
static struct owk_protected *owk_protected_named(struct owk_device *device,
						 const struct owk_token *token)
{
	struct owk_protected *protected;
	struct owk_key *key;

	if (token->slot >= device->keys.slots)
		return NULL;
	key = device->keys.slot[token->slot].key;
	if (!key || !key->is_protected)
		return NULL;
	protected = container_of(key, struct owk_protected, key);
	/* In constant time: else the random part could be found byte by byte. */
	if (crypto_memneq(token, &protected->token, sizeof(*token)) ||
	    !owk_protected_is_there(device, key))
		return NULL;
	return protected;
}

struct owk_protected *owk_protected_find(const u8 *token, unsigned int len, bool two_keys)
{
	struct owk_protected *protected;
	struct owk_device *device;
	int error = -ENODEV;

	if (len != sizeof(struct owk_token))
		return ERR_PTR(-EINVAL);
	rcu_read_lock();
	device = rcu_dereference(owk_device);
	if (device) {
		spin_lock_bh(&device->keys.lock);
		protected = owk_protected_named(device, (const struct owk_token *)token);
		error = !protected ? -ENOKEY : protected->key.two_keys != two_keys ? -EINVAL : 0;
		if (!error)
			refcount_inc(&protected->users);
		spin_unlock_bh(&device->keys.lock);
	}
	rcu_read_unlock();
	return error ? ERR_PTR(error) : protected;
}
