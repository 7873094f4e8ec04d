/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Shared by the files of the self-test of queues that processes own.
 */
#ifndef QUEUE_TEST_H
#define QUEUE_TEST_H

#include "outwork/linux_queue.h"
#include "outwork/outwork.h"
#include "small_jobs.h"

struct user_memory {
  struct small_memory small;
  uint8_t large[65536];
  uint8_t rest[4096]; /* the size of all is rounded down to pages */
};
#define USER_BYTES (sizeof(struct user_memory) / 4096u * 4096u)

/* A process with a queue. */
struct user {
  struct ow_linux own;
  struct ow_platform platform;
  struct ow_device device;
  struct ow_queue queue;
  struct ow_queue_slot slots[SMALL_JOBS];
  struct user_memory *memory;
};

/* Counts and prints what is not as promised. */
void check(bool good, const char *what);
/* Returns whether anything was not, in this process and before its fork. */
bool has_failed(void);
/* Opens a queue with USER_BYTES of memory. Prints why it does not. */
bool user_open(struct user *user);
/* Loads an AES-256 key of zeros. */
ow_status user_load_key(struct user *user, struct ow_key_handle *handle);
struct ow_key named(const struct ow_key_handle *handle);
/* Returns the device's own count of the queue's jobs. */
uint32_t device_jobs(struct user *user);

/* queue_trouble.c: beside `user`, which loses nothing. */
void test_killed(struct user *user, const struct ow_key *key);
void test_hostile(struct user *user, const struct ow_key *key);

/* queue_keys.c */
void test_made_key(struct user *user);

/* queue_unbind.c: `name` is the device's in sysfs. */
void test_unbound(const char *name);

#endif
