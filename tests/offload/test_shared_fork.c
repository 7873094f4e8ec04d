/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A child closes its copy of its parent's connection to a shared board, so that the server notices
 * when the parent ends, and opens its own; the parent's continues. Needs a board
 * (OUTWORK_TEST_SOCKET).
 */
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "offload.h"

static struct ow_offload *offload;

/* Descriptors of this process that are sockets. */
static unsigned sockets(void) {
  unsigned found = 0;
  char target[64];
  DIR *folder = opendir("/proc/self/fd");
  CHECK(folder != NULL);
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof(target));
    found += length > 7 && memcmp(target, "socket:", 7) == 0;
  }
  closedir(folder);
  return found;
}

static void check_device(void) {
  static const uint8_t key[16] = {1}, message[100] = {2};
  uint8_t output[sizeof(message)];
  struct ow_request request = {.opcode = OW_OP_AES_CTR,
                               .key = key,
                               .key_len = sizeof(key),
                               .iv = key,
                               .iv_len = 16,
                               .input = message,
                               .output = output,
                               .length = sizeof(message)};
  CHECK(ow_offload_wants(offload, OW_OP_AES_CTR, 16, false, sizeof(message)));
  CHECK(ow_offload_run(offload, &request));
}

/* The server chooses the slot; the key is this process's alone, and gone once zeroised. */
static void check_slot(void) {
  static const uint8_t key[16] = {1}, input[16] = {2};
  const struct ow_key_material material = {
      .properties = {.encrypt = true}, .key = key, .key_len = sizeof(key)};
  uint8_t outputs[2][sizeof(input)];
  struct ow_slot_key slot;
  CHECK_EQUAL(ow_offload_key_load(offload, &slot, &material), OW_OK);
  struct ow_request request = {.opcode = OW_OP_AES_ECB,
                               .slot = &slot,
                               .input = input,
                               .output = outputs[0],
                               .length = sizeof(input)};
  CHECK(ow_offload_run_retry(offload, &request));
  CHECK_EQUAL(ow_offload_key_zeroise(offload, &slot), OW_OK);
  CHECK(!ow_offload_run_retry(offload, &request));
  request = (struct ow_request){.opcode = OW_OP_AES_ECB,
                                .key = key,
                                .key_len = sizeof(key),
                                .input = input,
                                .output = outputs[1],
                                .length = sizeof(input)};
  CHECK(ow_offload_run(offload, &request));
  CHECK(memcmp(outputs[0], outputs[1], sizeof(input)) == 0);
}

int main(void) {
  const struct ow_offload_settings settings = {.platform = "shared",
                                               .socket = getenv("OUTWORK_TEST_SOCKET"),
                                               .policy = "always",
                                               .host = "test"};
  int status;
  unsigned before = sockets();
  offload = ow_offload_open(&settings);
  CHECK(offload != NULL);
  check_device();
  check_slot();
  CHECK_EQUAL(sockets(), before + 1);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    CHECK_EQUAL(sockets(), before);
    check_device();
    CHECK_EQUAL(sockets(), before + 1);
    _exit(0);
  }
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status));
  CHECK_EQUAL(WEXITSTATUS(status), 0);
  check_device();
  ow_offload_close(offload);
  CHECK_EQUAL(sockets(), before);
  return 0;
}
