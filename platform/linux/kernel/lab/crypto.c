// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Adapter of the kernel's crypto API: AEAD, ciphers and hashes by the name of their driver.
 */
#include <crypto/aead.h>
#include <crypto/hash.h>
#include <crypto/skcipher.h>
#include <linux/bottom_half.h>
#include <linux/completion.h>
#include <linux/scatterlist.h>
#include <linux/tick.h>

#include "adapter.h"
#include "point.h"
#include "completion_callback.h"
#include "lab_kernel.h"

#define LAB_CYCLES_PER_US 100 /* the clock is declared as 100 MHz */

struct lab_context {
	struct ow_lab_setting setting;
	union {
		struct crypto_aead *aead;
		struct crypto_skcipher *skcipher;
		struct crypto_ahash *hash;
	} tfm;
};

/* A message on its way: its request, which is kept for the next one. */
struct lab_slot {
	union {
		struct aead_request *aead;
		struct skcipher_request *skcipher;
		struct ahash_request *hash;
		void *any;
	} request;
	struct scatterlist source, destination;
	u8 iv[16]; /* a cipher leaves the next one there */
	bool done;
	int error;
};

/* What differs between the kinds of algorithms. */
struct lab_kind {
	const char *name;
	int (*open)(struct lab_context *context, const char *driver);
	void (*close)(struct lab_context *context);
	int (*set_key)(struct lab_context *context, const u8 *key, unsigned int len);
	bool (*prepare)(struct lab_context *context, struct lab_slot *slot);
	int (*start)(struct lab_context *context, struct lab_slot *slot,
		     struct ow_lab_message *message);
};

static const struct lab_kind *lab_kind;
static struct lab_slot lab_slots[POINT_MESSAGES];
/* Messages that were submitted, and of them those that were handed back; all by number. */
static u32 lab_given, lab_ended, lab_together;
/* The message that flush() waits for. */
static u32 lab_awaited;
static DECLARE_COMPLETION(lab_over);
static u32 lab_jobs_before;

static struct lab_slot *lab_slot_of(u32 number)
{
	return &lab_slots[number % POINT_MESSAGES];
}

static void lab_done(owk_ended *ended, int error)
{
	struct lab_slot *slot = owk_ended_data(ended);

	if (error == -EINPROGRESS)
		return;
	slot->error = error;
	WRITE_ONCE(slot->done, true);
	if (slot == lab_slot_of(READ_ONCE(lab_awaited)))
		complete(&lab_over);
}

static int aead_open(struct lab_context *context, const char *driver)
{
	context->tfm.aead = crypto_alloc_aead(driver, 0, 0);
	return PTR_ERR_OR_ZERO(context->tfm.aead) ?:
		       crypto_aead_setauthsize(context->tfm.aead, context->setting.tag_len);
}

static void aead_close(struct lab_context *context)
{
	crypto_free_aead(context->tfm.aead);
}

static int aead_set_key(struct lab_context *context, const u8 *key, unsigned int len)
{
	return crypto_aead_setkey(context->tfm.aead, key, len);
}

static bool aead_prepare(struct lab_context *context, struct lab_slot *slot)
{
	slot->request.aead = aead_request_alloc(context->tfm.aead, GFP_KERNEL);
	return slot->request.aead;
}

static int aead_start(struct lab_context *context, struct lab_slot *slot,
		      struct ow_lab_message *message)
{
	struct aead_request *request = slot->request.aead;
	const struct ow_lab_setting *setting = &context->setting;
	unsigned int text = setting->length, both = text + setting->tag_len;

	aead_request_set_tfm(request, context->tfm.aead);
	aead_request_set_callback(request, 0, lab_done, slot);
	aead_request_set_ad(request, 0);
	sg_init_one(&slot->source, message->source, setting->is_inverse ? both : text);
	sg_init_one(&slot->destination, message->destination, setting->is_inverse ? text : both);
	aead_request_set_crypt(request, &slot->source, &slot->destination,
			       setting->is_inverse ? both : text, slot->iv);
	return setting->is_inverse ? crypto_aead_decrypt(request) : crypto_aead_encrypt(request);
}

static int skcipher_open(struct lab_context *context, const char *driver)
{
	context->tfm.skcipher = crypto_alloc_skcipher(driver, 0, 0);
	return PTR_ERR_OR_ZERO(context->tfm.skcipher);
}

static void skcipher_close(struct lab_context *context)
{
	crypto_free_skcipher(context->tfm.skcipher);
}

static int skcipher_set_key(struct lab_context *context, const u8 *key, unsigned int len)
{
	return crypto_skcipher_setkey(context->tfm.skcipher, key, len);
}

static bool skcipher_prepare(struct lab_context *context, struct lab_slot *slot)
{
	slot->request.skcipher = skcipher_request_alloc(context->tfm.skcipher, GFP_KERNEL);
	return slot->request.skcipher;
}

static int skcipher_start(struct lab_context *context, struct lab_slot *slot,
			  struct ow_lab_message *message)
{
	struct skcipher_request *request = slot->request.skcipher;
	const struct ow_lab_setting *setting = &context->setting;

	skcipher_request_set_tfm(request, context->tfm.skcipher);
	skcipher_request_set_callback(request, 0, lab_done, slot);
	sg_init_one(&slot->source, message->source, setting->length);
	sg_init_one(&slot->destination, message->destination, setting->length);
	skcipher_request_set_crypt(request, &slot->source, &slot->destination, setting->length,
				   slot->iv);
	return setting->is_inverse ? crypto_skcipher_decrypt(request) :
				     crypto_skcipher_encrypt(request);
}

static int hash_open(struct lab_context *context, const char *driver)
{
	context->tfm.hash = crypto_alloc_ahash(driver, 0, 0);
	return PTR_ERR_OR_ZERO(context->tfm.hash);
}

static void hash_close(struct lab_context *context)
{
	crypto_free_ahash(context->tfm.hash);
}

static int hash_set_key(struct lab_context *context, const u8 *key, unsigned int len)
{
	return len ? crypto_ahash_setkey(context->tfm.hash, key, len) : 0;
}

static bool hash_prepare(struct lab_context *context, struct lab_slot *slot)
{
	slot->request.hash = ahash_request_alloc(context->tfm.hash, GFP_KERNEL);
	return slot->request.hash;
}

static int hash_start(struct lab_context *context, struct lab_slot *slot,
		      struct ow_lab_message *message)
{
	struct ahash_request *request = slot->request.hash;

	ahash_request_set_tfm(request, context->tfm.hash);
	ahash_request_set_callback(request, 0, lab_done, slot);
	sg_init_one(&slot->source, message->source, context->setting.length);
	ahash_request_set_crypt(request, &slot->source, message->tag, context->setting.length);
	return crypto_ahash_digest(request);
}

static const struct lab_kind lab_kinds[] = {
	{ "aead", aead_open, aead_close, aead_set_key, aead_prepare, aead_start },
	{ "skcipher", skcipher_open, skcipher_close, skcipher_set_key, skcipher_prepare,
	  skcipher_start },
	{ "hash", hash_open, hash_close, hash_set_key, hash_prepare, hash_start },
};

static void lab_close(void *opened)
{
	struct lab_context *context = opened;

	lab_kind->close(context);
	kfree_sensitive(context);
}

static void *lab_open(const struct ow_lab_setting *setting)
{
	struct lab_context *context = kzalloc(sizeof(*context), GFP_KERNEL);
	unsigned int i;
	int error;

	if (!context)
		return NULL;
	context->setting = *setting;
	error = lab_kind->open(context, lab_point_here()->driver);
	for (i = 0; !error && i < POINT_MESSAGES && !lab_slots[i].request.any; i++) {
		if (!lab_kind->prepare(context, &lab_slots[i]))
			error = -ENOMEM;
	}
	if (error) {
		kfree(context);
		return NULL;
	}
	return context;
}

static int lab_set_key(void *opened, const uint8_t *key)
{
	struct lab_context *context = opened;

	return lab_kind->set_key(context, key, context->setting.key_len) == 0;
}

static const char *lab_refuses(const struct ow_lab_setting *setting)
{
	static struct lab_context tried;
	int error;

	if (setting->is_kept)
		return "every request has its IV";
	tried.setting = *setting;
	error = lab_kind->open(&tried, lab_point_here()->driver);
	if (error)
		return "this kernel does not have it";
	lab_kind->close(&tried);
	return NULL;
}

static int lab_start(struct lab_context *context, struct ow_lab_message *message)
{
	struct lab_slot *slot = lab_slot_of(lab_given++);
	int error;

	memcpy(slot->iv, message->iv, sizeof(slot->iv));
	slot->done = false;
	error = lab_kind->start(context, slot, message);
	if (error == -EINPROGRESS)
		return 0;
	slot->error = error;
	slot->done = true;
	return error;
}

/* Without softirqs in between, as a caller that has several requests: the device is told of them
 * together.
 */
static int lab_submit(void **contexts, struct ow_lab_message **messages, uint32_t count)
{
	int error = 0;
	u32 i;

	lab_together = count;
	local_bh_disable();
	for (i = 0; i < count; i++)
		error = lab_start(contexts[i], messages[i]) ?: error;
	local_bh_enable();
	return error ? -1 : 0;
}

/* Waits for the messages that were submitted together first. */
static int lab_flush(void)
{
	struct lab_slot *last;
	int count = 0;

	reinit_completion(&lab_over);
	WRITE_ONCE(lab_awaited, lab_ended + min(lab_together, lab_given - lab_ended) - 1);
	last = lab_slot_of(lab_awaited);
	if (!READ_ONCE(last->done))
		wait_for_completion(&lab_over);
	for (; lab_ended != lab_given && READ_ONCE(lab_slot_of(lab_ended)->done); lab_ended++) {
		if (lab_slot_of(lab_ended)->error)
			return -1;
		count++;
	}
	return count;
}

static int lab_message(void *opened, struct ow_lab_message *message, const uint8_t *key)
{
	if (key && !lab_set_key(opened, key))
		return 0;
	return lab_submit(&opened, &message, 1) == 0 && lab_flush() == 1;
}

static uint32_t lab_idle_cycles(void)
{
	return get_cpu_idle_time_us(raw_smp_processor_id(), NULL) * LAB_CYCLES_PER_US;
}

/* Tags follow the text. */
static uint32_t lab_finish(void)
{
	struct point *point = &lab_point_here()->point;
	bool appended = !strcmp(lab_kind->name, "aead") && !point->is_inverse;
	u32 i;

	for (i = 0; appended && i < point->messages_len; i++)
		memcpy(point->messages[i].tag, point->messages[i].destination + point->length,
		       point->tag_len);
	return lab_device_jobs() - lab_jobs_before;
}

const struct ow_lab_calls *ow_lab_adapter(const char *library)
{
	static const struct ow_lab_calls calls = {
		.refuses = lab_refuses,
		.open = lab_open,
		.set_key = lab_set_key,
		.message = lab_message,
		.submit = lab_submit,
		.flush = lab_flush,
		.close = lab_close,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lab_kinds); i++) {
		if (!strcmp(lab_point_here()->kind, lab_kinds[i].name))
			lab_kind = &lab_kinds[i];
	}
	point_device.finish = lab_finish;
	point_device.idle_cycles = lab_idle_cycles;
	lab_jobs_before = lab_device_jobs();
	return lab_kind ? &calls : NULL;
}
