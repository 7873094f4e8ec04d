/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Fuzzes the shared board with hostile clients beside an honest one, the victim:
 * shared_fuzz [STEPS [SEED]]. The hostile clients send malformed messages or none, leave at any
 * moment, write registers, increase and decrease doorbells, and change invalid descriptors and
 * segment lists while the device reads them.
 *
 * Every STEPS_PER_LOOK steps it checks that the victim's results are right and its memory is
 * unchanged, that no burst lies outside registered memory, that the device keeps the rules of AXI,
 * and that no queue is lost; at the end, that all queues work and all key slots are empty.
 */
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "one_process.h"

#define HOSTILE       (OW_QUEUE_COUNT - 1u)
#define GUESTS        6u
#define HOSTILE_BYTES (1u << 18)
#define VICTIM_BYTES  (1u << 18)
/* Offset in the victim's memory from which on it must not change. */
#define CANARY (1u << 17)
/* Offset of the segment lists in a hostile client's memory. */
#define LISTS          (1u << 16)
#define STEPS_PER_LOOK 8u

static struct raw victim, hostile[HOSTILE];
/* the hostile client has a queue */
static bool here[HOSTILE];
/* sockets that only send messages; -1: closed */
static int guests[GUESTS];
static uint32_t doorbells[HOSTILE];
static uint64_t state;
static unsigned long step, messages, descriptors, joins, good_jobs, bad_jobs;
static unsigned long long seed = 1;
/* the run has ended without a failure */
static bool good;

static uint32_t roll(uint32_t below) { /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)((state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % below;
}

static uint64_t roll64(void) {
  return (uint64_t)roll(1u << 22) << 42 ^ (uint64_t)roll(1u << 22) << 21 ^ roll(1u << 22);
}

/* At exit: prints how to repeat a failure. */
static void tell(void) {
  if (!good) {
    fprintf(stderr, "seed %llu, step %lu\n", seed, step);
  }
}

/* Returns an address for a descriptor or segment, mostly in the client's own memory. */
static uint64_t any_address(const struct raw *raw) {
  switch (roll(16)) {
  case 0:
    return raw_address(&victim, victim.memory) + roll(VICTIM_BYTES);
  case 1:
    return roll64();
  case 2:
    return UINT64_MAX - roll(64);
  case 3: /* across its end, or before its start */
    return raw_address(raw, raw->memory) +
           (roll(2) != 0 ? HOSTILE_BYTES - roll(64) : 0u - roll(64));
  default:
    return raw_address(raw, raw->memory) + roll(HOSTILE_BYTES);
  }
}

static uint32_t any_length(void) {
  switch (roll(8)) {
  case 0:
    return 0;
  case 1:
    return roll(1u << 16);
  case 2:
    return UINT32_MAX - roll(32);
  default:
    return roll(16) * 16;
  }
}

static void scribble_list(struct raw *raw) {
  struct ow_segment *list = (struct ow_segment *)(void *)(raw->memory + LISTS);
  for (unsigned i = 0; i < 64; i++) {
    list[roll(512)] = (struct ow_segment){.address = any_address(raw),
                                          .length = roll(4) != 0 ? roll(20) : any_length(),
                                          .control = roll(16) == 0 ? roll(4) : 0};
  }
}

static uint64_t any_list(const struct raw *raw) {
  return raw_address(raw, raw->memory + LISTS) + sizeof(struct ow_segment) * roll(512);
}

static void put_descriptor(struct raw *raw) {
  static const uint8_t opcodes[] = {OW_OP_NOP,     OW_OP_AES_ECB,     OW_OP_AES_ECB + 1,
                                    OW_OP_AES_GCM, OW_OP_AES_GCM + 1, OW_OP_SHA256,
                                    OW_OP_SHA256,  OW_OP_HMAC_SHA256, OW_OP_EC_MULTIPLY};
  struct ow_descriptor made;
  for (unsigned i = 0; i < sizeof(made) / 4; i++) {
    ((uint32_t *)(void *)&made)[i] = (uint32_t)roll64();
  }
  if (roll(8) != 0) {
    bool source_list = roll(3) == 0, destination_list = roll(3) == 0;
    made.control = opcodes[roll(sizeof(opcodes))] | (roll(4) == 0 ? roll(40) << 8 : 0) |
                   (roll(2) != 0 ? 16u << OW_DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT : 0) |
                   (roll(2) != 0 ? OW_DESCRIPTOR_CONTROL_DECRYPT_MASK : 0) |
                   (roll(4) != 0 ? OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK : 0) |
                   (source_list ? OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK : 0) |
                   (destination_list ? OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK : 0) |
                   (roll(16) == 0 ? OW_DESCRIPTOR_CONTROL_FENCE_MASK : 0);
    made.source = source_list ? any_list(raw) : any_address(raw);
    made.destination = destination_list ? any_list(raw) : any_address(raw);
    made.context = any_address(raw) & ~UINT64_C(15);
    made.aad = any_address(raw);
    made.length = any_length();
    made.aad_length = roll(4) == 0 ? any_length() : 0;
  }
  raw_put(raw, roll(1u << RAW_LOG2), &made);
  descriptors++;
}

static void access_register(struct raw *raw) {
  static const uint32_t values[] = {0, 1, 2, 3, 4, 15, 0xffff, 0x10000, UINT32_MAX};
  uint32_t offset = roll(4) != 0 ? roll(0x40) & ~3u : (uint32_t)roll64();
  uint32_t value = roll(2) != 0 ? values[roll(9)] : (uint32_t)roll64();
  if (roll(2) != 0) {
    raw_write(raw, offset, value);
  } else {
    (void)raw_read(raw, offset);
  }
}

/* Changes the doorbell, mostly by a small increase; sometimes a register access restores the old
 * value, which the server executes in the same poll. */
static void ring(unsigned i) {
  struct raw *raw = &hostile[i];
  uint32_t change = roll(32) == 0 ? roll(1u << 16) : roll(16) == 0 ? UINT32_MAX : 1 + roll(4);
  doorbells[i] += change;
  raw_doorbell(raw, doorbells[i] & 0xffffu);
  if (roll(6) == 0) {
    atomic_store(&raw->page->offset, OW_QUEUE_DOORBELL_OFFSET);
    atomic_store(&raw->page->value, (doorbells[i] - change) & 0xffffu);
    atomic_store(&raw->page->is_write, 1u);
    atomic_store(&raw->page->asked, ++raw->asked);
    doorbells[i] -= change;
  }
}

/* Opens the queue with the driver, so that jobs can run. The queue's reset must end. */
static void set_up(unsigned i) {
  struct raw *raw = &hostile[i];
  doorbells[i] = 0;
  ow_status status =
      ow_queue_open(&raw->queue, &raw->device, raw->hello.queue, raw->memory, raw->slots, RAW_LOG2);
  CHECK(status == OW_OK || raw->gone);
}

static void send_something(int socket) {
  union {
    struct shared_message message;
    uint8_t bytes[512];
  } sent;
  size_t length = sizeof(sent.message);
  for (unsigned i = 0; i < sizeof(sent.bytes); i++) {
    sent.bytes[i] = (uint8_t)roll(256);
  }
  if (roll(4) != 0) {
    static const uint64_t sizes[] = {0, 64, 4096, HOSTILE_BYTES, UINT64_MAX, UINT64_C(1) << 63};
    sent.message.magic = OW_SHARED_MAGIC;
    sent.message.version = (uint16_t)(OW_SHARED_VERSION + (roll(16) == 0));
    sent.message.request = (uint16_t)roll(5);
    sent.message.bytes = sizes[roll(6)];
    sent.message.slot = (uint8_t)roll(roll(2) != 0 ? 32 : 256);
    sent.message.reserve = (uint8_t)roll(2);
    sent.message.key_len = (uint8_t)(roll(2) != 0 ? 16 : roll(256));
    sent.message.opcode = (uint8_t)(roll(2) != 0 ? 0 : OW_OP_HMAC_SHA256);
  }
  if (roll(6) == 0) {
    length = roll(sizeof(sent.bytes));
  }
  (void)send(socket, &sent, length, MSG_NOSIGNAL | MSG_DONTWAIT);
  messages++;
}

/* Adds the queue's counters of jobs to the totals, which show whether the fuzzer submits any. */
static void count_jobs(const struct raw *raw) {
  static const uint16_t counters[] = {OW_QUEUE_JOBS_OFFSET,          OW_QUEUE_ERROR_AUTH_OFFSET,
                                      OW_QUEUE_ERROR_REQUEST_OFFSET, OW_QUEUE_ERROR_KEY_OFFSET,
                                      OW_QUEUE_ERROR_WINDOW_OFFSET,  OW_QUEUE_ERROR_BUS_OFFSET,
                                      OW_QUEUE_ERROR_TIMEOUT_OFFSET};
  for (unsigned i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
    uint32_t page = OW_QUEUE_OFFSET + raw->hello.queue * OW_QUEUE_STRIDE;
    uint32_t count = board.read32(board.context, page + counters[i]);
    good_jobs += i == 0 ? count : 0;
    bad_jobs += i != 0 ? count : 0;
  }
}

static void leave(unsigned i) {
  count_jobs(&hostile[i]);
  raw_forget(&hostile[i]);
  here[i] = false;
}

static void join(unsigned i) {
  here[i] = raw_join(&hostile[i], HOSTILE_BYTES);
  if (here[i]) {
    joins++;
    set_up(i);
  } else { /* one of the guests has got the queue */
    CHECK_EQUAL(hostile[i].hello.status, OW_BUSY);
  }
}

static bool halted(const struct raw *raw) {
  uint32_t page = OW_QUEUE_OFFSET + raw->hello.queue * OW_QUEUE_STRIDE;
  return (board.read32(board.context, page + OW_QUEUE_STATUS_OFFSET) &
          OW_QUEUE_STATUS_HALTED_MASK) != 0;
}

static void be_hostile(unsigned i) {
  struct raw *raw = &hostile[i];
  if (roll(2) != 0 && halted(raw)) {
    set_up(i);
  }
  switch (roll(16)) {
  case 0:
    access_register(raw);
    break;
  case 1:
    set_up(i);
    break;
  case 2:
    scribble_list(raw);
    break;
  case 3:
    if (roll(8) == 0) {
      send_something(raw->socket);
    }
    break;
  case 4: /* overwrites everything that the server reads, at once */
    for (unsigned at = 0; at < 16; at++) {
      ((volatile uint32_t *)raw->page)[at] = (uint32_t)roll64();
    }
    raw->asked = atomic_load(&raw->page->asked);
    break;
  case 5:
    if (roll(6) == 0) {
      leave(i);
    }
    break;
  case 6:
  case 7:
  case 8:
  case 9:
    ring(i);
    break;
  default:
    for (unsigned some = 1 + roll(8); some != 0; some--) {
      put_descriptor(raw);
    }
    break;
  }
}

static void be_a_guest(unsigned i) {
  if (guests[i] < 0) {
    guests[i] = raw_connect();
  } else if (roll(2) != 0) {
    send_something(guests[i]);
  } else {
    close(guests[i]);
    guests[i] = -1;
  }
}

/* Checks the victim, the bus and the server. */
static void look(void) {
  struct ow_sim_statistics statistics;
  CHECK_EQUAL(raw_known_answer(&victim, 1 + roll(32)), OW_OK);
  for (uint32_t at = CANARY; at < VICTIM_BYTES; at++) {
    CHECK_EQUAL(victim.memory[at], 0x77);
  }
  ow_sim_statistics(sim, &statistics);
  CHECK_EQUAL(statistics.decode_errors, 0);
  if (ow_sim_protocol_error(sim) != NULL) {
    fprintf(stderr, "%s\n", ow_sim_protocol_error(sim));
  }
  CHECK(ow_sim_protocol_error(sim) == NULL);
  CHECK_EQUAL(ow_shared_server_lost(server), 0);
}

static void take_step(void) {
  unsigned i = roll(HOSTILE);
  if (here[i] && raw_hung_up(hostile[i].socket)) {
    leave(i);
  }
  if (roll(24) == 0) {
    be_a_guest(roll(GUESTS));
  } else if (here[i]) {
    be_hostile(i);
  } else {
    join(i);
  }
  if (roll(4) == 0) {
    ow_sim_run(sim, roll(300));
  }
  if (roll(8) == 0) {
    turns(1);
  }
  now_ms += roll(50);
}

int main(int count, char **arguments) {
  unsigned long steps = count > 1 ? strtoul(arguments[1], NULL, 0) : 1000;
  seed = count > 2 ? strtoull(arguments[2], NULL, 0) : seed;
  state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  atexit(tell);
  server_up();
  raw_open(&victim, VICTIM_BYTES);
  memset(victim.memory + CANARY, 0x77, VICTIM_BYTES - CANARY);
  for (unsigned i = 0; i < GUESTS; i++) {
    guests[i] = -1;
  }
  for (step = 0; step < steps; step++) {
    take_step();
    if (step % STEPS_PER_LOOK == 0) {
      look();
    }
  }
  for (unsigned i = 0; i < HOSTILE; i++) {
    if (here[i]) {
      leave(i);
    }
  }
  for (unsigned i = 0; i < GUESTS; i++) {
    close(guests[i]);
  }
  turns(30);
  look();
  raw_forget(&victim);
  turns(30);
  no_key_is_left();
  all_queues_work();
  server_down();
  good = true;
  printf("seed %llu: %lu steps, %lu clients, %lu messages, %lu descriptors, %lu jobs and %lu that "
         "failed\n",
         seed, steps, joins, messages, descriptors, good_jobs, bad_jobs);
  return 0;
}
