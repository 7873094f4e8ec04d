// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * ECDSA on P-256 and P-384 for the kernel's crypto API, which verifies only. Until Linux 6.12 it is
 * an akcipher: the key is a point (X9.62), the source a signature in DER and the digest behind it.
 */
#include <crypto/internal/akcipher.h>
#include <linux/mutex.h>
#include <linux/scatterlist.h>

#include "public_key.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define OWK_COORDINATE_MAX 48u
#define OWK_DIGEST_MAX 64u

struct owk_ecdsa {
	struct akcipher_alg alg;
	enum ow_curve curve;
	bool registered;
};

struct owk_ecdsa_tfm {
	struct crypto_akcipher *software;
	u8 key[1 + 2 * OWK_COORDINATE_MAX];	/* 4, x, y */
	bool is_checked;	/* the key is good, and has the form that the device takes */
	struct mutex lock;	/* protects the next one, and software's key */
	/* Software has the key. It checks it by a multiplication, so only if it has to. */
	bool in_software;
};

static const struct owk_ecdsa *owk_ecdsa_of(struct crypto_akcipher *tfm)
{
	return container_of(crypto_akcipher_alg(tfm), struct owk_ecdsa, alg);
}

/* Bytes of a key. */
static unsigned int owk_ecdsa_key_bytes(struct crypto_akcipher *tfm)
{
	return 1 + 2 * ow_curve_bytes(owk_ecdsa_of(tfm)->curve);
}

static int owk_ecdsa_software(void *context)
{
	struct akcipher_request *request = context;
	struct crypto_akcipher *tfm = crypto_akcipher_reqtfm(request);
	struct owk_ecdsa_tfm *own = akcipher_tfm_ctx(tfm);
	int error = 0;

	mutex_lock(&own->lock);
	if (own->is_checked && !own->in_software) {
		error = crypto_akcipher_set_pub_key(own->software, own->key,
						    owk_ecdsa_key_bytes(tfm));
		own->in_software = !error;
	}
	mutex_unlock(&own->lock);
	return error ?: owk_akcipher_software(own->software, request, OWK_VERIFY);
}

static int owk_ecdsa_device(struct owk_place *place, void *context)
{
	struct akcipher_request *request = context;
	struct crypto_akcipher *tfm = crypto_akcipher_reqtfm(request);
	struct owk_ecdsa_tfm *own = akcipher_tfm_ctx(tfm);
	enum ow_curve curve = owk_ecdsa_of(tfm)->curve;
	unsigned int all = request->src_len + request->dst_len;

	/* Software takes other encodings than DER, or refuses them. */
	if (!own->is_checked || request->src_len > OW_ECDSA_DER_MAX || !request->dst_len ||
	    request->dst_len > OWK_DIGEST_MAX ||
	    !owk_source_read(place, all, request->src, all) ||
	    ow_ecdsa_from_der(place->result, curve, place->source, request->src_len) != OW_OK)
		return owk_operation_error(OW_UNSUPPORTED);
	return owk_operation_error(ow_ecdsa_verify(place->pka, curve, own->key + 1,
						   place->source + request->src_len,
						   request->dst_len, place->result));
}

static int owk_ecdsa_verify(struct akcipher_request *request)
{
	struct owk_operation *operation = akcipher_request_ctx(request);

	*operation = (struct owk_operation){
		.on_device = owk_ecdsa_device,
		.in_software = owk_ecdsa_software,
		.request = request,
		.base = &request->base,
	};
	return owk_operation_begin(operation);
}

/* Returns whether the device has found that the key is a point of the curve. */
static bool owk_ecdsa_check(struct crypto_akcipher *tfm, const u8 *point)
{
	struct owk_device *device;
	struct owk_place *place = owk_place_take(&device);
	ow_status status;

	if (!place)
		return false;
	status = ow_ec_check(place->pka, owk_ecdsa_of(tfm)->curve, point);
	owk_place_give(device, place);
	return !owk_operation_error(status);
}

/* What the device does not take, or does not check now, software does. */
static int owk_ecdsa_set_public(struct crypto_akcipher *tfm, const void *key, unsigned int key_len)
{
	struct owk_ecdsa_tfm *own = akcipher_tfm_ctx(tfm);
	bool has_form = key_len == owk_ecdsa_key_bytes(tfm) && *(const u8 *)key == 4;
	int error = 0;

	own->in_software = false;
	own->is_checked = has_form && owk_ecdsa_check(tfm, (const u8 *)key + 1);
	if (!own->is_checked) {
		error = crypto_akcipher_set_pub_key(own->software, key, key_len);
		own->in_software = !error;
		own->is_checked = !error && has_form;
	}
	if (own->is_checked)
		memcpy(own->key, key, key_len);
	return error;
}

static unsigned int owk_ecdsa_max_size(struct crypto_akcipher *tfm)
{
	return ow_curve_bytes(owk_ecdsa_of(tfm)->curve);
}

static int owk_ecdsa_init(struct crypto_akcipher *tfm)
{
	struct owk_ecdsa_tfm *own = akcipher_tfm_ctx(tfm);

	own->software = crypto_alloc_akcipher(crypto_tfm_alg_name(crypto_akcipher_tfm(tfm)), 0,
					      CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(own->software))
		return PTR_ERR(own->software);
	mutex_init(&own->lock);
	akcipher_set_reqsize(tfm, sizeof(struct owk_operation));
	return 0;
}

static void owk_ecdsa_exit(struct crypto_akcipher *tfm)
{
	struct owk_ecdsa_tfm *own = akcipher_tfm_ctx(tfm);

	crypto_free_akcipher(own->software);
}

#define OWK_ECDSA(name, driver_name, number) {							\
	.curve = number,									\
	.alg = {										\
		.verify = owk_ecdsa_verify,							\
		.set_pub_key = owk_ecdsa_set_public,						\
		.max_size = owk_ecdsa_max_size,							\
		.init = owk_ecdsa_init,								\
		.exit = owk_ecdsa_exit,								\
		.base = {									\
			.cra_name = name,							\
			.cra_driver_name = driver_name,						\
			.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |		\
				     CRYPTO_ALG_KERN_DRIVER_ONLY,				\
			.cra_ctxsize = sizeof(struct owk_ecdsa_tfm),				\
			.cra_module = THIS_MODULE,						\
		},										\
	},											\
}

static struct owk_ecdsa owk_ecdsas[] = {
	OWK_ECDSA("ecdsa-nist-p256", "ecdsa-nist-p256-outwork", OW_CURVE_P256),
	OWK_ECDSA("ecdsa-nist-p384", "ecdsa-nist-p384-outwork", OW_CURVE_P384),
};

int owk_ecdsa_register(struct owk_device *device)
{
	unsigned int i;
	int error;

	for (i = 0; i < ARRAY_SIZE(owk_ecdsas); i++) {
		struct owk_ecdsa *each = &owk_ecdsas[i];

		if (each->registered ||
		    !ow_device_supports(&device->device, OW_OP_EC_CHECK, false) ||
		    !ow_device_supports(&device->device, OW_OP_EC_VERIFY, false) ||
		    !owk_has_curve(device, each->curve))
			continue;
		each->alg.base.cra_priority = owk_priority;
		error = crypto_register_akcipher(&each->alg);
		if (error)
			return error;
		each->registered = true;
	}
	return 0;
}

void owk_ecdsa_unregister(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(owk_ecdsas); i++) {
		if (owk_ecdsas[i].registered)
			crypto_unregister_akcipher(&owk_ecdsas[i].alg);
		owk_ecdsas[i].registered = false;
	}
}
#endif
