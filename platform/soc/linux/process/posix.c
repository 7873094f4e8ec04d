/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The functions of posix.h as system calls. start.c has the start and the end of the program.
 */
#include "posix.h"

#include <stdarg.h>

#define CALL_EVENTFD 19
#define CALL_IOCTL   29
#define CALL_OPEN    56
#define CALL_CLOSE   57
#define CALL_PIPE    59
#define CALL_READ    63
#define CALL_WRITE   64
#define CALL_WAIT    95
#define CALL_YIELD   124
#define CALL_KILL    129
#define CALL_UNMAP   215
#define CALL_CLONE   220
#define CALL_MAP     222 /* in pages */
#define CALL_RANDOM  278
#define CALL_CLOCK   403
#define CALL_POLL    414

#define AT_FDCWD   (-100)
#define SIGCHLD    17
#define P_PID      1
#define WEXITED    4
#define CLD_EXITED 1
#define PAGE_BYTES 4096
#define LINE_BYTES 256

int errno;

static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  register long a5 __asm__("a5") = f;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall"
                   : "+r"(a0)
                   : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7)
                   : "memory");
  return a0;
}

/* Sets errno as POSIX has it. */
static long checked(long status) {
  if (status < 0 && status > -PAGE_BYTES) {
    errno = (int)-status;
    return -1;
  }
  return status;
}

long syscall(long number, ...) {
  long each[6];
  va_list arguments;
  va_start(arguments, number);
  for (unsigned i = 0; i < 6; i++) {
    each[i] = va_arg(arguments, long);
  }
  va_end(arguments);
  return checked(call(number, each[0], each[1], each[2], each[3], each[4], each[5]));
}

void explicit_bzero(void *memory, size_t length) {
  memset(memory, 0, length);
  __asm__ volatile("" ::"r"(memory) : "memory");
}

int memcmp(const void *a, const void *b, size_t length) {
  const uint8_t *left = a, *right = b;
  for (; length != 0; length--, left++, right++) {
    if (*left != *right) {
      return *left - *right;
    }
  }
  return 0;
}

int strcmp(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a - *b;
}

int open(const char *path, int flags) {
  return (int)checked(call(CALL_OPEN, AT_FDCWD, (long)path, flags, 0, 0, 0));
}

int close(int file) {
  return (int)checked(call(CALL_CLOSE, file, 0, 0, 0, 0, 0));
}

ssize_t read(int file, void *bytes, size_t length) {
  return checked(call(CALL_READ, file, (long)bytes, (long)length, 0, 0, 0));
}

ssize_t write(int file, const void *bytes, size_t length) {
  return checked(call(CALL_WRITE, file, (long)bytes, (long)length, 0, 0, 0));
}

int pipe(int files[2]) {
  return (int)checked(call(CALL_PIPE, (long)files, 0, 0, 0, 0, 0));
}

int eventfd(unsigned count, int flags) {
  return (int)checked(call(CALL_EVENTFD, (long)count, flags, 0, 0, 0, 0));
}

int poll(struct pollfd *files, unsigned long count, int milliseconds) {
  const struct timespec limit = {.tv_sec = milliseconds / 1000,
                                 .tv_nsec = (int64_t)(milliseconds % 1000) * 1000000};
  return (int)checked(call(CALL_POLL, (long)files, (long)count, (long)&limit, 0, 0, 0));
}

int ioctl(int file, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return (int)checked(call(CALL_IOCTL, file, (long)request, argument, 0, 0, 0));
}

void *mmap(void *place, size_t length, int protection, int flags, int file, off_t offset) {
  return (void *)checked(call(CALL_MAP, (long)place, (long)length, protection, flags, file,
                              (long)(offset / PAGE_BYTES)));
}

int munmap(void *place, size_t length) {
  return (int)checked(call(CALL_UNMAP, (long)place, (long)length, 0, 0, 0, 0));
}

int clock_gettime(int clock, struct timespec *now) {
  return (int)checked(call(CALL_CLOCK, clock, (long)now, 0, 0, 0, 0));
}

ssize_t getrandom(void *bytes, size_t length, unsigned flags) {
  return checked(call(CALL_RANDOM, (long)bytes, (long)length, (long)flags, 0, 0, 0));
}

int fork(void) {
  return (int)checked(call(CALL_CLONE, SIGCHLD, 0, 0, 0, 0, 0));
}

int kill(int process, int signal) {
  return (int)checked(call(CALL_KILL, process, signal, 0, 0, 0, 0));
}

int wait_for(int process) {
  int child[32] = {0}; /* struct siginfo: the third word is its code, the sixth the status */
  (void)call(CALL_WAIT, P_PID, process, (long)child, WEXITED, 0, 0);
  return child[2] == CLD_EXITED ? child[5] : 128 + child[5];
}

void sched_yield(void) {
  (void)call(CALL_YIELD, 0, 0, 0, 0, 0, 0);
}

static char *put_number(char *at, uint32_t number, uint32_t base) {
  char digits[11];
  size_t count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number != 0);
  while (count != 0) {
    *at++ = digits[--count];
  }
  return at;
}

static char *put_string(char *at, const char *string) {
  while (*string != 0) {
    *at++ = *string++;
  }
  return at;
}

void say(const char *format, ...) {
  char line[LINE_BYTES], *at = line;
  va_list arguments;
  va_start(arguments, format);
  for (; *format != 0; format++) {
    if (*format != '%') {
      *at++ = *format;
      continue;
    }
    format++;
    at = *format == 's' ? put_string(at, va_arg(arguments, const char *))
                        : put_number(at, va_arg(arguments, uint32_t), *format == 'x' ? 16 : 10);
  }
  va_end(arguments);
  (void)write(1, line, (size_t)(at - line));
}
