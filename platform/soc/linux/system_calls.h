/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Linux's system calls on RISC-V with 32 bits, as far as the first process and programs need them.
 *
 * A result below 0 is the negative number of an error.
 */
#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

#include <stddef.h>
#include <stdint.h>

#define CALL_OPEN    56 /* openat */
#define CALL_CLOSE   57
#define CALL_READ    63
#define CALL_WRITE   64
#define CALL_EXIT    94 /* exit_group */
#define CALL_UNMAP   215
#define CALL_CLONE   220
#define CALL_EXECUTE 221
#define CALL_MAP     222 /* mmap2 */
#define CALL_WAIT    95  /* waitid */

#define AT_FDCWD   (-100)
#define O_RDONLY   0
#define O_WRONLY   1
#define O_RDWR     2
#define O_CREAT    0100
#define O_TRUNC    01000
#define O_SYNC     04010000
#define PAGE_BYTES 4096u

#define PROT_DATA  3 /* read, write */
#define MAP_SHARED 1
#define MAP_FIXED  0x10

static inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
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

static inline long system_write(int file, const char *text, size_t text_len) {
  return system_call(CALL_WRITE, file, (long)text, (long)text_len, 0, 0, 0);
}

static inline long system_read(int file, void *bytes, size_t bytes_len) {
  return system_call(CALL_READ, file, (long)bytes, (long)bytes_len, 0, 0, 0);
}

/* A file that is created may be read, written and run by its owner. */
static inline long system_open(const char *path, int flags) {
  return system_call(CALL_OPEN, AT_FDCWD, (long)path, flags, 0700, 0, 0);
}

static inline void system_close(int file) {
  (void)system_call(CALL_CLOSE, file, 0, 0, 0, 0, 0);
}

_Noreturn static inline void system_exit(int status) {
  for (;;) {
    (void)system_call(CALL_EXIT, status, 0, 0, 0, 0, 0);
  }
}

/* Maps physical memory through /dev/mem, at `place` with MAP_FIXED in `flags`. */
static inline long system_map(uintptr_t place, size_t length, int flags, int file,
                              uintptr_t physical) {
  return system_call(CALL_MAP, (long)place, (long)length, PROT_DATA, MAP_SHARED | flags, file,
                     (long)(physical / PAGE_BYTES));
}

static inline void system_unmap(long place, size_t length) {
  (void)system_call(CALL_UNMAP, place, (long)length, 0, 0, 0, 0);
}

#endif
