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

int main(void) {
  static struct user user;
  struct ow_key_handle handle;
  if (!user_open(&user) || user_load_key(&user, &handle) != OW_OK) {
    return 1;
  }
  const struct ow_key key = named(&handle);
  test_work(&user, &key);
  test_killed(&user, &key);
  test_hostile(&user, &key);
  check(ow_linux_key_zeroise(&user.own, &handle) == OW_OK, "the key is zeroised");
  check(ow_linux_key_zeroise(&user.own, &handle) != OW_OK, "it is gone");
  check(ow_queue_close(&user.queue) == OW_OK, "the queue is closed");
  ow_linux_close(&user.own);
  say("queue: %s\n", failures == 0 ? "passed" : "failed");
  return failures != 0;
}
