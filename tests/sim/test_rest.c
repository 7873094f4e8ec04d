/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests that a long run, which leaves out cycles of a device at rest, ends like many short ones,
 * which compute each: the same cycle, the device's own counter, and the same cycles of later jobs.
 */
#include "bench.h"

enum { LONG = 100003, SHORT = 97 };

/* Opens a board, uses it, and lets LONG cycles pass, at most `step` with one call. Returns the
 * device's counter of cycles then; *now: the board's; *job: the cycles of a job after that. */
static uint32_t rest(uint64_t step, const struct ow_sim_parameters *parameters, uint64_t *now,
                     uint32_t *job) {
  struct bench bench;
  bench_open(&bench, parameters);
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, 1024, NULL), OW_OK);
  for (uint64_t left = LONG; left > 0;) {
    const uint64_t cycles = left < step ? left : step;
    ow_sim_run(bench.sim, cycles);
    left -= cycles;
  }
  *now = ow_sim_cycles(bench.sim);
  const uint32_t counter =
      bench.platform.read32(bench.platform.context, OW_GLOBAL_CYCLE_LOW_OFFSET);
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, 4096, job), OW_OK);
  bench_close(&bench);
  return counter;
}

static void compare(const struct ow_sim_parameters *parameters) {
  uint64_t now[2];
  uint32_t job[2];
  const uint32_t at_once = rest(LONG, parameters, &now[0], &job[0]);
  const uint32_t in_steps = rest(SHORT, parameters, &now[1], &job[1]);
  CHECK_EQUAL(now[0], now[1]);
  CHECK_EQUAL(at_once, in_steps);
  CHECK_EQUAL(job[0], job[1]);
}

static void test_a_long_run(void) {
  compare(NULL);
}

static void test_a_long_run_with_little_bandwidth(void) {
  struct ow_sim_parameters parameters;
  ow_sim_defaults(&parameters);
  parameters.read_beats_per_100 = 37;
  parameters.write_beats_per_100 = 11;
  compare(&parameters);
}

int main(void) {
  RUN(test_a_long_run);
  RUN(test_a_long_run_with_little_bandwidth);
  return 0;
}
