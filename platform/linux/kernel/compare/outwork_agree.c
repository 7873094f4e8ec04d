// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Has the device agree on keys with the CPU's own code: random secrets of both, equal secrets, and
 * peers that are no points. Loads, prints a line, and fails to load, so that it can be loaded
 * again. For tests only.
 */
#include <crypto/ecdh.h>
#include <crypto/kpp.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#define AGREE_SECRET_MAX 48u
#define AGREE_PUBLIC_MAX (2 * AGREE_SECRET_MAX)

static char *agree_name = "ecdh-nist-p256";
module_param_named(name, agree_name, charp, 0);
MODULE_PARM_DESC(name, "Of the algorithm (kpp)");

static unsigned int agree_count = 5;
module_param_named(count, agree_count, uint, 0);
MODULE_PARM_DESC(count, "Agreements (default 5)");

/* One side: the device, or the CPU. */
struct agree_side {
	struct crypto_kpp *kpp;
	u8 public[AGREE_PUBLIC_MAX], shared[AGREE_PUBLIC_MAX];
};

struct agree {
	struct agree_side device, software;
	struct rnd_state random;
	unsigned int public_bytes, secret_bytes;
	u8 secret[AGREE_SECRET_MAX], peer[AGREE_PUBLIC_MAX];
	unsigned int right, wrong;
};

static bool agree_is_x25519(void)
{
	return !strcmp(agree_name, "curve25519");
}

/* Computes the public key, or with a peer the shared secret. */
static int agree_run(struct agree_side *side, u8 *out, unsigned int out_bytes, u8 *peer,
		     unsigned int peer_bytes)
{
	struct kpp_request *request = kpp_request_alloc(side->kpp, GFP_KERNEL);
	struct scatterlist source, destination;
	DECLARE_CRYPTO_WAIT(wait);
	int error;

	if (!request)
		return -ENOMEM;
	memset(out, 0, AGREE_PUBLIC_MAX);
	sg_init_one(&destination, out, out_bytes);
	kpp_request_set_callback(request, CRYPTO_TFM_REQ_MAY_BACKLOG, crypto_req_done, &wait);
	kpp_request_set_output(request, &destination, out_bytes);
	if (peer) {
		sg_init_one(&source, peer, peer_bytes);
		kpp_request_set_input(request, &source, peer_bytes);
		error = crypto_wait_req(crypto_kpp_compute_shared_secret(request), &wait);
	} else {
		kpp_request_set_input(request, NULL, 0);
		error = crypto_wait_req(crypto_kpp_generate_public_key(request), &wait);
	}
	kpp_request_free(request);
	return error;
}

/* Sets a secret; without bytes the side makes one. */
static int agree_set(struct agree_side *side, u8 *secret, unsigned int bytes)
{
	struct ecdh encoded = { .key = secret, .key_size = bytes };
	u8 memory[AGREE_SECRET_MAX + 16];
	unsigned int length = crypto_ecdh_key_len(&encoded);

	if (agree_is_x25519())
		return crypto_kpp_set_secret(side->kpp, secret, bytes);
	return crypto_ecdh_encode_key(memory, length, &encoded) ?:
	       crypto_kpp_set_secret(side->kpp, memory, length);
}

/* Each side makes a secret. A peer that is no point is refused. X25519 takes any; with one of a
 * small order the shared secret is zero, which Linux leaves to the caller to see.
 */
static bool agree_is_good(struct agree *agree)
{
	struct agree_side *device = &agree->device, *software = &agree->software;
	unsigned int public = agree->public_bytes, secret = agree->secret_bytes;

	if (agree_set(device, NULL, 0) || agree_set(software, NULL, 0) ||
	    agree_run(device, device->public, public, NULL, 0) ||
	    agree_run(software, software->public, public, NULL, 0) ||
	    agree_run(device, device->shared, secret, software->public, public) ||
	    agree_run(software, software->shared, secret, device->public, public) ||
	    memcmp(device->shared, software->shared, secret) ||
	    !memchr_inv(device->shared, 0, secret))
		return false;
	memcpy(agree->peer, software->public, public);
	if (agree_is_x25519())
		memset(agree->peer, 0, public);
	else
		agree->peer[prandom_u32_state(&agree->random) % public] ^= 1;
	return agree_run(device, device->shared, secret, agree->peer, public) ==
		       (agree_is_x25519() ? 0 : -EINVAL) &&
	       !memchr_inv(device->shared, 0, secret);
}

/* Both sides have the same secret, and so the same public key; and write as much as is wanted. */
static bool agree_is_equal(struct agree *agree)
{
	struct agree_side *device = &agree->device, *software = &agree->software;
	unsigned int wanted = agree->public_bytes - 3;

	prandom_bytes_state(&agree->random, agree->secret, agree->secret_bytes);
	agree->secret[0] &= 0x7f; /* below the order */
	return !agree_set(device, agree->secret, agree->secret_bytes) &&
	       !agree_set(software, agree->secret, agree->secret_bytes) &&
	       !agree_run(device, device->public, wanted, NULL, 0) &&
	       !agree_run(software, software->public, wanted, NULL, 0) &&
	       !memcmp(device->public, software->public, AGREE_PUBLIC_MAX);
}

static int agree_open(struct agree_side *side, const char *end)
{
	char name[CRYPTO_MAX_ALG_NAME];

	snprintf(name, sizeof(name), "%s-%s", agree_name, end);
	side->kpp = crypto_alloc_kpp(name, 0, 0);
	return PTR_ERR_OR_ZERO(side->kpp);
}

static int __init agree_init(void)
{
	struct agree *agree = kzalloc(sizeof(*agree), GFP_KERNEL);
	int error, software_error;
	unsigned int i;

	if (!agree)
		return -ENOMEM;
	prandom_seed_state(&agree->random, 1);
	error = agree_open(&agree->device, "outwork");
	software_error = agree_open(&agree->software, "generic");
	if (!error)
		error = software_error;
	if (!error) {
		agree->public_bytes = crypto_kpp_maxsize(agree->device.kpp);
		agree->secret_bytes = agree->public_bytes / (agree_is_x25519() ? 1 : 2);
		for (i = 0; i < agree_count; i++) {
			if (agree_is_good(agree) && agree_is_equal(agree))
				agree->right++;
			else
				agree->wrong++;
		}
	}
	pr_info("agree: %s right %u wrong %u status %d\n", agree_name, agree->right, agree->wrong,
		error);
	if (!IS_ERR(agree->device.kpp))
		crypto_free_kpp(agree->device.kpp);
	if (!IS_ERR(agree->software.kpp))
		crypto_free_kpp(agree->software.kpp);
	kfree_sensitive(agree);
	return error ?: -EAGAIN;
}
module_init(agree_init);

MODULE_DESCRIPTION("Has the device agree on keys with software, for tests");
MODULE_AUTHOR("The Outwork authors");
MODULE_LICENSE("GPL");
