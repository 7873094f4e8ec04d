/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The functions of guest.h.
 */
#include "guest.h"

#include "system_calls.h"

#define CALL_MKNOD 33
#define CALL_MKDIR 34
#define CALL_MOUNT 40
#define CALL_LOAD  273 /* finit_module */

#define EAGAIN 11
#define ENOENT 2

#define MISC_MAJOR     10
#define CHARACTER_FILE 0020600

size_t guest_length(const char *string) {
  size_t length = 0;
  while (string[length] != 0) {
    length++;
  }
  return length;
}

int guest_equal(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

char *guest_next_line(char *text) {
  while (*text != 0 && *text != '\n') {
    text++;
  }
  if (*text != 0) {
    *text++ = 0;
  }
  return text;
}

long guest_read_file(const char *path, char *memory, size_t size) {
  const long file = system_open(path, O_RDONLY);
  size_t length = 0;
  long got = file;
  while (file >= 0 && length < size - 1 &&
         (got = system_read((int)file, memory + length, size - 1 - length)) > 0) {
    length += (size_t)got;
  }
  system_close((int)file);
  memory[length] = 0;
  return got < 0 ? got : (long)length;
}

long guest_write_file(const char *path, const char *text) {
  const long file = system_open(path, O_WRONLY);
  const long status = file < 0 ? file : system_write((int)file, text, guest_length(text));
  system_close((int)file);
  return status;
}

long guest_mount(const char *type, const char *folder) {
  (void)system_call(CALL_MKDIR, AT_FDCWD, (long)folder, 0755, 0, 0, 0);
  return system_call(CALL_MOUNT, (long)type, (long)folder, (long)type, 0, 0, 0);
}

long guest_load(const char *path, const char *parameters) {
  const long file = system_open(path, O_RDONLY);
  const long status = file < 0 ? file : system_call(CALL_LOAD, file, (long)parameters, 0, 0, 0, 0);
  system_close((int)file);
  return status == -EAGAIN ? 0 : status;
}

long guest_say_module(void) {
  static const char head[] = "module: code at ";
  static char address[32];
  const long length =
      guest_read_file("/sys/module/outwork/sections/.text", address, sizeof(address));
  (void)system_write(1, head, sizeof(head) - 1);
  (void)system_write(1, address, guest_length(address));
  return length;
}

long guest_bind(uint32_t registers) {
  char name[] = "00000000.outwork";
  for (unsigned digit = 0; digit < 8; digit++) {
    name[digit] = "0123456789abcdef"[registers >> (28u - 4u * digit) & 15u];
  }
  return guest_write_file("/sys/bus/platform/drivers/outwork/bind", name);
}

/* /proc/misc has a number and a name a line. */
long guest_make_device(const char *name) {
  static char path[64] = "/dev/", text[4096];
  size_t length = 5;
  long status = guest_read_file("/proc/misc", text, sizeof(text));
  for (size_t i = 0; name[i] != 0 && length < sizeof(path) - 1; i++) {
    path[length++] = name[i];
  }
  path[length] = 0;
  for (char *line = text, *after; status >= 0 && *line != 0; line = after) {
    long minor = 0;
    after = guest_next_line(line);
    for (; *line != 0 && (*line < 'a' || *line > 'z'); line++) {
      minor = *line >= '0' && *line <= '9' ? 10 * minor + *line - '0' : minor;
    }
    if (guest_equal(line, name)) {
      return system_call(CALL_MKNOD, AT_FDCWD, (long)path, CHARACTER_FILE, MISC_MAJOR << 8 | minor,
                         0, 0);
    }
  }
  return status < 0 ? status : -ENOENT;
}
