/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What requests.h declares.
 */
#include "requests.h"

#include "public_key.h"

unsigned int owk_minimum_cipher, owk_minimum_hash, owk_keep, owk_timeout_factor = 1;
bool owk_backlog = true;
int owk_priority;
unsigned int owk_process_memory, owk_process_slots, owk_protected_slots = 4;

struct fake_device *fake;
void (*fit_device)(struct fake_device *fake);

static unsigned turns; /* of requests that have waited */
static struct device device_of_test;
struct owk_device device;
struct owk_queue *const queue = &device.queue[0];

void open_device(void) {
  fake = malloc(sizeof(*fake));
  fake_open(fake);
  free(fake->memory);
  fake->memory = fake->arena; /* coherent */
  if (fit_device != NULL) {
    fit_device(fake);
  }
  memset(&device, 0, sizeof(device));
  device_of_test.fake = fake;
  device.dev = &device_of_test;
  owk_platform_global(&device);
  CHECK_EQUAL(ow_device_open(&device.device, &device.platform), OW_OK);
  owk_keys_init(&device.keys, FAKE_SLOTS);
  owk_processes_init(&device);
  CHECK_EQUAL(owk_queue_create(queue, &device, 0, LOG2), 0);
  CHECK_EQUAL(owk_places_create(&device), 0);
  device.queues = 1;
  device.interrupts = 1;
  kernel_irq_disabled = 1;
  memset(&owk_counts, 0, sizeof(owk_counts));
  turns = 0;
  CHECK_EQUAL(owk_device_begin(&device), 0);
  owk_device_publish(&device);
  CHECK_EQUAL(kernel_irq_disabled, 0);
}

void close_device(void) {
  /* The coherent memory of the queue, and of public keys. */
  CHECK_EQUAL(fake_mapped(fake), device.places != NULL ? 2 : 1);
  CHECK_EQUAL(fake->violations, 0);
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    CHECK_EQUAL(device.keys.slot[i].in_flight, 0);
  }
  owk_device_withdraw(&device);
  owk_device_end(&device);
  CHECK_EQUAL(kernel_irq_disabled, 1);
  free(device.places);
  free(queue->slots);
  free(queue->lanes);
  free(queue->kept);
  fake->memory = malloc(1); /* fake_close() frees both */
  fake_close(fake);
  free(fake);
}

bool irq_enabled(void) {
  u32 control = fake->platform.read32(fake, OW_QUEUE_OFFSET + OW_QUEUE_CONTROL_OFFSET);
  return (control & OW_QUEUE_CONTROL_IRQ_ENABLE_MASK) != 0;
}

void pump(void) {
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
  lane->job.flags = request->decrypt ? OW_JOB_DECRYPT | OW_JOB_TAG_IN_SOURCE : OW_JOB_APPEND_TAG;
  lane->job.tag_len = 16;
  lane->job.length = request->length;
  lane->job.aad_len = request->aad;
  lane->job.iv = request->iv;
  lane->job.iv_len = sizeof(request->iv);
}

static void finish(struct owk_lane *lane) {
  struct request *request = lane->request;
  request->error = owk_error(lane);
  owk_lane_free(lane);
  request->ended++;
}

/* What the crypto API is told of a request that waits, or has waited. */
static void tell(struct crypto_async_request *base, int error) {
  struct request *request = container_of(base, struct request, base);
  CHECK(!queue->lock.held);
  CHECK_EQUAL(request->ended, 0);
  if (error == -EINPROGRESS) {
    request->told++;
    request->turn = ++turns;
  } else {
    CHECK_EQUAL(request->told, 1);
    request->error = error;
    request->ended++;
  }
}

static int in_software(void *request) {
  (void)request;
  return -EAGAIN;
}

struct request *make_request(struct owk_key *key, u32 length, unsigned pieces, bool in_place) {
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

int submit(struct request *request) {
  request->base.flags = request->may_wait ? CRYPTO_TFM_REQ_MAY_BACKLOG : 0;
  request->base.complete = tell;
  struct owk_work work = {
      .source = request->source,
      .destination = request->result == request->memory && !request->two_lists
                         ? request->source
                         : request->destination,
      .aad_bytes = request->aad,
      .source_bytes = request->length + (request->decrypt ? 16 : 0),
      .destination_bytes = request->length + (request->decrypt ? 0 : 16),
      .key = request->key,
      .fill = fill,
      .finish = finish,
      .software = in_software,
      .request = request,
      .base = &request->base,
      .waiting = owk_may_wait(&request->base, &request->waiting),
  };
  return owk_submit(&work);
}

void check_result(const struct request *request, const u8 *text) {
  u8 wanted[LENGTH_MAX + 16];
  struct reference reference = {.opcode = OW_OP_AES_GCM,
                                .key = request->key->bytes,
                                .key_len = request->key->len,
                                .iv = request->iv,
                                .iv_len = sizeof(request->iv),
                                .aad = text,
                                .aad_len = request->aad,
                                .tag_len = 16};
  text += request->aad;
  reference_seal(&reference, wanted, wanted + request->length, text, request->length);
  CHECK_EQUAL(request->ended, 1);
  CHECK_EQUAL(request->error, 0);
  CHECK(memcmp(request->result + request->aad, wanted, request->length + 16) == 0);
}

void new_key(struct owk_key *key) {
  u8 bytes[32];
  random_bytes(bytes, sizeof(bytes));
  memset(key, 0, sizeof(*key));
  owk_key_set(key, bytes, sizeof(bytes), false);
}
