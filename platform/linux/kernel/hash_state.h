/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * The state of a hashed message, for the device and for the kernel's own code.
 */
#ifndef OUTWORK_HASH_STATE_LINUX_H
#define OUTWORK_HASH_STATE_LINUX_H

#include <crypto/hash.h>

/* The state part of struct ow_hash_context. */
#define OWK_HASH_STATE_BYTES (8 + 8 + 64 + 144)

struct owk_hash_state {
	u64 bytes;
	u64 partial;
	u8 chain[64];
	u8 block[144];
	bool saved;	/* false: the message has not begun */
};

struct owk_hash_tfm {
	struct crypto_shash *software;	/* the same algorithm */
	struct crypto_shash *hash;	/* HMAC: the hash below it; else NULL */
	u8 opcode;
	bool keyed;
	/* HMAC's inner and outer chaining values, as the device has them in a context. */
	u8 prepared[128];
};

int owk_hash_state_open(struct owk_hash_tfm *tfm, u8 opcode, const char *name);
void owk_hash_state_close(struct owk_hash_tfm *tfm);
int owk_hash_state_key(struct owk_hash_tfm *tfm, const u8 *key, unsigned int key_len);
/* Do a step of a message in software. */
int owk_hash_state_update(struct owk_hash_tfm *tfm, struct owk_hash_state *state,
			  struct ahash_request *request);
int owk_hash_state_finish(struct owk_hash_tfm *tfm, const struct owk_hash_state *state,
			  struct ahash_request *request);

#endif
