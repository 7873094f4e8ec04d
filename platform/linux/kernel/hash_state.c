// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Hashes in the kernel's own code, on states in the device's layout.
 *
 * A state is translated to what crypto_shash_import() takes of the kernel's SHA-1, SHA-2 and SHA-3,
 * which is the same for all their implementations (crypto/sha1.h, crypto/sha2.h, crypto/sha3.h).
 */
#include <crypto/internal/hash.h>
#include <crypto/sha1.h>
#include <crypto/sha2.h>
#include <crypto/sha3.h>
#include <linux/string.h>

#include "hash_state.h"
#include "outwork/hash.h"
#include "outwork_linux.h"

union owk_kernel_state {
	struct sha1_state sha1;
	struct sha256_state sha256;
	struct sha512_state sha512;
	struct sha3_state sha3;
};

enum owk_family { OWK_SHA1, OWK_SHA256, OWK_SHA512, OWK_SHA3 };

static enum owk_family owk_family(u8 opcode)
{
	switch (opcode & 15) {
	case OW_OP_SHA1 & 15:
		return OWK_SHA1;
	case OW_OP_SHA224 & 15:
	case OW_OP_SHA256 & 15:
		return OWK_SHA256;
	case OW_OP_SHA3_224 & 15:
	case OW_OP_SHA3_256 & 15:
	case OW_OP_SHA3_384 & 15:
	case OW_OP_SHA3_512 & 15:
		return OWK_SHA3;
	default:
		return OWK_SHA512;
	}
}

static size_t owk_kernel_bytes(u8 opcode)
{
	static const size_t bytes[] = {
		[OWK_SHA1] = sizeof(struct sha1_state),
		[OWK_SHA256] = sizeof(struct sha256_state),
		[OWK_SHA512] = sizeof(struct sha512_state),
		[OWK_SHA3] = sizeof(struct sha3_state),
	};

	return bytes[owk_family(opcode)];
}

static void owk_words_out(u8 *bytes, const u32 *words, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		__be32 word = cpu_to_be32(words[i]);

		memcpy(bytes + 4 * i, &word, 4);
	}
}

static void owk_words_in(u32 *words, const u8 *bytes, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		__be32 word;

		memcpy(&word, bytes + 4 * i, 4);
		words[i] = be32_to_cpu(word);
	}
}

static void owk_long_words_out(u8 *bytes, const u64 *words)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		__be64 word = cpu_to_be64(words[i]);

		memcpy(bytes + 8 * i, &word, 8);
	}
}

static void owk_long_words_in(u64 *words, const u8 *bytes)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		__be64 word;

		memcpy(&word, bytes + 8 * i, 8);
		words[i] = be64_to_cpu(word);
	}
}

/* Keccak: the device has added the bytes of the block that is not full to its state, the kernel
 * keeps them beside it. Zeros added later are the same.
 */
static void owk_to_sha3(struct sha3_state *sha3, const struct owk_hash_state *state, u8 opcode)
{
	memcpy(sha3->st, state->chain, sizeof(state->chain));
	memcpy((u8 *)sha3->st + sizeof(state->chain), state->block,
	       sizeof(sha3->st) - sizeof(state->chain));
	sha3->partial = state->partial;
	sha3->rsiz = sizeof(sha3->st) - 2 * ow_hash_digest_len(opcode);
	sha3->rsizw = sha3->rsiz / sizeof(sha3->st[0]);
}

static void owk_from_sha3(struct owk_hash_state *state, const struct sha3_state *sha3)
{
	u8 all[sizeof(sha3->st)];
	unsigned int i;

	memcpy(all, sha3->st, sizeof(all));
	for (i = 0; i < sha3->partial; i++)
		all[i] ^= sha3->buf[i];
	memcpy(state->chain, all, sizeof(state->chain));
	memcpy(state->block, all + sizeof(state->chain), sizeof(all) - sizeof(state->chain));
	state->partial = sha3->partial;
	memzero_explicit(all, sizeof(all));
}

static void owk_to_kernel(union owk_kernel_state *kernel, const struct owk_hash_state *state,
			  u8 opcode)
{
	memset(kernel, 0, sizeof(*kernel));
	switch (owk_family(opcode)) {
	case OWK_SHA1:
		owk_words_in(kernel->sha1.state, state->chain, 5);
		kernel->sha1.count = state->bytes;
		memcpy(kernel->sha1.buffer, state->block, sizeof(kernel->sha1.buffer));
		break;
	case OWK_SHA256:
		owk_words_in(kernel->sha256.state, state->chain, 8);
		kernel->sha256.count = state->bytes;
		memcpy(kernel->sha256.buf, state->block, sizeof(kernel->sha256.buf));
		break;
	case OWK_SHA512:
		owk_long_words_in(kernel->sha512.state, state->chain);
		kernel->sha512.count[0] = state->bytes;
		memcpy(kernel->sha512.buf, state->block, sizeof(kernel->sha512.buf));
		break;
	case OWK_SHA3:
		owk_to_sha3(&kernel->sha3, state, opcode);
		break;
	}
}

/* What is behind the bytes of a block that is not full is zero in the device's layout. */
static void owk_block_out(struct owk_hash_state *state, u64 bytes, const u8 *block,
			  unsigned int block_bytes)
{
	state->bytes = bytes;
	state->partial = bytes & (block_bytes - 1);
	memcpy(state->block, block, state->partial);
}

static void owk_from_kernel(struct owk_hash_state *state, const union owk_kernel_state *kernel,
			    u8 opcode)
{
	memset(state, 0, sizeof(*state));
	state->saved = true;
	switch (owk_family(opcode)) {
	case OWK_SHA1:
		owk_words_out(state->chain, kernel->sha1.state, 5);
		owk_block_out(state, kernel->sha1.count, kernel->sha1.buffer, SHA1_BLOCK_SIZE);
		break;
	case OWK_SHA256:
		owk_words_out(state->chain, kernel->sha256.state, 8);
		owk_block_out(state, kernel->sha256.count, kernel->sha256.buf, SHA256_BLOCK_SIZE);
		break;
	case OWK_SHA512:
		owk_long_words_out(state->chain, kernel->sha512.state);
		owk_block_out(state, kernel->sha512.count[0], kernel->sha512.buf,
			      SHA512_BLOCK_SIZE);
		break;
	case OWK_SHA3:
		owk_from_sha3(state, &kernel->sha3);
		break;
	}
}

/* Goes on from a state, or begins. */
static int owk_resume(struct owk_hash_tfm *tfm, const struct owk_hash_state *state,
		      struct shash_desc *desc)
{
	union owk_kernel_state kernel;
	int error;

	desc->tfm = tfm->software;
	if (!state->saved)
		return crypto_shash_init(desc);
	owk_to_kernel(&kernel, state, tfm->opcode);
	error = crypto_shash_import(desc, &kernel);
	memzero_explicit(&kernel, sizeof(kernel));
	return error;
}

int owk_hash_state_update(struct owk_hash_tfm *tfm, struct owk_hash_state *state,
			  struct ahash_request *request)
{
	SHASH_DESC_ON_STACK(desc, tfm->software);
	union owk_kernel_state kernel;
	u64 bytes = (state->saved ? state->bytes : 0) + request->nbytes;
	int error = owk_resume(tfm, state, desc);

	if (!error)
		error = shash_ahash_update(request, desc);
	if (!error)
		error = crypto_shash_export(desc, &kernel);
	if (!error)
		owk_from_kernel(state, &kernel, tfm->opcode);
	if (!error && owk_family(tfm->opcode) == OWK_SHA3)
		state->bytes = bytes; /* the kernel's state has no count */
	memzero_explicit(&kernel, sizeof(kernel));
	shash_desc_zero(desc);
	return error;
}

int owk_hash_state_finish(struct owk_hash_tfm *tfm, const struct owk_hash_state *state,
			  struct ahash_request *request)
{
	SHASH_DESC_ON_STACK(desc, tfm->software);
	int error = owk_resume(tfm, state, desc);

	if (!error)
		error = shash_ahash_finup(request, desc);
	shash_desc_zero(desc);
	return error;
}

/* Apart from its caller, whose stack is full. */
static noinline_for_stack void owk_chain_out(u8 *chain, unsigned int chain_bytes,
					     const union owk_kernel_state *kernel, u8 opcode)
{
	struct owk_hash_state state;

	owk_from_kernel(&state, kernel, opcode);
	memcpy(chain, state.chain, chain_bytes);
	memzero_explicit(&state, sizeof(state));
}

/* Writes the chaining value after a block of `key ^ pad` (FIPS 198-1, steps 4 and 7). */
static int owk_chain(struct owk_hash_tfm *tfm, u8 *chain, unsigned int chain_bytes,
		     const u8 *key, unsigned int key_len, u8 pad)
{
	unsigned int block_bytes = crypto_shash_blocksize(tfm->hash), i;
	SHASH_DESC_ON_STACK(desc, tfm->hash);
	union owk_kernel_state kernel;
	u8 block[SHA512_BLOCK_SIZE];
	int error;

	for (i = 0; i < block_bytes; i++)
		block[i] = pad ^ (i < key_len ? key[i] : 0);
	desc->tfm = tfm->hash;
	error = crypto_shash_init(desc);
	if (!error)
		error = crypto_shash_update(desc, block, block_bytes);
	if (!error)
		error = crypto_shash_export(desc, &kernel);
	if (!error)
		owk_chain_out(chain, chain_bytes, &kernel, tfm->opcode);
	memzero_explicit(block, sizeof(block));
	memzero_explicit(&kernel, sizeof(kernel));
	shash_desc_zero(desc);
	return error;
}

int owk_hash_state_key(struct owk_hash_tfm *tfm, const u8 *key, unsigned int key_len)
{
	unsigned int half = owk_family(tfm->opcode) == OWK_SHA512 ? 64 : 32;
	u8 digest[SHA512_DIGEST_SIZE];
	int error = crypto_shash_setkey(tfm->software, key, key_len);

	if (!error && key_len > crypto_shash_blocksize(tfm->hash)) {
		error = crypto_shash_tfm_digest(tfm->hash, key, key_len, digest);
		key = digest;
		key_len = crypto_shash_digestsize(tfm->hash);
	}
	memset(tfm->prepared, 0, sizeof(tfm->prepared));
	if (!error)
		error = owk_chain(tfm, tfm->prepared, half, key, key_len, 0x36);
	if (!error)
		error = owk_chain(tfm, tfm->prepared + half, half, key, key_len, 0x5c);
	memzero_explicit(digest, sizeof(digest));
	return error;
}

int owk_hash_state_open(struct owk_hash_tfm *tfm, u8 opcode, const char *name)
{
	char below[CRYPTO_MAX_ALG_NAME];

	tfm->opcode = opcode;
	tfm->hash = NULL;
	tfm->keyed = opcode >> 4 == OW_OP_HMAC_SHA1 >> 4;
	tfm->software = crypto_alloc_shash(name, 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(tfm->software))
		return PTR_ERR(tfm->software);
	if (crypto_shash_statesize(tfm->software) != owk_kernel_bytes(opcode)) {
		crypto_free_shash(tfm->software);
		return -EINVAL;
	}
	if (!tfm->keyed)
		return 0;
	/* "hmac(sha256)": what stands between the parentheses. */
	strscpy(below, name + strlen("hmac("), sizeof(below));
	below[strcspn(below, ")")] = 0;
	tfm->hash = crypto_alloc_shash(below, 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(tfm->hash)) {
		crypto_free_shash(tfm->software);
		return PTR_ERR(tfm->hash);
	}
	return 0;
}

void owk_hash_state_close(struct owk_hash_tfm *tfm)
{
	crypto_free_shash(tfm->software);
	if (tfm->hash)
		crypto_free_shash(tfm->hash);
	memzero_explicit(tfm->prepared, sizeof(tfm->prepared));
}
