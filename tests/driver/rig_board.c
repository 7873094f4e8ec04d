/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The rig on the simulated board.
 */
#include "rig_board.h"
#include "check.h"

#define ARENA_BYTES (4u << 20)

struct board {
  struct ow_sim *sim;
  struct ow_platform platform;
  uint8_t *arena;
  size_t allocated;
};

void rig_open(struct rig *rig) {
  struct board *board = calloc(1, sizeof(*board));
  struct ow_sim_parameters parameters;
  ow_sim_defaults(&parameters);
  board->sim = ow_sim_open(&parameters, NULL);
  CHECK(board->sim != NULL);
  board->arena = aligned_alloc(4096, ARENA_BYTES);
  memset(board->arena, 0, ARENA_BYTES);
  CHECK(ow_sim_register(board->sim, board->arena, ARENA_BYTES));
  ow_sim_platform(board->sim, &board->platform);
  rig->under = board;
  rig->platform = &board->platform;
  void *memory = rig_allocate(rig, OW_QUEUE_MEMORY_BYTES(RIG_LOG2), 64);
  CHECK_EQUAL(ow_device_open(&rig->device, &board->platform), OW_OK);
  CHECK_EQUAL(ow_queue_grant(&rig->device, 0, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_open(&rig->queue, &rig->device, 0, memory, rig->slots, RIG_LOG2), OW_OK);
}

struct ow_sim *rig_sim(const struct rig *rig) {
  return ((const struct board *)rig->under)->sim;
}

void *rig_allocate(struct rig *rig, size_t length, size_t alignment) {
  struct board *board = rig->under;
  board->allocated = (board->allocated + alignment - 1) / alignment * alignment;
  void *memory = board->arena + board->allocated;
  board->allocated += length;
  CHECK(board->allocated <= ARENA_BYTES);
  return memory;
}

void rig_close(struct rig *rig) {
  struct board *board = rig->under;
  struct ow_sim_statistics statistics;
  CHECK_EQUAL(ow_queue_close(&rig->queue), OW_OK);
  CHECK_EQUAL(ow_device_close(&rig->device), OW_OK);
  const char *error = ow_sim_protocol_error(board->sim);
  if (error != NULL) {
    fprintf(stderr, "the device violated the AXI protocol: %s\n", error);
    exit(1);
  }
  ow_sim_statistics(board->sim, &statistics);
  CHECK_EQUAL(statistics.decode_errors, 0);
  CHECK_EQUAL(statistics.mmio_errors, 0);
  ow_sim_close(board->sim);
  free(board->arena);
  free(board);
}
