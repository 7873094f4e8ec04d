/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * Protected keys: AES keys that are in a slot of the device and nowhere else, used by a token.
 */
#ifndef OUTWORK_PROTECTED_LINUX_H
#define OUTWORK_PROTECTED_LINUX_H

#include <linux/refcount.h>

#include "outwork_linux.h"

#define OWK_TOKEN_MAGIC "OWKT"

/* Names a protected key. Whoever has it may use the key; nothing in it tells of the key. */
struct owk_token {
	u8 magic[4];
	u8 version;
	u8 slot;
	u8 generation[2];	/* little-endian */
	u8 random[24];
};

/* Shared by its owner, a key of a keyring, and by the transforms that use it. */
struct owk_protected {
	struct owk_key key;
	refcount_t users;
	struct owk_token token;
};

/* main.c */
extern unsigned int owk_protected_slots;

/* Returns how many slots protected keys may have now: at most half of those that processes leave.
 */
unsigned int owk_protected_limit(const struct owk_device *device);
/* Loads a key into a slot of its own. NULL: random bytes. The caller wipes its copy. Errors:
 * -EAGAIN: the kernel has no random numbers yet; -EINVAL: no key of AES or XTS; -EDQUOT: too many;
 * -EBUSY: every slot is in use at this moment; -ENODEV, -EIO.
 */
struct owk_protected *owk_protected_create(const u8 *bytes, unsigned int len, bool two_keys);
/* The owner gives the key up: zeroises its slot. Requests end with -EKEYREVOKED. */
void owk_protected_revoke(struct owk_protected *protected);
/* Ends one use. */
void owk_protected_put(struct owk_protected *protected);
/* Gives the token of a key that is still there. Returns 0, -ENOKEY or -ENODEV. */
int owk_protected_token(const struct owk_protected *protected, struct owk_token *token);
/* Finds the key of a token, which is one more use of it. Errors: -EINVAL: no token, or a key for
 * other modes; -ENOKEY: no such key; -ENODEV.
 */
struct owk_protected *owk_protected_find(const u8 *token, unsigned int len, bool two_keys);

/* Returns the error of requests under a protected key that is no longer in its slot. */
static inline int owk_protected_error(const struct owk_key *key)
{
	return READ_ONCE(key->is_revoked) ? -EKEYREVOKED : -ENOKEY;
}

/* keyring.c: the type of keys. */
#ifdef CONFIG_KEYS
#define OWK_HAS_KEYRINGS true
int owk_keyring_register(void);
void owk_keyring_unregister(void);
#else
#define OWK_HAS_KEYRINGS false
static inline int owk_keyring_register(void) { return 0; }
static inline void owk_keyring_unregister(void) {}
#endif

#endif
