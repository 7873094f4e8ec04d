// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * AES-GCM for the kernel's crypto API: gcm(aes), and rfc4106(gcm(aes)) as IPsec has it.
 */
#include <crypto/aes.h>
#include <crypto/gcm.h>
#include <crypto/internal/aead.h>

#include "outwork_linux.h"

/* RFC 4106, 4: the last bytes of the key material are the salt, the first ones of the nonce. */
#define OWK_SALT_BYTES 4

struct owk_aead {
	struct aead_alg alg;
	bool rfc4106;
	bool registered;
};

struct owk_aead_tfm {
	struct owk_key key;
	struct crypto_aead *software;
	u8 salt[OWK_SALT_BYTES];
};

struct owk_aead_request {
	bool decrypt;
	u8 iv[GCM_AES_IV_SIZE];
	struct aead_request software;	/* the last: its size is that of the software's */
};

static bool owk_is_rfc4106(struct crypto_aead *tfm)
{
	return container_of(crypto_aead_alg(tfm), struct owk_aead, alg)->rfc4106;
}

static int owk_aead_software(struct aead_request *request)
{
	struct owk_aead_tfm *own = crypto_aead_ctx(crypto_aead_reqtfm(request));
	struct owk_aead_request *state = aead_request_ctx(request);

	aead_request_set_tfm(&state->software, own->software);
	aead_request_set_callback(&state->software,
				  request->base.flags & ~CRYPTO_TFM_REQ_MAY_SLEEP, NULL, NULL);
	aead_request_set_ad(&state->software, request->assoclen);
	aead_request_set_crypt(&state->software, request->src, request->dst, request->cryptlen,
			       request->iv);
	return state->decrypt ? crypto_aead_decrypt(&state->software) :
				crypto_aead_encrypt(&state->software);
}

static void owk_aead_fill(struct owk_lane *lane, const struct owk_work *work)
{
	struct aead_request *request = work->request;
	struct crypto_aead *tfm = crypto_aead_reqtfm(request);
	struct owk_aead_request *state = aead_request_ctx(request);
	struct owk_aead_tfm *own = crypto_aead_ctx(tfm);
	struct ow_job *job = &lane->job;

	job->opcode = OW_OP_AES_GCM;
	job->tag_len = crypto_aead_authsize(tfm);
	job->flags = state->decrypt ? OW_JOB_DECRYPT | OW_JOB_TAG_IN_SOURCE : OW_JOB_APPEND_TAG;
	job->length = request->cryptlen - (state->decrypt ? job->tag_len : 0);
	job->iv = request->iv;
	job->iv_len = GCM_AES_IV_SIZE;
	job->aad_len = request->assoclen;
	if (owk_is_rfc4106(tfm)) {
		memcpy(state->iv, own->salt, OWK_SALT_BYTES);
		memcpy(state->iv + OWK_SALT_BYTES, request->iv, GCM_RFC4106_IV_SIZE);
		job->iv = state->iv;
		/* Its AAD in the buffer ends with the IV, which is not authenticated. */
		job->aad_len -= GCM_RFC4106_IV_SIZE;
	}
}

static void owk_aead_finish(struct owk_lane *lane)
{
	struct aead_request *request = lane->request;
	int error = owk_error(lane);

	owk_lane_free(lane);
	if (error == -EAGAIN)
		error = owk_aead_software(request);
	aead_request_complete(request, error);
}

static int owk_aead_crypt(struct aead_request *request, bool decrypt)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(request);
	struct owk_aead_request *state = aead_request_ctx(request);
	struct owk_aead_tfm *own = crypto_aead_ctx(tfm);
	unsigned int tag = crypto_aead_authsize(tfm);
	struct owk_work work = {
		.source = request->src,
		.destination = request->dst,
		.aad_bytes = request->assoclen,
		.source_bytes = request->cryptlen,
		.destination_bytes = decrypt ? request->cryptlen - tag : request->cryptlen + tag,
		.key = &own->key,
		.fill = owk_aead_fill,
		.finish = owk_aead_finish,
		.request = request,
	};
	int error;

	if (owk_is_rfc4106(tfm)) {
		error = crypto_ipsec_check_assoclen(request->assoclen);
		if (error)
			return error;
	}
	state->decrypt = decrypt;
	if (request->cryptlen + request->assoclen < owk_minimum_cipher) {
		owk_fallback_count(owk_device, OWK_FALLBACK_SMALL);
		return owk_aead_software(request);
	}
	error = owk_submit(&work);
	return error == -EAGAIN ? owk_aead_software(request) : error;
}

static int owk_aead_encrypt(struct aead_request *request)
{
	return owk_aead_crypt(request, false);
}

static int owk_aead_decrypt(struct aead_request *request)
{
	return owk_aead_crypt(request, true);
}

static int owk_aead_setkey(struct crypto_aead *tfm, const u8 *key, unsigned int key_len)
{
	struct owk_aead_tfm *own = crypto_aead_ctx(tfm);
	int error;

	crypto_aead_clear_flags(own->software, CRYPTO_TFM_REQ_MASK);
	crypto_aead_set_flags(own->software, crypto_aead_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
	error = crypto_aead_setkey(own->software, key, key_len);
	if (error)
		return error;
	if (owk_is_rfc4106(tfm)) {
		key_len -= OWK_SALT_BYTES;
		memcpy(own->salt, key + key_len, OWK_SALT_BYTES);
	}
	owk_key_set(owk_device, &own->key, key, key_len, false);
	return 0;
}

static int owk_aead_setauthsize(struct crypto_aead *tfm, unsigned int bytes)
{
	struct owk_aead_tfm *own = crypto_aead_ctx(tfm);

	return crypto_aead_setauthsize(own->software, bytes);
}

static int owk_aead_init(struct crypto_aead *tfm)
{
	struct owk_aead_tfm *own = crypto_aead_ctx(tfm);

	own->software = crypto_alloc_aead(crypto_tfm_alg_name(crypto_aead_tfm(tfm)), 0,
					  CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(own->software))
		return PTR_ERR(own->software);
	crypto_aead_set_reqsize(tfm, sizeof(struct owk_aead_request) +
				     crypto_aead_reqsize(own->software));
	return 0;
}

static void owk_aead_exit(struct crypto_aead *tfm)
{
	struct owk_aead_tfm *own = crypto_aead_ctx(tfm);

	owk_key_clear(owk_device, &own->key);
	memzero_explicit(own->salt, sizeof(own->salt));
	crypto_free_aead(own->software);
}

#define OWK_AEAD(name, driver_name, iv_bytes, is_rfc4106) {					\
	.rfc4106 = is_rfc4106,									\
	.alg = {										\
		.base = {									\
			.cra_name = name,							\
			.cra_driver_name = driver_name,						\
			.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |		\
				     CRYPTO_ALG_KERN_DRIVER_ONLY,				\
			.cra_blocksize = 1,							\
			.cra_ctxsize = sizeof(struct owk_aead_tfm),				\
			.cra_module = THIS_MODULE,						\
		},										\
		.init = owk_aead_init,								\
		.exit = owk_aead_exit,								\
		.setkey = owk_aead_setkey,							\
		.setauthsize = owk_aead_setauthsize,						\
		.encrypt = owk_aead_encrypt,							\
		.decrypt = owk_aead_decrypt,							\
		.ivsize = iv_bytes,								\
		.chunksize = AES_BLOCK_SIZE,							\
		.maxauthsize = AES_BLOCK_SIZE,							\
	},											\
}

static struct owk_aead owk_aeads[] = {
	OWK_AEAD("gcm(aes)", "gcm-aes-outwork", GCM_AES_IV_SIZE, false),
	OWK_AEAD("rfc4106(gcm(aes))", "rfc4106-gcm-aes-outwork", GCM_RFC4106_IV_SIZE, true),
};

int owk_aeads_register(struct owk_device *device)
{
	unsigned int i;
	int error;

	if (!ow_device_supports(&device->device, OW_OP_AES_GCM, true))
		return 0;
	for (i = 0; i < ARRAY_SIZE(owk_aeads); i++) {
		owk_aeads[i].alg.base.cra_priority = owk_priority;
		error = crypto_register_aead(&owk_aeads[i].alg);
		if (error) {
			owk_aeads_unregister();
			return error;
		}
		owk_aeads[i].registered = true;
	}
	return 0;
}

void owk_aeads_unregister(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(owk_aeads); i++) {
		if (owk_aeads[i].registered)
			crypto_unregister_aead(&owk_aeads[i].alg);
		owk_aeads[i].registered = false;
	}
}
