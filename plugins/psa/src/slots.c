/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key slots, through the offload core, which notices if a key is no longer in its slot.
 */
#include "slots.h"

#include <string.h>

bool ow_psa_slot_read(struct ow_psa_slot *slot, const uint8_t *key, size_t key_size) {
  if (key == NULL || (key_size != sizeof(*slot) && key_size != sizeof(struct ow_psa_rsa_slot))) {
    return false;
  }
  memcpy(slot, key, sizeof(*slot));
  /* otherwise the library would destroy a key that was never loaded */
  return slot->opcode != 0;
}

static psa_status_t psa_status_of(ow_status status) {
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
  case OW_BAD_KEY:
  case OW_KEY_GONE:  /* zeroised, replaced, or the device was opened again */
  case OW_BAD_STATE: /* or the device has another seed */
    return PSA_ERROR_DATA_INVALID;
  default:
    return PSA_ERROR_HARDWARE_FAILURE;
  }
}

/* Returns the offload if it may be used: asks the policy with the greatest length, because software
 * does not have these keys. */
static struct ow_offload *offload_for(uint8_t opcode) {
  struct ow_offload *offload = ow_psa_offload();
  return offload != NULL && ow_offload_wants(offload, opcode, 0, false, SIZE_MAX) ? offload : NULL;
}

psa_status_t ow_psa_slot_operate(uint8_t opcode, size_t length, ow_operate *operate, void *user,
                                 const struct ow_psa_slot *slot) {
  struct ow_offload *offload = offload_for(opcode);
  ow_status status;
  if (offload == NULL) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  (void)ow_offload_operate(offload, opcode, (uint32_t)length, operate, user,
                           slot != NULL ? &slot->key : NULL, &status);
  return psa_status_of(status);
}

struct loading {
  struct ow_psa_slot *slot;
  const struct ow_psa_slot_key *key;
};

static ow_status make_point(struct ow_pka *pka, void *user) {
  const struct loading *loading = user;
  const struct ow_psa_slot_key *key = loading->key;
  const struct ow_ec_private raw = {.curve = key->curve, .d = {key->bytes, key->length}};
  return ow_ec_public(pka, loading->slot->point, &raw);
}

static ow_status fill(struct ow_pka *pka, void *user) {
  const struct loading *loading = user;
  const struct ow_psa_slot_key *key = loading->key;
  const struct ow_slot_key *slot = &loading->slot->key;
  const struct ow_key_handle handle = {.slot = slot->slot, .generation = slot->generation};
  return ow_rsa_slot_fill(pka, key->slotted, &handle, key->rsa);
}

psa_status_t ow_psa_slot_load(struct ow_psa_slot *slot, const struct ow_psa_slot_key *key) {
  struct loading loading = {slot, key};
  bool curve = key->opcode == OW_OP_EC_SIGN || key->opcode == OW_OP_EC_MULTIPLY;
  /* Mbed TLS reserves the slot first, and loads it afterwards */
  bool rsa = key->opcode == OW_OP_RSA_PRIVATE;
  const struct ow_key_material material = {.properties = key->properties,
                                           .opcode = key->opcode == OW_OP_AES_ECB ? OW_OP_NOP
                                                                                  : key->opcode,
                                           .curve = (uint8_t)key->curve,
                                           .key_len = rsa ? 0 : (uint8_t)key->length,
                                           .key = rsa ? NULL : key->bytes};
  struct ow_offload *offload = offload_for(key->opcode);
  memset(slot, 0, sizeof(*slot));
  slot->opcode = key->opcode;
  if (offload == NULL) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  psa_status_t status =
      curve ? ow_psa_slot_operate(OW_OP_EC_PUBLIC, key->length, make_point, &loading, NULL)
            : PSA_SUCCESS;
  if (status == PSA_SUCCESS) {
    status = psa_status_of(ow_offload_key_load(offload, &slot->key, &material));
  }
  if (status == PSA_SUCCESS && rsa) {
    status = ow_psa_slot_operate(OW_OP_RSA_LOAD, key->length, fill, &loading, slot);
    if (status != PSA_SUCCESS) {
      (void)ow_offload_key_zeroise(offload, &slot->key);
    }
  }
  return status;
}

psa_status_t ow_psa_slot_destroy(const struct ow_psa_slot *slot) {
  struct ow_offload *offload = ow_psa_offload();
  if (offload == NULL) {
    return PSA_ERROR_COMMUNICATION_FAILURE;
  }
  ow_status status = ow_offload_key_zeroise(offload, &slot->key);
  return status == OW_KEY_GONE ? PSA_SUCCESS : psa_status_of(status); /* already gone */
}

psa_status_t ow_psa_slot_run(const struct ow_psa_slot *slot, struct ow_request *request) {
  struct ow_offload *offload = offload_for(request->opcode);
  if (offload == NULL || request->length > OW_REQUEST_BYTES ||
      request->aad_len > OW_REQUEST_AAD_BYTES || request->iv_len > 64) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  request->slot = &slot->key;
  (void)ow_offload_run_retry(offload, request);
  return psa_status_of(request->status);
}

bool ow_psa_slot_keeps(const psa_key_attributes_t *attributes) {
  psa_key_usage_t usage = psa_get_key_usage_flags(attributes);
  return (usage & (PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY)) == 0 &&
         PSA_KEY_LIFETIME_IS_VOLATILE(psa_get_key_lifetime(attributes));
}
