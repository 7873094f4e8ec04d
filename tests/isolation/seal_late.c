/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A queue loads a sealed state of which any burst is late: meanwhile another queue's state is
 * opened, and its hash jobs and the owner's commands on keys end, in time.
 */
#include "seal_board.h"

enum { LATE = 30000, BOUND = 2000, LOADED = 3 };

static struct seal_board board;

static uint32_t read_register(uint32_t offset) {
  return board.platform.read32(board.platform.context, offset);
}

/* Read bursts since the last delay. */
static uint32_t reads;
static void count_reads(void *context, const struct ow_sim_burst *burst) {
  (void)context;
  reads += !burst->write;
}

/* Makes the read burst with this number late, counted from now on. */
static void delay_read(uint32_t number) {
  reads = 0;
  const struct ow_sim_fault fault = {.kind = OW_SIM_LATE_READ, .value = LATE, .at = number};
  CHECK(ow_sim_inject(board.sim, &fault));
}

/* The state of KMAC is the longest one. It begins 12 words before a burst ends, so it comes in two
 * bursts. */
static void opens_other_states(void) {
  const struct mode *late = &modes[MODES - 2], *other = &modes[0];
  const uint8_t slots[] = {1, 0};
  uint8_t *base = board.arena->context[8];
  base += (64 + 256 - ((uintptr_t)base + sealed_at(late->opcode)) % 256) % 256;
  CHECK_EQUAL(((uintptr_t)base + sealed_at(late->opcode)) % 256, 64);
  bool is_late = true; /* the job has a burst with this number */
  for (uint32_t burst = 0; is_late; burst++) {
    CHECK_EQUAL(run_piece(&board, 1, late, NULL, slots[0], OW_JOB_SAVE_STATE, base, NULL), OW_OK);
    CHECK_EQUAL(run_piece(&board, 0, other, NULL, slots[1], OW_JOB_SAVE_STATE,
                          board.arena->context[0], NULL),
                OW_OK);
    delay_read(burst);
    struct ow_job job = piece_job(&board, late, NULL, slots[0], OW_JOB_LOAD_STATE, base), *p = &job;
    CHECK_EQUAL(ow_queue_submit(&board.queue[1], NULL, &p, 1), OW_OK);
    ow_sim_run(board.sim, 400);
    is_late = reads > burst;
    CHECK(is_late || burst > 2);
    if (!is_late) {
      ow_sim_mend(board.sim);
    }
    struct ow_job opened =
        piece_job(&board, other, NULL, slots[1], OW_JOB_LOAD_STATE, board.arena->context[0]);
    CHECK_EQUAL(ow_queue_run(&board.queue[0], &opened), OW_OK);
    CHECK(opened.cycles < BOUND);
    CHECK_EQUAL(ow_queue_wait(&board.queue[1], &job), OW_OK);
    CHECK_EQUAL(job.status, OW_OK);
  }
}

/* A message in pieces of HMAC-SHA-512, the second of which has a partial block in its state and
 * fills its input buffer. There are two units, and two queues with such a job. */
static void hash_jobs_and_keys_go_on(void) {
  const struct mode *late = &modes[8];
  CHECK_EQUAL(late->opcode, OW_OP_HMAC_SHA512);
  bool is_late = true;
  for (uint32_t burst = 0; is_late; burst++) {
    struct ow_job jobs[2];
    for (unsigned i = 0; i < 2; i++) {
      struct ow_job first = {.opcode = late->opcode,
                             .flags = OW_JOB_SAVE_STATE,
                             .key = {.slot = LOADED},
                             .context = board.arena->context[4 + i],
                             .source = board.arena->input,
                             .length = 272};
      CHECK_EQUAL(ow_queue_run(&board.queue[1 + i], &first), OW_OK);
    }
    for (unsigned i = 0; i < 2; i++) {
      jobs[i] = (struct ow_job){.opcode = late->opcode,
                                .flags = OW_JOB_LOAD_STATE,
                                .key = {.slot = LOADED},
                                .context = board.arena->context[4 + i],
                                .source = board.arena->input,
                                .length = 4096,
                                .tag_len = 20};
      struct ow_job *pointer = &jobs[i];
      delay_read(burst);
      CHECK_EQUAL(ow_queue_submit(&board.queue[1 + i], NULL, &pointer, 1), OW_OK);
      ow_sim_run(board.sim, 700);
      is_late = reads > burst;
      CHECK(is_late || burst > 8);
      if (!is_late) {
        ow_sim_mend(board.sim);
      }
    }
    struct ow_job hash = {.opcode = OW_OP_SHA512,
                          .source = board.arena->input,
                          .length = 64,
                          .destination = board.arena->output};
    CHECK_EQUAL(ow_queue_run(&board.queue[0], &hash), OW_OK);
    CHECK(hash.cycles < BOUND);

    /* A key of the same family is loaded, and zeroised. */
    uint64_t begin = ow_sim_cycles(board.sim);
    load_key(&board, SLOT + 1, late, board.arena->input);
    CHECK(ow_sim_cycles(board.sim) - begin < BOUND);
    begin = ow_sim_cycles(board.sim);
    CHECK_EQUAL(ow_key_zeroise(&board.device, SLOT + 1), OW_OK);
    while ((read_register(OW_GLOBAL_STATUS_OFFSET) & OW_GLOBAL_STATUS_ZEROISING_MASK) != 0) {
    }
    CHECK(ow_sim_cycles(board.sim) - begin < BOUND);
    for (unsigned i = 0; i < 2; i++) {
      CHECK_EQUAL(ow_queue_wait(&board.queue[1 + i], &jobs[i]), OW_OK);
      CHECK_EQUAL(jobs[i].status, OW_OK);
    }
  }
}

int main(void) {
  uint8_t key[64];
  struct ow_sim_parameters parameters;
  ow_sim_defaults(&parameters);
  parameters.reads_outstanding = parameters.writes_outstanding = 64;
  board_open_with(&board, QUEUES, &parameters);
  ow_sim_watch(board.sim, count_reads, NULL);
  fill(key, sizeof(key));
  load_key(&board, 0, &modes[0], key);
  load_key(&board, 1, &modes[MODES - 2], key);
  load_key(&board, LOADED, &modes[8], key);
  opens_other_states();
  hash_jobs_and_keys_go_on();
  board_close(&board);
  printf("ok late\n");
  return 0;
}
