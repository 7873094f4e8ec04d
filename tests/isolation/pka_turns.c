/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A hostile queue's public-key jobs read endless lists of empty segments; another queue's jobs must
 * get the unit as fast as if they were alone.
 */
#include "check.h"
#include "rig_board.h"

#define HOSTILE      8u
#define HOSTILE_LOG2 4u
#define SEGMENTS     60000u
#define VICTIM_RUNS  4u
/* More cycles, for the reads of eight jobs that only read segments, and a wipe of operand memory.
 */
#define LATER_CYCLES 8000u

static struct rig rig;
static struct ow_pka *pka;
static struct ow_queue hostile;
static struct ow_queue_slot hostile_slots[1u << HOSTILE_LOG2];
static struct ow_job jobs[HOSTILE];

/* Computes the public key of d = 5 with an inline key. */
static uint32_t run_victim(uint8_t *point) {
  static const uint8_t d[32] = {[31] = 5};
  const struct ow_ec_private key = {.curve = OW_CURVE_P256, .d = {d, sizeof(d)}};
  CHECK_EQUAL(ow_ec_public(pka, point, &key), OW_OK);
  return pka->cycles;
}

static struct ow_job endless(uint8_t *memory, uint8_t *iv) {
  return (struct ow_job){.opcode = OW_OP_EC_PUBLIC,
                         .key = {.bytes = memory},
                         .iv = iv,
                         .iv_len = OW_PKA_PARAMETERS_SIZE,
                         .length = 40,
                         .aad_len = 32,
                         .source = memory + 64,
                         .destination = memory + 128,
                         .destination_len = 64,
                         .aad = memory};
}

/* The driver writes no such list, so the test changes its descriptors before the doorbell. */
static void make_endless(const struct ow_segment *list) {
  for (unsigned i = 0; i < HOSTILE; i++) {
    struct ow_descriptor *descriptor = (struct ow_descriptor *)(void *)hostile.memory + i;
    descriptor->control |= OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK;
    descriptor->source = (uintptr_t)list;
  }
}

static void test_endless_lists(void) {
  uint8_t point[64], wanted[64], parameters[OW_PKA_PARAMETERS_SIZE] = {0};
  rig_open(&rig);
  pka = rig_allocate(&rig, sizeof(*pka), 64);
  CHECK_EQUAL(ow_pka_init(pka, &rig.queue), OW_OK);
  uint8_t *memory = rig_allocate(&rig, 4096, 64);
  void *ring = rig_allocate(&rig, OW_QUEUE_MEMORY_BYTES(HOSTILE_LOG2), 64);
  struct ow_segment *list = rig_allocate(&rig, SEGMENTS * sizeof(*list), 64);
  for (unsigned i = 0; i < SEGMENTS; i++) {
    list[i] = (struct ow_segment){.address = (uintptr_t)memory};
  }
  run_victim(wanted); /* which also seeds its generator */
  uint32_t alone = run_victim(wanted), beside = 0;

  CHECK_EQUAL(ow_queue_grant(&rig.device, 1, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_open(&hostile, &rig.device, 1, ring, hostile_slots, HOSTILE_LOG2), OW_OK);
  struct ow_job *list_of_jobs[HOSTILE];
  size_t accepted = 0;
  for (unsigned i = 0; i < HOSTILE; i++) {
    jobs[i] = endless(memory, parameters);
    list_of_jobs[i] = &jobs[i];
  }
  CHECK_EQUAL(ow_queue_prepare(&hostile, &accepted, list_of_jobs, HOSTILE), OW_OK);
  CHECK_EQUAL(accepted, HOSTILE);
  make_endless(list);
  ow_queue_announce(&hostile);
  ow_sim_run(rig_sim(&rig), 5000);

  for (unsigned i = 0; i < VICTIM_RUNS; i++) {
    uint32_t cycles = run_victim(point);
    CHECK(memcmp(point, wanted, sizeof(point)) == 0);
    beside = cycles > beside ? cycles : beside;
  }
  printf("  P-256 public key: %u cycles alone, at most %u beside %u endless lists\n", alone, beside,
         HOSTILE);
  CHECK(beside <= alone + LATER_CYCLES);
  for (unsigned i = 0; i < HOSTILE; i++) {
    CHECK_EQUAL(jobs[i].status, OW_PENDING);
  }
  CHECK_EQUAL(ow_queue_reset(&hostile), OW_OK);
  CHECK_EQUAL(ow_queue_close(&hostile), OW_OK);
  ow_pka_close(pka);
  rig_close(&rig);
}

int main(void) {
  RUN(test_endless_lists);
  return 0;
}
