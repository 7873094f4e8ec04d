/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Queues that processes own, as the kernel module gives them away and takes them back, on the fake
 * device: windows, limits, keys, and a queue whose reset does not end.
 */
#include "fake_device.h"
#include "outwork_linux.h"

enum { FIRST = 1, QUEUES = 2, BYTES = 8192 };

unsigned int owk_minimum_cipher, owk_minimum_hash, owk_keep, owk_timeout_factor = 1;
int owk_priority;
unsigned int owk_process_memory = 65536, owk_process_slots = 8;
struct fake_device *fake; /* kernel.c has its registers too */

static struct device device_of_test;
static struct owk_device device;

static void open_device(void) {
  fake = malloc(sizeof(*fake));
  fake_open(fake);
  free(fake->memory);
  fake->memory = fake->arena; /* coherent */
  memset(&device, 0, sizeof(device));
  device_of_test.fake = fake;
  device.dev = &device_of_test;
  owk_platform_global(&device);
  CHECK_EQUAL(ow_device_open(&device.device, &device.platform), OW_OK);
  owk_keys_init(&device.keys, FAKE_SLOTS);
  owk_processes_init(&device);
  owk_processes_offer(&device, FIRST, QUEUES);
  device.is_on = true;
  owk_device_publish(&device);
}

static void close_device(void) {
  CHECK_EQUAL(fake_mapped(fake), 0);
  CHECK_EQUAL(fake->violations, 0);
  CHECK_EQUAL(device.processes.taken, 0);
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    CHECK_EQUAL(device.keys.slot[i].process, 0);
  }
  fake->memory = malloc(1); /* fake_close() frees both */
  fake_close(fake);
  free(fake);
}

static u32 config(unsigned queue, u32 offset) {
  return fake->platform.read32(fake,
                               OW_QUEUE_CONFIG_OFFSET + queue * OW_QUEUE_CONFIG_STRIDE + offset);
}

static u32 page(unsigned queue, u32 offset) {
  return fake->platform.read32(fake, OW_QUEUE_OFFSET + queue * OW_QUEUE_STRIDE + offset);
}

static void write_page(unsigned queue, u32 offset, u32 value) {
  fake->platform.write32(fake, OW_QUEUE_OFFSET + queue * OW_QUEUE_STRIDE + offset, value);
}

static struct owk_process *open_process(void) {
  struct owk_process *process = calloc(1, sizeof(*process));
  CHECK_EQUAL(owk_process_open(process, &device, BYTES), 0);
  return process;
}

static struct ow_linux_key aes_key(void) {
  return (struct ow_linux_key){.key_len = 32, .encrypt = 1, .key = {1, 2, 3}};
}

/* The grant is the memory and nothing else. */
static void test_a_queue_reaches_its_memory_only(void) {
  open_device();
  struct owk_process *process = open_process();
  CHECK_EQUAL(process->index, FIRST);
  CHECK_EQUAL(config(FIRST, OW_QUEUE_CONFIG_GRANT_OFFSET), OW_QUEUE_CONFIG_GRANT_ALLOW_MASK);
  CHECK(config(FIRST, OW_QUEUE_CONFIG_WATCHDOG_OFFSET) != 0);
  CHECK_EQUAL(config(FIRST, OW_WINDOW_OFFSET + OW_WINDOW_BASE_LOW_OFFSET), (u32)process->address);
  CHECK_EQUAL(config(FIRST, OW_WINDOW_OFFSET + OW_WINDOW_LAST_LOW_OFFSET),
              (u32)process->address + BYTES - 1);
  for (u32 i = 1; i < 4; i++) {
    CHECK_EQUAL(
        config(FIRST, OW_WINDOW_OFFSET + i * OW_WINDOW_STRIDE + OW_WINDOW_PERMISSION_OFFSET), 0);
  }
  fake->queues[FIRST].jobs = 3;
  owk_process_close(process);
  CHECK_EQUAL(config(FIRST, OW_QUEUE_CONFIG_GRANT_OFFSET), 0);
  CHECK_EQUAL(device.processes.jobs, 3);
  close_device();
}

static void test_limits(void) {
  open_device();
  struct owk_process *first = open_process(), *second = open_process(), third = {0};
  CHECK_EQUAL(second->index, FIRST + 1);
  CHECK_EQUAL(owk_process_open(&third, &device, BYTES), -EBUSY);
  CHECK_EQUAL(owk_process_open(&third, &device, owk_process_memory + 4096), -EDQUOT);
  CHECK_EQUAL(owk_process_open(&third, &device, 0), -EINVAL);
  CHECK_EQUAL(owk_process_open(&third, &device, 100), -EINVAL);

  struct ow_linux_key key = aes_key();
  /* Half of the slots are the crypto API's; the queues share the others. */
  for (unsigned i = 0; i < FAKE_SLOTS / 2 / QUEUES; i++) {
    CHECK_EQUAL(owk_process_key_load(first, &key), 0);
    CHECK_EQUAL(device.keys.slot[key.slot].process, FIRST + 1);
    CHECK_EQUAL(fake->keys[key.slot].generation, key.generation);
  }
  CHECK_EQUAL(owk_process_key_load(first, &key), -EDQUOT);
  key.key_len = 65;
  CHECK_EQUAL(owk_process_key_load(second, &key), -EINVAL);
  key.key_len = 33;
  key.two_keys = 1;
  CHECK_EQUAL(owk_process_key_load(second, &key), -EINVAL);
  CHECK_EQUAL(second->slots, 0);
  owk_process_close(first);
  owk_process_close(second);
  close_device();
}

/* A process zeroises its own keys, and loses all of them at its end. */
static void test_keys_end_with_their_process(void) {
  open_device();
  struct owk_process *first = open_process(), *second = open_process();
  struct ow_linux_key key = aes_key();
  CHECK_EQUAL(owk_process_key_load(first, &key), 0);
  struct ow_linux_handle handle = {.slot = key.slot, .generation = key.generation};
  CHECK_EQUAL(owk_process_key_zeroise(second, &handle), -EACCES);
  CHECK(fake->keys[key.slot].valid);
  handle.generation++;
  CHECK_EQUAL(owk_process_key_zeroise(first, &handle), -ENOKEY);
  handle.generation--;
  CHECK_EQUAL(owk_process_key_zeroise(first, &handle), 0);
  CHECK(!fake->keys[key.slot].valid);
  CHECK_EQUAL(first->slots, 0);
  handle.slot = 200;
  CHECK_EQUAL(owk_process_key_zeroise(first, &handle), -EACCES);

  CHECK_EQUAL(owk_process_key_load(first, &key), 0);
  CHECK(fake->keys[key.slot].config >> OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT & BIT(first->index));
  owk_process_close(first);
  CHECK(!fake->keys[key.slot].valid);
  owk_process_close(second);
  close_device();
}

/* A slot for a key that a job makes is the process's own from the reservation on. */
static void test_reservations(void) {
  open_device();
  struct owk_process *process = open_process();
  struct ow_linux_key key = aes_key();
  key.reserve = 1;
  CHECK_EQUAL(owk_process_key_load(process, &key), -EOPNOTSUPP);
  CHECK_EQUAL(process->slots, 0);
  device.device.capabilities.made_keys = true;
  CHECK_EQUAL(owk_process_key_load(process, &key), 0);
  CHECK(fake->keys[key.slot].reserved && !fake->keys[key.slot].valid);
  CHECK_EQUAL(fake->keys[key.slot].generation, key.generation);
  CHECK_EQUAL(fake->keys[key.slot].config >> OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT & 0xff,
              BIT(process->index));
  CHECK_EQUAL(process->slots, 1);
  CHECK_EQUAL(device.keys.slot[key.slot].process, FIRST + 1);
  struct ow_linux_handle handle = {.slot = key.slot, .generation = key.generation};
  CHECK_EQUAL(owk_process_key_zeroise(process, &handle), 0);
  CHECK(!fake->keys[key.slot].reserved);
  CHECK_EQUAL(process->slots, 0);

  CHECK_EQUAL(owk_process_key_load(process, &key), 0);
  key.key_len = 33; /* no AES key */
  CHECK_EQUAL(owk_process_key_load(process, &key), -EINVAL);
  key.key_len = 32;
  key.two_keys = 1;
  CHECK_EQUAL(owk_process_key_load(process, &key), -EINVAL);
  CHECK_EQUAL(process->slots, 1);
  owk_process_close(process);
  CHECK(!fake->keys[key.slot].reserved);
  close_device();
}

/* The crypto API does not take a process's slot, and gives one when there is no other. */
static void test_slots_are_shared(void) {
  static struct owk_key keys[FAKE_SLOTS + 2];
  struct ow_linux_key key = aes_key();
  struct ow_key name;
  open_device();
  struct owk_process *process = open_process();
  CHECK_EQUAL(owk_process_key_load(process, &key), 0);
  for (unsigned i = 0; i < FAKE_SLOTS + 2; i++) {
    const u8 bytes[32] = {(u8)i};
    owk_key_set(&keys[i], bytes, sizeof(bytes), false);
    for (unsigned use = 0; use < 2; use++) {
      if (owk_key_use(&device, &keys[i], &name)) {
        CHECK(name.slot != key.slot);
        owk_key_release(&device, name.slot, false);
      }
    }
  }
  CHECK_EQUAL(device.keys.loads, FAKE_SLOTS - 1);
  CHECK_EQUAL(owk_process_key_load(process, &key), 0);
  CHECK_EQUAL(device.keys.evictions, 1);
  owk_process_close(process);
  for (unsigned i = 0; i < FAKE_SLOTS + 2; i++) {
    owk_key_clear(&keys[i]);
  }
  close_device();
}

/* A queue that does not come to rest keeps its memory, without a grant, until it does. */
static void test_a_reset_that_does_not_end(void) {
  open_device();
  struct owk_process *process = open_process();
  struct ow_linux_key key = aes_key();
  u8 *const memory = process->memory;
  const unsigned index = process->index;
  CHECK_EQUAL(owk_process_key_load(process, &key), 0);
  memory[5] = 7;
  write_page(index, OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_ENABLE_MASK);
  write_page(index, OW_QUEUE_RING_LOW_OFFSET, 0x1000);
  fake->reset_hangs = true;
  owk_process_close(process);
  CHECK_EQUAL(config(index, OW_QUEUE_CONFIG_GRANT_OFFSET), 0);
  CHECK_EQUAL(fake_mapped(fake), 1);
  CHECK_EQUAL(device.processes.taken, BIT(index));
  owk_watchdog(&device.watchdog.work);
  CHECK_EQUAL(fake_mapped(fake), 1);
  struct owk_process *other = open_process();
  CHECK_EQUAL(other->index, index + 1);

  fake->reset_hangs = false;
  owk_watchdog(&device.watchdog.work);
  CHECK_EQUAL(fake_mapped(fake), 1); /* the other's */
  CHECK_EQUAL(device.processes.taken, BIT(index + 1));
  CHECK_EQUAL(device.processes.retries, 2);
  CHECK_EQUAL(memory[5], 0);
  CHECK(!fake->keys[key.slot].valid);
  CHECK_EQUAL(page(index, OW_QUEUE_RING_LOW_OFFSET), 0);
  owk_process_close(other);
  close_device();
}

/* A key that does not go keeps the queue too. */
static void test_a_key_that_stays(void) {
  open_device();
  struct owk_process *process = open_process();
  struct ow_linux_key key = aes_key();
  CHECK_EQUAL(owk_process_key_load(process, &key), 0);
  fake->key_hangs = true;
  owk_process_close(process);
  CHECK_EQUAL(device.processes.taken, BIT(FIRST));
  fake->key_hangs = false;
  owk_watchdog(&device.watchdog.work);
  CHECK_EQUAL(device.processes.taken, 0);
  close_device();
}

/* Whichever write at the end of a process is lost: while its reservation stands, its queue is
 * nobody else's. */
static void test_a_reservation_that_stays(void) {
  bool stayed = false;
  for (uint32_t lost = 1; lost < 20; lost++) {
    open_device();
    device.device.capabilities.made_keys = true;
    struct owk_process *process = open_process();
    struct ow_linux_key key = aes_key();
    key.reserve = 1;
    CHECK_EQUAL(owk_process_key_load(process, &key), 0);
    fake->lose_write_at = lost;
    owk_process_close(process);
    fake->lose_write_at = 0;
    if (fake->keys[key.slot].reserved) {
      stayed = true;
      CHECK_EQUAL(device.processes.taken, BIT(FIRST));
      CHECK_EQUAL(device.keys.slot[key.slot].process, FIRST + 1);
    }
    owk_watchdog(&device.watchdog.work);
    CHECK(!fake->keys[key.slot].reserved);
    close_device();
  }
  CHECK(stayed);
}

/* With a lost write the queue is still enabled: it counts as not at rest. */
static void test_a_reset_that_is_lost(void) {
  open_device();
  struct owk_process *process = open_process();
  write_page(FIRST, OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_ENABLE_MASK);
  fake->lose_write_at = 6; /* after the five writes that revoke the grant */
  owk_process_close(process);
  CHECK_EQUAL(fake->lose_write_at, 0);
  CHECK_EQUAL(device.processes.taken, BIT(FIRST));
  owk_watchdog(&device.watchdog.work);
  CHECK_EQUAL(device.processes.taken, 0);
  close_device();
}

int main(void) {
  RUN(test_a_queue_reaches_its_memory_only);
  RUN(test_limits);
  RUN(test_keys_end_with_their_process);
  RUN(test_reservations);
  RUN(test_slots_are_shared);
  RUN(test_a_reset_that_does_not_end);
  RUN(test_a_key_that_stays);
  RUN(test_a_reservation_that_stays);
  RUN(test_a_reset_that_is_lost);
  return 0;
}
