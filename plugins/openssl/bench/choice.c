/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Measures whether the provider under a policy is as fast as the better of CPU and device, at every
 * message size.
 *
 * The time of a message is the CPU time of its calls (on a board that takes none) plus the cycles
 * that the simulated board counts for it, at its clock. Without a policy on the command line the
 * bench makes one first, from measurements at other sizes.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "outwork/spec.h"
#include "tapped_board.h"

#define ROUNDS   15u
#define ATTEMPTS 10u
#define COUNTED  4u /* messages on the simulated board */
#define BATCH_NS 300000.0
#define LONGEST  65536u
/* Target: longest time over that of the better one, as a share. */
#define EXCESS 0.05

enum { NEVER, ALWAYS, AUTO, WAYS };

/* A context on each of the two boards. */
struct pair {
  struct way timed, counted;
};

static const struct {
  const char *name;
  uint8_t opcode, key_len;
} ciphers[] = {{"AES-256-GCM", OW_OP_AES_GCM, 32},
               {"AES-128-CBC", OW_OP_AES_CBC, 16},
               {"AES-128-CTR", OW_OP_AES_CTR, 16}};
static uint8_t input[LONGEST], output[LONGEST + 16];

static void pair_open(struct pair *pair, const char *cipher, const char *policy) {
  way_open(&pair->timed, cipher, path_of("OUTWORK_BENCH_NULL_BOARD"), policy);
  way_open(&pair->counted, cipher, path_of("OUTWORK_BENCH_BOARD"), policy);
}

static void pair_close(struct pair *pair) {
  way_close(&pair->timed);
  way_close(&pair->counted);
}

static double cpu_of(struct way *way, size_t size, unsigned batch) {
  double begin = cpu_ns();
  for (unsigned i = 0; i < batch; i++) {
    way_seal(way, output, input, size);
  }
  return (cpu_ns() - begin) / batch;
}

/* Returns the device time of a message. The board's clock stands still while software works. */
static double device_of(struct way *way, size_t size) {
  struct ow_sim_parameters parameters;
  ow_sim_defaults(&parameters);
  way_seal(way, output, input, size);
  uint64_t cycles = ow_tapped_cycles();
  for (unsigned i = 0; i < COUNTED; i++) {
    way_seal(way, output, input, size);
  }
  cycles = ow_tapped_cycles() - cycles;
  return (double)cycles / COUNTED * 1e9 / (double)parameters.clock_hz;
}

/* Measures the time of a message of this size for each context, in ns. The contexts take turns in
 * each round. */
static void measure(double times[], struct pair pairs[], unsigned pairs_len, size_t size) {
  double rounds[WAYS][ROUNDS];
  unsigned batch[WAYS];
  for (unsigned way = 0; way < pairs_len; way++) {
    double once = cpu_of(&pairs[way].timed, size, 8);
    batch[way] = once < BATCH_NS ? (unsigned)(BATCH_NS / once) : 1;
  }
  for (unsigned i = 0; i < ROUNDS; i++) {
    for (unsigned way = 0; way < pairs_len; way++) {
      way_free_context(&pairs[way].timed);
    }
    for (unsigned way = 0; way < pairs_len; way++) { /* a different order in each round */
      way_new_context(&pairs[(way + i) % pairs_len].timed);
    }
    for (unsigned way = 0; way < pairs_len; way++) {
      (void)cpu_of(&pairs[way].timed, size, 2);
      rounds[way][i] = cpu_of(&pairs[way].timed, size, batch[way]);
    }
  }
  for (unsigned way = 0; way < pairs_len; way++) {
    times[way] = quartile(rounds[way], ROUNDS) + device_of(&pairs[way].counted, size);
  }
}

/* Returns the first size from which the device is faster; interpolates between the measured sizes.
 * INFINITY: never. */
static double crossing(const size_t sizes[], double times[][WAYS], size_t sizes_len) {
  double from = INFINITY;
  for (size_t i = sizes_len; i-- > 0;) {
    double lead = times[i][ALWAYS] - times[i][NEVER];
    if (lead > 0) {
      if (i + 1 == sizes_len) {
        return INFINITY;
      }
      double next = times[i + 1][ALWAYS] - times[i + 1][NEVER];
      return (double)sizes[i] + (double)(sizes[i + 1] - sizes[i]) * lead / (lead - next);
    }
    from = 0;
  }
  return from;
}

/* Measures, and writes a policy of one rule to a new file. */
static void make_policy(char path[], unsigned cipher, struct pair pairs[]) {
  static const size_t sizes[] = {16, 48, 112, 240, 496, 1008, 2032, 4080, 16368};
  enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
  double times[SIZES][WAYS];
  for (size_t i = 0; i < SIZES; i++) {
    measure(times[i], pairs, AUTO, sizes[i]);
  }
  double from = crossing(sizes, times, SIZES);
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  if (out == NULL) {
    give_up(path, "cannot write the file");
  }
  fprintf(out, "outwork-policy 1\n0x%02x %u encrypt 1 ", ciphers[cipher].opcode,
          ciphers[cipher].key_len);
  if (isfinite(from)) {
    fprintf(out, "%.0f -\n", ceil(from));
    printf("%s: the device from %.0f bytes on\n", ciphers[cipher].name, ceil(from));
  } else {
    fprintf(out, "never\n");
    printf("%s: never the device\n", ciphers[cipher].name);
  }
  fclose(out);
}

static bool sweep(unsigned cipher, const char *policy) {
  struct pair pairs[WAYS];
  char path[] = "/tmp/outwork-policy-XXXXXX";
  bool good = true;
  pair_open(&pairs[NEVER], ciphers[cipher].name, "never");
  pair_open(&pairs[ALWAYS], ciphers[cipher].name, "always");
  if (policy == NULL) {
    make_policy(path, cipher, pairs);
  }
  pair_open(&pairs[AUTO], ciphers[cipher].name, policy != NULL ? policy : path);
  for (size_t size = 32; size <= LONGEST;
       size = (size & (size - 1)) == 0 ? size * 3 / 2 : size * 4 / 3) {
    double times[WAYS] = {INFINITY, INFINITY, INFINITY}, excess = INFINITY;
    size_t whole = size & ~(size_t)15;
    /* Measures a slow result again: load of other programs passes, a slow provider stays slow. */
    for (unsigned attempt = 0; attempt < ATTEMPTS && !(excess <= EXCESS); attempt++) {
      double again[WAYS];
      measure(again, pairs, WAYS, whole);
      for (unsigned way = 0; way < WAYS; way++) {
        times[way] = again[way] < times[way] ? again[way] : times[way];
      }
      excess = times[AUTO] / (times[NEVER] < times[ALWAYS] ? times[NEVER] : times[ALWAYS]) - 1;
    }
    good = good && excess <= EXCESS;
    printf("%-12s %6zu %10.0f %10.0f %10.0f %7.1f %% %s\n", ciphers[cipher].name, whole,
           times[NEVER], times[ALWAYS], times[AUTO], 100 * excess,
           excess <= EXCESS ? "" : "<-- too slow");
  }
  for (unsigned way = 0; way < WAYS; way++) {
    pair_close(&pairs[way]);
  }
  if (policy == NULL) {
    unlink(path);
  }
  return good;
}

bool bench_choice(const char *policy) {
  bool good = true;
  printf(
      "A message, ns: all on the CPU, all on the device, by the policy; and how much slower than "
      "the better one (at most %.0f %%)\n",
      100 * EXCESS);
  for (unsigned i = 0; i < sizeof(ciphers) / sizeof(ciphers[0]); i++) {
    good = sweep(i, policy) && good;
  }
  return good;
}
