/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The session of a client on one queue: opens it, serves it, closes it.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "server.h"

/* The longest job: a private RSA-4096 operation, in device cycles. */
#define LONGEST_JOB_CYCLES 2500000u
/* Device cycles within which a queue's reset ends, whatever the queue was doing. The hardware's own
 * bound is 65,536 of them, for what it zeroes, and the time of the bursts under way. */
#define RESET_CYCLES 100000u

/* Key slots that every client can have, however many the others use. */
#define SLOTS_EACH 4u

/* Returns a memory file whose size the client cannot change: a read beyond the end of a file that
 * was truncated would end the server with SIGBUS. -1: failed. */
static int make_memory(size_t length) {
  int file = memfd_create("outwork", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file >= 0 && (ftruncate(file, (off_t)length) != 0 ||
                    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
    close(file);
    file = -1;
  }
  return file;
}

static void write_page(struct ow_shared_server *server, unsigned number, uint32_t offset,
                       uint32_t value) {
  const struct ow_platform *platform = &server->platform;
  platform->write32(platform->context, OW_QUEUE_OFFSET + number * OW_QUEUE_STRIDE + offset, value);
}

static uint32_t read_page(const struct ow_shared_server *server, unsigned number, uint32_t offset) {
  const struct ow_platform *platform = &server->platform;
  return platform->read32(platform->context, OW_QUEUE_OFFSET + number * OW_QUEUE_STRIDE + offset);
}

/* Returns the limit after which the device ends a job. It is a last resort, far above the longest
 * honest job: one that waits for every other stream of its queue, where each of these waits for the
 * longest job of every other queue. */
static uint32_t watchdog_cycles(const struct ow_capabilities *capabilities) {
  return LONGEST_JOB_CYCLES * capabilities->streams * capabilities->queues;
}

static ow_status grant(struct ow_shared_server *server, unsigned number, uint64_t base,
                       size_t length) {
  const struct ow_grant grant = {
      .watchdog_cycles = watchdog_cycles(&server->device.capabilities),
      .windows_len = 1,
      .windows = {{.first = base, .last = base + length - 1, .read = true, .write = true}}};
  return ow_queue_grant(&server->device, number, &grant);
}

/* Allocates zeroed memory that the client and the device can access. MAP_FAILED: no memory. */
static void *map_memory(struct ow_shared_server *server, size_t length, int *file) {
  void *page = MAP_FAILED;
  *file = make_memory(length);
  if (*file >= 0) {
    page = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
  }
  if (page != MAP_FAILED && ow_sim_register(server->sim, (uint8_t *)page + OW_SHARED_PAGE,
                                            length - OW_SHARED_PAGE) == 0) {
    munmap(page, length);
    page = MAP_FAILED;
  }
  return page;
}

bool ow_session_open(struct ow_shared_server *server, unsigned number, int socket, uint64_t bytes) {
  struct session *session = &server->sessions[number];
  if (bytes == 0 || bytes > OW_SHARED_BYTES_MAX || bytes % 64 != 0) {
    return false;
  }
  size_t length = OW_SHARED_PAGE + (size_t)bytes;
  int file;
  void *page = map_memory(server, length, &file);
  if (page == MAP_FAILED) {
    if (file >= 0) {
      close(file);
    }
    return false;
  }
  *session =
      (struct session){.state = SESSION_OPEN, .socket = socket, .page = page, .mapped_len = length};
  const struct shared_answer answer = {
      .status = grant(server, number, (uintptr_t)page + OW_SHARED_PAGE, (size_t)bytes),
      .queue = (uint8_t)number,
      .base = (uintptr_t)page,
      .capabilities = server->device.capabilities};
  bool good = ow_message_send(socket, &answer, answer.status == OW_OK ? file : -1);
  close(file);
  if (good) {
    server->served++;
  } else {
    ow_session_close(server, number); /* closes the socket too */
  }
  return true;
}

/* Returns whether a slot is known to be empty. A key load that timed out may still end later, so
 * the slot keeps its owner until then. */
static bool is_empty(struct ow_shared_server *server, unsigned slot) {
  const struct ow_platform *platform = &server->platform;
  struct ow_key_info info;
  return ow_key_query(&server->device, &info, (uint8_t)slot) == OW_OK && !info.valid &&
         !info.reserved &&
         (platform->read32(platform->context, OW_GLOBAL_KEY_STATUS_OFFSET) &
          OW_GLOBAL_KEY_STATUS_BUSY_MASK) == 0;
}

static bool zeroise(struct ow_shared_server *server, unsigned slot) {
  if (ow_key_zeroise(&server->device, (uint8_t)slot) != OW_OK || !is_empty(server, slot)) {
    return false;
  }
  server->key_owner[slot] = NO_OWNER;
  return true;
}

/* Returns how many free slots are reserved for the other clients (SLOTS_EACH for each). */
static unsigned slots_kept(const struct ow_shared_server *server, unsigned number) {
  unsigned kept = 0;
  for (unsigned other = 0; other < server->device.capabilities.queues; other++) {
    unsigned owned = 0;
    for (unsigned slot = 0; slot < server->device.capabilities.key_slots; slot++) {
      owned += server->key_owner[slot] == other ? 1u : 0u;
    }
    kept += other != number && owned < SLOTS_EACH ? SLOTS_EACH - owned : 0;
  }
  return kept;
}

static unsigned slots_free(const struct ow_shared_server *server) {
  unsigned count = 0;
  for (unsigned slot = 0; slot < server->device.capabilities.key_slots; slot++) {
    count += server->key_owner[slot] == NO_OWNER ? 1u : 0u;
  }
  return count;
}

void ow_session_load_key(struct ow_shared_server *server, unsigned number,
                         const struct shared_message *message, struct shared_answer *answer) {
  const struct ow_key_material material = {.properties = {.queues = (uint8_t)(1u << number),
                                                          .encrypt = message->encrypt != 0,
                                                          .decrypt = message->decrypt != 0,
                                                          .mac = message->mac != 0,
                                                          .lock = message->lock != 0},
                                           .opcode = message->opcode,
                                           .curve = message->curve,
                                           .key_len = message->key_len,
                                           .reserve = message->reserve != 0,
                                           .key = message->reserve != 0 ? NULL : message->key,
                                           .tweak_key =
                                               message->two_keys != 0 ? message->tweak_key : NULL};
  answer->status = OW_BUSY;
  if (material.key_len > sizeof(message->key)) {
    answer->status = OW_BAD_ARGUMENT;
    return;
  }
  if (slots_free(server) <= slots_kept(server, number)) {
    return;
  }
  for (unsigned slot = 0; slot < server->device.capabilities.key_slots; slot++) {
    if (server->key_owner[slot] == NO_OWNER) {
      struct ow_key_info info = {0};
      answer->status = ow_key_load_material(&server->device, (uint8_t)slot, &material);
      if (answer->status == OW_OK) {
        answer->status = ow_key_query(&server->device, &info, (uint8_t)slot);
      }
      answer->generation = info.generation;
      answer->slot = (uint8_t)slot;
      server->key_owner[slot] =
          answer->status == OW_OK || !is_empty(server, slot) ? (uint8_t)number : NO_OWNER;
      return;
    }
  }
}

void ow_session_zeroise_key(struct ow_shared_server *server, unsigned number,
                            const struct ow_key_handle *handle, struct shared_answer *answer) {
  if (server->key_owner[handle->slot] != number) {
    answer->status = OW_KEY_DENIED;
    return;
  }
  answer->status = ow_key_zeroise_handle(&server->device, handle);
  if (answer->status == OW_OK) {
    server->key_owner[handle->slot] = NO_OWNER;
  }
}

/* Revokes the window first: from then on nothing of this queue can access memory, whatever the
 * device still does. */
void ow_session_close(struct ow_shared_server *server, unsigned number) {
  struct session *session = &server->sessions[number];
  if (session->state == SESSION_OPEN) {
    close(session->socket);
    session->socket = -1;
  }
  (void)ow_queue_revoke(&server->device, number);
  write_page(server, number, OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
  session->state = SESSION_CLOSING;
  session->deadline = ow_sim_cycles(server->sim) + RESET_CYCLES;
}

static bool zeroise_keys(struct ow_shared_server *server, unsigned number) {
  bool good = true;
  for (unsigned slot = 0; slot < KEY_SLOTS_MAX && good; slot++) {
    good = server->key_owner[slot] != number || zeroise(server, slot);
  }
  return good;
}

/* Returns whether the queue's page is clear. The reset of a queue without a grant clears everything
 * that the next client could read there. */
static bool is_clear(const struct ow_shared_server *server, unsigned number) {
  static const struct {
    uint16_t first, last;
  } ranges[] = {{OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_FINISH_HIGH_OFFSET},
                {OW_QUEUE_JOBS_OFFSET, OW_QUEUE_TAG_CYCLES_OFFSET},
                {OW_QUEUE_ERROR_AUTH_OFFSET, OW_QUEUE_ERROR_TIMEOUT_OFFSET}};
  uint32_t left = 0;
  for (unsigned i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
    for (uint32_t offset = ranges[i].first; offset <= ranges[i].last; offset += 4) {
      left |= read_page(server, number, offset);
    }
  }
  return left == 0;
}

/* Polls a session that is closing; never waits for the reset. A queue that is still enabled has
 * missed the reset: the write was lost while the bus was down. */
static void follow_reset(struct ow_shared_server *server, unsigned number) {
  struct session *session = &server->sessions[number];
  uint32_t control = read_page(server, number, OW_QUEUE_CONTROL_OFFSET);
  server->polls_left =
      server->polls_left != 0 ? server->polls_left : 1u; /* the reset needs the clock */
  if ((control & (OW_QUEUE_CONTROL_RESET_MASK | OW_QUEUE_CONTROL_ENABLE_MASK)) != 0) {
    if (ow_sim_cycles(server->sim) >= session->deadline) {
      session->state = SESSION_STUCK;
    }
    return;
  }
  if (!is_clear(server, number) || !zeroise_keys(server, number)) {
    session->state = SESSION_STUCK;
    return;
  }
  (void)ow_sim_unregister(server->sim, (uint8_t *)session->page + OW_SHARED_PAGE);
  munmap(session->page, session->mapped_len);
  *session = (struct session){.state = SESSION_FREE, .socket = -1};
}

/* Carries out what the client has written to its page. Reads each word once, because the client may
 * change it at any time. */
static void serve_page(struct ow_shared_server *server, unsigned number) {
  struct session *session = &server->sessions[number];
  struct shared_page *page = session->page;
  uint32_t doorbells = atomic_load(&page->doorbells);
  if (doorbells != session->doorbells) {
    session->doorbells = doorbells;
    write_page(server, number, OW_QUEUE_DOORBELL_OFFSET, atomic_load(&page->doorbell));
    server->polls_left = POLLS_MIN;
  }
  uint32_t asked = atomic_load(&page->asked);
  if (asked != session->asked) {
    session->asked = asked;
    uint32_t offset = atomic_load(&page->offset);
    uint32_t value = UINT32_MAX;
    if (offset < OW_PAGE_SIZE && offset % 4 == 0) { /* within this queue's registers */
      if (atomic_load(&page->is_write) != 0) {
        write_page(server, number, offset, atomic_load(&page->value));
      } else {
        value = read_page(server, number, offset);
      }
      server->polls_left = POLLS_MIN; /* a client that polls needs the clock */
    }
    atomic_store(&page->answer, value);
    atomic_store(&page->answered, asked);
  }
  const struct ow_platform *platform = &server->platform;
  atomic_store(&page->microseconds, platform->microseconds(platform->context));
  atomic_fetch_add(&page->polls, 1u);
}

void ow_session_serve(struct ow_shared_server *server, unsigned number) {
  if (server->sessions[number].state == SESSION_OPEN) {
    serve_page(server, number);
  } else if (server->sessions[number].state == SESSION_CLOSING) {
    follow_reset(server, number);
  }
}
