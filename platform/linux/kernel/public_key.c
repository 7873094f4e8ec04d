// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Public-key operations on the device: each is done by a worker, at one of a few places, with the
 * portable driver's functions, which run jobs one after the other and wait for each.
 */
#include <linux/dma-mapping.h>
#include <linux/scatterlist.h>

#include "completion_callback.h"
#include "internal.h"
#include "public_key.h"
#include "queue.h"

static struct workqueue_struct *owk_workers;

int owk_workers_open(void)
{
	owk_workers = alloc_workqueue("outwork_public_key", WQ_UNBOUND, OWK_PLACES);
	return owk_workers ? 0 : -ENOMEM;
}

void owk_workers_close(void)
{
	destroy_workqueue(owk_workers);
}

/* Under the queue's lock. */
static void owk_place_fill(struct owk_lane *lane, const struct owk_work *work)
{
	struct owk_place *place = work->request;
	struct ow_job *job = &lane->job;
	struct ow_job made = *place->job;

	made.done = job->done;
	made.user = job->user;
	*job = made;
}

static void owk_place_finish(struct owk_lane *lane)
{
	struct owk_place *place = lane->request;
	struct ow_job *job = place->job;

	atomic64_inc(&owk_counts.requests);
	job->status = lane->job.status;
	job->device_status = lane->job.device_status;
	job->bytes = lane->job.bytes;
	job->cycles = lane->job.cycles;
	/* It has pointers to numbers that are wiped, and no more. */
	owk_lane_free(lane);
	complete(&place->ended);
}

/* A job that has waited, and that the device does not get: why has been counted. */
static int owk_place_refuse(void *request)
{
	return -EAGAIN;
}

static void owk_place_told(owk_ended *ended, int error)
{
	struct owk_place *place = owk_ended_data(ended);

	if (error == -EINPROGRESS)
		return;
	place->job->status = OW_BUSY;
	complete(&place->ended);
}

/* Runs a job to its end, for the driver. OW_BUSY: the device does not get it, and why has been
 * counted.
 */
static ow_status owk_place_run(void *context, struct ow_job *job)
{
	struct owk_place *place = context;
	const struct owk_work work = {
		.is_described = true,
		.fill = owk_place_fill,
		.finish = owk_place_finish,
		.software = owk_place_refuse,
		.request = place,
		.base = &place->base,
		.waiting = &place->waiting,
	};

	place->job = job;
	reinit_completion(&place->ended);
	if (owk_submit(&work) == -EAGAIN)
		return OW_BUSY;
	wait_for_completion(&place->ended);
	return job->status;
}

int owk_places_create(struct owk_device *device)
{
	static const u8 opcodes[] = { OW_OP_RSA_PUBLIC, OW_OP_EC_CHECK, OW_OP_X25519 };
	struct owk_places *places;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		if (ow_device_supports(&device->device, opcodes[i], false))
			break;
	}
	if (i == ARRAY_SIZE(opcodes))
		return 0;
	places = devm_kzalloc(device->dev, sizeof(*places), GFP_KERNEL);
	if (!places)
		return -ENOMEM;
	places->memory = dmam_alloc_coherent(device->dev, OWK_PLACES * sizeof(struct ow_pka),
					     &places->address, GFP_KERNEL);
	if (!places->memory)
		return -ENOMEM;
	spin_lock_init(&places->lock);
	sema_init(&places->left, OWK_PLACES);
	init_waitqueue_head(&places->unused);
	for (i = 0; i < OWK_PLACES; i++) {
		struct owk_place *place = &places->place[i];

		place->pka = places->memory + i * sizeof(struct ow_pka);
		place->base.complete = owk_place_told;
		place->base.data = place;
		init_completion(&place->ended);
		place->next = places->free;
		places->free = place;
	}
	device->places = places;
	return 0;
}

void owk_places_open(struct owk_device *device)
{
	struct owk_places *places = device->places;
	unsigned int i;

	for (i = 0; places && i < OWK_PLACES; i++) {
		struct ow_pka *pka = places->place[i].pka;

		/* The queue says where entropy is; owk_place_run() chooses one for each job. */
		ow_pka_init(pka, &device->queue[0].queue);
		pka->run = owk_place_run;
		pka->run_context = &places->place[i];
	}
}

void owk_places_close(struct owk_device *device)
{
	unsigned int i;

	for (i = 0; device->places && i < OWK_PLACES; i++)
		ow_pka_close(device->places->place[i].pka);
}

void owk_places_drain(struct owk_device *device)
{
	struct owk_places *places = device->places;

	if (!places)
		return;
	wait_event(places->unused, !atomic_read(&places->users));
	/* Who gave the last place back may still be at the wait queue, whose memory goes. */
	spin_lock_bh(&places->lock);
	spin_unlock_bh(&places->lock);
}

bool owk_places_map(struct owk_device *device, u64 *address, const void *memory, size_t bytes)
{
	struct owk_places *places = device->places;
	size_t all = OWK_PLACES * sizeof(struct ow_pka), offset;

	if (!places)
		return false;
	offset = memory - places->memory;
	if (offset >= all || bytes > all - offset)
		return false;
	*address = places->address + offset;
	return true;
}

struct owk_place *owk_place_take(struct owk_device **device)
{
	struct owk_places *places;
	struct owk_place *place;

	rcu_read_lock();
	*device = rcu_dereference(owk_device);
	places = *device ? (*device)->places : NULL;
	if (places)
		atomic_inc(&places->users); /* holds the device */
	rcu_read_unlock();
	if (!places) {
		owk_fallback_count(OWK_FALLBACK_ABSENT);
		return NULL;
	}
	down(&places->left);
	spin_lock_bh(&places->lock);
	place = places->free;
	places->free = place->next;
	spin_unlock_bh(&places->lock);
	return place;
}

void owk_place_give(struct owk_device *device, struct owk_place *place)
{
	struct owk_places *places = device->places;

	memzero_explicit(place->source, sizeof(place->source));
	memzero_explicit(place->result, sizeof(place->result));
	spin_lock_bh(&places->lock);
	place->next = places->free;
	places->free = place;
	up(&places->left);
	if (atomic_dec_and_test(&places->users))
		wake_up(&places->unused);
	/* owk_places_drain() waits for this. */
	spin_unlock_bh(&places->lock);
}

static void owk_operation_work(struct work_struct *work)
{
	struct owk_operation *operation = container_of(work, struct owk_operation, work);
	struct owk_device *device;
	struct owk_place *place = owk_place_take(&device);
	int error = -EAGAIN;

	if (place) {
		error = operation->on_device(place, operation->request);
		owk_place_give(device, place);
	}
	if (error == -EAGAIN)
		error = operation->in_software(operation->request);
	local_bh_disable(); /* as the crypto API asks for */
	owk_tell(operation->base, error);
	local_bh_enable();
}

int owk_operation_begin(struct owk_operation *operation)
{
	INIT_WORK(&operation->work, owk_operation_work);
	queue_work(owk_workers, &operation->work);
	return -EINPROGRESS;
}

int owk_operation_error(ow_status status)
{
	switch (status) {
	case OW_OK:
		atomic64_inc(&owk_counts.operations);
		return 0;
	case OW_AUTH_FAILED:
		atomic64_inc(&owk_counts.operations);
		return -EKEYREJECTED;
	case OW_BUSY:
		break;
	case OW_BAD_ARGUMENT:
	case OW_BAD_KEY:
	case OW_UNSUPPORTED:
		owk_fallback_count(OWK_FALLBACK_FORM);
		break;
	default:
		owk_fallback_count(OWK_FALLBACK_DEVICE);
	}
	return -EAGAIN;
}

bool owk_source_read(struct owk_place *place, unsigned int bytes, struct scatterlist *source,
		     unsigned int source_len)
{
	int entries = source_len <= bytes ? sg_nents_for_len(source, source_len) : -EINVAL;

	if (bytes > sizeof(place->source) || entries < 0)
		return false;
	memset(place->source, 0, bytes - source_len);
	return sg_copy_to_buffer(source, entries, place->source + bytes - source_len,
				 source_len) == source_len;
}

int owk_result_write(const struct owk_place *place, unsigned int bytes, struct scatterlist *list)
{
	int entries = sg_nents_for_len(list, bytes);

	if (entries < 0 || sg_copy_from_buffer(list, entries, place->result, bytes) != bytes)
		return -EINVAL;
	return 0;
}

bool owk_has_curve(struct owk_device *device, enum ow_curve curve)
{
	u32 found = ow_read(&device->platform, OW_GLOBAL_PKA_OFFSET);

	return OW_FIELD(found, OW_GLOBAL_PKA_CURVES) & BIT(curve);
}
