/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A point of the lab in a process under Linux that has a queue of /dev/outwork: waits are polls.
 * The point, its messages and the ring are in the queue's memory. The process says where that is,
 * and waits until the point is in it.
 */
#include <stdio.h>

#include "guest.h"
#include "outwork/linux_queue.h"
#include "point.h"
#include "soc.h"
#include "system_calls.h"

#define MEMORY_BYTES (4u << 20)
/* At the end of the queue's memory, for the ring and whatever else the device reaches. */
#define RING_BYTES (256u << 10)

#define CALL_REMAP    216
#define MAY_MOVE      1
#define TO_THIS_PLACE 2
#define MAP_PRIVATE   2
#define MAP_ANONYMOUS 0x20

const bool point_has_pairs = false;

static struct ow_linux own;
static uint8_t *reachable; /* what is left of RING_BYTES */

void point_platform(struct ow_platform *platform) {
  ow_linux_platform(platform, &own);
  platform->wait_interrupt = NULL;
}

void *point_reachable(void *not_used, size_t bytes) {
  uint8_t *const begin = reachable;
  (void)not_used;
  reachable += (bytes + 63u) / 64u * 64u;
  return reachable <= (uint8_t *)own.memory + own.memory_len ? begin : NULL;
}

bool point_open_queue(struct ow_device *device, struct ow_queue *queue,
                      struct ow_platform *platform, uint8_t *ring, struct ow_queue_slot *slots,
                      unsigned log2) {
  ring = point_reachable(ring, OW_QUEUE_MEMORY_BYTES(log2));
  return ring != NULL && ow_device_attach(device, platform, &own.capabilities) == OW_OK &&
         ow_queue_open(queue, device, own.queue, ring, slots, log2) == OW_OK;
}

/* The kernel chooses the slot. */
ow_status point_load_key(struct ow_device *device, struct ow_key_handle *handle, uint8_t slot,
                         const struct ow_key_material *material) {
  (void)device, (void)slot;
  return ow_linux_key_load(&own, handle, material);
}

/* Gives the C library its memory. */
static bool map_heap(void) {
  extern uint8_t heap_begin[];
  const uintptr_t begin = ((uintptr_t)heap_begin + PAGE_BYTES - 1u) / PAGE_BYTES * PAGE_BYTES;
  return system_call(CALL_MAP, (long)begin, (long)(POINT_BASE - begin), PROT_DATA,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == (long)begin;
}

/* Moves the queue's memory to the place of the point, which is known when the program is built. */
static bool move_memory(void) {
  const long moved = system_call(CALL_REMAP, (long)own.memory, MEMORY_BYTES, MEMORY_BYTES,
                                 MAY_MOVE | TO_THIS_PLACE, (long)POINT_BASE, 0);
  own.memory = (void *)POINT_BASE;
  reachable = (uint8_t *)POINT_BASE + MEMORY_BYTES - RING_BYTES;
  return moved == (long)POINT_BASE;
}

static const char *set_up(void) {
  if (!map_heap()) {
    return "there is no memory for the C library";
  }
  if (guest_mount("proc", "/proc") < 0 || guest_bind(SOC_OUTWORK_BASE) < 0 ||
      guest_say_module() < 0 || guest_make_device("outwork") < 0) {
    return "the kernel module has no device";
  }
  const char *why = ow_linux_open(&own, OW_LINUX_PATH, MEMORY_BYTES);
  if (why == NULL && !move_memory()) {
    why = "the queue's memory cannot be moved";
  }
  return why;
}

int main(void) {
  const volatile struct point *const point = (const struct point *)POINT_BASE;
  const char *why = set_up();
  if (why != NULL) {
    printf("The process has no queue: %s.\n", why);
    return 1;
  }
  printf(POINT_READY " %08lx\n", (unsigned long)own.address);
  while (point->point_bytes == 0) {
    soc_empty_data_cache(); /* the simulator writes to memory behind it */
  }
  printf(POINT_ENDED " %d\n", POINT_WORK());
  for (;;) { /* the kernel wipes the queue's memory at the end of the process */
  }
}
