/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Prepares the guest for sshd, which wants an empty folder for its unprivileged half, and refuses
 * keys that others may read.
 */
#include <stdio.h>
#include <sys/stat.h>

int main(void) {
  if (mkdir("/empty", 0755) != 0 || chmod("/host_key", 0600) != 0) {
    perror("prepare");
    return 1;
  }
  return 0;
}
