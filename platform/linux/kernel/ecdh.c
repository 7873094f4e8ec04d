// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Key agreement for the kernel's crypto API: ECDH on P-256 and P-384, X25519.
 */
#include <crypto/ecdh.h>
#include <crypto/internal/kpp.h>
#include <crypto/rng.h>
#include <linux/scatterlist.h>

#include "outwork/curve25519.h"
#include "pka.h"
#include "public_key.h"

#define OWK_SECRET_MAX 48u
/* Bytes that crypto_ecdh_encode_key() adds to a secret, at most. */
#define OWK_ENCODING_MAX 16u
/* Software refuses some random numbers that the curves allow: one of 2^31 at most. */
#define OWK_TRIES 8u

struct owk_ecdh {
	struct kpp_alg alg;
	bool is_x25519;
	enum ow_curve curve;	/* if it is not */
	bool registered;
};

struct owk_ecdh_tfm {
	struct crypto_kpp *software;
	u8 secret[OWK_SECRET_MAX];	/* the number, or k of RFC 7748 */
	bool has_secret;
};

struct owk_ecdh_request {
	struct owk_operation operation;
	bool agrees;	/* on a shared secret; else a public key is computed */
};

static const struct owk_ecdh *owk_ecdh_of(struct crypto_kpp *tfm)
{
	return container_of(crypto_kpp_alg(tfm), struct owk_ecdh, alg);
}

/* Bytes of a secret, of a coordinate, and of a shared secret. */
static unsigned int owk_ecdh_bytes(const struct owk_ecdh *each)
{
	return each->is_x25519 ? OW_X25519_BYTES : ow_curve_bytes(each->curve);
}

static unsigned int owk_ecdh_public_bytes(const struct owk_ecdh *each)
{
	return owk_ecdh_bytes(each) * (each->is_x25519 ? 1 : 2);
}

static int owk_ecdh_software(void *context)
{
	struct kpp_request *request = context;
	struct owk_ecdh_request *state = kpp_request_ctx(request);
	struct owk_ecdh_tfm *own = kpp_tfm_ctx(crypto_kpp_reqtfm(request));
	struct kpp_request *other = kpp_request_alloc(own->software, GFP_KERNEL);
	DECLARE_CRYPTO_WAIT(wait);
	int error;

	if (!other)
		return -ENOMEM;
	kpp_request_set_callback(other, CRYPTO_TFM_REQ_MAY_BACKLOG | CRYPTO_TFM_REQ_MAY_SLEEP,
				 crypto_req_done, &wait);
	kpp_request_set_output(other, request->dst, request->dst_len);
	if (state->agrees) {
		kpp_request_set_input(other, request->src, request->src_len);
		error = crypto_wait_req(crypto_kpp_compute_shared_secret(other), &wait);
	} else {
		kpp_request_set_input(other, NULL, 0);
		error = crypto_wait_req(crypto_kpp_generate_public_key(other), &wait);
	}
	request->dst_len = other->dst_len;
	kpp_request_free(other);
	return error;
}

static ow_status owk_ecdh_run(const struct owk_ecdh *each, const struct owk_ecdh_tfm *own,
			      struct owk_place *place, bool agrees)
{
	const struct ow_x25519_private x25519 = { .k = own->secret };
	const struct ow_ec_private key = {
		.curve = each->curve,
		.d = { own->secret, owk_ecdh_bytes(each) },
	};

	if (each->is_x25519)
		return agrees ? ow_x25519(place->pka, place->result, &x25519, place->source) :
				ow_x25519_public(place->pka, place->result, &x25519);
	return agrees ? ow_ec_multiply(place->pka, place->result, &key, place->source) :
			ow_ec_public(place->pka, place->result, &key);
}

/* A point that is not on the curve, or of a small order, is refused by the device, and then by
 * software, which knows the error.
 */
static int owk_ecdh_device(struct owk_place *place, void *context)
{
	struct kpp_request *request = context;
	struct crypto_kpp *tfm = crypto_kpp_reqtfm(request);
	struct owk_ecdh_request *state = kpp_request_ctx(request);
	struct owk_ecdh_tfm *own = kpp_tfm_ctx(tfm);
	const struct owk_ecdh *each = owk_ecdh_of(tfm);
	unsigned int public = owk_ecdh_public_bytes(each);
	unsigned int result = state->agrees ? owk_ecdh_bytes(each) : public;
	int error;

	if (!own->has_secret ||
	    (state->agrees && (request->src_len != public ||
			       !owk_source_read(place, public, request->src, public))))
		return owk_operation_error(OW_UNSUPPORTED);
	error = owk_operation_error(owk_ecdh_run(each, own, place, state->agrees));
	/* A caller may want less. */
	return error ?: owk_result_write(place, min(result, request->dst_len), request->dst);
}

static int owk_ecdh_begin(struct kpp_request *request, bool agrees)
{
	struct owk_ecdh_request *state = kpp_request_ctx(request);

	state->agrees = agrees;
	state->operation = (struct owk_operation){
		.on_device = owk_ecdh_device,
		.in_software = owk_ecdh_software,
		.request = request,
		.base = &request->base,
	};
	return owk_operation_begin(&state->operation);
}

static int owk_ecdh_generate_public(struct kpp_request *request)
{
	return owk_ecdh_begin(request, false);
}

static int owk_ecdh_agree(struct kpp_request *request)
{
	return owk_ecdh_begin(request, true);
}

/* Gives software a secret, in the form that it takes. */
static int owk_ecdh_give(const struct owk_ecdh *each, struct owk_ecdh_tfm *own)
{
	struct ecdh encoded = { .key = own->secret, .key_size = owk_ecdh_bytes(each) };
	u8 memory[OWK_SECRET_MAX + OWK_ENCODING_MAX];
	unsigned int length = crypto_ecdh_key_len(&encoded);
	int error = -EINVAL;

	if (each->is_x25519)
		return crypto_kpp_set_secret(own->software, own->secret, OW_X25519_BYTES);
	if (length <= sizeof(memory))
		error = crypto_ecdh_encode_key(memory, length, &encoded);
	if (!error)
		error = crypto_kpp_set_secret(own->software, memory, length);
	memzero_explicit(memory, sizeof(memory));
	return error;
}

/* Makes a random secret, by rejection (FIPS 186-5, A.2.2). */
static int owk_ecdh_make(const struct owk_ecdh *each, struct owk_ecdh_tfm *own)
{
	unsigned int bytes = owk_ecdh_bytes(each), try;
	int error = crypto_get_default_rng();

	if (error)
		return error;
	error = -EAGAIN;
	for (try = 0; error && try < OWK_TRIES; try++) {
		error = crypto_rng_get_bytes(crypto_default_rng, own->secret, bytes);
		if (!error && !each->is_x25519 &&
		    !ow_scalar_in_range(own->secret, ow_curve_order(each->curve), bytes))
			error = -EAGAIN;
		if (!error)
			error = owk_ecdh_give(each, own);
	}
	crypto_put_default_rng();
	return error;
}

/* Takes the caller's secret. An empty one asks for a random one. */
static int owk_ecdh_take(const struct owk_ecdh *each, struct owk_ecdh_tfm *own, const void *buffer,
			 unsigned int length)
{
	unsigned int bytes = owk_ecdh_bytes(each), key_len = length;
	const void *key = buffer;
	struct ecdh decoded;
	int error;

	if (!each->is_x25519) {
		if (crypto_ecdh_decode_key(buffer, length, &decoded) < 0)
			return -EINVAL;
		key = decoded.key;
		key_len = key ? decoded.key_size : 0;
	}
	if (!key_len)
		return owk_ecdh_make(each, own);
	error = crypto_kpp_set_secret(own->software, buffer, length);
	if (error || key_len > bytes)
		return error ?: -EINVAL;
	memcpy(own->secret + bytes - key_len, key, key_len);
	return 0;
}

static int owk_ecdh_set_secret(struct crypto_kpp *tfm, const void *buffer, unsigned int length)
{
	struct owk_ecdh_tfm *own = kpp_tfm_ctx(tfm);
	int error;

	memzero_explicit(own->secret, sizeof(own->secret));
	error = owk_ecdh_take(owk_ecdh_of(tfm), own, buffer, length);
	own->has_secret = !error;
	if (error)
		memzero_explicit(own->secret, sizeof(own->secret));
	return error;
}

static unsigned int owk_ecdh_max_size(struct crypto_kpp *tfm)
{
	return owk_ecdh_public_bytes(owk_ecdh_of(tfm));
}

static int owk_ecdh_init(struct crypto_kpp *tfm)
{
	struct owk_ecdh_tfm *own = kpp_tfm_ctx(tfm);

	own->software = crypto_alloc_kpp(crypto_tfm_alg_name(crypto_kpp_tfm(tfm)), 0,
					 CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(own->software))
		return PTR_ERR(own->software);
	kpp_set_reqsize(tfm, sizeof(struct owk_ecdh_request));
	return 0;
}

static void owk_ecdh_exit(struct crypto_kpp *tfm)
{
	struct owk_ecdh_tfm *own = kpp_tfm_ctx(tfm);

	memzero_explicit(own->secret, sizeof(own->secret));
	crypto_free_kpp(own->software);
}

#define OWK_ECDH(name, driver_name, is_curve25519, number) {					\
	.is_x25519 = is_curve25519,								\
	.curve = number,									\
	.alg = {										\
		.set_secret = owk_ecdh_set_secret,						\
		.generate_public_key = owk_ecdh_generate_public,				\
		.compute_shared_secret = owk_ecdh_agree,					\
		.max_size = owk_ecdh_max_size,							\
		.init = owk_ecdh_init,								\
		.exit = owk_ecdh_exit,								\
		.base = {									\
			.cra_name = name,							\
			.cra_driver_name = driver_name,						\
			.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |		\
				     CRYPTO_ALG_KERN_DRIVER_ONLY,				\
			.cra_ctxsize = sizeof(struct owk_ecdh_tfm),				\
			.cra_module = THIS_MODULE,						\
		},										\
	},											\
}

static struct owk_ecdh owk_ecdhs[] = {
	OWK_ECDH("ecdh-nist-p256", "ecdh-nist-p256-outwork", false, OW_CURVE_P256),
	OWK_ECDH("ecdh-nist-p384", "ecdh-nist-p384-outwork", false, OW_CURVE_P384),
	OWK_ECDH("curve25519", "curve25519-outwork", true, OW_CURVE_P256),
};

/* Whether the device can do it, and the kernel has code of its own. */
static bool owk_ecdh_is_possible(struct owk_device *device, const struct owk_ecdh *each)
{
	if (!crypto_has_kpp(each->alg.base.cra_name, 0, CRYPTO_ALG_ASYNC))
		return false;
	if (each->is_x25519)
		return ow_device_supports(&device->device, OW_OP_X25519, false);
	return ow_device_supports(&device->device, OW_OP_EC_PUBLIC, false) &&
	       ow_device_supports(&device->device, OW_OP_EC_MULTIPLY, false) &&
	       owk_has_curve(device, each->curve);
}

int owk_ecdh_register(struct owk_device *device)
{
	unsigned int i;
	int error;

	for (i = 0; i < ARRAY_SIZE(owk_ecdhs); i++) {
		struct owk_ecdh *each = &owk_ecdhs[i];

		if (each->registered || !owk_ecdh_is_possible(device, each))
			continue;
		each->alg.base.cra_priority = owk_priority;
		error = crypto_register_kpp(&each->alg);
		if (error)
			return error;
		each->registered = true;
	}
	return 0;
}

void owk_ecdh_unregister(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(owk_ecdhs); i++) {
		if (owk_ecdhs[i].registered)
			crypto_unregister_kpp(&owk_ecdhs[i].alg);
		owk_ecdhs[i].registered = false;
	}
}
