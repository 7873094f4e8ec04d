// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Makes queue 0 of the device fail behind the driver's back while requests are in flight, and
 * compares every result with the CPU's own code: loads, prints a line, and fails to load, so that
 * it can be loaded again. For tests only: it writes to registers of a device that is in use.
 */
#include <crypto/aead.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "completion_callback.h"
#include "find.h"
#include "outwork/spec.h"

#define FAULTS_REQUESTS 40u
#define FAULTS_AAD_BYTES 16u
#define FAULTS_TAG_BYTES 16u
#define FAULTS_TEXT_BYTES 512u
#define FAULTS_BYTES (FAULTS_AAD_BYTES + FAULTS_TEXT_BYTES + FAULTS_TAG_BYTES)
/* Nothing answers there. */
#define FAULTS_BAD_ADDRESS 0x40u
/* What is in memory between two rounds. */
#define FAULTS_FILL 0xa5
/* Longer than the driver's watchdog needs. */
#define FAULTS_PATIENCE (20 * HZ)

static char *faults_kind = "none";
module_param_named(kind, faults_kind, charp, 0);
MODULE_PARM_DESC(kind, "none, reset, masked, lost, hang, bus, ring, device or unbind");

static unsigned int faults_rounds = 3;
module_param_named(rounds, faults_rounds, uint, 0);
MODULE_PARM_DESC(rounds, "Faults (default 3)");

struct faults_one {
	struct faults *faults;
	struct aead_request *request;
	struct scatterlist source, destination;
	u8 memory[2][FAULTS_BYTES], wanted[FAULTS_BYTES], before[FAULTS_BYTES];
	u8 iv[12];
	unsigned int length;
	bool in_place;
	int error;
};

struct faults {
	void __iomem *registers;
	u32 ring, entries;		/* of the driver's, at the beginning */
	struct crypto_aead *device, *software;
	struct aead_request *check;	/* of `software` */
	struct completion over;
	atomic_t left;
	struct rnd_state random;
	struct faults_one one[FAULTS_REQUESTS];
	unsigned int right, errors, wrong, late, rounds;
	struct device *dev;
};

static u32 faults_read(struct faults *faults, u32 offset)
{
	return readl(faults->registers + OW_QUEUE_OFFSET + offset);
}

static void faults_write(struct faults *faults, u32 offset, u32 value)
{
	writel(value, faults->registers + OW_QUEUE_OFFSET + offset);
}

static void faults_control(struct faults *faults, u32 control)
{
	faults_write(faults, OW_QUEUE_CONTROL_OFFSET, control);
}

static bool faults_is(const char *kind)
{
	return !strcmp(faults_kind, kind);
}

/* The descriptor that was announced last gets a source that the bus answers with an error. On a
 * machine that is slow enough the driver may have taken the queue for dead since faults_begin():
 * while it begins anew with the device, the registers say 0, where the kernel itself is.
 */
static void faults_spoil_descriptor(struct faults *faults)
{
	u32 entries = 1u << faults_read(faults, OW_QUEUE_RING_SIZE_OFFSET);
	u32 last = (faults_read(faults, OW_QUEUE_DOORBELL_OFFSET) - 1) & (entries - 1);
	u32 place = faults_read(faults, OW_QUEUE_RING_LOW_OFFSET);
	struct ow_descriptor *ring = phys_to_virt(place);

	if (place != faults->ring || entries != faults->entries) {
		pr_warn("faults: the ring was at %#x with %u entries, and is at %#x with %u: no bus error\n",
			faults->ring, faults->entries, place, entries);
		return;
	}
	ring[last].source = FAULTS_BAD_ADDRESS;
	mb(); /* before the device is allowed to fetch it */
}

/* As the reset of a device: grants, keys, and the page are cleared. */
static void faults_reset_device(struct faults *faults)
{
	writel(0, faults->registers + OW_QUEUE_CONFIG_OFFSET + OW_QUEUE_CONFIG_GRANT_OFFSET);
	faults_control(faults, OW_QUEUE_CONTROL_RESET_MASK);
	writel(OW_GLOBAL_KEY_COMMAND_ZEROISE_ALL_MASK,
	       faults->registers + OW_GLOBAL_KEY_COMMAND_OFFSET);
}

/* Before the first request of a round. */
static void faults_begin(struct faults *faults)
{
	if (faults_is("bus"))
		faults_control(faults, OW_QUEUE_CONTROL_IRQ_ENABLE_MASK);
	if (faults_is("lost") || faults_is("masked"))
		faults_control(faults, OW_QUEUE_CONTROL_ENABLE_MASK);
}

/* After a request of the round, the first one for a bus error. */
static void faults_inject(struct faults *faults)
{
	if (faults_is("reset"))
		faults_control(faults, OW_QUEUE_CONTROL_RESET_MASK);
	if (faults_is("hang"))
		faults_control(faults, 0);
	if (faults_is("device"))
		faults_reset_device(faults);
	if (faults_is("bus"))
		faults_spoil_descriptor(faults);
	if (faults_is("ring")) {
		faults_control(faults, 0);
		faults_write(faults, OW_QUEUE_RING_LOW_OFFSET, FAULTS_BAD_ADDRESS);
	}
	if (faults_is("bus") || faults_is("ring"))
		faults_control(faults, OW_QUEUE_CONTROL_ENABLE_MASK |
				       OW_QUEUE_CONTROL_IRQ_ENABLE_MASK);
}

/* After the last request. A lost interrupt: the jobs have ended, and nothing is pending. */
static void faults_end(struct faults *faults)
{
	unsigned int tries;

	if (!faults_is("lost"))
		return;
	for (tries = 0; tries < 1000 && faults_read(faults, OW_QUEUE_PROGRESS_OFFSET) >> 16 !=
					faults_read(faults, OW_QUEUE_DOORBELL_OFFSET); tries++)
		udelay(5);
	faults_write(faults, OW_QUEUE_IRQ_OFFSET, OW_QUEUE_IRQ_PENDING_MASK);
	faults_control(faults, OW_QUEUE_CONTROL_ENABLE_MASK | OW_QUEUE_CONTROL_IRQ_ENABLE_MASK);
}

static u8 *faults_result(struct faults_one *one)
{
	return one->memory[!one->in_place];
}

/* What ended in an earlier round must not have written since. */
static bool faults_is_filled(const struct faults_one *one)
{
	return !memchr_inv(one->memory, FAULTS_FILL, sizeof(one->memory));
}

/* Fills in a request, and what comes out of it. */
static int faults_prepare(struct faults *faults, struct faults_one *one)
{
	struct scatterlist list;

	if (!faults_is_filled(one))
		faults->late++;
	one->length = 1 + prandom_u32_state(&faults->random) % FAULTS_TEXT_BYTES;
	one->in_place = prandom_u32_state(&faults->random) & 1;
	prandom_bytes_state(&faults->random, one->iv, sizeof(one->iv));
	prandom_bytes_state(&faults->random, one->memory[0], FAULTS_BYTES);
	memcpy(one->memory[1], one->memory[0], FAULTS_AAD_BYTES);
	memcpy(one->before, one->memory[0], FAULTS_BYTES);
	memcpy(one->wanted, one->memory[0], FAULTS_BYTES);
	sg_init_one(&list, one->wanted, FAULTS_BYTES);
	aead_request_set_ad(faults->check, FAULTS_AAD_BYTES);
	aead_request_set_crypt(faults->check, &list, &list, one->length, one->iv);
	return crypto_aead_encrypt(faults->check);
}

static void faults_ended(struct faults_one *one, int error)
{
	one->error = error;
	if (atomic_dec_and_test(&one->faults->left))
		complete(&one->faults->over);
}

static void faults_done(owk_ended *ended, int error)
{
	if (error != -EINPROGRESS)
		faults_ended(owk_ended_data(ended), error);
}

static void faults_submit(struct faults_one *one)
{
	struct scatterlist *destination = one->in_place ? &one->source : &one->destination;
	int error;

	sg_init_one(&one->source, one->memory[0], FAULTS_BYTES);
	sg_init_one(&one->destination, one->memory[1], FAULTS_BYTES);
	aead_request_set_callback(one->request, 0, faults_done, one);
	aead_request_set_ad(one->request, FAULTS_AAD_BYTES);
	aead_request_set_crypt(one->request, &one->source, destination, one->length, one->iv);
	error = crypto_aead_encrypt(one->request);
	if (error != -EINPROGRESS)
		faults_ended(one, error);
}

/* An error is allowed where the source may be lost. A wrong result never is. */
static void faults_check(struct faults *faults, struct faults_one *one)
{
	u8 *result = faults_result(one);
	unsigned int bytes = FAULTS_AAD_BYTES + one->length + FAULTS_TAG_BYTES;

	if (!one->error && !memcmp(result, one->wanted, bytes) &&
	    (one->in_place || !memcmp(one->memory[0], one->before, FAULTS_BYTES)))
		faults->right++;
	else if (one->error == -EIO && one->in_place)
		faults->errors++;
	else
		faults->wrong++;
	memset(one->memory, FAULTS_FILL, sizeof(one->memory));
}

/* Makes one fault, or none, in the middle of the requests of a round. With `together` the driver's
 * poll comes after all of them, and so after the fault: what it writes then must not start the
 * queue with old descriptors.
 */
static int faults_round(struct faults *faults, bool sound, bool together)
{
	unsigned int at = prandom_u32_state(&faults->random) % FAULTS_REQUESTS, i;
	int error = 0;

	if (faults_is("bus"))
		at = 0;
	for (i = 0; !error && i < FAULTS_REQUESTS; i++)
		error = faults_prepare(faults, &faults->one[i]);
	if (error)
		return error;
	reinit_completion(&faults->over);
	atomic_set(&faults->left, FAULTS_REQUESTS);
	if (together)
		local_bh_disable();
	if (!sound)
		faults_begin(faults);
	for (i = 0; i < FAULTS_REQUESTS; i++) {
		faults_submit(&faults->one[i]);
		if (!sound && i == at)
			faults_inject(faults);
	}
	if (!sound)
		faults_end(faults);
	if (together)
		local_bh_enable();
	if (!wait_for_completion_timeout(&faults->over, FAULTS_PATIENCE))
		return -ETIMEDOUT;
	for (i = 0; i < FAULTS_REQUESTS; i++)
		faults_check(faults, &faults->one[i]);
	return 0;
}

/* Sound rounds one after the other, until the thread is told to stop. */
static int faults_load(void *data)
{
	struct faults *faults = data;
	int error = 0;

	while (!error && !kthread_should_stop()) {
		error = faults_round(faults, true, false);
		faults->rounds++;
		schedule();
	}
	while (!kthread_should_stop())
		schedule_timeout_uninterruptible(1);
	return error;
}

/* Takes the driver from the device and gives it back again and again, while requests come. */
static int faults_unbind(struct faults *faults)
{
	struct task_struct *load = kthread_run(faults_load, faults, "outwork_load");
	int error = 0, load_error;
	unsigned int i;

	if (IS_ERR(load))
		return PTR_ERR(load);
	for (i = 0; !error && i < faults_rounds; i++) {
		msleep(20);
		device_release_driver(faults->dev);
		msleep(20);
		error = device_attach(faults->dev) == 1 ? 0 : -ENXIO;
	}
	msleep(20);
	load_error = kthread_stop(load);
	return error ?: load_error;
}

/* Rounds with faults, then sound ones: the device's own counter says who did those. */
static int faults_run(struct faults *faults)
{
	bool unbinds = faults_is("unbind");
	int error = unbinds ? faults_unbind(faults) : 0;
	unsigned int jobs;

	for (; !unbinds && !error && faults->rounds < faults_rounds; faults->rounds++)
		error = faults_round(faults, false, faults->rounds % 2 == 0 || faults_is("bus"));
	/* A queue that has failed after its last request waits for the watchdog's next look. */
	msleep(700);
	jobs = faults_read(faults, OW_QUEUE_JOBS_OFFSET);
	if (!error)
		error = faults_round(faults, true, false);
	jobs = faults_read(faults, OW_QUEUE_JOBS_OFFSET) - jobs;
	pr_info("faults: %s rounds %u right %u errors %u wrong %u late %u jobs %u status %d\n",
		faults_kind, faults->rounds, faults->right, faults->errors, faults->wrong,
		faults->late, jobs, error);
	return error;
}

static int faults_open(struct faults *faults)
{
	static const u8 key[32] = { 1, 2, 3 };
	unsigned int i;
	int error = faults_find(&faults->dev, &faults->registers);

	if (error)
		return error;
	faults->ring = faults_read(faults, OW_QUEUE_RING_LOW_OFFSET);
	faults->entries = 1u << faults_read(faults, OW_QUEUE_RING_SIZE_OFFSET);
	prandom_seed_state(&faults->random, 1);
	init_completion(&faults->over);
	faults->check = aead_request_alloc(faults->software, GFP_KERNEL);
	error = crypto_aead_setkey(faults->software, key, sizeof(key)) ?:
		crypto_aead_setkey(faults->device, key, sizeof(key));
	for (i = 0; i < FAULTS_REQUESTS; i++) {
		struct faults_one *one = &faults->one[i];

		one->faults = faults;
		one->request = aead_request_alloc(faults->device, GFP_KERNEL);
		memset(one->memory, FAULTS_FILL, sizeof(one->memory));
		if (!one->request)
			error = -ENOMEM;
	}
	return faults->check ? error : -ENOMEM;
}

static void faults_close(struct faults *faults)
{
	unsigned int i;

	for (i = 0; i < FAULTS_REQUESTS; i++)
		aead_request_free(faults->one[i].request);
	aead_request_free(faults->check);
	put_device(faults->dev);
	iounmap(faults->registers);
}

static int __init faults_init(void)
{
	struct faults *faults = kzalloc(sizeof(*faults), GFP_KERNEL);
	int error;

	if (!faults)
		return -ENOMEM;
	faults->device = crypto_alloc_aead("gcm-aes-outwork", 0, 0);
	faults->software = crypto_alloc_aead("gcm_base(ctr(aes-generic),ghash-generic)", 0,
					     CRYPTO_ALG_ASYNC);
	error = PTR_ERR_OR_ZERO(faults->device) ?: PTR_ERR_OR_ZERO(faults->software);
	if (!error) {
		error = faults_open(faults) ?: faults_run(faults);
		if (error == -ETIMEDOUT)
			return error; /* the device may still have the memory */
		faults_close(faults);
	}
	if (!IS_ERR(faults->device))
		crypto_free_aead(faults->device);
	if (!IS_ERR(faults->software))
		crypto_free_aead(faults->software);
	kfree(faults);
	return error ?: -EAGAIN;
}
module_init(faults_init);

MODULE_DESCRIPTION("Makes the device fail, for tests");
MODULE_AUTHOR("The Outwork authors");
MODULE_LICENSE("GPL");
