/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Paused work of one thread has leased every lane: a request that only the device can do waits by
 * pausing, or is refused if it cannot be paused.
 */
#include <ucontext.h>
#include <unistd.h>

#include "check.h"
#include "offload.h"

enum { LANES = 256, STACK = 65536, LENGTH = 16 };

/* A piece of work with a stack of its own, like OpenSSL's asynchronous jobs. */
struct work {
  ucontext_t context;
  uint8_t *stack;
  bool over, good;
  bool retries;
};

static struct ow_offload *offload;
static struct ow_slot_key slot;
static ucontext_t turns; /* the context that runs the other pieces of work */
static struct work works[LANES + 1], *running;

static bool may_pause(void) {
  return running != NULL;
}

static void pause_work(void) {
  struct work *work = running;
  running = NULL;
  CHECK(swapcontext(&work->context, &turns) == 0);
}

static struct ow_request block_request(uint8_t output[LENGTH]) {
  static const uint8_t input[LENGTH] = {1};
  return (struct ow_request){
      .opcode = OW_OP_AES_ECB, .slot = &slot, .input = input, .output = output, .length = LENGTH};
}

static void do_work(void) {
  uint8_t output[LENGTH];
  struct work *work = running;
  struct ow_request request = block_request(output);
  work->good =
      work->retries ? ow_offload_run_retry(offload, &request) : ow_offload_run(offload, &request);
  work->over = true;
  running = NULL;
  setcontext(&turns);
}

static void let_go_on(struct work *work) {
  running = work;
  CHECK(swapcontext(&turns, &work->context) == 0);
}

static void start(struct work *work, bool retries) {
  *work = (struct work){.stack = malloc(STACK), .retries = retries};
  CHECK(work->stack != NULL && getcontext(&work->context) == 0);
  work->context.uc_stack.ss_sp = work->stack;
  work->context.uc_stack.ss_size = STACK;
  makecontext(&work->context, do_work, 0);
  let_go_on(work);
}

static void take_all_lanes(void) {
  for (unsigned i = 0; i < LANES; i++) {
    start(&works[i], false);
    CHECK(!works[i].over);
  }
  struct work more;
  start(&more, false); /* there is none for it */
  CHECK(more.over && !more.good);
  free(more.stack);
}

static void finish(unsigned count) {
  for (unsigned over = 0; over < count;) {
    for (unsigned i = 0; i < count; i++) {
      if (works[i].stack != NULL && !works[i].over) {
        let_go_on(&works[i]);
      } else if (works[i].stack != NULL) {
        CHECK(works[i].good);
        free(works[i].stack);
        works[i].stack = NULL;
        over++;
      }
    }
  }
}

static void test_paused(void) {
  take_all_lanes();
  start(&works[LANES], true);
  CHECK(!works[LANES].over);
  finish(LANES + 1);
}

static void test_not_paused(void) {
  uint8_t output[LENGTH];
  struct ow_request request = block_request(output);
  take_all_lanes();
  CHECK(!ow_offload_run_retry(offload, &request));
  CHECK_EQUAL(request.status, OW_BUSY);
  finish(LANES);
  CHECK(ow_offload_run_retry(offload, &request));
}

int main(void) {
  static const uint8_t key[16] = {1, 2, 3};
  const struct ow_key_material material = {
      .properties = {.encrypt = true}, .key = key, .key_len = sizeof(key)};
  const struct ow_offload_settings settings = {.library = getenv("OUTWORK_TEST_LIBRARY"),
                                               .policy = "always",
                                               .host = "test",
                                               .may_pause = may_pause,
                                               .pause = pause_work};
  alarm(120); /* a wait that never ends */
  offload = ow_offload_open(&settings);
  CHECK(offload != NULL);
  CHECK_EQUAL(ow_offload_key_load(offload, &slot, &material), OW_OK);
  RUN(test_paused);
  RUN(test_not_paused);
  CHECK_EQUAL(ow_offload_key_zeroise(offload, &slot), OW_OK);
  ow_offload_close(offload);
  return 0;
}
