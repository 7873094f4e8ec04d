/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A device with less memory than the plug-ins ask for: its queues have fewer lanes. The link to the
 * kernel module asks for less when it gets no more; the linker puts a function of this test in the
 * place of ioctl().
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "outwork/linux_abi.h"
#include "pool_queue.h"

enum { TOGETHER = OW_REQUESTS_TOGETHER, LENGTH = 48, KERNEL_MOST = 4 << 20 };

static const struct ow_offload_settings settings = {.policy = "always", .host = "test"};
static uint32_t asked[32];
static unsigned asks;

int __wrap_ioctl(int file, unsigned long request, ...);

/* A kernel with memory of at most KERNEL_MOST bytes in one piece. */
int __wrap_ioctl(int file, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  const struct ow_linux_open *at = va_arg(arguments, void *);
  va_end(arguments);
  CHECK(file >= 0 && asks < sizeof(asked) / sizeof(asked[0]));
  CHECK_EQUAL(request, OW_LINUX_OPEN);
  asked[asks++] = at->memory_bytes;
  errno = ENOMEM;
  return at->memory_bytes > KERNEL_MOST ? -1 : 0;
}

static void test_asks_the_kernel_for_less(void) {
  char path[] = "/tmp/outwork-memory-XXXXXX";
  const int file = mkstemp(path);
  struct ow_offload_settings named = settings;
  struct ow_link link;
  named.socket = path;
  CHECK(file >= 0 && ow_pool_bytes_per_queue() > KERNEL_MOST);
  CHECK(ow_link_open_linux(&link, &named, ow_pool_bytes_per_queue()) == NULL);
  CHECK_EQUAL(asks, 2);
  CHECK_EQUAL(asked[0], ow_pool_bytes_per_queue());
  CHECK_EQUAL(asked[1], KERNEL_MOST);
  CHECK_EQUAL(link.memory_len, KERNEL_MOST);
  link.close(&link);
  CHECK(close(file) == 0 && unlink(path) == 0);
}

static void open_board(struct ow_link *link, size_t bytes_per_queue) {
  struct ow_offload_settings named = settings;
  named.library = getenv("OUTWORK_TEST_LIBRARY");
  CHECK(ow_link_open_sim(link, &named, bytes_per_queue) == NULL);
}

/* Returns the number of lanes of every queue, which are in the queue's own part of the memory. */
static unsigned lanes_of(const struct ow_pool *pool, const struct ow_link *link) {
  const size_t bytes = link->memory_len / link->queues_len;
  const unsigned lanes = (unsigned)__builtin_popcountll(pool->queues[0].free);
  for (unsigned i = 0; i < pool->queues_len; i++) {
    const uint8_t *part = (const uint8_t *)link->memory + i * bytes;
    const struct ow_pool_queue *queue = &pool->queues[i];
    CHECK_EQUAL(queue->free, lanes == LANES ? UINT64_MAX : (UINT64_C(1) << lanes) - 1u);
    CHECK((const uint8_t *)queue->memory >= part + OW_QUEUE_MEMORY_BYTES(LANES_LOG2));
    CHECK((const uint8_t *)(queue->memory + lanes) <= part + bytes);
  }
  return lanes;
}

/* More requests than lanes: each has the result that it has alone. */
static void run_requests(struct ow_pool *pool) {
  static const uint8_t key[16] = {1, 2, 3}, input[LENGTH] = {9};
  static uint8_t outputs[TOGETHER][LENGTH], wanted[LENGTH], ivs[TOGETHER][16];
  struct ow_request requests[TOGETHER], *list[TOGETHER];
  ow_status statuses[TOGETHER];
  for (unsigned i = 0; i < TOGETHER; i++) {
    ivs[i][0] = (uint8_t)(i + 1);
    requests[i] = (struct ow_request){.opcode = OW_OP_AES_CTR,
                                      .key = key,
                                      .key_len = sizeof(key),
                                      .iv = ivs[i],
                                      .iv_len = 16,
                                      .input = input,
                                      .output = outputs[i],
                                      .length = LENGTH};
    list[i] = &requests[i];
  }
  memset(outputs, 0, sizeof(outputs));
  ow_pool_run_many(pool, list, statuses, TOGETHER, &settings);
  for (unsigned i = 0; i < TOGETHER; i++) {
    CHECK_EQUAL(statuses[i], OW_OK);
    CHECK(requests[i].cycles != 0);
    requests[i].output = wanted;
    CHECK_EQUAL(ow_pool_run(pool, &requests[i], &settings, true), OW_OK);
    CHECK(memcmp(outputs[i], wanted, LENGTH) == 0);
  }
}

static void check_lanes(size_t bytes_per_queue, unsigned lanes) {
  struct ow_link link;
  ow_status status;
  open_board(&link, bytes_per_queue);
  struct ow_pool *pool = ow_pool_open(&link, &status);
  CHECK(pool != NULL);
  CHECK_EQUAL(lanes_of(pool, &link), lanes);
  run_requests(pool);
  CHECK_EQUAL(lanes_of(pool, &link), lanes); /* all were given back */
  ow_pool_close(pool);
  link.close(&link);
}

static void test_fewer_lanes(void) {
  check_lanes(ow_pool_bytes_per_queue(), LANES);
  check_lanes(KERNEL_MOST, 56);
  check_lanes(512u << 10, 6);
}

static void test_no_lane(void) {
  struct ow_link link;
  ow_status status;
  open_board(&link, OW_PAGE_SIZE);
  CHECK(ow_pool_open(&link, &status) == NULL);
  CHECK_EQUAL(status, OW_NO_DEVICE);
  link.close(&link);
}

int main(void) {
  RUN(test_asks_the_kernel_for_less);
  RUN(test_fewer_lanes);
  RUN(test_no_lane);
  return 0;
}
