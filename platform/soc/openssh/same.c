/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Compares two files: same FILE FILE. Prints "same: N bytes", and exits with 0, if they have the
 * same bytes; the exit status is 1 if they differ or one cannot be read.
 */
#include <stdio.h>

int main(int count, char **arguments) {
  if (count != 3) {
    (void)fprintf(stderr, "usage: same FILE FILE\n");
    return 1;
  }
  FILE *files[2];
  for (int i = 0; i < 2; i++) {
    files[i] = fopen(arguments[1 + i], "rb");
    if (files[i] == NULL) {
      perror(arguments[1 + i]);
      return 1;
    }
  }
  for (unsigned long at = 0;; at++) {
    const int byte = getc(files[0]);
    const int other = getc(files[1]);
    for (int i = 0; i < 2; i++) {
      if (ferror(files[i])) {
        perror(arguments[1 + i]);
        return 1;
      }
    }
    if (byte != other) {
      (void)printf("same: %s and %s differ at byte %lu\n", arguments[1], arguments[2], at);
      return 1;
    }
    if (byte == EOF) {
      (void)printf("same: %lu bytes\n", at);
      return 0;
    }
  }
}
