/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A repeated job gets the descriptor that it would get if it were encoded from the start.
 */
#include "check.h"
#include "fake_device.h"
#include "reference.h"
#include "rig.h"

#define BYTES 512u

static struct rig rig;
static struct fake_device *fake;
static uint8_t *source, *destination, *aad;
static uint8_t key[32], iv[40];

static void open_rig(void) {
  rig_open(&rig);
  fake = rig.under;
  fake->idle = true; /* only descriptors are looked at */
  memset(&rig.device.capabilities.engine, 0xff, sizeof(rig.device.capabilities.engine));
  source = rig_allocate(&rig, BYTES, 16);
  destination = rig_allocate(&rig, BYTES, 16);
  random_bytes(iv, sizeof(iv));
  aad = rig_allocate(&rig, 128, 16);
  random_bytes(aad, 128);
}

/* What submitting a job has left behind. */
struct outcome {
  ow_status status;
  struct ow_descriptor descriptor;
  uint8_t aad[128];
  unsigned mapped;
  uint32_t to_wipe, result_bytes; /* of the slot */
  uint64_t fallbacks;
};

static uint64_t refused(void) {
  uint64_t total = 0;
  for (unsigned i = 0; i < OW_FALLBACK_COUNT; i++) {
    total += rig.queue.fallbacks[i];
  }
  return total;
}

/* Submits the job to the empty queue, and takes it back. */
static struct outcome submit(struct ow_job *job) {
  struct outcome outcome = {.fallbacks = refused()};
  outcome.status = ow_queue_submit(&rig.queue, NULL, &job, 1);
  outcome.fallbacks = refused() - outcome.fallbacks;
  outcome.mapped = fake_mapped(fake);
  if (outcome.status == OW_OK) {
    memcpy(&outcome.descriptor, rig.queue.memory, sizeof(outcome.descriptor));
    const struct ow_queue_slot *slot = &rig.slots[outcome.descriptor.cookie & 0xffffu];
    outcome.to_wipe = slot->mapped & 0x300u; /* OW_USED_SECRET, OW_TAG_FROM_SCRATCH */
    outcome.result_bytes = slot->result_bytes;
    uint64_t offset = outcome.descriptor.aad - FAKE_ADDRESS;
    if (outcome.descriptor.aad != 0) {
      memcpy(outcome.aad, fake->memory + offset, outcome.descriptor.aad_length);
    }
  }
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  CHECK_EQUAL(fake_mapped(fake), 1); /* the queue's own memory */
  return outcome;
}

static struct ow_job gcm_job(void) {
  return (struct ow_job){.opcode = OW_OP_AES_GCM,
                         .tag_len = 16,
                         .key = {.slot = 3, .generation = 7},
                         .length = 48,
                         .source = source,
                         .destination = destination,
                         .iv_len = 12,
                         .iv = iv};
}

/* Returns whether the job is taken for a repeated gcm_job(): it then gets that job's control word,
 * which is spoilt here, to be recognised. */
static bool taken_after(struct ow_job first, struct ow_job job) {
  CHECK_EQUAL(submit(&first).status, OW_OK);
  rig.queue.repeat.control = 0xffffffffu;
  struct outcome outcome = submit(&job);
  return outcome.status == OW_OK && outcome.descriptor.control == 0xffffffffu;
}

static bool taken(struct ow_job job) {
  return taken_after(gcm_job(), job);
}

#define TAKEN(...)                                                                                 \
  ({                                                                                               \
    struct ow_job job = gcm_job();                                                                 \
    __VA_ARGS__;                                                                                   \
    taken(job);                                                                                    \
  })

static void test_repeated(void) {
  uint8_t other_iv[12] = {1};
  open_rig();
  CHECK(TAKEN((void)0));
  CHECK(TAKEN(job.length = 1));
  CHECK(TAKEN(job.source = source + 1));
  CHECK(TAKEN(job.destination = source));
  CHECK(TAKEN(job.iv = other_iv));
  CHECK(TAKEN(job.iv = other_iv, job.aad = aad, job.aad_len = 64));
  rig_close(&rig);
}

/* Any other difference must be looked at from the start. */
static void test_not_repeated(void) {
  static struct ow_context context;
  struct ow_piece piece = {.memory = source, .length = 48};
  open_rig();
  piece.memory = source;
  CHECK(!TAKEN(job.opcode = OW_OP_AES_CCM));
  CHECK(!TAKEN(job.tag_len = 12));
  CHECK(!TAKEN(job.flags = OW_JOB_DECRYPT));
  CHECK(!TAKEN(job.flags = OW_JOB_FENCE));
  CHECK(!TAKEN(job.flags = OW_JOB_INTERRUPT));
  CHECK(!TAKEN(job.flags = OW_JOB_APPEND_TAG));
  CHECK(!TAKEN(job.key.slot = 2));
  CHECK(!TAKEN(job.key.generation = 8));
  CHECK(!TAKEN(job.key.generation = 0));
  CHECK(!TAKEN(job.key.bytes = key, job.key.key_len = 32));
  CHECK(!TAKEN(job.context = &context));
  CHECK(!TAKEN(job.iv_len = 16));
  CHECK(!TAKEN(job.iv = NULL));
  CHECK(!TAKEN(job.length = 0));
  CHECK(!TAKEN(job.length = 0xffffffffu));
  CHECK(!TAKEN(job.source = NULL));
  CHECK(!TAKEN(job.destination = NULL));
  CHECK(!TAKEN(job.source_pieces = &piece, job.source_pieces_len = 1));
  CHECK(!TAKEN(job.destination_pieces = &piece, job.destination_pieces_len = 1));
  CHECK(!TAKEN(job.aad = aad, job.aad_len = 65));
  CHECK(!TAKEN(job.aad = NULL, job.aad_len = 5));
  rig_close(&rig);
}

/* Digests and MACs: the job has no destination. */
static void test_without_text(void) {
  static const uint8_t opcodes[] = {OW_OP_SHA3_384, OW_OP_SHAKE128, OW_OP_KMAC128, OW_OP_HMAC_SHA1,
                                    OW_OP_EIA3,     OW_OP_EIA2,     OW_OP_AES_CMAC};
  open_rig();
  for (unsigned i = 0; i < sizeof(opcodes); i++) {
    bool radio = opcodes[i] == OW_OP_EIA3 || opcodes[i] == OW_OP_EIA2;
    struct ow_job first = {.opcode = opcodes[i],
                           .tag_len = 16,
                           .length = 48,
                           .source = source,
                           .iv_len = radio ? 16 : 0,
                           .iv = radio ? iv : NULL};
    struct ow_job second = first;
    second.length = 100;
    second.source = destination;
    CHECK(taken_after(first, second));
    second.flags = OW_JOB_APPEND_TAG;
    second.destination = source;
    CHECK(!taken_after(first, second));
    second.flags = OW_JOB_DECRYPT;
    CHECK(!taken_after(first, second));
    second.flags = 0;
    second.aad_len = 5;
    second.aad = aad;
    CHECK(!taken_after(first, second));
    second.aad_len = 0;
    second.destination = i < 4 ? source : NULL; /* a digest that goes there, not to the job */
    second.destination_len = 48;
    CHECK(taken_after(first, second) == (i >= 4));
  }
  rig_close(&rig);
}

/* A buffer that cannot be mapped the first time is mapped from the start; nothing stays mapped. */
static void test_refused_map(void) {
  open_rig();
  for (uint32_t nth = 1; nth <= 3; nth++) {
    struct ow_job first = gcm_job(), second = gcm_job();
    CHECK_EQUAL(submit(&first).status, OW_OK);
    rig.queue.repeat.control = 0xffffffffu;
    fake->refuse_map_at = nth;
    struct outcome outcome = submit(&second);
    CHECK_EQUAL(outcome.status, OW_OK);
    CHECK_EQUAL(outcome.mapped, 3); /* the queue, and both buffers */
    CHECK_EQUAL(outcome.descriptor.control == 0xffffffffu, nth == 3);
    fake->refuse_map_at = 0;
  }
  rig_close(&rig);
}

/* Runs of jobs that are alike, some with a field that is wrong. */
static void random_job(struct ow_job *job) {
  static const uint8_t opcodes[] = {OW_OP_AES_ECB,       OW_OP_AES_CBC,
                                    OW_OP_AES_GCM,       OW_OP_AES_XTS,
                                    OW_OP_AES_CCM,       OW_OP_EEA3,
                                    OW_OP_ZUC256,        OW_OP_EEA3_EIA3,
                                    OW_OP_TDES_CBC,      OW_OP_DES_ECB,
                                    OW_OP_SHA256,        OW_OP_SHAKE128,
                                    OW_OP_KMAC256,       OW_OP_HMAC_SHA256,
                                    OW_OP_EIA2,          OW_OP_EIA3,
                                    OW_OP_ASCON_HASH256, OW_OP_AES_GMAC,
                                    OW_OP_AES_CMAC,      OW_OP_NOP,
                                    OW_OP_ASCON_AEAD128, OW_OP_AES_CTR_HMAC_SHA256};
  static const uint8_t iv_lens[] = {0, 8, 11, 12, 12, 16, 16, 27, 31};
  static const uint16_t flags[] = {0,
                                   OW_JOB_DECRYPT,
                                   OW_JOB_DECRYPT | OW_JOB_TAG_IN_SOURCE,
                                   OW_JOB_APPEND_TAG,
                                   OW_JOB_FENCE,
                                   OW_JOB_INTERRUPT};
  if (random_below(4) == 0) {
    memset(job, 0, sizeof(*job));
    job->opcode = opcodes[random_below(sizeof(opcodes))];
    job->tag_len = random_below(2) ? 16 : (uint8_t)random_below(18);
    job->flags = flags[random_below(6)];
    job->key =
        (struct ow_key){.slot = (uint8_t)random_below(4), .generation = (uint16_t)random_below(3)};
    job->iv_len = iv_lens[random_below(sizeof(iv_lens))];
  }
  job->iv = random_below(30) != 0 ? iv + random_below(2) * random_below(4) : NULL;
  job->length = random_below(30) != 0 ? 16 * random_below(20) : random_below(100);
  job->source = random_below(30) != 0 ? source + random_below(64) : NULL;
  const bool hashes =
      job->opcode >> 4 == OW_OP_SHA256 >> 4 || job->opcode >> 4 == OW_OP_KMAC256 >> 4;
  job->destination = random_below(3) == 0 ? (void *)(uintptr_t)job->source : destination;
  if (random_below(4) < (hashes ? 3u : 1u)) {
    job->destination = NULL;
  }
  job->destination_len = random_below(3) * 20;
  job->aad_len = random_below(2) ? 0 : random_below(100);
  job->aad = random_below(30) != 0 ? aad : NULL;
}

static void test_same_descriptor(void) {
  struct ow_job job = {0};
  unsigned good = 0, repeats = 0;
  open_rig();
  for (unsigned round = 0; round < 20000; round++) {
    random_job(&job);
    struct ow_job again = job;
    bool was_kept = rig.queue.repeat.output != 0;
    struct outcome repeated = submit(&job);
    repeats += was_kept && rig.queue.repeat.output != 0;
    rig.queue.repeat.output = 0;
    struct outcome whole = submit(&again);
    CHECK_EQUAL(repeated.status, whole.status);
    CHECK_EQUAL(repeated.mapped, whole.mapped);
    CHECK_EQUAL(repeated.fallbacks, whole.fallbacks);
    CHECK_EQUAL(repeated.to_wipe, whole.to_wipe);
    CHECK_EQUAL(repeated.result_bytes, whole.result_bytes);
    CHECK(memcmp(&repeated.descriptor, &whole.descriptor, sizeof(whole.descriptor)) == 0);
    CHECK(memcmp(repeated.aad, whole.aad, sizeof(whole.aad)) == 0);
    good += repeated.status == OW_OK;
  }
  printf("%u of 20000 jobs were accepted, %u after one that was kept\n", good, repeats);
  CHECK(good > 3000 && repeats > 1000);
  rig_close(&rig);
}

int main(void) {
  RUN(test_repeated);
  RUN(test_not_repeated);
  RUN(test_without_text);
  RUN(test_refused_map);
  RUN(test_same_descriptor);
  return 0;
}
