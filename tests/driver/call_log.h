/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The calls that a test has made so far, a line each, to print when the answers to one differ.
 */
#ifndef OUTWORK_TEST_CALL_LOG_H
#define OUTWORK_TEST_CALL_LOG_H

#include "check.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct call_log {
  char text[16384];
  size_t len; /* 0: empty */
};

/* Adds a line about the next call. */
__attribute__((format(printf, 2, 3))) static inline void call_log_note(struct call_log *log,
                                                                       const char *format, ...) {
  va_list arguments;
  size_t room = sizeof(log->text) - log->len;
  va_start(arguments, format);
  int length = vsnprintf(log->text + log->len, room, format, arguments);
  va_end(arguments);
  CHECK(length >= 0 && (size_t)length + 1 < room);
  log->len += (size_t)length;
  log->text[log->len++] = '\n';
  log->text[log->len] = 0;
}

#endif
