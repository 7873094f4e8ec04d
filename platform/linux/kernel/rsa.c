// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * RSA without padding for the kernel's crypto API, which has templates for the padding.
 */
#include <crypto/internal/akcipher.h>
#include <crypto/internal/rsa.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "public_key.h"

struct owk_rsa_tfm {
	struct crypto_akcipher *software;
	u8 *key;		/* as it was set: `numbers` points into it */
	unsigned int key_len;
	struct rsa_key numbers;
};

struct owk_rsa_request {
	struct owk_operation operation;
	bool decrypt;
};

static bool owk_rsa_registered;

static struct owk_rsa_tfm *owk_rsa_of(struct akcipher_request *request)
{
	return akcipher_tfm_ctx(crypto_akcipher_reqtfm(request));
}

static int owk_rsa_software(void *context)
{
	struct akcipher_request *request = context;
	struct owk_rsa_request *state = akcipher_request_ctx(request);

	return owk_akcipher_software(owk_rsa_of(request)->software, request,
				     state->decrypt ? OWK_DECRYPT : OWK_ENCRYPT);
}

static struct ow_number owk_number(const u8 *bytes, size_t length)
{
	return (struct ow_number){ .bytes = bytes, .length = length };
}

/* The number that comes out, with zeros before it if the caller has room for more bytes. */
static int owk_rsa_write(const struct owk_place *place, unsigned int bytes,
			 struct akcipher_request *request)
{
	unsigned int before = request->dst_len - bytes;
	int entries = sg_nents_for_len(request->dst, request->dst_len);

	if (entries < 0 || sg_zero_buffer(request->dst, entries, before, 0) != before ||
	    sg_pcopy_from_buffer(request->dst, entries, place->result, bytes, before) != bytes)
		return -EINVAL;
	return 0;
}

static int owk_rsa_device(struct owk_place *place, void *context)
{
	struct akcipher_request *request = context;
	struct owk_rsa_request *state = akcipher_request_ctx(request);
	const struct rsa_key *key = &owk_rsa_of(request)->numbers;
	const struct ow_rsa_public public = {
		.n = owk_number(key->n, key->n_sz),
		.e = owk_number(key->e, key->e_sz),
	};
	const struct ow_rsa_private private = {
		.n = public.n,
		.e = public.e,
		.p = owk_number(key->p, key->p_sz),
		.q = owk_number(key->q, key->q_sz),
		.dp = owk_number(key->dp, key->dp_sz),
		.dq = owk_number(key->dq, key->dq_sz),
		.qinv = owk_number(key->qinv, key->qinv_sz),
	};
	size_t bytes = ow_rsa_public_bytes(&public);
	ow_status status;
	int error;

	/* Software refuses what is no number below the modulus. */
	if (!bytes || bytes > OW_RSA_BYTES_MAX || (state->decrypt && !key->p) ||
	    request->dst_len < bytes ||
	    !owk_source_read(place, bytes, request->src, request->src_len))
		return owk_operation_error(OW_UNSUPPORTED);
	if (state->decrypt)
		status = ow_rsa_private_raw(place->pka, place->result, &private, place->source);
	else
		status = ow_rsa_public_raw(place->pka, place->result, &public, place->source);
	if (status == OW_FAULT && state->decrypt) {
		/* The device has checked its result with `e`, and dropped it. Software makes no
		 * such check: with a key that is damaged, its result would tell what p and q are.
		 */
		atomic64_inc(&owk_counts.errors);
		return -EIO;
	}
	error = owk_operation_error(status);
	return error ?: owk_rsa_write(place, bytes, request);
}

static int owk_rsa_begin(struct akcipher_request *request, bool decrypt)
{
	struct owk_rsa_request *state = akcipher_request_ctx(request);

	state->decrypt = decrypt;
	state->operation = (struct owk_operation){
		.on_device = owk_rsa_device,
		.in_software = owk_rsa_software,
		.request = request,
		.base = &request->base,
	};
	return owk_operation_begin(&state->operation);
}

static int owk_rsa_encrypt(struct akcipher_request *request)
{
	return owk_rsa_begin(request, false);
}

static int owk_rsa_decrypt(struct akcipher_request *request)
{
	return owk_rsa_begin(request, true);
}

static void owk_rsa_forget(struct owk_rsa_tfm *own)
{
	kfree_sensitive(own->key);
	own->key = NULL;
	memset(&own->numbers, 0, sizeof(own->numbers));
}

/* After software has taken a key. */
static int owk_rsa_keep(struct owk_rsa_tfm *own, const void *key, unsigned int key_len,
			int (*parse)(struct rsa_key *numbers, const void *key,
				     unsigned int key_len))
{
	int error;

	own->key = kmemdup(key, key_len, GFP_KERNEL);
	error = own->key ? parse(&own->numbers, own->key, key_len) : -ENOMEM;
	own->key_len = key_len;
	if (error)
		owk_rsa_forget(own);
	return error;
}

static int owk_rsa_set_public(struct crypto_akcipher *tfm, const void *key, unsigned int key_len)
{
	struct owk_rsa_tfm *own = akcipher_tfm_ctx(tfm);

	owk_rsa_forget(own);
	return crypto_akcipher_set_pub_key(own->software, key, key_len) ?:
	       owk_rsa_keep(own, key, key_len, rsa_parse_pub_key);
}

static int owk_rsa_set_private(struct crypto_akcipher *tfm, const void *key, unsigned int key_len)
{
	struct owk_rsa_tfm *own = akcipher_tfm_ctx(tfm);

	owk_rsa_forget(own);
	return crypto_akcipher_set_priv_key(own->software, key, key_len) ?:
	       owk_rsa_keep(own, key, key_len, rsa_parse_priv_key);
}

static unsigned int owk_rsa_max_size(struct crypto_akcipher *tfm)
{
	struct owk_rsa_tfm *own = akcipher_tfm_ctx(tfm);

	return crypto_akcipher_maxsize(own->software);
}

static int owk_rsa_init(struct crypto_akcipher *tfm)
{
	struct owk_rsa_tfm *own = akcipher_tfm_ctx(tfm);

	own->software = crypto_alloc_akcipher(crypto_tfm_alg_name(crypto_akcipher_tfm(tfm)), 0,
					      CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(own->software))
		return PTR_ERR(own->software);
	akcipher_set_reqsize(tfm, sizeof(struct owk_rsa_request));
	return 0;
}

static void owk_rsa_exit(struct crypto_akcipher *tfm)
{
	struct owk_rsa_tfm *own = akcipher_tfm_ctx(tfm);

	owk_rsa_forget(own);
	crypto_free_akcipher(own->software);
}

static struct akcipher_alg owk_rsa = {
	.encrypt = owk_rsa_encrypt,
	.decrypt = owk_rsa_decrypt,
	.set_pub_key = owk_rsa_set_public,
	.set_priv_key = owk_rsa_set_private,
	.max_size = owk_rsa_max_size,
	.init = owk_rsa_init,
	.exit = owk_rsa_exit,
	.base = {
		.cra_name = "rsa",
		.cra_driver_name = "rsa-outwork",
		.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |
			     CRYPTO_ALG_KERN_DRIVER_ONLY,
		.cra_ctxsize = sizeof(struct owk_rsa_tfm),
		.cra_module = THIS_MODULE,
	},
};

int owk_rsa_register(struct owk_device *device)
{
	int error;

	if (owk_rsa_registered || !ow_device_supports(&device->device, OW_OP_RSA_PUBLIC, false) ||
	    !ow_device_supports(&device->device, OW_OP_RSA_PRIVATE, false))
		return 0;
	owk_rsa.base.cra_priority = owk_priority;
	error = crypto_register_akcipher(&owk_rsa);
	owk_rsa_registered = !error;
	return error;
}

void owk_rsa_unregister(void)
{
	if (owk_rsa_registered)
		crypto_unregister_akcipher(&owk_rsa);
	owk_rsa_registered = false;
}
