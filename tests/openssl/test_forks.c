/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A child starts with a device of its own, whatever its parent's: a device in back-off, requests in
 * flight, or their failure in the child.
 */
#include <openssl/async.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trouble.h"

#define ORPHANS 20u /* more than the faults in a row that start a back-off */

static struct host provider;
static ASYNC_WAIT_CTX *wait_contexts[ORPHANS];
static ASYNC_JOB *orphans[ORPHANS];

static int seal(void) {
  static const uint8_t key[16] = {1}, message[100] = {2};
  uint8_t output[sizeof(message)];
  int length;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int good = EVP_EncryptInit_ex(context, provider.ciphers[6], NULL, key, key) &&
             EVP_EncryptUpdate(context, output, &length, message, sizeof(message));
  EVP_CIPHER_CTX_free(context);
  return good;
}

/* Returns whether the device, not the CPU, processes the next message. */
static bool device_does_it(void) {
  uint64_t before = host_count(&provider, "jobs");
  CHECK(seal());
  return host_count(&provider, "jobs") == before + 1;
}

static int seal_task(void *nothing) {
  (void)nothing;
  return seal();
}

static bool step(unsigned i) {
  int good = 0;
  int answer = ASYNC_start_job(&orphans[i], wait_contexts[i], &good, seal_task, NULL, 0);
  CHECK(answer == ASYNC_PAUSE || (answer == ASYNC_FINISH && good == 1));
  return answer == ASYNC_FINISH;
}

/* The child's exit status is the result of the test. */
static void in_child(void (*test)(void)) {
  int status;
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    test();
    _exit(0);
  }
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status));
  CHECK_EQUAL(WEXITSTATUS(status), 0);
}

static void child_of_resting(void) {
  unsetenv("FAKE_BOARD_ABSENT");
  CHECK(device_does_it());
}

/* The parent has failed so often that its back-off is long. */
static void test_rest(void) {
  setenv("FAKE_BOARD_ABSENT", "1", 1);
  for (unsigned i = 0; i < 70; i++) {
    CHECK(!device_does_it());
    usleep(10000);
  }
  in_child(child_of_resting);
  unsetenv("FAKE_BOARD_ABSENT");
  for (unsigned i = 0; i < 500 && !device_does_it(); i++) {
    usleep(10000);
  }
  CHECK(device_does_it());
}

/* After the back-off a device is opened again when no request is in flight. */
static void child_of_busy(void) {
  CHECK(device_does_it());
  trouble_vanish();
  for (unsigned i = 0; i < 3; i++) { /* fewer than its queues, so no back-off starts */
    CHECK(!device_does_it());
  }
  unsigned tries = 0;
  while (!device_does_it()) {
    CHECK(++tries < 500);
    usleep(10000);
  }
}

/* The parent's requests end on the CPU; the child's device does not count that as a fault. */
static void child_of_orphans(void) {
  CHECK(device_does_it());
  for (unsigned i = 0; i < ORPHANS; i++) {
    CHECK(step(i));
  }
  CHECK(device_does_it());
}

static void test_requests(void) {
  CHECK(ASYNC_init_thread(ORPHANS, ORPHANS));
  CHECK(device_does_it());
  for (unsigned i = 0; i < ORPHANS; i++) {
    wait_contexts[i] = ASYNC_WAIT_CTX_new();
    CHECK(!step(i));
  }
  in_child(child_of_busy);
  in_child(child_of_orphans);
  for (unsigned i = 0; i < ORPHANS; i++) {
    while (!step(i)) {
    }
    ASYNC_WAIT_CTX_free(wait_contexts[i]);
  }
  CHECK(device_does_it());
}

int main(void) {
  CHECK(trouble_find());
  host_open(&provider, "policy = always");
  RUN(test_rest);
  RUN(test_requests);
  host_close(&provider);
  return 0;
}
