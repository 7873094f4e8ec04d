// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * AES-CMAC for the kernel's crypto API.
 *
 * A message that comes in one call goes to the device. One in several calls is done in software
 * from its first update on: its state is that of the kernel's own code, which has no layout that
 * others may know.
 */
#include <crypto/aes.h>
#include <crypto/internal/hash.h>

#include "outwork_linux.h"

/* At most, of the kernel's own code. */
#define OWK_CMAC_STATE_BYTES 128

struct owk_cmac_tfm {
	struct owk_key key;
	struct crypto_shash *software;
};

struct owk_cmac_request {
	bool begun;		/* the message has bytes already */
	struct owk_waiting waiting;
	struct shash_desc software;	/* the last: its size is that of the software's */
};

static int owk_cmac_init(struct ahash_request *request)
{
	struct owk_cmac_tfm *own = crypto_ahash_ctx(crypto_ahash_reqtfm(request));
	struct owk_cmac_request *state = ahash_request_ctx(request);

	state->begun = false;
	state->software.tfm = own->software;
	return crypto_shash_init(&state->software);
}

static int owk_cmac_update(struct ahash_request *request)
{
	struct owk_cmac_request *state = ahash_request_ctx(request);

	if (!request->nbytes)
		return 0;
	state->begun = true;
	owk_fallback_count(OWK_FALLBACK_SMALL);
	return shash_ahash_update(request, &state->software);
}

static void owk_cmac_fill(struct owk_lane *lane, const struct owk_work *work)
{
	struct ow_job *job = &lane->job;

	job->opcode = OW_OP_AES_CMAC;
	job->length = work->source_bytes;
	job->tag_len = AES_BLOCK_SIZE;
}

static int owk_cmac_software(void *context)
{
	struct ahash_request *request = context;
	struct owk_cmac_request *state = ahash_request_ctx(request);

	return shash_ahash_finup(request, &state->software);
}

static void owk_cmac_finish(struct owk_lane *lane)
{
	struct ahash_request *request = lane->request;
	int error = owk_error(lane);

	if (!error)
		memcpy(request->result, lane->job.tag, AES_BLOCK_SIZE);
	memzero_explicit(lane->job.tag, sizeof(lane->job.tag));
	owk_lane_free(lane);
	if (error == -EAGAIN)
		error = owk_cmac_software(request);
	ahash_request_complete(request, error);
}

static int owk_cmac_finup(struct ahash_request *request)
{
	struct owk_cmac_tfm *own = crypto_ahash_ctx(crypto_ahash_reqtfm(request));
	struct owk_cmac_request *state = ahash_request_ctx(request);
	struct owk_work work = {
		.source = request->src,
		.source_bytes = request->nbytes,
		.key = &own->key,
		.fill = owk_cmac_fill,
		.finish = owk_cmac_finish,
		.software = owk_cmac_software,
		.request = request,
		.base = &request->base,
		.waiting = owk_may_wait(&request->base, &state->waiting),
	};

	if (state->begun || request->nbytes < owk_minimum_hash)
		return owk_decline(&work, OWK_FALLBACK_SMALL);
	return owk_run(&work);
}

static int owk_cmac_final(struct ahash_request *request)
{
	request->nbytes = 0;
	return owk_cmac_finup(request);
}

static int owk_cmac_digest(struct ahash_request *request)
{
	return owk_cmac_init(request) ?: owk_cmac_finup(request);
}

static int owk_cmac_export(struct ahash_request *request, void *out)
{
	struct owk_cmac_request *state = ahash_request_ctx(request);

	return crypto_shash_export(&state->software, out);
}

static int owk_cmac_import(struct ahash_request *request, const void *in)
{
	struct owk_cmac_tfm *own = crypto_ahash_ctx(crypto_ahash_reqtfm(request));
	struct owk_cmac_request *state = ahash_request_ctx(request);

	state->begun = true;
	state->software.tfm = own->software;
	return crypto_shash_import(&state->software, in);
}

static int owk_cmac_setkey(struct crypto_ahash *tfm, const u8 *key, unsigned int key_len)
{
	struct owk_cmac_tfm *own = crypto_ahash_ctx(tfm);
	int error = crypto_shash_setkey(own->software, key, key_len);

	if (!error)
		owk_key_set_mac(&own->key, key, key_len);
	return error;
}

static int owk_cmac_tfm_init(struct crypto_tfm *tfm)
{
	struct owk_cmac_tfm *own = crypto_tfm_ctx(tfm);

	own->software = crypto_alloc_shash(crypto_tfm_alg_name(tfm), 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(own->software))
		return PTR_ERR(own->software);
	if (crypto_shash_statesize(own->software) > OWK_CMAC_STATE_BYTES) {
		crypto_free_shash(own->software);
		return -EINVAL;
	}
	crypto_ahash_set_reqsize(__crypto_ahash_cast(tfm),
				 sizeof(struct owk_cmac_request) +
					 crypto_shash_descsize(own->software));
	return 0;
}

static void owk_cmac_tfm_exit(struct crypto_tfm *tfm)
{
	struct owk_cmac_tfm *own = crypto_tfm_ctx(tfm);

	owk_key_clear(&own->key);
	crypto_free_shash(own->software);
}

static struct ahash_alg owk_cmac = {
	.init = owk_cmac_init,
	.update = owk_cmac_update,
	.final = owk_cmac_final,
	.finup = owk_cmac_finup,
	.digest = owk_cmac_digest,
	.export = owk_cmac_export,
	.import = owk_cmac_import,
	.setkey = owk_cmac_setkey,
	.halg = {
		.digestsize = AES_BLOCK_SIZE,
		.statesize = OWK_CMAC_STATE_BYTES,
		.base = {
			.cra_name = "cmac(aes)",
			.cra_driver_name = "cmac-aes-outwork",
			.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |
				     CRYPTO_ALG_KERN_DRIVER_ONLY,
			.cra_blocksize = AES_BLOCK_SIZE,
			.cra_ctxsize = sizeof(struct owk_cmac_tfm),
			.cra_init = owk_cmac_tfm_init,
			.cra_exit = owk_cmac_tfm_exit,
			.cra_module = THIS_MODULE,
		},
	},
};

static bool owk_cmac_registered;

int owk_cmac_register(struct owk_device *device)
{
	int error;

	if (owk_cmac_registered ||
	    !ow_device_supports(&device->device, OW_OP_AES_CMAC, false))
		return 0;
	owk_cmac.halg.base.cra_priority = owk_priority;
	error = crypto_register_ahash(&owk_cmac);
	owk_cmac_registered = !error;
	return error;
}

void owk_cmac_unregister(void)
{
	if (owk_cmac_registered)
		crypto_unregister_ahash(&owk_cmac);
	owk_cmac_registered = false;
}
