/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key slots. Jobs go through the core's public-key lane, whose memory the device reaches.
 */
#include "slots.h"

#include <mbedtls/platform_util.h>

#include <pthread.h>
#include <string.h>

#define SLOTS_MAX 32u

/* The global page is for one thread at a time. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t taken; /* bit n: slot n holds a key of ours */

bool ow_psa_slot_read(struct ow_psa_slot *slot, const uint8_t *key, size_t key_size) {
  if (key == NULL || (key_size != sizeof(*slot) && key_size != sizeof(struct ow_psa_rsa_slot))) {
    return false;
  }
  memcpy(slot, key, sizeof(*slot));
  return slot->opcode != 0; /* else the library wipes what was never loaded */
}

static psa_status_t answer(ow_status status) {
  switch (status) {
  case OW_OK:
    return PSA_SUCCESS;
  case OW_UNSUPPORTED:
    return PSA_ERROR_NOT_SUPPORTED;
  case OW_BAD_ARGUMENT:
    return PSA_ERROR_INVALID_ARGUMENT;
  case OW_AUTH_FAILED:
    return PSA_ERROR_INVALID_SIGNATURE;
  case OW_KEY_DENIED:
    return PSA_ERROR_NOT_PERMITTED;
  case OW_BUSY:
    return PSA_ERROR_INSUFFICIENT_MEMORY;
  case OW_NO_DEVICE:
    return PSA_ERROR_COMMUNICATION_FAILURE;
  case OW_BAD_KEY: /* the device has been reset: its slots are empty */
    return PSA_ERROR_DATA_INVALID;
  default:
    return PSA_ERROR_HARDWARE_FAILURE;
  }
}

psa_status_t ow_psa_slot_operate(uint8_t opcode, size_t length, ow_operate *operate, void *user) {
  struct ow_offload *offload = ow_psa_offload();
  ow_status status = OW_NO_DEVICE;
  /* A length that no rule keeps from the device: these keys are nowhere else. */
  if (offload == NULL || !ow_offload_wants(offload, opcode, 0, false, SIZE_MAX)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  (void)ow_offload_operate(offload, opcode, (uint32_t)length, operate, user, NULL, &status);
  return answer(status);
}

struct loading {
  struct ow_psa_slot *slot;
  const struct ow_psa_slot_key *key;
};

/* Reserved, then filled. */
static ow_status load_rsa(struct ow_pk *pk, uint8_t slot, const struct ow_psa_slot_key *key) {
  struct ow_device *device = pk->queue->device;
  ow_status status = ow_rsa_slot_reserve(device, slot, key->properties.queues, false);
  if (status == OW_OK) {
    status = ow_rsa_slot_fill(pk, key->slotted, slot, key->rsa);
    if (status != OW_OK) {
      (void)ow_key_zeroise(device, slot);
    }
  }
  return status;
}

static ow_status load_one(struct ow_pk *pk, uint8_t slot, const struct ow_psa_slot_key *key) {
  struct ow_device *device = pk->queue->device;
  if (key->opcode == OW_OP_RSA_PRIVATE) {
    return load_rsa(pk, slot, key);
  }
  if (key->opcode == OW_OP_AES_ECB) {
    return ow_key_load(device, slot, &key->properties, key->bytes, key->length, NULL);
  }
  return ow_hash_block_len(key->opcode) != 0
             ? ow_key_load_kind(device, slot, &key->properties, key->opcode, key->bytes,
                                key->length)
             : ow_ec_slot_load(device, slot, key->properties.queues, false,
                               key->opcode == OW_OP_EC_SIGN, key->curve, key->bytes);
}

/* In the first slot that is free for us and for whoever else loads keys. */
static ow_status load(struct ow_pk *pk, void *user) {
  const struct loading *loading = user;
  const struct ow_psa_slot_key *key = loading->key;
  struct ow_device *device = pk->queue->device;
  ow_status status = OW_UNSUPPORTED;
  if (!device->owner) {
    return OW_UNSUPPORTED;
  }
  bool curve = key->opcode == OW_OP_EC_SIGN || key->opcode == OW_OP_EC_MULTIPLY;
  if (curve) {
    const struct ow_ec_private raw = {.curve = key->curve, .d = {key->bytes, key->length}};
    status = ow_ec_public(pk, loading->slot->point, &raw);
    if (status != OW_OK) {
      return status;
    }
    status = OW_UNSUPPORTED;
  }
  for (uint8_t i = 0; i < SLOTS_MAX && i < device->capabilities.key_slots; i++) {
    struct ow_key_info info;
    if ((taken >> i & 1u) == 0 && ow_key_query(device, &info, i) == OW_OK && !info.valid) {
      status = load_one(pk, i, key);
      if (status == OW_OK) {
        taken |= UINT32_C(1) << i;
        loading->slot->slot = i;
      }
      break;
    }
  }
  return status;
}

psa_status_t ow_psa_slot_load(struct ow_psa_slot *slot, const struct ow_psa_slot_key *key) {
  struct loading loading = {slot, key};
  memset(slot, 0, sizeof(*slot));
  slot->opcode = key->opcode;
  pthread_mutex_lock(&mutex);
  psa_status_t status = ow_psa_slot_operate(key->opcode, key->length, load, &loading);
  pthread_mutex_unlock(&mutex);
  return status;
}

static ow_status zeroise(struct ow_pk *pk, void *user) {
  const struct ow_psa_slot *slot = user;
  return ow_key_zeroise(pk->queue->device, slot->slot);
}

psa_status_t ow_psa_slot_destroy(const struct ow_psa_slot *slot) {
  struct ow_psa_slot copy = *slot;
  pthread_mutex_lock(&mutex);
  psa_status_t status = ow_psa_slot_operate(slot->opcode, 0, zeroise, &copy);
  if (status == PSA_SUCCESS) { /* else the slot may still hold the key: nobody gets it */
    taken &= ~(UINT32_C(1) << slot->slot);
  }
  pthread_mutex_unlock(&mutex);
  return status;
}

struct running {
  struct ow_job *job;
  const uint8_t *input;
  uint8_t *output;
};

static ow_status run(struct ow_pk *pk, void *user) {
  const struct running *running = user;
  struct ow_job *job = running->job;
  const void *aad = job->aad;
  if (job->length != 0) {
    memcpy(pk->key, running->input, job->length);
  }
  job->source = pk->key;
  job->destination = running->output != NULL ? pk->key : NULL;
  if (job->aad_len > 64) { /* the driver copies less by itself */
    memcpy(pk->input, aad, job->aad_len);
    job->aad = pk->input;
  }
  ow_status status = pk->run(pk->run_context, job);
  if (status == OW_OK && running->output != NULL) {
    memcpy(running->output, pk->key, job->length);
  }
  job->aad = aad;
  mbedtls_platform_zeroize(pk->key, sizeof(pk->key));
  return status;
}

psa_status_t ow_psa_slot_run(const struct ow_psa_slot *slot, struct ow_job *job,
                             const uint8_t *input, uint8_t *output) {
  struct running running = {job, input, output};
  if (job->length > OW_PSA_SLOT_BYTES || job->aad_len > OW_PSA_SLOT_AAD) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  job->key = (struct ow_key){.slot = slot->slot};
  return ow_psa_slot_operate(job->opcode, job->length, run, &running);
}
