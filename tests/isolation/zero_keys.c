/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys are zeroised within 2,000 device cycles during any work.
 *
 * Each engine works with a slot's key. In some cycle of this work the slot is zeroised, all slots
 * are zeroised, or the tamper input rises; memory responds or has stopped responding. The board
 * counts cycles, so the results are exact and the same in every run.
 */
#include "../sim/bench.h"

#define BOUND 2000u
#define SLOT  7u
#define JOBS  8u
#define EMPTY 600u /* segments without a byte */

static struct bench bench;
static struct ow_job jobs[JOBS];
static uint8_t key_bytes[64];
static uint64_t worst;

static uint8_t *place(unsigned job, size_t offset) {
  return bench.memory + (size_t)(2 * job + 1) * 32768 + offset;
}

/* Runs the command. Returns the device cycles until its end. */
enum way { ONE, ALL, TAMPER, WAYS };
static uint64_t zeroise(enum way way) {
  const struct ow_platform *platform = &bench.platform;
  uint64_t start = ow_sim_cycles(bench.sim);
  if (way == TAMPER) {
    ow_sim_tamper(bench.sim, 1);
    ow_sim_run(bench.sim, 1);
    ow_sim_tamper(bench.sim, 0);
  } else {
    platform->write32(platform->context, OW_GLOBAL_KEY_SLOT_OFFSET, SLOT);
    platform->write32(platform->context, OW_GLOBAL_KEY_COMMAND_OFFSET,
                      way == ALL ? OW_GLOBAL_KEY_COMMAND_ZEROISE_ALL_MASK
                                 : OW_GLOBAL_KEY_COMMAND_ZEROISE_MASK);
  }
  for (;;) {
    uint32_t status = platform->read32(platform->context, OW_GLOBAL_STATUS_OFFSET);
    uint64_t cycles = ow_sim_cycles(bench.sim) - start;
    if ((status & OW_GLOBAL_STATUS_ZEROISING_MASK) == 0) {
      worst = cycles > worst ? cycles : worst;
      return cycles;
    }
    CHECK(cycles <= BOUND);
  }
}

/* A kind of job under the slot's key. */
struct kind {
  const char *name;
  uint8_t opcode;
  uint8_t key_len; /* of a key of one opcode; 0: an AES key for any mode */
  uint8_t mac_key_len;
  uint8_t iv_len, tag_len;
  uint32_t length;
  uint16_t flags;
  bool trickles; /* its payload is a list: 32 bytes, then empty segments */
};
static const struct kind kinds[] = {
    {"AES-GCM, to open", OW_OP_AES_GCM, 0, 0, 12, 16, 8192, OW_JOB_DECRYPT, false},
    {"AES-CBC", OW_OP_AES_CBC, 0, 0, 16, 0, 16384, 0, false},
    {"AES-CTR, trickling", OW_OP_AES_CTR, 0, 0, 16, 0, 4096, 0, true},
    {"AES-CMAC", OW_OP_AES_CMAC, 0, 0, 0, 16, 16384, 0, false},
    {"HMAC-SHA-256", OW_OP_HMAC_SHA256, 64, 0, 0, 32, 16384, 0, false},
    {"HMAC-SHA-256, trickling", OW_OP_HMAC_SHA256, 64, 0, 0, 32, 4096, 0, true},
    {"HMAC-SHA-512, trickling", OW_OP_HMAC_SHA512, 64, 0, 0, 32, 4096, 0, true},
    {"KMAC256, trickling", OW_OP_KMAC256, 32, 0, 0, 32, 4096, 0, true},
    {"128-EEA3", OW_OP_EEA3, 16, 0, 16, 0, 8192, 0, false},
    {"128-EEA3, trickling", OW_OP_EEA3, 16, 0, 16, 0, 4096, 0, true},
    {"TDES-CBC, trickling", OW_OP_TDES_CBC, 24, 0, 8, 0, 4096, 0, true},
    {"Ascon-AEAD128", OW_OP_ASCON_AEAD128, 16, 0, 16, 16, 8192, 0, false},
    {"Ascon-AEAD128, trickling", OW_OP_ASCON_AEAD128, 16, 0, 16, 16, 4096, 0, true},
    {"AES-CBC with HMAC-SHA-256", OW_OP_AES_CBC_HMAC_SHA256, 32, 64, 16, 16, 8192, 0, false},
    {"AES-CTR with HMAC-SHA-512, trickling", OW_OP_AES_CTR_HMAC_SHA512, 32, 64, 16, 16, 4096, 0,
     true},
};

static void load(const struct kind *kind) {
  const struct ow_key_properties may = {.queues = 1, .encrypt = true, .decrypt = true, .mac = true};
  ow_status status;
  if (kind->mac_key_len != 0) {
    status = ow_key_load_pair(&bench.device, SLOT, &may, kind->opcode, key_bytes, kind->key_len,
                              key_bytes, kind->mac_key_len);
  } else if (kind->key_len != 0) {
    status = ow_key_load_kind(&bench.device, SLOT, &may, kind->opcode, key_bytes, kind->key_len);
  } else {
    status = ow_key_load(&bench.device, SLOT, &may, key_bytes, 32, NULL);
  }
  CHECK_EQUAL(status, OW_OK);
}

static struct ow_job job_of(const struct kind *kind, unsigned number) {
  static struct ow_piece pieces[EMPTY + 2];
  static const uint8_t iv[16] = {1};
  bool mac = kind->iv_len == 0;
  struct ow_job job = {.opcode = kind->opcode,
                       .key = {.slot = SLOT},
                       .flags = kind->flags,
                       .length = kind->length,
                       .source = place(number, 0),
                       .destination = mac ? NULL : place(number, 16384),
                       .tag_len = kind->tag_len,
                       .iv = mac ? NULL : iv,
                       .iv_len = kind->iv_len};
  if (kind->trickles) {
    pieces[0] = (struct ow_piece){place(0, 0), 32};
    pieces[EMPTY + 1] = (struct ow_piece){place(0, 32), kind->length - 32u};
    job.source = NULL;
    job.source_pieces = pieces;
    job.source_pieces_len = EMPTY + 2;
    job.list_memory = place(number, 20480);
    job.list_memory_len = 12288;
  }
  return job;
}

/* Waits for all jobs and checks their status. Returns how many ended with OW_KEY_GONE. */
static unsigned drain(void) {
  unsigned gone = 0;
  CHECK_EQUAL(ow_queue_wait(&bench.queue, NULL), OW_OK);
  for (unsigned i = 0; i < JOBS; i++) {
    ow_status status = jobs[i].status;
    CHECK(status == OW_OK || status == OW_KEY_GONE || status == OW_KEY_DENIED ||
          (status == OW_AUTH_FAILED && (jobs[i].flags & OW_JOB_DECRYPT) != 0));
    gone += status == OW_KEY_GONE;
  }
  return gone;
}

static unsigned attempt(const struct kind *kind, enum way way, unsigned when, bool held) {
  struct ow_job *list[JOBS];
  size_t accepted = 0;
  load(kind);
  for (unsigned i = 0; i < JOBS; i++) {
    jobs[i] = job_of(kind, i);
    list[i] = &jobs[i];
  }
  CHECK_EQUAL(ow_queue_submit(&bench.queue, &accepted, list, JOBS), OW_OK);
  CHECK_EQUAL(accepted, JOBS);
  ow_sim_run(bench.sim, when);
  if (held) {
    bench_inject(&bench, OW_SIM_NO_READ_RESPONSE, 0, 0, 0);
    bench_inject(&bench, OW_SIM_STUCK_WRITE_DATA, 0, 0, 0);
    ow_sim_run(bench.sim, 300);
  }
  CHECK(zeroise(way) <= BOUND);
  struct ow_key_info info;
  CHECK_EQUAL(ow_key_query(&bench.device, &info, SLOT), OW_OK);
  CHECK(!info.valid);
  ow_sim_mend(bench.sim);
  return drain();
}

static void engines(void) {
  for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    unsigned gone = 0;
    worst = 0;
    for (unsigned way = 0; way < WAYS; way++) {
      for (unsigned when = 60; when <= 1500; when = when * 5 / 2 + 13 * way) {
        gone += attempt(&kinds[k], (enum way)way, when, false);
        gone += attempt(&kinds[k], (enum way)way, when, true);
      }
    }
    CHECK(gone != 0);
    printf("  %s: at most %u cycles, %u jobs ended\n", kinds[k].name, (unsigned)worst, gone);
  }
}

/* An inline key whose second half is late delays neither a zeroise nor a load. Tamper, and nothing
 * else, ends its job. */
static void half_a_key(void) {
  static const struct kind plain = {"AES-ECB", OW_OP_AES_ECB, 0, 0, 0, 0, 16, 0, false};
  unsigned gone = 0;
  worst = 0;
  for (unsigned when = 0; when < 400; when += 3) {
    enum way way = (enum way)(when / 3 % WAYS);
    struct ow_job *list[1] = {&jobs[0]};
    load(&plain);
    jobs[0] =
        (struct ow_job){.opcode = OW_OP_AES_XTS,
                        .key = {.bytes = key_bytes, .tweak_bytes = key_bytes + 32, .key_len = 32},
                        .iv = key_bytes,
                        .iv_len = 16,
                        .length = 512,
                        .source = place(0, 0),
                        .destination = place(0, 16384)};
    CHECK_EQUAL(ow_queue_submit(&bench.queue, NULL, list, 1), OW_OK);
    ow_sim_run(bench.sim, when);
    bench_inject(&bench, OW_SIM_NO_READ_RESPONSE, 0, 0, 0);
    CHECK(zeroise(way) <= BOUND);
    load(&plain);
    ow_sim_mend(bench.sim);
    CHECK_EQUAL(ow_queue_wait(&bench.queue, NULL), OW_OK);
    CHECK(jobs[0].status == OW_OK || (jobs[0].status == OW_KEY_GONE && way == TAMPER));
    gone += jobs[0].status == OW_KEY_GONE;
  }
  CHECK(gone > 10);
  printf("  at most %u cycles\n", (unsigned)worst);
}

/* A decryption whose list is changed during the wipe delays its own queue, but no key command. */
static void stuck_wipe(void) {
  static struct ow_piece pieces[2];
  static const struct kind gcm = {"AES-GCM", OW_OP_AES_GCM, 0, 0, 12, 16, 2048, 0, false};
  static const uint8_t iv[12];
  for (unsigned way = 0; way < WAYS; way++) {
    for (unsigned when = 100; when <= 400; when += 30) {
      struct ow_job *list[1] = {&jobs[0]};
      struct ow_segment *segments = (struct ow_segment *)(void *)place(0, 20480);
      load(&gcm);
      pieces[0] = (struct ow_piece){place(0, 16384), 1024};
      pieces[1] = (struct ow_piece){place(0, 17408), 1024};
      jobs[0] = (struct ow_job){.opcode = OW_OP_AES_GCM,
                                .flags = OW_JOB_DECRYPT,
                                .key = {.slot = SLOT},
                                .iv = iv,
                                .iv_len = sizeof(iv),
                                .tag_len = 16,
                                .length = 2048,
                                .source = place(0, 0),
                                .destination_pieces = pieces,
                                .destination_pieces_len = 2,
                                .list_memory = segments,
                                .list_memory_len = 12288};
      CHECK_EQUAL(ow_queue_submit(&bench.queue, NULL, list, 1), OW_OK);
      ow_sim_run(bench.sim, when);
      for (unsigned i = 0; i < 4; i++) {
        segments[i].address = 16; /* outside the windows of all queues */
        segments[i].length = 0;
        segments[i].control = 0;
      }
      ow_sim_run(bench.sim, 2000);
      CHECK(zeroise((enum way)way) <= BOUND);
      CHECK_EQUAL(ow_queue_reset(&bench.queue), OW_OK);
    }
  }
}

/* Public-key jobs: the key is zeroised `pka_when` cycles after the doorbell. */
static enum way pka_way;
static unsigned pka_when;
static ow_status interrupted(void *context, struct ow_job *job) {
  (void)context;
  if (job->opcode < OW_OP_MODEXP || job->opcode > OW_OP_EC_VERIFY) {
    return ow_queue_run(&bench.queue, job);
  }
  CHECK_EQUAL(ow_queue_submit(&bench.queue, NULL, &job, 1), OW_OK);
  ow_sim_run(bench.sim, pka_when);
  CHECK(zeroise(pka_way) <= BOUND);
  CHECK_EQUAL(ow_queue_wait(&bench.queue, job), OW_OK);
  return job->status;
}

static void public_keys(void) {
  struct ow_pka *pka = (struct ow_pka *)(void *)place(0, 0);
  static const struct ow_ec_private key = {.curve = OW_CURVE_P384, .slotted = true, .slot = SLOT};
  uint8_t point[2 * OW_CURVE_BYTES_MAX];
  worst = 0;
  CHECK_EQUAL(ow_pka_init(pka, &bench.queue), OW_OK);
  pka->run = interrupted;
  for (unsigned way = 0; way < WAYS; way++) {
    pka_way = (enum way)way;
    for (pka_when = 100; pka_when < 40000; pka_when = pka_when * 5 / 2) {
      CHECK_EQUAL(ow_device_seed(&bench.device), OW_OK); /* the seed was zeroised with the keys */
      CHECK_EQUAL(ow_ec_slot_load(&bench.device, SLOT, &(struct ow_key_properties){.queues = 1},
                                  true, OW_CURVE_P384, key_bytes),
                  OW_OK);
      ow_status status = ow_ec_public(pka, point, &key);
      CHECK(status == OW_KEY_GONE || (status == OW_KEY_DENIED && pka_when < 300));
    }
  }
  ow_pka_close(pka);
  printf("  at most %u cycles\n", (unsigned)worst);
}

/* Keys of ML-KEM and ML-DSA: while they are expanded, while they are used, while their traces are
 * wiped. */
static void lattice_keys(void) {
  static const struct {
    const char *name;
    uint8_t opcode, key_len, k;
    uint32_t length, output_len; /* 0: the result goes to a slot */
  } uses[] = {{"ML-KEM-512, decapsulation", OW_OP_MLKEM_DECAPSULATE, 64, 2, 768, 32},
              {"ML-KEM-512, decapsulation for a slot", OW_OP_MLKEM_DECAPSULATE, 64, 2, 768, 0},
              {"ML-KEM-512, public key", OW_OP_MLKEM_KEYGEN, 64, 2, 0, 800},
              {"ML-DSA-44, signature", OW_OP_MLDSA_SIGN, 32, 4, 96, 2420}};
  const struct ow_key_properties may = {.queues = 1, .decrypt = true};
  for (unsigned u = 0; u < sizeof(uses) / sizeof(uses[0]); u++) {
    unsigned gone = 0, done = 0;
    worst = 0;
    for (unsigned way = 0; way < WAYS; way++) {
      for (unsigned when = 60; when < 24000; when = when * 5 / 4 + 13 * way) {
        const uint8_t kind = uses[u].key_len == 64 ? OW_OP_MLKEM_DECAPSULATE : OW_OP_MLDSA_SIGN;
        CHECK_EQUAL(ow_key_load_kind(&bench.device, SLOT, &may, kind, key_bytes, uses[u].key_len),
                    OW_OK);
        struct ow_key_handle made = {0};
        const bool makes = uses[u].output_len == 0;
        if (makes) {
          CHECK_EQUAL(ow_key_reserve(&bench.device, &made, SLOT + 1, &may, OW_OP_NOP, 32), OW_OK);
        }
        const uint8_t parameters[4] = {uses[u].k, made.slot, (uint8_t)made.generation,
                                       (uint8_t)(made.generation >> 8)};
        jobs[0] = (struct ow_job){.opcode = uses[u].opcode,
                                  .key = {.slot = SLOT},
                                  .iv = parameters,
                                  .iv_len = 4,
                                  .length = uses[u].length,
                                  .source = place(0, 0),
                                  .destination = makes ? NULL : place(0, 16384),
                                  .destination_len = uses[u].output_len};
        struct ow_job *list[1] = {&jobs[0]};
        CHECK_EQUAL(ow_queue_submit(&bench.queue, NULL, list, 1), OW_OK);
        ow_sim_run(bench.sim, when);
        CHECK(zeroise((enum way)way) <= BOUND);
        CHECK_EQUAL(ow_queue_wait(&bench.queue, NULL), OW_OK);
        CHECK(jobs[0].status == OW_OK || jobs[0].status == OW_KEY_GONE ||
              (jobs[0].status == OW_KEY_DENIED && when < 300));
        gone += jobs[0].status == OW_KEY_GONE;
        done += jobs[0].status == OW_OK;
        if (makes) { /* its slot has the key if the job says so, unless all was zeroised */
          struct ow_key_info info;
          CHECK_EQUAL(ow_key_query(&bench.device, &info, made.slot), OW_OK);
          const bool same = info.generation == made.generation;
          CHECK(!same || info.valid || jobs[0].status != OW_OK);
          CHECK(same || (!info.valid && !info.reserved));
          CHECK_EQUAL(ow_key_zeroise(&bench.device, made.slot), OW_OK);
        }
      }
    }
    CHECK(gone != 0 && done != 0);
    printf("  %s: at most %u cycles, %u jobs ended\n", uses[u].name, (unsigned)worst, gone);
  }
}

/* Jobs without input words must not occupy the hash units: a key for the hash is loaded in time. */
static void loads_beside_held_units(void) {
  static const uint8_t hashes[] = {OW_OP_SHA256, OW_OP_SHA512, OW_OP_SHA3_256};
  static const uint8_t macs[] = {OW_OP_HMAC_SHA256, OW_OP_HMAC_SHA512, OW_OP_KMAC256};
  for (unsigned i = 0; i < 3; i++) {
    struct ow_job *list[JOBS];
    size_t accepted = 0;
    for (unsigned j = 0; j < JOBS; j++) {
      const struct kind hash = {"", hashes[i], 0, 0, 0, 0, 4096, 0, true};
      jobs[j] = job_of(&hash, j);
      jobs[j].key = (struct ow_key){0};
      list[j] = &jobs[j];
    }
    CHECK_EQUAL(ow_queue_submit(&bench.queue, &accepted, list, JOBS), OW_OK);
    ow_sim_run(bench.sim, 1200);
    const struct ow_key_properties may = {.queues = 1, .mac = true};
    uint64_t start = ow_sim_cycles(bench.sim);
    CHECK_EQUAL(ow_key_load_kind(&bench.device, SLOT, &may, macs[i], key_bytes, 64), OW_OK);
    uint64_t cycles = ow_sim_cycles(bench.sim) - start;
    CHECK_EQUAL(jobs[0].status, OW_PENDING);
    CHECK(cycles <= BOUND);
    printf("  key of opcode %#x: %u cycles\n", macs[i], (unsigned)cycles);
    CHECK_EQUAL(ow_queue_wait(&bench.queue, NULL), OW_OK);
  }
}

int main(void) {
  for (unsigned i = 0; i < sizeof(key_bytes); i++) {
    key_bytes[i] = (uint8_t)(i * 37u + 11u);
  }
  bench_open(&bench, NULL);
  bench.queue.timeout_us = 20000;
  RUN(half_a_key);
  RUN(stuck_wipe);
  RUN(engines);
  RUN(public_keys);
  RUN(lattice_keys);
  RUN(loads_beside_held_units);
  bench_close(&bench);
  return 0;
}
