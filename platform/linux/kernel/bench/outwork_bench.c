// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Measures requests of the crypto API: loads, prints a line, and fails to load, so that it can be
 * loaded again. Cycles are those of get_cycles(); idle time is the CPU's.
 */
#include <crypto/aead.h>
#include <linux/completion.h>
#include <linux/kernel_stat.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/tick.h>
#include <linux/timex.h>

#include "completion_callback.h"

#define BENCH_AAD_BYTES 16
#define BENCH_TAG_BYTES 16
#define BENCH_DEPTH_MAX 128

static char *bench_driver = "gcm-aes-outwork";
module_param_named(driver, bench_driver, charp, 0);
MODULE_PARM_DESC(driver, "Driver name of an AEAD with keys of 32 and IVs of 12 bytes");

static unsigned int bench_bytes = 4096;
module_param_named(bytes, bench_bytes, uint, 0);
MODULE_PARM_DESC(bytes, "Bytes of plaintext");

static unsigned int bench_depth = 64;
module_param_named(depth, bench_depth, uint, 0);
MODULE_PARM_DESC(depth, "Requests in flight");

static unsigned int bench_count = 512;
module_param_named(count, bench_count, uint, 0);
MODULE_PARM_DESC(count, "Requests in all");

static bool bench_may_wait;
module_param_named(may_wait, bench_may_wait, bool, 0);
MODULE_PARM_DESC(may_wait, "Let requests wait while the queue is full (default N)");

static char *bench_instantiate = "";
module_param_named(instantiate, bench_instantiate, charp, 0);
MODULE_PARM_DESC(instantiate, "Measure nothing: make software of these names, between semicolons");

struct bench_one {
	struct bench *bench;
	struct aead_request *request;
	struct scatterlist list;
	u8 *memory;
	u8 iv[12];
};

struct bench {
	struct crypto_aead *tfm;
	struct bench_one one[BENCH_DEPTH_MAX];
	struct completion over;
	unsigned int submitted, finished;
	int error;
};

static void bench_done(owk_ended *ended, int error);

/* Submits requests until one stays with the device or waits, or all have been submitted. */
static void bench_submit(struct bench_one *one)
{
	u32 flags = bench_may_wait ? CRYPTO_TFM_REQ_MAY_BACKLOG : 0;
	struct bench *bench = one->bench;
	int error;

	while (bench->submitted < bench_count) {
		bench->submitted++;
		aead_request_set_callback(one->request, flags, bench_done, one);
		aead_request_set_ad(one->request, BENCH_AAD_BYTES);
		aead_request_set_crypt(one->request, &one->list, &one->list, bench_bytes, one->iv);
		error = crypto_aead_encrypt(one->request);
		if (error == -EINPROGRESS || error == -EBUSY)
			return;
		bench->error = error ?: bench->error;
		if (++bench->finished == bench_count)
			complete(&bench->over);
	}
}

static void bench_done(owk_ended *ended, int error)
{
	struct bench_one *one = owk_ended_data(ended);
	struct bench *bench = one->bench;

	if (error == -EINPROGRESS)
		return; /* it no longer waits */
	bench->error = error ?: bench->error;
	if (++bench->finished == bench_count)
		complete(&bench->over);
	else
		bench_submit(one);
}

static void bench_run(struct bench *bench)
{
	unsigned int i, cpu = raw_smp_processor_id();
	u64 idle, idle_before = get_cpu_idle_time_us(cpu, NULL);
	cycles_t begin = get_cycles(), cycles;

	local_bh_disable();
	for (i = 0; i < bench_depth; i++)
		bench_submit(&bench->one[i]);
	local_bh_enable();
	wait_for_completion(&bench->over);
	cycles = get_cycles() - begin;
	idle = get_cpu_idle_time_us(cpu, NULL) - idle_before;
	pr_info("bench: %s bytes %u depth %u count %u cycles %llu idle_us %llu error %d\n",
		bench_driver, bench_bytes, bench_depth, bench_count, (u64)cycles, idle,
		bench->error);
}

static int bench_one_open(struct bench *bench, struct bench_one *one)
{
	size_t bytes = BENCH_AAD_BYTES + bench_bytes + BENCH_TAG_BYTES;

	one->bench = bench;
	one->memory = kzalloc(bytes, GFP_KERNEL);
	one->request = aead_request_alloc(bench->tfm, GFP_KERNEL);
	if (!one->memory || !one->request)
		return -ENOMEM;
	sg_init_one(&one->list, one->memory, bytes);
	return 0;
}

static int bench_open(struct bench *bench)
{
	static const u8 key[32] = { 1, 2, 3 };
	unsigned int i;
	int error = crypto_aead_setkey(bench->tfm, key, sizeof(key));

	init_completion(&bench->over);
	for (i = 0; !error && i < bench_depth; i++)
		error = bench_one_open(bench, &bench->one[i]);
	return error;
}

/* Has the kernel make instances of its own templates, so that they are there before self-tests are
 * turned on: they are not what is to be tested.
 */
static int bench_instances(char *names)
{
	char *name;

	while ((name = strsep(&names, ";"))) {
		if (!crypto_has_alg(name, 0, CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK))
			return -ENOENT;
	}
	return -EAGAIN;
}

static int __init bench_init(void)
{
	struct bench *bench;
	unsigned int i;
	int error;

	if (*bench_instantiate)
		return bench_instances(bench_instantiate);
	if (!bench_depth || bench_depth > BENCH_DEPTH_MAX || !bench_count)
		return -EINVAL;
	bench = kzalloc(sizeof(*bench), GFP_KERNEL);
	if (!bench)
		return -ENOMEM;
	bench->tfm = crypto_alloc_aead(bench_driver, 0, 0);
	error = PTR_ERR_OR_ZERO(bench->tfm);
	if (!error) {
		error = bench_open(bench);
		if (!error)
			bench_run(bench);
		for (i = 0; i < bench_depth; i++) {
			aead_request_free(bench->one[i].request);
			kfree(bench->one[i].memory);
		}
		crypto_free_aead(bench->tfm);
	}
	kfree(bench);
	return error ?: -EAGAIN;
}
module_init(bench_init);

MODULE_DESCRIPTION("Measures requests of the crypto API");
MODULE_AUTHOR("The Outwork authors");
MODULE_LICENSE("GPL");
