// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * AES in the modes ECB, CBC, CTR and XTS, and triple DES, for the kernel's crypto API; AES under
 * protected keys too ("paes"), which no software can do.
 */
#include <crypto/aes.h>
#include <crypto/des.h>
#include <crypto/internal/skcipher.h>

#include "protected.h"

struct owk_skcipher {
	struct skcipher_alg alg;
	u8 opcode;
	bool registered;
};

struct owk_skcipher_tfm {
	struct owk_key key;
	struct crypto_skcipher *software;	/* NULL: under protected keys */
	struct owk_protected *protected;	/* NULL: none is set */
};

struct owk_skcipher_request {
	bool decrypt;
	struct owk_waiting waiting;
	struct skcipher_request software;	/* the last: its size is that of the software's */
};

static bool owk_is_des(u8 opcode)
{
	return opcode == OW_OP_TDES_ECB || opcode == OW_OP_TDES_CBC;
}

/* Returns whether a message goes on with an IV that the device has computed. */
static bool owk_has_next_iv(u8 opcode)
{
	return opcode == OW_OP_AES_CBC || opcode == OW_OP_AES_CTR || opcode == OW_OP_TDES_CBC;
}

static const struct owk_skcipher *owk_skcipher_of(struct crypto_skcipher *tfm)
{
	return container_of(crypto_skcipher_alg(tfm), struct owk_skcipher, alg);
}

/* Returns whether its keys are tokens, with which only the device can do something. */
static bool owk_is_protected(struct crypto_skcipher *tfm)
{
	return !(crypto_skcipher_alg(tfm)->base.cra_flags & CRYPTO_ALG_NEED_FALLBACK);
}

static int owk_skcipher_software(void *context)
{
	struct skcipher_request *request = context;
	struct owk_skcipher_tfm *own = crypto_skcipher_ctx(crypto_skcipher_reqtfm(request));
	struct owk_skcipher_request *state = skcipher_request_ctx(request);

	skcipher_request_set_tfm(&state->software, own->software);
	skcipher_request_set_callback(&state->software,
				      request->base.flags & ~CRYPTO_TFM_REQ_MAY_SLEEP, NULL, NULL);
	skcipher_request_set_crypt(&state->software, request->src, request->dst,
				   request->cryptlen, request->iv);
	return state->decrypt ? crypto_skcipher_decrypt(&state->software) :
				crypto_skcipher_encrypt(&state->software);
}

static void owk_skcipher_fill(struct owk_lane *lane, const struct owk_work *work)
{
	struct skcipher_request *request = work->request;
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(request);
	struct owk_skcipher_request *state = skcipher_request_ctx(request);
	struct ow_job *job = &lane->job;

	job->opcode = owk_skcipher_of(tfm)->opcode;
	job->flags = state->decrypt ? OW_JOB_DECRYPT : 0;
	job->length = request->cryptlen;
	job->iv = request->iv;
	job->iv_len = crypto_skcipher_ivsize(tfm);
}

static void owk_skcipher_finish(struct owk_lane *lane)
{
	struct skcipher_request *request = lane->request;
	int error = owk_error(lane);

	if (!error && owk_has_next_iv(lane->job.opcode))
		memcpy(request->iv, lane->job.tag,
		       crypto_skcipher_ivsize(crypto_skcipher_reqtfm(request)));
	owk_lane_free(lane);
	if (error == -EAGAIN)
		error = owk_skcipher_software(request);
	skcipher_request_complete(request, error);
}

/* Under protected keys there is nobody else: who may wait does so, whatever owk_backlog says. */
static struct owk_waiting *owk_skcipher_waiting(struct skcipher_request *request, bool is_protected)
{
	struct owk_skcipher_request *state = skcipher_request_ctx(request);

	if (is_protected)
		return request->base.flags & CRYPTO_TFM_REQ_MAY_BACKLOG ? &state->waiting : NULL;
	return owk_may_wait(&request->base, &state->waiting);
}

static int owk_skcipher_crypt(struct skcipher_request *request, bool decrypt)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(request);
	struct owk_skcipher_request *state = skcipher_request_ctx(request);
	struct owk_skcipher_tfm *own = crypto_skcipher_ctx(tfm);
	bool is_protected = owk_is_protected(tfm);
	u8 opcode = owk_skcipher_of(tfm)->opcode;
	struct owk_work work = {
		.source = request->src,
		.destination = request->dst,
		.source_bytes = request->cryptlen,
		.destination_bytes = request->cryptlen,
		.key = own->protected ? &own->protected->key : &own->key,
		.fill = owk_skcipher_fill,
		.finish = owk_skcipher_finish,
		.software = is_protected ? NULL : owk_skcipher_software,
		.request = request,
		.base = &request->base,
		.waiting = owk_skcipher_waiting(request, is_protected),
	};

	state->decrypt = decrypt;
	if (opcode == OW_OP_AES_XTS && request->cryptlen < AES_BLOCK_SIZE)
		return -EINVAL;
	if (!request->cryptlen)
		return 0;
	/* XTS ends with a stolen block where the last one is not full. */
	if (opcode != OW_OP_AES_XTS && request->cryptlen % crypto_skcipher_blocksize(tfm))
		return -EINVAL;
	if (is_protected)
		return own->protected ? owk_submit(&work) : -ENOKEY;
	if (!own->key.len || request->cryptlen < owk_minimum_cipher)
		return owk_decline(&work, own->key.len ? OWK_FALLBACK_SMALL : OWK_FALLBACK_KEY);
	return owk_run(&work);
}

static int owk_skcipher_encrypt(struct skcipher_request *request)
{
	return owk_skcipher_crypt(request, false);
}

static int owk_skcipher_decrypt(struct skcipher_request *request)
{
	return owk_skcipher_crypt(request, true);
}

static int owk_paes_setkey(struct crypto_skcipher *tfm, const u8 *token, unsigned int token_len)
{
	struct owk_skcipher_tfm *own = crypto_skcipher_ctx(tfm);
	struct owk_protected *protected = own->protected;

	/* Also if there is no other: dm-crypt wipes a key by setting one that does not exist. */
	own->protected = NULL;
	if (protected)
		owk_protected_put(protected);
	protected = owk_protected_find(token, token_len,
				       owk_skcipher_of(tfm)->opcode == OW_OP_AES_XTS);
	if (IS_ERR(protected))
		return PTR_ERR(protected);
	own->protected = protected;
	return 0;
}

static int owk_skcipher_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int key_len)
{
	struct owk_skcipher_tfm *own = crypto_skcipher_ctx(tfm);
	u8 opcode = owk_skcipher_of(tfm)->opcode;
	int error;

	crypto_skcipher_clear_flags(own->software, CRYPTO_TFM_REQ_MASK);
	crypto_skcipher_set_flags(own->software,
				  crypto_skcipher_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
	error = crypto_skcipher_setkey(own->software, key, key_len);
	if (error)
		return error;
	if (owk_is_des(opcode))
		owk_key_set_kind(&own->key, opcode, key, key_len);
	else
		owk_key_set(&own->key, key, key_len, opcode == OW_OP_AES_XTS);
	return 0;
}

static int owk_paes_init(struct crypto_skcipher *tfm)
{
	crypto_skcipher_set_reqsize(tfm, sizeof(struct owk_skcipher_request));
	return 0;
}

static void owk_paes_exit(struct crypto_skcipher *tfm)
{
	struct owk_skcipher_tfm *own = crypto_skcipher_ctx(tfm);

	if (own->protected)
		owk_protected_put(own->protected);
}

static int owk_skcipher_init(struct crypto_skcipher *tfm)
{
	struct owk_skcipher_tfm *own = crypto_skcipher_ctx(tfm);

	own->software = crypto_alloc_skcipher(crypto_tfm_alg_name(crypto_skcipher_tfm(tfm)), 0,
					      CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(own->software))
		return PTR_ERR(own->software);
	crypto_skcipher_set_reqsize(tfm, sizeof(struct owk_skcipher_request) +
					 crypto_skcipher_reqsize(own->software));
	return 0;
}

static void owk_skcipher_exit(struct crypto_skcipher *tfm)
{
	struct owk_skcipher_tfm *own = crypto_skcipher_ctx(tfm);

	owk_key_clear(&own->key);
	crypto_free_skcipher(own->software);
}

#define OWK_MODE(mode, cipher, suffix, code, block, iv_bytes, shortest, longest, what, flags) {	\
	.opcode = code,										\
	.alg = {										\
		.base = {									\
			.cra_name = #mode "(" cipher ")",					\
			.cra_driver_name = #mode "-" suffix "-outwork",				\
			.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_KERN_DRIVER_ONLY | (flags),	\
			.cra_blocksize = block,							\
			.cra_ctxsize = sizeof(struct owk_skcipher_tfm),				\
			.cra_module = THIS_MODULE,						\
		},										\
		.init = owk_##what##_init,							\
		.exit = owk_##what##_exit,							\
		.setkey = owk_##what##_setkey,							\
		.encrypt = owk_skcipher_encrypt,						\
		.decrypt = owk_skcipher_decrypt,						\
		.min_keysize = shortest,							\
		.max_keysize = longest,								\
		.ivsize = iv_bytes,								\
	},											\
}

#define OWK_SKCIPHER(mode, cipher, suffix, code, block, iv_bytes, shortest, longest)		\
	OWK_MODE(mode, cipher, suffix, code, block, iv_bytes, shortest, longest, skcipher,	\
		 CRYPTO_ALG_NEED_FALLBACK)
#define OWK_PAES(mode, code, block, iv_bytes)							\
	OWK_MODE(mode, "paes", "paes", code, block, iv_bytes, sizeof(struct owk_token),		\
		 sizeof(struct owk_token), paes, 0)
#define OWK_AES(mode, code, block, iv_bytes)							\
	OWK_SKCIPHER(mode, "aes", "aes", code, block, iv_bytes, AES_MIN_KEY_SIZE,		\
		     AES_MAX_KEY_SIZE)
#define OWK_DES3(mode, code, iv_bytes)								\
	OWK_SKCIPHER(mode, "des3_ede", "des3-ede", code, DES3_EDE_BLOCK_SIZE, iv_bytes,		\
		     DES3_EDE_KEY_SIZE, DES3_EDE_KEY_SIZE)

static struct owk_skcipher owk_skciphers[] = {
	OWK_AES(ecb, OW_OP_AES_ECB, AES_BLOCK_SIZE, 0),
	OWK_AES(cbc, OW_OP_AES_CBC, AES_BLOCK_SIZE, AES_BLOCK_SIZE),
	OWK_AES(ctr, OW_OP_AES_CTR, 1, AES_BLOCK_SIZE),
	OWK_SKCIPHER(xts, "aes", "aes", OW_OP_AES_XTS, AES_BLOCK_SIZE, AES_BLOCK_SIZE,
		     2 * AES_MIN_KEY_SIZE, 2 * AES_MAX_KEY_SIZE),
	OWK_DES3(ecb, OW_OP_TDES_ECB, 0),
	OWK_DES3(cbc, OW_OP_TDES_CBC, DES3_EDE_BLOCK_SIZE),
	OWK_PAES(ecb, OW_OP_AES_ECB, AES_BLOCK_SIZE, 0),
	OWK_PAES(cbc, OW_OP_AES_CBC, AES_BLOCK_SIZE, AES_BLOCK_SIZE),
	OWK_PAES(ctr, OW_OP_AES_CTR, 1, AES_BLOCK_SIZE),
	OWK_PAES(xts, OW_OP_AES_XTS, AES_BLOCK_SIZE, AES_BLOCK_SIZE),
};

int owk_skciphers_register(struct owk_device *device)
{
	unsigned int i;
	int error;

	for (i = 0; i < ARRAY_SIZE(owk_skciphers); i++) {
		struct owk_skcipher *each = &owk_skciphers[i];

		if (each->registered ||
		    !ow_device_supports(&device->device, each->opcode, true))
			continue;
		/* Nobody can make a key for these. */
		if (!OWK_HAS_KEYRINGS && !(each->alg.base.cra_flags & CRYPTO_ALG_NEED_FALLBACK))
			continue;
		each->alg.base.cra_priority = owk_priority;
		if (each->opcode == OW_OP_AES_CTR)
			each->alg.chunksize = AES_BLOCK_SIZE;
		error = crypto_register_skcipher(&each->alg);
		if (error)
			return error;
		each->registered = true;
	}
	return 0;
}

void owk_skciphers_unregister(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(owk_skciphers); i++) {
		if (owk_skciphers[i].registered)
			crypto_unregister_skcipher(&owk_skciphers[i].alg);
		owk_skciphers[i].registered = false;
	}
}
