/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Data through the device: every offset and length, and thousands of mixed jobs on four queues at
 * once.
 *
 * An argument gives the number of mixed jobs per queue; "exhaustive" tries every pair of offsets as
 * well.
 */
#include "check.h"
#include "reference.h"
#include "rig_board.h"

#define QUEUES     4u
#define LOG2       5u
#define ENTRIES    (1u << LOG2)
#define LENGTH_MAX 300u
#define ROOM       (LENGTH_MAX + 256u)

static struct rig rig;
static unsigned mixed_jobs = 600;
static bool exhaustive;

/* Counter mode from every source offset to every destination offset, every length; bytes around
 * stay. */
static void test_offsets(void) {
  static uint8_t stream[512], zeros[512];
  uint8_t key[16] = "offsets", iv[16] = "lengths";
  struct reference reference = {
      .opcode = OW_OP_AES_CTR, .key = key, .key_len = 16, .iv = iv, .iv_len = 16};
  reference_seal(&reference, stream, NULL, zeros, 512);
  rig_open(&rig);
  CHECK_EQUAL(ow_queue_close(&rig.queue), OW_OK);
  void *memory = rig_allocate(&rig, OW_QUEUE_MEMORY_BYTES(LOG2), 64);
  struct ow_queue_slot *slots = calloc(ENTRIES, sizeof(*slots));
  CHECK_EQUAL(ow_queue_open(&rig.queue, &rig.device, 0, memory, slots, LOG2), OW_OK);
  uint8_t *sources = rig_allocate(&rig, ENTRIES * ROOM, 64),
          *destinations = rig_allocate(&rig, ENTRIES * ROOM, 64);
  struct ow_job jobs[ENTRIES], *list[ENTRIES];
  uint32_t offsets[ENTRIES][3], count = 0, step = exhaustive ? 1 : 37;
  random_bytes(sources, ENTRIES * ROOM);
  for (uint32_t n = 0; n <= 64 * 64 * (LENGTH_MAX + 1); n += step) {
    bool last = n + step > 64 * 64 * (LENGTH_MAX + 1);
    uint32_t from = n % 64, to = n / 64 % 64, length = n / 4096;
    if (length <= LENGTH_MAX) {
      uint8_t *source = sources + count * ROOM, *destination = destinations + count * ROOM;
      memset(destination, 0x5a, ROOM);
      offsets[count][0] = from, offsets[count][1] = to, offsets[count][2] = length;
      jobs[count] = (struct ow_job){.opcode = OW_OP_AES_CTR,
                                    .key = {.bytes = key, .key_len = 16},
                                    .iv = iv,
                                    .iv_len = 16,
                                    .length = length,
                                    .source = source + 64 + from,
                                    .destination = destination + 64 + to};
      list[count] = &jobs[count];
      count++;
    }
    if (count == ENTRIES || last) {
      CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, count), OW_OK);
      CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
      for (uint32_t i = 0; i < count; i++) {
        const uint8_t *source = sources + i * ROOM + 64 + offsets[i][0];
        const uint8_t *around = destinations + i * ROOM;
        uint32_t first = 64 + offsets[i][1];
        CHECK_EQUAL(jobs[i].status, OW_OK);
        for (uint32_t j = 0; j < ROOM; j++) {
          bool in = j >= first && j < first + offsets[i][2];
          CHECK_EQUAL(around[j], in ? source[j - first] ^ stream[j - first] : 0x5a);
        }
      }
      count = 0;
    }
  }
  rig_close(&rig);
  free(slots);
}

/* One mixed job and its expected result. */
struct mixed {
  struct ow_job job;
  uint8_t key[32], tweak[32], iv[64];
  uint8_t *input, *output, *aad; /* in the device's memory, MIXED_MAX + 32 bytes each */
  uint8_t *expected;
  uint8_t tag[16];
  bool damaged, busy;
};

#define MIXED_MAX 3000u

static void make(struct mixed *mixed) {
  static const uint8_t opcodes[] = {OW_OP_AES_ECB,  OW_OP_AES_CBC, OW_OP_AES_CTR,
                                    OW_OP_AES_GCM,  OW_OP_AES_GCM, OW_OP_AES_XTS,
                                    OW_OP_AES_GMAC, OW_OP_AES_CCM, OW_OP_AES_CMAC};
  uint8_t opcode = opcodes[random_below(sizeof(opcodes))];
  bool whole = opcode == OW_OP_AES_ECB || opcode == OW_OP_AES_CBC, xts = opcode == OW_OP_AES_XTS;
  bool gcm = opcode == OW_OP_AES_GCM, ccm = opcode == OW_OP_AES_CCM;
  bool mac = opcode == OW_OP_AES_CMAC || opcode == OW_OP_AES_GMAC, tagged = gcm || ccm || mac;
  bool decrypt = random_below(2);
  uint32_t length = random_below(4) ? random_below(200) : random_below(MIXED_MAX);
  length = whole ? length & ~15u : xts && length < 16 ? 16 : length;
  random_bytes(mixed->key, 32);
  random_bytes(mixed->tweak, 32);
  random_bytes(mixed->iv, 64);
  uint32_t iv_len = gcm || opcode == OW_OP_AES_GMAC ? (random_below(3) ? 12 : 1 + random_below(64))
                    : ccm                           ? 7 + random_below(6)
                    : opcode == OW_OP_AES_ECB || opcode == OW_OP_AES_CMAC ? 0
                                                                          : 16;
  uint32_t key_len = xts ? 16 + 16 * random_below(2) : 16 + 8 * random_below(3);
  uint32_t aad_len = gcm || ccm ? (random_below(2) ? random_below(64) : random_below(500)) : 0;
  uint8_t *input = mixed->input + random_below(32), *output = mixed->output + random_below(32);
  uint8_t *aad = mixed->aad + random_below(32);
  random_bytes(input, length);
  random_bytes(aad, aad_len);
  struct reference reference = {.opcode = opcode,
                                .key = mixed->key,
                                .tweak_key = mixed->tweak,
                                .key_len = key_len,
                                .iv = iv_len ? mixed->iv : NULL,
                                .iv_len = iv_len,
                                .aad = aad,
                                .aad_len = aad_len,
                                .tag_len = tagged ? 16 : 0};
  reference_seal(&reference, mixed->expected, mixed->tag, input, length);
  mixed->damaged = decrypt && tagged && random_below(4) == 0;
  mixed->job = (struct ow_job){.opcode = opcode,
                               .tag_len = tagged ? 16 : 0,
                               .length = length,
                               .key = {mixed->key, xts ? mixed->tweak : NULL, (uint8_t)key_len, 0},
                               .flags = decrypt ? OW_JOB_DECRYPT : 0,
                               .iv = mixed->iv,
                               .iv_len = iv_len,
                               .aad = aad,
                               .aad_len = aad_len,
                               .source = input,
                               .destination = mac               ? NULL
                                              : random_below(3) ? output
                                                                : input};
  if (decrypt && !mac) { /* exchange them: the ciphertext is the input, the plaintext is expected */
    for (uint32_t i = 0; i < length; i++) {
      uint8_t plain = input[i];
      input[i] = mixed->expected[i];
      mixed->expected[i] = mixed->damaged ? 0 : plain;
    }
  }
  if (decrypt && tagged) {
    memcpy(mixed->job.tag, mixed->tag, 16);
    mixed->job.tag[random_below(16)] ^= mixed->damaged ? 1u << random_below(8) : 0;
  }
  mixed->busy = true;
}

static void check(struct mixed *mixed) {
  const struct ow_job *job = &mixed->job;
  bool mac = job->destination == NULL, decrypt = job->flags & OW_JOB_DECRYPT;
  CHECK_EQUAL(job->status, mixed->damaged ? OW_AUTH_FAILED : OW_OK);
  CHECK(mac || memcmp(job->destination, mixed->expected, job->length) == 0);
  CHECK(decrypt || job->tag_len == 0 || memcmp(job->tag, mixed->tag, 16) == 0);
  mixed->busy = false;
}

static void test_mixed_jobs(void) {
  static struct ow_queue queues[QUEUES];
  static struct ow_queue_slot slots[QUEUES][ENTRIES];
  static struct mixed mixed[QUEUES][ENTRIES];
  unsigned submitted[QUEUES] = {0}, done[QUEUES] = {0}, total = 0;
  rig_open(&rig);
  CHECK_EQUAL(ow_queue_close(&rig.queue), OW_OK);
  for (unsigned q = 0; q < QUEUES; q++) {
    struct ow_grant grant = {.priority = q == 3};
    void *memory = rig_allocate(&rig, OW_QUEUE_MEMORY_BYTES(LOG2), 64);
    CHECK_EQUAL(ow_queue_grant(&rig.device, q, &grant), OW_OK);
    CHECK_EQUAL(ow_queue_open(&queues[q], &rig.device, q, memory, slots[q], LOG2), OW_OK);
    for (unsigned i = 0; i < ENTRIES; i++) {
      mixed[q][i].input = rig_allocate(&rig, MIXED_MAX + 32, 64);
      mixed[q][i].output = rig_allocate(&rig, MIXED_MAX + 32, 64);
      mixed[q][i].aad = rig_allocate(&rig, 600, 64);
      mixed[q][i].expected = malloc(MIXED_MAX + 32);
    }
  }
  while (total < QUEUES * mixed_jobs) {
    unsigned q = random_below(QUEUES);
    for (unsigned i = 0, batch = random_below(ENTRIES); i < ENTRIES && batch != 0; i++) {
      struct ow_job *job = &mixed[q][i].job;
      if (!mixed[q][i].busy && submitted[q] < mixed_jobs) {
        make(&mixed[q][i]);
        CHECK_EQUAL(ow_queue_prepare(&queues[q], NULL, &job, 1), OW_OK);
        submitted[q]++;
        batch--;
      }
    }
    ow_queue_announce(&queues[q]);
    for (unsigned p = 0; p < QUEUES; p++) {
      CHECK_EQUAL(ow_queue_poll(&queues[p], NULL), OW_OK);
      for (unsigned i = 0; i < ENTRIES; i++) {
        if (mixed[p][i].busy && mixed[p][i].job.status != OW_PENDING) {
          check(&mixed[p][i]);
          done[p]++;
          total++;
        }
      }
    }
  }
  for (unsigned q = 0; q < QUEUES; q++) {
    struct ow_counters counters = {0};
    ow_queue_counters(&queues[q], &counters);
    CHECK_EQUAL(done[q], mixed_jobs);
    CHECK_EQUAL(counters.jobs + counters.error_auth, mixed_jobs);
    CHECK_EQUAL(ow_queue_close(&queues[q]), OW_OK);
    for (unsigned i = 0; i < ENTRIES; i++) {
      free(mixed[q][i].expected);
    }
  }
  CHECK_EQUAL(ow_queue_open(&rig.queue, &rig.device, 0, rig.queue.memory, rig.slots, RIG_LOG2),
              OW_OK);
  rig_close(&rig);
}

/* Pages behind those of the queues have no registers. */
static void test_pages_behind(void) {
  rig_open(&rig);
  struct ow_job job = {.opcode = OW_OP_NOP};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  for (uint32_t page = OW_QUEUE_OFFSET + rig.device.capabilities.queues * OW_QUEUE_STRIDE;
       page < OW_QUEUE_OFFSET + 7 * OW_QUEUE_STRIDE; page += OW_QUEUE_STRIDE) {
    for (uint32_t offset = 0; offset < 256; offset += 4) {
      CHECK_EQUAL(rig.platform->read32(rig.platform->context, page + offset), 0);
    }
  }
  rig_close(&rig);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    exhaustive = strcmp(argv[1], "exhaustive") == 0;
    mixed_jobs = exhaustive ? 10000 : (unsigned)atoi(argv[1]);
  }
  RUN(test_mixed_jobs);
  RUN(test_offsets);
  RUN(test_pages_behind);
  return 0;
}
