/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The client: connects to the server and provides the driver's platform functions.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "outwork/spec.h"
#include "protocol.h"

/* Wall-clock time without a poll of our page by the server after which it counts as gone, even if
 * its socket is open. A slow server polls many times meanwhile; a sleeping one is woken first. */
#define SILENCE_US 30000000u
/* Time between two such checks while waiting for an answer. */
#define CHECK_MS 200
/* When the server is gone, each read of the clock advances it by this, so that every timeout ends.
 */
#define GONE_US 1000u
/* Fruitless polls between two checks whether the server is still there. */
#define POLLS_PER_CHECK 256u
/* One of so many waits sleeps instead of yielding. */
#define YIELDS   16u
#define SLEEP_NS 50000

static struct shared_page *page_of(struct ow_shared *shared) {
  return shared->mapped;
}

static uint64_t wall_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static uint64_t device_us(void *context) {
  struct ow_shared *shared = context;
  if (!shared->gone) {
    return atomic_load(&page_of(shared)->microseconds);
  }
  shared->microseconds += GONE_US;
  return shared->microseconds;
}

static void mark_gone(struct ow_shared *shared) {
  if (!shared->gone && shared->mapped != NULL) {
    shared->microseconds = atomic_load(&page_of(shared)->microseconds);
  }
  shared->gone = true;
}

/* Since when the server has been silent, and its count of polls then. */
struct silence {
  uint32_t polls;
  uint64_t since;
};

static uint32_t polls_of(struct ow_shared *shared) {
  return shared->mapped != NULL ? atomic_load(&page_of(shared)->polls) : 0;
}

static struct silence silence_start(struct ow_shared *shared) {
  return (struct silence){.polls = polls_of(shared), .since = wall_us()};
}

/* Before the page is mapped, only an answer ends the silence. */
static bool silent_too_long(struct ow_shared *shared, struct silence *silence) {
  uint32_t polls = polls_of(shared);
  if (polls != silence->polls) {
    *silence = silence_start(shared);
    return false;
  }
  return wall_us() - silence->since > SILENCE_US;
}

static void check_server(struct ow_shared *shared) {
  struct pollfd hangup = {.fd = shared->socket, .events = 0};
  if (poll(&hangup, 1, 0) != 0) {
    mark_gone(shared);
  }
}

static void wake(struct ow_shared *shared) {
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load(&page_of(shared)->asleep) != 0 &&
      atomic_exchange(&page_of(shared)->asleep, 0) != 0) {
    if (send(shared->socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
      check_server(shared);
    }
  }
}

static void relax(void *context) {
  struct ow_shared *shared = context;
  if (++shared->idle % POLLS_PER_CHECK == 0) {
    check_server(shared);
  }
  if (shared->idle % YIELDS != 0) {
    sched_yield();
  } else { /* leaves the core to the simulation */
    const struct timespec time = {.tv_nsec = SLEEP_NS};
    nanosleep(&time, NULL);
  }
}

/* Accesses a register of the queue's page through the server. Returns all ones if it is gone. */
static uint32_t access_register(struct ow_shared *shared, bool is_write, uint32_t offset,
                                uint32_t value) {
  struct shared_page *page = page_of(shared);
  uint32_t first = OW_QUEUE_OFFSET + shared->queue * OW_QUEUE_STRIDE;
  if (shared->gone || offset < first || offset - first >= OW_PAGE_SIZE) {
    return UINT32_MAX;
  }
  atomic_store(&page->offset, offset - first);
  atomic_store(&page->value, value);
  atomic_store(&page->is_write, is_write);
  atomic_store(&page->asked, ++shared->asked);
  wake(shared);
  struct silence silence = silence_start(shared);
  while (atomic_load(&page->answered) != shared->asked) {
    relax(shared);
    if (shared->gone || silent_too_long(shared, &silence)) {
      mark_gone(shared);
      return UINT32_MAX;
    }
  }
  return atomic_load(&page->answer);
}

static uint32_t read32(void *context, uint32_t offset) {
  return access_register(context, false, offset, 0);
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  struct ow_shared *shared = context;
  if (offset != OW_QUEUE_OFFSET + shared->queue * OW_QUEUE_STRIDE + OW_QUEUE_DOORBELL_OFFSET) {
    (void)access_register(shared, true, offset, value);
    return;
  }
  if (shared->gone) {
    return;
  }
  atomic_store(&page_of(shared)->doorbell, value);
  atomic_fetch_add(&page_of(shared)->doorbells, 1);
  wake(shared);
}

static bool map(void *context, uint64_t *address, void *memory, size_t length,
                ow_direction direction) {
  const struct ow_shared *shared = context;
  uintptr_t begin = (uintptr_t)shared->memory, at = (uintptr_t)memory;
  (void)direction;
  *address = shared->base + OW_SHARED_PAGE + (at - begin);
  return at >= begin && length <= shared->memory_len && at - begin <= shared->memory_len - length;
}

/* The server writes from another core of this machine: caches are coherent. */
static void sync_for_cpu(void *context, void *memory, size_t length) {
  (void)context;
  (void)memory;
  (void)length;
  atomic_thread_fence(memory_order_acquire);
}

static void barrier(void *context) {
  (void)context;
  atomic_thread_fence(memory_order_seq_cst);
}

static bool entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  return getentropy(bytes, length) == 0;
}

void ow_shared_platform(struct ow_shared *shared, struct ow_platform *platform) {
  *platform = (struct ow_platform){.context = shared,
                                   .read32 = read32,
                                   .write32 = write32,
                                   .map = map,
                                   .sync_for_cpu = sync_for_cpu,
                                   .barrier = barrier,
                                   .relax = relax,
                                   .microseconds = device_us,
                                   .entropy = entropy};
}

/* Sends a request and waits for the answer, and for a file descriptor if `memory` is not NULL.
 * After a failure nothing more is asked: an answer that came late would be taken for that to the
 * next. */
static bool ask(struct ow_shared *shared, const struct shared_message *message,
                struct shared_answer *answer, int *memory) {
  struct pollfd wait = {.fd = shared->socket, .events = POLLIN};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = answer, .iov_len = sizeof(*answer)};
  struct msghdr got = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control.room,
                       .msg_controllen = sizeof(control.room)};
  if (shared->gone) {
    return false;
  }
  /* Fails if the server has already refused and closed; its answer can still be read. */
  (void)send(shared->socket, message, sizeof(*message), MSG_NOSIGNAL);
  struct silence silence = silence_start(shared);
  while (poll(&wait, 1, CHECK_MS) != 1) {
    if (silent_too_long(shared, &silence)) {
      mark_gone(shared);
      return false;
    }
  }
  ssize_t length = recvmsg(shared->socket, &got, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (length < 0 && errno == ECONNRESET) { /* our request was not read; the answer comes next */
    length = recvmsg(shared->socket, &got, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  }
  if (length != (ssize_t)sizeof(*answer)) {
    mark_gone(shared);
    return false;
  }
  const struct cmsghdr *sent = CMSG_FIRSTHDR(&got);
  if (memory != NULL && sent != NULL && sent->cmsg_type == SCM_RIGHTS) {
    memcpy(memory, CMSG_DATA(sent), sizeof(*memory));
  }
  return true;
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path)) {
    return -1;
  }
  memcpy(address.sun_path, path, strlen(path));
  int file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (file >= 0 && connect(file, (const struct sockaddr *)&address, sizeof(address)) != 0) {
    close(file);
    file = -1;
  }
  return file;
}

static const char *begin(struct ow_shared *shared, size_t bytes) {
  struct shared_message hello = {.magic = OW_SHARED_MAGIC,
                                 .version = OW_SHARED_VERSION,
                                 .request = SHARED_HELLO,
                                 .bytes = bytes};
  struct shared_answer answer;
  int memory = -1;
  if (!ask(shared, &hello, &answer, &memory)) {
    return "the shared board does not answer: is it of this version?";
  }
  if (answer.status != OW_OK || memory < 0) {
    return answer.status == OW_BUSY ? "every queue of the shared board is taken"
                                    : "the shared board refuses the memory asked for";
  }
  shared->mapped_len = OW_SHARED_PAGE + bytes;
  shared->mapped = mmap(NULL, shared->mapped_len, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  close(memory);
  if (shared->mapped == MAP_FAILED) {
    shared->mapped = NULL;
    return "the shared board's memory cannot be mapped";
  }
  (void)madvise(shared->mapped, shared->mapped_len, MADV_DONTFORK);
  shared->memory = (uint8_t *)shared->mapped + OW_SHARED_PAGE;
  shared->memory_len = bytes;
  shared->base = answer.base;
  shared->queue = answer.queue;
  shared->capabilities = answer.capabilities;
  return NULL;
}

const char *ow_shared_open(struct ow_shared *shared, const char *path, size_t bytes) {
  *shared = (struct ow_shared){.socket = connect_to(path)};
  if (shared->socket < 0) {
    return "no shared board listens there (`outwork board --listen`)";
  }
  const char *why = begin(shared, bytes);
  if (why != NULL) {
    ow_shared_close(shared);
  }
  return why;
}

/* Replaces the parent's memory by private memory at the same address, so that nothing the child
 * still does there disturbs a request of the parent. */
void ow_shared_forget(struct ow_shared *shared) {
  if (shared->mapped != NULL) {
    (void)mmap(shared->mapped, shared->mapped_len, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }
  close(shared->socket);
  mark_gone(shared);
}

void ow_shared_close(struct ow_shared *shared) {
  close(shared->socket);
  if (shared->mapped != NULL) {
    munmap(shared->mapped, shared->mapped_len);
  }
  *shared = (struct ow_shared){.socket = -1, .gone = true};
}

ow_status ow_shared_key_load(struct ow_shared *shared, struct ow_key_handle *handle,
                             const struct ow_key_material *material) {
  struct shared_message message = {.magic = OW_SHARED_MAGIC,
                                   .version = OW_SHARED_VERSION,
                                   .request = SHARED_KEY_LOAD,
                                   .encrypt = material->properties.encrypt,
                                   .decrypt = material->properties.decrypt,
                                   .mac = material->properties.mac,
                                   .lock = material->properties.lock,
                                   .two_keys = material->tweak_key != NULL,
                                   .reserve = material->reserve,
                                   .opcode = material->opcode,
                                   .curve = material->curve,
                                   .key_len = material->key_len};
  struct shared_answer answer;
  if (!ow_key_material_fits(material, sizeof(message.key), sizeof(message.tweak_key))) {
    return OW_BAD_ARGUMENT;
  }
  if (material->key != NULL) {
    memcpy(message.key, material->key, material->key_len);
  }
  if (material->tweak_key != NULL) {
    memcpy(message.tweak_key, material->tweak_key, material->key_len);
  }
  bool good = ask(shared, &message, &answer, NULL);
  explicit_bzero(&message, sizeof(message));
  if (!good) {
    return OW_NO_DEVICE;
  }
  *handle = (struct ow_key_handle){.slot = answer.slot, .generation = answer.generation};
  return (ow_status)answer.status;
}

ow_status ow_shared_key_zeroise(struct ow_shared *shared, const struct ow_key_handle *handle) {
  struct shared_message message = {.magic = OW_SHARED_MAGIC,
                                   .version = OW_SHARED_VERSION,
                                   .request = SHARED_KEY_ZEROISE,
                                   .slot = handle->slot,
                                   .generation = handle->generation};
  struct shared_answer answer;
  return ask(shared, &message, &answer, NULL) ? (ow_status)answer.status : OW_NO_DEVICE;
}
