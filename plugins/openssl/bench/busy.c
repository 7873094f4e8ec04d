/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Measures whether one thread with 64 asynchronous jobs keeps the device busy: AES-256-GCM, 4 KiB
 * messages.
 *
 * Cycles are the device's, from the first doorbell to the last completion. Busy is the share of
 * cycles in which the cipher takes a block; more is impossible, because the bus carries one block
 * per cycle.
 */
#include "bench.h"

#include <openssl/async.h>
#include <stdio.h>

#include "tapped_board.h"

#define JOBS     64u
#define MESSAGES 1024u
#define LENGTH   4096u
#define CIPHER   "AES-256-GCM"

/* Target. */
#define BUSY_SHARE 0.90

struct task {
  struct way way;
  ASYNC_JOB *job;
  ASYNC_WAIT_CTX *wait;
  uint8_t output[LENGTH + 16];
};

static struct task tasks[JOBS];
static unsigned begun, ended;

static int run(void *argument) {
  static const uint8_t message[LENGTH];
  struct task *task = *(struct task **)argument;
  way_seal(&task->way, task->output, message, LENGTH);
  return 1;
}

/* Starts the task's next message, or resumes the current one. */
static void step(struct task *task) {
  int good = 0;
  if (task->job == NULL && begun == MESSAGES) {
    return;
  }
  begun += task->job == NULL ? 1u : 0u;
  switch (ASYNC_start_job(&task->job, task->wait, &good, run, &task, sizeof(task))) {
  case ASYNC_PAUSE:
    return;
  case ASYNC_FINISH:
    task->job = NULL;
    ended++;
    return;
  default:
    give_up(CIPHER, "cannot start an asynchronous job");
  }
}

bool bench_busy(void) {
  if (!ASYNC_is_capable() || !ASYNC_init_thread(JOBS, JOBS)) {
    give_up(CIPHER, "this OpenSSL or system has no asynchronous jobs");
  }
  for (unsigned i = 0; i < JOBS; i++) {
    way_open(&tasks[i].way, CIPHER, path_of("OUTWORK_BENCH_BOARD"), "always");
    tasks[i].wait = ASYNC_WAIT_CTX_new();
  }
  uint8_t first[LENGTH + 16] = {0};
  way_seal(&tasks[0].way, first, first, LENGTH); /* opens the device */
  uint64_t jobs = way_count(&tasks[0].way, "jobs");
  uint64_t cycles = ow_tapped_cycles();
  while (ended < MESSAGES) {
    for (unsigned i = 0; i < JOBS; i++) {
      step(&tasks[i]);
    }
  }
  cycles = ow_tapped_cycles() - cycles;
  if (way_count(&tasks[0].way, "jobs") - jobs != MESSAGES) {
    give_up(CIPHER, "some messages did not go to the device");
  }
  double share = (double)MESSAGES * LENGTH / 16 / (double)cycles;
  bool good = share >= BUSY_SHARE;
  printf("%u asynchronous jobs in one thread, %s, %u bytes: a block in %.1f %% of the device's "
         "cycles (at least %.0f), %.2f bytes/cycle%s\n",
         JOBS, CIPHER, LENGTH, 100 * share, 100 * BUSY_SHARE, 16 * share,
         good ? "" : "  <-- too little");
  for (unsigned i = 0; i < JOBS; i++) {
    way_close(&tasks[i].way);
    ASYNC_WAIT_CTX_free(tasks[i].wait);
  }
  ASYNC_cleanup_thread();
  return good;
}
