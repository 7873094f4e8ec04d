/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * One client's queue: given, served, taken back.
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

/* Key slots that every client can have, whatever the others take. */
#define SLOTS_EACH 4u

/* Memory that the client cannot shrink: to read beyond its end would be our death. */
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

/* Jobs that take longer are ended. It is a last resort, so no honest job may come near: one that
 * has every other stream of its own queue before it, where each of them waits for a turn of every
 * queue with its longest job. */
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

/* Zeroed memory that the client and the device reach. MAP_FAILED: it cannot be had. */
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

bool ow_seat_give(struct ow_shared_server *server, unsigned number, int socket, uint64_t bytes) {
  struct seat *seat = &server->seats[number];
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
  *seat = (struct seat){.state = SEAT_TAKEN, .socket = socket, .page = page, .mapped_len = length};
  const struct shared_answer answer = {
      .status = grant(server, number, (uintptr_t)page + OW_SHARED_PAGE, (size_t)bytes),
      .queue = (uint8_t)number,
      .base = (uintptr_t)page,
      .capabilities = server->device.capabilities};
  bool good = ow_message_reply(socket, &answer, answer.status == OW_OK ? file : -1);
  close(file);
  if (good) {
    server->served++;
  } else {
    ow_seat_leave(server, number); /* with its socket */
  }
  return true;
}

/* A load that was not answered in time may still be carried out: the slot is somebody's until it is
 * known to hold nothing. */
static bool is_empty(struct ow_shared_server *server, unsigned slot) {
  const struct ow_platform *platform = &server->platform;
  struct ow_key_info info;
  return ow_key_query(&server->device, &info, (uint8_t)slot) == OW_OK && !info.valid &&
         (platform->read32(platform->context, OW_GLOBAL_KEY_STATUS_OFFSET) &
          OW_GLOBAL_KEY_STATUS_BUSY_MASK) == 0;
}

static bool zeroise(struct ow_shared_server *server, unsigned slot) {
  if (ow_key_zeroise(&server->device, (uint8_t)slot) != OW_OK || !is_empty(server, slot)) {
    return false;
  }
  server->key_owner[slot] = NOBODY;
  return true;
}

/* Slots that this client may not have, so that each of the others can still have so many. */
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
    count += server->key_owner[slot] == NOBODY ? 1u : 0u;
  }
  return count;
}

void ow_seat_load_key(struct ow_shared_server *server, unsigned number,
                      const struct shared_message *message, struct shared_answer *answer) {
  const struct ow_key_material material = {.properties = {.queues = (uint8_t)(1u << number),
                                                          .encrypt = message->encrypt != 0,
                                                          .decrypt = message->decrypt != 0,
                                                          .mac = message->mac != 0,
                                                          .lock = message->lock != 0},
                                           .opcode = message->opcode,
                                           .curve = message->curve,
                                           .key_len = message->key_len,
                                           .key = message->key,
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
    if (server->key_owner[slot] == NOBODY) {
      struct ow_key_info info = {0};
      answer->status = ow_key_load_material(&server->device, (uint8_t)slot, &material);
      if (answer->status == OW_OK) {
        answer->status = ow_key_query(&server->device, &info, (uint8_t)slot);
      }
      answer->generation = info.generation;
      answer->slot = (uint8_t)slot;
      server->key_owner[slot] =
          answer->status == OW_OK || !is_empty(server, slot) ? (uint8_t)number : NOBODY;
      return;
    }
  }
}

void ow_seat_zeroise_key(struct ow_shared_server *server, unsigned number,
                         const struct ow_key_handle *handle, struct shared_answer *answer) {
  if (server->key_owner[handle->slot] != number) {
    answer->status = OW_KEY_DENIED;
    return;
  }
  answer->status = ow_key_zeroise_handle(&server->device, handle);
  if (answer->status == OW_OK) {
    server->key_owner[handle->slot] = NOBODY;
  }
}

/* The window goes first: from here on nothing of this queue can reach memory, whatever the device
 * still does. */
void ow_seat_leave(struct ow_shared_server *server, unsigned number) {
  struct seat *seat = &server->seats[number];
  if (seat->state == SEAT_TAKEN) {
    close(seat->socket);
    seat->socket = -1;
  }
  (void)ow_queue_revoke(&server->device, number);
  write_page(server, number, OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
  seat->state = SEAT_LEAVING;
  seat->deadline = ow_sim_cycles(server->sim) + RESET_CYCLES;
}

static bool zeroise_keys(struct ow_shared_server *server, unsigned number) {
  bool good = true;
  for (unsigned slot = 0; slot < KEY_SLOTS_MAX && good; slot++) {
    good = server->key_owner[slot] != number || zeroise(server, slot);
  }
  return good;
}

/* The reset of a queue without a grant clears all that the next client could read in its page. */
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

/* One look at a seat that is being left; it never waits for the reset. A queue that is still
 * enabled has not seen it: the write was lost on a bus that has come back since. */
static void follow_reset(struct ow_shared_server *server, unsigned number) {
  struct seat *seat = &server->seats[number];
  uint32_t control = read_page(server, number, OW_QUEUE_CONTROL_OFFSET);
  server->looks_left = server->looks_left != 0 ? server->looks_left : 1u; /* it needs the clock */
  if ((control & (OW_QUEUE_CONTROL_RESET_MASK | OW_QUEUE_CONTROL_ENABLE_MASK)) != 0) {
    if (ow_sim_cycles(server->sim) >= seat->deadline) {
      seat->state = SEAT_RETIRED;
    }
    return;
  }
  if (!is_clear(server, number) || !zeroise_keys(server, number)) {
    seat->state = SEAT_RETIRED;
    return;
  }
  (void)ow_sim_unregister(server->sim, (uint8_t *)seat->page + OW_SHARED_PAGE);
  munmap(seat->page, seat->mapped_len);
  *seat = (struct seat){.state = SEAT_FREE, .socket = -1};
}

/* Every word of the page is read once: the client may change it at any time. */
static void carry_over(struct ow_shared_server *server, unsigned number) {
  struct seat *seat = &server->seats[number];
  struct shared_page *page = seat->page;
  uint32_t doorbells = atomic_load(&page->doorbells);
  if (doorbells != seat->doorbells) {
    seat->doorbells = doorbells;
    write_page(server, number, OW_QUEUE_DOORBELL_OFFSET, atomic_load(&page->doorbell));
    server->looks_left = LOOKS_AT_LEAST;
  }
  uint32_t asked = atomic_load(&page->asked);
  if (asked != seat->asked) {
    seat->asked = asked;
    uint32_t offset = atomic_load(&page->offset);
    uint32_t value = UINT32_MAX;
    if (offset < OW_PAGE_SIZE && offset % 4 == 0) { /* else it is another's */
      if (atomic_load(&page->is_write) != 0) {
        write_page(server, number, offset, atomic_load(&page->value));
      } else {
        value = read_page(server, number, offset);
      }
      server->looks_left = LOOKS_AT_LEAST; /* who reads waits for something: time must go on */
    }
    atomic_store(&page->answer, value);
    atomic_store(&page->answered, asked);
  }
  const struct ow_platform *platform = &server->platform;
  atomic_store(&page->microseconds, platform->microseconds(platform->context));
  atomic_fetch_add(&page->looks, 1u);
}

void ow_seat_serve(struct ow_shared_server *server, unsigned number) {
  if (server->seats[number].state == SEAT_TAKEN) {
    carry_over(server, number);
  } else if (server->seats[number].state == SEAT_LEAVING) {
    follow_reset(server, number);
  }
}
