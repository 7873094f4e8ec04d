/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Products of polynomials: this processor's instruction and the portable code against the sum of
 * shifted operands.
 */
#include "product.h"

#include <string.h>

#include "check.h"

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static unsigned bit(struct owp_polynomial x, unsigned n) {
  return (unsigned)((n < 64 ? x.low >> n : x.high >> (n - 64)) & 1);
}

static void by_shifts(uint64_t product[4], struct owp_polynomial x, struct owp_polynomial y) {
  memset(product, 0, 4 * sizeof(product[0]));
  for (unsigned i = 0; i < 128; i++) {
    for (unsigned j = 0; j < 128; j++) {
      product[(i + j) / 64] ^= (uint64_t)(bit(x, i) & bit(y, j)) << ((i + j) % 64);
    }
  }
}

static void compare(struct owp_polynomial x, struct owp_polynomial y) {
  uint64_t expected[4], here[4], portable[4];
  by_shifts(expected, x, y);
  owp_product(here, x, y);
  owp_product_portable(portable, x, y);
  CHECK(memcmp(here, expected, sizeof(expected)) == 0);
  CHECK(memcmp(portable, expected, sizeof(expected)) == 0);
}

int main(void) {
  const struct owp_polynomial all = {UINT64_MAX, UINT64_MAX};
  uint64_t state = 7;
  compare(all, all); /* the longest sums */
  for (unsigned i = 0; i < 128; i++) {
    struct owp_polynomial one = {i < 64 ? 0 : UINT64_C(1) << (i - 64),
                                 i < 64 ? UINT64_C(1) << i : 0};
    compare(one, all);
  }
  for (unsigned i = 0; i < 2000; i++) {
    struct owp_polynomial x = {next(&state), next(&state)}, y = {next(&state), next(&state)};
    compare(x, y);
  }
  return 0;
}
