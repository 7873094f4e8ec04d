/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device's hash jobs: the rules of rtl/hash/hash_plan.sv that a job here can violate, and
 * the driver's software on states. Tests compare with libcrypto.
 */
#include <stdlib.h>
#include <string.h>

#include "fake_inside.h"
#include "outwork/hash_state.h"

struct hash_job {
  uint8_t opcode;
  bool load, save, verify;
  uint8_t key[OW_MAC_KEY_MAX];
  size_t key_len;
  size_t wanted;
  struct ow_hash_context state;
};

static bool is_keyed(const struct hash_job *job) {
  return job->opcode >> 4 == OW_OP_HMAC_SHA1 >> 4;
}

static bool is_kmac(const struct hash_job *job) {
  return job->opcode == OW_OP_KMAC128 || job->opcode == OW_OP_KMAC256;
}

static uint8_t below(const struct hash_job *job) {
  return (uint8_t)((OW_OP_SHA1 & 0xf0) | (job->opcode & 15));
}

static void add(struct hash_job *job, const void *bytes, size_t length) {
  ow_hash_state_add(&job->state, job->opcode, bytes, length);
}

/* SP 800-185 2.3: lengths here have at most two bytes. */
static void add_length(struct hash_job *job, size_t bits, bool left) {
  uint8_t count = bits > 255 ? bits > 65535 ? 3 : 2 : 1;
  uint8_t bytes[5] = {count, (uint8_t)(bits >> 16), (uint8_t)(bits >> 8), (uint8_t)bits, count};
  if (left) {
    add(job, bytes, 1);
  }
  add(job, bytes + 4 - count, count);
  if (!left) {
    add(job, bytes + 4, 1);
  }
}

static void fill_block(struct hash_job *job) {
  while (job->state.partial != 0) {
    add(job, "", 1);
  }
}

static void begin(struct hash_job *job) {
  size_t block = ow_hash_block_len(job->opcode);
  ow_hash_state_begin(&job->state, below(job));
  if (is_kmac(job)) { /* 4.3 */
    add_length(job, block, true);
    add_length(job, 32, true);
    add(job, "KMAC", 4);
    add_length(job, 0, true);
    fill_block(job);
    add_length(job, block, true);
    add_length(job, 8 * job->key_len, true);
    add(job, job->key, job->key_len);
    fill_block(job);
  } else if (is_keyed(job)) {
    for (size_t i = 0; i < block; i++) {
      uint8_t byte = (uint8_t)(0x36u ^ (i < job->key_len ? job->key[i] : 0u));
      add(job, &byte, 1);
    }
  }
}

static void finish(struct hash_job *job, uint8_t *output) {
  uint8_t mac[64];
  if (is_kmac(job)) {
    add_length(job, 8 * job->wanted, false);
  }
  if (is_keyed(job) && !is_kmac(job)) {
    ow_hash_state_finish_hmac(&job->state, job->opcode, mac, job->key, job->key_len);
    memcpy(output, mac, job->wanted);
  } else {
    ow_hash_state_finish(&job->state, job->opcode, output, job->wanted);
  }
}

static unsigned judge(const struct hash_job *job, uint32_t control, uint32_t asked) {
  size_t fixed = ow_hash_digest_len(job->opcode);
  bool inline_key = FIELD(control, OW_DESCRIPTOR_CONTROL_INLINE_KEY) != 0;
  if (ow_hash_block_len(job->opcode) == 0) {
    return OW_DEVICE_BAD_OPCODE;
  }
  if ((!is_keyed(job) && (inline_key || job->verify)) || (job->verify && job->save)) {
    return OW_DEVICE_BAD_FLAGS;
  }
  if ((job->save || (!is_keyed(job) && fixed != 0)) ? asked != 0 : !is_keyed(job) && asked == 0) {
    return OW_DEVICE_BAD_LENGTH;
  }
  if (!job->save && is_keyed(job) && (asked < 1 || (fixed != 0 && asked > fixed))) {
    return OW_DEVICE_BAD_TAG_LENGTH;
  }
  return is_keyed(job) && (!inline_key || job->key_len > OW_MAC_KEY_MAX) ? OW_DEVICE_BAD_KEY
                                                                         : OW_DEVICE_OK;
}

/* Returns the state in the context; *place: its address as the device sees it, or NULL if it has
 * none. */
static unsigned fetch(struct fake_device *fake, struct hash_job *job, uint8_t **place,
                      const struct ow_descriptor *descriptor) {
  bool whole = job->load || job->save;
  size_t key_bytes = (job->key_len + 15) / 16 * 16;
  size_t length = whole ? OW_HASH_CONTEXT_SIZE : key_bytes;
  if (length == 0) {
    return OW_DEVICE_OK;
  }
  *place = fake_reach(fake, descriptor->context, length, job->save ? OW_BOTH_WAYS : OW_TO_DEVICE);
  if (*place == NULL) {
    return OW_DEVICE_READ_ERROR;
  }
  memcpy(job->key, *place, job->key_len);
  if (job->load) {
    memcpy(&job->state, *place, sizeof(job->state));
  }
  return OW_DEVICE_OK;
}

unsigned fake_hash(struct fake_device *fake, const struct ow_descriptor *descriptor,
                   struct ow_completion *record) {
  uint32_t control = descriptor->control;
  struct hash_job job = {
      .opcode = (uint8_t)FIELD(control, OW_DESCRIPTOR_CONTROL_OPCODE),
      .load = FIELD(control, OW_DESCRIPTOR_CONTROL_LOAD_STATE) != 0,
      .save = FIELD(control, OW_DESCRIPTOR_CONTROL_SAVE_STATE) != 0,
      .verify = FIELD(control, OW_DESCRIPTOR_CONTROL_DECRYPT) != 0,
  };
  job.key_len = is_keyed(&job) ? FIELD(control, OW_DESCRIPTOR_CONTROL_KEY) : 0;
  unsigned status = judge(&job, control, descriptor->aad_length);
  if (status != OW_DEVICE_OK) {
    return status;
  }
  size_t fixed = is_keyed(&job) ? 0 : ow_hash_digest_len(job.opcode);
  job.wanted = job.save ? 0 : fixed != 0 ? fixed : descriptor->aad_length;
  size_t tag_len = job.verify ? job.wanted : 0;
  uint8_t *place = NULL;
  uint8_t *input = calloc(1, descriptor->length + tag_len + 1), *output = calloc(1, job.wanted + 1);
  status = fetch(fake, &job, &place, descriptor);
  if (status == OW_DEVICE_OK) {
    status =
        fake_move(fake, descriptor->source, FIELD(control, OW_DESCRIPTOR_CONTROL_SOURCE_LIST) != 0,
                  input, descriptor->length + tag_len, false);
  }
  if (status == OW_DEVICE_OK) {
    if (!job.load) {
      begin(&job);
    }
    add(&job, input, descriptor->length);
    if (job.save) {
      size_t key_part = offsetof(struct ow_hash_context, bytes);
      memcpy(place + key_part, (uint8_t *)&job.state + key_part, sizeof(job.state) - key_part);
    } else {
      finish(&job, output);
    }
  }
  if (status == OW_DEVICE_OK && job.verify) {
    bool good = memcmp(output, input + descriptor->length, tag_len) == 0;
    status = good ? OW_DEVICE_OK : OW_DEVICE_AUTH_FAILED;
  } else if (status == OW_DEVICE_OK && !job.save) {
    status = fake_move(fake, descriptor->destination,
                       FIELD(control, OW_DESCRIPTOR_CONTROL_DESTINATION_LIST) != 0, output,
                       job.wanted, true);
    record->bytes = (uint32_t)job.wanted;
    memcpy(record->tag, output, job.wanted < 16 ? job.wanted : 16);
  }
  free(input);
  free(output);
  return status;
}
