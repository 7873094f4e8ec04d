/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The OpenSSL provider's product of polynomials by the CPU's carry-less multiplication, against the
 * portable one. Prints both costs.
 */
#include <stdio.h>
#include <string.h>

#include "soc.h"

/* The C library is that of rv32imac, so the compiler is not told of Zbkc, but the source is, and
 * the assembler. */
__asm__(".option arch, +zbkc");
#define __riscv_zbkc
#include "product.c"

#define ROUNDS 100u

static uint64_t random64(void) {
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407u; /* Knuth's MMIX */
  return state ^ state >> 29;
}

int main(void) {
  uint32_t fast = 0, slow = 0;
  for (unsigned i = 0; i < ROUNDS; i++) {
    const struct owp_polynomial x = {random64(), random64()}, y = {random64(), random64()};
    uint64_t here[4], portable[4];
    const uint32_t begin = soc_cycles();
    owp_product(here, x, y);
    const uint32_t middle = soc_cycles();
    owp_product_portable(portable, x, y);
    const uint32_t end = soc_cycles();
    fast = middle - begin;
    slow = end - middle;
    if (memcmp(here, portable, sizeof(here)) != 0) {
      printf("product %u differs\n", i);
      return 1;
    }
  }
  printf("products %u, cycles %lu, portable %lu\n", ROUNDS, (unsigned long)fast,
         (unsigned long)slow);
  return 0;
}
