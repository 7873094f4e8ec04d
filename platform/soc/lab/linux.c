/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A point of the lab in a process under Linux: waits are polls. The process says that it is there,
 * and waits until the point is in memory.
 */
#include <stdio.h>

#include "point.h"
#include "soc.h"

void point_platform(struct ow_platform *platform) {
  soc_platform(platform);
}

int main(void) {
  const volatile struct point *const point = (const struct point *)POINT_BASE;
  printf(POINT_READY "\n");
  while (point->point_bytes == 0) {
    soc_empty_data_cache(); /* the simulator writes to memory behind it */
  }
  printf(POINT_ENDED " %d\n", POINT_WORK());
  for (;;) { /* Linux takes a second of the simulator's time to end a process */
  }
}
