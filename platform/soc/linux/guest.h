/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What programs for Linux without a C library do to set up the guest: file systems, modules, device
 * files.
 *
 * A result below 0 is the negative number of an error.
 */
#ifndef GUEST_H
#define GUEST_H

#include <stddef.h>
#include <stdint.h>

size_t guest_length(const char *string);
int guest_equal(const char *a, const char *b);
/* Ends the first line of a text with a zero and returns the next one. */
char *guest_next_line(char *text);
/* Reads a file into memory and ends it with a zero. Returns its length. */
long guest_read_file(const char *path, char *memory, size_t size);

/* Writes a text to a file that is there. */
long guest_write_file(const char *path, const char *text);

/* Mounts a file system of this type, and makes the folder if it is not there. */
long guest_mount(const char *type, const char *folder);
/* Loads a module. EAGAIN counts as success: a module that does its work while it is loaded, and
 * does not stay. */
long guest_load(const char *path, const char *parameters);
/* Gives the accelerator with these registers to its module, which has not been given it when it was
 * loaded; /sys is mounted. */
long guest_bind(uint32_t registers);
/* Prints where the code of the module of the accelerator is; /sys is mounted. */
long guest_say_module(void);
/* Makes /dev/NAME for a miscellaneous device; /proc is mounted. */
long guest_make_device(const char *name);

#endif
