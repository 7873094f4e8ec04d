/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Makes an encrypted block device of another one: dm_crypt NAME DEVICE SECTORS CIPHER KEY [OPTION]
 *
 * As `dmsetup create` does, for a guest that has nothing but a shell. Sectors have 512 bytes; the
 * key is in hexadecimal.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define CONTROL "/dev/mapper/control"

/* What the kernel takes: a header, then the only line of a table. */
struct request {
  struct dm_ioctl header;
  struct dm_target_spec target;
  char parameters[1024];
};

static void call(int control, unsigned long what, const char *name, struct request *request) {
  struct dm_ioctl *header = &request->header;
  header->version[0] = DM_VERSION_MAJOR;
  header->data_size = sizeof(*request);
  header->data_start = sizeof(*header);
  snprintf(header->name, sizeof(header->name), "%s", name);
  if (ioctl(control, what, request) != 0) {
    fprintf(stderr, "dm_crypt: %s: %s\n", name, strerror(errno));
    exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc != 6 && argc != 7) {
    fprintf(stderr, "usage: dm_crypt NAME DEVICE SECTORS CIPHER KEY [OPTION]\n");
    return 2;
  }
  const int control = open(CONTROL, O_RDWR);
  if (control < 0) {
    fprintf(stderr, "dm_crypt: %s: %s\n", CONTROL, strerror(errno));
    return 1;
  }
  struct request create = {0}, load = {0}, resume = {0};
  call(control, DM_DEV_CREATE, argv[1], &create);
  load.header.target_count = 1;
  load.target.length = strtoull(argv[3], NULL, 10);
  strcpy(load.target.target_type, "crypt");
  snprintf(load.parameters, sizeof(load.parameters), "%s %s 0 %s 0%s%s", argv[4], argv[5], argv[2],
           argc == 7 ? " 1 " : "", argc == 7 ? argv[6] : "");
  call(control, DM_TABLE_LOAD, argv[1], &load);
  call(control, DM_DEV_SUSPEND, argv[1], &resume); /* without its flag: goes on */
  return 0;
}
