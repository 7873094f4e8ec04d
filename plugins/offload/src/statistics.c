/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Creates the file of the statistics, and sums them up.
 */
#include "statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static struct ow_statistics last_resort;

/* Room on the file system for all of the counters: a store to a mapped hole that cannot be filled
 * is SIGBUS. A size beyond the process's limit would be SIGXFSZ already here. */
static bool make_room(int file) {
  const off_t size = sizeof(struct ow_statistics);
  struct rlimit limit;
  int error = EFBIG;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= (rlim_t)size) {
    do {
      error = posix_fallocate(file, 0, size);
    } while (error == EINTR);
  }
  return error == 0;
}

/* A new file of this process, mapped; MAP_FAILED if that cannot be. A process that had the same
 * number before has left its own behind. */
static void *map_file(const char *folder) {
  char path[4096];
  int length = snprintf(path, sizeof(path), "%s/%ld.counters", folder, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof(path)) {
    return MAP_FAILED;
  }
  const int how = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  int file = open(path, how, 0644);
  if (file < 0 && errno == EEXIST) { /* not before it is known: a sandbox may kill who tries */
    (void)unlink(path);
    file = open(path, how, 0644);
  }
  if (file < 0) {
    return MAP_FAILED;
  }
  void *memory = MAP_FAILED;
  if (make_room(file)) {
    memory = mmap(NULL, sizeof(struct ow_statistics), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (memory == MAP_FAILED) {
    (void)unlink(path);
  }
  close(file); /* a program may close every file it does not know, or use its number again */
  return memory;
}

static void name_program(struct ow_statistics *statistics) {
  int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    ssize_t length = read(file, statistics->program, sizeof(statistics->program) - 1);
    for (ssize_t i = 0; i < length; i++) {
      statistics->program[i] = statistics->program[i] == '\n' ? '\0' : statistics->program[i];
    }
    close(file);
  }
}

struct ow_statistics *ow_statistics_open(const char *folder, const char *host) {
  void *memory = folder != NULL ? map_file(folder) : MAP_FAILED;
  if (memory == MAP_FAILED) {
    memory = mmap(NULL, sizeof(struct ow_statistics), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  struct ow_statistics *statistics = memory == MAP_FAILED ? &last_resort : memory;
  statistics->pid = (uint64_t)getpid();
  snprintf(statistics->host, sizeof(statistics->host), "%s", host != NULL ? host : "");
  name_program(statistics);
  statistics->reasons_len = OW_CPU_REASONS;
  for (unsigned i = 0; i < OW_CPU_REASONS; i++) {
    snprintf(statistics->reasons[i], sizeof(statistics->reasons[i]), "%s", ow_cpu_reason_text(i));
  }
  memcpy(statistics->magic, OW_STATISTICS_MAGIC,
         sizeof(statistics->magic)); /* last: now it can be read */
  return statistics;
}

void ow_statistics_close(struct ow_statistics *statistics) {
  if (statistics != &last_resort) {
    munmap(statistics, sizeof(*statistics));
  }
}

struct ow_statistics_row *ow_statistics_row(struct ow_statistics *statistics, uint8_t opcode) {
  uintptr_t self = (uintptr_t)pthread_self();
  return &statistics->rows[(self >> 12 ^ self >> 20) % OW_STATISTICS_STRIPES][opcode];
}

static uint64_t get(const _Atomic uint64_t *counter) {
  return atomic_load_explicit(counter, memory_order_relaxed);
}

void ow_statistics_totals(const struct ow_statistics *statistics,
                          struct ow_offload_totals *totals) {
  *totals = (struct ow_offload_totals){.jobs = 0};
  for (unsigned i = 0; i < OW_STATISTICS_STRIPES * OW_OPCODES; i++) {
    const struct ow_statistics_row *row = &statistics->rows[i / OW_OPCODES][i % OW_OPCODES];
    totals->jobs += get(&row->jobs);
    totals->bytes += get(&row->bytes);
    totals->cycles += get(&row->cycles);
    totals->cpu_bytes += get(&row->cpu_bytes);
    for (unsigned reason = 0; reason < OW_CPU_REASONS; reason++) {
      totals->cpu_requests[reason] += get(&row->cpu_requests[reason]);
    }
  }
}
