/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The guest's /bin/sh, as far as ssh and sshd need one: `sh -c WORDS`, words separated by spaces.
 *
 * `send FILE` says when it begins (transfer.c measures from there) and writes the file to its
 * output, as `cat` does; everything else is a program with arguments.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "transfer.h"

#define WORDS       32
#define PIECE_BYTES (1 << 16)

/* Writes a file to the output. Returns the exit status. */
static int send_file(const char *path) {
  static char piece[PIECE_BYTES];
  const int file = open(path, O_RDONLY);
  if (file < 0) {
    perror(path);
    return 1;
  }
  say_time("begin", 0);
  for (;;) {
    const ssize_t length = read(file, piece, sizeof(piece));
    if (length <= 0) {
      return length == 0 ? 0 : 1;
    }
    for (ssize_t sent = 0; sent < length;) {
      const ssize_t written = write(STDOUT_FILENO, piece + sent, (size_t)(length - sent));
      if (written < 0) {
        perror("write");
        return 1;
      }
      sent += written;
    }
  }
}

int main(int count, char **arguments) {
  static char *words[WORDS + 1];
  if (count != 3 || strcmp(arguments[1], "-c") != 0) {
    (void)fprintf(stderr, "usage: sh -c WORDS\n");
    return 2;
  }
  size_t number = 0;
  for (char *word = strtok(arguments[2], " "); word != NULL; word = strtok(NULL, " ")) {
    if (number == WORDS) {
      (void)fprintf(stderr, "sh: there are more than %d words\n", WORDS);
      return 2;
    }
    if (number > 0 || strcmp(word, "exec") != 0) {
      words[number++] = word;
    }
  }
  if (number == 2 && strcmp(words[0], "send") == 0) {
    return send_file(words[1]);
  }
  if (number > 0) {
    (void)execv(words[0], words);
    perror(words[0]);
  }
  return 127;
}
