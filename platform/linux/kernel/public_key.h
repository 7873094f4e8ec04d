/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * What the files of public-key algorithms share: operations, and the places where they are done.
 */
#ifndef OUTWORK_PUBLIC_KEY_LINUX_H
#define OUTWORK_PUBLIC_KEY_LINUX_H

#include <linux/completion.h>
#include <linux/semaphore.h>
#include <linux/version.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "outwork/pka_schemes.h"
#include "outwork_linux.h"

/* Operations at a time: the engine works at two, and the next ones are ready. */
#define OWK_PLACES 4u
/* Longest source of an operation: an RSA number; a signature with its digest is shorter. */
#define OWK_SOURCE_MAX OW_RSA_BYTES_MAX

struct akcipher_request;
struct crypto_akcipher;

/* What one operation needs while the device does it. */
struct owk_place {
	struct ow_pka *pka;	/* coherent memory */
	struct owk_place *next;	/* of the free ones */
	/* The job of the operation that runs. */
	struct ow_job *job;
	struct completion ended;
	struct crypto_async_request base;
	struct owk_waiting waiting;
	u8 source[OWK_SOURCE_MAX], result[OW_RSA_BYTES_MAX];
};

/* The places of a device, and their memory. */
struct owk_places {
	struct owk_place place[OWK_PLACES];
	void *memory;		/* coherent: a struct ow_pka for each */
	dma_addr_t address;
	spinlock_t lock;	/* protects the list, and who gives a place back */
	struct owk_place *free;
	struct semaphore left;	/* how many are free */
	atomic_t users;		/* operations that have a place, or wait for one */
	wait_queue_head_t unused;
};

/* An operation, in the memory of its request. It runs in a worker: the device takes long, and the
 * kernel's own code allocates and sleeps.
 */
struct owk_operation {
	struct work_struct work;
	/* Returns 0, an error, or -EAGAIN if software has to do it. */
	int (*on_device)(struct owk_place *place, void *request);
	int (*in_software)(void *request);
	void *request;
	struct crypto_async_request *base;
};

/* public_key.c */
int owk_workers_open(void);
void owk_workers_close(void);
/* Makes places, without any if the device has no public-key engine. */
int owk_places_create(struct owk_device *device);
void owk_places_open(struct owk_device *device);
/* Wipes them. None is in use. */
void owk_places_close(struct owk_device *device);
/* Waits until no place is in use. No operation gets one any more. */
void owk_places_drain(struct owk_device *device);
/* Returns where the device sees `bytes` of memory of the places, or false. */
bool owk_places_map(struct owk_device *device, u64 *address, const void *memory, size_t bytes);
/* Takes a place of the device that serves the algorithms; may sleep. NULL: there is none, which has
 * been counted. It is wiped when it is given back.
 */
struct owk_place *owk_place_take(struct owk_device **device);
void owk_place_give(struct owk_device *device, struct owk_place *place);
/* Begins an operation. Returns -EINPROGRESS. */
int owk_operation_begin(struct owk_operation *operation);
/* Returns the error of an operation on the device: 0, -EKEYREJECTED, or -EAGAIN, and counts why
 * software has to do it.
 */
int owk_operation_error(ow_status status);
/* Copies a request's source to the end of `bytes` bytes of the place, after zeros. Returns false if
 * it is longer, or not there.
 */
bool owk_source_read(struct owk_place *place, unsigned int bytes, struct scatterlist *source,
		     unsigned int source_len);
/* Copies the first bytes of a result. Returns 0 or -EINVAL. */
int owk_result_write(const struct owk_place *place, unsigned int bytes, struct scatterlist *list);
/* Whether the build of the device has a curve. */
bool owk_has_curve(struct owk_device *device, enum ow_curve curve);

/* akcipher.c */
enum owk_akcipher { OWK_ENCRYPT, OWK_DECRYPT, OWK_VERIFY };
/* Does a request with the kernel's own code. */
int owk_akcipher_software(struct crypto_akcipher *software, struct akcipher_request *request,
			  enum owk_akcipher what);

/* The algorithms, if the kernel has code of its own for them. ECDSA is an akcipher until 6.12. */
#if IS_ENABLED(CONFIG_CRYPTO_RSA)
int owk_rsa_register(struct owk_device *device);
void owk_rsa_unregister(void);
#else
static inline int owk_rsa_register(struct owk_device *device) { return 0; }
static inline void owk_rsa_unregister(void) {}
#endif
#if IS_ENABLED(CONFIG_CRYPTO_ECDSA) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
int owk_ecdsa_register(struct owk_device *device);
void owk_ecdsa_unregister(void);
#else
static inline int owk_ecdsa_register(struct owk_device *device) { return 0; }
static inline void owk_ecdsa_unregister(void) {}
#endif
#if IS_ENABLED(CONFIG_CRYPTO_ECDH)
int owk_ecdh_register(struct owk_device *device);
void owk_ecdh_unregister(void);
#else
static inline int owk_ecdh_register(struct owk_device *device) { return 0; }
static inline void owk_ecdh_unregister(void) {}
#endif

#endif
