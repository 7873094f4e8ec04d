/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Requests to a queue of the kernel module, on the fake device: AES-GCM, AAD before the text and
 * the tag behind it.
 */
#ifndef OUTWORK_TEST_REQUESTS_H
#define OUTWORK_TEST_REQUESTS_H

#include "fake_device.h"
#include "outwork_linux.h"
#include "reference.h"

enum { LOG2 = 4, ENTRIES = 1 << LOG2, LENGTH_MAX = 2048, PIECES = OWK_PIECES_MAX + 1 };

struct request {
  struct scatterlist source[PIECES], destination[PIECES];
  u8 *memory, *result;
  /* bytes: of the text, and of AAD, which a test may set */
  u32 length, aad;
  u8 iv[12];
  /* In place, but with two lists of the same memory, as dm-crypt has them for what it reads. */
  bool two_lists;
  bool decrypt; /* the tag is behind the text, in the source */
  struct owk_key *key;
  struct crypto_async_request base;
  struct owk_waiting waiting;
  bool may_wait; /* in the backlog */
  int error;
  unsigned ended; /* how many times */
  unsigned told;  /* how many times that it no longer waits */
  unsigned turn;  /* 1: the first of all that have waited on this device */
};

extern struct owk_device device;
extern struct fake_device *fake;
extern struct owk_queue *const queue; /* the device's first */

/* Changes the fake device before it is opened; NULL: nothing. */
extern void (*fit_device)(struct fake_device *fake);
void open_device(void);
/* Checks that nothing is left in use. */
void close_device(void);
bool irq_enabled(void);
/* The device works, raises its interrupt, and the tasklet runs, until nothing happens any more. */
void pump(void);
struct request *make_request(struct owk_key *key, u32 length, unsigned pieces, bool in_place);
/* Returns what owk_submit() does. Software ends a request that has waited with -EAGAIN. */
int submit(struct request *request);
/* Checks that the request has ended once, with the right result. */
void check_result(const struct request *request, const u8 *text);
void new_key(struct owk_key *key);

#endif
