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
#include "system_calls.h"

#define CALL_MKNOD  33
#define CALL_MKDIR  34
#define CALL_MOUNT  40
#define CALL_CLOSE  57
#define CALL_READ   63
#define CALL_UNLOAD 106
#define CALL_LOAD   273

#define EAGAIN 11
#define ENOENT 2

#define SIGCHLD        17
#define P_PID          1
#define WEXITED        4
#define CLD_EXITED     1
#define MISC_MAJOR     10
#define CHARACTER_FILE 0020600

#define WORDS 32 /* at most, of a program's variables and arguments */

static char steps[4096], text[65536];

static size_t length_of(const char *string) {
  size_t length = 0;
  while (string[length] != 0) {
    length++;
  }
  return length;
}

static void say(const char *string) {
  (void)system_write(1, string, length_of(string));
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

static long open_file(const char *path, long flags) {
  return call(CALL_OPEN, AT_FDCWD, (long)path, flags, 0, 0);
}

/* Reads a file into memory and ends it with a zero. Returns its length. */
static long read_file(const char *path, char *memory, size_t size) {
  const long file = open_file(path, 0);
  long length = 0, got = file;
  while (file >= 0 && length < (long)size - 1 &&
         (got = call(CALL_READ, file, (long)(memory + length), (long)size - 1 - length, 0, 0)) >
             0) {
    length += got;
  }
  (void)call(CALL_CLOSE, file, 0, 0, 0, 0);
  memory[length] = 0;
  return got < 0 ? got : length;
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

static char *next_line(char *line) {
  while (*line != 0 && *line != '\n') {
    line++;
  }
  if (*line != 0) {
    *line++ = 0;
  }
  return line;
}

static int is_equal(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
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
  const long length = read_file("/proc/crypto", text, sizeof(text));
  const char *driver = "";
  for (char *line = text, *after; *line != 0; line = after) {
    after = next_line(line);
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

static long write_file(const char *path, const char *what) {
  const long file = open_file(path, 1);
  const long status =
      file < 0 ? file : call(CALL_WRITE, file, (long)what, (long)length_of(what), 0, 0);
  (void)call(CALL_CLOSE, file, 0, 0, 0, 0);
  return status;
}

static long load(const char *path, const char *parameters) {
  const long file = open_file(path, 0);
  const long status = file < 0 ? file : call(CALL_LOAD, file, (long)parameters, 0, 0, 0);
  (void)call(CALL_CLOSE, file, 0, 0, 0, 0);
  return status == -EAGAIN ? 0 : status;
}

/* Makes /dev/NAME; /proc/misc says with which number. */
static long make_device(const char *name) {
  static char path[64] = "/dev/";
  size_t length = 5;
  long status = read_file("/proc/misc", text, sizeof(text));
  for (size_t i = 0; name[i] != 0 && length < sizeof(path) - 1; i++) {
    path[length++] = name[i];
  }
  path[length] = 0;
  for (char *line = text, *after; status >= 0 && *line != 0; line = after) {
    long minor = 0;
    after = next_line(line);
    for (; *line != 0 && (*line < 'a' || *line > 'z'); line++) {
      minor = *line >= '0' && *line <= '9' ? 10 * minor + *line - '0' : minor;
    }
    if (is_equal(line, name)) {
      return call(CALL_MKNOD, AT_FDCWD, (long)path, CHARACTER_FILE, MISC_MAJOR << 8 | minor, 0);
    }
  }
  return status < 0 ? status : -ENOENT;
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
  if (is_equal(line, "run")) {
    return run(first);
  }
  char *second = next_word(first);
  if (is_equal(line, "mount")) {
    (void)call(CALL_MKDIR, AT_FDCWD, (long)second, 0755, 0, 0);
    return call(CALL_MOUNT, (long)first, (long)second, (long)first, 0, 0);
  }
  if (is_equal(line, "write")) {
    return write_file(first, second);
  }
  if (is_equal(line, "show")) {
    const long length = read_file(first, text, sizeof(text));
    if (length >= 0) {
      say(text);
    }
    return length;
  }
  if (is_equal(line, "load")) {
    return load(first, second);
  }
  if (is_equal(line, "unload")) {
    return call(CALL_UNLOAD, (long)first, 0, 0, 0, 0);
  }
  if (is_equal(line, "device")) {
    return make_device(first);
  }
  return is_equal(line, "algorithms") ? show_algorithms(first) : -22;
}

_Noreturn void _start(void) {
  int failed = read_file("/steps", steps, sizeof(steps)) < 0;
  for (char *line = steps, *after; *line != 0; line = after) {
    after = next_line(line);
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
