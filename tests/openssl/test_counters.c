/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The counters' file: its contents, and a program that continues if there is no space for the file.
 *
 *   test_counters [full]: `full` on a full file system, which only some may mount; exit status 77
 *   where that is not allowed
 */
#include <fcntl.h>
#include <glob.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host.h"

#define SKIPPED 77
#define DIGESTS 5u

static char folder[] = "/tmp/outwork-counters-XXXXXX";

/* Makes some requests for the device, which are all counted. */
static void count(void) {
  struct host host;
  char settings[200];
  uint8_t digest[32];
  snprintf(settings, sizeof(settings), "policy = always\ncounters = %s", folder);
  host_open(&host, settings);
  for (unsigned i = 0; i < DIGESTS; i++) {
    CHECK(EVP_Digest("abc", 3, digest, NULL, host.digests[2], NULL) == 1);
  }
  CHECK_EQUAL(host_count(&host, "jobs"), DIGESTS);
  host_close(&host);
}

static size_t files(void) {
  char pattern[200];
  glob_t found;
  snprintf(pattern, sizeof(pattern), "%s/*", folder);
  CHECK(glob(pattern, 0, NULL, &found) != GLOB_ABORTED);
  size_t length = found.gl_pathc;
  globfree(&found);
  return length;
}

/* The counters' file stays when the process has ended. */
static void test_file(void) {
  char path[200], header[1024];
  uint64_t reasons;
  count();
  CHECK_EQUAL(files(), 1);
  snprintf(path, sizeof(path), "%s/%ld.counters", folder, (long)getpid());
  int file = open(path, O_RDONLY);
  CHECK(file >= 0 && read(file, header, sizeof(header)) == (ssize_t)sizeof(header));
  CHECK(memcmp(header, "OWSTATS2", 8) == 0);
  memcpy(&reasons, header + 64, sizeof(reasons));
  size_t used = 72 + 48 * (size_t)reasons; /* the rest is unused */
  CHECK(used < sizeof(header));
  CHECK(strcmp(header + used - 48, "tag refused, checked again") == 0);
  for (size_t i = used; i < sizeof(header); i++) {
    CHECK_EQUAL(header[i], 0);
  }
  close(file);
  CHECK(unlink(path) == 0);
}

/* A limit of the size of files: by default a write beyond it kills the process. */
static void test_limit(void) {
  struct rlimit before, small;
  CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
  small = before;
  small.rlim_cur = 8192;
  CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  count();
  CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK_EQUAL(files(), 0);
}

/* The file system has one page, less than the counters need. */
static bool mount_small(void) {
  return (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
         mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         mount("tmpfs", folder, "tmpfs", 0, "size=4096,mode=0777") == 0;
}

static void test_full(void) {
  count();
  CHECK_EQUAL(files(), 0);
}

int main(int argc, char **argv) {
  CHECK(mkdtemp(folder) != NULL);
  if (argc > 1 && strcmp(argv[1], "full") == 0) {
    bool good = mount_small();
    if (good) {
      RUN(test_full);
      CHECK(umount(folder) == 0);
    }
    CHECK(rmdir(folder) == 0);
    return good ? 0 : SKIPPED;
  }
  RUN(test_file);
  RUN(test_limit);
  CHECK(rmdir(folder) == 0);
  return 0;
}
