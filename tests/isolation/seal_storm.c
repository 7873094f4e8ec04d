/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Messages in pieces under keys in slots by two queues at once. One of them is reset at any time,
 * and submits wrong states and refused addresses before the other's jobs: the other queue is not
 * affected.
 */
#include "seal_board.h"

static struct seal_board board;

enum { MESSAGES = 8 };

/* The correct queue: runs the pieces of each message in order, all messages at once, and checks the
 * results. */
static void honest_round(uint8_t wanted[MODES][16]) {
  struct ow_job jobs[MESSAGES];
  const struct mode *of[MESSAGES];
  for (int step = 0; step < 2; step++) {
    for (unsigned i = 0; i < MESSAGES; i++) {
      struct ow_job *pointer = &jobs[i];
      if (step == 0) {
        do {
          of[i] = &modes[next_random() % MODES];
        } while (of[i]->opcode == OW_OP_AES_XTS); /* it has no tag to compare */
      }
      jobs[i] =
          piece_job(&board, of[i], NULL, (uint8_t)(of[i] - modes),
                    step == 0 ? OW_JOB_SAVE_STATE : OW_JOB_LOAD_STATE, board.arena->context[i]);
      CHECK_EQUAL(ow_queue_submit(&board.queue[0], NULL, &pointer, 1), OW_OK);
    }
    for (unsigned i = 0; i < MESSAGES; i++) {
      CHECK_EQUAL(ow_queue_wait(&board.queue[0], &jobs[i]), OW_OK);
      CHECK_EQUAL(jobs[i].status, OW_OK);
      if (step == 1) {
        CHECK(memcmp(jobs[i].tag, wanted[of[i] - modes], 16) == 0);
      }
    }
  }
}

/* The other queue: jobs with invalid states, states saved to a forbidden address, or valid ones;
 * then a reset during them. */
static struct ow_job hostile[MESSAGES];
static void hostile_round(void) {
  for (unsigned i = 0; i < MESSAGES; i++) {
    struct ow_job *pointer = &hostile[i];
    const struct mode *mode = &modes[next_random() % MODES];
    uint16_t flags = (uint16_t)(next_random() % 2 ? OW_JOB_SAVE_STATE : OW_JOB_LOAD_STATE);
    hostile[i] = piece_job(&board, mode, NULL, (uint8_t)(mode - modes), flags,
                           board.arena->context[MESSAGES + i]);
    (void)ow_queue_submit(&board.queue[1], NULL, &pointer, 1);
  }
}

/* While the other queue uses every port with AES at full rate, a piece still ends in time: sealing
 * gets its turns. */
static void beside_full_rate(void) {
  static const uint8_t key[16] = {1};
  struct ow_job busy[ENTRIES];
  uint32_t worst = 0;
  for (unsigned i = 0; i < MODES; i++) {
    for (unsigned step = 0; step < 2; step++) {
      for (unsigned n = 0; n < ENTRIES - 1; n++) {
        struct ow_job *pointer = &busy[n];
        busy[n] = (struct ow_job){.opcode = OW_OP_AES_ECB,
                                  .key = {.bytes = key, .key_len = sizeof(key)},
                                  .source = board.arena->input,
                                  .destination = board.arena->output,
                                  .length = sizeof(board.arena->output)};
        CHECK_EQUAL(ow_queue_submit(&board.queue[1], NULL, &pointer, 1), OW_OK);
      }
      struct ow_job job =
          piece_job(&board, &modes[i], NULL, (uint8_t)i,
                    step == 0 ? OW_JOB_SAVE_STATE : OW_JOB_LOAD_STATE, board.arena->context[0]);
      CHECK_EQUAL(ow_queue_run(&board.queue[0], &job), OW_OK);
      worst = job.cycles > worst ? job.cycles : worst;
      CHECK_EQUAL(ow_queue_wait(&board.queue[1], NULL), OW_OK);
    }
  }
  printf("a piece beside AES at full rate: at most %u cycles\n", worst);
  CHECK(worst < 6000);
}

int main(void) {
  uint8_t key[64], wanted[MODES][16];
  board_open(&board);
  for (unsigned i = 0; i < MODES; i++) {
    fill(key, sizeof(key));
    load_key(&board, (uint8_t)i, &modes[i], key);
    CHECK_EQUAL(run_piece(&board, 0, &modes[i], NULL, (uint8_t)i, 0, NULL, wanted[i]), OW_OK);
  }
  for (int round = 0; round < 300; round++) {
    hostile_round();
    ow_sim_run(board.sim, next_random() % 700);
    CHECK_EQUAL(ow_queue_reset(&board.queue[1]), OW_OK);
    hostile_round();
    honest_round(wanted);
    CHECK_EQUAL(ow_queue_reset(&board.queue[1]), OW_OK);
  }
  beside_full_rate();
  board_close(&board);
  printf("ok storm\n");
  return 0;
}
