/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The kernel module's queue on a device that fails again and again, or that is reset when nobody
 * has asked for it: every request ends once, with the right result, or for software to do it, or
 * with an error that says that its source is lost.
 */
#include "requests.h"

enum fault {
  LOST_INTERRUPT,
  HANG,
  JOB_ERROR,
  WRONG_RECORD,
  LOST_WRITE,
  QUEUE_RESET,
  DEVICE_RESET,
  FAULTS
};

static void make_fault(enum fault fault) {
  static const u8 errors[] = {OW_DEVICE_WINDOW_VIOLATION, OW_DEVICE_READ_ERROR,
                              OW_DEVICE_WRITE_ERROR, OW_DEVICE_TIMEOUT, OW_DEVICE_FAULT};
  fake->idle = fault == HANG;
  fake->force_status = fault == JOB_ERROR ? errors[random_below(sizeof(errors))] : 0;
  fake->bad_cookie = fault == WRONG_RECORD;
  fake->lose_write_at = fault == LOST_WRITE ? 1 + random_below(3) : 0;
  fake->reset_queue_at = fault == QUEUE_RESET ? 1 + random_below(12) : 0;
}

static void no_fault(void) {
  make_fault(FAULTS);
}

/* Checks that a request has ended once: with the right result, or with its source intact, for
 * software. If it was in place and not kept, its source may be lost: then there is an error. */
static void check_end(const struct request *request, const u8 *text) {
  CHECK_EQUAL(request->ended, 1);
  if (request->error == 0) {
    check_result(request, text);
  } else if (request->error == -EAGAIN) {
    CHECK(memcmp(request->memory, text, request->length) == 0);
  } else {
    CHECK_EQUAL(request->error, -EIO);
    CHECK(request->result == request->memory && request->length > owk_keep);
  }
}

/* Software does at once what a queue that has been found reset does not take. */
static void submit_or_end(struct request *request) {
  request->error = submit(request);
  request->ended = request->error == -EAGAIN;
}

static void look_four_times(void) {
  for (unsigned look = 0; look < 4; look++) {
    owk_watchdog(&device.watchdog.work);
    pump();
  }
}

static void test_ten_thousand_faults(void) {
  enum { ROUNDS = 10000, REQUESTS = 2, MANY = ENTRIES + 4, LENGTH = 32 };
  struct owk_key key;
  unsigned in_software = 0;
  owk_keep = LENGTH;
  open_device();
  new_key(&key);
  kernel_is_quiet = true;
  const size_t allocated = fake->allocated;
  for (unsigned round = 0; round < ROUNDS + 2; round++) {
    struct request *requests[MANY];
    u8 texts[MANY][LENGTH];
    const bool is_good = round < 2;                                 /* the key gets its slot */
    const unsigned count = random_below(16) == 0 ? MANY : REQUESTS; /* more than the ring holds */
    enum fault fault = is_good ? FAULTS : (enum fault)random_below(FAULTS);
    if (fault == LOST_WRITE && !key.in_slot) {
      /* The registers of keys cannot be read: nothing tells that a word of a key was lost. */
      fault = HANG;
    }
    make_fault(fault);
    owk_keep = round % 2 == 0 ? LENGTH : 0;
    for (unsigned i = 0; i < count; i++) {
      requests[i] = make_request(&key, LENGTH, 1, random_below(4) == 0);
      requests[i]->may_wait = true;
      memcpy(texts[i], requests[i]->memory, LENGTH);
      submit_or_end(requests[i]);
      if (fault == DEVICE_RESET && i == 0) {
        fake_reset(fake);
      }
    }
    fake_work(fake);
    fake->queues[0].pending = fake->queues[0].pending && fault != LOST_INTERRUPT;
    pump();
    no_fault();
    look_four_times();
    for (unsigned i = 0; i < count; i++) {
      check_end(requests[i], texts[i]);
      in_software += requests[i]->error == -EAGAIN;
      free(requests[i]);
    }
    CHECK(irq_enabled());
    fake->allocated = allocated;
  }
  CHECK(owk_counts.backlogged.value > ROUNDS / 20);
  printf("%d faults: %u requests waited, %u for software, %u errors, %u resets, %u interrupts "
         "missed\n",
         ROUNDS, (unsigned)owk_counts.backlogged.value, in_software,
         (unsigned)owk_counts.errors.value, (unsigned)queue->resets, (unsigned)queue->missed);
  CHECK(queue->resets > ROUNDS / 4 && queue->missed > ROUNDS / 20);
  CHECK(in_software > ROUNDS / 2 && owk_counts.errors.value > ROUNDS / 40);
  kernel_is_quiet = false;
  owk_key_clear(&key);
  close_device();
  owk_keep = 0;
}

/* Goes on as if `position` jobs had been done: a multiple of twice the ring's entries. */
static void start_at(u32 position) {
  queue->queue.written = position;
  queue->queue.announced = position;
  queue->queue.completed = position;
  fake->queues[0].fetched = position;
  fake->queues[0].completed = position;
  fake->platform.write32(fake, queue->queue.page + OW_QUEUE_DOORBELL_OFFSET, position & 0xffffu);
}

/* Submits requests in groups, one after the other in place, and lets the queue be reset before the
 * `at`th register access. The fake device counts accesses to memory of requests that have ended.
 * Returns whether there were so many accesses. */
static bool survive_reset(u32 position, unsigned at) {
  enum { GROUPS = 6, GROUP = 5, LENGTH = 48 };
  struct request *requests[GROUPS * GROUP];
  u8 texts[GROUPS * GROUP][LENGTH];
  struct owk_key key;
  open_device();
  start_at(position);
  new_key(&key);
  fake->reset_queue_at = at;
  for (unsigned i = 0; i < GROUPS * GROUP; i++) {
    requests[i] = make_request(&key, LENGTH, 1, i % 2 == 0);
    memcpy(texts[i], requests[i]->memory, LENGTH);
    submit_or_end(requests[i]);
    if (i % GROUP == GROUP - 1) {
      pump();
    }
  }
  const bool was_reset = fake->reset_queue_at == 0;
  fake->reset_queue_at = 0;
  look_four_times();
  for (unsigned i = 0; i < GROUPS * GROUP; i++) {
    check_end(requests[i], texts[i]);
    free(requests[i]);
  }
  /* The next request finds a queue that works. */
  struct request *next = make_request(&key, LENGTH, 1, true);
  memcpy(texts[0], next->memory, LENGTH);
  CHECK_EQUAL(submit(next), -EINPROGRESS);
  pump();
  check_result(next, texts[0]);
  free(next);
  owk_key_clear(&key);
  close_device();
  return was_reset;
}

/* Old descriptors are in the ring, and never run again. The doorbell has 16 bits: the ring's first
 * pass comes again every 65,536 jobs. */
static void test_a_reset_that_nobody_asked_for(void) {
  static const u32 positions[] = {0, 2 * ENTRIES, 0x10000 - 2 * ENTRIES, 0x20000 - 2 * ENTRIES};
  kernel_is_quiet = true;
  unsigned resets = 0;
  for (unsigned i = 0; i < sizeof(positions) / sizeof(*positions); i++) {
    for (unsigned at = 1; survive_reset(positions[i], at); at++) {
      resets++;
    }
  }
  printf("%u resets\n", resets);
  CHECK(resets > 200);
  kernel_is_quiet = false;
}

/* A request of up to 64 bytes, in place, that the device does. */
static void ask_device(struct owk_key *key, unsigned bytes) {
  u8 text[64];
  struct request *request = make_request(key, bytes, 1, true);
  memcpy(text, request->memory, bytes);
  CHECK_EQUAL(submit(request), -EINPROGRESS);
  pump();
  check_result(request, text);
  free(request);
}

/* A device that was reset gets its grants and keys again. */
static void test_a_device_that_was_reset(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  for (unsigned round = 0; round < 3; round++) {
    struct request *request = make_request(&key, 64, 1, false);
    CHECK_EQUAL(submit(request), -EINPROGRESS);
    pump();
    CHECK(request->ended);
    free(request);
  }
  CHECK(key.in_slot);
  const u64 jobs_before = queue->queue.finished;
  fake_reset(fake);
  look_four_times();
  CHECK(!key.in_slot);
  CHECK_EQUAL(queue->resets, 1);
  for (unsigned round = 0; round < 3; round++) {
    ask_device(&key, 64);
  }
  CHECK(key.in_slot);
  CHECK_EQUAL(queue->queue.finished, jobs_before + 3);
  CHECK_EQUAL(fake->queues[0].jobs, 3);
  owk_key_clear(&key);
  close_device();
}

/* Somebody else zeroises all slots: what the device denies is done in software, and the key is
 * loaded again. */
static void test_keys_that_are_gone(void) {
  struct owk_key key;
  open_device();
  new_key(&key);
  for (unsigned round = 0; round < 2; round++) {
    struct request *request = make_request(&key, 64, 1, false);
    CHECK_EQUAL(submit(request), -EINPROGRESS);
    pump();
    free(request);
  }
  CHECK(key.in_slot);
  CHECK_EQUAL(ow_key_zeroise_all(&device.device), OW_OK);
  struct request *denied = make_request(&key, 64, 1, false);
  CHECK_EQUAL(submit(denied), -EINPROGRESS);
  pump();
  CHECK_EQUAL(denied->error, -EAGAIN);
  free(denied);
  CHECK(!key.in_slot);
  ask_device(&key, 64);
  CHECK(key.in_slot);
  CHECK_EQUAL(queue->resets, 0);
  owk_key_clear(&key);
  close_device();
}

/* A device that has gone: it is tried again later and later, and two messages say so. */
static void test_a_device_that_does_not_come_back(void) {
  enum { LOOKS = 2 * 60 * 60 * 2 }; /* two hours */
  struct owk_key key;
  open_device();
  new_key(&key);
  kernel_is_quiet = true;
  kernel_messages = 0;
  fake->reset_hangs = true;
  fake->idle = true;
  struct request *request = make_request(&key, 64, 1, false);
  CHECK_EQUAL(submit(request), -EINPROGRESS);
  for (unsigned look = 0; look < LOOKS; look++) {
    owk_watchdog(&device.watchdog.work);
  }
  CHECK_EQUAL(request->ended, 1);
  CHECK_EQUAL(request->error, -EAGAIN);
  CHECK_EQUAL(kernel_messages, 2);
  CHECK(queue->resets > LOOKS / 130 && queue->resets < LOOKS / 100);
  /* It comes back, and is found within a minute. */
  fake->reset_hangs = false;
  fake->idle = false;
  for (unsigned look = 0; look < 130; look++) {
    owk_watchdog(&device.watchdog.work);
  }
  CHECK_EQUAL(kernel_messages, 3);
  free(request);
  request = make_request(&key, 64, 1, false);
  CHECK_EQUAL(submit(request), -EINPROGRESS);
  pump();
  CHECK_EQUAL(request->error, 0);
  free(request);
  kernel_is_quiet = false;
  owk_key_clear(&key);
  close_device();
}

/* The device is taken away with requests in flight and brought back, with what it was given lost:
 * by a suspend, or by who unbinds it. With `hangs` it does not end them itself. */
static void take_away(bool hangs) {
  enum { REQUESTS = 12 };
  struct request *requests[REQUESTS];
  u8 texts[REQUESTS][48];
  struct owk_key key;
  open_device();
  new_key(&key);
  kernel_is_quiet = true;
  fake->idle = hangs;
  for (unsigned i = 0; i < REQUESTS; i++) {
    requests[i] = make_request(&key, 48, 1, i % 3 == 0);
    memcpy(texts[i], requests[i]->memory, 48);
    CHECK_EQUAL(submit(requests[i]), -EINPROGRESS);
  }
  CHECK(key.in_slot);
  const u8 slot = key.slot;
  owk_device_withdraw(&device);
  CHECK_EQUAL(owk_counts.withdrawn.value, REQUESTS);
  for (unsigned i = 0; i < REQUESTS; i++) {
    check_end(requests[i], texts[i]);
    CHECK_EQUAL(requests[i]->error, !hangs ? 0 : i % 3 == 0 ? -EIO : -EAGAIN);
    free(requests[i]);
  }
  CHECK(!key.in_slot);
  CHECK(!fake->keys[slot].valid);
  queue->poll.scheduled = false; /* tasklet_kill() would wait for it */
  owk_device_end(&device);
  struct request *absent = make_request(&key, 48, 1, false);
  CHECK_EQUAL(submit(absent), -EAGAIN);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_ABSENT].value, 1);
  free(absent);
  fake_reset(fake);
  fake->idle = false;
  CHECK_EQUAL(ow_device_open(&device.device, &device.platform), OW_OK);
  CHECK_EQUAL(owk_device_begin(&device), 0);
  owk_device_publish(&device);
  for (unsigned i = 0; i < 3; i++) {
    ask_device(&key, 48);
  }
  CHECK(key.in_slot);
  kernel_is_quiet = false;
  owk_key_clear(&key);
  close_device();
}

static void test_a_device_that_is_taken_away(void) {
  take_away(false);
  take_away(true);
}

/* Opens a message with a wrong tag, whose text the device cannot wipe. */
static void leave_text(bool in_place, bool is_kept) {
  enum { AAD = 8, LENGTH = 64, PARTS = 2 };
  static const u8 zeros[LENGTH];
  struct owk_key key;
  u8 sealed[AAD + LENGTH + 16];
  owk_keep = is_kept ? sizeof(sealed) : 0;
  open_device();
  new_key(&key);
  struct request *request = make_request(&key, AAD + LENGTH, PARTS, in_place);
  request->length = LENGTH;
  request->aad = AAD;
  request->decrypt = true;
  if (!in_place) {
    request->source[PARTS - 1].length += 16;
  }
  memcpy(sealed, request->memory, sizeof(sealed));
  fake->wipe_fails = true;
  CHECK_EQUAL(submit(request), -EINPROGRESS);
  pump();
  CHECK_EQUAL(request->ended, 1);
  CHECK_EQUAL(request->error, in_place && !is_kept ? -EIO : -EAGAIN);
  CHECK(memcmp(request->result + AAD, in_place && is_kept ? sealed + AAD : zeros, LENGTH) == 0);
  CHECK(memcmp(request->memory, sealed, in_place && !is_kept ? AAD : sizeof(sealed)) == 0);
  free(request);
  owk_key_clear(&key);
  close_device();
  owk_keep = 0;
}

static void test_text_of_a_forged_message_is_zeroed(void) {
  leave_text(false, false);
  leave_text(true, false);
  leave_text(true, true);
}

int main(void) {
  RUN(test_ten_thousand_faults);
  RUN(test_a_reset_that_nobody_asked_for);
  RUN(test_a_device_that_was_reset);
  RUN(test_keys_that_are_gone);
  RUN(test_a_device_that_does_not_come_back);
  RUN(test_a_device_that_is_taken_away);
  RUN(test_text_of_a_forged_message_is_zeroed);
  return 0;
}
