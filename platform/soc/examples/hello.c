/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The smallest program: prints, and ends.
 */
#include <stdio.h>

#include "soc.h"

int main(void) {
  uint32_t begin = soc_cycles();
  soc_empty_data_cache();
  uint32_t end = soc_cycles();
  printf("Hello. Emptying the data cache takes %lu cycles.\n", (unsigned long)(end - begin));
  return 0;
}
