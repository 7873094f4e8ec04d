/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The first process: runs /program, if there is one, and ends the simulation with its exit status.
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

/* In the code of SiFive's test device. */
static void end(int status) {
  const int file = (int)system_open("/dev/mem");
  const long finisher = system_map(0, PAGE_BYTES, 0, file, SOC_FINISHER_BASE);
  *(volatile uint32_t *)finisher = status == 0 ? 0x5555u : (uint32_t)status << 16 | 0x3333u;
}

_Noreturn void _start(void) {
  const uint32_t begin = cycles();
  say("init: Linux is up after ");
  say_number(begin);
  say(" cycles\n");
  const int status = run();
  say("init: the program took ");
  say_number(cycles() - begin);
  say(" cycles with its start\n");
  end(status);
  for (;;) {
  }
}
