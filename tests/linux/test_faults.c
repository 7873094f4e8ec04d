/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The kernel module's queue on a device that fails again and again: every request ends once, with
 * the right result, or for software to do it, or with an error that says that its source is lost.
 */
#include "requests.h"

enum fault { LOST_INTERRUPT, HANG, JOB_ERROR, WRONG_RECORD, LOST_WRITE, FAULTS };

static void make_fault(enum fault fault) {
  static const u8 errors[] = {OW_DEVICE_WINDOW_VIOLATION, OW_DEVICE_READ_ERROR,
                              OW_DEVICE_WRITE_ERROR, OW_DEVICE_TIMEOUT, OW_DEVICE_FAULT};
  fake->idle = fault == HANG;
  fake->force_status = fault == JOB_ERROR ? errors[random_below(sizeof(errors))] : 0;
  fake->bad_cookie = fault == WRONG_RECORD;
  fake->lose_write_at = fault == LOST_WRITE ? 1 + random_below(3) : 0;
}

static void no_fault(void) {
  make_fault(FAULTS);
}

/* Checks that a request has ended once: with the right result, or with its source intact, for
 * software. If it was in place, its source may be lost: then there is an error. */
static void check_end(const struct request *request, const u8 *text) {
  CHECK_EQUAL(request->ended, 1);
  if (request->error == 0) {
    check_result(request, text);
  } else if (request->error == -EAGAIN) {
    CHECK(memcmp(request->memory, text, request->length) == 0);
  } else {
    CHECK_EQUAL(request->error, -EIO);
    CHECK(request->result == request->memory);
  }
}

static void test_ten_thousand_faults(void) {
  enum { ROUNDS = 10000, REQUESTS = 2, LENGTH = 32 };
  struct owk_key key;
  unsigned in_software = 0;
  open_device();
  new_key(&key);
  kernel_is_quiet = true;
  const size_t allocated = fake->allocated;
  for (unsigned round = 0; round < ROUNDS + 2; round++) {
    struct request *requests[REQUESTS];
    u8 texts[REQUESTS][LENGTH];
    const bool is_good = round < 2; /* the key gets its slot */
    const enum fault fault = is_good ? FAULTS : (enum fault)random_below(FAULTS);
    make_fault(fault);
    for (unsigned i = 0; i < REQUESTS; i++) {
      requests[i] = make_request(&key, LENGTH, 1, random_below(4) == 0);
      memcpy(texts[i], requests[i]->memory, LENGTH);
      CHECK_EQUAL(submit(requests[i]), -EINPROGRESS);
    }
    fake_work(fake);
    fake->queues[0].pending = fake->queues[0].pending && fault != LOST_INTERRUPT;
    pump();
    no_fault();
    for (unsigned look = 0; look < 4; look++) {
      owk_watchdog(&device.watchdog.work);
      pump();
    }
    for (unsigned i = 0; i < REQUESTS; i++) {
      check_end(requests[i], texts[i]);
      in_software += requests[i]->error == -EAGAIN;
      free(requests[i]);
    }
    CHECK(irq_enabled());
    fake->allocated = allocated;
  }
  printf("%d faults: %u requests for software, %u errors, %u resets, %u interrupts missed\n",
         ROUNDS, in_software, (unsigned)device.errors.value, (unsigned)queue->resets,
         (unsigned)queue->missed);
  CHECK(queue->resets > ROUNDS / 4 && queue->missed > ROUNDS / 10);
  CHECK(in_software > ROUNDS / 2 && device.errors.value > ROUNDS / 20);
  kernel_is_quiet = false;
  owk_key_clear(&device, &key);
  close_device();
}

int main(void) {
  RUN(test_ten_thousand_faults);
  return 0;
}
