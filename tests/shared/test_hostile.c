/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests the shared board with a client that violates every rule: it must not access other clients
 * or leave anything behind, and the others must lose neither a queue nor a key.
 *
 *   shared_hostile [NAME|all]   one test; or all tests, with every moment of the doorbell's attack
 */
#include "one_process.h"
#include "server.h"

#define MEGABYTE (1u << 20)

/* Moments of the attack with a doorbell; the sample has one in so many, all different. */
#define DOORBELL_ROUNDS 200u
#define DOORBELL_STEP   3u

static uint32_t doorbell_step = DOORBELL_STEP;

static const uint8_t secret[16] = {0x5e, 0xc2, 0xe7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

/* Checks all that the next client can read of a queue's page, except the counters. */
static void registers_of_the_last_client_are_cleared(void) {
  struct raw first, next;
  raw_open(&first, MEGABYTE);
  CHECK_EQUAL(raw_known_answer(&first, 64), OW_OK);
  raw_write(&first, OW_QUEUE_IRQ_COUNT_OFFSET, 0x1234);
  raw_write(&first, OW_QUEUE_IRQ_TIME_OFFSET, 0x12345678);
  raw_forget(&first);
  turns(10);
  CHECK(raw_join(&next, MEGABYTE));
  CHECK_EQUAL(next.hello.queue, first.hello.queue);
  for (uint32_t offset = 0; offset <= OW_QUEUE_IRQ_OFFSET; offset += 4) {
    CHECK_EQUAL(raw_read(&next, offset), 0);
  }
  const uint8_t *bytes = next.memory;
  for (size_t i = 0; i < next.memory_len; i++) {
    CHECK_EQUAL(bytes[i], 0);
  }
  CHECK_EQUAL(atomic_load(&next.page->doorbells), 0);
  CHECK_EQUAL(atomic_load(&next.page->value), 0);
  raw_forget(&next);
}

static void counters_of_the_last_client_are_cleared(void) {
  struct raw first, next;
  raw_open(&first, MEGABYTE);
  CHECK_EQUAL(raw_known_answer(&first, 64), OW_OK);
  CHECK(raw_read(&first, OW_QUEUE_JOBS_OFFSET) != 0);
  raw_forget(&first);
  turns(10);
  CHECK(raw_join(&next, MEGABYTE));
  CHECK_EQUAL(next.hello.queue, first.hello.queue);
  for (uint32_t offset = OW_QUEUE_START_LOW_OFFSET; offset <= OW_QUEUE_ERROR_TIMEOUT_OFFSET;
       offset += 4) {
    CHECK_EQUAL(raw_read(&next, offset), 0);
  }
  raw_forget(&next);
}

/* Lets a client leave `cycles` cycles after the device has begun to wipe the output of a forged
 * decryption. The client still maps the segment list of the output, and writes addresses of another
 * client's memory into it: the device must not write there. */
static void leave_in_a_wipe(uint32_t length, unsigned cycles) {
  static struct ow_sim_access accesses[200000];
  struct raw victim, hostile;
  uint8_t *out;
  raw_open(&victim, MEGABYTE);
  memset(victim.memory + RAW_ROOM, 0x77, 65536);
  raw_open(&hostile, 8 * MEGABYTE);
  struct ow_segment *list = raw_forged(&hostile, length, &out);
  bool written = false;
  for (unsigned i = 0; !written || out[0] != 0; i++) { /* until the first byte is zero again */
    CHECK(i < 200000);
    written = written || out[0] != 0;
    ow_sim_run(sim, 32);
  }
  ow_sim_run(sim, cycles);
  for (uint32_t i = length / 2; i < length; i++) {
    list[i].address = raw_address(&victim, victim.memory + RAW_ROOM + i % 65536);
  }
  raw_leave(&hostile);
  turns(1); /* the server notices that the client has left */
  ow_sim_log(sim, accesses, sizeof(accesses) / sizeof(accesses[0]));
  turns(100);
  ow_sim_run(sim, 32u * (uint64_t)length); /* the server stops an idle board */
  size_t count = ow_sim_log_count(sim);
  CHECK_EQUAL(count, 0); /* there is no other job; nothing of this one has reached the bus */
  ow_sim_log(sim, NULL, 0);
  for (unsigned i = 0; i < 65536; i++) {
    CHECK_EQUAL(victim.memory[RAW_ROOM + i], 0x77);
  }
  CHECK_EQUAL(raw_known_answer(&victim, 64), OW_OK);
  raw_forget(&hostile);
  raw_forget(&victim);
}

static void who_has_left_writes_nowhere(void) {
  for (unsigned phase = 0; phase < 8; phase++) {
    leave_in_a_wipe(2000, phase * 79);
  }
  turns(10);
  all_queues_work();
}

/* The wipe would take a million cycles. */
static void no_queue_is_lost_to_a_long_wipe(void) {
  leave_in_a_wipe(30000, 1000);
  turns(10);
  all_queues_work();
}

/* Submits hash jobs whose segment list gives 16 bytes and then only empty segments. They are to
 * hold all units that the load of an HMAC key needs. */
static void hold_hash_units(struct raw *hostile) {
  struct ow_segment *list = (struct ow_segment *)(void *)(hostile->memory + 0x100000);
  for (unsigned i = 0; i < 200000; i++) {
    list[i] = (struct ow_segment){.address = raw_address(hostile, hostile->memory + RAW_ROOM),
                                  .length = i == 0 ? 16 : 0};
  }
  for (unsigned i = 0; i < 4; i++) {
    const struct ow_descriptor stuck = {
        .control = OW_OP_SHA256 | OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK,
        .source = raw_address(hostile, list),
        .destination = raw_address(hostile, hostile->memory + 2 * RAW_ROOM),
        .length = 4096};
    raw_put(hostile, i, &stuck);
  }
  raw_doorbell(hostile, 4);
  turns(2);
}

/* Key commands may be slow or refused while a hostile client holds what they need. Nevertheless the
 * key of a client that leaves must be zeroised: until then its queue is given to no client. */
static void a_key_does_not_outlive_its_client(void) {
  struct raw first, hostile, next;
  uint8_t slot, other;
  raw_open(&first, MEGABYTE);
  raw_open(&hostile, 8 * MEGABYTE);
  CHECK_EQUAL(raw_key(&first, &slot, OW_OP_NOP, secret), OW_OK);
  CHECK_EQUAL(raw_encrypt_with_slot(&first, slot), OW_OK);
  CHECK_EQUAL(raw_encrypt_with_slot(&hostile, slot), OW_KEY_DENIED);
  CHECK_EQUAL(ow_queue_reset(&hostile.queue), OW_OK);
  hold_hash_units(&hostile);
  (void)raw_key(&hostile, &other, OW_OP_HMAC_SHA256, secret);
  raw_forget(&first);
  raw_open(&next, MEGABYTE);
  CHECK(raw_encrypt_with_slot(&next, slot) != OW_OK);
  raw_forget(&hostile);
  turns(50);
  all_other_queues_work(1);
  raw_forget(&next);
  turns(10);
  no_key_is_left();
}

static void key_slots_are_left_for_the_others(void) {
  struct raw greedy, others[OW_QUEUE_COUNT - 1];
  uint8_t slot;
  unsigned taken = 0;
  raw_open(&greedy, MEGABYTE);
  while (raw_key(&greedy, &slot, OW_OP_NOP, secret) == OW_OK) {
    CHECK(++taken < owner.capabilities.key_slots);
  }
  CHECK(taken > owner.capabilities.key_slots / 2u);
  for (unsigned i = 0; i < OW_QUEUE_COUNT - 1; i++) {
    raw_open(&others[i], MEGABYTE);
    for (unsigned key = 0; key < 4; key++) {
      CHECK_EQUAL(raw_key(&others[i], &slot, OW_OP_NOP, secret), OW_OK);
      CHECK_EQUAL(raw_encrypt_with_slot(&others[i], slot), OW_OK);
    }
  }
  CHECK_EQUAL(raw_key(&greedy, &slot, OW_OP_NOP, secret), OW_BUSY);
  for (unsigned i = 0; i < OW_QUEUE_COUNT - 1; i++) {
    raw_forget(&others[i]);
  }
  raw_forget(&greedy);
  turns(10);
  no_key_is_left();
}

/* Whether a reservation is under way that the server sees as busy, whatever the device has done. */
static bool is_slow;

static void write_slowly(void *context, uint32_t offset, uint32_t value) {
  is_slow = offset == OW_GLOBAL_KEY_COMMAND_OFFSET
                ? (value & OW_GLOBAL_KEY_COMMAND_RESERVE_MASK) != 0
                : is_slow && offset != OW_GLOBAL_KEY_SLOT_OFFSET;
  board.write32(context, offset, value);
}

static uint32_t read_slowly(void *context, uint32_t offset) {
  bool busy = is_slow && offset == OW_GLOBAL_KEY_STATUS_OFFSET;
  return board.read32(context, offset) | (busy ? OW_GLOBAL_KEY_STATUS_BUSY_MASK : 0);
}

/* Time is up for a reservation that the device has made nevertheless: nobody else gets the slot
 * before it is empty. */
static void a_late_reservation_is_its_clients(void) {
  struct shared_message message = raw_message(SHARED_KEY_LOAD);
  struct shared_answer answer;
  struct raw late, neighbour;
  struct ow_key_info info;
  uint8_t slot, again;
  raw_open(&late, MEGABYTE);
  raw_open(&neighbour, MEGABYTE);
  message.encrypt = message.reserve = 1;
  message.key_len = 16;
  server->platform.read32 = read_slowly;
  server->platform.write32 = write_slowly;
  raw_send(late.socket, &message, sizeof(message));
  CHECK(raw_answer(late.socket, &answer, NULL));
  server->platform.read32 = board.read32;
  server->platform.write32 = board.write32;
  CHECK_EQUAL(answer.status, OW_TIMEOUT);
  CHECK_EQUAL(ow_key_query(&owner, &info, answer.slot), OW_OK);
  CHECK(info.reserved);

  CHECK_EQUAL(raw_key(&neighbour, &slot, OW_OP_NOP, secret), OW_OK);
  CHECK(slot != answer.slot);
  CHECK_EQUAL(ow_key_query(&owner, &info, answer.slot), OW_OK);
  CHECK(info.reserved);
  raw_forget(&late);
  turns(10);
  CHECK_EQUAL(ow_key_query(&owner, &info, answer.slot), OW_OK);
  CHECK(!info.reserved);
  CHECK_EQUAL(raw_key(&neighbour, &again, OW_OP_NOP, secret), OW_OK);
  CHECK_EQUAL(again, answer.slot);
  raw_forget(&neighbour);
  turns(10);
  no_key_is_left();
}

/* The hostile client increases its doorbell by one and decreases it again between two polls of the
 * server, in each round at another moment of the fetch of the victim's descriptors. */
static void a_doorbell_that_goes_back_costs_nobody_else(void) {
  static struct ow_job jobs[1u << RAW_LOG2];
  struct ow_job *list[1u << RAW_LOG2];
  struct raw victim, hostile;
  raw_open(&victim, MEGABYTE);
  raw_open(&hostile, MEGABYTE);
  for (uint32_t round = 0; round < DOORBELL_ROUNDS; round += doorbell_step) {
    CHECK_EQUAL(ow_queue_reset(&hostile.queue), OW_OK); /* its ring is full of NOPs */
    for (unsigned i = 0; i < 1u << RAW_LOG2; i++) {
      jobs[i] = (struct ow_job){.opcode = OW_OP_NOP};
      list[i] = &jobs[i];
    }
    CHECK_EQUAL(ow_queue_prepare(&victim.queue, NULL, list, 1u << RAW_LOG2), OW_OK);
    raw_bus_write(&victim, OW_QUEUE_DOORBELL_OFFSET, victim.queue.written & 0xffffu);
    ow_sim_run(sim, round % 97);
    atomic_store(&hostile.page->offset, OW_QUEUE_DOORBELL_OFFSET);
    atomic_store(&hostile.page->value, 0u);
    atomic_store(&hostile.page->is_write, 1u);
    raw_doorbell(&hostile, 1u);
    atomic_store(&hostile.page->asked, ++hostile.asked);
    turns(1);
    CHECK_EQUAL(ow_queue_wait(&victim.queue, NULL), OW_OK);
    CHECK_EQUAL(raw_known_answer(&victim, 4), OW_OK);
  }
  raw_forget(&hostile);
  CHECK_EQUAL(raw_known_answer(&victim, 64), OW_OK);
  raw_forget(&victim);
  turns(10);
  all_queues_work();
}

/* Accesses offsets outside the queue's page: the global page, grants, other queues. */
static void registers_of_others_cannot_be_written(void) {
  static const uint32_t offsets[] = {OW_PAGE_SIZE,
                                     OW_PAGE_SIZE + OW_QUEUE_RING_SIZE_OFFSET,
                                     0u - OW_QUEUE_OFFSET,
                                     0u - OW_QUEUE_STRIDE + OW_QUEUE_RING_SIZE_OFFSET,
                                     OW_QUEUE_CONFIG_OFFSET - OW_QUEUE_OFFSET,
                                     OW_QUEUE_RING_SIZE_OFFSET + 1,
                                     0x7ffffffc,
                                     UINT32_MAX};
  struct raw victim, hostile;
  struct ow_sim_statistics before, after;
  raw_open(&victim, MEGABYTE);
  raw_open(&hostile, MEGABYTE);
  for (unsigned i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
    turns(5); /* until the board is idle */
    ow_sim_statistics(sim, &before);
    raw_write(&hostile, offsets[i], 0xffffffff);
    CHECK_EQUAL(raw_read(&hostile, offsets[i]), UINT32_MAX);
    ow_sim_statistics(sim, &after);
    CHECK_EQUAL(after.mmio_writes, before.mmio_writes);
  }
  CHECK_EQUAL(raw_read(&victim, OW_QUEUE_RING_SIZE_OFFSET), RAW_LOG2);
  CHECK_EQUAL(raw_known_answer(&victim, 64), OW_OK);
  raw_forget(&hostile);
  raw_forget(&victim);
}

int main(int count, char **names) {
  static const struct named_test tests[] = {
      NAMED(registers_of_the_last_client_are_cleared),
      NAMED(counters_of_the_last_client_are_cleared),
      NAMED(registers_of_others_cannot_be_written),
      NAMED(a_key_does_not_outlive_its_client),
      NAMED(key_slots_are_left_for_the_others),
      NAMED(a_late_reservation_is_its_clients),
      NAMED(who_has_left_writes_nowhere),
      NAMED(no_queue_is_lost_to_a_long_wipe),
      NAMED(a_doorbell_that_goes_back_costs_nobody_else),
  };
  bool all = count > 1 && strcmp(names[1], "all") == 0;
  doorbell_step = all ? 1 : DOORBELL_STEP;
  return run_named(tests, sizeof(tests) / sizeof(tests[0]), count > 1 && !all ? names[1] : NULL);
}
