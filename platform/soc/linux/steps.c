/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A program for Linux that carries out the lines of /steps: modules, files, the crypto API.
 *
 *   mount TYPE FOLDER       write FILE TEXT      show FILE
 *   load FILE [PARAMETER…]  unload MODULE        algorithms WORD
 *   device NAME             run [NAME=VALUE…] FILE [WORD…]
 *
 * `device` makes /dev/NAME for a miscellaneous device, `run` starts a program with these variables
 * and arguments and waits for its end. Each line is printed with the cycles that it took. `load`
 * may end with EAGAIN: a module that does its work while it is loaded, and does not stay. The exit
 * status is 1 if a line fails.
 */
#include "guest.h"
#include "system_calls.h"

#define CALL_UNLOAD 106

#define SIGCHLD    17
#define P_PID      1
#define WEXITED    4
#define CLD_EXITED 1

#define WORDS 32 /* at most, of a program's variables and arguments */

static char steps[4096], text[65536];

static void say(const char *string) {
  (void)system_write(1, string, guest_length(string));
}

static void say_number(uint32_t number) {
  char digits[11];
  size_t place = sizeof(digits) - 1;
  digits[place] = 0;
  do {
    digits[--place] = (char)('0' + number % 10u);
    number /= 10u;
  } while (number != 0u);
  say(&digits[place]);
}

static uint32_t cycles(void) {
  uint32_t now;
  __asm__ volatile("rdcycle %0" : "=r"(now)::"memory");
  return now;
}

static long call(long number, long a, long b, long c, long d, long e) {
  return system_call(number, a, b, c, d, e, 0);
}

/* Cuts off the first word of a line and returns what is behind it. */
static char *next_word(char *line) {
  while (*line != 0 && *line != ' ') {
    line++;
  }
  if (*line != 0) {
    *line++ = 0;
  }
  return line;
}

static int begins(const char *string, const char *with) {
  while (*with != 0 && *string == *with) {
    string++;
    with++;
  }
  return *with == 0;
}

static int contains(const char *string, const char *part) {
  for (; *string != 0; string++) {
    if (begins(string, part)) {
      return 1;
    }
  }
  return 0;
}

/* Returns what is behind the colon of a line of /proc/crypto. */
static const char *value_of(const char *line) {
  while (*line != 0 && *line != ':') {
    line++;
  }
  return *line == 0 ? line : line + 2;
}

/* Prints the result of the self-test of every driver whose name contains a word. */
static long show_algorithms(const char *word) {
  const long length = guest_read_file("/proc/crypto", text, sizeof(text));
  const char *driver = "";
  for (char *line = text, *after; *line != 0; line = after) {
    after = guest_next_line(line);
    if (begins(line, "driver")) {
      driver = value_of(line);
    } else if (begins(line, "selftest") && contains(driver, word)) {
      say("algorithm ");
      say(driver);
      say(" selftest: ");
      say(value_of(line));
      say("\n");
    }
  }
  return length;
}

/* Returns the exit status as that of an error. */
static long run(char *line) {
  static const char *variables[WORDS + 1], *arguments[WORDS + 1];
  size_t before = 0, count = 0;
  for (char *after; *line != 0 && before + count < WORDS; line = after) {
    after = next_word(line);
    if (count == 0 && contains(line, "=")) {
      variables[before++] = line;
    } else {
      arguments[count++] = line;
    }
  }
  variables[before] = 0;
  arguments[count] = 0;
  static int child[32]; /* struct siginfo: the third word is its code, the sixth the status */
  const long process = call(CALL_CLONE, SIGCHLD, 0, 0, 0, 0);
  if (process == 0) {
    (void)call(CALL_EXECUTE, (long)arguments[0], (long)arguments, (long)variables, 0, 0);
    system_exit(127);
  }
  if (process > 0) {
    (void)call(CALL_WAIT, P_PID, process, (long)child, WEXITED, 0);
    return child[2] == CLD_EXITED ? -child[5] : -128 - child[5];
  }
  return process;
}

/* Carries out a line. Returns a negative number of an error if that fails. */
static long step(char *line) {
  char *first = next_word(line);
  if (guest_equal(line, "run")) {
    return run(first);
  }
  char *second = next_word(first);
  if (guest_equal(line, "mount")) {
    return guest_mount(first, second);
  }
  if (guest_equal(line, "write")) {
    return guest_write_file(first, second);
  }
  if (guest_equal(line, "show")) {
    const long length = guest_read_file(first, text, sizeof(text));
    if (length >= 0) {
      say(text);
    }
    return length;
  }
  if (guest_equal(line, "load")) {
    return guest_load(first, second);
  }
  if (guest_equal(line, "unload")) {
    return call(CALL_UNLOAD, (long)first, 0, 0, 0, 0);
  }
  if (guest_equal(line, "device")) {
    return guest_make_device(first);
  }
  return guest_equal(line, "algorithms") ? show_algorithms(first) : -22;
}

_Noreturn void _start(void) {
  int failed = guest_read_file("/steps", steps, sizeof(steps)) < 0;
  for (char *line = steps, *after; *line != 0; line = after) {
    after = guest_next_line(line);
    say("step: ");
    say(line);
    say("\n");
    const uint32_t begin = cycles();
    const long status = step(line);
    say("step: ");
    if (status < 0) {
      say("failed with error ");
      say_number((uint32_t)-status);
      failed = 1;
    } else {
      say("done in ");
      say_number(cycles() - begin);
      say(" cycles");
    }
    say("\n");
  }
  system_exit(failed);
}
