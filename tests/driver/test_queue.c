/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Rings, waiting, interrupts, counters, and who may open a queue.
 */
#include "check.h"
#include "fake_device.h"
#include "reference.h"
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

/* Makes no-operations for the whole array. */
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

static void test_submit_and_poll(void) {
  size_t accepted = 99, found = 99;
  open_rig();
  CHECK_EQUAL(ow_queue_space(&rig.queue), ENTRIES);
  uint32_t doorbells = fake->doorbells;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, &accepted, list, 5), OW_OK);
  CHECK_EQUAL(accepted, 5);
  CHECK_EQUAL(fake->doorbells, doorbells + 1);
  CHECK_EQUAL(ow_queue_outstanding(&rig.queue), 5);
  CHECK_EQUAL(ow_queue_space(&rig.queue), ENTRIES - 5);
  CHECK_EQUAL(jobs[4].status, OW_PENDING);
  /* This poll finds nothing and calls relax(), which lets the device work. */
  CHECK_EQUAL(ow_queue_poll(&rig.queue, &found), OW_OK);
  CHECK_EQUAL(found, 0);
  CHECK_EQUAL(ow_queue_poll(&rig.queue, &found), OW_OK);
  CHECK_EQUAL(found, 5);
  CHECK_EQUAL(finished, 5);
  CHECK_EQUAL(jobs[4].cycles, 100);
  CHECK_EQUAL(ow_queue_poll(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 0), OW_OK);
  CHECK_EQUAL(fake->doorbells, doorbells + 1);
  rig_close(&rig);
}

/* Prepared jobs wait for the doorbell. */
static void test_prepare_and_announce(void) {
  open_rig();
  uint32_t doorbells = fake->doorbells;
  CHECK_EQUAL(ow_queue_prepare(&rig.queue, NULL, list, 2), OW_OK);
  CHECK_EQUAL(ow_queue_prepare(&rig.queue, NULL, list + 2, 1), OW_OK);
  fake_work(fake);
  CHECK_EQUAL(ow_queue_poll(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(finished, 0);
  ow_queue_announce(&rig.queue);
  ow_queue_announce(&rig.queue);
  CHECK_EQUAL(fake->doorbells, doorbells + 1);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(finished, 3);
  /* A wait rings the doorbell itself; otherwise it would never end. */
  CHECK_EQUAL(ow_queue_prepare(&rig.queue, NULL, list + 3, 1), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, &jobs[3]), OW_OK);
  rig_close(&rig);
}

static void test_full_ring(void) {
  size_t accepted = 0;
  open_rig();
  CHECK_EQUAL(ow_queue_submit(&rig.queue, &accepted, list, ENTRIES + 3), OW_BUSY);
  CHECK_EQUAL(accepted, ENTRIES);
  CHECK_EQUAL(ow_queue_space(&rig.queue), 0);
  CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_RING], 1);
  CHECK_EQUAL(jobs[ENTRIES].status, OW_OK); /* untouched */
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, &accepted, list + ENTRIES, 3), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(finished, ENTRIES + 3);
  rig_close(&rig);
}

/* Many rounds of the ring, with every number of jobs in flight, in order and out of order; the
 * phase bit must always be right. */
static void test_wrap(void) {
  open_rig();
  unsigned total = 0;
  for (unsigned round = 0; round < 20000; round++) {
    unsigned count = 1 + round % ENTRIES;
    fake->reversed = round & 1;
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, count), OW_OK);
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
    total += count;
    CHECK_EQUAL(finished, total);
  }
  CHECK(total > 2 * 65536); /* the doorbell's 16 bits have wrapped too */
  CHECK_EQUAL(rig.queue.finished, total);
  rig_close(&rig);
}

/* Jobs that complete out of order keep their own scratch: keys and tags must not be mixed up, not
 * even where a cache without coherence reads a record while the device writes it. */
static void test_out_of_order(void) {
  enum { COUNT = ENTRIES };
  static uint8_t keys[COUNT][16], ivs[COUNT][12], tags[COUNT][16], expected[COUNT][100];
  open_rig();
  uint8_t *data = rig_allocate(&rig, COUNT * 100, 1);
  fake->reversed = true;
  for (unsigned round = 0; round < 50; round++) {
    unsigned count = 1 + random_below(COUNT);
    fake->tears_records = round & 1;
    for (unsigned i = 0; i < count; i++) {
      random_bytes(keys[i], 16);
      random_bytes(ivs[i], 12);
      random_bytes(data + 100 * i, 100);
      struct reference reference = {.opcode = OW_OP_AES_GCM,
                                    .key = keys[i],
                                    .key_len = 16,
                                    .iv = ivs[i],
                                    .iv_len = 12,
                                    .aad = keys[i],
                                    .aad_len = 10,
                                    .tag_len = 16};
      reference_seal(&reference, expected[i], tags[i], data + 100 * i, 100);
      jobs[i] = (struct ow_job){.opcode = OW_OP_AES_GCM,
                                .tag_len = 16,
                                .key = {.bytes = keys[i], .key_len = 16},
                                .length = 100,
                                .aad_len = 10,
                                .aad = keys[i],
                                .iv = ivs[i],
                                .iv_len = 12,
                                .source = data + 100 * i,
                                .destination = data + 100 * i};
    }
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, count), OW_OK);
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
    for (unsigned i = 0; i < count; i++) {
      CHECK_EQUAL(jobs[i].status, OW_OK);
      CHECK_EQUAL(jobs[i].bytes, 100);
      CHECK(memcmp(jobs[i].tag, tags[i], 16) == 0);
      CHECK(memcmp(data + 100 * i, expected[i], 100) == 0);
      CHECK(round != 0 || !fake_remembers(fake, keys[i], 16)); /* a slow search */
    }
  }
  rig_close(&rig);
}

static void submit_again(struct ow_job *job, void *user) {
  struct ow_job *next = &jobs[100 + finished];
  (void)job;
  if (++finished < 10) {
    *next = (struct ow_job){.opcode = OW_OP_NOP, .done = submit_again, .user = user};
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, &next, 1), OW_OK);
  }
  /* A completion callback must not wait. */
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_BAD_ARGUMENT);
  struct ow_job blocked = {.opcode = OW_OP_NOP};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &blocked), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_poll(&rig.queue, NULL), OW_OK);
}

static void test_done_submits(void) {
  open_rig();
  jobs[0].done = submit_again;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 1), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(finished, 10);
  rig_close(&rig);
}

static void test_flags(void) {
  open_rig();
  jobs[0].flags = OW_JOB_FENCE | OW_JOB_INTERRUPT;
  CHECK_EQUAL(ow_queue_prepare(&rig.queue, NULL, list, 1), OW_OK);
  const struct ow_descriptor *descriptor = (const void *)rig.queue.memory;
  CHECK_EQUAL(descriptor->control,
              OW_DESCRIPTOR_CONTROL_FENCE_MASK | OW_DESCRIPTOR_CONTROL_INTERRUPT_MASK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  rig_close(&rig);
}

static void test_interrupts(void) {
  open_rig();
  CHECK_EQUAL(ow_queue_set_interrupts(&rig.queue, true, 4, 1000), OW_OK);
  CHECK_EQUAL(fake->registers[(OW_QUEUE_OFFSET + OW_QUEUE_IRQ_COUNT_OFFSET) / 4], 4);
  CHECK_EQUAL(fake->registers[(OW_QUEUE_OFFSET + OW_QUEUE_IRQ_TIME_OFFSET) / 4], 1000);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 3), OW_OK);
  uint64_t relaxed = fake->relaxed;
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(fake->relaxed, relaxed); /* the wait slept */
  CHECK_EQUAL(fake->slept, 1);
  CHECK_EQUAL(rig.queue.missed_interrupts, 0);
  /* A lost interrupt costs only one sleep. */
  fake->lose_interrupts = true;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list + 3, 3), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(rig.queue.missed_interrupts, 1);
  CHECK_EQUAL(rig.queue.timeouts, 0);
  /* If no job completes there is no interrupt: the wait times out. */
  fake->idle = true;
  rig.queue.timeout_us = 5000;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list + 6, 1), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_TIMEOUT);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  /* The reset keeps the setting, which can be switched off again. */
  uint32_t control = fake->registers[(OW_QUEUE_OFFSET + OW_QUEUE_CONTROL_OFFSET) / 4];
  CHECK(control & OW_QUEUE_CONTROL_IRQ_ENABLE_MASK);
  CHECK_EQUAL(ow_queue_set_interrupts(&rig.queue, false, 0, 0), OW_OK);
  fake->idle = false;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[7]), OW_OK);
  fake->platform.wait_interrupt = NULL;
  CHECK_EQUAL(ow_queue_set_interrupts(&rig.queue, true, 1, 0), OW_UNSUPPORTED);
  rig_close(&rig);
}

/* A wait times out when the device does nothing; each completion restarts its time. */
static void test_patience(void) {
  enum { COUNT = 8, APART_US = 60, PATIENCE_US = 100 };
  open_rig();
  fake->microseconds_apart = APART_US;
  rig.queue.timeout_us = PATIENCE_US;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, COUNT), OW_OK);
  uint64_t before = fake->microseconds;
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK(fake->microseconds - before > 4 * PATIENCE_US);
  CHECK_EQUAL(finished, COUNT);
  CHECK_EQUAL(rig.queue.timeouts, 0);
  /* Waits only for the last job; the others complete before it. */
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list + COUNT, COUNT), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, list[2 * COUNT - 1]), OW_OK);
  CHECK_EQUAL(rig.queue.timeouts, 0);
  /* Each completion takes longer than the limit. */
  fake->microseconds_apart = 2 * PATIENCE_US;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list + 2 * COUNT, 2), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_TIMEOUT);
  CHECK_EQUAL(rig.queue.timeouts, 1);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  rig_close(&rig);
}

static void test_open_refusals(void) {
  static struct ow_queue other;
  static struct ow_queue_slot slots[ENTRIES];
  open_rig();
  uint8_t *memory = rig_allocate(&rig, OW_QUEUE_MEMORY_BYTES(RIG_LOG2) + 64, 64);
  static _Alignas(64) uint8_t unreachable[OW_QUEUE_MEMORY_BYTES(RIG_LOG2)];
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, memory, slots, RIG_LOG2), OW_NOT_ALLOWED);
  CHECK_EQUAL(ow_queue_grant(&rig.device, 1, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 4, memory, slots, RIG_LOG2), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, memory + 32, slots, RIG_LOG2), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, memory, slots, 13), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, NULL, slots, RIG_LOG2), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, unreachable, slots, RIG_LOG2), OW_UNSUPPORTED);
  rig.device.timeout_us = 50;
  fake->reset_hangs = true;
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, memory, slots, RIG_LOG2), OW_TIMEOUT);
  fake->reset_hangs = false;
  fake->registers[(OW_QUEUE_OFFSET + OW_QUEUE_STRIDE + OW_QUEUE_CONTROL_OFFSET) / 4] = 0;
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, memory, slots, RIG_LOG2), OW_OK);
  /* Two queues share nothing. */
  CHECK_EQUAL(ow_queue_submit(&other, NULL, list, 2), OW_OK);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list + 2, 2), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&other, NULL), OW_OK);
  CHECK_EQUAL(finished, 2);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_close(&other), OW_OK);
  CHECK_EQUAL(ow_queue_revoke(&rig.device, 1), OW_OK);
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, memory, slots, RIG_LOG2), OW_NOT_ALLOWED);
  rig_close(&rig);
}

/* The driver extends counters of 32 bits, which wrap, to totals of 64 bits. */
static void test_counters(void) {
  struct ow_counters counters = {0};
  open_rig();
  fake->busy_cycles_per_job = 0xc0000000u;
  for (unsigned i = 1; i <= 9; i++) {
    CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[i]), OW_OK);
    ow_queue_counters(&rig.queue, &counters);
    CHECK_EQUAL(counters.jobs, i);
    CHECK(counters.busy_cycles == (uint64_t)i * 0xc0000000u);
  }
  rig_close(&rig);
}

int main(void) {
  RUN(test_submit_and_poll);
  RUN(test_prepare_and_announce);
  RUN(test_full_ring);
  RUN(test_wrap);
  RUN(test_out_of_order);
  RUN(test_done_submits);
  RUN(test_flags);
  RUN(test_interrupts);
  RUN(test_patience);
  RUN(test_open_refusals);
  RUN(test_counters);
  return 0;
}
