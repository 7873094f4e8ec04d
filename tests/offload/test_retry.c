/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A request under a key in a slot, which the CPU cannot do, is tried three times; once is enough if
 * only the process was late.
 */
#include <dlfcn.h>

#include "check.h"
#include "fake_board.h"
#include "offload.h"

static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;
static unsigned failures;

static bool may_pause(void) {
  return true;
}

/* The device fails so many jobs in a row. Called while a job waits for its doorbell or its end. */
static void pause_work(void) {
  struct fake_device *fake = lock();
  if (failures != 0 && fake->force_status == 0) {
    fake->force_status = OW_DEVICE_READ_ERROR;
    failures--;
  }
  unlock();
}

/* Runs a request that succeeds. Returns how many doorbells it took. */
static unsigned doorbells_of(struct ow_offload *offload, struct ow_request *request) {
  unsigned before = lock()->doorbells;
  unlock();
  CHECK(ow_offload_run_retry(offload, request));
  unsigned after = lock()->doorbells;
  unlock();
  return after - before;
}

/* The device ends the job while the process sleeps, until its time for the device is over. */
static void test_late_process(struct ow_offload *offload, struct ow_slot_key *slot,
                              const uint8_t input[16]) {
  uint8_t output[16];
  struct ow_request request = {
      .opcode = OW_OP_AES_ECB, .slot = slot, .input = input, .output = output, .length = 16};
  failures = 0;
  (void)doorbells_of(offload, &request); /* after the failures */
  CHECK_EQUAL(doorbells_of(offload, &request), 1);
  struct fake_device *fake = lock();
  for (unsigned queue = 0; queue < OW_QUEUE_COUNT; queue++) {
    fake->queues[queue].ready = fake->microseconds + 1000000;
  }
  fake->microseconds_apart = 1;
  fake->sleep_at = 2;
  unlock();
  CHECK_EQUAL(doorbells_of(offload, &request), 1);
  CHECK_EQUAL(lock()->sleep_at, 0);
  unlock();
}

int main(void) {
  static const uint8_t key[16] = {1, 2, 3}, input[16] = {4};
  const struct ow_key_material material = {
      .properties = {.encrypt = true}, .key = key, .key_len = sizeof(key)};
  const struct ow_offload_settings settings = {.library = getenv("OUTWORK_TEST_LIBRARY"),
                                               .policy = "always",
                                               .host = "test",
                                               .may_pause = may_pause,
                                               .pause = pause_work};
  void *library = dlopen(getenv("OUTWORK_TEST_LIBRARY"), RTLD_NOW);
  CHECK(library != NULL);
  *(void **)&lock = dlsym(library, "fake_board_lock");
  *(void **)&unlock = dlsym(library, "fake_board_unlock");
  CHECK(lock != NULL && unlock != NULL);
  struct ow_offload *offload = ow_offload_open(&settings);
  struct ow_slot_key slot;
  CHECK_EQUAL(ow_offload_key_load(offload, &slot, &material), OW_OK);
  for (unsigned count = 0; count < 5; count++) {
    uint8_t output[sizeof(input)] = {0};
    struct ow_request request = {.opcode = OW_OP_AES_ECB,
                                 .slot = &slot,
                                 .input = input,
                                 .output = output,
                                 .length = sizeof(input)};
    failures = count;
    lock()->force_status = 0;
    unlock();
    bool done = ow_offload_run_retry(offload, &request);
    CHECK_EQUAL(done, count < 3);
    CHECK_EQUAL(request.status, done ? OW_OK : OW_BUS_ERROR);
  }
  test_late_process(offload, &slot, input);
  ow_offload_close(offload);
  return 0;
}
