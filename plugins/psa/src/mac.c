/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * HMAC and CMAC. For HMAC in pieces Mbed TLS hashes the blocks of the key, and passes the message
 * to hash.c. For CMAC in pieces Mbed TLS's own operation is always up to date: its chaining value
 * goes to the device and comes back.
 */
#include "driver.h"

#include <string.h>

#include "psa_crypto_mac.h"

#include <mbedtls/platform_util.h>

typedef outwork_transparent_mac_operation_t operation_t;

static psa_status_t setup(operation_t *operation, const psa_key_attributes_t *attributes,
                          const uint8_t *key, size_t key_size, psa_algorithm_t alg, bool verify) {
  uint8_t opcode = ow_psa_cmac_opcode(attributes, alg);
  if (opcode == 0 || key_size > sizeof(operation->key) ||
      !ow_psa_may_want(opcode, (uint8_t)key_size, false)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  memset(operation, 0, sizeof(*operation));
  psa_status_t status =
      verify ? mbedtls_psa_mac_verify_setup(&operation->software, attributes, key, key_size, alg)
             : mbedtls_psa_mac_sign_setup(&operation->software, attributes, key, key_size, alg);
  if (status == PSA_SUCCESS) {
    memcpy(operation->key, key, key_size);
    operation->key_len = (uint8_t)key_size;
  }
  return status;
}

psa_status_t outwork_transparent_mac_sign_setup(operation_t *operation,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key, size_t key_size,
                                                psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg, false);
}

psa_status_t outwork_transparent_mac_verify_setup(operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key, size_t key_size,
                                                  psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg, true);
}

/* Chains the block that the operation holds, and the whole blocks of the input after it. Saved
 * state of rtl/aes/README.md: the chain is its second block; the byte count is at the end of the
 * third. */
static bool chain(operation_t *operation, const uint8_t *input, size_t length) {
  mbedtls_cmac_context_t *cmac = operation->software.ctx.cmac.cmac_ctx;
  uint64_t chained = operation->bytes - cmac->unprocessed_len;
  uint8_t state[OW_AES_STATE_BYTES] = {0};
  struct ow_request request = {
      .opcode = OW_OP_AES_CMAC,
      .flags = (uint16_t)(OW_JOB_SAVE_STATE | (chained != 0 ? OW_JOB_LOAD_STATE : 0u)),
      .key = operation->key,
      .key_len = operation->key_len,
      .head = cmac->unprocessed_block,
      .head_len = (uint32_t)cmac->unprocessed_len,
      .input = input,
      .length = (uint32_t)(cmac->unprocessed_len + length),
      .state = state};
  memcpy(state + 16, cmac->state, 16);
  for (unsigned i = 0; i < 8; i++) {
    state[40 + i] = (uint8_t)(chained >> (8 * i));
  }
  bool good = ow_offload_run(ow_psa_offload(), &request);
  if (good) {
    memcpy(cmac->state, state + 16, 16);
    cmac->unprocessed_len = 0;
    operation->bytes += length;
  }
  mbedtls_platform_zeroize(state, sizeof(state));
  return good;
}

static psa_status_t update_here(operation_t *operation, const uint8_t *input, size_t length) {
  psa_status_t status = mbedtls_psa_mac_update(&operation->software, input, length);
  operation->bytes += length;
  return status;
}

psa_status_t outwork_transparent_mac_update(operation_t *operation, const uint8_t *input,
                                            size_t input_len) {
  const mbedtls_cmac_context_t *cmac = operation->software.ctx.cmac.cmac_ctx;
  psa_status_t status = PSA_SUCCESS;
  if (input_len > 32 && ow_psa_wants(OW_OP_AES_CMAC, operation->key_len, false, input_len)) {
    size_t before = (16 - cmac->unprocessed_len) % 16;
    status = update_here(operation, input, before);
    input += before;
    input_len -= before;
    while (status == PSA_SUCCESS && input_len > 16) { /* what may be the last block is held */
      size_t whole = (input_len - 1) / 16 * 16, most = OW_REQUEST_BYTES - 16;
      size_t now = whole < most ? whole : most;
      if (!chain(operation, input, now)) {
        break;
      }
      input += now;
      input_len -= now;
    }
  }
  return status == PSA_SUCCESS ? update_here(operation, input, input_len) : status;
}

psa_status_t outwork_transparent_mac_sign_finish(operation_t *operation, uint8_t *mac,
                                                 size_t mac_size, size_t *mac_len) {
  return mbedtls_psa_mac_sign_finish(&operation->software, mac, mac_size, mac_len);
}

psa_status_t outwork_transparent_mac_verify_finish(operation_t *operation, const uint8_t *mac,
                                                   size_t mac_len) {
  return mbedtls_psa_mac_verify_finish(&operation->software, mac, mac_len);
}

psa_status_t outwork_transparent_mac_abort(operation_t *operation) {
  mbedtls_platform_zeroize(operation->key, sizeof(operation->key));
  return mbedtls_psa_mac_abort(&operation->software);
}

psa_status_t outwork_transparent_mac_compute(const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_size,
                                             psa_algorithm_t alg, const uint8_t *input,
                                             size_t input_len, uint8_t *mac, size_t mac_size,
                                             size_t *mac_len) {
  uint8_t cmac = ow_psa_cmac_opcode(attributes, alg);
  uint8_t opcode = cmac != 0 ? cmac : ow_psa_hmac_opcode(alg);
  size_t full = cmac != 0 ? 16 : ow_hash_digest_len(opcode);
  if (opcode == 0 || key_size == 0 || key_size > OW_MAC_KEY_MAX || mac_size == 0 ||
      mac_size > full || input_len > OW_REQUEST_BYTES) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  struct ow_request request = {.opcode = opcode,
                               .tag_len = (uint8_t)full,
                               .key = key,
                               .key_len = (uint8_t)key_size,
                               .input = input,
                               .length = (uint32_t)input_len};
  if (!ow_psa_wants(opcode, (uint8_t)key_size, false, input_len) ||
      !ow_offload_run(ow_psa_offload(), &request)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  memcpy(mac, request.tag, mac_size);
  *mac_len = mac_size;
  mbedtls_platform_zeroize(request.tag, sizeof(request.tag));
  return PSA_SUCCESS;
}
