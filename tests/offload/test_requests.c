/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Requests of the maximum length and longer, and many at once: each is done, or counted as the
 * CPU's with its reason.
 */
#include <dirent.h>
#include <dlfcn.h>

#include "check.h"
#include "fake_board.h"
#include "lane.h"
#include "offload.h"
#include "pool.h"

static struct ow_offload *offload;
static const uint8_t key[16] = {1, 2, 3}, iv[64] = {4, 5, 6};
static uint8_t input[OW_REQUEST_BYTES + 1], output[OW_REQUEST_BYTES + 1];

static struct ow_offload_totals totals(void) {
  struct ow_offload_totals now;
  ow_offload_totals(offload, &now);
  return now;
}

/* The device does it; or it is too long, which is counted. */
static void check_fits(struct ow_request request, bool fits) {
  struct ow_offload_totals before = totals();
  CHECK_EQUAL(ow_offload_run(offload, &request), fits);
  struct ow_offload_totals after = totals();
  CHECK_EQUAL(after.jobs - before.jobs, fits);
  CHECK_EQUAL(after.cpu_requests[OW_FALLBACK_LENGTH] - before.cpu_requests[OW_FALLBACK_LENGTH],
              !fits);
}

static void test_limits(void) {
  for (unsigned more = 0; more < 2; more++) {
    struct ow_request request = {.opcode = OW_OP_AES_CTR,
                                 .key = key,
                                 .key_len = sizeof(key),
                                 .iv = iv,
                                 .iv_len = 16,
                                 .input = input,
                                 .output = output,
                                 .length = OW_REQUEST_BYTES + more};
    check_fits(request, more == 0);
    request.opcode = OW_OP_AES_GCM;
    request.tag_len = 16;
    request.length = 100;
    request.aad = input;
    request.iv_len = 12;
    request.aad_len = OW_REQUEST_AAD_BYTES + more;
    check_fits(request, more == 0);
    request.aad_len = 20;
    request.iv_len = 64 + more;
    check_fits(request, more == 0);
    struct ow_request hash = {.opcode = OW_OP_SHAKE128,
                              .input = input,
                              .length = 10,
                              .output = output,
                              .output_len = OW_REQUEST_BYTES + more};
    check_fits(hash, more == 0);
  }
}

/* Fewer requests than one doorbell announces, as many, and more, each with its own result. */
static void test_many(void) {
  enum { MOST = 3 * OW_REQUESTS_TOGETHER + 1, LENGTH = 50 };
  static const size_t counts[] = {
      1, 2, 3, OW_REQUESTS_TOGETHER - 1, OW_REQUESTS_TOGETHER, OW_REQUESTS_TOGETHER + 1, MOST};
  static struct ow_request requests[MOST];
  static uint8_t outputs[MOST][LENGTH], wanted[LENGTH], ivs[MOST][16];
  for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
    bool done[MOST] = {false};
    uint64_t jobs = totals().jobs;
    memset(outputs, 0, sizeof(outputs));
    for (size_t j = 0; j < counts[i]; j++) {
      ivs[j][0] = (uint8_t)(j + 1);
      requests[j] = (struct ow_request){.opcode = OW_OP_AES_CTR,
                                        .key = key,
                                        .key_len = sizeof(key),
                                        .iv = ivs[j],
                                        .iv_len = sizeof(ivs[j]),
                                        .input = input,
                                        .output = outputs[j],
                                        .length = LENGTH};
    }
    ow_offload_run_many(offload, requests, done, counts[i]);
    CHECK_EQUAL(totals().jobs - jobs, counts[i]);
    for (size_t j = 0; j < counts[i]; j++) {
      CHECK(done[j] && requests[j].status == OW_OK && requests[j].cycles != 0);
      struct ow_request alone = requests[j];
      alone.output = wanted;
      CHECK(ow_offload_run(offload, &alone));
      CHECK(memcmp(outputs[j], wanted, LENGTH) == 0);
    }
  }
}

/* Returns whether these bytes are in memory accessible to the device. */
static bool is_in_lanes(const uint8_t *bytes, size_t length) {
  void *library = dlopen(getenv("OUTWORK_TEST_LIBRARY"), RTLD_NOW);
  fake_board_lock_fn *lock;
  fake_board_unlock_fn *unlock;
  *(void **)&lock = dlsym(library, "fake_board_lock");
  *(void **)&unlock = dlsym(library, "fake_board_unlock");
  const struct fake_device *fake = lock();
  const size_t arena = OW_QUEUE_COUNT * ow_pool_bytes_per_queue();
  bool found = memmem(fake->arena, arena, bytes, length) != NULL;
  unlock();
  dlclose(library);
  return found;
}

/* The key of a public-key job is its AAD: nothing of it stays in the lane. */
static void test_secret_operand(void) {
  static const uint8_t parameters[OW_PKA_PARAMETERS_SIZE];
  for (unsigned secret = 0; secret < 2; secret++) {
    uint8_t operand[200];
    memset(operand, 0xa0 + (int)secret, sizeof(operand));
    struct ow_request request = {.opcode = OW_OP_RSA_PUBLIC,
                                 .key = secret ? operand : NULL,
                                 .iv = parameters,
                                 .iv_len = sizeof(parameters),
                                 .aad = operand,
                                 .aad_len = sizeof(operand),
                                 .input = input,
                                 .output = output,
                                 .length = 100,
                                 .output_len = 100};
    CHECK(!ow_offload_run(offload, &request));
    CHECK_EQUAL(request.status, OW_BAD_ARGUMENT); /* the operand is no key */
    CHECK_EQUAL(is_in_lanes(operand, sizeof(operand)), secret == 0);
  }
}

static unsigned open_files(void) {
  unsigned count = 0;
  DIR *folder = opendir("/proc/self/fd");
  CHECK(folder != NULL);
  while (readdir(folder) != NULL) {
    count++;
  }
  closedir(folder);
  return count;
}

int main(void) {
  const struct ow_offload_settings settings = {
      .library = getenv("OUTWORK_TEST_LIBRARY"), .policy = "always", .host = "test"};
  for (size_t i = 0; i < sizeof(input); i++) {
    input[i] = (uint8_t)(i * 13);
  }
  unsigned files = open_files();
  offload = ow_offload_open(&settings);
  CHECK(offload != NULL);
  CHECK(ow_offload_wants(offload, OW_OP_AES_CTR, 16, false, 100)); /* opens the device */
  RUN(test_limits);
  RUN(test_many);
  RUN(test_secret_operand);
  ow_offload_close(offload);
  CHECK_EQUAL(open_files(), files);
  return 0;
}
