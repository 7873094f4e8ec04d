/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The shell through the driver: windows, watchdog, resets, rings, interrupts, held keys, and
 * descriptors of any bits.
 */
#include "check.h"
#include "reference.h"
#include "rig_board.h"

#define ENTRIES (1u << RIG_LOG2)
#define ZONE    65536u
#define GAP     4096u

static struct rig rig;
static uint8_t *zone; /* ZONE bytes with a gap on each side */
static struct ow_job jobs[ENTRIES], *list[ENTRIES];
static const uint8_t key[32] = "a key of thirty-two bytes, zzzz";
static const uint8_t iv[16] = "an IV of sixteen";

static void open_rig(void) {
  rig_open(&rig);
  zone = (uint8_t *)rig_allocate(&rig, ZONE + 2 * GAP, 4096) + GAP;
  memset(jobs, 0, sizeof(jobs));
  for (unsigned i = 0; i < ENTRIES; i++) {
    list[i] = &jobs[i];
  }
}

static struct ow_job ctr_job(const uint8_t *source, uint8_t *destination, uint32_t length) {
  return (struct ow_job){.opcode = OW_OP_AES_CTR,
                         .key = {.bytes = key, .key_len = 32},
                         .iv = iv,
                         .iv_len = 16,
                         .source = source,
                         .destination = destination,
                         .length = length};
}

static struct ow_window window_over(const void *memory, size_t length, bool read, bool write) {
  uint64_t first = (uintptr_t)memory;
  return (struct ow_window){
      .first = first, .last = first + length - 1, .read = read, .write = write};
}

/* Grants the queue its rings and the zone, and nothing else. */
static void restrict_queue(bool read, bool write, uint32_t watchdog) {
  struct ow_grant grant = {.windows_len = 2, .watchdog_cycles = watchdog};
  grant.windows[0] = window_over(rig.queue.memory, OW_QUEUE_MEMORY_BYTES(RIG_LOG2), true, true);
  grant.windows[1] = window_over(zone, ZONE, read, write);
  CHECK_EQUAL(ow_queue_grant(&rig.device, 0, &grant), OW_OK);
}

/* Checks that there is no burst outside, and that memory around the zone is unchanged. */
static void check_log(const struct ow_sim_access *log, size_t count, uint32_t bus_bytes) {
  uint64_t rings = (uintptr_t)rig.queue.memory, data = (uintptr_t)zone;
  for (size_t i = 0; i < count; i++) {
    uint64_t first = log[i].address, last = log[i].address + log[i].length - 1;
    /* Reads have whole beats: bytes before and after the requested ones in a beat are allowed. */
    uint64_t slack = log[i].write ? 0 : bus_bytes - 1;
    bool in_rings =
        first + slack >= rings && last <= rings + OW_QUEUE_MEMORY_BYTES(RIG_LOG2) - 1 + slack;
    bool in_zone = first + slack >= data && last <= data + ZONE - 1 + slack;
    CHECK(in_rings || in_zone);
  }
  for (unsigned i = 0; i < GAP; i++) {
    CHECK(zone[-1 - (int)i] == 0x5a && zone[ZONE + i] == 0x5a);
  }
}

static void test_windows(void) {
  static struct ow_sim_access log[20000];
  open_rig();
  memset(zone - GAP, 0x5a, ZONE + 2 * GAP);
  restrict_queue(true, true, 0);
  ow_sim_log(rig_sim(&rig), log, 20000);
  for (unsigned round = 0; round < 60; round++) {
    uint32_t length = 1 + random_below(round % 3 ? 600 : 5000), beyond = 1 + random_below(length);
    uint8_t *inside = zone + random_below(ZONE - length);
    uint8_t *bad = round % 2 ? zone + ZONE - (length - beyond) : zone - beyond;
    struct ow_job job = ctr_job(inside, inside, length);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    job = ctr_job(bad, inside, length);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_WINDOW_VIOLATION);
    job = ctr_job(inside, bad, length);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_WINDOW_VIOLATION);
    job = ctr_job(inside, inside, length);
    job.opcode = OW_OP_AES_GCM;
    job.tag_len = 16;
    job.aad = bad;
    job.aad_len = length > 64 ? length : 65; /* shorter AAD is copied to the ring's scratch */
    if (bad + job.aad_len > zone + ZONE || bad < zone) {
      CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_WINDOW_VIOLATION);
    }
  }
  CHECK(ow_sim_log_count(rig_sim(&rig)) <= 20000);
  check_log(log, ow_sim_log_count(rig_sim(&rig)), rig.device.capabilities.bus_bytes);

  /* Rights of a window. */
  struct ow_job job = ctr_job(zone, zone + 1000, 500);
  restrict_queue(true, false, 0);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_WINDOW_VIOLATION);
  restrict_queue(false, true, 0);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_WINDOW_VIOLATION);
  ow_sim_log(rig_sim(&rig), NULL, 0);

  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  CHECK(counters.error_window >= 122);
  rig_close(&rig);
}

/* A ring outside the windows halts the queue; after a reset with a larger grant it runs. */
static void test_ring_window(void) {
  uint8_t reason = 0;
  open_rig();
  struct ow_grant grant = {.windows_len = 1};
  grant.windows[0] = window_over(zone, ZONE, true, true);
  CHECK_EQUAL(ow_queue_grant(&rig.device, 0, &grant), OW_OK);
  struct ow_job job = {.opcode = OW_OP_NOP};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_HALTED);
  CHECK_EQUAL(job.status, OW_ABORTED);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 1), OW_OK); /* the run has reset the queue */
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_HALTED);
  CHECK_EQUAL(ow_queue_halt_reason(&rig.queue, &reason), OW_HALTED);
  CHECK_EQUAL(reason, OW_HALT_RING_WINDOW);
  CHECK_EQUAL(ow_queue_grant(&rig.device, 0, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  rig_close(&rig);
}

static void test_watchdog(void) {
  open_rig();
  struct ow_job job = ctr_job(zone, zone, 64);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job),
              OW_OK); /* the engine has zeroised itself after reset */
  restrict_queue(true, true, 1000);
  job = ctr_job(zone, zone, 64);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  job = ctr_job(zone, zone, ZONE);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_TIMEOUT);
  CHECK_EQUAL(job.device_status, OW_DEVICE_TIMEOUT);
  job = ctr_job(zone, zone, 64);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  rig_close(&rig);
}

/* No-operations in batches of every size, so many that the doorbell's 16 bits wrap. */
static void test_ring_wrap(void) {
  uint32_t total = 0;
  open_rig();
  for (unsigned i = 0; i < ENTRIES; i++) {
    jobs[i].opcode = OW_OP_NOP;
  }
  while (total < 70000) {
    uint32_t count = 1 + random_below(ENTRIES);
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, count), OW_OK);
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
    total += count;
  }
  CHECK_EQUAL(rig.queue.finished, total);
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  CHECK_EQUAL(counters.jobs, total);
  rig_close(&rig);
}

static void test_full_ring(void) {
  size_t accepted = 0;
  uint64_t start = 0, finish = 0;
  struct ow_job extra = {.opcode = OW_OP_NOP}, *more = &extra;
  open_rig();
  for (unsigned i = 0; i < ENTRIES; i++) {
    jobs[i] = ctr_job(zone + 4096 * (i % 16), zone + 4096 * (i % 16), 4096);
  }
  CHECK_EQUAL(ow_queue_submit(&rig.queue, &accepted, list, ENTRIES), OW_OK);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, &accepted, &more, 1), OW_BUSY);
  CHECK_EQUAL(accepted, 0);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, &jobs[0]), OW_OK);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, &accepted, &more, 1), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(extra.status, OW_OK);
  ow_queue_times(&rig.queue, &start, &finish);
  CHECK(finish > start && finish - start < 20 * 4096 && finish <= ow_device_cycles(&rig.device));
  rig_close(&rig);
}

/* A reset aborts running jobs; after that the device does not access their memory, and the other
 * queue is not affected. */
static void test_reset_in_flight(void) {
  static struct ow_queue other;
  static struct ow_queue_slot slots[ENTRIES];
  struct ow_job others[ENTRIES], *other_list[ENTRIES];
  static uint8_t before[ZONE], expected[2048];
  open_rig();
  void *memory = rig_allocate(&rig, OW_QUEUE_MEMORY_BYTES(RIG_LOG2), 64);
  uint8_t *elsewhere = rig_allocate(&rig, ENTRIES * 2048, 64);
  CHECK_EQUAL(ow_queue_grant(&rig.device, 1, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_open(&other, &rig.device, 1, memory, slots, RIG_LOG2), OW_OK);
  struct reference reference = {
      .opcode = OW_OP_AES_CTR, .key = key, .key_len = 32, .iv = iv, .iv_len = 16};
  uint8_t zeros[2048] = {0};
  reference_seal(&reference, expected, NULL, zeros, 2048);
  for (unsigned round = 0; round < 40; round++) {
    memset(elsewhere, 0, ENTRIES * 2048);
    for (unsigned i = 0; i < ENTRIES; i++) {
      jobs[i] = ctr_job(zone, zone, 1 + random_below(ZONE));
      others[i] = ctr_job(elsewhere + 2048 * i, elsewhere + 2048 * i, 2048);
      other_list[i] = &others[i];
    }
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, ENTRIES), OW_OK);
    CHECK_EQUAL(ow_queue_submit(&other, NULL, other_list, ENTRIES), OW_OK);
    ow_sim_run(rig_sim(&rig), random_below(3000));
    CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
    memcpy(before, zone, ZONE);
    unsigned aborted = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
      CHECK(jobs[i].status == OW_ABORTED || jobs[i].status == OW_OK);
      aborted += jobs[i].status == OW_ABORTED;
    }
    CHECK(aborted > 0);
    CHECK_EQUAL(ow_queue_wait(&other, NULL), OW_OK);
    for (unsigned i = 0; i < ENTRIES; i++) {
      CHECK_EQUAL(others[i].status, OW_OK);
      CHECK(memcmp(elsewhere + 2048 * i, expected, 2048) == 0);
    }
    CHECK(memcmp(before, zone, ZONE) == 0);
    jobs[0] = ctr_job(zone, zone, 64);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[0]), OW_OK);
  }
  CHECK_EQUAL(ow_queue_close(&other), OW_OK);
  rig_close(&rig);
}

static void test_interrupts(void) {
  open_rig();
  CHECK_EQUAL(ow_queue_set_interrupts(&rig.queue, true, 3, 200), OW_OK);
  for (unsigned round = 0; round < 30; round++) {
    unsigned count = 1 + random_below(ENTRIES);
    for (unsigned i = 0; i < count; i++) {
      jobs[i] = ctr_job(zone, zone, 1 + random_below(300));
      jobs[i].flags = random_below(5) == 0 ? OW_JOB_INTERRUPT : 0;
    }
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, count), OW_OK);
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  }
  CHECK_EQUAL(rig.queue.missed_interrupts, 0);
  CHECK_EQUAL(rig.queue.timeouts, 0);
  rig_close(&rig);
}

/* A fenced job sees the output of all jobs before it. */
static void test_fence(void) {
  static uint8_t expected[8192];
  open_rig();
  struct reference reference = {
      .opcode = OW_OP_AES_CBC, .key = key, .key_len = 32, .iv = iv, .iv_len = 16};
  for (unsigned round = 0; round < 10; round++) {
    random_bytes(zone, 8192);
    reference_seal(&reference, expected, NULL, zone, 8192);
    jobs[0] = ctr_job(zone, zone, 8192); /* slow: CBC encryption processes one block at a time */
    jobs[0].opcode = OW_OP_AES_CBC;
    jobs[1] = ctr_job(zone, zone + 8192, 8192);
    jobs[1].opcode = OW_OP_AES_CTR;
    jobs[1].flags = OW_JOB_FENCE;
    jobs[2] = ctr_job(zone + 8192, zone + 16384, 8192);
    jobs[2].flags = OW_JOB_FENCE;
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 3), OW_OK);
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
    CHECK(memcmp(zone, expected, 8192) == 0);
    CHECK(memcmp(zone + 16384, expected, 8192) == 0); /* CTR twice */
  }
  rig_close(&rig);
}

/* Keys can be zeroised during use, which ends their jobs; a locked key cannot be replaced. */
static void test_held_keys(void) {
  struct ow_key_properties properties = {.queues = 1, .encrypt = true, .lock = true};
  struct ow_key_info info;
  open_rig();
  CHECK_EQUAL(ow_key_load(&rig.device, 31, &properties, key, 32, NULL), OW_OK);
  jobs[0] = ctr_job(zone, zone, ZONE);
  jobs[0].key = (struct ow_key){.slot = 31};
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 1), OW_OK);
  ow_sim_run(rig_sim(&rig), 500);
  CHECK_EQUAL(ow_key_load(&rig.device, 31, &properties, key, 16, NULL),
              OW_KEY_REFUSED); /* locked */
  CHECK_EQUAL(jobs[0].status, OW_PENDING);
  CHECK_EQUAL(ow_key_zeroise(&rig.device, 31), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(jobs[0].status, OW_KEY_GONE);
  properties.lock = false;
  for (unsigned all = 0; all < 2; all++) {
    CHECK_EQUAL(ow_key_load(&rig.device, 31, &properties, key, 32, NULL), OW_OK);
    CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, 1), OW_OK);
    ow_sim_run(rig_sim(&rig), 500);
    CHECK_EQUAL(all ? ow_key_zeroise_all(&rig.device)
                    : ow_key_load(&rig.device, 31, &properties, key, 16, NULL),
                OW_OK);
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
    CHECK_EQUAL(jobs[0].status, OW_KEY_GONE);
  }
  properties.lock = true;
  CHECK_EQUAL(ow_key_load(&rig.device, 31, &properties, key, 32, NULL), OW_OK);
  CHECK_EQUAL(ow_key_query(&rig.device, &info, 31), OW_OK);
  CHECK(info.valid && info.locked && info.properties.encrypt && !info.properties.decrypt);
  CHECK_EQUAL(info.key_len, 32);
  CHECK(!ow_device_tampered(&rig.device));
  ow_sim_tamper(rig_sim(&rig), 1);
  ow_sim_run(rig_sim(&rig), 100);
  ow_sim_tamper(rig_sim(&rig), 0);
  ow_sim_run(rig_sim(&rig), 2000);
  CHECK(ow_device_tampered(&rig.device));
  CHECK_EQUAL(ow_key_query(&rig.device, &info, 31), OW_OK);
  CHECK(!info.valid);
  jobs[0] = ctr_job(zone, zone, 64);
  jobs[0].key = (struct ow_key){.slot = 31};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &jobs[0]), OW_KEY_DENIED);
  rig_close(&rig);
}

/* Random descriptors: each gets a record, and no job accesses memory outside its windows. */
static void test_any_descriptor(void) {
  static struct ow_sim_access log[200000];
  unsigned seen[16] = {0};
  open_rig();
  memset(zone - GAP, 0x5a, ZONE + 2 * GAP);
  restrict_queue(true, true, 30000);
  ow_sim_log(rig_sim(&rig), log, 200000);
  for (unsigned round = 0; round < 300; round++) {
    unsigned count = 1 + random_below(ENTRIES);
    struct ow_descriptor *ring = (void *)rig.queue.memory;
    uint32_t at = rig.queue.written;
    for (unsigned i = 0; i < count; i++) {
      jobs[i] = (struct ow_job){.opcode = OW_OP_NOP};
    }
    CHECK_EQUAL(ow_queue_prepare(&rig.queue, NULL, list, count), OW_OK);
    for (unsigned i = 0; i < count; i++) {
      struct ow_descriptor *descriptor = &ring[(at + i) % ENTRIES];
      uint32_t cookie = descriptor->cookie;
      uint64_t inside = (uintptr_t)zone;
      random_bytes((uint8_t *)descriptor, sizeof(*descriptor));
      descriptor->cookie = cookie;
      if (random_below(8) != 0) { /* mostly valid opcodes, keys and addresses */
        descriptor->control =
            (descriptor->control & 0xffff0000u & ~(random_number() & random_number())) |
            (OW_OP_AES_ECB + random_below(8)) | random_below(4) << 8;
        descriptor->control |= OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK;
        descriptor->control &= ~OW_DESCRIPTOR_CONTROL_GENERATION_MASK;
        descriptor->length = random_below(2000) & ~(random_below(2) * 15u);
        descriptor->aad_length = random_below(3) ? 0 : random_below(300);
        descriptor->source = inside + random_below(ZONE);
        descriptor->destination = inside + random_below(ZONE);
        descriptor->aad = inside + random_below(ZONE);
        descriptor->context = (inside + random_below(ZONE)) & ~15ull;
        uint64_t iv_address = inside + random_below(ZONE);
        uint32_t iv_length = random_below(200);
        if (descriptor->control & OW_DESCRIPTOR_CONTROL_LONG_IV_MASK) {
          memcpy(descriptor->iv, &iv_address, 8);
          memcpy(descriptor->iv + 8, &iv_length, 4);
        }
      }
    }
    CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
    for (unsigned i = 0; i < count; i++) {
      CHECK(jobs[i].status != OW_PENDING && jobs[i].device_status != OW_DEVICE_ABORTED);
      seen[jobs[i].device_status]++;
    }
    random_bytes(zone, 4096);
  }
  CHECK(ow_sim_log_count(rig_sim(&rig)) <= 200000);
  check_log(log, ow_sim_log_count(rig_sim(&rig)), rig.device.capabilities.bus_bytes);
  for (unsigned status = 0; status < 12; status++) {
    bool expected = status != OW_DEVICE_READ_ERROR && status != OW_DEVICE_KEY_DENIED;
    CHECK(!expected || seen[status] != 0);
  }
  ow_sim_log(rig_sim(&rig), NULL, 0);
  rig_close(&rig);
}

int main(void) {
  RUN(test_windows);
  RUN(test_ring_window);
  RUN(test_watchdog);
  RUN(test_ring_wrap);
  RUN(test_full_ring);
  RUN(test_reset_in_flight);
  RUN(test_interrupts);
  RUN(test_fence);
  RUN(test_held_keys);
  RUN(test_any_descriptor);
  return 0;
}
