/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests that a client of the shared board counts time limits in device time: a busy machine causes
 * no timeout, and a board that runs but does not respond causes one. A server that has been silent
 * for too long is not asked again.
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "outwork/outwork.h"
#include "outwork/shared.h"
#include "outwork/shared_server.h"

#define LOG2 4u

static struct ow_sim *sim;
static struct ow_shared_server *server;
static atomic_uint pause_ms; /* before each turn of the server */
static atomic_bool over;
static pthread_t thread;
static char path[64];

static struct ow_shared shared;
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_job job;

/* Seconds that the client's clock advances with each look at it, besides the time that passes. */
static atomic_uint hurry;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  static time_t ahead;
  ahead += (time_t)atomic_load(&hurry);
  const int error = __real_clock_gettime(clock, now);
  now->tv_sec += ahead;
  return error;
}

static void *serve(void *nothing) {
  while (!atomic_load(&over)) {
    usleep(1000 * atomic_load(&pause_ms));
    ow_shared_server_turn(server, 20);
  }
  return nothing;
}

static void begin(void) {
  struct ow_sim_parameters parameters;
  const char *why = NULL;
  ow_sim_defaults(&parameters);
  sim = ow_sim_open(&parameters, NULL);
  snprintf(path, sizeof(path), "/tmp/outwork-time-%ld", (long)getpid());
  server = ow_shared_server_open(sim, path, &why);
  CHECK(server != NULL);
  atomic_store(&over, false);
  atomic_store(&pause_ms, 0);
  CHECK_EQUAL(pthread_create(&thread, NULL, serve, NULL), 0);
  CHECK(ow_shared_open(&shared, path, 1u << 20) == NULL);
  ow_shared_platform(&shared, &platform);
  CHECK_EQUAL(ow_device_attach(&device, &platform, &shared.capabilities), OW_OK);
  CHECK_EQUAL(ow_queue_open(&queue, &device, shared.queue, shared.memory, slots, LOG2), OW_OK);
  uint8_t *room = (uint8_t *)shared.memory + 65536;
  static const uint8_t key[16];
  job = (struct ow_job){.opcode = OW_OP_AES_ECB,
                        .key = {.bytes = key, .key_len = 16},
                        .length = 64,
                        .source = room,
                        .destination = room};
}

static void end(void) {
  atomic_store(&pause_ms, 0);
  ow_shared_close(&shared);
  atomic_store(&over, true);
  CHECK_EQUAL(pthread_join(thread, NULL), 0);
  ow_shared_server_close(server);
  ow_sim_close(sim);
}

/* The server runs only every 100 ms, and the time limit of a job is 10 ms of device time. */
static void a_busy_machine_makes_no_job_late(void) {
  begin();
  queue.timeout_us = 10000;
  device.timeout_us = 10000;
  atomic_store(&pause_ms, 100);
  for (unsigned i = 0; i < 3; i++) {
    CHECK_EQUAL(ow_queue_run(&queue, &job), OW_OK);
  }
  CHECK_EQUAL(ow_queue_reset(&queue), OW_OK);
  end();
}

/* Memory does not answer, while the board's clock runs. */
static void a_job_that_never_ends_is_given_up(void) {
  const struct ow_sim_fault stuck = {.kind = OW_SIM_NO_READ_RESPONSE};
  begin();
  queue.timeout_us = 1000;
  struct ow_job *list[] = {&job};
  CHECK(ow_sim_inject(sim, &stuck));
  CHECK_EQUAL(ow_queue_submit(&queue, NULL, list, 1), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&queue, &job), OW_TIMEOUT);
  ow_sim_mend(sim);
  end();
}

/* The board has no work: its clock stands still except for clients that read registers. */
static void a_job_that_never_began_is_given_up(void) {
  begin();
  queue.timeout_us = 1000;
  struct ow_job *list[] = {&job};
  CHECK_EQUAL(ow_queue_prepare(&queue, NULL, list, 1), OW_OK);
  queue.announced = queue.written; /* the doorbell is lost */
  CHECK_EQUAL(ow_queue_wait(&queue, &job), OW_TIMEOUT);
  CHECK_EQUAL(ow_queue_reset(&queue), OW_OK);
  CHECK_EQUAL(ow_queue_run(&queue, &job), OW_OK);
  end();
}

/* The answer to the first key comes when nobody waits for it any more: it is not that to the
 * second, which would then be used under the first one's handle. */
static void a_late_answer_is_nobodys(void) {
  static const uint8_t keys[2][16] = {{1}, {2}};
  struct ow_key_material material = {
      .properties = {.encrypt = true}, .key = keys[0], .key_len = sizeof(keys[0])};
  struct ow_key_handle handle = {.slot = 0xee};
  begin();
  struct pollfd answer = {.fd = shared.socket, .events = POLLIN};
  atomic_store(&pause_ms, 2000);
  usleep(50000); /* more than a turn of the server takes */
  atomic_store(&hurry, 20);
  CHECK_EQUAL(ow_shared_key_load(&shared, &handle, &material), OW_NO_DEVICE);
  atomic_store(&hurry, 0);
  atomic_store(&pause_ms, 0);
  CHECK_EQUAL(poll(&answer, 1, 10000), 1);
  material.key = keys[1];
  CHECK_EQUAL(ow_shared_key_load(&shared, &handle, &material), OW_NO_DEVICE);
  CHECK_EQUAL(ow_shared_key_zeroise(&shared, &handle), OW_NO_DEVICE);
  CHECK_EQUAL(handle.slot, 0xee);
  CHECK_EQUAL(ow_queue_run(&queue, &job), OW_HALTED);
  end();
}

int main(void) {
  RUN(a_busy_machine_makes_no_job_late);
  RUN(a_job_that_never_ends_is_given_up);
  RUN(a_job_that_never_began_is_given_up);
  RUN(a_late_answer_is_nobodys);
  return 0;
}
