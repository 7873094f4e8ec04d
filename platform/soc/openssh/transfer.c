/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Runs a program and takes what it writes, which has to be a file: transfer FILE PROGRAM [WORD…].
 *
 * Says when the last byte of the file has come, and compares afterwards. The exit status is 0 if
 * the file is whole and the program ended well.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transfer.h"

#define MOST_BYTES (1u << 20)

static char wanted[MOST_BYTES], got[MOST_BYTES + 1];

/* Reads to the end, or to the size of `memory`. `say_at`: bytes after which to say so; 0: never. */
static size_t read_all(int file, char *memory, size_t size, size_t say_at) {
  size_t length = 0;
  for (;;) {
    const ssize_t more = read(file, memory + length, size - length);
    if (more <= 0) {
      return length;
    }
    length += (size_t)more;
    if (length == say_at) {
      say_time("end", (uint32_t)length);
    }
  }
}

int main(int count, char **arguments) {
  int ends[2], status = -1;
  const int file = count > 2 ? open(arguments[1], O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0 || pipe(ends) != 0) {
    perror("transfer");
    return 2;
  }
  const size_t length = read_all(file, wanted, sizeof(wanted), 0);
  const pid_t child = fork();
  if (child == 0) {
    (void)dup2(ends[1], STDOUT_FILENO);
    (void)close(ends[0]);
    (void)close(ends[1]);
    (void)execv(arguments[2], arguments + 2);
    perror(arguments[2]);
    _exit(127);
  }
  (void)close(ends[1]);
  const size_t arrived = read_all(ends[0], got, sizeof(got), length);
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    (void)printf("transfer: the program failed with %d, after %zu bytes\n", status, arrived);
    return 1;
  }
  if (arrived != length || memcmp(got, wanted, length) != 0) {
    (void)printf("transfer: %zu bytes have arrived, which are not the %zu of %s\n", arrived, length,
                 arguments[1]);
    return 1;
  }
  (void)printf("transfer: whole\n");
  return 0;
}
