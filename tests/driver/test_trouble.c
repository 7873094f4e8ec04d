/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A device that is slow, dead, halted, ignores resets, or returns invalid values.
 */
#include "check.h"
#include "fake_device.h"
#include "rig.h"

#define ENTRIES (1u << RIG_LOG2)

static struct rig rig;
static struct fake_device *fake;
static struct ow_job jobs[200], *list[200];
static unsigned finished;

static void count_done(struct ow_job *job, void *user) {
  CHECK(user == &finished);
  CHECK(job->status != OW_PENDING);
  finished++;
}

/* No-operations, as many as the array holds. */
static void fresh_jobs(void) {
  memset(jobs, 0, sizeof(jobs));
  finished = 0;
  for (unsigned i = 0; i < 200; i++) {
    jobs[i] = (struct ow_job){.opcode = OW_OP_NOP, .done = count_done, .user = &finished};
    list[i] = &jobs[i];
  }
}

static void open_rig(void) {
  rig_open(&rig);
  fake = rig.under;
  fresh_jobs();
}

static void test_timeout_and_reset(void) {
  open_rig();
  fake->idle = true;
  rig.queue.timeout_us = 500;
  uint64_t before = fake->microseconds;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 3), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, &jobs[1]), OW_TIMEOUT);
  CHECK(fake->microseconds - before > 500 && fake->microseconds - before < 1000);
  CHECK_EQUAL(rig.queue.timeouts, 1);
  CHECK_EQUAL(jobs[1].status, OW_PENDING);
  /* A longer timeout helps if the device was only slow. */
  fake->idle = false;
  CHECK_EQUAL(ow_queue_wait(&rig.queue, &jobs[1]), OW_OK);
  CHECK_EQUAL(finished, 3);
  /* A reset gives the jobs back. */
  fake->idle = true;
  fresh_jobs();
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 3), OW_OK);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  CHECK_EQUAL(finished, 3);
  CHECK_EQUAL(jobs[2].status, OW_ABORTED);
  CHECK_EQUAL(ow_queue_outstanding(&rig.queue), 0);
  fake->idle = false;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 3), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  rig_close(&rig);
}

/* A process that did not run until its time was up looks at the device once more. */
static void test_the_process_sleeps(void) {
  static const struct ow_key_properties queue_0 = {.queues = 1, .encrypt = true};
  static const uint8_t key[16] = {1};
  open_rig();
  fake->key_ready = fake->microseconds + 100;
  fake->sleep_at = 3;
  CHECK_EQUAL(ow_key_load(&rig.device, 3, &queue_0, key, sizeof(key), NULL), OW_OK);
  CHECK_EQUAL(fake->sleep_at, 0);
  fake->key_hangs = true;
  CHECK_EQUAL(ow_key_load(&rig.device, 3, &queue_0, key, sizeof(key), NULL), OW_TIMEOUT);
  fake->key_hangs = false;

  fake->microseconds_apart = 1;
  fake->queues[0].ready = fake->microseconds + 1000000;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 1), OW_OK);
  fake->sleep_at = 2;
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(fake->sleep_at, 0);
  CHECK_EQUAL(rig.queue.timeouts, 0);
  CHECK_EQUAL(finished, 1);
  rig_close(&rig);
}

/* A run that times out resets the queue, so that the device no longer uses its memory. */
/* The records of before a reset are not taken for new ones, though their phase would be right. */
static void test_records_of_before(void) {
  size_t n = 0;
  open_rig();
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 3), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  fake->idle = true;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 3), OW_OK);
  CHECK_EQUAL(ow_queue_poll(&rig.queue, &n), OW_OK);
  CHECK_EQUAL(n, 0);
  fake->idle = false;
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(finished, 6);
  rig_close(&rig);
}

static void test_run_times_out(void) {
  uint8_t key[16] = "0123456789abcde";
  open_rig();
  uint8_t *data = rig_allocate(&rig, 4096, 1);
  struct ow_job job = {.opcode = OW_OP_AES_ECB,
                       .key = {.bytes = key, .key_len = 16},
                       .length = 4096,
                       .source = data,
                       .destination = data};
  fake->idle = true;
  rig.queue.timeout_us = 100;
  uint64_t before = fake->microseconds;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_TIMEOUT);
  CHECK(fake->microseconds - before >
        1000); /* bytes in flight are given time: a microsecond for 4 */
  CHECK_EQUAL(fake_mapped(fake), 1);
  CHECK(!fake_remembers(fake, key, 16));
  fake->idle = false;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  rig_close(&rig);
}

static void test_reset_not_obeyed(void) {
  open_rig();
  rig.device.timeout_us = 50;
  fake->idle = true;
  fake->reset_hangs = true;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 2), OW_OK);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_TIMEOUT);
  CHECK_EQUAL(jobs[0].status, OW_ABORTED);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 1), OW_HALTED);
  CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_DEVICE], 1);
  CHECK_EQUAL(ow_queue_space(&rig.queue), 0);
  fake->reset_hangs = false;
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  fake->idle = false;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[0]), OW_OK);
  rig_close(&rig);
}

/* A device that was away while it was reset, or set up again, does not work on as if it had been:
 * the reset fails, or what follows is right. */
static void test_lost_writes(void) {
  static const uint8_t plain[16] = {1}, key[16] = {2};
  uint8_t wanted[16];
  for (unsigned at = 1; at < 12; at++) {
    open_rig();
    uint8_t *data = rig_allocate(&rig, 16, 1);
    struct ow_job job = {.opcode = OW_OP_AES_ECB,
                         .key = {.bytes = key, .key_len = 16},
                         .length = 16,
                         .source = data,
                         .destination = data};
    rig.device.timeout_us = 50;
    rig.queue.timeout_us = 500;
    memcpy(data, plain, 16);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    memcpy(wanted, data, 16);
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 3), OW_OK);
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
    fake->registers[(OW_QUEUE_OFFSET + OW_QUEUE_RING_LOW_OFFSET) / 4] ^= 64u; /* another's ring */
    fake->lose_write_at = at;
    ow_status status = ow_queue_reset(&rig.queue);
    /* The reset; the ring's address; the permission to begin. The others read as they did. */
    CHECK_EQUAL(status, at == 1 ? OW_TIMEOUT : at == 3 || at == 9 ? OW_NO_DEVICE : OW_OK);
    memcpy(data, plain, 16);
    if (status == OW_OK) {
      fake->lose_write_at = 0;
      CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
      CHECK(memcmp(data, wanted, 16) == 0);
    } else {
      CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_HALTED);
      CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
      CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
      CHECK(memcmp(data, wanted, 16) == 0);
    }
    rig_close(&rig);
  }
}

static void test_halt(void) {
  uint8_t reason = 99;
  open_rig();
  CHECK_EQUAL(ow_queue_halt_reason(&rig.queue, &reason), OW_OK);
  CHECK_EQUAL(reason, OW_HALT_NONE);
  fake_halt(fake, 0, OW_HALT_RING_WINDOW);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 2), OW_OK);
  uint64_t before = fake->microseconds;
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_HALTED);
  CHECK(fake->microseconds - before < 5000); /* not the whole timeout */
  CHECK_EQUAL(ow_queue_halt_reason(&rig.queue, &reason), OW_HALTED);
  CHECK_EQUAL(reason, OW_HALT_RING_WINDOW);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list + 2, 1), OW_HALTED);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  CHECK_EQUAL(jobs[1].status, OW_ABORTED);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[3]), OW_OK);
  rig_close(&rig);
}

static void test_bad_cookie(void) {
  open_rig();
  fake->bad_cookie = true;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 2), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_DEVICE_ERROR);
  CHECK_EQUAL(finished, 0);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list + 2, 1), OW_HALTED);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  CHECK_EQUAL(finished, 2);
  rig_close(&rig);
}

/* Every word of the device has a status of the driver. */
static void test_statuses(void) {
  static const struct {
    uint8_t device;
    ow_status status;
  } table[] = {
      {OW_DEVICE_AUTH_FAILED, OW_AUTH_FAILED},
      {OW_DEVICE_BAD_OPCODE, OW_UNSUPPORTED},
      {OW_DEVICE_BAD_FLAGS, OW_BAD_ARGUMENT},
      {OW_DEVICE_BAD_LENGTH, OW_BAD_ARGUMENT},
      {OW_DEVICE_BAD_TAG_LENGTH, OW_BAD_ARGUMENT},
      {OW_DEVICE_BAD_IV, OW_BAD_ARGUMENT},
      {OW_DEVICE_BAD_KEY, OW_BAD_KEY},
      {OW_DEVICE_KEY_DENIED, OW_KEY_DENIED},
      {OW_DEVICE_KEY_GONE, OW_KEY_GONE},
      {OW_DEVICE_BAD_SEGMENT, OW_BAD_ARGUMENT},
      {OW_DEVICE_WINDOW_VIOLATION, OW_WINDOW_VIOLATION},
      {OW_DEVICE_READ_ERROR, OW_BUS_ERROR},
      {OW_DEVICE_WRITE_ERROR, OW_BUS_ERROR},
      {OW_DEVICE_TIMEOUT, OW_TIMEOUT},
      {OW_DEVICE_ABORTED, OW_ABORTED},
      {OW_DEVICE_FAULT, OW_FAULT},
      {OW_DEVICE_NOT_SEEDED, OW_UNSUPPORTED},
      {OW_DEVICE_BAD_STATE, OW_BAD_STATE},
      {OW_DEVICE_WIPE_FAILED, OW_WIPE_FAILED},
      {0x77, OW_DEVICE_ERROR},
  };
  open_rig();
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    fake->force_status = table[i].device;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[i]), table[i].status);
    CHECK_EQUAL(jobs[i].device_status, table[i].device);
    CHECK(strlen(ow_status_text(table[i].status)) > 3);
  }
  for (int reason = 0; reason < OW_FALLBACK_COUNT; reason++) {
    CHECK(strlen(ow_fallback_text((ow_fallback)reason)) > 3);
    ow_queue_fallback_add(&rig.queue, (ow_fallback)reason);
    CHECK_EQUAL(rig.queue.fallbacks[reason], 1);
  }
  CHECK(ow_status_text((ow_status)99) != NULL && ow_fallback_text((ow_fallback)99) != NULL);
  ow_queue_fallback_add(&rig.queue, (ow_fallback)99);
  rig_close(&rig);
}

static void test_device_gone(void) {
  open_rig();
  rig.queue.timeout_us = 1000;
  rig.device.timeout_us = 1000;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 2), OW_OK);
  fake->gone = true;
  fake->idle = true;
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_HALTED); /* all ones say so */
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_TIMEOUT);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[5]), OW_HALTED);
  CHECK_EQUAL(ow_key_zeroise(&rig.device, 0), OW_TIMEOUT);
  fake->gone = false;
  fake->idle = false;
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  rig_close(&rig);
}

static void lose(void *context, uint32_t offset, uint32_t value) {
  (void)context;
  (void)offset;
  (void)value;
}

/* The bus is away for the one write that resets: the device still has the jobs, and would write
 * into memory that is their owners' again. */
static void test_reset_lost(void) {
  open_rig();
  rig.queue.timeout_us = 1000;
  rig.device.timeout_us = 1000;
  fake->idle = true;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 2), OW_OK);
  void (*write32)(void *, uint32_t, uint32_t) = rig.platform->write32;
  rig.platform->write32 = lose;
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_TIMEOUT);
  rig.platform->write32 = write32;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[5]), OW_HALTED);
  fake->idle = false;
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  rig_close(&rig);
}

/* A queue that the device has reset by itself does not run old descriptors when its interrupt is
 * masked or permitted: it halts. One that runs goes on. */
static void test_reset_behind_the_driver(void) {
  uint8_t reason;
  open_rig();
  for (unsigned i = 0; i < 2; i++) {
    ow_queue_permit_interrupt(&rig.queue, i == 0);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[i]), OW_OK);
  }
  fake->reset_queue_at = 1;
  ow_queue_permit_interrupt(&rig.queue, true);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list + 2, 2), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_HALTED);
  CHECK_EQUAL(ow_queue_halt_reason(&rig.queue, &reason), OW_HALTED);
  CHECK_EQUAL(reason, OW_HALT_BAD_RING);
  CHECK_EQUAL(fake->queues[0].jobs, 2);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[4]), OW_OK);
  rig_close(&rig);
}

static bool map_anything(void *context, uint64_t *address, void *memory, size_t length,
                         ow_direction direction) {
  (void)direction;
  (void)length;
  *address = FAKE_ADDRESS + (uint64_t)((uint8_t *)memory - ((struct fake_device *)context)->arena);
  return true;
}

static void unmap_anything(void *context, uint64_t address, void *memory, size_t length,
                           ow_direction direction) {
  (void)context;
  (void)address;
  (void)memory;
  (void)length;
  (void)direction;
}

/* Fills the ring again, with jobs that do not end. */
static void fill_ring(struct ow_job *job, void *user) {
  (void)job;
  (void)user;
  fake->idle = true;
  (void)ow_queue_submit(&rig.queue, NULL, list + ENTRIES, ENTRIES);
}

/* A message of more bytes than a job can have, and a ring that fills up behind its first job: what
 * the device does not get is not left out, the message ends. */
static void test_a_hash_stops(void) {
  static const struct ow_hash_message wiped;
  open_rig();
  struct ow_hash_message *message = rig_allocate(&rig, sizeof(*message), 64);
  CHECK_EQUAL(ow_hash_message_init(message, &rig.queue, OW_OP_SHA256, NULL), OW_OK);
  rig.queue.timeout_us = 500;
  fake->idle = true;
  jobs[0].done = fill_ring;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 1), OW_OK);
  fake->idle = false;
  fake->pretends = true;
  fake->reversed = true; /* the message's job has ended when fill_ring() is called */
  const struct ow_platform platform = *rig.platform;
  rig.platform->map = map_anything;
  rig.platform->unmap = unmap_anything;
  CHECK_EQUAL(ow_hash_message_update(message, message, (size_t)UINT32_MAX + 100), OW_TIMEOUT);
  *rig.platform = platform;
  CHECK_EQUAL(ow_queue_outstanding(&rig.queue), ENTRIES);
  CHECK(memcmp(message, &wiped, sizeof(wiped)) == 0);
  CHECK_EQUAL(ow_hash_message_update(message, "", 1), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  rig_close(&rig);
}

int main(void) {
  RUN(test_timeout_and_reset);
  RUN(test_records_of_before);
  RUN(test_run_times_out);
  RUN(test_reset_not_obeyed);
  RUN(test_lost_writes);
  RUN(test_halt);
  RUN(test_bad_cookie);
  RUN(test_statuses);
  RUN(test_the_process_sleeps);
  RUN(test_device_gone);
  RUN(test_reset_lost);
  RUN(test_reset_behind_the_driver);
  RUN(test_a_hash_stops);
  return 0;
}
