/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * One client's queue: given, served, taken back.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "server.h"

/* Device cycles after which a job of a client is given up: a tenth of a second at 100 MHz. */
#define WATCHDOG_CYCLES 10000000u

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

/* The queue in its state after a reset, whatever it was doing. */
static ow_status reset_queue(struct ow_shared_server *server, unsigned number) {
  struct ow_queue queue;
  struct ow_queue_slot slots[2];
  ow_status status = ow_queue_open(&queue, &server->device, number, server->ring, slots, 1);
  return status == OW_OK ? ow_queue_close(&queue) : status;
}

static ow_status grant(struct ow_shared_server *server, unsigned number, uint64_t base,
                       size_t length) {
  const struct ow_grant grant = {
      .watchdog_cycles = WATCHDOG_CYCLES,
      .windows_len = 1,
      .windows = {{.first = base, .last = base + length - 1, .read = true, .write = true}}};
  return ow_queue_grant(&server->device, number, &grant);
}

void ow_seat_greet(struct ow_shared_server *server, unsigned number, uint64_t bytes,
                   struct shared_answer *answer, int *memory) {
  struct seat *seat = &server->seats[number];
  answer->status = OW_BAD_ARGUMENT;
  if (seat->page != NULL || bytes == 0 || bytes > OW_SHARED_BYTES_MAX || bytes % 64 != 0) {
    return;
  }
  size_t length = OW_SHARED_PAGE + (size_t)bytes;
  int file = make_memory(length);
  void *page =
      file >= 0 ? mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  uint8_t *reached = (uint8_t *)page + OW_SHARED_PAGE;
  if (page != MAP_FAILED && ow_sim_register(server->sim, reached, (size_t)bytes) != 0 &&
      grant(server, number, (uintptr_t)reached, (size_t)bytes) == OW_OK) {
    seat->page = page;
    seat->mapped_len = length;
    seat->doorbells = 0;
    seat->asked = 0;
    *memory = file;
    answer->status = OW_OK;
    answer->queue = (uint8_t)number;
    answer->base = (uintptr_t)page;
    answer->capabilities = server->device.capabilities;
    server->served++;
    return;
  }
  if (page != MAP_FAILED) {
    (void)ow_sim_unregister(server->sim, reached);
    munmap(page, length);
  }
  if (file >= 0) {
    close(file);
  }
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
  for (unsigned slot = 0; slot < server->device.capabilities.key_slots; slot++) {
    if (server->key_owner[slot] == NOBODY) {
      answer->status = ow_key_load_material(&server->device, (uint8_t)slot, &material);
      answer->slot = (uint8_t)slot;
      server->key_owner[slot] = answer->status == OW_OK ? (uint8_t)number : NOBODY;
      return;
    }
  }
}

void ow_seat_zeroise_key(struct ow_shared_server *server, unsigned number, uint8_t slot,
                         struct shared_answer *answer) {
  if (server->key_owner[slot] != number) {
    answer->status = OW_KEY_DENIED;
    return;
  }
  answer->status = ow_key_zeroise(&server->device, slot);
  if (answer->status == OW_OK) {
    server->key_owner[slot] = NOBODY;
  }
}

void ow_seat_clear(struct ow_shared_server *server, unsigned number) {
  struct seat *seat = &server->seats[number];
  close(seat->socket);
  seat->socket = -1;
  if (seat->page == NULL) {
    return;
  }
  seat->lost = reset_queue(server, number) != OW_OK;
  for (unsigned slot = 0; slot < KEY_SLOTS_MAX; slot++) {
    if (server->key_owner[slot] == number &&
        ow_key_zeroise(&server->device, (uint8_t)slot) == OW_OK) {
      server->key_owner[slot] = NOBODY;
    }
  }
  (void)ow_queue_revoke(&server->device, number);
  if (!seat->lost) { /* else the device may still be writing there */
    (void)ow_sim_unregister(server->sim, (uint8_t *)seat->page + OW_SHARED_PAGE);
    munmap(seat->page, seat->mapped_len);
  }
  seat->page = NULL;
}

void ow_seat_serve(struct ow_shared_server *server, unsigned number) {
  struct seat *seat = &server->seats[number];
  struct shared_page *page = seat->page;
  const struct ow_platform *platform = &server->platform;
  uint32_t first = OW_QUEUE_OFFSET + number * OW_QUEUE_STRIDE;
  uint32_t doorbells = atomic_load(&page->doorbells);
  if (doorbells != seat->doorbells) {
    seat->doorbells = doorbells;
    platform->write32(platform->context, first + OW_QUEUE_DOORBELL_OFFSET,
                      atomic_load(&page->doorbell));
    server->looks_left = LOOKS_AT_LEAST;
  }
  uint32_t asked = atomic_load(&page->asked);
  if (asked == seat->asked) {
    return;
  }
  seat->asked = asked;
  uint32_t offset = atomic_load(&page->offset);
  uint32_t value = UINT32_MAX;
  if (offset < OW_PAGE_SIZE && offset % 4 == 0) { /* else it is another's */
    if (atomic_load(&page->is_write) != 0) {
      platform->write32(platform->context, first + offset, atomic_load(&page->value));
      server->looks_left = LOOKS_AT_LEAST;
    } else {
      value = platform->read32(platform->context, first + offset);
    }
  }
  atomic_store(&page->answer, value);
  atomic_store(&page->answered, asked);
}
