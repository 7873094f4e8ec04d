/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Runs the fake device's jobs, from the descriptor ring to the completion ring.
 */
#include "fake_device.h"

#include <stdlib.h>
#include <string.h>

#include "fake_aes.h"
#include "fake_inside.h"

unsigned fake_move(struct fake_device *fake, uint64_t address, bool list, uint8_t *buffer,
                   size_t length, bool write) {
  bool last = !list;
  ow_direction direction = write ? OW_FROM_DEVICE : OW_TO_DEVICE;
  struct ow_segment segment = {.address = address, .length = (uint32_t)length};
  for (size_t done = 0; done < length;) {
    if (list) {
      const uint8_t *at = fake_reach(fake, address, sizeof(segment), OW_TO_DEVICE);
      if (last || address % 16 != 0 || at == NULL) {
        return OW_DEVICE_BAD_SEGMENT;
      }
      memcpy(&segment, at, sizeof(segment));
      last = segment.control == OW_SEGMENT_CONTROL_LAST_MASK;
      address += sizeof(segment);
    }
    size_t bytes = segment.length < length - done ? segment.length : length - done;
    if (bytes != 0) {
      uint8_t *memory = fake_reach(fake, segment.address, bytes, direction);
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
  const struct fake_key *key = &fake->keys[number % FAKE_SLOTS];
  if (number >= FAKE_SLOTS || !key->valid ||
      (FIELD(key->config, OW_GLOBAL_KEY_CONFIG_QUEUES) >> queue & 1) == 0) {
    return OW_DEVICE_KEY_DENIED;
  }
  if ((job->control & OW_DESCRIPTOR_CONTROL_GENERATION_MASK) != 0 &&
      job->context >> OW_SLOT_CONTEXT_VALUE_GENERATION_SHIFT != key->generation) {
    return OW_DEVICE_KEY_GONE;
  }
  bool mac = aes->opcode == OW_OP_AES_CMAC || aes->opcode == OW_OP_AES_GMAC;
  uint32_t right = mac            ? OW_GLOBAL_KEY_CONFIG_MAC_MASK
                   : aes->decrypt ? OW_GLOBAL_KEY_CONFIG_DECRYPT_MASK
                                  : OW_GLOBAL_KEY_CONFIG_ENCRYPT_MASK;
  if (FIELD(key->config, OW_GLOBAL_KEY_CONFIG_TWO_KEYS) != (aes->opcode == OW_OP_AES_XTS)) {
    return OW_DEVICE_BAD_KEY;
  }
  if (aes->opcode == OW_OP_AES_GMAC) {
    right |= OW_GLOBAL_KEY_CONFIG_ENCRYPT_MASK;
  }
  if ((key->config & right) != right) {
    return OW_DEVICE_KEY_DENIED;
  }
  aes->key = key->bytes;
  aes->tweak_key = key->bytes + 32;
  aes->key_len = lengths[FIELD(key->config, OW_GLOBAL_KEY_CONFIG_LENGTH)];
  return OW_DEVICE_OK;
}

static unsigned run_aes(struct fake_device *fake, unsigned queue, const struct ow_descriptor *job,
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
      .keeps_text = fake->wipe_fails,
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
    /* Without a state the device reads only the key part, which may be in the scratch memory of a
     * ring entry. */
    bool whole = aes.load || aes.save;
    uint64_t address = job->context;
    if ((control & OW_DESCRIPTOR_CONTROL_GENERATION_MASK) != 0) {
      address &= OW_SLOT_CONTEXT_VALUE_ADDRESS_MASK;
    }
    uint8_t *at = fake_reach(fake, address, whole ? OW_CONTEXT_SIZE : 64,
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
    aes.iv = fake_reach(fake, address, length, OW_TO_DEVICE);
    aes.iv_len = length;
    status = aes.iv != NULL ? OW_DEVICE_OK : OW_DEVICE_READ_ERROR;
  }
  if (status == OW_DEVICE_OK && job->aad_length != 0) {
    aes.aad = fake_reach(fake, job->aad, job->aad_length, OW_TO_DEVICE);
    status = aes.aad != NULL ? OW_DEVICE_OK : OW_DEVICE_READ_ERROR;
  }
  bool tagged = aes.opcode == OW_OP_AES_GCM || aes.opcode == OW_OP_AES_GMAC ||
                aes.opcode == OW_OP_AES_CCM || aes.opcode == OW_OP_AES_CMAC;
  size_t tag_in = tagged && aes.decrypt && !aes.save ? aes.tag_len : 0;
  if (status == OW_DEVICE_OK) {
    status = fake_move(fake, job->source, FIELD(control, OW_DESCRIPTOR_CONTROL_SOURCE_LIST) != 0,
                       input, job->length + tag_in, false);
  }
  if (status != OW_DEVICE_OK) {
    goto end;
  }
  aes.input = input;
  aes.output = output;
  memcpy(aes.tag, input + job->length, tag_in);
  status = fake_aes(&aes);
  if (fake->spoil != NULL) {
    fake->spoil(output, job->length);
  }
  size_t out = aes.opcode == OW_OP_AES_GMAC || aes.opcode == OW_OP_AES_CMAC ? 0 : job->length;
  if (status == OW_DEVICE_OK && (control & OW_DESCRIPTOR_CONTROL_APPEND_TAG_MASK) != 0) {
    memcpy(output + out, aes.tag, aes.tag_len);
    out += aes.tag_len;
  }
  if (status == OW_DEVICE_OK || status == OW_DEVICE_AUTH_FAILED) {
    unsigned written =
        fake_move(fake, job->destination,
                  FIELD(control, OW_DESCRIPTOR_CONTROL_DESTINATION_LIST) != 0, output, out, true);
    status = written != OW_DEVICE_OK                               ? written
             : status == OW_DEVICE_AUTH_FAILED && fake->wipe_fails ? OW_DEVICE_WIPE_FAILED
                                                                   : status;
  }
  if (status == OW_DEVICE_OK) {
    record->bytes = (uint32_t)out;
    memcpy(record->tag, aes.tag, 16);
    if (aes.save) {
      memcpy(state, context + 64, 48);
      if ((control & OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK) == 0) {
        /* The nonce and the tag of a sealed state come before it; the nonce contains the queue. */
        memset(state - 32, 0, 32);
        state[8 - 32] = (uint8_t)queue;
      }
    }
  }
end:
  free(input);
  return status;
}

static unsigned run_pka(struct fake_device *fake, const struct ow_descriptor *job,
                        struct ow_completion *record,
                        unsigned (*engine)(struct fake_pka_job *job)) {
  uint8_t input[4736];
  struct fake_pka_job pka = {.opcode = (uint8_t)FIELD(job->control, OW_DESCRIPTOR_CONTROL_OPCODE),
                             .parameters = job->iv,
                             .key_len = job->aad_length,
                             .input = input,
                             .input_len = job->length};
  if (engine == NULL) {
    return OW_DEVICE_BAD_OPCODE;
  }
  if (job->length > sizeof(input)) {
    return OW_DEVICE_BAD_LENGTH;
  }
  if (job->aad_length != 0) {
    pka.key = fake_reach(fake, job->aad, job->aad_length, OW_TO_DEVICE);
  }
  if (pka.key == NULL && job->aad_length != 0) {
    return OW_DEVICE_READ_ERROR;
  }
  unsigned status = fake_move(fake, job->source, false, input, job->length, false);
  if (status == OW_DEVICE_OK) {
    status = engine(&pka);
  }
  if (status == OW_DEVICE_OK) {
    status = fake_move(fake, job->destination, false, pka.output, pka.output_len, true);
    record->bytes = (uint32_t)pka.output_len;
  }
  return status;
}

static unsigned run(struct fake_device *fake, unsigned queue, const struct ow_descriptor *job,
                    struct ow_completion *record) {
  switch (FIELD(job->control, OW_DESCRIPTOR_CONTROL_OPCODE) >> 4) {
  case OW_OP_SHA1 >> 4:
  case OW_OP_HMAC_SHA1 >> 4:
    return fake_hash(fake, job, record);
  case OW_OP_MODEXP >> 4:
    return run_pka(fake, job, record, fake->pka);
  case OW_OP_MLKEM_KEYGEN >> 4:
    return run_pka(fake, job, record, fake->lattice);
  case OW_OP_DES_ECB >> 4:
    return fake_des(fake, job, record);
  default:
    return run_aes(fake, queue, job, record);
  }
}

static void complete(struct fake_device *fake, unsigned number, const struct ow_descriptor *job) {
  struct fake_queue *queue = &fake->queues[number];
  uint32_t log2 = *reg(fake, PAGE(number) + OW_QUEUE_RING_SIZE_OFFSET);
  uint64_t ring = *reg(fake, PAGE(number) + OW_QUEUE_DONE_LOW_OFFSET) |
                  (uint64_t)*reg(fake, PAGE(number) + OW_QUEUE_DONE_HIGH_OFFSET) << 32;
  struct ow_completion record = {.cookie = job->cookie, .cycles = 100};
  unsigned status = fake->force_status != 0 ? fake->force_status
                    : fake->pretends        ? OW_DEVICE_OK
                                            : run(fake, number, job, &record);
  fake->force_status = 0;
  uint32_t phase = ~(queue->completed >> log2) & 1u;
  record.result = status | phase << OW_COMPLETION_RESULT_PHASE_SHIFT;
  if (fake->bad_cookie) {
    record.cookie ^= 0x8000;
    fake->bad_cookie = false;
  }
  uint32_t place = queue->completed & ((1u << log2) - 1u);
  uint8_t *at =
      fake_reach(fake, ring + (uint64_t)place * OW_COMPLETION_SIZE, sizeof(record), OW_FROM_DEVICE);
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
  if (enabled == 0 || queue->halt != 0 || fake->idle || !fake_is_granted(fake, number)) {
    return;
  }
  if (ring % OW_DESCRIPTOR_SIZE != 0) {
    fake_halt(fake, number, OW_HALT_BAD_RING);
    return;
  }
  if (((*reg(fake, page + OW_QUEUE_DOORBELL_OFFSET) - queue->completed) & 0xffffu) > entries) {
    fake_halt(fake, number, OW_HALT_RING_OVERRUN);
    return;
  }
  unsigned most = fake->microseconds_apart == 0 ? 64 : fake->microseconds >= queue->ready ? 1 : 0;
  while ((queue->fetched & 0xffffu) != *reg(fake, page + OW_QUEUE_DOORBELL_OFFSET) &&
         found < most) {
    uint64_t address = ring + (uint64_t)(queue->fetched & (entries - 1u)) * OW_DESCRIPTOR_SIZE;
    const uint8_t *at = fake_reach(fake, address, OW_DESCRIPTOR_SIZE, OW_TO_DEVICE);
    if (at == NULL) {
      fake_halt(fake, number, OW_HALT_RING_READ);
      return;
    }
    memcpy(&jobs[found++], at, OW_DESCRIPTOR_SIZE);
    queue->fetched++;
    queue->ready = fake->microseconds + fake->microseconds_apart;
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
  fake->queues[queue].pending = true;
}
