/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device: memory, registers and time.
 */
#include "fake_device.h"

#include <stdlib.h>
#include <string.h>

#include "fake_inside.h"

/* Memory. */

static void fake_sync_for_device(void *context, void *memory, size_t length) {
  struct fake_device *fake = context;
  memcpy(fake->memory + ((uint8_t *)memory - fake->arena), memory, length);
}

static void fake_sync_for_cpu(void *context, void *memory, size_t length) {
  struct fake_device *fake = context;
  const uint8_t *written = fake->memory + ((uint8_t *)memory - fake->arena);
  const size_t result = offsetof(struct ow_completion, result);
  if (fake->tears_records && length == sizeof(struct ow_completion) &&
      memcmp((uint8_t *)memory + result, written + result, length - result) != 0) {
    memcpy((uint8_t *)memory + result, written + result, length - result);
    return;
  }
  memcpy(memory, written, length);
}

static bool fake_map(void *context, uint64_t *address, void *memory, size_t length,
                     ow_direction direction) {
  struct fake_device *fake = context;
  uint8_t *first = memory;
  if (fake->refuse_map_at != 0 && --fake->refuse_map_at == 0) {
    return false;
  }
  if (first < fake->arena || first + length > fake->arena + FAKE_ARENA_BYTES) {
    return false;
  }
  for (unsigned i = 0; i < FAKE_MAPPINGS; i++) {
    if (fake->mappings[i].direction == 0) {
      fake->mappings[i] = (struct fake_mapping){first, length, direction};
      *address = FAKE_ADDRESS + (uint64_t)(first - fake->arena);
      fake_sync_for_device(fake, memory, length);
      return true;
    }
  }
  abort();
}

static void fake_unmap(void *context, uint64_t address, void *memory, size_t length,
                       ow_direction direction) {
  struct fake_device *fake = context;
  if (address != FAKE_ADDRESS + (uint64_t)((uint8_t *)memory - fake->arena)) {
    fake->violations++;
  }
  for (unsigned i = 0; i < FAKE_MAPPINGS; i++) {
    struct fake_mapping *mapping = &fake->mappings[i];
    if (mapping->memory == memory && mapping->length == length && mapping->direction == direction) {
      mapping->direction = 0;
      if ((direction & OW_FROM_DEVICE) != 0) {
        fake_sync_for_cpu(fake, memory, length);
      }
      return;
    }
  }
  fake->violations++;
}

unsigned fake_mapped(const struct fake_device *fake) {
  unsigned count = 0;
  for (unsigned i = 0; i < FAKE_MAPPINGS; i++) {
    count += fake->mappings[i].direction != 0;
  }
  return count;
}

uint8_t *fake_reach(struct fake_device *fake, uint64_t address, size_t length,
                    ow_direction direction) {
  uint8_t *first = fake->arena + (address - FAKE_ADDRESS);
  for (unsigned i = 0; i < FAKE_MAPPINGS; i++) {
    const struct fake_mapping *mapping = &fake->mappings[i];
    if ((mapping->direction & direction) == direction && first >= mapping->memory &&
        first + length <= mapping->memory + mapping->length) {
      return fake->memory + (address - FAKE_ADDRESS);
    }
  }
  fake->violations++;
  return NULL;
}

void *fake_allocate(struct fake_device *fake, size_t length, size_t alignment) {
  fake->allocated = (fake->allocated + alignment - 1) / alignment * alignment;
  uint8_t *memory = fake->arena + fake->allocated;
  fake->allocated += length;
  if (fake->allocated > FAKE_ARENA_BYTES) {
    abort();
  }
  memset(memory, 0, length);
  return memory;
}

bool fake_remembers(const struct fake_device *fake, const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i + length <= FAKE_ARENA_BYTES; i++) {
    if (memcmp(fake->arena + i, bytes, length) == 0 ||
        memcmp(fake->memory + i, bytes, length) == 0) {
      return true;
    }
  }
  return false;
}

/* Registers. */

bool fake_is_granted(struct fake_device *fake, unsigned queue) {
  return (*reg(fake, OW_QUEUE_CONFIG_OFFSET + queue * OW_QUEUE_CONFIG_STRIDE +
                         OW_QUEUE_CONFIG_GRANT_OFFSET) &
          OW_QUEUE_CONFIG_GRANT_ALLOW_MASK) != 0;
}

static void queue_control(struct fake_device *fake, unsigned number, uint32_t value) {
  struct fake_queue *queue = &fake->queues[number];
  if ((value & OW_QUEUE_CONTROL_RESET_MASK) != 0 && !fake->reset_hangs) {
    queue->fetched = 0;
    queue->completed = 0;
    queue->halt = 0;
    queue->pending = false;
    *reg(fake, PAGE(number) + OW_QUEUE_DOORBELL_OFFSET) = 0;
    value &= ~(OW_QUEUE_CONTROL_RESET_MASK | OW_QUEUE_CONTROL_ENABLE_MASK);
    if (!fake_is_granted(fake, number)) { /* nothing of its user stays */
      memset(reg(fake, PAGE(number)), 0, OW_PAGE_SIZE);
      queue->jobs = 0;
      queue->bytes = 0;
      value = 0;
    }
  }
  *reg(fake, PAGE(number) + OW_QUEUE_CONTROL_OFFSET) = value;
}

void fake_reset(struct fake_device *fake) {
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    *reg(fake, OW_QUEUE_CONFIG_OFFSET + i * OW_QUEUE_CONFIG_STRIDE + OW_QUEUE_CONFIG_GRANT_OFFSET) =
        0;
    queue_control(fake, i, OW_QUEUE_CONTROL_RESET_MASK);
  }
  memset(fake->keys, 0, sizeof(fake->keys));
}

/* Before each register access. */
static void make_fault(struct fake_device *fake) {
  if (fake->reset_queue_at != 0 && --fake->reset_queue_at == 0) {
    queue_control(fake, 0, OW_QUEUE_CONTROL_RESET_MASK);
  }
}

static uint32_t key_status(struct fake_device *fake) {
  uint32_t slot = *reg(fake, OW_GLOBAL_KEY_SLOT_OFFSET);
  uint32_t refused = *reg(fake, OW_GLOBAL_KEY_STATUS_OFFSET);
  uint32_t busy =
      fake->key_hangs || fake->microseconds < fake->key_ready ? OW_GLOBAL_KEY_STATUS_BUSY_MASK : 0;
  const struct fake_key *key = &fake->keys[slot % FAKE_SLOTS];
  if (!key->valid && !key->reserved) {
    return busy | refused;
  }
  return busy | refused |
         (key->valid ? OW_GLOBAL_KEY_STATUS_VALID_MASK : OW_GLOBAL_KEY_STATUS_RESERVED_MASK) |
         FIELD(key->config, OW_GLOBAL_KEY_CONFIG_LOCK) << OW_GLOBAL_KEY_STATUS_LOCKED_SHIFT |
         FIELD(key->config, OW_GLOBAL_KEY_CONFIG_LENGTH) << OW_GLOBAL_KEY_STATUS_LENGTH_SHIFT |
         FIELD(key->config, OW_GLOBAL_KEY_CONFIG_TWO_KEYS) << OW_GLOBAL_KEY_STATUS_TWO_KEYS_SHIFT |
         FIELD(key->config, OW_GLOBAL_KEY_CONFIG_ENCRYPT) << OW_GLOBAL_KEY_STATUS_ENCRYPT_SHIFT |
         FIELD(key->config, OW_GLOBAL_KEY_CONFIG_DECRYPT) << OW_GLOBAL_KEY_STATUS_DECRYPT_SHIFT |
         FIELD(key->config, OW_GLOBAL_KEY_CONFIG_MAC) << OW_GLOBAL_KEY_STATUS_MAC_SHIFT |
         FIELD(key->config, OW_GLOBAL_KEY_CONFIG_QUEUES) << OW_GLOBAL_KEY_STATUS_QUEUES_SHIFT;
}

static uint32_t fake_read32(void *context, uint32_t offset) {
  struct fake_device *fake = context;
  uint32_t at = offset % OW_PAGE_SIZE;
  fake->microseconds++;
  make_fault(fake);
  if (fake->gone) {
    return 0xffffffffu;
  }
  if (offset == OW_GLOBAL_KEY_STATUS_OFFSET) {
    return key_status(fake);
  }
  if (offset == OW_GLOBAL_KEY_GENERATION_OFFSET) {
    return fake->keys[*reg(fake, OW_GLOBAL_KEY_SLOT_OFFSET) % FAKE_SLOTS].generation;
  }
  if (offset >= OW_QUEUE_OFFSET) {
    const struct fake_queue *queue = &fake->queues[(offset - OW_QUEUE_OFFSET) / OW_QUEUE_STRIDE];
    switch (at) {
    case OW_QUEUE_STATUS_OFFSET:
      return queue->halt != 0
                 ? OW_QUEUE_STATUS_HALTED_MASK | queue->halt << OW_QUEUE_STATUS_HALT_SHIFT
                 : 0;
    case OW_QUEUE_PROGRESS_OFFSET:
      return (queue->fetched & 0xffffu) | queue->completed << 16;
    case OW_QUEUE_JOBS_OFFSET:
      return (uint32_t)queue->jobs;
    case OW_QUEUE_BYTES_LOW_OFFSET:
      return (uint32_t)queue->bytes;
    case OW_QUEUE_BYTES_HIGH_OFFSET:
      return (uint32_t)(queue->bytes >> 32);
    default:
      break;
    }
  }
  return *reg(fake, offset);
}

static void key_command(struct fake_device *fake, uint32_t command) {
  uint32_t number = *reg(fake, OW_GLOBAL_KEY_SLOT_OFFSET) % FAKE_SLOTS;
  struct fake_key *key = &fake->keys[number];
  bool locked = key->valid && (key->config & OW_GLOBAL_KEY_CONFIG_LOCK_MASK) != 0;
  bool load = (command & OW_GLOBAL_KEY_COMMAND_LOAD_MASK) != 0;
  bool reserve = (command & OW_GLOBAL_KEY_COMMAND_RESERVE_MASK) != 0;
  bool refused = (load || reserve) && locked;
  *reg(fake, OW_GLOBAL_KEY_STATUS_OFFSET) = refused ? OW_GLOBAL_KEY_STATUS_REFUSED_MASK : 0;
  if (refused) {
    return;
  }
  if (load) {
    *key = (struct fake_key){.config = *reg(fake, OW_GLOBAL_KEY_CONFIG_OFFSET),
                             .generation = (uint16_t)(key->generation + 1u),
                             .valid = true};
    memcpy(key->bytes, reg(fake, OW_GLOBAL_KEY_DATA_OFFSET), sizeof(key->bytes));
    memset(reg(fake, OW_GLOBAL_KEY_DATA_OFFSET), 0, sizeof(key->bytes));
  } else if (reserve) {
    *key = (struct fake_key){.config = *reg(fake, OW_GLOBAL_KEY_CONFIG_OFFSET),
                             .generation = (uint16_t)(key->generation + 1u),
                             .reserved = true};
  } else if ((command & OW_GLOBAL_KEY_COMMAND_ZEROISE_MASK) != 0) {
    *key = (struct fake_key){.generation = (uint16_t)(key->generation + 1u)};
  } else {
    for (unsigned i = 0; i < FAKE_SLOTS; i++) {
      fake->keys[i] = (struct fake_key){.generation = (uint16_t)(fake->keys[i].generation + 1u)};
    }
  }
}

/* The doorbell only increases, by at most the largest ring. */
static void ring_doorbell(struct fake_device *fake, unsigned number, uint32_t value) {
  uint32_t *doorbell = reg(fake, PAGE(number) + OW_QUEUE_DOORBELL_OFFSET);
  fake->doorbells++;
  if (fake->queues[number].halt != 0) {
    return;
  }
  if (((value - *doorbell) & 0xffffu) > 1u << FAKE_RING_LOG2_MAX) {
    fake_halt(fake, number, OW_HALT_BAD_DOORBELL);
  } else {
    *doorbell = value;
  }
}

static bool is_enabled(struct fake_device *fake, unsigned queue) {
  return (*reg(fake, PAGE(queue) + OW_QUEUE_CONTROL_OFFSET) & OW_QUEUE_CONTROL_ENABLE_MASK) != 0;
}

static void fake_write32(void *context, uint32_t offset, uint32_t value) {
  struct fake_device *fake = context;
  make_fault(fake);
  if (fake->gone || (fake->lose_write_at != 0 && --fake->lose_write_at == 0)) {
    return;
  }
  if (offset == OW_GLOBAL_KEY_COMMAND_OFFSET) {
    key_command(fake, value);
    return;
  }
  if (offset >= OW_QUEUE_OFFSET) {
    unsigned number = (offset - OW_QUEUE_OFFSET) / OW_QUEUE_STRIDE;
    switch (offset % OW_PAGE_SIZE) {
    case OW_QUEUE_CONTROL_OFFSET:
      queue_control(fake, number, value);
      return;
    case OW_QUEUE_IRQ_OFFSET:
      fake->queues[number].pending = fake->queues[number].pending && value == 0;
      return;
    case OW_QUEUE_DOORBELL_OFFSET:
      ring_doorbell(fake, number, value);
      return;
    case OW_QUEUE_RING_LOW_OFFSET:
    case OW_QUEUE_RING_HIGH_OFFSET:
    case OW_QUEUE_DONE_LOW_OFFSET:
    case OW_QUEUE_DONE_HIGH_OFFSET:
    case OW_QUEUE_RING_SIZE_OFFSET:
      if (is_enabled(fake, number)) {
        return; /* a running queue keeps its ring */
      }
      break;
    default:
      break;
    }
  }
  *reg(fake, offset) = value;
}

/* Time. */

static void fake_barrier(void *context) {
  ((struct fake_device *)context)->barriers++;
}

static void fake_relax(void *context) {
  struct fake_device *fake = context;
  fake->relaxed++;
  fake->microseconds += 10;
  fake_work(fake);
}

static bool fake_wait_interrupt(void *context, unsigned queue, uint32_t microseconds) {
  struct fake_device *fake = context;
  fake->slept++;
  fake_work(fake);
  if (fake->queues[queue].pending && !fake->lose_interrupts) {
    fake->microseconds += 1;
    return true;
  }
  fake->microseconds += microseconds;
  return false;
}

static uint64_t fake_microseconds(void *context) {
  struct fake_device *fake = context;
  if (fake->sleep_at != 0 && --fake->sleep_at == 0) {
    fake->microseconds += 60000000;
    fake_work(fake);
  }
  return fake->microseconds;
}

void fake_open(struct fake_device *fake) {
  memset(fake, 0, sizeof(*fake));
  fake->arena = aligned_alloc(4096, FAKE_ARENA_BYTES);
  memset(fake->arena, 0, FAKE_ARENA_BYTES);
  fake->memory = calloc(1, FAKE_ARENA_BYTES);
  fake->platform = (struct ow_platform){
      .context = fake,
      .read32 = fake_read32,
      .write32 = fake_write32,
      .map = fake_map,
      .unmap = fake_unmap,
      .sync_for_device = fake_sync_for_device,
      .sync_for_cpu = fake_sync_for_cpu,
      .barrier = fake_barrier,
      .relax = fake_relax,
      .wait_interrupt = fake_wait_interrupt,
      .microseconds = fake_microseconds,
  };
  *reg(fake, OW_GLOBAL_ID_OFFSET) = OW_GLOBAL_ID_RESET;
  *reg(fake, OW_GLOBAL_VERSION_OFFSET) = OW_GLOBAL_VERSION_RESET;
  *reg(fake, OW_GLOBAL_SHELL_OFFSET) = OW_QUEUE_COUNT | 16u << OW_GLOBAL_SHELL_STREAMS_SHIFT |
                                       FAKE_SLOTS << OW_GLOBAL_SHELL_KEY_SLOTS_SHIFT |
                                       16u << OW_GLOBAL_SHELL_BUS_BYTES_SHIFT;
  *reg(fake, OW_GLOBAL_LIMITS_OFFSET) = FAKE_RING_LOG2_MAX | 4u << OW_GLOBAL_LIMITS_WINDOWS_SHIFT;
  *reg(fake, OW_GLOBAL_ENGINES_OFFSET) =
      1u << OW_ENGINE_SHELL | 1u << OW_ENGINE_AES | 1u << OW_ENGINE_HASH | 1u << OW_ENGINE_DES;
  *reg(fake, OW_GLOBAL_HASH_OFFSET) = 0x3f7fu | 1u << OW_GLOBAL_HASH_VERSION_SHIFT;
  *reg(fake, OW_GLOBAL_DES_OFFSET) = 0xfu | 1u << OW_GLOBAL_DES_VERSION_SHIFT;
  *reg(fake, OW_GLOBAL_AES_OFFSET) = 0xffu | 14u << OW_GLOBAL_AES_STAGES_SHIFT |
                                     OW_GLOBAL_AES_DECRYPT_MASK | 1u << OW_GLOBAL_AES_VERSION_SHIFT;
}

void fake_close(struct fake_device *fake) {
  free(fake->arena);
  free(fake->memory);
}
