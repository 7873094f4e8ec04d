/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Sealed states: messages continue from the right states only.
 */
#include "seal_board.h"

static struct seal_board board;
static uint8_t key[64];

static void zeroise(uint8_t slot) {
  CHECK_EQUAL(ow_key_zeroise(&board.device, slot), OW_OK);
}

/* Runs the first piece, in queue 1. */
static uint8_t *save(const struct mode *mode, unsigned place) {
  uint8_t *context = board.arena->context[place];
  CHECK_EQUAL(run_piece(&board, 1, mode, NULL, SLOT, OW_JOB_SAVE_STATE, context, NULL), OW_OK);
  return context;
}

static ow_status load(const struct mode *mode, unsigned queue, uint8_t slot, uint8_t *context,
                      uint8_t result[16]) {
  return run_piece(&board, queue, mode, NULL, slot, OW_JOB_LOAD_STATE, context, result);
}

/* A message in pieces has the same result as in one job, also if it continues the same state again.
 */
static void test_messages_go_on(void) {
  for (const struct mode *mode = modes; mode != modes + MODES; mode++) {
    uint8_t wanted[16], got[16], *context;
    fill(key, sizeof(key));
    load_key(&board, SLOT, mode, key);
    CHECK_EQUAL(run_piece(&board, 1, mode, NULL, SLOT, 0, NULL, wanted), OW_OK);
    context = save(mode, 0);
    struct ow_job nothing =
        piece_job(&board, mode, NULL, SLOT, OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE, context);
    nothing.length = mode->opcode == OW_OP_AES_XTS ? 16 : 0;
    if (nothing.length == 0) { /* the job opens the state and seals it again */
      CHECK_EQUAL(ow_queue_run(&board.queue[1], &nothing), OW_OK);
    }
    for (int again = 0; again < 2; again++) {
      memset(got, 0, sizeof(got));
      CHECK_EQUAL(load(mode, 1, SLOT, context, got), OW_OK);
      CHECK(memcmp(got, wanted, 16) == 0);
    }
    zeroise(SLOT);
  }
}

/* Nonces never repeat, so the same state is never sealed to the same bytes. */
static void test_nonces(void) {
  const struct mode *mode = &modes[2];
  load_key(&board, SLOT, mode, key);
  uint8_t *before = save(mode, 0) + sealed_at(mode->opcode);
  for (int i = 0; i < 20; i++) {
    uint8_t *now = save(mode, 1) + sealed_at(mode->opcode);
    uint64_t counts[2];
    memcpy(&counts[0], before, 8);
    memcpy(&counts[1], now, 8);
    CHECK(counts[1] > counts[0] && now[8] == 1);
    for (unsigned word = 1; word < 2u + mode->state_words; word++) {
      CHECK(memcmp(before + 16 * word, now + 16 * word, 16) != 0);
    }
    memcpy(before, now, sealed_bytes(mode));
  }
  zeroise(SLOT);
}

static void refuse(const struct mode *mode, unsigned queue, uint8_t slot, uint8_t *context) {
  uint8_t result[16], *output = board.arena->output;
  memset(output, 0xee, sizeof(board.arena->output));
  struct ow_job job = piece_job(&board, mode, NULL, slot, OW_JOB_LOAD_STATE, context);
  CHECK_EQUAL(ow_queue_run(&board.queue[queue], &job), OW_BAD_STATE);
  CHECK_EQUAL(job.device_status, OW_DEVICE_BAD_STATE);
  CHECK_EQUAL(job.bytes, 0);
  memset(result, 0, sizeof(result));
  CHECK(memcmp(job.tag, result, 16) == 0);
  for (size_t i = 0; i < sizeof(board.arena->output);
       i++) { /* a tag's destination is wiped, or not written */
    CHECK(output[i] == 0xee || output[i] == 0);
  }
}

static void test_changed_bits(void) {
  for (const struct mode *mode = modes; mode != modes + MODES; mode++) {
    load_key(&board, SLOT, mode, key);
    uint8_t *context = save(mode, 0), *sealed = context + sealed_at(mode->opcode);
    bool each = mode == &modes[2];
    for (size_t bit = 0; bit < 8 * sealed_bytes(mode); bit += each ? 1 : 61) {
      sealed[bit / 8] ^= (uint8_t)(1u << bit % 8);
      refuse(mode, 1, SLOT, context);
      sealed[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    CHECK_EQUAL(load(mode, 1, SLOT, context, NULL), OW_OK);
    zeroise(SLOT);
  }
}

/* A state is refused with the same key if the slot, the queue, the loading of the slot, the opcode
 * or the seed differ. */
static void test_bound(void) {
  for (const struct mode *mode = modes; mode != modes + MODES; mode++) {
    load_key(&board, SLOT, mode, key);
    load_key(&board, SLOT + 1, mode, key);
    uint8_t *context = save(mode, 0);
    refuse(mode, 1, SLOT + 1, context);
    refuse(mode, 0, SLOT, context);
    if (mode->opcode == OW_OP_AES_GMAC) { /* a GMAC key may also be used for these two */
      refuse(&modes[0], 1, SLOT, context);
      refuse(&modes[2], 1, SLOT, context);
    }
    CHECK_EQUAL(load(mode, 1, SLOT, context, NULL), OW_OK);
    zeroise(SLOT);
    load_key(&board, SLOT, mode, key);
    refuse(mode, 1, SLOT, context);
    context = save(mode, 0);
    CHECK_EQUAL(ow_device_seed(&board.device), OW_OK);
    refuse(mode, 1, SLOT, context);
    context = save(mode, 0);
    CHECK_EQUAL(load(mode, 1, SLOT, context, NULL), OW_OK);
    zeroise(SLOT);
    zeroise(SLOT + 1);
  }
}

/* A state in the clear is refused as a sealed state, and the other way round. */
static void test_open_states(void) {
  for (const struct mode *mode = modes; mode != modes + MODES; mode++) {
    uint8_t wanted[16], got[16] = {0}, *open = board.arena->context[1];
    load_key(&board, SLOT, mode, key);
    CHECK_EQUAL(run_piece(&board, 1, mode, key, 0, OW_JOB_SAVE_STATE, open, NULL), OW_OK);
    refuse(mode, 1, SLOT, open);
    uint8_t *context = save(mode, 0);
    CHECK_EQUAL(run_piece(&board, 1, mode, NULL, SLOT, 0, NULL, wanted), OW_OK);
    struct ow_job job = piece_job(&board, mode, key, 0, OW_JOB_LOAD_STATE, context);
    if (mode->opcode != OW_OP_AES_XTS) {
      (void)ow_queue_run(&board.queue[1], &job); /* invalid numbers may be refused */
      CHECK(job.status != OW_OK || memcmp(job.tag, wanted, 16) != 0);
    }
    CHECK_EQUAL(run_piece(&board, 1, mode, key, 0, OW_JOB_SAVE_STATE, open, NULL), OW_OK);
    CHECK_EQUAL(run_piece(&board, 1, mode, key, 0, OW_JOB_LOAD_STATE, open, got), OW_OK);
    CHECK(memcmp(got, wanted, 16) == 0);
    zeroise(SLOT);
  }
}

static bool seeded(void) {
  return (board.platform.read32(board.platform.context, OW_GLOBAL_STATUS_OFFSET) &
          OW_GLOBAL_STATUS_SEEDED_MASK) != 0;
}

static void write_seed(uint32_t index, uint32_t value) {
  board.platform.write32(board.platform.context, OW_GLOBAL_SEED_OFFSET + 4 * index, value);
}

static void no_states(const struct mode *mode) {
  struct ow_job job =
      piece_job(&board, mode, NULL, SLOT, OW_JOB_SAVE_STATE, board.arena->context[2]);
  memset(board.arena->context[2], 0, 512);
  CHECK_EQUAL(ow_queue_run(&board.queue[1], &job), OW_BAD_STATE);
  for (size_t i = 0; i < 512; i++) {
    CHECK(board.arena->context[2][i] == 0);
  }
  CHECK_EQUAL(run_piece(&board, 1, mode, NULL, SLOT, 0, NULL, NULL), OW_OK);
}

/* Without a complete seed nothing is sealed; a seed cannot be read. */
static void test_seed(void) {
  const struct mode *mode = &modes[2];
  load_key(&board, SLOT, mode, key);
  CHECK(seeded());
  for (uint32_t i = 0; i < OW_GLOBAL_SEED_COUNT; i++) {
    CHECK_EQUAL(board.platform.read32(board.platform.context, OW_GLOBAL_SEED_OFFSET + 4 * i), 0);
  }
  uint8_t *context = save(mode, 0);
  write_seed(3, 1);
  CHECK(!seeded());
  no_states(mode);
  refuse(mode, 1, SLOT, context);
  for (uint32_t i = 0; i < OW_GLOBAL_SEED_COUNT; i++) {
    CHECK(!seeded());
    write_seed(i, 0x1234 + i);
  }
  CHECK(seeded());
  refuse(mode, 1, SLOT, context);
  context = save(mode, 0);
  CHECK_EQUAL(load(mode, 1, SLOT, context, NULL), OW_OK);
  zeroise(SLOT);
  /* Zeroising all keys erases the seed too; the driver writes a new one, if it has entropy. */
  board.platform.entropy = NULL;
  CHECK_EQUAL(ow_key_zeroise_all(&board.device), OW_OK);
  CHECK(!seeded());
  load_key(&board, SLOT, mode, key);
  no_states(mode);
  CHECK_EQUAL(ow_device_seed(&board.device), OW_UNSUPPORTED);
  ow_sim_platform(board.sim, &board.platform);
  CHECK_EQUAL(ow_key_zeroise_all(&board.device), OW_OK);
  CHECK(seeded());
}

/* Prints the cycles that sealing takes. */
static void test_cycles(void) {
  for (const struct mode *mode = modes; mode != modes + MODES; mode++) {
    uint32_t cycles[2][2];
    load_key(&board, SLOT, mode, key);
    for (int in_slot = 0; in_slot < 2; in_slot++) {
      for (int loads = 0; loads < 2; loads++) {
        struct ow_job job =
            piece_job(&board, mode, in_slot ? NULL : key, SLOT,
                      loads ? OW_JOB_LOAD_STATE : OW_JOB_SAVE_STATE, board.arena->context[0]);
        CHECK_EQUAL(ow_queue_run(&board.queue[1], &job), OW_OK);
        cycles[in_slot][loads] = job.cycles;
      }
    }
    printf("%-16s save %u cycles, inline %u; load %u, inline %u\n", mode->name, cycles[1][0],
           cycles[0][0], cycles[1][1], cycles[0][1]);
    zeroise(SLOT);
  }
}

int main(void) {
  board_open(&board);
  fill(key, sizeof(key));
  RUN(test_messages_go_on);
  RUN(test_nonces);
  RUN(test_changed_bits);
  RUN(test_bound);
  RUN(test_open_states);
  RUN(test_seed);
  RUN(test_cycles);
  board_close(&board);
  return 0;
}
