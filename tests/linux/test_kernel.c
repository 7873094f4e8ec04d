/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The kernel module's queue, keys and transfers on the fake device: what comes back, what is done
 * in software and why, and what is left of a request when the device fails.
 */
#include "fake_device.h"
#include "outwork_linux.h"
#include "reference.h"

enum { LOG2 = 4, ENTRIES = 1 << LOG2, LENGTH_MAX = 2048, PIECES = OWK_PIECES_MAX + 1 };

struct owk_device *owk_device;
unsigned int owk_minimum_cipher, owk_minimum_hash;
int owk_priority;
unsigned int owk_process_memory, owk_process_slots;

/* kernel.c has its registers too. */
struct fake_device *fake;

/* A request: AES-GCM without AAD, the tag behind the text. */

struct request {
  struct scatterlist source[PIECES], destination[PIECES];
  u8 *memory, *result;
  u32 length;
  u8 iv[12];
  struct owk_key *key;
  int error;
  bool ended;
};

static struct device device_of_test;
static struct owk_device device;
static struct owk_queue *const queue = &device.queue[0];

static void open_device(void) {
  fake = malloc(sizeof(*fake));
  fake_open(fake);
  free(fake->memory);
  fake->memory = fake->arena; /* coherent */
  memset(&device, 0, sizeof(device));
  device_of_test.fake = fake;
  device.dev = &device_of_test;
  owk_device = &device;
  owk_platform_global(&device);
  CHECK_EQUAL(ow_device_open(&device.device, &device.platform), OW_OK);
  owk_keys_init(&device.keys, FAKE_SLOTS);
  owk_processes_init(&device);
  CHECK_EQUAL(owk_queue_open(queue, &device, 0, LOG2), 0);
  device.queues = 1;
  owk_queue_start(queue);
}

static void close_device(void) {
  CHECK_EQUAL(fake_mapped(fake), 1); /* the queue's coherent memory */
  CHECK_EQUAL(fake->violations, 0);
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    CHECK_EQUAL(device.keys.slot[i].in_flight, 0);
  }
  owk_queue_close(queue);
  free(queue->slots);
  free(queue->lanes);
  fake->memory = malloc(1); /* fake_close() frees both */
  fake_close(fake);
  free(fake);
}

static bool irq_enabled(void) {
  u32 control = fake->platform.read32(fake, OW_QUEUE_OFFSET + OW_QUEUE_CONTROL_OFFSET);
  return (control & OW_QUEUE_CONTROL_IRQ_ENABLE_MASK) != 0;
}

/* The device works, raises its interrupt, and the tasklet runs, until nothing happens any more. */
static void pump(void) {
  for (;;) {
    fake_work(fake);
    if (fake->queues[0].pending && irq_enabled()) {
      owk_queue_interrupt(queue);
    }
    if (!queue->poll.scheduled) {
      return;
    }
    queue->poll.scheduled = false;
    queue->poll.run(&queue->poll);
  }
}

static void cut(struct scatterlist *list, u8 *memory, u32 bytes, unsigned pieces) {
  for (unsigned i = 0; i < pieces; i++) {
    u32 now = i + 1 == pieces ? bytes : bytes / (pieces - i);
    list[i] = (struct scatterlist){.memory = memory, .length = now, .end = i + 1 == pieces};
    memory += now;
    bytes -= now;
  }
}

static void fill(struct owk_lane *lane, const struct owk_work *work) {
  struct request *request = work->request;
  lane->job.opcode = OW_OP_AES_GCM;
  lane->job.flags = OW_JOB_APPEND_TAG;
  lane->job.tag_len = 16;
  lane->job.length = request->length;
  lane->job.iv = request->iv;
  lane->job.iv_len = sizeof(request->iv);
}

static void finish(struct owk_lane *lane) {
  struct request *request = lane->request;
  request->error = owk_error(lane);
  owk_lane_free(lane);
  request->ended = true;
}

static struct request *make_request(struct owk_key *key, u32 length, unsigned pieces,
                                    bool in_place) {
  struct request *request = calloc(1, sizeof(*request));
  request->memory = fake_allocate(fake, LENGTH_MAX + 16, 1);
  request->result = in_place ? request->memory : fake_allocate(fake, LENGTH_MAX + 16, 1);
  request->length = length;
  request->key = key;
  random_bytes(request->memory, length);
  random_bytes(request->iv, sizeof(request->iv));
  cut(request->source, request->memory, length + (in_place ? 16 : 0), pieces);
  cut(request->destination, request->result, length + 16, pieces);
  return request;
}

static int submit(struct request *request) {
  struct owk_work work = {
      .source = request->source,
      .destination = request->result == request->memory ? request->source : request->destination,
      .source_bytes = request->length,
      .destination_bytes = request->length + 16,
      .key = request->key,
      .fill = fill,
      .finish = finish,
      .request = request,
  };
  return owk_submit(&work);
}

static void check_result(const struct request *request, const u8 *text) {
  u8 wanted[LENGTH_MAX + 16];
  struct reference reference = {.opcode = OW_OP_AES_GCM,
                                .key = request->key->bytes,
                                .key_len = request->key->len,
                                .iv = request->iv,
                                .iv_len = sizeof(request->iv),
                                .tag_len = 16};
  reference_seal(&reference, wanted, wanted + request->length, text, request->length);
  CHECK(request->ended);
  CHECK_EQUAL(request->error, 0);
  CHECK(memcmp(request->result, wanted, request->length + 16) == 0);
}

static void new_key(struct owk_key *key) {
  u8 bytes[32];
  random_bytes(bytes, sizeof(bytes));
  memset(key, 0, sizeof(*key));
  owk_key_set(&device, key, bytes, sizeof(bytes), false);
}

static void test_requests_come_back(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  const size_t allocated = fake->allocated;
  for (unsigned round = 0; round < 20; round++) {
    struct request *requests[ENTRIES];
    static u8 texts[ENTRIES][LENGTH_MAX];
    for (unsigned i = 0; i < ENTRIES; i++) {
      const u32 length = 100 + random_below(600);
      const unsigned pieces = 1 + random_below(OWK_PIECES_MAX);
      requests[i] = make_request(&key, length, pieces, random_below(2));
      memcpy(texts[i], requests[i]->memory, length);
      CHECK_EQUAL(submit(requests[i]), -EINPROGRESS);
    }
    pump();
    for (unsigned i = 0; i < ENTRIES; i++) {
      check_result(requests[i], texts[i]);
      free(requests[i]);
    }
    CHECK(irq_enabled());
    fake->allocated = allocated;
  }
  CHECK_EQUAL(queue->queue.finished, 20 * ENTRIES);
  CHECK_EQUAL(fake->queues[0].jobs, 20 * ENTRIES);
  CHECK(queue->doorbells <= 20 * 3); /* one at once, the others together */
  CHECK_EQUAL(device.keys.loads, 1);
  CHECK_EQUAL(device.keys.inline_jobs, 1); /* the first use of the key */
  owk_key_clear(&device, &key);
  CHECK(!fake->keys[key.slot].valid);
  close_device();
}

static void test_the_handler_masks_the_interrupt(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  struct request *request = make_request(&key, 64, 1, false);
  CHECK_EQUAL(submit(request), -EINPROGRESS);
  fake_work(fake);
  CHECK(fake->queues[0].pending && irq_enabled());
  const u64 reads = queue->mmio_reads;
  owk_queue_interrupt(queue);
  CHECK(!irq_enabled() && queue->poll.scheduled && !request->ended);
  CHECK_EQUAL(queue->mmio_reads, reads);
  pump();
  CHECK(request->ended && irq_enabled());
  CHECK_EQUAL(queue->mmio_reads, reads);
  free(request);
  close_device();
}

/* With more keys than slots, jobs are right, and slots are not loaded for each of them. */
static void test_keys_share_the_slots(void) {
  enum { KEYS = 3 * FAKE_SLOTS, ROUNDS = 20 };
  static struct owk_key keys[KEYS];
  open_device();
  for (unsigned i = 0; i < KEYS; i++) {
    new_key(&keys[i]);
  }
  const size_t allocated = fake->allocated;
  for (unsigned round = 0; round < ROUNDS; round++) {
    for (unsigned i = 0; i < KEYS; i++) {
      u8 text[64];
      struct request *request = make_request(&keys[i], sizeof(text), 1, false);
      memcpy(text, request->memory, sizeof(text));
      CHECK_EQUAL(submit(request), -EINPROGRESS);
      pump();
      check_result(request, text);
      free(request);
      fake->allocated = allocated;
    }
  }
  CHECK(device.keys.loads < KEYS * ROUNDS / 10);
  const u64 evictions = device.keys.evictions;
  /* A key that is used alone from now on gets a slot, that of a key that nobody uses. */
  for (unsigned i = 0; i < 2 * ROUNDS * KEYS && !keys[KEYS - 1].in_slot; i++) {
    struct request *request = make_request(&keys[KEYS - 1], 16, 1, false);
    CHECK_EQUAL(submit(request), -EINPROGRESS);
    pump();
    free(request);
    fake->allocated = allocated;
  }
  CHECK(keys[KEYS - 1].in_slot);
  CHECK(device.keys.evictions >= evictions);
  unsigned in_slots = 0;
  for (unsigned i = 0; i < KEYS; i++) {
    in_slots += keys[i].in_slot;
  }
  CHECK_EQUAL(in_slots, FAKE_SLOTS);
  for (unsigned i = 0; i < KEYS; i++) {
    owk_key_clear(&device, &keys[i]);
  }
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    CHECK(!fake->keys[i].valid);
  }
  close_device();
}

static void test_reasons_for_software(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  struct request *request = make_request(&key, 512, PIECES, false);
  CHECK_EQUAL(submit(request), -EAGAIN);
  CHECK_EQUAL(device.fallbacks[OWK_FALLBACK_PIECES].value, 1);
  free(request);

  request = make_request(&key, 64, 1, false);
  for (unsigned i = 1; i <= 2; i++) { /* source, destination */
    fake->refuse_map_at = i;
    CHECK_EQUAL(submit(request), -EAGAIN);
    CHECK_EQUAL(device.fallbacks[OWK_FALLBACK_MAP].value, i);
  }
  request->source[0].length = 10; /* shorter than the request says */
  CHECK_EQUAL(submit(request), -EAGAIN);
  free(request);

  struct request *requests[ENTRIES + 1];
  fake->idle = true;
  for (unsigned i = 0; i <= ENTRIES; i++) {
    requests[i] = make_request(&key, 64, 1, false);
    CHECK_EQUAL(submit(requests[i]), i < ENTRIES ? -EINPROGRESS : -EAGAIN);
  }
  CHECK_EQUAL(device.fallbacks[OWK_FALLBACK_RING].value, 1);
  fake->idle = false;
  pump();
  for (unsigned i = 0; i <= ENTRIES; i++) {
    CHECK_EQUAL(requests[i]->ended, i < ENTRIES);
    free(requests[i]);
  }

  u8 equal[32] = {0};
  struct owk_key xts = {0};
  owk_key_set(&device, &xts, equal, sizeof(equal), true);
  CHECK_EQUAL(xts.len, 0);
  equal[0] = 1;
  owk_key_set(&device, &xts, equal, sizeof(equal), true);
  CHECK_EQUAL(xts.len, 16);
  close_device();
}

/* The watchdog finds what an interrupt should have announced. */
static void test_a_lost_interrupt(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  struct request *request = make_request(&key, 64, 1, false);
  CHECK_EQUAL(submit(request), -EINPROGRESS);
  owk_watchdog(&device.watchdog.work); /* has not seen this job before */
  if (!request->ended) {
    fake_work(fake);
    owk_watchdog(&device.watchdog.work);
  }
  CHECK(request->ended);
  CHECK_EQUAL(request->error, 0);
  CHECK_EQUAL(queue->missed, 1);
  CHECK_EQUAL(queue->resets, 0);
  pump();
  free(request);
  close_device();
}

/* A queue that hangs is reset: software does what still has its source, and the queue works again.
 */
static void test_a_queue_that_hangs(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  struct request *kept = make_request(&key, 64, 1, false);
  struct request *lost = make_request(&key, 64, 1, true);
  fake->idle = true;
  CHECK_EQUAL(submit(kept), -EINPROGRESS);
  CHECK_EQUAL(submit(lost), -EINPROGRESS);
  for (unsigned i = 0; i < 3 && !kept->ended; i++) {
    owk_watchdog(&device.watchdog.work);
  }
  CHECK(kept->ended && lost->ended);
  CHECK_EQUAL(kept->error, -EAGAIN);
  CHECK_EQUAL(lost->error, -EIO);
  CHECK_EQUAL(queue->resets, 1);
  CHECK_EQUAL(device.errors.value, 1);
  CHECK_EQUAL(device.fallbacks[OWK_FALLBACK_DEVICE].value, 1);
  CHECK(irq_enabled());

  fake->idle = false;
  u8 text[64];
  struct request *next = make_request(&key, sizeof(text), 1, false);
  memcpy(text, next->memory, sizeof(text));
  CHECK_EQUAL(submit(next), -EINPROGRESS);
  pump();
  check_result(next, text);
  free(kept);
  free(lost);
  free(next);
  close_device();
}

int main(void) {
  RUN(test_requests_come_back);
  RUN(test_the_handler_masks_the_interrupt);
  RUN(test_keys_share_the_slots);
  RUN(test_reasons_for_software);
  RUN(test_a_lost_interrupt);
  RUN(test_a_queue_that_hangs);
  return 0;
}
