/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A hostile queue uses as much of every engine as it can; a neighbour keeps 45 % of its bandwidth
 * alone, and its 16-byte job ends within 2,000 cycles.
 *
 * Hostile jobs have a source list with some bytes and then endless empty segments, or with one byte
 * per segment; long correct jobs are tested too. The test writes rings and registers itself,
 * because the driver writes no such lists. Time is measured in device cycles, so results do not
 * depend on the machine.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "outwork/outwork.h"
#include "outwork/sim.h"
#include "outwork/spec.h"

#define RING_LOG2        5u
#define RING             (1u << RING_LOG2)
#define STALLED          12u
#define SEGMENTS         100000u
#define SUSTAINED        16u /* jobs of the victim, all announced at once */
#define SUSTAINED_LENGTH 992u
#define SHORT_CYCLES     2000u
#define SHORT_LENGTH     16u
#define PATIENCE         4000000u

struct descriptor {
  uint32_t control, cookie;
  uint64_t source, destination, aad, context;
  uint32_t length, aad_length;
  uint8_t iv[16];
};
struct completion {
  uint8_t tag[16];
  uint32_t cookie, bytes, cycles, result;
};
_Static_assert(sizeof(struct descriptor) == 64 && sizeof(struct completion) == 32, "layouts.md");

struct side {
  unsigned queue;
  uint8_t *memory; /* the ring, the completion records, then data */
  size_t size;
  uint32_t announced, seen;
};
#define DATA        4096u
#define DESTINATION (512u * 1024u)

static struct ow_sim *sim;
static struct ow_platform platform;
static struct ow_device device;
static struct side victim = {.queue = 0, .size = 1u << 20};
static struct side hostile = {.queue = 1, .size = 4u << 20};
static struct ow_segment *list;

static uint32_t page(const struct side *side) {
  return OW_QUEUE_OFFSET + side->queue * OW_QUEUE_STRIDE;
}

static void put(const struct side *side, uint32_t offset, uint32_t value) {
  platform.write32(platform.context, page(side) + offset, value);
}

static uint32_t get(const struct side *side, uint32_t offset) {
  return platform.read32(platform.context, page(side) + offset);
}

static void open_side(struct side *side) {
  struct ow_grant grant = {.windows_len = 1};
  if (!side->memory) {
    side->memory = aligned_alloc(4096, side->size);
    CHECK(side->memory != NULL);
    CHECK(ow_sim_register(sim, side->memory, side->size));
  }
  grant.windows[0] = (struct ow_window){.first = (uintptr_t)side->memory,
                                        .last = (uintptr_t)side->memory + side->size - 1,
                                        .read = true,
                                        .write = true};
  put(side, OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
  for (unsigned i = 0; get(side, OW_QUEUE_CONTROL_OFFSET) & OW_QUEUE_CONTROL_RESET_MASK; i++) {
    CHECK(i < 1000);
    ow_sim_run(sim, 64);
  }
  CHECK_EQUAL(ow_queue_grant(&device, side->queue, &grant), OW_OK);
  memset(side->memory, 0, DATA);
  uint64_t ring = (uintptr_t)side->memory, done = ring + RING * sizeof(struct descriptor);
  put(side, OW_QUEUE_RING_LOW_OFFSET, (uint32_t)ring);
  put(side, OW_QUEUE_RING_HIGH_OFFSET, (uint32_t)(ring >> 32));
  put(side, OW_QUEUE_DONE_LOW_OFFSET, (uint32_t)done);
  put(side, OW_QUEUE_DONE_HIGH_OFFSET, (uint32_t)(done >> 32));
  put(side, OW_QUEUE_RING_SIZE_OFFSET, RING_LOG2);
  put(side, OW_QUEUE_DOORBELL_OFFSET, 0);
  put(side, OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_ENABLE_MASK);
  side->announced = side->seen = 0;
}

static void announce(struct side *side, struct descriptor job, unsigned count) {
  for (unsigned i = 0; i < count; i++, side->announced++) {
    job.cookie = side->announced;
    memcpy(side->memory + side->announced % RING * sizeof(job), &job, sizeof(job));
  }
  put(side, OW_QUEUE_DOORBELL_OFFSET, side->announced & 0xffff);
}

/* Takes the next record. Returns the job's status; -1: there is no record. */
static int take(struct side *side) {
  struct completion record;
  memcpy(&record,
         side->memory + RING * sizeof(struct descriptor) + side->seen % RING * sizeof(record),
         sizeof(record));
  if (record.result >> 31 == (side->seen >> RING_LOG2 & 1)) {
    return -1;
  }
  side->seen++;
  return (int)(record.result & 0xff);
}

struct kind {
  const char *name;
  uint8_t opcode, own; /* of the hostile job, and of the victim's job for the same engine */
  bool key;            /* inline: 16 or more bytes of the context */
  uint8_t length_code; /* of an AES key */
};
static const struct kind kinds[] = {
    {"AES-CTR", OW_OP_AES_CTR, OW_OP_AES_CTR, true, 2},
    {"AES-CCM beside CTR", OW_OP_AES_CCM, OW_OP_AES_CTR, true, 2},
    {"SHA-256", OW_OP_SHA256, OW_OP_SHA256, false, 0},
    {"SHA-1 beside SHA-256", OW_OP_SHA1, OW_OP_SHA256, false, 0},
    {"SHA-512", OW_OP_SHA512, OW_OP_SHA512, false, 0},
    {"SHA3-256", OW_OP_SHA3_256, OW_OP_SHA3_256, false, 0},
    {"EEA3", OW_OP_EEA3, OW_OP_EEA3, true, 0},
    {"EIA1 beside EEA3", OW_OP_EIA1, OW_OP_EEA3, true, 0},
    {"TDES-CBC", OW_OP_TDES_CBC, OW_OP_TDES_CBC, true, 0},
    {"Ascon-AEAD128", OW_OP_ASCON_AEAD128, OW_OP_ASCON_AEAD128, true, 0},
    {"AES-CTR beside Ascon-AEAD128", OW_OP_AES_CTR, OW_OP_ASCON_AEAD128, true, 2},
    {"AES-CTR beside SHA-256", OW_OP_AES_CTR, OW_OP_SHA256, true, 2},
    {"AES-CTR beside EEA3", OW_OP_AES_CTR, OW_OP_EEA3, true, 2},
};

static struct descriptor job_of(const struct side *side, const struct kind *kind, uint8_t opcode,
                                uint32_t length) {
  uint64_t data = (uintptr_t)side->memory + DATA;
  bool key = kind->key || opcode == OW_OP_EEA3;
  struct descriptor job = {.control = opcode,
                           .source = data + 1024,
                           .destination = (uintptr_t)side->memory + DESTINATION,
                           .aad = data,
                           .context = data + 512,
                           .length = length};
  if (key && opcode != OW_OP_SHA256) {
    job.control |= OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK;
    if (opcode == OW_OP_AES_CTR || opcode == OW_OP_AES_CCM) {
      job.control |= (uint32_t)kind->length_code << 8;
    }
  }
  if (opcode == OW_OP_AES_CCM) {
    job.control |= 16u << 16;
    job.iv[0] = 1; /* length field of two bytes: q - 1 */
  }
  if (opcode == OW_OP_ASCON_AEAD128) {
    job.control |= 16u << 16;
  }
  if (opcode == OW_OP_EIA1) {
    job.control |= 4u << 16;
  }
  return job;
}

static bool honest; /* the hostile jobs must succeed */

static uint64_t run_victim(const struct kind *kind, uint32_t length, unsigned count) {
  uint64_t start = ow_sim_cycles(sim);
  announce(&victim, job_of(&victim, kind, kind->own, length), count);
  for (unsigned done = 0; done < count;) {
    int status = take(&victim);
    if (status < 0) {
      if (ow_sim_cycles(sim) - start > PATIENCE) {
        return PATIENCE;
      }
      ow_sim_run(sim, 8);
      for (int ended; (ended = take(&hostile)) >= 0;) { /* refill the queue */
        CHECK(!honest || ended == 0);
        struct descriptor again;
        memcpy(&again, hostile.memory, sizeof(again));
        announce(&hostile, again, 1);
      }
      continue;
    }
    CHECK_EQUAL(status, 0);
    done++;
  }
  return ow_sim_cycles(sim) - start;
}

static bool compare(const struct kind *kind, const char *how, uint64_t alone) {
  ow_sim_run(sim, 3000);
  uint64_t beside = run_victim(kind, SUSTAINED_LENGTH, SUSTAINED);
  uint64_t late = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint64_t one = run_victim(kind, SHORT_LENGTH, 1);
    late = one > late ? one : late;
  }
  bool good = beside * 45 <= alone * 100 && late <= SHORT_CYCLES;
  printf("  %-24s %-22s %6llu alone, %8llu beside (%.2f); a short job %llu%s\n", kind->name, how,
         (unsigned long long)alone, (unsigned long long)beside, (double)beside / (double)alone,
         (unsigned long long)late, good ? "" : "  TOO SLOW");
  return good;
}

/* Makes segments: `first` bytes, then `step` bytes each. */
static void fill_list(uint32_t first, uint32_t step) {
  for (unsigned i = 0; i < SEGMENTS; i++) {
    list[i] = (struct ow_segment){.address = (uintptr_t)hostile.memory + DATA,
                                  .length = i == 0 ? first : step};
  }
}

static bool attack(const struct kind *kind) {
  static const struct {
    const char *how;
    bool listed;
    uint32_t first, step;
  } ways[] = {{"no bytes at all", true, 0, 0},
              {"16 bytes, then none", true, 16, 0},
              {"208 bytes, then none", true, 208, 0},
              {"a byte a segment", true, 1, 1},
              {"long honest jobs", false, 0, 0}};
  bool good = true;
  open_side(&victim);
  open_side(&hostile);
  uint64_t alone = run_victim(kind, SUSTAINED_LENGTH, SUSTAINED);
  for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
    fill_list(ways[i].first, ways[i].step);
    honest = !ways[i].listed;
    open_side(&victim);
    open_side(&hostile);
    struct descriptor job = job_of(&hostile, kind, kind->opcode, 16384);
    if (ways[i].listed) {
      job.control |= OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK;
      job.source = (uintptr_t)list;
    }
    announce(&hostile, job, STALLED);
    good &= compare(kind, ways[i].how, alone);
  }
  return good;
}

int main(void) {
  struct ow_sim_parameters parameters;
  const char *error = NULL;
  bool good = true;
  ow_sim_defaults(&parameters);
  sim = ow_sim_open(&parameters, &error);
  CHECK(sim != NULL);
  ow_sim_platform(sim, &platform);
  CHECK_EQUAL(ow_device_open(&device, &platform), OW_OK);
  open_side(&victim);
  open_side(&hostile);
  list = (struct ow_segment *)(void *)(hostile.memory + (1u << 20));
  for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    good &= attack(&kinds[i]);
  }
  CHECK(ow_sim_protocol_error(sim) == NULL);
  CHECK(good);
  ow_sim_close(sim);
  return 0;
}
