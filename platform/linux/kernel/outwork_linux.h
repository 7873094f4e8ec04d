/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * Shared by the module's files: the device, its queues, lanes and keys.
 *
 * What starts with ow_ is the portable driver's (driver/), what starts with owk_ the module's.
 */
#ifndef OUTWORK_LINUX_H
#define OUTWORK_LINUX_H

#include <linux/atomic.h>
#include <linux/crypto.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "outwork/linux_abi.h"
#include "outwork/outwork.h"

#include "keys.h"

#define OWK_QUEUES_MAX 4u
/* Most pieces of memory on each side of a job; a request with more is done in software. */
#define OWK_PIECES_MAX 16u
/* Microseconds in which the device carries out a command; much more than it needs. The module waits
 * for commands under spinlocks. As all time limits, it is for owk_longer().
 */
#define OWK_COMMAND_US 10000u
/* Longest AAD that may lie in several pieces: the driver copies it to the ring. */
#define OWK_AAD_COPIED 64u

/* Why a request was done in software. */
enum owk_fallback {
	OWK_FALLBACK_SMALL,	/* shorter than the module's parameter says */
	OWK_FALLBACK_KEY,	/* the device does not take the key, or has no slot for a pair */
	OWK_FALLBACK_FORM,	/* the device does not take such a tag or length */
	OWK_FALLBACK_PIECES,	/* in more than OWK_PIECES_MAX pieces */
	OWK_FALLBACK_AAD,	/* AAD of more than OWK_AAD_COPIED bytes in several pieces */
	OWK_FALLBACK_RING,	/* every entry of the queue was in use */
	OWK_FALLBACK_MAP,	/* the memory could not be mapped for the device */
	OWK_FALLBACK_DEVICE,	/* the queue has halted, or the job failed and was done again */
	OWK_FALLBACK_ABSENT,	/* no device is bound, or it is suspended */
	OWK_FALLBACK_COUNT,
};

struct owk_device;
struct owk_places;
struct owk_queue;

/* The memory of a request, mapped for the device. */
struct owk_mapping {
	struct scatterlist *source, *destination;	/* equal: in place; NULL: none */
	/* Entries, as given to dma_map_sg(); and what it returned. */
	unsigned int source_entries, destination_entries;
	unsigned int source_mapped, destination_mapped;
	u32 aad_bytes;		/* which come first in both, and the device only reads */
};

/* Coherent memory of a lane. */
struct owk_shared {
	struct ow_segment list[2 * OWK_PIECES_MAX + 3];
	struct ow_hash_context context __aligned(16);
} __aligned(64);

/* A request that is with the device. Owned by a queue; nothing is allocated for a request. */
struct owk_lane {
	struct ow_job job;
	struct owk_queue *queue;
	struct owk_lane *next;		/* of the free or of the finished ones */
	struct owk_shared *shared;
	bool in_slot;			/* its key, of which the slot is to be released */
	bool is_slow;			/* a job of an operation with a public key */
	/* The protected key of a job that software cannot do again. NULL: it can. */
	const struct owk_key *only_key;
	struct owk_mapping mapping;
	u8 aad[OWK_AAD_COPIED];
	/* The payload as it was, if the device writes over it: for software, if the job fails. */
	u8 *kept;
	u32 kept_bytes;
	bool is_kept;
	/* Tells the crypto API; `lane` is free after it. */
	void (*finish)(struct owk_lane *lane);
	void *request;
};

struct owk_queue {
	struct owk_device *device;
	spinlock_t lock;	/* protects everything below but the statistics of the interrupt */
	unsigned int index, log2;
	int interrupt;
	struct ow_device view;	/* of this queue alone */
	struct ow_platform platform;
	struct ow_queue queue;
	struct ow_queue_slot *slots;
	struct owk_lane *lanes, *free, *finished, **finished_end;
	struct list_head backlog;	/* of struct owk_waiting: requests that wait for a lane */
	bool leaving;			/* drained: nothing is submitted to it any more */
	u8 *kept;		/* owk_keep bytes for each lane */
	void *memory;		/* coherent: the queue's, then a struct owk_shared for each lane */
	dma_addr_t memory_address;
	size_t memory_bytes;
	/* Of the job that is being encoded. The driver gets the place of an address in this array,
	 * counted from 1, instead of a pointer, and `map` of its platform looks it up.
	 */
	dma_addr_t address[2 * OWK_PIECES_MAX + 1];
	unsigned int addresses;
	struct ow_piece source_pieces[OWK_PIECES_MAX], destination_pieces[OWK_PIECES_MAX];
	struct tasklet_struct poll;
	unsigned int slow;	/* jobs of operations with public keys that are in flight */
	/* Watchdog, at its last look: queue.finished, and whether jobs were in flight; the device's
	 * busy cycles, and those when a job had ended since the look before.
	 */
	u64 seen;
	bool waited;
	u32 busy_seen, busy_begin;
	/* Watchdog: resets in turn that have failed, and looks until the next one. */
	unsigned int failures, pause;
	u64 interrupts, polls, doorbells, missed, resets, mmio_reads, mmio_writes;
};

/* A queue that a process owns: from OW_LINUX_OPEN until nothing of it is left in the device. */
struct owk_process {
	struct owk_device *device;
	struct list_head stuck;		/* in owk_processes.stuck, after the process has gone */
	unsigned int index;		/* of the queue */
	void *memory;			/* coherent; the queue's only window */
	dma_addr_t address;
	size_t bytes;
	unsigned int slots;		/* key slots that it has; protected by owk_keys.lock */
};

/* The queues for processes: those after the crypto API's. */
struct owk_processes {
	struct mutex lock;	/* protects this structure, and the opening and closing of queues */
	unsigned int first, queues;
	unsigned int slots_each;	/* most key slots of a queue */
	unsigned long taken;	/* bit n: queue n belongs to a process, or is stuck */
	struct list_head stuck;	/* queues whose reset has not ended, which are tried again */
	u64 opened, closed, retries;
	u64 jobs;	/* the device's own count, of queues that were given back */
};

struct owk_device {
	struct device *dev;
	void __iomem *registers;
	struct ow_platform platform;	/* of the global page */
	struct ow_device device;
	struct owk_keys keys;
	struct owk_queue queue[OWK_QUEUES_MAX];
	unsigned int queues;
	struct owk_processes processes;
	struct owk_places *places;	/* for public keys; NULL: no such engine */
	struct owk_process_files *files;	/* /dev/outwork; NULL: no queue is for processes */
	resource_size_t registers_address;
	int interrupt[OWK_QUEUES_MAX];
	unsigned int interrupts;	/* those of the crypto API's queues; of interrupts_found */
	unsigned int interrupts_found;
	bool is_on;	/* between owk_device_begin() and owk_device_end() */
	struct delayed_work watchdog;
};

/* What the module has counted, with whatever device. */
struct owk_counts {
	atomic64_t requests, fallbacks[OWK_FALLBACK_COUNT], errors;
	atomic64_t withdrawn;	/* in flight when a device was withdrawn */
	atomic64_t backlogged;	/* that waited for an entry of the queue */
	atomic64_t operations;	/* with public keys, of one job or several */
	atomic64_t refused;	/* under protected keys, that ended with an error */
};

/* main.c: whether requests that may wait do so while every entry of the queue is in use. */
extern bool owk_backlog;

struct owk_waiting;

/* A request to the device, as an algorithm states it. */
struct owk_work {
	struct scatterlist *source, *destination;	/* NULL: none */
	u32 aad_bytes;		/* before the payload, in both */
	u32 source_bytes, destination_bytes;	/* of the payload, with a tag where there is one */
	struct owk_key *key;	/* NULL: none, or in the context */
	/* `fill` gives a whole job of the public-key engine, or its generator, in mapped memory. */
	bool is_described;
	/* Fills in opcode, flags, lengths, IV and context of the job. */
	void (*fill)(struct owk_lane *lane, const struct owk_work *work);
	/* Called when the job has ended: owk_lane_free(), then tells the crypto API. */
	void (*finish)(struct owk_lane *lane);
	/* Does the request in software. NULL: the device does it, or it ends with an error. */
	int (*software)(void *request);
	void *request;
	struct crypto_async_request *base;	/* of the request */
	/* Memory of the request, in which it may wait for an entry of the queue. NULL: it does not
	 * wait.
	 */
	struct owk_waiting *waiting;
};

/* A request in the backlog of a queue. */
struct owk_waiting {
	struct list_head list;
	struct owk_work work;
};

/* Returns the memory to wait in if the caller of a request lets it wait, else NULL. */
static inline struct owk_waiting *owk_may_wait(const struct crypto_async_request *base,
					       struct owk_waiting *waiting)
{
	return owk_backlog && (base->flags & CRYPTO_TFM_REQ_MAY_BACKLOG) ? waiting : NULL;
}

/* What a bus has found of a device. */
struct owk_resources {
	void __iomem *registers;
	resource_size_t registers_address;	/* physical */
	int interrupt[OWK_QUEUES_MAX];
	unsigned int interrupts;
};

/* main.c: what the buses share. */
extern unsigned int owk_minimum_cipher, owk_minimum_hash, owk_keep, owk_timeout_factor;
extern int owk_priority;
/* A time limit, of any unit, for this device. */
static inline unsigned int owk_longer(unsigned int time)
{
	return time * clamp(owk_timeout_factor, 1u, 100u);
}

extern const struct dev_pm_ops owk_pm;
/* Serves the algorithms with a device from now on, until it is unbound. */
int owk_bind(struct device *dev, const struct owk_resources *resources);
/* Stops a device: it accesses no memory any more. */
int owk_suspend(struct device *dev);

/* pci.c */
#ifdef CONFIG_PCI
int owk_pci_register(void);
void owk_pci_unregister(void);
#else
static inline int owk_pci_register(void) { return 0; }
static inline void owk_pci_unregister(void) {}
#endif

/* device.c: the device that serves the algorithms, for readers of RCU. NULL: none is bound, or it
 * is suspended, and software does everything.
 */
extern struct owk_device __rcu *owk_device;
/* The device whose slots have keys: until all are forgotten, after the last request has ended. */
extern struct owk_device __rcu *owk_key_device;
extern struct owk_counts owk_counts;
/* Held while owk_device changes, and by who needs it for longer than RCU allows. */
extern struct mutex owk_device_lock;
/* Opens the queues of an open device, and starts interrupts and watchdog. */
int owk_device_begin(struct owk_device *device);
/* Ends what owk_device_begin() began. Does nothing without it. */
void owk_device_end(struct owk_device *device);
/* Gives requests to the device from now on. */
void owk_device_publish(struct owk_device *device);
/* From now on no request goes to the device. Those that it has end: by the device, if it does so
 * soon, or as those of a queue that is reset. No key is in a slot any more.
 */
void owk_device_withdraw(struct owk_device *device);

/* platform.c: the portable driver's platform, for the global page and for a queue. */
void owk_platform_global(struct owk_device *device);
void owk_platform_queue(struct owk_queue *queue);

/* queue.c, submit.c */
int owk_queue_create(struct owk_queue *queue, struct owk_device *device, unsigned int index,
		     unsigned int log2);
int owk_queue_open(struct owk_queue *queue);
void owk_queue_start(struct owk_queue *queue);
void owk_queue_close(struct owk_queue *queue);
void owk_queue_interrupt(struct owk_queue *queue);
/* Gives a request to the device. -EINPROGRESS: `finish` will be called. -EBUSY: it waits; its
 * callback will be called with -EINPROGRESS, then it goes on as after that, or software does it.
 * -EAGAIN: the caller does it in software; the reason has been counted. Other errors: nobody can do
 * it.
 */
int owk_submit(const struct owk_work *work);
/* The same, and does it in software if that is the caller's part. */
int owk_run(const struct owk_work *work);
/* Does a request in software, and counts why. */
int owk_decline(const struct owk_work *work, enum owk_fallback reason);
/* Returns -EAGAIN and counts the reason, or the error of a request that software cannot do. */
int owk_turn_away(const struct owk_work *work, enum owk_fallback reason);
void owk_lane_free(struct owk_lane *lane);
/* Returns the error of a finished job: 0, -EBADMSG, -EIO, or -EAGAIN if software can do it again;
 * under a protected key others, and never -EAGAIN. Counts.
 */
int owk_error(struct owk_lane *lane);

/* watchdog.c */
void owk_watchdog_start(struct owk_device *device);
void owk_watchdog(struct work_struct *work);
/* Ends the requests that the queue has. New ones must not come. */
void owk_queue_drain(struct owk_queue *queue);

/* process.c: queues of processes, as the device sees them. */
extern unsigned int owk_process_memory, owk_process_slots;
void owk_processes_init(struct owk_device *device);
/* Gives these queues to processes from now on. */
void owk_processes_offer(struct owk_device *device, unsigned int first, unsigned int queues);
/* Gives a process a queue and memory. Returns 0 or an error of linux_abi.h. */
int owk_process_open(struct owk_process *process, struct owk_device *device, size_t bytes);
/* Takes everything back; frees `process`. A queue that does not come to rest is kept, with its
 * memory, and tried again later.
 */
void owk_process_close(struct owk_process *process);
/* The device goes: gives up the queues that have not come to rest. */
void owk_processes_end(struct owk_device *device);
void owk_processes_retry(struct owk_device *device);

/* process_file.c: /dev/outwork. */
int owk_process_files_open(struct owk_device *device);
void owk_process_files_close(struct owk_device *device);
/* Takes the queues of all processes back, and their mappings: what they try next fails. They may
 * open others, unless it is for ever.
 */
void owk_process_files_take_back(struct owk_device *device, bool for_ever);

/* statistics.c */
void owk_statistics_open(void);
void owk_statistics_close(void);
static inline void owk_fallback_count(enum owk_fallback reason)
{
	atomic64_inc(&owk_counts.fallbacks[reason]);
}

/* The algorithms: those that the device has and that are not registered yet. */
int owk_skciphers_register(struct owk_device *device);
void owk_skciphers_unregister(void);
int owk_aeads_register(struct owk_device *device);
void owk_aeads_unregister(void);
int owk_hashes_register(struct owk_device *device);
void owk_hashes_unregister(void);
int owk_cmac_register(struct owk_device *device);
void owk_cmac_unregister(void);

#endif
