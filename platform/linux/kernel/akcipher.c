// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Requests to RSA and ECDSA (akcipher) that the kernel's own code does.
 */
#include <crypto/akcipher.h>
#include <linux/version.h>

#include "public_key.h"

static int owk_akcipher_run(struct akcipher_request *request, enum owk_akcipher what)
{
	switch (what) {
	case OWK_ENCRYPT:
		return crypto_akcipher_encrypt(request);
	case OWK_DECRYPT:
		return crypto_akcipher_decrypt(request);
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	case OWK_VERIFY:
		return crypto_akcipher_verify(request);
#endif
	default:
		return -EINVAL;
	}
}

int owk_akcipher_software(struct crypto_akcipher *software, struct akcipher_request *request,
			  enum owk_akcipher what)
{
	struct akcipher_request *other = akcipher_request_alloc(software, GFP_KERNEL);
	DECLARE_CRYPTO_WAIT(wait);
	int error;

	if (!other)
		return -ENOMEM;
	akcipher_request_set_callback(other, CRYPTO_TFM_REQ_MAY_BACKLOG | CRYPTO_TFM_REQ_MAY_SLEEP,
				      crypto_req_done, &wait);
	akcipher_request_set_crypt(other, request->src, request->dst, request->src_len,
				   request->dst_len);
	error = crypto_wait_req(owk_akcipher_run(other, what), &wait);
	request->dst_len = other->dst_len;
	akcipher_request_free(other);
	return error;
}
