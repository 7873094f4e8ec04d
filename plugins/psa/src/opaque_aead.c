/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-GCM and AES-CCM under keys in the device's slots, as whole messages.
 */
#include "slots.h"

#include <string.h>

/* Returns a length as a request's: one that does not fit is too long for ow_psa_slot_run() still.
 */
static uint32_t saturated(size_t length) {
  return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

/* Runs one message of GCM or CCM; the tag is in the request. */
static psa_status_t aead(const psa_key_attributes_t *attributes, const uint8_t *key,
                         size_t key_size, psa_algorithm_t alg, struct ow_request *request,
                         const uint8_t *input, size_t length, uint8_t *output, size_t output_size) {
  struct ow_psa_slot slot;
  request->opcode = ow_psa_aead_opcode(attributes, alg);
  request->tag_len = (uint8_t)PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  request->input = input;
  request->output = output;
  request->length = (uint32_t)length;
  if (request->opcode == 0 || length > OW_REQUEST_BYTES ||
      !ow_psa_slot_read(&slot, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  return output_size < length ? PSA_ERROR_BUFFER_TOO_SMALL : ow_psa_slot_run(&slot, request);
}

psa_status_t outwork_opaque_aead_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t alg, const uint8_t *nonce,
                                         size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                         const uint8_t *plaintext, size_t plaintext_len,
                                         uint8_t *ciphertext, size_t ciphertext_size,
                                         size_t *ciphertext_len) {
  size_t tag_len = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  struct ow_request request = {
      .iv = nonce, .iv_len = saturated(nonce_len), .aad = aad, .aad_len = saturated(aad_len)};
  if (ciphertext_size < plaintext_len + tag_len) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  psa_status_t status = aead(attributes, key, key_size, alg, &request, plaintext, plaintext_len,
                             ciphertext, ciphertext_size);
  if (status == PSA_SUCCESS) {
    memcpy(ciphertext + plaintext_len, request.tag, tag_len);
    *ciphertext_len = plaintext_len + tag_len;
  }
  return status;
}

psa_status_t outwork_opaque_aead_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t alg, const uint8_t *nonce,
                                         size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                         const uint8_t *ciphertext, size_t ciphertext_len,
                                         uint8_t *plaintext, size_t plaintext_size,
                                         size_t *plaintext_len) {
  size_t tag_len = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  struct ow_request request = {.flags = OW_JOB_DECRYPT,
                               .iv = nonce,
                               .iv_len = saturated(nonce_len),
                               .aad = aad,
                               .aad_len = saturated(aad_len)};
  if (ciphertext_len < tag_len || tag_len > sizeof(request.tag)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  size_t length = ciphertext_len - tag_len;
  memcpy(request.tag, ciphertext + length, tag_len);
  psa_status_t status =
      aead(attributes, key, key_size, alg, &request, ciphertext, length, plaintext, plaintext_size);
  *plaintext_len = status == PSA_SUCCESS ? length : 0;
  return status;
}
