/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The first process: runs /program, if there is one, once for each line of /commands, and ends the
 * simulation with the first exit status that is not 0.
 *
 * A line has variables of the environment (NAME=value) and then arguments, separated by spaces.
 * The program may also come later, from the simulator: then Linux is booted once for many programs.
 * Programs that are to come before it, to set up what all of them need, run once each.
 */
#include <stdbool.h>

#include "outwork/spec.h"
#include "soc_map.h"
#include "system_calls.h"

#define STATUS_NO_PROGRAM 127 /* as a shell's */
#define STATUS_SIGNAL     128 /* and the signal's number */
#define SIGCHLD           17
#define P_PID             1
#define WEXITED           4
#define CLD_EXITED        1
#define ENOENT            2
#define COMMANDS_BYTES    4096 /* at most, of /commands */
#define WORDS             64   /* at most, of a line */

/* At the beginning of the device's memory; outwork/soc/linux.py writes it. The program follows in
 * the next page. */
struct mailbox {
  uint32_t state, length;
};
#define MAILBOX_WAIT    1u
#define MAILBOX_PROGRAM 2u
#define MAILBOX_BEFORE  4u /* a program, after which another one comes */

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

/* What a line asks for; both lists end with NULL. */
struct command {
  const char *arguments[WORDS + 2], *environment[WORDS + 1];
};

/* Returns the device's registers, whose counters go on through all programs. */
static const volatile uint32_t *device(void) {
  const long file = system_open("/dev/mem", O_RDWR | O_SYNC);
  return (const volatile uint32_t *)system_map(0, SOC_OUTWORK_BYTES, 0, (int)file,
                                               SOC_OUTWORK_BASE);
}

/* Returns the jobs that the device has ended well in all queues since a program has reset it. */
static uint32_t jobs(void) {
  static const volatile uint32_t *registers;
  registers = registers != NULL ? registers : device();
  uint32_t sum = 0;
  for (uint32_t queue = 0; queue < OW_QUEUE_COUNT; queue++) {
    sum += registers[(OW_QUEUE_OFFSET + queue * OW_QUEUE_STRIDE + OW_QUEUE_JOBS_OFFSET) / 4u];
  }
  return sum;
}

/* Splits a line in place. Returns whether it has at most WORDS words. */
static bool split(struct command *command, char *line) {
  size_t arguments = 0, variables = 0;
  bool is_variable = true;
  command->arguments[arguments++] = "/program";
  while (*line != 0) {
    char *word = line;
    bool has_name = false;
    for (; *line != 0 && *line != ' '; line++) {
      has_name = has_name || *line == '=';
    }
    if (*line == ' ') {
      *line++ = 0;
    }
    is_variable = is_variable && has_name && *word != '-';
    if (*word != 0 && arguments + variables > WORDS) {
      return false;
    } else if (*word != 0 && is_variable) {
      command->environment[variables++] = word;
    } else if (*word != 0) {
      command->arguments[arguments++] = word;
    }
  }
  command->arguments[arguments] = NULL;
  command->environment[variables] = NULL;
  return true;
}

/* Runs the program and returns its exit status. */
static int run(const struct command *command) {
  static struct child child;
  const long process = system_call(CALL_CLONE, SIGCHLD, 0, 0, 0, 0, 0);
  if (process == 0) {
    const long error = system_call(CALL_EXECUTE, (long)command->arguments[0],
                                   (long)command->arguments, (long)command->environment, 0, 0, 0);
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
  const int file = (int)system_open("/program", O_WRONLY | O_CREAT | O_TRUNC);
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
static char *map_device_memory(int file, size_t length) {
  const long place = system_map(0, length, 0, file, SOC_DEVICE_MEMORY);
  return place < 0 && place > -(long)PAGE_BYTES ? NULL : (char *)place;
}

/* Waits for a program if the simulator has one later. Returns whether another one comes after it.
 * No mapping stays: each of its pages would cost time where the program starts. */
static bool wait_for_program(void) {
  const int file = (int)system_open("/dev/mem", O_RDWR | O_SYNC);
  char *place = map_device_memory(file, PAGE_BYTES);
  volatile struct mailbox *const mailbox = (volatile struct mailbox *)(void *)place;
  if (place == NULL) {
    fail("/dev/mem refuses the device's memory");
    return false;
  }
  if (mailbox->state == MAILBOX_WAIT) {
    say("init: ready for a program\n");
    while (mailbox->state == MAILBOX_WAIT) {
      __asm__ volatile(".word 0x500f" ::: "memory"); /* empties the cache: see soc.h */
    }
  }
  const bool is_before = mailbox->state == MAILBOX_BEFORE;
  const size_t length = is_before || mailbox->state == MAILBOX_PROGRAM ? mailbox->length : 0;
  if (is_before) {
    mailbox->state = MAILBOX_WAIT;
  }
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
  return is_before;
}

static int run_line(char *line) {
  static struct command command;
  if (*line != 0) {
    say("init: ");
    say(line);
    say("\n");
  }
  if (!split(&command, line)) {
    say("init: the line has too many words\n");
    return STATUS_NO_PROGRAM;
  }
  const uint32_t begin = cycles();
  const int status = run(&command);
  const uint32_t end = cycles();
  say("init: the program took ");
  say_number(end - begin);
  say(" cycles with its start; the device has counted ");
  say_number(jobs());
  say(" jobs\n");
  return status;
}

/* Reads /commands, with a 0 behind it. Without that file: one empty line. */
static char *commands(void) {
  static char text[COMMANDS_BYTES];
  const int file = (int)system_open("/commands", O_RDONLY);
  long length = 0, got = 0;
  do {
    length += got;
    got = system_read(file, text + length, sizeof(text) - 1 - (size_t)length);
  } while (file >= 0 && got > 0);
  return text;
}

static int run_all(void) {
  char *line = commands();
  int status = 0;
  do {
    char *end = line;
    while (*end != 0 && *end != '\n') {
      end++;
    }
    const bool is_last = *end == 0 || end[1] == 0;
    *end = 0;
    status = run_line(line);
    if (is_last) {
      break;
    }
    line = end + 1;
  } while (status == 0);
  return status;
}

/* In the code of SiFive's test device. */
static void end(int status) {
  const int file = (int)system_open("/dev/mem", O_RDWR | O_SYNC);
  const long finisher = system_map(0, PAGE_BYTES, 0, file, SOC_FINISHER_BASE);
  *(volatile uint32_t *)finisher = status == 0 ? 0x5555u : (uint32_t)status << 16 | 0x3333u;
}

_Noreturn void _start(void) {
  say("init: Linux is up after ");
  say_number(cycles());
  say(" cycles\n");
  int status = 0;
  while (status == 0 && wait_for_program()) {
    static const struct command alone = {.arguments = {"/program"}};
    status = run(&alone);
  }
  end(status != 0 ? status : run_all());
  for (;;) {
  }
}
