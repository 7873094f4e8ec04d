/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Encoding of jobs as descriptors: pieces, lists, tags, IVs, mappings, and released memory.
 */
#include "check.h"
#include "fake_device.h"
#include "reference.h"
#include "rig.h"

#define BYTES_MAX 4000u

static struct rig rig;
static struct fake_device *fake;
static uint8_t *source, *destination, *list_memory;
static uint8_t key[32], iv[100], expected[BYTES_MAX], tag[16];

static struct ow_job gcm_job(uint32_t length) {
  struct reference reference = {
      .opcode = OW_OP_AES_GCM, .key = key, .key_len = 32, .iv = iv, .iv_len = 12, .tag_len = 16};
  random_bytes(key, sizeof(key));
  random_bytes(iv, sizeof(iv));
  random_bytes(source, length);
  memset(destination, 0, BYTES_MAX + 64);
  reference_seal(&reference, expected, tag, source, length);
  return (struct ow_job){.opcode = OW_OP_AES_GCM,
                         .tag_len = 16,
                         .key = {.bytes = key, .key_len = 32},
                         .length = length,
                         .iv = iv,
                         .iv_len = 12,
                         .source = source,
                         .destination = destination};
}

/* Divides memory into pieces of random lengths; some are empty. */
static uint32_t cut(struct ow_piece *pieces, uint8_t *memory, uint32_t length, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t bytes = i + 1 == count ? length : random_below(3) == 0 ? 0 : random_below(length + 1);
    pieces[i] = (struct ow_piece){.memory = bytes != 0 ? memory : NULL, .length = bytes};
    memory += bytes;
    length -= bytes;
  }
  return count;
}

static void test_pieces(void) {
  struct ow_piece from[40], to[40];
  for (unsigned round = 0; round < 400; round++) {
    uint32_t length = random_below(BYTES_MAX), limit = round % 2 ? 40 : OW_JOB_PIECES;
    struct ow_job job = gcm_job(length);
    bool append = random_below(2);
    job.source = job.destination = NULL;
    job.source_pieces = from;
    job.source_pieces_len = cut(from, source, length, 1 + random_below(limit));
    job.destination_pieces = to;
    job.destination_pieces_len =
        cut(to, destination, length + (append ? 16 : 0), 1 + random_below(limit));
    job.flags = append ? OW_JOB_APPEND_TAG : 0;
    job.list_memory = list_memory;
    job.list_memory_len = OW_JOB_LIST_BYTES(80);
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK_EQUAL(job.bytes, length + (append ? 16 : 0));
    CHECK(memcmp(destination, expected, length) == 0);
    CHECK(memcmp(job.tag, tag, 16) == 0 && (!append || memcmp(destination + length, tag, 16) == 0));

    /* Decrypts, with the tag in the source or in the job. */
    bool in_source = append && random_below(2);
    job.flags = OW_JOB_DECRYPT | (in_source ? OW_JOB_TAG_IN_SOURCE : 0);
    job.source_pieces = to;
    job.source_pieces_len =
        cut(to, destination, length + (in_source ? 16 : 0), 1 + random_below(limit));
    job.destination_pieces = from;
    job.destination_pieces_len = cut(from, source + BYTES_MAX, length, 1 + random_below(limit));
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK(memcmp(source + BYTES_MAX, source, length) == 0);
    CHECK_EQUAL(fake_mapped(fake), 1);
    CHECK(round % 20 != 0 || !fake_remembers(fake, key, 32)); /* a slow search */
  }
}

/* Pieces may be longer than the payload. What is compared is the tag in the job, not what follows.
 */
static void test_long_pieces(void) {
  struct ow_piece pieces[3] = {{source, 40}, {source + 40, 100}, {source + 140, 50}};
  for (uint32_t length = 0; length <= 100; length += 20) {
    struct ow_job job = gcm_job(length);
    memcpy(source, expected, length);
    memcpy(source + length, tag, 16);
    job.source = NULL;
    job.source_pieces = pieces;
    job.source_pieces_len = 3;
    job.flags = OW_JOB_DECRYPT;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_AUTH_FAILED); /* job.tag is zero */
    memcpy(job.tag, tag, 16);
    source[length] ^= 1;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK_EQUAL(fake_mapped(fake), 1);
  }
}

static void test_piece_refusals(void) {
  struct ow_piece pieces[10];
  struct ow_job job = gcm_job(100);
  uint8_t here[256];
  job.source = NULL;
  job.source_pieces = pieces;
  job.source_pieces_len = cut(pieces, source, 100, 10);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_UNSUPPORTED); /* no room for a list */
  CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_PIECES], 1);
  job.list_memory = list_memory + 8;
  job.list_memory_len = OW_JOB_LIST_BYTES(10);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT); /* not aligned */
  job.list_memory = (void *)(((uintptr_t)here + 15) & ~(uintptr_t)15);
  job.list_memory_len = 11 * 16;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_UNSUPPORTED); /* not accessible */
  job.list_memory = list_memory;
  job.list_memory_len = OW_JOB_LIST_BYTES(10);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  job.length = 101; /* the list is too short, which the device detects */
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
  CHECK_EQUAL(job.device_status, OW_DEVICE_BAD_SEGMENT);
  job.source_pieces = NULL;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
  job = gcm_job(100);
  job.destination = NULL;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
  job = gcm_job(100);
  job.opcode = 0x42;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_UNSUPPORTED);
  CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_OPCODE], 1);
  CHECK_EQUAL(fake_mapped(fake), 1);
}

/* If one mapping fails, the job is refused, and no mapping and no output is left. */
static void test_map_failures(void) {
  struct ow_piece from[6], to[6];
  struct ow_context *context = rig_allocate(&rig, sizeof(*context), 16);
  unsigned failures = 0;
  for (uint32_t at = 1;; at++) {
    struct ow_job job = gcm_job(960);
    job.source = job.destination = NULL;
    job.source_pieces = from;
    job.source_pieces_len = 6;
    job.destination_pieces = to;
    job.destination_pieces_len = 6;
    job.list_memory = list_memory;
    job.list_memory_len = OW_JOB_LIST_BYTES(12);
    job.iv = destination + BYTES_MAX; /* long and outside registered memory: mapped too */
    job.iv_len = 65;
    job.aad = source;
    job.aad_len = 100;
    job.context = context;
    job.flags = OW_JOB_SAVE_STATE;
    for (unsigned i = 0; i < 6; i++) {
      from[i] = (struct ow_piece){source + 160 * i, 160};
      to[i] = (struct ow_piece){destination + 160 * i, 160};
    }
    fake->refuse_map_at = at;
    ow_status status = ow_queue_run(&rig.queue, &job);
    bool refused = fake->refuse_map_at == 0;
    fake->refuse_map_at = 0;
    CHECK_EQUAL(fake_mapped(fake), 1);
    if (!refused) {
      CHECK_EQUAL(status, OW_OK);
      break;
    }
    CHECK_EQUAL(status, OW_UNSUPPORTED);
    CHECK_EQUAL(job.status, OW_OK); /* unchanged */
    CHECK_EQUAL(ow_queue_outstanding(&rig.queue), 0);
    failures++;
  }
  CHECK_EQUAL(failures, 16); /* context, IV, AAD, six pieces on each side, the list */
}

static void test_in_place(void) {
  struct ow_job job = gcm_job(500);
  memcpy(destination, source, 500);
  job.source = job.destination = destination;
  job.flags = OW_JOB_APPEND_TAG; /* the destination is longer than the source */
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  CHECK(memcmp(destination, expected, 500) == 0 && memcmp(destination + 500, tag, 16) == 0);
  job.flags = OW_JOB_DECRYPT | OW_JOB_TAG_IN_SOURCE; /* now the source is longer */
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  CHECK(memcmp(destination, source, 500) == 0);
  destination[500] ^= 1;
  memcpy(destination, expected, 500);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_AUTH_FAILED);
  for (unsigned i = 0; i < 500; i++) {
    CHECK_EQUAL(destination[i], 0);
  }
}

/* Empty messages, with and without a destination. */
static void test_empty(void) {
  struct ow_job job = gcm_job(0);
  job.source = job.destination = NULL;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  CHECK(memcmp(job.tag, tag, 16) == 0);
  job.flags = OW_JOB_DECRYPT;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  job = gcm_job(0);
  job.flags = OW_JOB_APPEND_TAG;
  job.destination = destination;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  CHECK(memcmp(destination, tag, 16) == 0);
}

/* A MAC in memory is the job's only output. */
static void test_appended_macs(void) {
  static const uint8_t opcodes[] = {OW_OP_AES_GMAC, OW_OP_AES_CMAC};
  struct ow_piece pieces[2] = {{destination, 5}, {destination + 100, 7}};
  for (unsigned i = 0; i < 2; i++) {
    struct ow_job job = gcm_job(100);
    job.opcode = opcodes[i];
    job.iv_len = opcodes[i] == OW_OP_AES_GMAC ? 12 : 0;
    job.tag_len = 12;
    job.flags = OW_JOB_APPEND_TAG;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK_EQUAL(job.bytes, 12);
    CHECK(memcmp(destination, job.tag, 12) == 0 && destination[12] == 0);
    memset(destination, 0, BYTES_MAX);
    job.destination_pieces = pieces;
    job.destination_pieces_len = 2;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK(memcmp(destination, job.tag, 5) == 0 && memcmp(destination + 100, job.tag + 5, 7) == 0);
    job.destination_pieces_len = 0;
    job.destination = NULL;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
  }
  CHECK_EQUAL(fake_mapped(fake), 1);
}

/* IVs of up to 64 bytes may be in any memory; longer ones must be in memory that the device can
 * access. */
static void test_ivs(void) {
  static const uint32_t lengths[] = {1, 8, 11, 12, 13, 16, 17, 64, 65, 100};
  uint8_t *far_iv = rig_allocate(&rig, 100, 1);
  for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    struct ow_job job = gcm_job(50);
    struct reference reference = {.opcode = OW_OP_AES_GCM,
                                  .key = key,
                                  .key_len = 32,
                                  .iv = iv,
                                  .iv_len = lengths[i],
                                  .tag_len = 16};
    reference_seal(&reference, expected, tag, source, 50);
    job.iv_len = lengths[i];
    memcpy(far_iv, iv, 100);
    job.iv = lengths[i] > 64 ? far_iv : iv;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK(memcmp(job.tag, tag, 16) == 0);
    job.iv = iv;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), lengths[i] > 64 ? OW_UNSUPPORTED : OW_OK);
  }
  struct ow_job job = gcm_job(16);
  job.opcode = OW_OP_AES_ECB;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT); /* ECB has no IV */
  job.opcode = OW_OP_AES_CTR;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT); /* of 16 bytes */
  job.iv_len = 16;
  job.iv = NULL;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
}

/* A context that the caller has prepared: its key is used unchanged. */
static void test_context_key(void) {
  struct ow_context *context = rig_allocate(&rig, sizeof(*context), 16);
  struct ow_job job = gcm_job(80);
  memcpy(context->key0, key, 16);
  memcpy(context->key1, key + 16, 16);
  job.key = (struct ow_key){.key_len = 32};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT); /* neither key nor context */
  job.context = context;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  CHECK(memcmp(destination, expected, 80) == 0);
  job.context = (struct ow_context *)(void *)((uint8_t *)context + 8);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
  job.context = NULL;
  job.key = (struct ow_key){.slot = 1};
  job.flags = OW_JOB_SAVE_STATE;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
}

/* Keys, tags and copies of AAD are wiped at the end of their job; closing wipes the rest. */
static void test_secrets(void) {
  struct ow_job job = gcm_job(64), *jobs[] = {&job};
  uint8_t secret_aad[40];
  random_bytes(secret_aad, sizeof(secret_aad));
  job.aad = secret_aad;
  job.aad_len = sizeof(secret_aad);
  job.flags = OW_JOB_DECRYPT;
  random_bytes(job.tag, 16);
  memcpy(tag, job.tag, 16);
  CHECK_EQUAL(ow_queue_prepare(&rig.queue, NULL, jobs, 1), OW_OK);
  CHECK(fake_remembers(fake, key, 32));
  CHECK(fake_remembers(fake, tag, 16));
  CHECK(fake_remembers(fake, secret_aad, sizeof(secret_aad)));
  ow_queue_announce(&rig.queue);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, &job), OW_OK);
  CHECK_EQUAL(job.status, OW_AUTH_FAILED);
  CHECK(!fake_remembers(fake, key, 32));
  CHECK(!fake_remembers(fake, tag, 16));
  CHECK(!fake_remembers(fake, secret_aad, sizeof(secret_aad)));
  /* A refused job leaves no secrets either. */
  job.source = NULL;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
  CHECK(!fake_remembers(fake, key, 32));
  CHECK(!fake_remembers(fake, secret_aad, sizeof(secret_aad)));
  /* Nor does a job in flight when the queue is closed. */
  job.source = source;
  CHECK_EQUAL(ow_queue_prepare(&rig.queue, NULL, jobs, 1), OW_OK);
  CHECK(fake_remembers(fake, secret_aad, sizeof(secret_aad)));
  CHECK_EQUAL(ow_queue_close(&rig.queue), OW_OK);
  CHECK_EQUAL(job.status, OW_ABORTED);
  CHECK(!fake_remembers(fake, secret_aad, sizeof(secret_aad)));
  CHECK_EQUAL(ow_queue_open(&rig.queue, &rig.device, 0, rig.queue.memory, rig.slots, RIG_LOG2),
              OW_OK);
}

int main(void) {
  rig_open(&rig);
  fake = rig.under;
  source = rig_allocate(&rig, 2 * BYTES_MAX + 64, 16);
  destination = rig_allocate(&rig, BYTES_MAX + 100, 16);
  list_memory = rig_allocate(&rig, OW_JOB_LIST_BYTES(80) + 16, 16);
  RUN(test_pieces);
  RUN(test_long_pieces);
  RUN(test_piece_refusals);
  RUN(test_map_failures);
  RUN(test_in_place);
  RUN(test_empty);
  RUN(test_appended_macs);
  RUN(test_ivs);
  RUN(test_context_key);
  RUN(test_secrets);
  rig_close(&rig);
  return 0;
}
