// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Compares AES with HMAC on the device with the CPU's own code, for the algorithms that the kernel
 * has no self-tests of: random messages, encrypted, decrypted, spoiled. Loads, prints a line, and
 * fails to load, so that it can be loaded again. For tests only.
 */
#include <crypto/aead.h>
#include <crypto/authenc.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/rtnetlink.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#define COMPARE_AAD_BYTES 24u
#define COMPARE_TEXT_BYTES 2048u
#define COMPARE_TAG_BYTES 64u
#define COMPARE_BYTES (COMPARE_AAD_BYTES + COMPARE_TEXT_BYTES + COMPARE_TAG_BYTES)

static char *compare_driver = "";
module_param_named(driver, compare_driver, charp, 0);
MODULE_PARM_DESC(driver, "Of an algorithm authenc(…) on the device");

static char *compare_software = "";
module_param_named(software, compare_software, charp, 0);
MODULE_PARM_DESC(software, "Driver of the CPU's own code");

static unsigned int compare_key = 32;
module_param_named(key, compare_key, uint, 0);
MODULE_PARM_DESC(key, "Bytes of the key of AES, with the nonce of RFC 3686 (default 32)");

static unsigned int compare_mac = 20;
module_param_named(mac, compare_mac, uint, 0);
MODULE_PARM_DESC(mac, "Bytes of the key of HMAC (default 20)");

static unsigned int compare_count = 20;
module_param_named(count, compare_count, uint, 0);
MODULE_PARM_DESC(count, "Messages (default 20)");

struct compare {
	struct crypto_aead *device, *software;
	struct aead_request *on_device, *in_software;
	struct rnd_state random;
	u8 iv[16], text[COMPARE_BYTES], wanted[COMPARE_BYTES], memory[2][COMPARE_BYTES];
	unsigned int right, wrong;
};

static int compare_set_key(struct compare *compare)
{
	unsigned int bytes = RTA_SPACE(sizeof(struct crypto_authenc_key_param)) + compare_mac +
			     compare_key;
	struct crypto_authenc_key_param *parameter;
	struct rtattr *attribute = kzalloc(bytes, GFP_KERNEL);
	int error;

	if (!attribute)
		return -ENOMEM;
	attribute->rta_type = CRYPTO_AUTHENC_KEYA_PARAM;
	attribute->rta_len = RTA_LENGTH(sizeof(*parameter));
	parameter = RTA_DATA(attribute);
	parameter->enckeylen = cpu_to_be32(compare_key);
	prandom_bytes_state(&compare->random, parameter + 1, compare_mac + compare_key);
	error = crypto_aead_setkey(compare->device, (u8 *)attribute, bytes) ?:
		crypto_aead_setkey(compare->software, (u8 *)attribute, bytes);
	kfree_sensitive(attribute);
	return error;
}

/* Runs a request on `from`; its result is in `to`, which may be the same. */
static int compare_run(struct aead_request *request, struct compare *compare, bool decrypt,
		       u8 *from, u8 *to, unsigned int bytes)
{
	struct scatterlist source[2], destination;
	u8 iv[sizeof(compare->iv)];
	DECLARE_CRYPTO_WAIT(wait);

	memcpy(iv, compare->iv, sizeof(iv));
	/* The AAD apart from the rest, so that there is a list. */
	sg_init_table(source, 2);
	sg_set_buf(&source[0], from, COMPARE_AAD_BYTES);
	sg_set_buf(&source[1], from + COMPARE_AAD_BYTES, COMPARE_BYTES - COMPARE_AAD_BYTES);
	sg_init_one(&destination, to, COMPARE_BYTES);
	aead_request_set_callback(request, CRYPTO_TFM_REQ_MAY_BACKLOG | CRYPTO_TFM_REQ_MAY_SLEEP,
				  crypto_req_done, &wait);
	aead_request_set_ad(request, COMPARE_AAD_BYTES);
	aead_request_set_crypt(request, source, from == to ? source : &destination, bytes, iv);
	return crypto_wait_req(decrypt ? crypto_aead_decrypt(request) :
					 crypto_aead_encrypt(request), &wait);
}

static bool compare_is_good(struct compare *compare, unsigned int bytes)
{
	unsigned int tag = crypto_aead_authsize(compare->device);
	u8 *source = compare->memory[0];
	u8 *result = compare->memory[prandom_u32_state(&compare->random) & 1];
	unsigned int at = COMPARE_AAD_BYTES + prandom_u32_state(&compare->random) % (bytes + tag);

	memcpy(compare->wanted, compare->text, COMPARE_BYTES);
	if (compare_run(compare->in_software, compare, false, compare->wanted, compare->wanted,
			bytes))
		return false;
	memcpy(source, compare->text, COMPARE_BYTES);
	memcpy(compare->memory[1], compare->text, COMPARE_AAD_BYTES);
	if (compare_run(compare->on_device, compare, false, source, result, bytes) ||
	    memcmp(result, compare->wanted, COMPARE_AAD_BYTES + bytes + tag))
		return false;
	memcpy(source, compare->wanted, COMPARE_BYTES);
	if (compare_run(compare->on_device, compare, true, source, result, bytes + tag) ||
	    memcmp(result, compare->text, COMPARE_AAD_BYTES + bytes))
		return false;
	memcpy(source, compare->wanted, COMPARE_BYTES);
	source[at] ^= 1;
	return compare_run(compare->on_device, compare, true, source, result, bytes + tag) ==
	       -EBADMSG;
}

static int compare_all(struct compare *compare)
{
	unsigned int block = crypto_aead_blocksize(compare->device), i, bytes;
	int error;

	prandom_seed_state(&compare->random, 1);
	error = compare_set_key(compare);
	for (i = 0; !error && i < compare_count; i++) {
		bytes = 1 + prandom_u32_state(&compare->random) % COMPARE_TEXT_BYTES;
		bytes = round_up(bytes, block);
		prandom_bytes_state(&compare->random, compare->iv, sizeof(compare->iv));
		prandom_bytes_state(&compare->random, compare->text, COMPARE_BYTES);
		if (compare_is_good(compare, bytes))
			compare->right++;
		else
			compare->wrong++;
	}
	pr_info("compare: %s right %u wrong %u status %d\n", compare_driver, compare->right,
		compare->wrong, error);
	return error;
}

static int __init compare_init(void)
{
	struct compare *compare = kzalloc(sizeof(*compare), GFP_KERNEL);
	int error;

	if (!compare)
		return -ENOMEM;
	compare->device = crypto_alloc_aead(compare_driver, 0, 0);
	compare->software = crypto_alloc_aead(compare_software, 0, 0);
	error = PTR_ERR_OR_ZERO(compare->device) ?: PTR_ERR_OR_ZERO(compare->software);
	if (!error) {
		compare->on_device = aead_request_alloc(compare->device, GFP_KERNEL);
		compare->in_software = aead_request_alloc(compare->software, GFP_KERNEL);
		error = compare->on_device && compare->in_software ? compare_all(compare) : -ENOMEM;
		aead_request_free(compare->on_device);
		aead_request_free(compare->in_software);
	}
	if (!IS_ERR(compare->device))
		crypto_free_aead(compare->device);
	if (!IS_ERR(compare->software))
		crypto_free_aead(compare->software);
	kfree_sensitive(compare);
	return error ?: -EAGAIN;
}
module_init(compare_init);

MODULE_DESCRIPTION("Compares AES with HMAC on the device with software, for tests");
MODULE_AUTHOR("The Outwork authors");
MODULE_LICENSE("GPL");
