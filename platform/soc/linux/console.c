/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What programs under Linux with picolibc share: the console, and their end.
 */
#include <stdio.h>

#include "environment.h"
#include "system_calls.h"

/* The driver polls. */
bool (*const soc_wait_interrupt)(void *context, unsigned queue, uint32_t limit_us) = NULL;

/* A system call for each line: it takes the kernel's console some thousand cycles. */
static char line[128];
static size_t line_len;

static int console_flush(FILE *file) {
  (void)file;
  (void)system_write(1, line, line_len);
  line_len = 0;
  return 0;
}

static int console_put(char character, FILE *file) {
  line[line_len++] = character;
  if (character == '\n' || line_len == sizeof(line)) {
    (void)console_flush(file);
  }
  return (unsigned char)character;
}

static FILE console = FDEV_SETUP_STREAM(console_put, NULL, console_flush, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;
FILE *const stderr = &console;

_Noreturn void soc_exit(int status) {
  (void)console_flush(&console);
  system_exit(status);
}

void _exit(int status) {
  soc_exit(status);
}
