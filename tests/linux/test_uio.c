/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The platform of Linux: what it opens and refuses, and jobs that another process does with the
 * same files. In the place of the UIO device's interrupts is a socket.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "outwork/outwork.h"
#include "outwork/uio.h"

#define REGISTERS_BYTES 0x8000u
#define MEMORY_BYTES    0x10000u
#define MEMORY_ADDRESS  0x1e000000u
#define LOG2            2u

static char root[] = "/tmp/outwork-uio-XXXXXX";

static const char *path_of(const char *name) {
  static char path[256];
  (void)snprintf(path, sizeof(path), "%s/%s", root, name);
  return path;
}

static void make_file(const char *name, const char *text, off_t length) {
  FILE *file = fopen(path_of(name), "w");
  CHECK(file != NULL);
  CHECK(fputs(text, file) >= 0);
  CHECK(fclose(file) == 0);
  CHECK(length == 0 || truncate(path_of(name), length) == 0);
}

static void *map_file(const char *name, size_t length) {
  int file = open(path_of(name), O_RDWR);
  CHECK(file >= 0);
  void *mapped = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(mapped != MAP_FAILED);
  CHECK(close(file) == 0);
  return mapped;
}

/* Makes the registers of a device with four queues, as they are after a reset. */
static void make_registers(void) {
  make_file("dev/uio3", "", REGISTERS_BYTES);
  volatile uint32_t *registers = map_file("dev/uio3", REGISTERS_BYTES);
  registers[OW_GLOBAL_ID_OFFSET / 4] = OW_GLOBAL_ID_RESET;
  registers[OW_GLOBAL_VERSION_OFFSET / 4] = OW_GLOBAL_VERSION_RESET;
  registers[OW_GLOBAL_SHELL_OFFSET / 4] = OW_QUEUE_COUNT;
  registers[OW_GLOBAL_LIMITS_OFFSET / 4] = 8;
  CHECK(munmap((void *)(uintptr_t)registers, REGISTERS_BYTES) == 0);
}

/* Makes what the kernel shows of it and of some memory. */
static void make_system(void) {
  static const char *folders[] = {"",
                                  "dev",
                                  "sys",
                                  "sys/class",
                                  "sys/class/uio",
                                  "sys/class/uio/uio3",
                                  "sys/class/uio/uio3/maps",
                                  "sys/class/uio/uio3/maps/map0",
                                  "sys/class/u-dma-buf",
                                  "sys/class/u-dma-buf/udmabuf1"};
  CHECK(mkdtemp(root) != NULL);
  for (size_t i = 1; i < sizeof(folders) / sizeof(folders[0]); i++) {
    CHECK(mkdir(path_of(folders[i]), 0700) == 0);
  }
  make_registers();
  make_file("dev/udmabuf1", "", MEMORY_BYTES);
  make_file("sys/class/uio/uio3/maps/map0/size", "0x00008000\n", 0);
  make_file("sys/class/u-dma-buf/udmabuf1/size", "65536\n", 0);
  make_file("sys/class/u-dma-buf/udmabuf1/phys_addr", "0x1e000000\n", 0);
}

static void remove_system(void) {
  char command[300];
  (void)snprintf(command, sizeof(command), "rm -r %s", root);
  CHECK(system(command) == 0);
}

static void opens_what_the_kernel_shows(void) {
  struct ow_uio uio;
  struct ow_platform platform;
  struct ow_device device;
  CHECK(ow_uio_open(&uio, root, "uio3", "udmabuf1"));
  CHECK_EQUAL(uio.registers_bytes, REGISTERS_BYTES);
  CHECK_EQUAL(uio.memory_bytes, MEMORY_BYTES);
  CHECK_EQUAL(uio.memory_address, MEMORY_ADDRESS);
  ow_uio_platform(&platform, &uio);
  CHECK_EQUAL(ow_device_open(&device, &platform), OW_OK);
  CHECK_EQUAL(device.capabilities.queues, OW_QUEUE_COUNT);
  uio.registers[OW_GLOBAL_ID_OFFSET / 4] ^= 1u;
  CHECK_EQUAL(ow_device_open(&device, &platform), OW_NO_DEVICE);
  uio.registers[OW_GLOBAL_ID_OFFSET / 4] ^= 1u;
  ow_uio_close(&uio);
}

static void maps_its_own_memory_only(void) {
  struct ow_uio uio;
  struct ow_platform platform;
  uint64_t address = 0;
  CHECK(ow_uio_open(&uio, root, "uio3", "udmabuf1"));
  ow_uio_platform(&platform, &uio);
  uint8_t *first = ow_uio_take(&uio, 1);
  uint8_t *second = ow_uio_take(&uio, MEMORY_BYTES - 64);
  CHECK(first == uio.memory && second == uio.memory + 64);
  CHECK(ow_uio_take(&uio, 1) == NULL);
  CHECK(platform.map(&uio, &address, second, MEMORY_BYTES - 64, OW_BOTH_WAYS));
  CHECK_EQUAL(address, MEMORY_ADDRESS + 64);
  CHECK(!platform.map(&uio, &address, second, MEMORY_BYTES - 63, OW_BOTH_WAYS));
  CHECK(!platform.map(&uio, &address, first - 1, 2, OW_BOTH_WAYS));
  CHECK(!platform.map(&uio, &address, &address, sizeof(address), OW_FROM_DEVICE));
  ow_uio_close(&uio);
}

static void refuses(const char *uio_name, const char *memory_name, const char *reason) {
  struct ow_uio uio;
  CHECK(!ow_uio_open(&uio, root, uio_name, memory_name));
  if (strstr(uio.error, reason) == NULL) {
    fprintf(stderr, "'%s' is not in '%s'\n", reason, uio.error);
    exit(1);
  }
  CHECK(uio.registers == NULL && uio.memory == NULL && uio.device == -1);
}

static void says_what_is_wrong(void) {
  static const char uio_size[] = "sys/class/uio/uio3/maps/map0/size";
  static const char memory_size[] = "sys/class/u-dma-buf/udmabuf1/size";
  refuses("uio4", "udmabuf1", "uio4/maps/map0/size: No such file or directory");
  refuses("uio3", "udmabuf2", "udmabuf2/phys_addr: No such file or directory");
  make_file(uio_size, "0x1000\n", 0);
  refuses("uio3", "udmabuf1", "is 4096, but the registers have 20480 bytes");
  make_file(uio_size, "\n", 0);
  refuses("uio3", "udmabuf1", "contains no number");
  make_file(uio_size, "0x8000\n", 0);
  make_file(memory_size, "0\n", 0);
  refuses("uio3", "udmabuf1", "not a size that can be mapped");
  make_file(memory_size, "65536\n", 0);
  CHECK(unlink(path_of("dev/udmabuf1")) == 0);
  refuses("uio3", "udmabuf1", "dev/udmabuf1: No such file or directory");
  make_file("dev/udmabuf1", "", MEMORY_BYTES);
  CHECK(unlink(path_of("dev/uio3")) == 0);
  CHECK(mkdir(path_of("dev/uio3"), 0700) == 0);
  refuses("uio3", "udmabuf1", "dev/uio3: Is a directory");
  CHECK(rmdir(path_of("dev/uio3")) == 0);
}

/* Does the jobs of queue 0 up to the doorbell, a record each. Returns how many. The descriptors are
 * before the records; `ring_low` does not say where, because a file takes what a running queue
 * ignores. */
static uint32_t do_jobs(volatile const uint32_t *queue, uint8_t *memory, uint32_t *done) {
  const uint32_t records = queue[OW_QUEUE_DONE_LOW_OFFSET / 4] - MEMORY_ADDRESS;
  const uint32_t ring = records - (OW_DESCRIPTOR_SIZE << LOG2);
  const uint32_t before = *done;
  for (; *done != queue[OW_QUEUE_DOORBELL_OFFSET / 4]; ++*done) {
    uint32_t entry = *done % (1u << LOG2);
    const struct ow_descriptor *job = (const void *)(memory + ring + entry * OW_DESCRIPTOR_SIZE);
    struct ow_completion *record = (void *)(memory + records + entry * OW_COMPLETION_SIZE);
    CHECK_EQUAL(job->control & OW_DESCRIPTOR_CONTROL_OPCODE_MASK, OW_OP_NOP);
    record->cookie = job->cookie;
    record->cycles = 7;
    __sync_synchronize();
    record->result = (~(*done >> LOG2) & 1u) << OW_COMPLETION_RESULT_PHASE_SHIFT;
  }
  return *done - before;
}

/* Plays the device: resets queue 0 at once, and does its jobs when an interrupt is permitted. Ends
 * with the socket. */
static void play_device(int interrupts) {
  volatile uint32_t *queue =
      (volatile uint32_t *)map_file("dev/uio3", REGISTERS_BYTES) + OW_QUEUE_OFFSET / 4;
  uint8_t *memory = map_file("dev/udmabuf1", MEMORY_BYTES);
  struct pollfd event = {.fd = interrupts, .events = POLLIN};
  uint32_t done = 0;
  for (;;) {
    uint32_t permitted = 0;
    if ((queue[OW_QUEUE_CONTROL_OFFSET / 4] & OW_QUEUE_CONTROL_RESET_MASK) != 0) {
      done = 0;
      queue[OW_QUEUE_CONTROL_OFFSET / 4] = 0;
    }
    if (poll(&event, 1, 1) == 0) {
      continue;
    }
    if (read(interrupts, &permitted, sizeof(permitted)) != (ssize_t)sizeof(permitted)) {
      return;
    }
    CHECK_EQUAL(permitted, 1);
    if (do_jobs(queue, memory, &done) != 0) {
      CHECK(write(interrupts, &done, sizeof(done)) == (ssize_t)sizeof(done));
    }
  }
}

static void does_jobs_with_interrupts(void) {
  static struct ow_queue_slot slots[1u << LOG2];
  struct ow_uio uio;
  struct ow_platform platform;
  struct ow_device device;
  struct ow_queue queue;
  int pair[2];
  make_registers();
  CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
  pid_t process = fork();
  CHECK(process >= 0);
  if (process == 0) {
    (void)close(pair[0]);
    play_device(pair[1]);
    _exit(0);
  }
  (void)close(pair[1]);
  CHECK(ow_uio_open(&uio, root, "uio3", "udmabuf1"));
  (void)close(uio.device);
  uio.device = pair[0];
  ow_uio_platform(&platform, &uio);
  CHECK_EQUAL(ow_device_open(&device, &platform), OW_OK);
  CHECK_EQUAL(ow_queue_grant(&device, 0, NULL), OW_OK);
  void *rings = ow_uio_take(&uio, OW_QUEUE_MEMORY_BYTES(LOG2));
  CHECK_EQUAL(ow_queue_open(&queue, &device, 0, rings, slots, LOG2), OW_OK);
  CHECK_EQUAL(ow_queue_set_interrupts(&queue, true, 1, 0), OW_OK);
  for (int i = 0; i < 10; i++) { /* more than the ring has entries */
    struct ow_job job = {.opcode = OW_OP_NOP};
    CHECK_EQUAL(ow_queue_run(&queue, &job), OW_OK);
    CHECK_EQUAL(job.cycles, 7);
  }
  CHECK(queue.missed_interrupts < 10); /* one that is late on a busy machine counts as missed */
  CHECK(!platform.wait_interrupt(&uio, 1, 100)); /* UIO has no line for it */
  ow_uio_close(&uio);                            /* ends the process */
  int status = 1;
  CHECK(waitpid(process, &status, 0) == process);
  CHECK_EQUAL(status, 0);
}

int main(void) {
  make_system();
  RUN(opens_what_the_kernel_shows);
  RUN(maps_its_own_memory_only);
  RUN(says_what_is_wrong);
  RUN(does_jobs_with_interrupts);
  remove_system();
  return 0;
}
