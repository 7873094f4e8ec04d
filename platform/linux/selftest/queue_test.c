/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Queues of /dev/outwork at work, on the device: jobs and their cycles; a process that is killed in
 * the middle of its jobs; a hostile process. The exit status is 1 if anything is not as promised.
 */
#include "queue_test.h"

#include <string.h>
#include <unistd.h>

#include "posix.h"

static unsigned failures;

void check(bool good, const char *what) {
  if (!good) {
    failures++;
    say("queue: FAILED: %s\n", what);
  }
}

bool has_failed(void) {
  return failures != 0;
}

bool user_open(struct user *user) {
  const char *why = ow_linux_open(&user->own, OW_LINUX_PATH, USER_BYTES);
  if (why != NULL) {
    say("queue: %s (errno %u)\n", why, (uint32_t)errno);
    return false;
  }
  ow_linux_platform(&user->platform, &user->own);
  (void)ow_device_attach(&user->device, &user->platform, &user->own.capabilities);
  user->memory = user->own.memory;
  return ow_queue_open(&user->queue, &user->device, user->own.queue, user->memory->small.ring,
                       user->slots, SMALL_LOG2) == OW_OK;
}

ow_status user_load_key(struct user *user, struct ow_key_handle *handle) {
  static const uint8_t zeros[32];
  const struct ow_key_material material = {
      .properties = {.encrypt = true, .decrypt = true}, .key_len = sizeof(zeros), .key = zeros};
  return ow_linux_key_load(&user->own, handle, &material);
}

struct ow_key named(const struct ow_key_handle *handle) {
  return (struct ow_key){.slot = handle->slot, .generation = handle->generation};
}

uint32_t device_jobs(struct user *user) {
  struct ow_counters counters = {0};
  ow_queue_counters(&user->queue, &counters);
  return (uint32_t)counters.jobs;
}

/* Accesses to the queue's registers. */
static unsigned accesses;
static uint32_t (*plain_read32)(void *context, uint32_t offset);
static void (*plain_write32)(void *context, uint32_t offset, uint32_t value);

static uint32_t counting_read32(void *context, uint32_t offset) {
  accesses++;
  return plain_read32(context, offset);
}

static void counting_write32(void *context, uint32_t offset, uint32_t value) {
  accesses++;
  plain_write32(context, offset, value);
}

/* Counts what jobs cost in accesses to registers when the ring is full. */
static void test_accesses(struct user *user, const struct ow_key *key) {
  const struct ow_platform plain = user->platform;
  plain_read32 = plain.read32;
  plain_write32 = plain.write32;
  user->platform.read32 = counting_read32;
  user->platform.write32 = counting_write32;
  accesses = 0;
  check(small_jobs_run(&user->queue, &user->memory->small, key, SMALL_JOBS) != 0,
        "as many jobs as the ring has entries have the known result");
  user->platform = plain;
  say("small jobs: %u in flight, %u accesses to registers\n", (uint32_t)SMALL_JOBS, accesses);
}

/* Jobs by polling and by interrupts; every one is counted by the device. */
static void test_work(struct user *user, const struct ow_key *key) {
  static const uint8_t iv[12];
  struct small_cycles cycles;
  const uint32_t before = device_jobs(user);
  check(small_jobs_measure(&cycles, &user->queue, &user->memory->small, key),
        "small jobs have the known result");
  const uint32_t expected = SMALL_ROUNDS * (1 + SMALL_JOBS / 2);
  check(device_jobs(user) - before == expected, "the device counts every job");
  say("small jobs: alone %u batched %u\n", cycles.alone, cycles.batched);

  check(ow_queue_set_interrupts(&user->queue, true, 1, 0) == OW_OK, "interrupts are permitted");
  for (unsigned i = 0; i < 8; i++) {
    struct ow_job job = {.opcode = OW_OP_AES_GCM,
                         .tag_len = 16,
                         .key = *key,
                         .length = sizeof(user->memory->large),
                         .source = user->memory->large,
                         .destination = user->memory->large,
                         .iv_len = sizeof(iv),
                         .iv = iv};
    check(ow_queue_run(&user->queue, &job) == OW_OK, "a job ends with an interrupt");
  }
  check(user->queue.missed_interrupts == 0, "no interrupt is missed");
  check(ow_queue_set_interrupts(&user->queue, false, 1, 0) == OW_OK, "interrupts are forbidden");
  say("queue: %u jobs, the device counted %u, 0 by software\n", expected + 8,
      device_jobs(user) - before);
  check(device_jobs(user) - before == expected + 8, "the device counts the jobs with interrupts");
}

/* What a plug-in for a crypto library asks for is more than a kernel has in one piece: it gets
 * less, and can use it to the end. */
static void test_memory(void) {
  enum { PLUG_IN_BYTES = 4751360, LEAST_BYTES = 512 << 10 };
  struct ow_linux own;
  const char *why = ow_linux_open_up_to(&own, OW_LINUX_PATH, PLUG_IN_BYTES, LEAST_BYTES);
  check(why == NULL, "a plug-in's queue is opened");
  if (why != NULL) {
    say("queue: %s\n", why);
    return;
  }
  volatile uint32_t *last = (volatile uint32_t *)own.memory + own.memory_len / 4u - 1u;
  check(*last == 0, "its memory is clear up to the end");
  *last = 1;
  check(*last == 1, "its memory can be written to");
  say("queue: a plug-in asks for %u bytes, gets %u\n", (uint32_t)PLUG_IN_BYTES,
      (uint32_t)own.memory_len);
  ow_linux_close(&own);
}

/* With the name of the device in sysfs as argument, it unbinds it. */
int main(int argc, char **argv) {
  static struct user user;
  struct ow_key_handle handle;
  if (argc == 2) {
    test_unbound(argv[1]);
    say("queue: %s\n", failures == 0 ? "passed" : "failed");
    return failures != 0;
  }
  test_memory();
  if (!user_open(&user) || user_load_key(&user, &handle) != OW_OK) {
    return 1;
  }
  const struct ow_key key = named(&handle);
  test_work(&user, &key);
  test_accesses(&user, &key);
  test_made_key(&user);
  test_killed(&user, &key);
  test_hostile(&user, &key);
  check(ow_linux_key_zeroise(&user.own, &handle) == OW_OK, "the key is zeroised");
  check(ow_linux_key_zeroise(&user.own, &handle) != OW_OK, "it is gone");
  check(ow_queue_close(&user.queue) == OW_OK, "the queue is closed");
  ow_linux_close(&user.own);
  say("queue: %s\n", failures == 0 ? "passed" : "failed");
  return failures != 0;
}
