/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * HMAC and CMAC under keys in the device's slots. The pieces of a message are held until there is
 * enough for a job; the state is kept between jobs; the last job has at least one byte.
 */
#include "slots.h"

#include <mbedtls/constant_time.h>
#include <mbedtls/platform_util.h>

#include <string.h>

typedef outwork_opaque_mac_operation_t operation_t;

OW_STATIC_ASSERT(sizeof(((operation_t *)0)->state) >= OW_HASH_SEALED_BYTES, "state");

static size_t full_len(uint8_t opcode) {
  return opcode == OW_OP_AES_CMAC ? 16 : ow_hash_digest_len(opcode);
}

static psa_status_t setup(operation_t *operation, const psa_key_attributes_t *attributes,
                          const uint8_t *key, size_t key_size, psa_algorithm_t alg) {
  struct ow_psa_slot slot;
  uint8_t cmac = ow_psa_cmac_opcode(attributes, alg);
  uint8_t opcode = cmac != 0 ? cmac : ow_psa_hmac_opcode(alg);
  if (opcode == 0 || !ow_psa_slot_read(&slot, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  memset(operation, 0, sizeof(*operation));
  operation->slot = slot.key.slot;
  operation->generation = slot.key.generation;
  operation->opening = slot.key.opening;
  operation->opcode = opcode;
  return PSA_SUCCESS;
}

psa_status_t outwork_opaque_mac_sign_setup(operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size,
                                           psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg);
}

psa_status_t outwork_opaque_mac_verify_setup(operation_t *operation,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_size,
                                             psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg);
}

/* Runs the next job: the held bytes, then the input. tag: NULL to save the state instead. */
static psa_status_t run(operation_t *operation, const uint8_t *input, size_t length,
                        uint8_t tag[64]) {
  const struct ow_psa_slot slot = {
      .key = {operation->slot, operation->generation, operation->opening}};
  struct ow_request request = {.opcode = operation->opcode,
                               .flags = (uint16_t)((operation->begun ? OW_JOB_LOAD_STATE : 0u) |
                                                   (tag == NULL ? OW_JOB_SAVE_STATE : 0u)),
                               .tag_len = tag != NULL ? (uint8_t)full_len(operation->opcode) : 0,
                               .head = operation->held,
                               .head_len = operation->held_len,
                               .input = input,
                               .length = (uint32_t)(operation->held_len + length),
                               .state = operation->state};
  psa_status_t status = ow_psa_slot_run(&slot, &request);
  operation->begun = true;
  operation->held_len = 0;
  if (tag != NULL && status == PSA_SUCCESS) {
    memcpy(tag, request.tag, sizeof(request.tag));
  }
  mbedtls_platform_zeroize(request.tag, sizeof(request.tag));
  return status;
}

/* Sends whole blocks of every hash and of AES; holds the last block, full or not. */
psa_status_t outwork_opaque_mac_update(operation_t *operation, const uint8_t *input,
                                       size_t input_len) {
  psa_status_t status = PSA_SUCCESS;
  while (status == PSA_SUCCESS && operation->held_len + input_len > sizeof(operation->held)) {
    size_t whole = (operation->held_len + input_len - 1) / 128 * 128;
    size_t now = (whole < OW_REQUEST_BYTES ? whole : OW_REQUEST_BYTES) - operation->held_len;
    status = run(operation, input, now, NULL);
    input += now;
    input_len -= now;
  }
  if (status == PSA_SUCCESS && input_len != 0) { /* else `input` may be NULL */
    memcpy(operation->held + operation->held_len, input, input_len);
    operation->held_len += (uint32_t)input_len;
  }
  return status;
}

psa_status_t outwork_opaque_mac_sign_finish(operation_t *operation, uint8_t *mac, size_t mac_size,
                                            size_t *mac_len) {
  uint8_t tag[64];
  if (mac_size > full_len(operation->opcode)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  psa_status_t status = run(operation, NULL, 0, tag);
  if (status == PSA_SUCCESS) {
    memcpy(mac, tag, mac_size);
    *mac_len = mac_size;
  }
  mbedtls_platform_zeroize(tag, sizeof(tag));
  return status;
}

psa_status_t outwork_opaque_mac_verify_finish(operation_t *operation, const uint8_t *mac,
                                              size_t mac_len) {
  uint8_t tag[64];
  if (mac_len > full_len(operation->opcode)) {
    return PSA_ERROR_INVALID_SIGNATURE;
  }
  psa_status_t status = run(operation, NULL, 0, tag);
  if (status == PSA_SUCCESS && mbedtls_ct_memcmp(tag, mac, mac_len) != 0) {
    status = PSA_ERROR_INVALID_SIGNATURE;
  }
  mbedtls_platform_zeroize(tag, sizeof(tag));
  return status;
}

psa_status_t outwork_opaque_mac_abort(operation_t *operation) {
  mbedtls_platform_zeroize(operation, sizeof(*operation));
  return PSA_SUCCESS;
}

psa_status_t outwork_opaque_mac_compute(const psa_key_attributes_t *attributes, const uint8_t *key,
                                        size_t key_size, psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_len, uint8_t *mac, size_t mac_size,
                                        size_t *mac_len) {
  operation_t operation;
  psa_status_t status = setup(&operation, attributes, key, key_size, alg);
  if (status == PSA_SUCCESS) {
    status = outwork_opaque_mac_update(&operation, input, input_len);
  }
  if (status == PSA_SUCCESS) {
    status = outwork_opaque_mac_sign_finish(&operation, mac, mac_size, mac_len);
  }
  (void)outwork_opaque_mac_abort(&operation);
  return status;
}
