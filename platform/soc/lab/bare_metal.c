/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A point of the lab on the bare machine: waits are polls.
 */
#include "point.h"
#include "soc.h"

void point_platform(struct ow_platform *platform) {
  soc_platform(platform);
  platform->wait_interrupt = NULL;
}

int main(void) {
  return point_measure();
}
