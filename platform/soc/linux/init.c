/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The first process: runs /program, if there is one, and ends the simulation with its exit status.
 * The program may also come later, from the simulator: then Linux is booted once for many programs.
 */
#include "soc_map.h"
#include "system_calls.h"

#define STATUS_NO_PROGRAM 127 /* as a shell's */
#define STATUS_SIGNAL     128 /* and the signal's number */
#define SIGCHLD           17
#define P_PID             1
#define WEXITED           4
#define CLD_EXITED        1
#define ENOENT            2

/* At the beginning of the device's memory; outwork/soc/linux.py writes it. The program follows in
 * the next page. */
struct mailbox {
  uint32_t state, length;
};
#define MAILBOX_WAIT    1u
#define MAILBOX_PROGRAM 2u

/* What waitid fills; struct siginfo of a child. */
struct child {
  int signal, error, code;
  int process, user, status;
  int rest[26];
};

static void say(const char *text) {
  size_t length = 0;
  while (text[length] != 0) {
    length++;
  }
  (void)system_write(1, text, length);
}

static void say_number(uint32_t number) {
  char digits[11];
  size_t place = sizeof(digits);
  do {
    digits[--place] = (char)('0' + number % 10u);
    number /= 10u;
  } while (number != 0u);
  (void)system_write(1, digits + place, sizeof(digits) - place);
}

static uint32_t cycles(void) {
  uint32_t now;
  __asm__ volatile("rdcycle %0" : "=r"(now)::"memory");
  return now;
}

/* Runs the program and returns its exit status. */
static int run(void) {
  static const char *const arguments[] = {"/program", NULL}, *const environment[] = {NULL};
  static struct child child;
  const long process = system_call(CALL_CLONE, SIGCHLD, 0, 0, 0, 0, 0);
  if (process == 0) {
    const long error =
        system_call(CALL_EXECUTE, (long)arguments[0], (long)arguments, (long)environment, 0, 0, 0);
    if (error == -ENOENT) {
      say("init: there is no program to run\n");
      system_exit(0);
    }
    say("init: the program does not start; error ");
    say_number((uint32_t)-error);
    say("\n");
    system_exit(STATUS_NO_PROGRAM);
  }
  (void)system_call(CALL_WAIT, P_PID, process, (long)&child, WEXITED, 0, 0);
  if (child.code == CLD_EXITED) {
    return child.status;
  }
  say("init: the program was ended by signal ");
  say_number((uint32_t)child.status);
  say("\n");
  return STATUS_SIGNAL + child.status;
}

static void fail(const char *text) {
  say("init: ");
  say(text);
  say("\n");
}

/* Makes /program of what is in memory. */
static void take_program(const char *bytes, size_t left) {
  const int file = (int)system_create("/program");
  while (left > 0) {
    const long written = system_write(file, bytes, left);
    if (written <= 0) {
      fail("the program cannot be written");
      return;
    }
    bytes += written;
    left -= (size_t)written;
  }
  system_close(file);
}

/* Maps the device's memory from its beginning. Returns NULL if that is refused. */
static const char *map_device_memory(int file, size_t length) {
  const long place = system_map(0, length, 0, file, SOC_DEVICE_MEMORY);
  return place < 0 && place > -(long)PAGE_BYTES ? NULL : (const char *)place;
}

/* Waits for a program if the simulator has one later. No mapping stays: each of its pages would
 * cost time where the program starts. */
static void wait_for_program(void) {
  const int file = (int)system_open("/dev/mem");
  const char *place = map_device_memory(file, PAGE_BYTES);
  const volatile struct mailbox *const mailbox =
      (const volatile struct mailbox *)(const void *)place;
  if (place == NULL) {
    fail("/dev/mem refuses the device's memory");
    return;
  }
  if (mailbox->state == MAILBOX_WAIT) {
    say("init: ready for a program\n");
    while (mailbox->state == MAILBOX_WAIT) {
      __asm__ volatile(".word 0x500f" ::: "memory"); /* empties the cache: see soc.h */
    }
  }
  const size_t length = mailbox->state == MAILBOX_PROGRAM ? mailbox->length : 0;
  system_unmap((long)place, PAGE_BYTES);
  if (length != 0) {
    place = map_device_memory(file, PAGE_BYTES + length);
    if (place == NULL) {
      fail("/dev/mem refuses the program");
    } else {
      take_program(place + PAGE_BYTES, length);
      system_unmap((long)place, PAGE_BYTES + length);
    }
  }
  system_close(file);
}

/* In the code of SiFive's test device. */
static void end(int status) {
  const int file = (int)system_open("/dev/mem");
  const long finisher = system_map(0, PAGE_BYTES, 0, file, SOC_FINISHER_BASE);
  *(volatile uint32_t *)finisher = status == 0 ? 0x5555u : (uint32_t)status << 16 | 0x3333u;
}

_Noreturn void _start(void) {
  say("init: Linux is up after ");
  say_number(cycles());
  say(" cycles\n");
  wait_for_program();
  const uint32_t begin = cycles();
  const int status = run();
  say("init: the program took ");
  say_number(cycles() - begin);
  say(" cycles with its start\n");
  end(status);
  for (;;) {
  }
}
