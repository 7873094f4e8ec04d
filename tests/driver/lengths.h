/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random lengths for the input of a call.
 */
#ifndef OUTWORK_TEST_LENGTHS_H
#define OUTWORK_TEST_LENGTHS_H

#include <stdint.h>

/* Returns a length: often none or a few bytes, sometimes more than a request takes, less than
 * 65,600. `roll` returns a random number below its argument. */
static inline uint32_t any_length(uint32_t (*roll)(uint32_t sides)) {
  switch (roll(8)) {
  case 0:
    return 0;
  case 1:
    return 1 + roll(15);
  case 2:
    return 16 * roll(8);
  case 3:
    return roll(20) == 0 ? 65500 + roll(100) : 16;
  default:
    return roll(1500);
  }
}

#endif
