/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Many threads on one device while the process forks: every message is correct in every thread and
 * in every child, and parent and child each have a device.
 *
 *   test_storm [THREADS [MESSAGES [FORKS]]]
 *
 * FORKS is 0 where the sanitizers are: their allocator does not survive a fork beside other
 * threads.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hashing.h"
#include "keys.h"
#include "message.h"

#define LONGEST 3000u
/* at most, of a child and of the parent before its threads start */
#define ALONE 10u

static struct host provider, reference;
static struct keys keys;
static unsigned messages, alone;
static bool forking;
static atomic_uint wrong;

/* A child of a process with working threads uses no keys: a key operation begins with a fetch, and
 * a fork during another thread's fetch leaves OpenSSL's own locks locked in the child. */
static void play_all(struct dice *dice, unsigned count, bool with_keys) {
  struct stage *stage = calloc(1, sizeof(*stage));
  struct hashing *hashing = calloc(1, sizeof(*hashing));
  CHECK(stage != NULL && hashing != NULL);
  hashing->plain = forking;
  for (unsigned i = 0; i < count; i++) {
    if (!(i % 2 == 0 ? message_play(stage, &provider, &reference, dice, LONGEST)
                     : hashing_play(hashing, &provider, &reference, dice, LONGEST))) {
      atomic_fetch_add(&wrong, 1);
    }
    if (with_keys && !keys_play(&keys, dice)) {
      atomic_fetch_add(&wrong, 1);
    }
  }
  free(hashing);
  free(stage);
}

static void *worker(void *seed) {
  struct dice dice = {(uintptr_t)seed};
  play_all(&dice, messages, true);
  return NULL;
}

/* In the child: the counters start at zero, and the child's own device does the work. */
static int child(uint64_t seed, bool with_keys) {
  struct dice dice = {seed};
  uint64_t before = host_count(&provider, "jobs");
  atomic_store(&wrong, 0);
  play_all(&dice, alone, with_keys);
  return before == 0 && atomic_load(&wrong) == 0 && host_count(&provider, "jobs") != 0 ? 0 : 1;
}

static void fork_one(uint64_t seed, bool with_keys) {
  int status;
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    _exit(child(seed, with_keys));
  }
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status));
  CHECK_EQUAL(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv) {
  unsigned threads = argc > 1 ? (unsigned)atoi(argv[1]) : 8;
  messages = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
  alone = messages < ALONE ? messages : ALONE;
  unsigned forks = argc > 3 ? (unsigned)atoi(argv[3]) : 10;
  forking = forks != 0;
  pthread_t ids[64];
  struct dice dice = {7};
  CHECK(threads <= 64);
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  keys_make(&keys, &provider, &reference);
  fork_one(999, true);
  play_all(&dice, alone, true);
  fork_one(998, true); /* the parent's device is in use */
  for (uintptr_t i = 0; i < threads; i++) {
    CHECK(pthread_create(&ids[i], NULL, worker, (void *)(i + 1)) == 0);
  }
  for (unsigned i = 0; i < forks; i++) {
    fork_one(1000 + i, false);
  }
  for (unsigned i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
  }
  printf("%llu jobs of the device, %llu requests of the CPU, %u messages wrong\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-requests"), wrong);
  CHECK_EQUAL(wrong, 0);
  CHECK(host_count(&provider, "jobs") >= (uint64_t)threads * messages / 2);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  keys_free(&keys);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
