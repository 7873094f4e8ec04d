/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Fills struct ow_platform on Linux from a queue of /dev/outwork.
 */
#include "outwork/linux_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "outwork/linux_abi.h"
#include "outwork/spec.h"

/* Returns the reason of a refusal of OW_LINUX_OPEN. */
static const char *reason(int error) {
  return error == EBUSY    ? "every queue of /dev/outwork is taken"
         : error == EDQUOT ? "a queue may not have so much memory: the module's parameter "
                             "process_memory says how much"
         : error == ENOMEM ? "there is no memory for the queue: is RLIMIT_MEMLOCK large enough?"
         : error == EPROTO ? "the kernel module is of another version"
                           : "the kernel module refuses a queue";
}

static void *map(const struct ow_linux *own, size_t length, uint32_t offset) {
  void *mapped = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, own->file, (off_t)offset);
  return mapped == MAP_FAILED ? NULL : mapped;
}

static const char *begin(struct ow_linux *own, size_t bytes) {
  struct ow_linux_open request = {
      .version = OW_LINUX_VERSION, .memory_bytes = (uint32_t)bytes, .event = own->event};
  if (ioctl(own->file, OW_LINUX_OPEN, &request) != 0) {
    own->too_much = errno == ENOMEM || errno == EDQUOT;
    return reason(errno);
  }
  own->memory_len = bytes;
  own->address = (uint64_t)request.address_high << 32 | request.address_low;
  own->queue = request.queue;
  own->capabilities = request.capabilities;
  own->registers = map(own, OW_PAGE_SIZE, OW_LINUX_MAP_REGISTERS);
  own->memory = map(own, bytes, OW_LINUX_MAP_MEMORY);
  return own->registers == NULL || own->memory == NULL
             ? "the queue of /dev/outwork cannot be mapped"
             : NULL;
}

const char *ow_linux_open(struct ow_linux *own, const char *path, size_t bytes) {
  *own = (struct ow_linux){.file = open(path, O_RDWR | O_CLOEXEC), .event = -1};
  if (own->file < 0) {
    return errno == EACCES ? "this process may not open /dev/outwork"
                           : "there is no /dev/outwork: is the kernel module loaded?";
  }
  if (bytes > UINT32_MAX) {
    ow_linux_close(own);
    own->too_much = true;
    return reason(EDQUOT);
  }
  own->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const char *why = own->event < 0 ? "there is no eventfd" : begin(own, bytes);
  if (why != NULL) {
    const bool too_much = own->too_much;
    ow_linux_close(own);
    own->too_much = too_much;
  }
  return why;
}

const char *ow_linux_open_up_to(struct ow_linux *own, const char *path, size_t most, size_t least) {
  size_t bytes = OW_PAGE_SIZE;
  const char *why = ow_linux_open(own, path, most);
  while (bytes < most - bytes) {
    bytes *= 2u; /* the largest power of 2 below `most` */
  }
  for (; why != NULL && own->too_much && bytes >= least && bytes < most; bytes /= 2u) {
    why = ow_linux_open(own, path, bytes);
  }
  return why;
}

static void unmap(struct ow_linux *own) {
  if (own->registers != NULL) {
    (void)munmap((void *)(uintptr_t)own->registers, OW_PAGE_SIZE);
  }
  if (own->memory != NULL) {
    (void)munmap(own->memory, own->memory_len);
  }
}

static void close_files(struct ow_linux *own) {
  if (own->event >= 0) {
    (void)close(own->event);
  }
  if (own->file >= 0) {
    (void)close(own->file);
  }
  own->file = -1;
  own->event = -1;
}

void ow_linux_close(struct ow_linux *own) {
  unmap(own);
  close_files(own);
  *own = (struct ow_linux){.file = -1, .event = -1};
}

/* The kernel has not copied the mappings. Private memory at the same places, so that nothing which
 * the child still does there ends it. */
void ow_linux_forget(struct ow_linux *own) {
  const int private_here = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  close_files(own);
  if (own->registers != NULL) {
    (void)mmap((void *)(uintptr_t)own->registers, OW_PAGE_SIZE, PROT_READ | PROT_WRITE,
               private_here, -1, 0);
  }
  if (own->memory != NULL) {
    (void)mmap(own->memory, own->memory_len, PROT_READ | PROT_WRITE, private_here, -1, 0);
  }
}

/* Returns the register of the queue's page at an offset of the device; NULL: not in that page. */
static volatile uint32_t *place(const struct ow_linux *own, uint32_t offset) {
  const uint32_t at = offset - OW_QUEUE_OFFSET - own->queue * OW_QUEUE_STRIDE;
  return at < OW_PAGE_SIZE ? &own->registers[at / 4u] : NULL;
}

static uint32_t queue_read32(void *context, uint32_t offset) {
  const volatile uint32_t *at = place(context, offset);
  return at != NULL ? *at : UINT32_MAX;
}

static void queue_write32(void *context, uint32_t offset, uint32_t value) {
  volatile uint32_t *at = place(context, offset);
  if (at != NULL) {
    *at = value;
  }
}

static bool queue_map(void *context, uint64_t *address, void *memory, size_t length,
                      ow_direction direction) {
  const struct ow_linux *own = context;
  const uintptr_t offset = (uintptr_t)memory - (uintptr_t)own->memory;
  (void)direction;
  *address = own->address + offset;
  return offset < own->memory_len && length <= own->memory_len - offset;
}

/* The accelerator is outside of the domain that a barrier of C reaches on Arm, and its registers
 * are ordered with memory by their own kind of fence on RISC-V. */
static void queue_barrier(void *context) {
  (void)context;
#if defined(__arm__) || defined(__aarch64__)
  __asm__ volatile("dsb sy" ::: "memory");
#elif defined(__riscv)
  __asm__ volatile("fence iorw, iorw" ::: "memory");
#else
  __sync_synchronize();
#endif
}

/* Permits one interrupt and waits for it. What the eventfd has from before is taken first: that
 * interrupt is over. */
static bool queue_wait_interrupt(void *context, unsigned queue, uint32_t microseconds) {
  struct ow_linux *own = context;
  struct pollfd event = {.fd = own->event, .events = POLLIN};
  uint64_t count = 0;
  (void)queue;
  (void)read(own->event, &count, sizeof(count));
  if (ioctl(own->file, OW_LINUX_ARM) != 0 ||
      poll(&event, 1, (int)(microseconds / 1000u) + 1) != 1) {
    return false;
  }
  return read(own->event, &count, sizeof(count)) == (ssize_t)sizeof(count);
}

static uint64_t queue_microseconds(void *context) {
  struct timespec now = {0};
  (void)context;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static bool queue_entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  return getrandom(bytes, length, 0) == (ssize_t)length;
}

void ow_linux_platform(struct ow_platform *platform, struct ow_linux *own) {
  *platform = (struct ow_platform){
      .context = own,
      .read32 = queue_read32,
      .write32 = queue_write32,
      .map = queue_map,
      .barrier = queue_barrier,
      .wait_interrupt = queue_wait_interrupt,
      .microseconds = queue_microseconds,
      .entropy = queue_entropy,
  };
}

static ow_status status_of(int error) {
  return error == EDQUOT || error == ENOSPC ? OW_BUSY
         : error == EKEYREJECTED            ? OW_KEY_REFUSED
         : error == EINVAL                  ? OW_BAD_ARGUMENT
         : error == EOPNOTSUPP              ? OW_UNSUPPORTED
         : error == EACCES                  ? OW_KEY_DENIED
         : error == ENOKEY                  ? OW_KEY_GONE
                                            : OW_NO_DEVICE;
}

ow_status ow_linux_key_load(struct ow_linux *own, struct ow_key_handle *handle,
                            const struct ow_key_material *material) {
  struct ow_linux_key request = {.opcode = material->opcode,
                                 .curve = material->curve,
                                 .key_len = material->key_len,
                                 .two_keys = material->tweak_key != NULL,
                                 .encrypt = material->properties.encrypt,
                                 .decrypt = material->properties.decrypt,
                                 .mac = material->properties.mac,
                                 .lock = material->properties.lock,
                                 .reserve = material->reserve};
  if (!ow_key_material_fits(material, sizeof(request.key), sizeof(request.tweak_key))) {
    return OW_BAD_ARGUMENT;
  }
  if (material->key != NULL) {
    memcpy(request.key, material->key, material->key_len);
  }
  if (material->tweak_key != NULL) {
    memcpy(request.tweak_key, material->tweak_key, material->key_len);
  }
  const ow_status status =
      ioctl(own->file, OW_LINUX_KEY_LOAD, &request) == 0 ? OW_OK : status_of(errno);
  *handle = (struct ow_key_handle){.slot = request.slot, .generation = request.generation};
  explicit_bzero(&request, sizeof(request));
  return status;
}

ow_status ow_linux_key_zeroise(struct ow_linux *own, const struct ow_key_handle *handle) {
  struct ow_linux_handle request = {.generation = handle->generation, .slot = handle->slot};
  return ioctl(own->file, OW_LINUX_KEY_ZEROISE, &request) == 0 ? OW_OK : status_of(errno);
}
