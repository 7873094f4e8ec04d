/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device: registers, memory, and jobs.
 */
#include "fake_device.h"

#include <stdlib.h>
#include <string.h>

#include "fake_aes.h"

#define FIELD(value, name) (((value) & name##_MASK) >> name##_SHIFT)
#define PAGE(queue)        (OW_QUEUE_OFFSET + (queue) * OW_QUEUE_STRIDE)

static uint32_t *reg(struct fake_device *fake, uint32_t offset) {
  return &fake->registers[offset / 4];
}

/* Memory. */

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

/* What the device finds at an address; NULL, counted, where nothing is mapped. */
static uint8_t *reach(struct fake_device *fake, uint64_t address, size_t length,
                      ow_direction direction) {
  uint8_t *first = fake->arena + (address - FAKE_ADDRESS);
  for (unsigned i = 0; i < FAKE_MAPPINGS; i++) {
    const struct fake_mapping *mapping = &fake->mappings[i];
    if ((mapping->direction & direction) == direction && first >= mapping->memory &&
        first + length <= mapping->memory + mapping->length) {
      return first;
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
    if (fake->arena[i] == bytes[0] && memcmp(fake->arena + i, bytes, length) == 0) {
      return true;
    }
  }
  return false;
}

/* Jobs. */

/* Moves bytes between a buffer and a source or destination, through its segment list if it has one.
 */
static unsigned move(struct fake_device *fake, uint64_t address, bool list, uint8_t *buffer,
                     size_t length, bool write) {
  bool last = !list;
  ow_direction direction = write ? OW_FROM_DEVICE : OW_TO_DEVICE;
  struct ow_segment segment = {.address = address, .length = (uint32_t)length};
  for (size_t done = 0; done < length;) {
    if (list) {
      const uint8_t *at = reach(fake, address, sizeof(segment), OW_TO_DEVICE);
      if (last || address % 16 != 0 || at == NULL) {
        return OW_DEVICE_BAD_SEGMENT;
      }
      memcpy(&segment, at, sizeof(segment));
      last = segment.control == OW_SEGMENT_CONTROL_LAST_MASK;
      address += sizeof(segment);
    }
    size_t bytes = segment.length < length - done ? segment.length : length - done;
    if (bytes != 0) {
      uint8_t *memory = reach(fake, segment.address, bytes, direction);
      if (memory == NULL) {
        return write ? OW_DEVICE_WRITE_ERROR : OW_DEVICE_READ_ERROR;
      }
      memcpy(write ? memory : buffer + done, write ? buffer + done : memory, bytes);
    }
    done += bytes;
  }
  return OW_DEVICE_OK;
}

static unsigned key_of(struct fake_device *fake, unsigned queue, const struct ow_descriptor *job,
                       struct fake_aes_job *aes, const uint8_t *context) {
  static const size_t lengths[4] = {16, 24, 32, 0};
  uint32_t number = FIELD(job->control, OW_DESCRIPTOR_CONTROL_KEY);
  if ((job->control & OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK) != 0) {
    aes->key = context;
    aes->tweak_key = context + 32;
    aes->key_len = lengths[number & 3];
    return OW_DEVICE_OK;
  }
  if (number >= FAKE_SLOTS || !fake->keys[number].valid) {
    return OW_DEVICE_BAD_KEY;
  }
  const struct fake_key *key = &fake->keys[number];
  bool mac = aes->opcode == OW_OP_AES_CMAC || aes->opcode == OW_OP_AES_GMAC;
  uint32_t right = mac            ? OW_GLOBAL_KEY_CONFIG_MAC_MASK
                   : aes->decrypt ? OW_GLOBAL_KEY_CONFIG_DECRYPT_MASK
                                  : OW_GLOBAL_KEY_CONFIG_ENCRYPT_MASK;
  if (FIELD(key->config, OW_GLOBAL_KEY_CONFIG_TWO_KEYS) != (aes->opcode == OW_OP_AES_XTS)) {
    return OW_DEVICE_BAD_KEY;
  }
  if ((key->config & right) == 0 ||
      (FIELD(key->config, OW_GLOBAL_KEY_CONFIG_QUEUES) >> queue & 1) == 0) {
    return OW_DEVICE_KEY_DENIED;
  }
  aes->key = key->bytes;
  aes->tweak_key = key->bytes + 32;
  aes->key_len = lengths[FIELD(key->config, OW_GLOBAL_KEY_CONFIG_LENGTH)];
  return OW_DEVICE_OK;
}

static unsigned run(struct fake_device *fake, unsigned queue, const struct ow_descriptor *job,
                    struct ow_completion *record) {
  uint32_t control = job->control;
  bool has_context =
      (control & (OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK | OW_DESCRIPTOR_CONTROL_LOAD_STATE_MASK |
                  OW_DESCRIPTOR_CONTROL_SAVE_STATE_MASK)) != 0;
  struct fake_aes_job aes = {
      .opcode = (uint8_t)FIELD(control, OW_DESCRIPTOR_CONTROL_OPCODE),
      .decrypt = FIELD(control, OW_DESCRIPTOR_CONTROL_DECRYPT) != 0,
      .load = FIELD(control, OW_DESCRIPTOR_CONTROL_LOAD_STATE) != 0,
      .save = FIELD(control, OW_DESCRIPTOR_CONTROL_SAVE_STATE) != 0,
      .tag_len = FIELD(control, OW_DESCRIPTOR_CONTROL_TAG_LENGTH),
      .iv = job->iv,
      .iv_len = 12,
      .length = job->length,
      .aad_len = job->aad_length,
  };
  uint8_t context[OW_CONTEXT_SIZE] = {0}, *state = NULL;
  uint8_t *input = calloc(2, job->length + 32u), *output = input + job->length + 32u;
  unsigned status = OW_DEVICE_OK;
  if (aes.opcode == OW_OP_NOP) {
    goto end;
  }
  if (has_context) {
    /* Without a state the device reads the key part only, which may stand in a ring's scratch. */
    bool whole = aes.load || aes.save;
    uint8_t *at = reach(fake, job->context, whole ? OW_CONTEXT_SIZE : 64,
                        aes.save ? OW_BOTH_WAYS : OW_TO_DEVICE);
    if (at == NULL) {
      status = OW_DEVICE_READ_ERROR;
      goto end;
    }
    memcpy(context, at, whole ? OW_CONTEXT_SIZE : 64);
    state = at + 64;
    aes.state = context + 64;
  }
  status = key_of(fake, queue, job, &aes, context);
  if (status == OW_DEVICE_OK && (control & OW_DESCRIPTOR_CONTROL_LONG_IV_MASK) != 0) {
    uint64_t address;
    uint32_t length;
    memcpy(&address, job->iv, 8);
    memcpy(&length, job->iv + 8, 4);
    aes.iv = reach(fake, address, length, OW_TO_DEVICE);
    aes.iv_len = length;
    status = aes.iv != NULL ? OW_DEVICE_OK : OW_DEVICE_READ_ERROR;
  }
  if (status == OW_DEVICE_OK && job->aad_length != 0) {
    aes.aad = reach(fake, job->aad, job->aad_length, OW_TO_DEVICE);
    status = aes.aad != NULL ? OW_DEVICE_OK : OW_DEVICE_READ_ERROR;
  }
  bool tagged = aes.opcode == OW_OP_AES_GCM || aes.opcode == OW_OP_AES_GMAC ||
                aes.opcode == OW_OP_AES_CCM || aes.opcode == OW_OP_AES_CMAC;
  size_t tag_in = tagged && aes.decrypt && !aes.save ? aes.tag_len : 0;
  if (status == OW_DEVICE_OK) {
    status = move(fake, job->source, FIELD(control, OW_DESCRIPTOR_CONTROL_SOURCE_LIST) != 0, input,
                  job->length + tag_in, false);
  }
  if (status != OW_DEVICE_OK) {
    goto end;
  }
  aes.input = input;
  aes.output = output;
  memcpy(aes.tag, input + job->length, tag_in);
  status = fake_aes(&aes);
  size_t out = aes.opcode == OW_OP_AES_GMAC || aes.opcode == OW_OP_AES_CMAC ? 0 : job->length;
  if (status == OW_DEVICE_OK && (control & OW_DESCRIPTOR_CONTROL_APPEND_TAG_MASK) != 0) {
    memcpy(output + out, aes.tag, aes.tag_len);
    out += aes.tag_len;
  }
  if (status == OW_DEVICE_OK || status == OW_DEVICE_AUTH_FAILED) {
    unsigned written =
        move(fake, job->destination, FIELD(control, OW_DESCRIPTOR_CONTROL_DESTINATION_LIST) != 0,
             output, out, true);
    status = written == OW_DEVICE_OK ? status : written;
  }
  if (status == OW_DEVICE_OK) {
    record->bytes = (uint32_t)out;
    memcpy(record->tag, aes.tag, 16);
    if (aes.save) {
      memcpy(state, context + 64, 48);
    }
  }
end:
  free(input);
  return status;
}

static void complete(struct fake_device *fake, unsigned number, const struct ow_descriptor *job) {
  struct fake_queue *queue = &fake->queues[number];
  uint32_t log2 = *reg(fake, PAGE(number) + OW_QUEUE_RING_SIZE_OFFSET);
  uint64_t ring = *reg(fake, PAGE(number) + OW_QUEUE_DONE_LOW_OFFSET) |
                  (uint64_t)*reg(fake, PAGE(number) + OW_QUEUE_DONE_HIGH_OFFSET) << 32;
  struct ow_completion record = {.cookie = job->cookie, .cycles = 100};
  unsigned status = fake->force_status != 0 ? fake->force_status : run(fake, number, job, &record);
  fake->force_status = 0;
  uint32_t phase = ~(queue->completed >> log2) & 1u;
  record.result = status | phase << OW_COMPLETION_RESULT_PHASE_SHIFT;
  if (fake->bad_cookie) {
    record.cookie ^= 0x8000;
    fake->bad_cookie = false;
  }
  uint32_t place = queue->completed & ((1u << log2) - 1u);
  uint8_t *at =
      reach(fake, ring + (uint64_t)place * OW_COMPLETION_SIZE, sizeof(record), OW_FROM_DEVICE);
  if (at != NULL) {
    memcpy(at, &record, sizeof(record));
  }
  queue->completed++;
  queue->pending = true;
  if (status == OW_DEVICE_OK) {
    queue->jobs++;
    queue->bytes += job->length;
  } else {
    queue->errors++;
  }
  *reg(fake, PAGE(number) + OW_QUEUE_BUSY_CYCLES_OFFSET) += fake->busy_cycles_per_job;
}

static void work_queue(struct fake_device *fake, unsigned number) {
  struct fake_queue *queue = &fake->queues[number];
  struct ow_descriptor jobs[64];
  uint32_t page = PAGE(number);
  uint32_t enabled = *reg(fake, page + OW_QUEUE_CONTROL_OFFSET) & OW_QUEUE_CONTROL_ENABLE_MASK;
  uint32_t entries = 1u << *reg(fake, page + OW_QUEUE_RING_SIZE_OFFSET);
  uint64_t ring = *reg(fake, page + OW_QUEUE_RING_LOW_OFFSET) |
                  (uint64_t)*reg(fake, page + OW_QUEUE_RING_HIGH_OFFSET) << 32;
  unsigned found = 0;
  if (enabled == 0 || queue->halt != 0 || fake->idle) {
    return;
  }
  while ((queue->fetched & 0xffffu) != *reg(fake, page + OW_QUEUE_DOORBELL_OFFSET) && found < 64) {
    uint64_t address = ring + (uint64_t)(queue->fetched & (entries - 1u)) * OW_DESCRIPTOR_SIZE;
    const uint8_t *at = reach(fake, address, OW_DESCRIPTOR_SIZE, OW_TO_DEVICE);
    if (at == NULL) {
      fake_halt(fake, number, OW_HALT_RING_READ);
      return;
    }
    memcpy(&jobs[found++], at, OW_DESCRIPTOR_SIZE);
    queue->fetched++;
  }
  for (unsigned i = 0; i < found; i++) {
    complete(fake, number, &jobs[fake->reversed ? found - 1 - i : i]);
  }
}

void fake_work(struct fake_device *fake) {
  for (unsigned queue = 0; queue < OW_QUEUE_COUNT; queue++) {
    work_queue(fake, queue);
  }
}

void fake_halt(struct fake_device *fake, unsigned queue, uint8_t reason) {
  fake->queues[queue].halt = reason;
}

/* Registers. */

static uint32_t key_status(struct fake_device *fake) {
  uint32_t slot = *reg(fake, OW_GLOBAL_KEY_SLOT_OFFSET);
  uint32_t refused = *reg(fake, OW_GLOBAL_KEY_STATUS_OFFSET);
  uint32_t busy = fake->key_hangs ? OW_GLOBAL_KEY_STATUS_BUSY_MASK : 0;
  const struct fake_key *key = &fake->keys[slot % FAKE_SLOTS];
  if (!key->valid) {
    return busy | refused;
  }
  return busy | refused | OW_GLOBAL_KEY_STATUS_VALID_MASK |
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
  if (fake->gone) {
    return 0xffffffffu;
  }
  if (offset == OW_GLOBAL_KEY_STATUS_OFFSET) {
    return key_status(fake);
  }
  if (offset >= OW_QUEUE_OFFSET) {
    const struct fake_queue *queue = &fake->queues[(offset - OW_QUEUE_OFFSET) / OW_QUEUE_STRIDE];
    switch (at) {
    case OW_QUEUE_STATUS_OFFSET:
      return queue->halt != 0
                 ? OW_QUEUE_STATUS_HALTED_MASK | queue->halt << OW_QUEUE_STATUS_HALT_SHIFT
                 : 0;
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
  bool refused = key->held || (load && locked);
  *reg(fake, OW_GLOBAL_KEY_STATUS_OFFSET) = refused ? OW_GLOBAL_KEY_STATUS_REFUSED_MASK : 0;
  if (refused) {
    return;
  }
  if (load) {
    *key = (struct fake_key){.config = *reg(fake, OW_GLOBAL_KEY_CONFIG_OFFSET), .valid = true};
    memcpy(key->bytes, reg(fake, OW_GLOBAL_KEY_DATA_OFFSET), sizeof(key->bytes));
    memset(reg(fake, OW_GLOBAL_KEY_DATA_OFFSET), 0, sizeof(key->bytes));
  } else if ((command & OW_GLOBAL_KEY_COMMAND_ZEROISE_MASK) != 0) {
    *key = (struct fake_key){0};
  } else {
    memset(fake->keys, 0, sizeof(fake->keys));
  }
}

static void queue_control(struct fake_device *fake, unsigned number, uint32_t value) {
  struct fake_queue *queue = &fake->queues[number];
  if ((value & OW_QUEUE_CONTROL_RESET_MASK) != 0 && !fake->reset_hangs) {
    queue->fetched = 0;
    queue->completed = 0;
    queue->halt = 0;
    queue->pending = false;
    *reg(fake, PAGE(number) + OW_QUEUE_DOORBELL_OFFSET) = 0;
    value &= ~OW_QUEUE_CONTROL_RESET_MASK;
  }
  *reg(fake, PAGE(number) + OW_QUEUE_CONTROL_OFFSET) = value;
}

static void fake_write32(void *context, uint32_t offset, uint32_t value) {
  struct fake_device *fake = context;
  if (fake->gone) {
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
      fake->doorbells++;
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
  return ((struct fake_device *)context)->microseconds;
}

void fake_open(struct fake_device *fake) {
  memset(fake, 0, sizeof(*fake));
  fake->arena = aligned_alloc(4096, FAKE_ARENA_BYTES);
  memset(fake->arena, 0, FAKE_ARENA_BYTES);
  fake->platform = (struct ow_platform){
      .context = fake,
      .read32 = fake_read32,
      .write32 = fake_write32,
      .map = fake_map,
      .unmap = fake_unmap,
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
  *reg(fake, OW_GLOBAL_LIMITS_OFFSET) = 12u | 4u << OW_GLOBAL_LIMITS_WINDOWS_SHIFT;
  *reg(fake, OW_GLOBAL_ENGINES_OFFSET) = 1u << OW_ENGINE_SHELL | 1u << OW_ENGINE_AES;
  *reg(fake, OW_GLOBAL_AES_OFFSET) = 0xffu | 14u << OW_GLOBAL_AES_STAGES_SHIFT |
                                     OW_GLOBAL_AES_DECRYPT_MASK | 1u << OW_GLOBAL_AES_VERSION_SHIFT;
}

void fake_close(struct fake_device *fake) {
  free(fake->arena);
}
