/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Opening the device, its capabilities, key slots and grants.
 */
#include "check.h"
#include "fake_device.h"
#include "outwork/combined.h"
#include "reference.h"

static struct fake_device *fake;
static struct ow_device device;

static uint32_t *reg(uint32_t offset) {
  return &fake->registers[offset / 4];
}

static void open_fake(void) {
  fake = malloc(sizeof(*fake));
  fake_open(fake);
}

static void close_fake(void) {
  fake_close(fake);
  free(fake);
}

static void test_open(void) {
  open_fake();
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  const struct ow_capabilities *capabilities = &device.capabilities;
  CHECK_EQUAL(capabilities->version_minor, 2);
  CHECK_EQUAL(capabilities->queues, 4);
  CHECK_EQUAL(capabilities->streams, 16);
  CHECK_EQUAL(capabilities->key_slots, FAKE_SLOTS);
  CHECK_EQUAL(capabilities->bus_bytes, 16);
  CHECK_EQUAL(capabilities->ring_log2_max, 12);
  CHECK_EQUAL(capabilities->windows, 4);
  CHECK_EQUAL(OW_FIELD(capabilities->engine.aes, OW_GLOBAL_AES_STAGES), 14);
  CHECK_EQUAL(OW_FIELD(capabilities->engine.aes, OW_GLOBAL_AES_MODES), 0xff);
  CHECK_EQUAL(capabilities->engine.radio, 0);
  CHECK((capabilities->engine.aes & OW_GLOBAL_AES_DECRYPT_MASK) != 0 && device.owner);
  close_fake();
}

static bool entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)(i + 1);
  }
  return true;
}

static bool no_entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  memset(bytes, 0x5a, length);
  return false;
}

/* The seed is written word by word; without entropy no word of it is written. */
static void test_seed(void) {
  open_fake();
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  fake->platform.entropy = no_entropy;
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  for (uint32_t i = 0; i < OW_GLOBAL_SEED_COUNT; i++) {
    CHECK_EQUAL(*reg(OW_GLOBAL_SEED_OFFSET + 4u * i), 0);
  }
  fake->platform.entropy = entropy;
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  for (uint32_t i = 0; i < OW_GLOBAL_SEED_COUNT; i++) {
    CHECK_EQUAL(*reg(OW_GLOBAL_SEED_OFFSET + 4u * i), 0x04030201u + 0x04040404u * i);
  }
  close_fake();
}

static void test_open_refusals(void) {
  open_fake();
  CHECK_EQUAL(ow_device_open(NULL, &fake->platform), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_device_open(&device, NULL), OW_BAD_ARGUMENT);
  struct ow_platform platform = fake->platform;
  platform.barrier = NULL;
  CHECK_EQUAL(ow_device_open(&device, &platform), OW_BAD_ARGUMENT);
  platform = fake->platform;
  platform.microseconds = NULL;
  CHECK_EQUAL(ow_device_open(&device, &platform), OW_BAD_ARGUMENT);
  platform = fake->platform; /* these functions are optional */
  platform.unmap = NULL;
  platform.relax = NULL;
  platform.wait_interrupt = NULL;
  CHECK_EQUAL(ow_device_open(&device, &platform), OW_OK);

  fake->gone = true;
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_NO_DEVICE);
  fake->gone = false;
  *reg(OW_GLOBAL_ID_OFFSET) = 0;
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_NO_DEVICE);
  *reg(OW_GLOBAL_ID_OFFSET) = OW_GLOBAL_ID_RESET;
  *reg(OW_GLOBAL_VERSION_OFFSET) = 7u << OW_GLOBAL_VERSION_MAJOR_SHIFT;
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_NO_DEVICE);
  close_fake();
}

static void test_supports(void) {
  open_fake();
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  for (uint8_t opcode = OW_OP_AES_ECB; opcode <= OW_OP_AES_CMAC; opcode++) {
    CHECK(ow_device_supports(&device, opcode, false) && ow_device_supports(&device, opcode, true));
  }
  CHECK(ow_device_supports(&device, OW_OP_NOP, false));
  CHECK(!ow_device_supports(&device, 0x18, false) && !ow_device_supports(&device, 0x01, false));
  CHECK(!ow_device_supports(&device, OW_OP_EEA3, false) &&
        !ow_device_supports(&device, 0xff, false));
  /* A build without the inverse cipher, and one mode left out. */
  device.capabilities.engine.aes = 0x7f;
  CHECK(!ow_device_supports(&device, OW_OP_AES_CBC, true) &&
        ow_device_supports(&device, OW_OP_AES_CBC, false));
  CHECK(ow_device_supports(&device, OW_OP_AES_GCM, true) &&
        ow_device_supports(&device, OW_OP_AES_CTR, true));
  CHECK(!ow_device_supports(&device, OW_OP_AES_CMAC, false));
  device.capabilities.engine.aes = 0;
  CHECK(!ow_device_supports(&device, OW_OP_AES_ECB, false));
  close_fake();
}

static void test_state(void) {
  open_fake();
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  *reg(OW_GLOBAL_CYCLE_LOW_OFFSET) = 5;
  *reg(OW_GLOBAL_CYCLE_HIGH_OFFSET) = 6;
  CHECK(ow_device_cycles(&device) == (6ull << 32 | 5));
  CHECK(!ow_device_tampered(&device));
  *reg(OW_GLOBAL_STATUS_OFFSET) = OW_GLOBAL_STATUS_TAMPER_MASK;
  CHECK(ow_device_tampered(&device));
  close_fake();
}

static void test_keys(void) {
  uint8_t key[32], tweak[32], long_key[64];
  struct ow_key_info info;
  struct ow_key_properties properties = {.queues = 5, .encrypt = true, .mac = true};
  open_fake();
  random_bytes(key, 32);
  random_bytes(tweak, 32);
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  for (size_t length = 16; length <= 32; length += 8) {
    CHECK_EQUAL(ow_key_load(&device, 2, &properties, key, length, NULL), OW_OK);
    CHECK(memcmp(fake->keys[2].bytes, key, length) == 0);
    for (size_t i = length; i < 64; i++) {
      CHECK_EQUAL(fake->keys[2].bytes[i], 0);
    }
    CHECK_EQUAL(ow_key_query(&device, &info, 2), OW_OK);
    CHECK(info.valid && !info.locked && !info.two_keys);
    CHECK_EQUAL(info.key_len, length);
    CHECK_EQUAL(info.properties.queues, 5);
    CHECK(info.properties.encrypt && !info.properties.decrypt && info.properties.mac);
  }
  CHECK_EQUAL(ow_key_load(&device, 3, &properties, key, 32, tweak), OW_OK);
  CHECK(memcmp(fake->keys[3].bytes + 32, tweak, 32) == 0);
  CHECK_EQUAL(ow_key_query(&device, &info, 3), OW_OK);
  CHECK(info.two_keys);
  CHECK_EQUAL(ow_key_query(&device, &info, 4), OW_OK);
  CHECK(!info.valid);
  CHECK_EQUAL(info.key_len, 0);

  properties.lock = true;
  CHECK_EQUAL(ow_key_load(&device, 2, &properties, key, 16, NULL), OW_OK);
  CHECK_EQUAL(ow_key_query(&device, &info, 2), OW_OK);
  CHECK(info.locked);
  CHECK_EQUAL(ow_key_load(&device, 2, &properties, tweak, 16, key), OW_KEY_REFUSED);
  for (unsigned i = 0; i < 16; i++) { /* the refused key is not left in the registers */
    CHECK_EQUAL(*reg(OW_GLOBAL_KEY_DATA_OFFSET + 4 * i), 0);
  }
  CHECK_EQUAL(ow_key_zeroise(&device, 2), OW_OK);
  CHECK_EQUAL(ow_key_query(&device, &info, 2), OW_OK);
  CHECK(!info.valid);
  CHECK_EQUAL(ow_key_load(&device, 2, &properties, key, 16, NULL), OW_OK);
  for (unsigned i = 0; i < 64; i++) { /* nor is any part of a longer key */
    long_key[i] = (uint8_t)(i + 1u);
  }
  CHECK_EQUAL(ow_key_load_pair(&device, 2, &properties, 0x70, long_key, 32, long_key, 64),
              OW_KEY_REFUSED);
  CHECK_EQUAL(ow_key_load_kind(&device, 2, &properties, OW_OP_HMAC_SHA512, long_key, 64),
              OW_KEY_REFUSED);
  for (unsigned i = 0; i < OW_GLOBAL_KEY_DATA_COUNT; i++) {
    CHECK_EQUAL(*reg(OW_GLOBAL_KEY_DATA_OFFSET + 4 * i), 0);
  }
  CHECK_EQUAL(ow_key_zeroise_all(&device), OW_OK);
  CHECK(!fake->keys[3].valid);
  close_fake();
}

static void test_key_refusals(void) {
  uint8_t key[32] = {1}, same[32] = {1};
  struct ow_key_info info;
  struct ow_key_properties properties = {.queues = 1};
  open_fake();
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  CHECK_EQUAL(ow_key_load(&device, FAKE_SLOTS, &properties, key, 16, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_load(&device, 0, &properties, key, 20, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_load(&device, 0, &properties, NULL, 16, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_load(&device, 0, NULL, key, 16, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_load(&device, 0, &properties, key, 16, same), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_zeroise(&device, FAKE_SLOTS), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_query(&device, &info, FAKE_SLOTS), OW_BAD_ARGUMENT);
  device.timeout_us = 50;
  fake->key_hangs = true;
  CHECK_EQUAL(ow_key_load(&device, 0, &properties, key, 16, NULL), OW_TIMEOUT);
  CHECK_EQUAL(ow_key_zeroise_all(&device), OW_TIMEOUT);
  close_fake();
}

static void test_grants(void) {
  const struct ow_grant grant = {
      .priority = true,
      .watchdog_cycles = 1234,
      .windows_len = 2,
      .windows = {{.first = 0x1122334455667788, .last = 0x1122334455ffffff, .read = true},
                  {.first = 1, .last = 2, .write = true}},
  };
  open_fake();
  CHECK_EQUAL(ow_device_open(&device, &fake->platform), OW_OK);
  uint32_t page = OW_QUEUE_CONFIG_OFFSET + 2 * OW_QUEUE_CONFIG_STRIDE;
  uint32_t window = page + OW_WINDOW_OFFSET;
  for (unsigned i = 0; i < 4; i++) { /* left by an earlier owner */
    *reg(window + i * OW_WINDOW_STRIDE + OW_WINDOW_PERMISSION_OFFSET) = 3;
  }
  CHECK_EQUAL(ow_queue_grant(&device, 2, &grant), OW_OK);
  CHECK_EQUAL(*reg(page + OW_QUEUE_CONFIG_GRANT_OFFSET),
              OW_QUEUE_CONFIG_GRANT_ALLOW_MASK | OW_QUEUE_CONFIG_GRANT_PRIORITY_MASK);
  CHECK_EQUAL(*reg(page + OW_QUEUE_CONFIG_WATCHDOG_OFFSET), 1234);
  CHECK_EQUAL(*reg(window + OW_WINDOW_BASE_LOW_OFFSET), 0x55667788);
  CHECK_EQUAL(*reg(window + OW_WINDOW_BASE_HIGH_OFFSET), 0x11223344);
  CHECK_EQUAL(*reg(window + OW_WINDOW_LAST_LOW_OFFSET), 0x55ffffff);
  CHECK_EQUAL(*reg(window + OW_WINDOW_PERMISSION_OFFSET), OW_WINDOW_PERMISSION_READ_MASK);
  CHECK_EQUAL(*reg(window + OW_WINDOW_STRIDE + OW_WINDOW_PERMISSION_OFFSET),
              OW_WINDOW_PERMISSION_WRITE_MASK);
  CHECK_EQUAL(*reg(window + 2 * OW_WINDOW_STRIDE + OW_WINDOW_PERMISSION_OFFSET), 0);
  CHECK_EQUAL(ow_queue_grant(&device, 2, NULL), OW_OK);
  CHECK_EQUAL(*reg(page + OW_QUEUE_CONFIG_GRANT_OFFSET),
              OW_QUEUE_CONFIG_GRANT_ALLOW_MASK | OW_QUEUE_CONFIG_GRANT_ANY_ADDRESS_MASK);
  CHECK_EQUAL(*reg(window + OW_WINDOW_PERMISSION_OFFSET), 0);
  CHECK_EQUAL(ow_queue_grant(&device, 2, &grant), OW_OK);
  CHECK_EQUAL(ow_queue_revoke(&device, 2), OW_OK); /* neither runs nor can access memory */
  CHECK_EQUAL(*reg(page + OW_QUEUE_CONFIG_GRANT_OFFSET), 0);
  for (unsigned i = 0; i < 4; i++) {
    CHECK_EQUAL(*reg(window + i * OW_WINDOW_STRIDE + OW_WINDOW_PERMISSION_OFFSET), 0);
  }
  struct ow_grant many = {.windows_len = 5};
  CHECK_EQUAL(ow_queue_grant(&device, 2, &many), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_grant(&device, 4, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_revoke(&device, 4), OW_BAD_ARGUMENT);
  close_fake();
}

/* A process that has one queue's page accesses no other page. */
static void test_attach(void) {
  static struct ow_queue queue;
  static struct ow_queue_slot slots[4];
  uint8_t key[16] = {1};
  struct ow_device owner;
  struct ow_key_properties properties = {.queues = 1};
  open_fake();
  CHECK_EQUAL(ow_device_open(&owner, &fake->platform), OW_OK);
  CHECK_EQUAL(ow_queue_grant(&owner, 1, NULL), OW_OK);
  CHECK_EQUAL(ow_device_attach(NULL, &fake->platform, &owner.capabilities), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_device_attach(&device, &fake->platform, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_device_attach(&device, &fake->platform, &owner.capabilities), OW_OK);
  CHECK_EQUAL(ow_key_load(&device, 0, &properties, key, 16, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_queue_grant(&device, 1, NULL), OW_BAD_ARGUMENT);
  void *memory = fake_allocate(fake, OW_QUEUE_MEMORY_BYTES(2), 64);
  CHECK_EQUAL(ow_queue_open(&queue, &device, 1, memory, slots, 2), OW_OK);
  struct ow_job job = {.opcode = OW_OP_NOP};
  CHECK_EQUAL(ow_queue_run(&queue, &job), OW_OK);
  CHECK_EQUAL(ow_queue_close(&queue), OW_OK);
  CHECK_EQUAL(ow_device_close(&device), OW_OK);
  CHECK_EQUAL(*reg(OW_QUEUE_CONFIG_OFFSET + OW_QUEUE_CONFIG_STRIDE), /* the owner can revoke it */
              OW_QUEUE_CONFIG_GRANT_ALLOW_MASK | OW_QUEUE_CONFIG_GRANT_ANY_ADDRESS_MASK);
  CHECK_EQUAL(ow_key_load(&owner, 0, &properties, key, 16, NULL), OW_OK);
  CHECK_EQUAL(ow_device_close(&owner), OW_OK);
  CHECK_EQUAL(*reg(OW_QUEUE_CONFIG_OFFSET + OW_QUEUE_CONFIG_STRIDE), 0);
  CHECK(!fake->keys[0].valid);
  close_fake();
}

int main(void) {
  RUN(test_open);
  RUN(test_seed);
  RUN(test_open_refusals);
  RUN(test_supports);
  RUN(test_state);
  RUN(test_keys);
  RUN(test_key_refusals);
  RUN(test_grants);
  RUN(test_attach);
  return 0;
}
