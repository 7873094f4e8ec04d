// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Authenticated encryption for the kernel's crypto API: AES-GCM and AES-CCM, also as IPsec has
 * them; GMAC for IPsec; and AES-CBC or AES-CTR with HMAC, which the device does in one pass.
 */
#include <crypto/aes.h>
#include <crypto/authenc.h>
#include <crypto/ctr.h>
#include <crypto/gcm.h>
#include <crypto/internal/aead.h>
#include <crypto/scatterwalk.h>
#include <crypto/sha1.h>
#include <crypto/sha2.h>
#include <linux/rtnetlink.h>

#include "outwork_linux.h"

/* IPsec: the last bytes of the key material are the salt, the first ones of the nonce (RFC 4106, 4;
 * RFC 4543, 3.2; RFC 4309, 7.1).
 */
#define OWK_RFC4106_SALT 4
#define OWK_RFC4309_SALT 3
/* Of an HMAC's tag, as the device takes it. */
#define OWK_TAG_UNIT 4

/* How the device's nonce and AAD are made of a request's. */
enum owk_form {
	OWK_FORM_PLAIN,		/* as they are */
	OWK_FORM_IPSEC,		/* salt, IV; the AAD's last bytes are the IV: not authenticated */
	OWK_FORM_GMAC,		/* salt, IV; AAD and payload are authenticated (RFC 4543) */
	OWK_FORM_RFC3686,	/* salt, IV, a block counter that starts at 1 */
};

struct owk_aead {
	struct aead_alg alg;
	u8 opcode;
	u8 form;		/* enum owk_form */
	u8 salt;		/* bytes of it, which are the last ones of the key material */
	bool registered;
};

struct owk_aead_tfm {
	struct owk_key key;
	struct crypto_aead *software;
	u8 salt[OWK_RFC4106_SALT];
};

struct owk_aead_request {
	bool decrypt;
	u8 iv[AES_BLOCK_SIZE];
	struct owk_waiting waiting;
	struct aead_request software;	/* the last: its size is that of the software's */
};

static const struct owk_aead *owk_aead_of(struct crypto_aead *tfm)
{
	return container_of(crypto_aead_alg(tfm), struct owk_aead, alg);
}

static bool owk_is_pair(u8 opcode)
{
	return opcode >> 4 == OW_OP_AES_CBC_HMAC_SHA1 >> 4;
}

static bool owk_is_cbc(u8 opcode)
{
	return owk_is_pair(opcode) && opcode < OW_OP_AES_CTR_HMAC_SHA1;
}

static int owk_aead_software(void *context)
{
	struct aead_request *request = context;
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
	const struct owk_aead *each = owk_aead_of(tfm);
	struct ow_job *job = &lane->job;

	job->opcode = each->opcode;
	job->tag_len = crypto_aead_authsize(tfm);
	job->flags = state->decrypt ? OW_JOB_DECRYPT | OW_JOB_TAG_IN_SOURCE : OW_JOB_APPEND_TAG;
	job->length = request->cryptlen - (state->decrypt ? job->tag_len : 0);
	job->iv = request->iv;
	job->iv_len = crypto_aead_ivsize(tfm);
	job->aad_len = request->assoclen;
	if (each->form != OWK_FORM_PLAIN) {
		memcpy(state->iv, own->salt, each->salt);
		memcpy(state->iv + each->salt, request->iv, job->iv_len);
		job->iv = state->iv;
		job->iv_len += each->salt;
	}
	if (each->form == OWK_FORM_IPSEC) {
		job->aad_len -= GCM_RFC4106_IV_SIZE;
	} else if (each->form == OWK_FORM_GMAC) {
		job->flags &= ~OW_JOB_APPEND_TAG; /* owk_gmac_finish() writes it */
		job->length += job->aad_len;
		job->aad_len = 0;
	} else if (each->form == OWK_FORM_RFC3686) {
		memset(state->iv + AES_BLOCK_SIZE - 4, 0, 3);
		state->iv[AES_BLOCK_SIZE - 1] = 1;
		job->iv_len = AES_BLOCK_SIZE;
	} else if (each->opcode == OW_OP_AES_CCM) {
		job->iv = request->iv + 1; /* after the bytes of the length field, less 1 */
		job->iv_len = AES_BLOCK_SIZE - 2 - request->iv[0];
	}
}

/* Does what the device does not for GMAC, of which it writes neither payload nor tag: copies the
 * payload where it is not in place, and the tag behind it.
 */
static void owk_gmac_finish(struct owk_lane *lane, struct aead_request *request, bool decrypt)
{
	unsigned int at = request->assoclen, tag = lane->job.tag_len, part;
	unsigned int end = at + request->cryptlen - (decrypt ? tag : 0);
	struct sg_mapping_iter from;

	sg_miter_start(&from, request->src, sg_nents(request->src),
		       SG_MITER_ATOMIC | SG_MITER_FROM_SG);
	sg_miter_skip(&from, at);
	for (; request->src != request->dst && at < end && sg_miter_next(&from); at += part) {
		part = min_t(unsigned int, from.length, end - at);
		scatterwalk_map_and_copy(from.addr, request->dst, at, part, 1);
	}
	sg_miter_stop(&from);
	if (!decrypt)
		scatterwalk_map_and_copy(lane->job.tag, request->dst, end, tag, 1);
}

static void owk_aead_finish(struct owk_lane *lane)
{
	struct aead_request *request = lane->request;
	struct owk_aead_request *state = aead_request_ctx(request);
	int error = owk_error(lane);

	if (!error && lane->job.opcode == OW_OP_AES_GMAC)
		owk_gmac_finish(lane, request, state->decrypt);
	owk_lane_free(lane);
	if (error == -EAGAIN)
		error = owk_aead_software(request);
	aead_request_complete(request, error);
}

/* Returns whether the device can have the request. What the standards do not know is among the
 * rest: software refuses it.
 */
static bool owk_aead_is_possible(struct aead_request *request, unsigned int bytes)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(request);
	const struct owk_aead *each = owk_aead_of(tfm);
	unsigned int tag = crypto_aead_authsize(tfm), field;

	if (owk_is_pair(each->opcode))
		return tag && tag % OWK_TAG_UNIT == 0 &&
		       !(owk_is_cbc(each->opcode) && bytes % AES_BLOCK_SIZE);
	if (each->opcode != OW_OP_AES_CCM || each->form == OWK_FORM_IPSEC)
		return true;
	field = request->iv[0] + 1; /* bytes of the length field */
	return field >= 2 && field <= 8 && (field >= 4 || !(bytes >> 8 * field));
}

static int owk_aead_crypt(struct aead_request *request, bool decrypt)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(request);
	struct owk_aead_request *state = aead_request_ctx(request);
	struct owk_aead_tfm *own = crypto_aead_ctx(tfm);
	unsigned int tag = crypto_aead_authsize(tfm);
	u8 form = owk_aead_of(tfm)->form;
	struct owk_work work = {
		.source = request->src,
		.destination = request->dst,
		.aad_bytes = request->assoclen,
		.source_bytes = request->cryptlen,
		.destination_bytes = decrypt ? request->cryptlen - tag : request->cryptlen + tag,
		.key = &own->key,
		.fill = owk_aead_fill,
		.finish = owk_aead_finish,
		.software = owk_aead_software,
		.request = request,
		.base = &request->base,
		.waiting = owk_may_wait(&request->base, &state->waiting),
	};
	int error;

	if (form == OWK_FORM_IPSEC || form == OWK_FORM_GMAC) {
		error = crypto_ipsec_check_assoclen(request->assoclen);
		if (error)
			return error;
	}
	if (form == OWK_FORM_GMAC) {
		work.source_bytes += work.aad_bytes;
		work.aad_bytes = 0;
		work.destination = NULL;
		work.destination_bytes = 0;
	}
	state->decrypt = decrypt;
	if (request->cryptlen + request->assoclen < owk_minimum_cipher)
		return owk_decline(&work, OWK_FALLBACK_SMALL);
	if (!own->key.len)
		return owk_decline(&work, OWK_FALLBACK_KEY);
	if (!owk_aead_is_possible(request, request->cryptlen - (decrypt ? tag : 0)))
		return owk_decline(&work, OWK_FALLBACK_FORM);
	return owk_run(&work);
}

static int owk_aead_encrypt(struct aead_request *request)
{
	return owk_aead_crypt(request, false);
}

static int owk_aead_decrypt(struct aead_request *request)
{
	return owk_aead_crypt(request, true);
}

static int owk_pair_set(struct owk_aead_tfm *own, const struct owk_aead *each, const u8 *key,
			unsigned int key_len)
{
	struct crypto_authenc_keys keys;
	int error = crypto_authenc_extractkeys(&keys, key, key_len);

	if (!error) {
		keys.enckeylen -= each->salt; /* software has taken it: it is not shorter */
		memcpy(own->salt, keys.enckey + keys.enckeylen, each->salt);
		owk_key_set_pair(&own->key, each->opcode, keys.enckey, keys.enckeylen,
				 keys.authkey, keys.authkeylen);
	}
	memzero_explicit(&keys, sizeof(keys));
	return error;
}

static int owk_aead_setkey(struct crypto_aead *tfm, const u8 *key, unsigned int key_len)
{
	struct owk_aead_tfm *own = crypto_aead_ctx(tfm);
	const struct owk_aead *each = owk_aead_of(tfm);
	int error;

	crypto_aead_clear_flags(own->software, CRYPTO_TFM_REQ_MASK);
	crypto_aead_set_flags(own->software, crypto_aead_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
	error = crypto_aead_setkey(own->software, key, key_len);
	if (error)
		return error;
	if (owk_is_pair(each->opcode))
		return owk_pair_set(own, each, key, key_len);
	key_len -= each->salt;
	memcpy(own->salt, key + key_len, each->salt);
	if (each->form == OWK_FORM_GMAC)
		owk_key_set_mac(&own->key, key, key_len);
	else
		owk_key_set(&own->key, key, key_len, false);
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

	owk_key_clear(&own->key);
	memzero_explicit(own->salt, sizeof(own->salt));
	crypto_free_aead(own->software);
}

#define OWK_AEAD(name, driver_name, code, kind, block, align, iv_bytes, salt_bytes, tag) {	\
	.opcode = code,										\
	.form = kind,										\
	.salt = salt_bytes,									\
	.alg = {										\
		.base = {									\
			.cra_name = name,							\
			.cra_driver_name = driver_name,						\
			.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |		\
				     CRYPTO_ALG_KERN_DRIVER_ONLY,				\
			.cra_blocksize = block,							\
			.cra_alignmask = align,							\
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
		.maxauthsize = tag,								\
	},											\
}

#define OWK_COUNTER(name, driver_name, code, kind, iv_bytes, salt_bytes)			\
	OWK_AEAD(name, driver_name "-outwork", code, kind, 1, 0, iv_bytes, salt_bytes,		\
		 AES_BLOCK_SIZE)
/* A struct rtattr is before the keys, which some CPUs can read only where it is aligned. */
#define OWK_PAIR(name, driver_name, code, kind, block, iv_bytes, salt_bytes, tag)		\
	OWK_AEAD("authenc(hmac(" name "))", "authenc-hmac-" driver_name "-outwork", code, kind,	\
		 block, RTA_ALIGNTO - 1, iv_bytes, salt_bytes, tag)
#define OWK_CBC(lower, upper)									\
	OWK_PAIR(#lower "),cbc(aes", #lower "-cbc-aes", OW_OP_AES_CBC_HMAC_##upper,		\
		 OWK_FORM_PLAIN, AES_BLOCK_SIZE, AES_BLOCK_SIZE, 0, upper##_DIGEST_SIZE)
#define OWK_CTR(lower, upper)									\
	OWK_PAIR(#lower "),ctr(aes", #lower "-ctr-aes", OW_OP_AES_CTR_HMAC_##upper,		\
		 OWK_FORM_PLAIN, 1, AES_BLOCK_SIZE, 0, upper##_DIGEST_SIZE)
#define OWK_RFC3686(lower, upper)								\
	OWK_PAIR(#lower "),rfc3686(ctr(aes)", #lower "-rfc3686-ctr-aes",			\
		 OW_OP_AES_CTR_HMAC_##upper, OWK_FORM_RFC3686, 1, CTR_RFC3686_IV_SIZE,		\
		 CTR_RFC3686_NONCE_SIZE, upper##_DIGEST_SIZE)

static struct owk_aead owk_aeads[] = {
	OWK_COUNTER("gcm(aes)", "gcm-aes", OW_OP_AES_GCM, OWK_FORM_PLAIN, GCM_AES_IV_SIZE, 0),
	OWK_COUNTER("rfc4106(gcm(aes))", "rfc4106-gcm-aes", OW_OP_AES_GCM, OWK_FORM_IPSEC,
		    GCM_RFC4106_IV_SIZE, OWK_RFC4106_SALT),
	OWK_COUNTER("rfc4543(gcm(aes))", "rfc4543-gcm-aes", OW_OP_AES_GMAC, OWK_FORM_GMAC,
		    GCM_RFC4543_IV_SIZE, OWK_RFC4106_SALT),
	OWK_COUNTER("ccm(aes)", "ccm-aes", OW_OP_AES_CCM, OWK_FORM_PLAIN, AES_BLOCK_SIZE, 0),
	OWK_COUNTER("rfc4309(ccm(aes))", "rfc4309-ccm-aes", OW_OP_AES_CCM, OWK_FORM_IPSEC,
		    GCM_RFC4106_IV_SIZE, OWK_RFC4309_SALT),
	OWK_CBC(sha1, SHA1),
	OWK_CTR(sha1, SHA1),
	OWK_RFC3686(sha1, SHA1),
	OWK_CBC(sha256, SHA256),
	OWK_CTR(sha256, SHA256),
	OWK_RFC3686(sha256, SHA256),
	OWK_CBC(sha384, SHA384),
	OWK_CTR(sha384, SHA384),
	OWK_RFC3686(sha384, SHA384),
	OWK_CBC(sha512, SHA512),
	OWK_CTR(sha512, SHA512),
	OWK_RFC3686(sha512, SHA512),
};

int owk_aeads_register(struct owk_device *device)
{
	unsigned int i;
	int error;

	for (i = 0; i < ARRAY_SIZE(owk_aeads); i++) {
		struct owk_aead *each = &owk_aeads[i];

		if (each->registered ||
		    !ow_device_supports(&device->device, each->opcode, true))
			continue;
		/* Of a pair, as the template `authenc` counts it: the fallback's would be above. */
		each->alg.base.cra_priority = owk_priority * (owk_is_pair(each->opcode) ? 11 : 1);
		error = crypto_register_aead(&each->alg);
		if (error)
			return error;
		each->registered = true;
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
