/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Fills struct ow_platform on Linux from a UIO device and a device of u-dma-buf.
 */
#include "outwork/uio.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "outwork/spec.h"

#define ALIGNMENT 64u
/* What the driver may access: the owner's page and those of the queues. */
#define REGISTERS_BYTES (OW_QUEUE_OFFSET + OW_QUEUE_COUNT * OW_QUEUE_STRIDE)

__attribute__((format(printf, 2, 3))) static bool fail(struct ow_uio *uio, const char *format,
                                                       ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(uio->error, sizeof(uio->error), format, arguments);
  va_end(arguments);
  return false;
}

/* Reads the number in a file of /sys; decimal, or hexadecimal after 0x. */
static bool read_number(struct ow_uio *uio, uint64_t *number, const char *path) {
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    return fail(uio, "cannot open %s: %s", path, strerror(errno));
  }
  int64_t value = 0;
  int found = fscanf(file, "%" SCNi64, &value);
  (void)fclose(file);
  *number = (uint64_t)value;
  return found == 1 || fail(uio, "%s contains no number", path);
}

/* Opens and maps a device file. */
static void *map_file(struct ow_uio *uio, int *file, const char *path, size_t length) {
  *file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  if (*file < 0) {
    (void)fail(uio, "cannot open %s: %s", path, strerror(errno));
    return NULL;
  }
  void *mapped = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
  if (mapped == MAP_FAILED) {
    (void)fail(uio, "cannot map %zu bytes of %s: %s", length, path, strerror(errno));
    (void)close(*file);
    *file = -1;
    return NULL;
  }
  return mapped;
}

static bool open_registers(struct ow_uio *uio, const char *root, const char *name) {
  char path[PATH_MAX];
  uint64_t length = 0;
  (void)snprintf(path, sizeof(path), "%s/sys/class/uio/%s/maps/map0/size", root, name);
  if (!read_number(uio, &length, path)) {
    return false;
  }
  if (length < REGISTERS_BYTES) {
    return fail(uio, "%s is %" PRIu64 ", but the registers have %u bytes: is %s another device?",
                path, length, REGISTERS_BYTES, name);
  }
  (void)snprintf(path, sizeof(path), "%s/dev/%s", root, name);
  uio->registers_bytes = (size_t)length;
  uio->registers = map_file(uio, &uio->device, path, uio->registers_bytes);
  return uio->registers != NULL;
}

static bool open_memory(struct ow_uio *uio, const char *root, const char *name) {
  char path[PATH_MAX];
  uint64_t length = 0;
  int file = -1;
  (void)snprintf(path, sizeof(path), "%s/sys/class/u-dma-buf/%s/phys_addr", root, name);
  if (!read_number(uio, &uio->memory_address, path)) {
    return false;
  }
  (void)snprintf(path, sizeof(path), "%s/sys/class/u-dma-buf/%s/size", root, name);
  if (!read_number(uio, &length, path)) {
    return false;
  }
  if (length == 0 || length > SIZE_MAX) {
    return fail(uio, "%s is %" PRIu64 ": not a size that can be mapped", path, length);
  }
  (void)snprintf(path, sizeof(path), "%s/dev/%s", root, name);
  uio->memory_bytes = (size_t)length;
  uio->memory = map_file(uio, &file, path, uio->memory_bytes);
  if (uio->memory != NULL) {
    (void)close(file); /* the mapping stays */
  }
  return uio->memory != NULL;
}

bool ow_uio_open(struct ow_uio *uio, const char *root, const char *registers, const char *memory) {
  *uio = (struct ow_uio){.device = -1};
  if (open_registers(uio, root, registers) && open_memory(uio, root, memory)) {
    return true;
  }
  ow_uio_close(uio);
  return false;
}

void ow_uio_close(struct ow_uio *uio) {
  if (uio->memory != NULL) {
    (void)munmap(uio->memory, uio->memory_bytes);
  }
  if (uio->registers != NULL) {
    (void)munmap((void *)(uintptr_t)uio->registers, uio->registers_bytes);
  }
  if (uio->device >= 0) {
    (void)close(uio->device);
  }
  uio->memory = NULL;
  uio->registers = NULL;
  uio->device = -1;
}

void *ow_uio_take(struct ow_uio *uio, size_t length) {
  size_t left = uio->memory_bytes - uio->memory_taken;
  if (length > left) {
    return NULL;
  }
  void *taken = uio->memory + uio->memory_taken;
  size_t rounded = (length + ALIGNMENT - 1u) / ALIGNMENT * ALIGNMENT;
  uio->memory_taken += rounded < left ? rounded : left;
  return taken;
}

static uint32_t uio_read32(void *context, uint32_t offset) {
  struct ow_uio *uio = context;
  return uio->registers[offset / 4u];
}

static void uio_write32(void *context, uint32_t offset, uint32_t value) {
  struct ow_uio *uio = context;
  uio->registers[offset / 4u] = value;
}

static bool uio_map(void *context, uint64_t *address, void *memory, size_t length,
                    ow_direction direction) {
  struct ow_uio *uio = context;
  uintptr_t offset = (uintptr_t)memory - (uintptr_t)uio->memory;
  (void)direction;
  *address = uio->memory_address + offset;
  return (uintptr_t)memory >= (uintptr_t)uio->memory && offset <= uio->memory_bytes &&
         length <= uio->memory_bytes - offset;
}

/* The accelerator is outside of the domain that a barrier of C reaches on Arm, and its registers
 * are ordered with memory by their own kind of fence on RISC-V. */
static void uio_barrier(void *context) {
  (void)context;
#if defined(__arm__) || defined(__aarch64__)
  __asm__ volatile("dsb sy" ::: "memory");
#elif defined(__riscv)
  __asm__ volatile("fence iorw, iorw" ::: "memory");
#else
  __sync_synchronize();
#endif
}

/* Permits the interrupt, then waits for it. UIO has the line of queue 0 only; for another queue
 * this is a sleep, after which the driver looks by itself. */
static bool uio_wait_interrupt(void *context, unsigned queue, uint32_t microseconds) {
  struct ow_uio *uio = context;
  struct pollfd event = {.fd = uio->device, .events = POLLIN};
  uint32_t number = 1;
  int milliseconds = (int)(microseconds / 1000u) + (microseconds % 1000u != 0);
  if (queue != 0) {
    (void)poll(NULL, 0, milliseconds);
    return false;
  }
  if (write(uio->device, &number, sizeof(number)) != (ssize_t)sizeof(number) ||
      poll(&event, 1, milliseconds) != 1) {
    return false;
  }
  return read(uio->device, &number, sizeof(number)) == (ssize_t)sizeof(number);
}

static uint64_t uio_microseconds(void *context) {
  struct timespec now = {0};
  (void)context;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static bool uio_entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  return getrandom(bytes, length, 0) == (ssize_t)length;
}

void ow_uio_platform(struct ow_platform *platform, struct ow_uio *uio) {
  *platform = (struct ow_platform){
      .context = uio,
      .read32 = uio_read32,
      .write32 = uio_write32,
      .map = uio_map,
      .barrier = uio_barrier,
      .wait_interrupt = uio_wait_interrupt,
      .microseconds = uio_microseconds,
      .entropy = uio_entropy,
  };
}
