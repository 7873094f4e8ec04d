/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The platform of a process with a queue of /dev/outwork: what it asks the kernel module for, what
 * it makes of the answers, and which memory is the device's. The device file is an ordinary one;
 * the linker puts a function of this test in the place of ioctl().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "outwork/linux_abi.h"
#include "outwork/linux_queue.h"
#include "outwork/outwork.h"

enum { QUEUE = 2, BYTES = 8192 };
#define ADDRESS 0x123456000u

static char path[] = "/tmp/outwork-queue-XXXXXX";
/* Of the module: how it answers; what it was asked for last. */
static int refusal;
static uint32_t memory_most = UINT32_MAX; /* more is refused with ENOMEM */
static unsigned opens;
static struct ow_linux_open asked;
static struct ow_linux_key key_asked;
static struct ow_linux_handle handle_asked;
static unsigned interrupts, arms;

int __wrap_ioctl(int file, unsigned long request, ...);

static void answer_open(struct ow_linux_open *at) {
  asked = *at;
  at->queue = QUEUE;
  at->address_low = (uint32_t)ADDRESS;
  at->address_high = (uint32_t)((uint64_t)ADDRESS >> 32);
  at->capabilities = (struct ow_capabilities){.queues = 4, .ring_log2_max = 8};
}

int __wrap_ioctl(int file, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *at = va_arg(arguments, void *);
  va_end(arguments);
  CHECK(file >= 0);
  if (refusal != 0) {
    errno = refusal;
    return -1;
  }
  if (request == OW_LINUX_OPEN) {
    opens++;
    answer_open(at);
    errno = ENOMEM;
    return asked.memory_bytes > memory_most ? -1 : 0;
  }
  if (request == OW_LINUX_KEY_LOAD) {
    key_asked = *(struct ow_linux_key *)at;
    ((struct ow_linux_key *)at)->slot = 5;
    ((struct ow_linux_key *)at)->generation = 77;
  } else if (request == OW_LINUX_KEY_ZEROISE) {
    handle_asked = *(struct ow_linux_handle *)at;
  } else {
    CHECK_EQUAL(request, OW_LINUX_ARM);
    const uint64_t one = 1;
    arms++;
    for (; interrupts != 0; interrupts--) {
      CHECK_EQUAL(write(asked.event, &one, sizeof(one)), (ssize_t)sizeof(one));
    }
  }
  return 0;
}

static struct ow_linux own;
static struct ow_platform platform;

static void open_queue(void) {
  CHECK(ow_linux_open(&own, path, BYTES) == NULL);
  ow_linux_platform(&platform, &own);
}

static void test_opens_what_the_module_gives(void) {
  open_queue();
  CHECK_EQUAL(asked.version, OW_LINUX_VERSION);
  CHECK_EQUAL(asked.memory_bytes, BYTES);
  CHECK(asked.event >= 0);
  CHECK_EQUAL(own.queue, QUEUE);
  CHECK_EQUAL(own.capabilities.queues, 4);
  uint64_t address = 0;
  uint8_t *memory = own.memory;
  CHECK(platform.map(&own, &address, memory + 100, BYTES - 100, OW_BOTH_WAYS));
  CHECK(address == (uint64_t)ADDRESS + 100);
  CHECK(!platform.map(&own, &address, memory + 100, BYTES - 99, OW_BOTH_WAYS));
  CHECK(!platform.map(&own, &address, memory - 1, 1, OW_BOTH_WAYS));
  CHECK(!platform.map(&own, &address, &address, 8, OW_BOTH_WAYS));
  ow_linux_close(&own);
  CHECK_EQUAL(own.file, -1);
}

/* The file's first page is the queue's registers, what follows the memory. */
static void test_accesses_its_own_registers_only(void) {
  uint32_t value = 0;
  open_queue();
  const int file = open(path, O_RDWR);
  const uint32_t first = OW_QUEUE_OFFSET + QUEUE * OW_QUEUE_STRIDE;
  platform.write32(&own, first + OW_QUEUE_DOORBELL_OFFSET, 9);
  CHECK_EQUAL(pread(file, &value, 4, OW_QUEUE_DOORBELL_OFFSET), 4);
  CHECK_EQUAL(value, 9);
  CHECK_EQUAL(platform.read32(&own, first + OW_QUEUE_DOORBELL_OFFSET), 9);
  CHECK_EQUAL(platform.read32(&own, OW_GLOBAL_ID_OFFSET), UINT32_MAX);
  CHECK_EQUAL(platform.read32(&own, first - 4), UINT32_MAX);
  CHECK_EQUAL(platform.read32(&own, first + OW_QUEUE_STRIDE), UINT32_MAX);
  platform.write32(&own, first + OW_QUEUE_STRIDE, 1);
  ((uint8_t *)own.memory)[3] = 0xab;
  CHECK_EQUAL(pread(file, &value, 1, OW_LINUX_MAP_MEMORY + 3), 1);
  CHECK_EQUAL(value & 0xffu, 0xab);
  CHECK_EQUAL(close(file), 0);
  ow_linux_close(&own);
}

static void test_interrupts(void) {
  open_queue();
  arms = 0;
  CHECK(!platform.wait_interrupt(&own, QUEUE, 1000));
  interrupts = 1;
  CHECK(platform.wait_interrupt(&own, QUEUE, 1000));
  /* One that nobody has waited for is over. */
  const uint64_t one = 1;
  CHECK_EQUAL(write(own.event, &one, sizeof(one)), (ssize_t)sizeof(one));
  CHECK(!platform.wait_interrupt(&own, QUEUE, 1000));
  CHECK_EQUAL(arms, 3);
  ow_linux_close(&own);
}

static void test_keys(void) {
  static const uint8_t key[65] = {1, 2, 3}, tweak[32] = {9};
  struct ow_key_material material = {
      .properties = {.encrypt = true, .lock = true}, .key_len = 32, .key = key, .tweak_key = tweak};
  struct ow_key_handle handle;
  open_queue();
  CHECK_EQUAL(ow_linux_key_load(&own, &handle, &material), OW_OK);
  CHECK_EQUAL(handle.slot, 5);
  CHECK_EQUAL(handle.generation, 77);
  CHECK(key_asked.encrypt && key_asked.lock && !key_asked.decrypt && key_asked.two_keys);
  CHECK(memcmp(key_asked.key, key, 32) == 0 && memcmp(key_asked.tweak_key, tweak, 32) == 0);
  CHECK_EQUAL(ow_linux_key_zeroise(&own, &handle), OW_OK);
  CHECK_EQUAL(handle_asked.slot, 5);
  CHECK_EQUAL(handle_asked.generation, 77);
  material.key_len = 33;
  CHECK_EQUAL(ow_linux_key_load(&own, &handle, &material), OW_BAD_ARGUMENT);
  material.key_len = 65;
  material.tweak_key = NULL;
  CHECK_EQUAL(ow_linux_key_load(&own, &handle, &material), OW_BAD_ARGUMENT);
  material.key_len = 32;
  material.key = NULL; /* the module would load zeros */
  CHECK_EQUAL(ow_linux_key_load(&own, &handle, &material), OW_BAD_ARGUMENT);
  material.reserve = true;
  CHECK(!key_asked.reserve);
  CHECK_EQUAL(ow_linux_key_load(&own, &handle, &material), OW_OK);
  CHECK(key_asked.reserve && key_asked.key_len == 32 && !key_asked.two_keys);
  material.tweak_key = tweak;
  CHECK_EQUAL(ow_linux_key_load(&own, &handle, &material), OW_BAD_ARGUMENT);
  material.tweak_key = NULL;
  static const struct {
    int error;
    ow_status status;
  } refusals[] = {
      {EDQUOT, OW_BUSY},         {ENOSPC, OW_BUSY},           {EKEYREJECTED, OW_KEY_REFUSED},
      {EINVAL, OW_BAD_ARGUMENT}, {EACCES, OW_KEY_DENIED},     {ENOKEY, OW_KEY_GONE},
      {EIO, OW_NO_DEVICE},       {EOPNOTSUPP, OW_UNSUPPORTED}};
  for (unsigned i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
    refusal = refusals[i].error;
    CHECK_EQUAL(ow_linux_key_load(&own, &handle, &material), refusals[i].status);
    CHECK_EQUAL(ow_linux_key_zeroise(&own, &handle), refusals[i].status);
  }
  refusal = 0;
  ow_linux_close(&own);
}

static void check_reason(int error, const char *word) {
  refusal = error;
  const char *why = ow_linux_open(&own, path, BYTES);
  CHECK(why != NULL && strstr(why, word) != NULL);
  CHECK_EQUAL(own.file, -1);
  refusal = 0;
}

static void test_reasons(void) {
  check_reason(EBUSY, "taken");
  check_reason(EDQUOT, "process_memory");
  check_reason(ENOMEM, "RLIMIT_MEMLOCK");
  check_reason(EPROTO, "version");
  const char *why = ow_linux_open(&own, "/no/such/file", BYTES);
  CHECK(why != NULL && strstr(why, "is the kernel module loaded") != NULL);
}

/* Powers of 2 below what was asked for first, until one is given. */
static void test_takes_what_there_is(void) {
  enum { PAGE = 4096 };
  static const struct {
    uint32_t most, least, has, gets;
    unsigned opens;
  } cases[] = {{5 * PAGE, PAGE, UINT32_MAX, 5 * PAGE, 1},
               {5 * PAGE, PAGE, 4 * PAGE, 4 * PAGE, 2},
               {5 * PAGE, PAGE, 3 * PAGE, 2 * PAGE, 3},
               {4 * PAGE, PAGE, 3 * PAGE, 2 * PAGE, 2},
               {4 * PAGE, PAGE, PAGE, PAGE, 3},
               {4 * PAGE, 2 * PAGE, PAGE, 0, 2},
               {PAGE, PAGE, 0, 0, 1}};
  for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    memory_most = cases[i].has;
    opens = 0;
    const char *why = ow_linux_open_up_to(&own, path, cases[i].most, cases[i].least);
    CHECK_EQUAL(opens, cases[i].opens);
    CHECK_EQUAL(own.memory_len, cases[i].gets);
    CHECK(cases[i].gets != 0 ? why == NULL : why != NULL && own.too_much);
    ow_linux_close(&own);
  }
  memory_most = UINT32_MAX;
  refusal = EBUSY; /* less memory would not help */
  const char *why = ow_linux_open_up_to(&own, path, 4 * PAGE, PAGE);
  CHECK(why != NULL && strstr(why, "taken") != NULL && !own.too_much);
  refusal = EDQUOT;
  CHECK(ow_linux_open_up_to(&own, path, 4 * PAGE, PAGE) != NULL && own.too_much);
  refusal = 0;
}

/* A child that has dropped the queue disturbs nothing of its parent's. */
static void test_a_forked_child(void) {
  int status = 0;
  open_queue();
  memset(own.memory, 1, BYTES);
  const pid_t child = fork();
  if (child == 0) {
    ow_linux_forget(&own);
    memset(own.memory, 2, BYTES);
    platform.write32(&own, OW_QUEUE_OFFSET + QUEUE * OW_QUEUE_STRIDE, 7);
    _exit(own.file == -1 ? 0 : 1);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  CHECK_EQUAL(WEXITSTATUS(status), 0);
  CHECK_EQUAL(((uint8_t *)own.memory)[0], 1);
  CHECK_EQUAL(platform.read32(&own, OW_QUEUE_OFFSET + QUEUE * OW_QUEUE_STRIDE), 0);
  ow_linux_close(&own);
}

int main(void) {
  const int file = mkstemp(path);
  CHECK(file >= 0);
  CHECK_EQUAL(ftruncate(file, OW_LINUX_MAP_MEMORY + BYTES), 0);
  RUN(test_opens_what_the_module_gives);
  RUN(test_accesses_its_own_registers_only);
  RUN(test_interrupts);
  RUN(test_keys);
  RUN(test_reasons);
  RUN(test_takes_what_there_is);
  RUN(test_a_forked_child);
  CHECK_EQUAL(close(file), 0);
  CHECK_EQUAL(unlink(path), 0);
  return 0;
}
