/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * As much of POSIX and Linux as platform/linux and its self-test need, for a static program without
 * a C library on the system on chip. Every header that these sources include is this one.
 */
#ifndef PROCESS_POSIX_H
#define PROCESS_POSIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef int64_t off_t;

extern int errno;
#define EINTR        4
#define EBADF        9
#define EAGAIN       11
#define ENOMEM       12
#define EACCES       13
#define EFAULT       14
#define EBUSY        16
#define ENODEV       19
#define EINVAL       22
#define ENOTTY       25
#define ENOSPC       28
#define EPROTO       71
#define EOPNOTSUPP   95
#define EDQUOT       122
#define ENOKEY       126
#define EKEYREJECTED 129

void *memcpy(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);
int memcmp(const void *a, const void *b, size_t length);
int strcmp(const char *a, const char *b);
void explicit_bzero(void *memory, size_t length);

#define O_RDWR    02
#define O_CLOEXEC 02000000
int open(const char *path, int flags);
int close(int file);
ssize_t read(int file, void *bytes, size_t length);
ssize_t write(int file, const void *bytes, size_t length);
int pipe(int files[2]);

#define EFD_CLOEXEC  02000000
#define EFD_NONBLOCK 04000
int eventfd(unsigned count, int flags);

#define POLLIN 1
struct pollfd {
  int fd;
  short events, revents;
};
int poll(struct pollfd *files, unsigned long count, int milliseconds);

#define _IOC(way, type, number, size)                                                              \
  ((uint32_t)(way) << 30 | (uint32_t)(size) << 16 | (uint32_t)(type) << 8 | (uint32_t)(number))
#define _IO(type, number)         _IOC(0, type, number, 0)
#define _IOW(type, number, data)  _IOC(1, type, number, sizeof(data))
#define _IOWR(type, number, data) _IOC(3, type, number, sizeof(data))
int ioctl(int file, unsigned long request, ...);

#define PROT_READ     1
#define PROT_WRITE    2
#define PROT_EXEC     4
#define MAP_SHARED    1
#define MAP_PRIVATE   2
#define MAP_FIXED     0x10
#define MAP_ANONYMOUS 0x20
#define MAP_FAILED    ((void *)-1)
void *mmap(void *place, size_t length, int protection, int flags, int file, off_t offset);
int munmap(void *place, size_t length);

#define CLOCK_MONOTONIC 1
struct timespec {
  int64_t tv_sec, tv_nsec;
};
int clock_gettime(int clock, struct timespec *now);
ssize_t getrandom(void *bytes, size_t length, unsigned flags);

#define SIGKILL 9
int fork(void);
int kill(int process, int signal);
/* Waits for the end of a child. Returns its exit status, or 128 and the number of its signal. */
int wait_for(int process);
void sched_yield(void);
_Noreturn void _exit(int status);
/* A call of Linux by its number, with up to six arguments. */
long syscall(long number, ...);

/* Without stdio: a line of text with numbers for %u, %x and strings for %s. */
void say(const char *format, ...);

#endif
