// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Protected keys in the kernel's keyrings: keys of the type "outwork". A key is made of
 *
 *	new 16, new 24, new 32		random bytes for AES
 *	new 32 xts, new 64 xts		the same for XTS: two keys
 *	load KEY, load xts KEY		the bytes that follow
 *
 * and read as its token. It goes with the keyring's key: when that is revoked or destroyed, as it
 * is when it has expired or no keyring has it any more. There is no update: who adds a key of the
 * same name makes a new one. The kernel wipes its copy of what a process has given.
 */
#include <crypto/aes.h>
#include <linux/err.h>
#include <linux/key-type.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "protected.h"

static const struct {
	const char *text;
	u8 len;
	bool two_keys;
} owk_keyring_new[] = {
	{ "new 16", AES_KEYSIZE_128, false },
	{ "new 24", AES_KEYSIZE_192, false },
	{ "new 32", AES_KEYSIZE_256, false },
	{ "new 32 xts", 2 * AES_KEYSIZE_128, true },
	{ "new 64 xts", 2 * AES_KEYSIZE_256, true },
};

#define OWK_LOAD "load "
#define OWK_XTS "xts "

/* Removes a word from the beginning, if it is there. */
static bool owk_keyring_skip(const u8 **data, size_t *len, const char *word)
{
	size_t word_len = strlen(word);

	if (*len < word_len || memcmp(*data, word, word_len))
		return false;
	*data += word_len;
	*len -= word_len;
	return true;
}

static struct owk_protected *owk_keyring_make(const u8 *data, size_t len)
{
	bool two_keys;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(owk_keyring_new); i++) {
		if (len == strlen(owk_keyring_new[i].text) &&
		    !memcmp(data, owk_keyring_new[i].text, len))
			return owk_protected_create(NULL, owk_keyring_new[i].len,
						    owk_keyring_new[i].two_keys);
	}
	if (!owk_keyring_skip(&data, &len, OWK_LOAD))
		return ERR_PTR(-EINVAL);
	/* No key is as long as two others and the word. */
	two_keys = len > AES_MAX_KEY_SIZE && owk_keyring_skip(&data, &len, OWK_XTS);
	return len > 2 * AES_MAX_KEY_SIZE ? ERR_PTR(-EINVAL) :
					    owk_protected_create(data, len, two_keys);
}

static void owk_keyring_end(struct owk_protected *protected)
{
	if (!protected)
		return;
	owk_protected_revoke(protected);
	owk_protected_put(protected);
}

static int owk_keyring_preparse(struct key_preparsed_payload *prep)
{
	struct owk_protected *protected = owk_keyring_make(prep->data, prep->datalen);

	if (IS_ERR(protected))
		return PTR_ERR(protected);
	prep->payload.data[0] = protected;
	return 0;
}

/* What became a key's payload is no longer here. */
static void owk_keyring_free_preparse(struct key_preparsed_payload *prep)
{
	owk_keyring_end(prep->payload.data[0]);
}

static void owk_keyring_revoke(struct key *key)
{
	if (key_is_positive(key))
		owk_protected_revoke(key->payload.data[0]);
}

static void owk_keyring_destroy(struct key *key)
{
	owk_keyring_end(key->payload.data[0]);
}

static void owk_keyring_describe(const struct key *key, struct seq_file *file)
{
	const struct owk_protected *protected = key->payload.data[0];

	seq_puts(file, key->description);
	if (key_is_positive(key))
		seq_printf(file, ": AES%s-%u, slot %u", protected->key.two_keys ? "-XTS" : "",
			   8 * protected->key.len, protected->token.slot);
}

static long owk_keyring_read(const struct key *key, char *buffer, size_t len)
{
	struct owk_token token;
	int error = owk_protected_token(key->payload.data[0], &token);

	if (error)
		return error;
	if (buffer)
		memcpy(buffer, &token, min(len, sizeof(token)));
	return sizeof(token);
}

static struct key_type owk_keyring_type = {
	.name = "outwork",
	.def_datalen = sizeof(struct owk_token),
	/* An expired key has gone at once, not minutes later. */
	.flags = KEY_TYPE_INSTANT_REAP,
	.preparse = owk_keyring_preparse,
	.free_preparse = owk_keyring_free_preparse,
	.instantiate = generic_key_instantiate,
	.revoke = owk_keyring_revoke,
	.destroy = owk_keyring_destroy,
	.describe = owk_keyring_describe,
	.read = owk_keyring_read,
};

int owk_keyring_register(void)
{
	return register_key_type(&owk_keyring_type);
}

/* Destroys every key of the type. */
void owk_keyring_unregister(void)
{
	unregister_key_type(&owk_keyring_type);
}
