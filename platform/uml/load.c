/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Loads a kernel module, for the guest: load FILE [PARAMETERS]
 *
 * Once only: the shell's insmod tries again in another way if a module fails, and one that does its
 * work while it is loaded, and then fails with EAGAIN so as not to stay, would do it twice. That
 * counts as success.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fprintf(stderr, "usage: load FILE [PARAMETERS]\n");
    return 2;
  }
  const int file = open(argv[1], O_RDONLY);
  if (file < 0 ||
      (syscall(SYS_finit_module, file, argc == 3 ? argv[2] : "", 0) != 0 && errno != EAGAIN)) {
    fprintf(stderr, "load: %s: %s\n", argv[1], strerror(errno));
    return 1;
  }
  return 0;
}
