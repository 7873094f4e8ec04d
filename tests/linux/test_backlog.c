/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Requests that wait for an entry of the kernel module's queue, on the fake device: in turn, before
 * others, and none is lost when the device fails or goes.
 */
#include "queue.h"
#include "requests.h"

enum { WAITING = 5, ALL = ENTRIES + WAITING, LENGTH = 48 };

static struct owk_key key;
static struct request *requests[ALL];
static u8 texts[ALL][LENGTH];

/* Fills the ring of a device that does nothing, and the backlog behind it. */
static void fill_queue(void) {
  open_device();
  new_key(&key);
  fake->idle = true;
  for (unsigned i = 0; i < ALL; i++) {
    requests[i] = make_request(&key, LENGTH, 1 + i % 3, i % 4 == 3);
    requests[i]->may_wait = true;
    memcpy(texts[i], requests[i]->memory, LENGTH);
    CHECK_EQUAL(submit(requests[i]), i < ENTRIES ? -EINPROGRESS : -EBUSY);
  }
  CHECK_EQUAL(owk_counts.backlogged.value, WAITING);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_RING].value, 0);
}

static void empty_queue(void) {
  for (unsigned i = 0; i < ALL; i++) {
    CHECK_EQUAL(requests[i]->ended, 1);
    CHECK_EQUAL(requests[i]->told, i >= ENTRIES);
    free(requests[i]);
  }
  CHECK(list_empty(&queue->backlog));
  owk_key_clear(&key);
  close_device();
}

/* In the order in which they came. */
static void test_requests_wait_for_an_entry(void) {
  fill_queue();
  fake->idle = false;
  pump();
  for (unsigned i = 0; i < ALL; i++) {
    check_result(requests[i], texts[i]);
    CHECK_EQUAL(requests[i]->turn, i < ENTRIES ? 0 : i - ENTRIES + 1);
  }
  CHECK_EQUAL(fake->queues[0].jobs, ALL);
  CHECK_EQUAL(queue->missed, 0);
  empty_queue();
}

static unsigned mapped, looks;

static void look_at_waiting(void) {
  if (list_empty(&queue->backlog)) {
    mapped = fake_mapped(fake);
  } else {
    looks++;
    CHECK_EQUAL(fake_mapped(fake), mapped);
  }
}

/* Another CPU may map a request that waits, and end it, as soon as the lock is free. */
static void test_a_request_that_waits_is_not_mapped(void) {
  looks = 0;
  kernel_unlocked = look_at_waiting;
  fill_queue();
  kernel_unlocked = NULL;
  CHECK(looks >= WAITING);
  fake->idle = false;
  pump();
  empty_queue();
}

/* Who may not wait is refused, even while an entry is free that somebody waits for. */
static void test_nobody_is_overtaken(void) {
  fill_queue();
  struct request *other = make_request(&key, LENGTH, 1, false);
  CHECK_EQUAL(submit(other), -EAGAIN);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_RING].value, 1);
  fake->idle = false;
  fake_work(fake);
  struct owk_lane *finished;
  size_t found;
  ow_queue_poll(&queue->queue, &found);
  CHECK(found != 0);
  finished = owk_finished_take(queue);
  /* As if another CPU were about to serve the backlog: lanes are free, and one waits for them. */
  struct list_head waiting = queue->backlog;
  INIT_LIST_HEAD(&queue->backlog);
  owk_finish(queue, finished);
  CHECK(queue->free != NULL);
  queue->backlog = waiting;
  CHECK_EQUAL(submit(other), -EAGAIN);
  for (unsigned i = ENTRIES; i < ALL; i++) {
    CHECK_EQUAL(requests[i]->told, 0);
  }
  pump();
  for (unsigned i = 0; i < ALL; i++) {
    check_result(requests[i], texts[i]);
  }
  free(other);
  empty_queue();
}

/* The queue hangs: what it has is for software, those that wait find a queue that works again. */
static void test_a_reset_loses_none_that_waits(void) {
  kernel_is_quiet = true;
  fill_queue();
  for (unsigned look = 0; look < 3; look++) {
    owk_watchdog(&device.watchdog.work);
  }
  CHECK_EQUAL(queue->resets, 1);
  CHECK_EQUAL(requests[ENTRIES]->told, 1);
  fake->idle = false;
  pump();
  for (unsigned i = 0; i < ALL; i++) {
    if (i < ENTRIES) {
      CHECK_EQUAL(requests[i]->error, i % 4 == 3 ? -EIO : -EAGAIN);
    } else {
      check_result(requests[i], texts[i]);
    }
  }
  CHECK_EQUAL(fake->queues[0].jobs, WAITING);
  empty_queue();
  kernel_is_quiet = false;
}

/* A queue that cannot be reset, or is gone, has software do what waits. */
static void test_software_does_what_waits_for_nothing(void) {
  kernel_is_quiet = true;
  for (unsigned goes = 0; goes < 2; goes++) {
    fill_queue();
    if (goes) {
      owk_device_withdraw(&device);
    } else {
      fake->reset_hangs = true;
      for (unsigned look = 0; look < 3; look++) {
        owk_watchdog(&device.watchdog.work);
      }
      fake->reset_hangs = false;
    }
    for (unsigned i = 0; i < ALL; i++) {
      CHECK_EQUAL(requests[i]->error, i < ENTRIES && i % 4 == 3 ? -EIO : -EAGAIN);
    }
    CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_ABSENT].value, goes ? WAITING : 0);
    queue->poll.scheduled = false; /* tasklet_kill() would wait for it */
    empty_queue();
  }
  kernel_is_quiet = false;
}

/* What the device cannot have after all is for software too, when its turn has come. */
static void test_a_request_that_has_waited_is_refused(void) {
  fill_queue();
  fake->idle = false;
  requests[ENTRIES + 1]->source[0].length = 10; /* shorter than the request says */
  requests[ENTRIES + 1]->source[0].end = true;
  pump();
  for (unsigned i = 0; i < ALL; i++) {
    if (i == ENTRIES + 1) {
      CHECK_EQUAL(requests[i]->error, -EAGAIN);
    } else {
      check_result(requests[i], texts[i]);
    }
  }
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_MAP].value, 1);
  empty_queue();
}

/* The parameter says that nobody waits. */
static void test_the_backlog_can_be_turned_off(void) {
  owk_backlog = false;
  open_device();
  new_key(&key);
  fake->idle = true;
  for (unsigned i = 0; i < ENTRIES + 1; i++) {
    requests[i] = make_request(&key, LENGTH, 1, false);
    requests[i]->may_wait = true;
    CHECK_EQUAL(submit(requests[i]), i < ENTRIES ? -EINPROGRESS : -EAGAIN);
  }
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_RING].value, 1);
  fake->idle = false;
  pump();
  for (unsigned i = 0; i < ENTRIES + 1; i++) {
    free(requests[i]);
  }
  close_device();
  owk_backlog = true;
}

int main(void) {
  RUN(test_requests_wait_for_an_entry);
  RUN(test_a_request_that_waits_is_not_mapped);
  RUN(test_nobody_is_overtaken);
  RUN(test_a_reset_loses_none_that_waits);
  RUN(test_software_does_what_waits_for_nothing);
  RUN(test_a_request_that_has_waited_is_refused);
  RUN(test_the_backlog_can_be_turned_off);
  return 0;
}
