/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Processes that are killed, and hostile ones, beside one that works.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "outwork/linux_abi.h"
#include "posix.h"
#include "queue_test.h"

enum { IN_FLIGHT = 16 };

/* What a child tells its parent. */
struct told {
  uint64_t address; /* of its memory, as the device sees it */
  struct ow_key_handle handle;
};

static void wait_cycles(uint32_t cycles) {
  uint32_t begin, now;
  __asm__ volatile("rdcycle %0" : "=r"(begin)::"memory");
  do {
    sched_yield();
    __asm__ volatile("rdcycle %0" : "=r"(now)::"memory");
  } while (now - begin < cycles);
}

static struct ow_job large_job(struct user *user, const struct ow_key *key) {
  static const uint8_t iv[16];
  return (struct ow_job){.opcode = OW_OP_AES_CTR,
                         .key = *key,
                         .length = sizeof(user->memory->large),
                         .source = user->memory->large,
                         .destination = user->memory->large,
                         .iv_len = sizeof(iv),
                         .iv = iv};
}

/* Keeps its queue full until it is killed. */
static _Noreturn void victim(int tell) {
  static struct user user;
  static struct ow_job jobs[IN_FLIGHT];
  struct told told = {0};
  if (!user_open(&user) || user_load_key(&user, &told.handle) != OW_OK) {
    _exit(1);
  }
  told.address = user.own.address;
  const struct ow_key key = named(&told.handle);
  for (unsigned turn = 0;; turn++) {
    for (unsigned i = 0; i < IN_FLIGHT; i++) {
      struct ow_job *job = &jobs[i];
      if (job->status != OW_PENDING) {
        *job = large_job(&user, &key);
        (void)ow_queue_submit(&user.queue, NULL, &job, 1);
      }
    }
    if (turn == 0) {
      (void)write(tell, &told, sizeof(told));
    }
    (void)ow_queue_poll(&user.queue, NULL);
  }
}

static bool is_zero(const volatile uint32_t *memory, size_t bytes) {
  uint32_t sum = 0;
  for (size_t i = 0; i < bytes / 4u; i++) {
    sum |= memory[i];
  }
  return sum == 0;
}

/* The next owner of the killed process's queue finds nothing of it, and nothing comes later. */
static void check_nothing_is_left(const struct told *told) {
  static struct user next;
  const char *why = ow_linux_open(&next.own, OW_LINUX_PATH, USER_BYTES);
  check(why == NULL, "the queue of a killed process is given to the next one");
  if (why != NULL) {
    say("queue: %s\n", why);
    return;
  }
  check(is_zero(next.own.registers, 0xd8), "its registers are clear");
  check(is_zero(next.own.memory, USER_BYTES), "its memory is clear");
  wait_cycles(200000);
  check(is_zero(next.own.memory, USER_BYTES), "its memory stays clear");
  say("queue: the memory of the killed process is %s again\n",
      next.own.address == told->address ? "in use" : "not in use");
  check(ow_linux_key_zeroise(&next.own, &told->handle) == OW_KEY_DENIED,
        "its key is not another's");
  ow_linux_close(&next.own);
}

void test_killed(struct user *user, const struct ow_key *key) {
  struct ow_job jobs[IN_FLIGHT], *list[IN_FLIGHT];
  struct told told;
  int files[2];
  const uint32_t before = device_jobs(user);
  check(pipe(files) == 0, "a pipe is there");
  const int child = fork();
  if (child == 0) {
    victim(files[1]);
  }
  check(read(files[0], &told, sizeof(told)) == (ssize_t)sizeof(told), "the victim is at work");
  for (unsigned i = 0; i < IN_FLIGHT; i++) {
    jobs[i] = large_job(user, key);
    list[i] = &jobs[i];
  }
  check(ow_queue_submit(&user->queue, NULL, list, IN_FLIGHT) == OW_OK, "the neighbour submits");
  check(kill(child, SIGKILL) == 0 && wait_for(child) == 128 + SIGKILL, "the victim is killed");
  check(ow_queue_wait(&user->queue, NULL) == OW_OK, "the neighbour's jobs end");
  for (unsigned i = 0; i < IN_FLIGHT; i++) {
    check(jobs[i].status == OW_OK, "a job of the neighbour ends well");
  }
  check(device_jobs(user) - before == IN_FLIGHT, "the device counts them");
  check_nothing_is_left(&told);
  say("queue: a process was killed with up to %u jobs in flight\n", (uint32_t)IN_FLIGHT);
}

/* A hostile process. Where the driver asks for the address of memory it gets `lie`, if that is set.
 */
static uint64_t lie;
static bool (*honest_map)(void *context, uint64_t *address, void *memory, size_t length,
                          ow_direction direction);

static bool lying_map(void *context, uint64_t *address, void *memory, size_t length,
                      ow_direction direction) {
  const bool good = honest_map(context, address, memory, length, direction);
  *address = lie != 0 && length == 64 ? lie : *address;
  return good;
}

/* Returns how a job ends that reads `source` and writes `destination`, addresses of the device. */
static uint8_t end_of(struct user *user, const struct ow_key *key, bool reads, bool writes,
                      uint64_t address) {
  struct ow_job job = large_job(user, key), *list = &job;
  job.length = 64;
  job.source = &user->memory->large[0];
  job.destination = &user->memory->large[128];
  honest_map = user->platform.map;
  user->platform.map = lying_map;
  if (reads && writes) {
    job.destination = user->memory->large; /* one buffer, mapped once */
  }
  lie = address;
  if (!writes && reads) {
    job.opcode = OW_OP_SHA256;
    job.destination = NULL;
    job.iv_len = 0;
    job.key = (struct ow_key){0};
    job.tag_len = 32;
  }
  const ow_status status = ow_queue_submit(&user->queue, NULL, &list, 1);
  lie = 0;
  user->platform.map = honest_map;
  check(status == OW_OK, "a hostile job is submitted");
  (void)ow_queue_wait(&user->queue, &job);
  return job.device_status;
}

static void hostile_jobs(struct user *user, const struct ow_key *own, const struct ow_key *foreign,
                         uint64_t neighbour) {
  check(end_of(user, own, true, true, neighbour) == OW_DEVICE_WINDOW_VIOLATION,
        "a job in the neighbour's memory is refused");
  check(end_of(user, own, true, false, neighbour) == OW_DEVICE_WINDOW_VIOLATION,
        "the neighbour's memory cannot be read");
  check(end_of(user, own, true, true, user->own.address + USER_BYTES - 32) ==
            OW_DEVICE_WINDOW_VIOLATION,
        "a job across the end of the window is refused");
  check(end_of(user, foreign, true, true, user->own.address + 65536) == OW_DEVICE_KEY_DENIED,
        "the neighbour's key is refused");
}

/* The queue's page, written to without sense: rings elsewhere, doorbells, resets. */
static void hostile_page(struct user *user, uint64_t neighbour) {
  volatile uint32_t *page = user->own.registers;
  uint32_t random = 1;
  page[OW_QUEUE_CONTROL_OFFSET / 4] = OW_QUEUE_CONTROL_RESET_MASK;
  while ((page[OW_QUEUE_CONTROL_OFFSET / 4] & OW_QUEUE_CONTROL_RESET_MASK) != 0) {
    /* until then it takes no doorbell */
  }
  page[OW_QUEUE_RING_LOW_OFFSET / 4] = (uint32_t)neighbour;
  page[OW_QUEUE_DONE_LOW_OFFSET / 4] = (uint32_t)neighbour;
  page[OW_QUEUE_RING_SIZE_OFFSET / 4] = 4;
  page[OW_QUEUE_CONTROL_OFFSET / 4] =
      OW_QUEUE_CONTROL_ENABLE_MASK | OW_QUEUE_CONTROL_IRQ_ENABLE_MASK;
  page[OW_QUEUE_DOORBELL_OFFSET / 4] = 8;
  wait_cycles(2000);
  check((page[OW_QUEUE_STATUS_OFFSET / 4] & OW_QUEUE_STATUS_HALTED_MASK) != 0,
        "a ring in the neighbour's memory halts the queue");
  for (unsigned i = 0; i < 2000; i++) {
    random = random * 1664525u + 1013904223u;
    page[i % 3 == 0 ? OW_QUEUE_DOORBELL_OFFSET / 4 : random >> 22] = random;
  }
}

/* Calls and mappings that have to be refused. */
static void hostile_calls(struct user *user, const struct ow_key *foreign) {
  const struct ow_linux *own = &user->own;
  const struct ow_key_handle handle = {.slot = foreign->slot, .generation = foreign->generation};
  struct ow_linux_open open_again = {
      .version = OW_LINUX_VERSION, .memory_bytes = 4096, .event = -1};
  struct ow_linux_key key = {.key_len = 255};
  struct ow_key_handle loaded;
  const int both = PROT_READ | PROT_WRITE;
  check(ow_linux_key_zeroise(&user->own, &handle) == OW_KEY_DENIED,
        "the neighbour's key is not zeroised");
  check(ioctl(own->file, OW_LINUX_OPEN, &open_again) < 0 && errno == EBUSY, "one queue a file");
  check(ioctl(own->file, OW_LINUX_KEY_LOAD, &key) < 0 && errno == EINVAL,
        "a key that is too long is refused");
  check(ioctl(own->file, OW_LINUX_KEY_LOAD, 4) < 0 && errno == EFAULT, "a bad pointer is refused");
  check(mmap(NULL, 8192, both, MAP_SHARED, own->file, OW_LINUX_MAP_REGISTERS) == MAP_FAILED,
        "the next page of registers is not mapped");
  check(mmap(NULL, USER_BYTES + 4096, both, MAP_SHARED, own->file, OW_LINUX_MAP_MEMORY) ==
            MAP_FAILED,
        "nothing behind the memory is mapped");
  check(mmap(NULL, 4096, both, MAP_SHARED, own->file, 8192) == MAP_FAILED,
        "there is nothing at other offsets");
  check(mmap(NULL, 4096, both | PROT_EXEC, MAP_SHARED, own->file, OW_LINUX_MAP_MEMORY) ==
            MAP_FAILED,
        "the memory cannot be executed");
  ow_status status = OW_OK;
  unsigned loads = 0;
  for (; loads < 64 && status == OW_OK; loads++) {
    status = user_load_key(user, &loaded);
  }
  check(status == OW_BUSY && loads <= 9, "there is a limit to its key slots");
  struct ow_linux more;
  check(ow_linux_open(&more, OW_LINUX_PATH, USER_BYTES) != NULL, "there is no third queue");
}

static _Noreturn void hostile(const struct ow_key *foreign, uint64_t neighbour) {
  static struct user user;
  struct ow_key_handle handle;
  if (!user_open(&user) || user_load_key(&user, &handle) != OW_OK) {
    _exit(1);
  }
  const struct ow_key own = named(&handle);
  hostile_jobs(&user, &own, foreign, neighbour);
  hostile_calls(&user, foreign);
  hostile_page(&user, neighbour);
  _exit(has_failed());
}

void test_hostile(struct user *user, const struct ow_key *key) {
  struct ow_job job = large_job(user, key);
  uint8_t *const large = user->memory->large;
  memset(large, 0x5a, sizeof(user->memory->large));
  const int child = fork();
  if (child == 0) {
    hostile(key, user->own.address + offsetof(struct user_memory, large));
  }
  check(wait_for(child) == 0, "the hostile process gains nothing");
  bool same = true;
  for (size_t i = 0; i < sizeof(user->memory->large); i++) {
    same = same && large[i] == 0x5a;
  }
  check(same, "the neighbour's memory is as it was");
  const uint32_t before = device_jobs(user);
  check(ow_queue_run(&user->queue, &job) == OW_OK, "the neighbour's key and queue work");
  check(device_jobs(user) - before == 1, "the device counts the neighbour's job");
  say("queue: a hostile process gained nothing\n");
}
