/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The kernel module's queue, keys and transfers on the fake device: what comes back, what is done
 * in software and why, and what is left of a request when the device fails.
 */
#include "queue.h"
#include "requests.h"

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
  owk_key_clear(&key);
  CHECK(!fake->keys[key.slot].valid);
  close_device();
}

/* AAD that is copied, and longer one that the device reads where it is. */
static void test_aad_of_any_length(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  for (u32 aad = OWK_AAD_COPIED - 1; aad <= 4 * OWK_AAD_COPIED; aad++) {
    u8 text[LENGTH_MAX];
    struct request *request = make_request(&key, 512, 1, true);
    request->aad = aad;
    request->length -= aad;
    memcpy(text, request->memory, 512);
    CHECK_EQUAL(submit(request), -EINPROGRESS);
    pump();
    check_result(request, text);
    free(request);
  }
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
    owk_key_clear(&keys[i]);
  }
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    CHECK(!fake->keys[i].valid);
  }
  close_device();
}

/* The keys of AES with HMAC are in a slot from their first use on, or software does the job. */
static void test_pairs_need_a_slot(void) {
  struct owk_key pair = {0};
  struct ow_key name = {0};
  const u8 bytes[32] = {1}, mac[OW_KEY_KIND_MAX + 1] = {2};
  open_device();
  owk_key_set_pair(&pair, OW_OP_AES_CBC_HMAC_SHA256, bytes, 32, mac, sizeof(mac));
  CHECK_EQUAL(pair.len, 0); /* no such HMAC key in the device */
  owk_key_set_pair(&pair, OW_OP_AES_CBC_HMAC_SHA256, bytes, 32, mac, 20);
  CHECK_EQUAL(pair.len, 32);
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    device.keys.slot[i].process = 1;
  }
  struct request *request = make_request(&pair, 64, 1, false);
  CHECK_EQUAL(submit(request), -EAGAIN);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_KEY].value, 1);
  free(request);
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    device.keys.slot[i].process = 0;
  }
  CHECK(owk_key_use(&device, &pair, &name));
  CHECK(name.bytes == NULL);
  const struct fake_key *loaded = &fake->keys[name.slot];
  CHECK_EQUAL(OW_FIELD(loaded->config, OW_GLOBAL_KEY_CONFIG_KIND), OW_OP_AES_CBC_HMAC_SHA256);
  CHECK_EQUAL(OW_FIELD(loaded->config, OW_GLOBAL_KEY_CONFIG_BYTES), 20);
  CHECK(memcmp(loaded->bytes, bytes, 32) == 0 && memcmp(loaded->bytes + 32, mac, 20) == 0);
  owk_key_release(&device, name.slot, false);
  owk_key_clear(&pair);
  CHECK(!loaded->valid && !pair.is_pair);
  CHECK_EQUAL(pair.mac[0], 0);
  close_device();
}

static void test_reasons_for_software(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  struct request *request = make_request(&key, 512, PIECES, false);
  CHECK_EQUAL(submit(request), -EAGAIN);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_PIECES].value, 1);
  free(request);

  request = make_request(&key, 64, 1, false);
  for (unsigned i = 1; i <= 2; i++) { /* source, destination */
    fake->refuse_map_at = i;
    CHECK_EQUAL(submit(request), -EAGAIN);
    CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_MAP].value, i);
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
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_RING].value, 1);
  fake->idle = false;
  pump();
  for (unsigned i = 0; i <= ENTRIES; i++) {
    CHECK_EQUAL(requests[i]->ended, i < ENTRIES);
    free(requests[i]);
  }

  u8 equal[32] = {0};
  struct owk_key xts = {0};
  owk_key_set(&xts, equal, sizeof(equal), true);
  CHECK_EQUAL(xts.len, 0);
  equal[0] = 1;
  owk_key_set(&xts, equal, sizeof(equal), true);
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

/* A ring full of jobs that have ended, and no interrupt: the next request has them collected. */
static void test_a_full_ring_is_emptied(void) {
  struct request *requests[ENTRIES];
  struct owk_key key;
  open_device();
  new_key(&key);
  for (unsigned i = 0; i < ENTRIES; i++) {
    requests[i] = make_request(&key, 64, 1, false);
    CHECK_EQUAL(submit(requests[i]), -EINPROGRESS);
  }
  fake_work(fake);
  fake->queues[0].pending = false;
  owk_catch_up(queue, false);
  fake_work(fake);
  fake->queues[0].pending = false;
  struct request *next = make_request(&key, 64, 1, false);
  CHECK_EQUAL(submit(next), -EAGAIN);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_RING].value, 1);
  pump();
  for (unsigned i = 0; i < ENTRIES; i++) {
    CHECK_EQUAL(requests[i]->ended, 1);
    free(requests[i]);
  }
  CHECK_EQUAL(submit(next), -EINPROGRESS);
  pump();
  CHECK_EQUAL(next->error, 0);
  CHECK_EQUAL(queue->missed, 0);
  free(next);
  close_device();
}

/* A queue that hangs is reset: software does what still has its source, or a copy of it, and the
 * queue works again. */
static void reset_hanging_queue(bool keeps) {
  struct owk_key key;
  u8 texts[2][64];
  owk_keep = keeps ? 64 : 63;
  open_device();
  new_key(&key);
  struct request *kept = make_request(&key, 64, 1, false);
  struct request *lost = make_request(&key, 64, 1, true);
  struct request *shared = make_request(&key, 64, 2, true);
  shared->two_lists = true;
  fake->idle = true;
  CHECK_EQUAL(submit(kept), -EINPROGRESS);
  CHECK_EQUAL(submit(lost), -EINPROGRESS);
  CHECK_EQUAL(submit(shared), -EINPROGRESS);
  memcpy(texts[0], lost->memory, 64);
  memcpy(texts[1], shared->memory, 64);
  memset(lost->memory, 0xee, 48); /* what the device has done when it hangs */
  memset(shared->memory, 0xee, 48);
  for (unsigned i = 0; i < 3 && !kept->ended; i++) {
    owk_watchdog(&device.watchdog.work);
  }
  CHECK(kept->ended && lost->ended && shared->ended);
  CHECK_EQUAL(kept->error, -EAGAIN);
  CHECK_EQUAL(lost->error, keeps ? -EAGAIN : -EIO);
  CHECK_EQUAL(shared->error, keeps ? -EAGAIN : -EIO);
  CHECK_EQUAL(memcmp(lost->memory, texts[0], 64) == 0, keeps);
  CHECK_EQUAL(memcmp(shared->memory, texts[1], 64) == 0, keeps);
  CHECK_EQUAL(queue->resets, 1);
  CHECK_EQUAL(owk_counts.errors.value, keeps ? 0 : 2);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_DEVICE].value, keeps ? 3 : 1);
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
  free(shared);
  free(next);
  close_device();
  owk_keep = 0;
}

static void test_a_queue_that_hangs(void) {
  reset_hanging_queue(false);
  reset_hanging_queue(true);
}

static bool is_clear(const u8 *bytes, size_t length) {
  while (length != 0 && bytes[length - 1] == 0) {
    length--;
  }
  return length == 0;
}

/* The copy of what is encrypted in place is wiped when the job ends; that of what is decrypted is
 * no secret. */
static void test_the_copy_of_a_text_is_wiped(void) {
  enum { LENGTH = 64, SHORT = 16 };
  struct owk_key key;
  u8 text[LENGTH], sealed[LENGTH + 16];
  owk_keep = LENGTH + 16;
  open_device();
  new_key(&key);
  struct request *request = make_request(&key, LENGTH, 1, true);
  memcpy(text, request->memory, LENGTH);
  const u8 *kept = queue->free->kept;
  CHECK_EQUAL(submit(request), -EINPROGRESS);
  CHECK(memcmp(kept, text, LENGTH) == 0);
  pump();
  check_result(request, text);
  CHECK(is_clear(queue->kept, ENTRIES * owk_keep));

  memcpy(sealed, request->memory, sizeof(sealed));
  request->decrypt = true;
  kept = queue->free->kept;
  CHECK_EQUAL(submit(request), -EINPROGRESS);
  pump();
  CHECK_EQUAL(request->ended, 2);
  CHECK_EQUAL(request->error, 0);
  CHECK(memcmp(request->memory, text, LENGTH) == 0);
  CHECK(memcmp(kept, sealed, sizeof(sealed)) == 0);

  /* A shorter text in the same place leaves no more behind. */
  struct request *next = make_request(&key, SHORT, 1, true);
  memcpy(text, next->memory, SHORT);
  CHECK(kept == queue->free->kept);
  CHECK_EQUAL(submit(next), -EINPROGRESS);
  CHECK(memcmp(kept, text, SHORT) == 0);
  pump();
  check_result(next, text);
  CHECK(is_clear(kept, SHORT) && memcmp(kept + SHORT, sealed + SHORT, LENGTH + 16 - SHORT) == 0);
  free(next);
  free(request);
  close_device();
  owk_keep = 0;
}

static void test_time_limits_are_longer_for_a_slow_device(void) {
  owk_timeout_factor = 20;
  open_device();
  CHECK_EQUAL(device.device.timeout_us, 20 * OWK_COMMAND_US);
  CHECK_EQUAL(device.queue[0].view.timeout_us, 20 * OWK_COMMAND_US);
  close_device();
  owk_timeout_factor = 0;
  CHECK_EQUAL(owk_longer(OWK_COMMAND_US), OWK_COMMAND_US);
  owk_timeout_factor = 5000;
  CHECK_EQUAL(owk_longer(OWK_COMMAND_US), 100 * OWK_COMMAND_US);
  owk_timeout_factor = 1;
}

int main(void) {
  RUN(test_requests_come_back);
  RUN(test_aad_of_any_length);
  RUN(test_the_handler_masks_the_interrupt);
  RUN(test_keys_share_the_slots);
  RUN(test_pairs_need_a_slot);
  RUN(test_reasons_for_software);
  RUN(test_a_lost_interrupt);
  RUN(test_a_full_ring_is_emptied);
  RUN(test_a_queue_that_hangs);
  RUN(test_the_copy_of_a_text_is_wiped);
  RUN(test_time_limits_are_longer_for_a_slow_device);
  return 0;
}
