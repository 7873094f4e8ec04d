// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * SHA-1, SHA-2, HMAC with them, and SHA-3 for the kernel's crypto API.
 *
 * The state of a message is kept in the request, in the device's layout, and is sent with each job;
 * so device and software (hash_state.c) can take turns within a message.
 */
#include <crypto/internal/hash.h>
#include <crypto/sha1.h>
#include <crypto/sha2.h>
#include <crypto/sha3.h>

#include "hash_state.h"
#include "outwork_linux.h"

/* Bytes of a MAC key as a job names it when the context has HMAC's two chaining values. */
#define OWK_KEY_PREPARED 128

struct owk_hash {
	struct ahash_alg alg;
	u8 opcode;		/* of the hash, or of the HMAC */
	bool registered;
};

/* What the caller asked for; also says whether the job has to end the message. */
enum owk_hash_step { OWK_UPDATE, OWK_FINISH };

struct owk_hash_request {
	struct owk_hash_state state;
	enum owk_hash_step step;
	struct owk_waiting waiting;
};

static struct owk_hash *owk_hash_of(struct crypto_ahash *tfm)
{
	return container_of(container_of(crypto_hash_alg_common(tfm), struct ahash_alg, halg),
			    struct owk_hash, alg);
}

/* Returns the state part of the lane's context. */
static void *owk_state_of(const struct owk_lane *lane)
{
	return (u8 *)&lane->shared->context + offsetof(struct ow_hash_context, bytes);
}

static int owk_hash_software(void *context)
{
	struct ahash_request *request = context;
	struct owk_hash_tfm *own = crypto_ahash_ctx(crypto_ahash_reqtfm(request));
	struct owk_hash_request *state = ahash_request_ctx(request);

	if (state->step == OWK_UPDATE)
		return owk_hash_state_update(own, &state->state, request);
	return owk_hash_state_finish(own, &state->state, request);
}

static void owk_hash_fill(struct owk_lane *lane, const struct owk_work *work)
{
	struct ahash_request *request = work->request;
	struct crypto_ahash *tfm = crypto_ahash_reqtfm(request);
	struct owk_hash_request *state = ahash_request_ctx(request);
	struct owk_hash_tfm *own = crypto_ahash_ctx(tfm);
	struct ow_hash_context *context = &lane->shared->context;
	struct ow_job *job = &lane->job;

	job->opcode = owk_hash_of(tfm)->opcode;
	job->length = work->source_bytes;
	job->tag_len = crypto_ahash_digestsize(tfm);
	if (own->keyed) {
		memcpy(context, own->prepared, sizeof(own->prepared));
		job->key.key_len = OWK_KEY_PREPARED;
		job->context = context;
	}
	if (state->state.saved) {
		memcpy(owk_state_of(lane), &state->state, OWK_HASH_STATE_BYTES);
		job->flags |= OW_JOB_LOAD_STATE;
		job->context = context;
	}
	if (state->step == OWK_UPDATE) {
		job->flags |= OW_JOB_SAVE_STATE;
		job->context = context;
	}
}

static void owk_hash_finish(struct owk_lane *lane)
{
	struct ahash_request *request = lane->request;
	struct crypto_ahash *tfm = crypto_ahash_reqtfm(request);
	struct owk_hash_request *state = ahash_request_ctx(request);
	int error = owk_error(lane);

	if (!error && state->step == OWK_UPDATE) {
		memcpy(&state->state, owk_state_of(lane), OWK_HASH_STATE_BYTES);
		state->state.saved = true;
	} else if (!error) {
		memcpy(request->result, lane->job.tag, crypto_ahash_digestsize(tfm));
	}
	if (lane->job.context)
		memzero_explicit(&lane->shared->context, sizeof(lane->shared->context));
	memzero_explicit(lane->job.tag, sizeof(lane->job.tag));
	owk_lane_free(lane);
	if (error == -EAGAIN)
		error = owk_hash_software(request);
	ahash_request_complete(request, error);
}

static int owk_hash_run(struct ahash_request *request, enum owk_hash_step step, u32 bytes)
{
	struct owk_hash_request *state = ahash_request_ctx(request);
	struct owk_work work = {
		.source = request->src,
		.source_bytes = bytes,
		.fill = owk_hash_fill,
		.finish = owk_hash_finish,
		.software = owk_hash_software,
		.request = request,
		.base = &request->base,
		.waiting = owk_may_wait(&request->base, &state->waiting),
	};

	state->step = step;
	if (bytes < owk_minimum_hash)
		return owk_decline(&work, OWK_FALLBACK_SMALL);
	return owk_run(&work);
}

static int owk_hash_init(struct ahash_request *request)
{
	struct owk_hash_request *state = ahash_request_ctx(request);

	state->state.saved = false;
	return 0;
}

static int owk_hash_update(struct ahash_request *request)
{
	return request->nbytes ? owk_hash_run(request, OWK_UPDATE, request->nbytes) : 0;
}

static int owk_hash_final(struct ahash_request *request)
{
	request->nbytes = 0;
	return owk_hash_run(request, OWK_FINISH, 0);
}

static int owk_hash_finup(struct ahash_request *request)
{
	return owk_hash_run(request, OWK_FINISH, request->nbytes);
}

static int owk_hash_digest(struct ahash_request *request)
{
	owk_hash_init(request);
	return owk_hash_finup(request);
}

static int owk_hash_export(struct ahash_request *request, void *out)
{
	struct owk_hash_request *state = ahash_request_ctx(request);

	memcpy(out, &state->state, sizeof(state->state));
	return 0;
}

static int owk_hash_import(struct ahash_request *request, const void *in)
{
	struct owk_hash_request *state = ahash_request_ctx(request);

	memcpy(&state->state, in, sizeof(state->state));
	return 0;
}

static int owk_hash_setkey(struct crypto_ahash *tfm, const u8 *key, unsigned int key_len)
{
	return owk_hash_state_key(crypto_ahash_ctx(tfm), key, key_len);
}

static int owk_hash_tfm_init(struct crypto_tfm *tfm)
{
	struct crypto_ahash *hash = __crypto_ahash_cast(tfm);

	crypto_ahash_set_reqsize(hash, sizeof(struct owk_hash_request));
	return owk_hash_state_open(crypto_tfm_ctx(tfm), owk_hash_of(hash)->opcode,
				   crypto_tfm_alg_name(tfm));
}

static void owk_hash_tfm_exit(struct crypto_tfm *tfm)
{
	owk_hash_state_close(crypto_tfm_ctx(tfm));
}

#define OWK_HASH_ALG(name, driver_name, code, digest_bytes, block_bytes, key_function) {	\
	.opcode = code,										\
	.alg = {										\
		.init = owk_hash_init,								\
		.update = owk_hash_update,							\
		.final = owk_hash_final,							\
		.finup = owk_hash_finup,							\
		.digest = owk_hash_digest,							\
		.export = owk_hash_export,							\
		.import = owk_hash_import,							\
		.setkey = key_function,								\
		.halg = {									\
			.digestsize = digest_bytes,						\
			.statesize = sizeof(struct owk_hash_state),				\
			.base = {								\
				.cra_name = name,						\
				.cra_driver_name = driver_name,					\
				.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |	\
					     CRYPTO_ALG_KERN_DRIVER_ONLY,			\
				.cra_blocksize = block_bytes,					\
				.cra_ctxsize = sizeof(struct owk_hash_tfm),			\
				.cra_init = owk_hash_tfm_init,					\
				.cra_exit = owk_hash_tfm_exit,					\
				.cra_module = THIS_MODULE,					\
			},									\
		},										\
	},											\
}

#define OWK_HASH(lower, upper)									\
	OWK_HASH_ALG(#lower, #lower "-outwork", OW_OP_##upper, upper##_DIGEST_SIZE,		\
		     upper##_BLOCK_SIZE, NULL)
#define OWK_HMAC(lower, upper)									\
	OWK_HASH_ALG("hmac(" #lower ")", "hmac-" #lower "-outwork", OW_OP_HMAC_##upper,		\
		     upper##_DIGEST_SIZE, upper##_BLOCK_SIZE, owk_hash_setkey)

#define OWK_SHA3_HASH(bits)									\
	OWK_HASH_ALG("sha3-" #bits, "sha3-" #bits "-outwork", OW_OP_SHA3_##bits,		\
		     SHA3_##bits##_DIGEST_SIZE, SHA3_##bits##_BLOCK_SIZE, NULL)

static struct owk_hash owk_hashes[] = {
	OWK_HASH(sha1, SHA1),
	OWK_HASH(sha224, SHA224),
	OWK_HASH(sha256, SHA256),
	OWK_HASH(sha384, SHA384),
	OWK_HASH(sha512, SHA512),
	OWK_SHA3_HASH(224),
	OWK_SHA3_HASH(256),
	OWK_SHA3_HASH(384),
	OWK_SHA3_HASH(512),
	OWK_HMAC(sha1, SHA1),
	OWK_HMAC(sha224, SHA224),
	OWK_HMAC(sha256, SHA256),
	OWK_HMAC(sha384, SHA384),
	OWK_HMAC(sha512, SHA512),
};

int owk_hashes_register(struct owk_device *device)
{
	unsigned int i;
	int error;

	for (i = 0; i < ARRAY_SIZE(owk_hashes); i++) {
		struct owk_hash *each = &owk_hashes[i];

		if (each->registered ||
		    !ow_device_supports(&device->device, each->opcode, false))
			continue;
		each->alg.halg.base.cra_priority = owk_priority;
		error = crypto_register_ahash(&each->alg);
		if (error)
			return error;
		each->registered = true;
	}
	return 0;
}

void owk_hashes_unregister(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(owk_hashes); i++) {
		if (owk_hashes[i].registered)
			crypto_unregister_ahash(&owk_hashes[i].alg);
		owk_hashes[i].registered = false;
	}
}
