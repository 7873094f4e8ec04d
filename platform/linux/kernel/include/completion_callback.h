/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * What the crypto API calls at the end of a request has another first argument since Linux 6.3.
 */
#ifndef OUTWORK_COMPLETION_CALLBACK_H
#define OUTWORK_COMPLETION_CALLBACK_H

#include <crypto/algapi.h>
#include <linux/crypto.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
typedef void owk_ended;
#define owk_ended_data(ended) (ended)

/* Tells the crypto API of the end of a request, with softirqs off. */
static inline void owk_tell(struct crypto_async_request *base, int error)
{
	crypto_request_complete(base, error);
}
#else
typedef struct crypto_async_request owk_ended;
#define owk_ended_data(ended) ((ended)->data)

static inline void owk_tell(struct crypto_async_request *base, int error)
{
	base->complete(base, error);
}
#endif

#endif
