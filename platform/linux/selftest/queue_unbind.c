/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The device is unbound from its driver while processes use their queues, and bound again.
 */
#include <string.h>
#include <unistd.h>

#include "posix.h"
#include "queue_test.h"

#define DRIVER "/sys/bus/platform/drivers/outwork/"

enum { BUS_SIGNAL = 7, WRITE_ONLY = 1 /* these files of sysfs cannot be read */ };

static bool write_name(const char *path, const char *name) {
  const volatile char *end = name; /* not volatile, it would become a call of strlen() */
  while (*end != 0) {
    end++;
  }
  const size_t length = (size_t)(end - name);
  const int file = open(path, WRITE_ONLY);
  const bool good = file >= 0 && write(file, name, length) == (ssize_t)length;
  (void)close(file);
  return good;
}

/* Keeps a job in flight, and looks at the memory or at the registers until the signal comes. */
static _Noreturn void user_at_work(int tell, bool looks_at_registers) {
  static struct user user;
  static const uint8_t iv[16];
  struct ow_key_handle handle;
  if (!user_open(&user) || user_load_key(&user, &handle) != OW_OK) {
    _exit(1);
  }
  struct ow_job job = {.opcode = OW_OP_AES_CTR,
                       .key = named(&handle),
                       .length = sizeof(user.memory->large),
                       .source = user.memory->large,
                       .destination = user.memory->large,
                       .iv_len = sizeof(iv),
                       .iv = iv},
                *list = &job;
  if (ow_queue_submit(&user.queue, NULL, &list, 1) != OW_OK) {
    _exit(2);
  }
  const volatile uint32_t *at = looks_at_registers ? user.own.registers : user.own.memory;
  (void)write(tell, "x", 1);
  for (;;) {
    (void)*at;
    sched_yield();
  }
}

/* Returns the child, which has a queue when this returns. */
static int begin_work(bool looks_at_registers) {
  int files[2];
  char told = 0;
  check(pipe(files) == 0, "a pipe is there");
  const int child = fork();
  if (child == 0) {
    user_at_work(files[1], looks_at_registers);
  }
  check(read(files[0], &told, 1) == 1, "a process is at work");
  (void)close(files[0]);
  (void)close(files[1]);
  return child;
}

void test_unbound(const char *name) {
  static struct user user;
  struct ow_key_handle handle;
  const int first = begin_work(true), second = begin_work(false);
  const bool unbound = write_name(DRIVER "unbind", name);
  check(unbound, "the device is unbound");
  if (!unbound) {
    (void)kill(first, SIGKILL);
    (void)kill(second, SIGKILL);
  }
  check(wait_for(first) == 128 + BUS_SIGNAL, "the registers are taken from a process");
  check(wait_for(second) == 128 + BUS_SIGNAL, "the memory is taken from a process");
  check(open(OW_LINUX_PATH, O_RDWR) < 0, "there is no device to open");
  check(write_name(DRIVER "bind", name), "the device is bound again");
  if (user_open(&user)) {
    check(user_load_key(&user, &handle) == OW_OK, "a key is loaded");
    struct small_cycles cycles;
    const struct ow_key key = named(&handle);
    const uint32_t before = device_jobs(&user);
    check(small_jobs_measure(&cycles, &user.queue, &user.memory->small, &key),
          "jobs have the known result");
    check(device_jobs(&user) > before, "the device counts them");
    ow_linux_close(&user.own);
  } else {
    check(false, "a queue is opened again");
  }
  say("queue: two processes have lost theirs, and a third has got one\n");
}
