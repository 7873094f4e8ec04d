/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The smallest test runner: CHECK ends the program at the first condition that is false.
 */
#ifndef OUTWORK_TEST_CHECK_H
#define OUTWORK_TEST_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s: not so: %s\n", __FILE__, __LINE__, __func__, #condition);        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* Compares two integers; prints both if they differ. */
#define CHECK_EQUAL(got, wanted)                                                                   \
  do {                                                                                             \
    long long got_ = (long long)(got), wanted_ = (long long)(wanted);                              \
    if (got_ != wanted_) {                                                                         \
      fprintf(stderr, "%s:%d: %s: %s is %lld, not %lld\n", __FILE__, __LINE__, __func__, #got,     \
              got_, wanted_);                                                                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define RUN(test)                                                                                  \
  do {                                                                                             \
    test();                                                                                        \
    printf("ok %s\n", #test);                                                                      \
    fflush(stdout);                                                                                \
  } while (0)

#endif
