/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A library on the bare machine: waits poll.
 */
#include "library.h"

void library_environment(struct ow_platform *platform, struct ow_offload_firmware *firmware) {
  (void)firmware;
  soc_platform(platform);
  platform->wait_interrupt = NULL;
}

int main(void) {
  return library_measure();
}
