/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A queue that is reset when the driver has not asked for it, on the simulated board.
 */
#include "check.h"
#include "reference.h"
#include "rig_board.h"

enum { JOBS = 4, LENGTH = 512, ROUNDS = 20 };
_Static_assert(2 * JOBS <= 1u << RIG_LOG2, "the ring's first pass");

static struct rig rig;
static const uint8_t key[32] = "a key of thirty-two bytes, zzzz";
static const uint8_t iv[16] = "an IV of sixteen";

/* Encrypts in place: again, it would be decrypted. */
static void submit(struct ow_job jobs[JOBS], uint8_t *memory) {
  for (unsigned i = 0; i < JOBS; i++) {
    jobs[i] = (struct ow_job){.opcode = OW_OP_AES_CTR,
                              .key = {.bytes = key, .key_len = 32},
                              .iv = iv,
                              .iv_len = 16,
                              .source = memory + i * LENGTH,
                              .destination = memory + i * LENGTH,
                              .length = LENGTH};
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, &(struct ow_job *){&jobs[i]}, 1), OW_OK);
  }
}

/* The reset finds the first jobs done, and others on the way or not yet announced. Nothing runs
 * after it, though the interrupt is masked and permitted and further jobs are announced. */
static void test_nothing_runs_again(void) {
  static struct ow_job jobs[2 * JOBS];
  static uint8_t kept[2 * JOBS * LENGTH];
  rig_open(&rig);
  uint8_t *memory = rig_allocate(&rig, sizeof(kept), 64);
  for (unsigned round = 0; round < ROUNDS; round++) {
    uint8_t reason;
    random_bytes(memory, sizeof(kept));
    submit(jobs, memory);
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
    if (round % 2 == 0) {
      submit(jobs + JOBS, memory + JOBS * LENGTH);
      ow_sim_run(rig_sim(&rig), random_below(1000));
    }
    rig.platform->write32(rig.platform->context, rig.queue.page + OW_QUEUE_CONTROL_OFFSET,
                          OW_QUEUE_CONTROL_RESET_MASK);
    ow_sim_run(rig_sim(&rig), random_below(3) == 0 ? 0 : 5000); /* during the reset, or after it */
    ow_queue_permit_interrupt(&rig.queue, false);
    ow_sim_run(rig_sim(&rig), 5000);
    memcpy(kept, memory, sizeof(kept));
    if (round % 2 == 1) {
      submit(jobs + JOBS, memory + JOBS * LENGTH);
    }
    ow_queue_permit_interrupt(&rig.queue, true);
    ow_sim_run(rig_sim(&rig), 10000);
    CHECK(memcmp(memory, kept, sizeof(kept)) == 0);
    CHECK_EQUAL(ow_queue_halt_reason(&rig.queue, &reason), OW_HALTED);
    CHECK_EQUAL(reason, OW_HALT_BAD_RING);
    CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  }
  rig_close(&rig);
}

int main(void) {
  RUN(test_nothing_runs_again);
  return 0;
}
