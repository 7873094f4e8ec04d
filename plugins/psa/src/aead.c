/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * GCM and CCM of whole messages: one job each. If the device finds a wrong tag, software checks it
 * again.
 */
#include "driver.h"

#include <string.h>

/* The arguments of one call. */
struct message {
  const uint8_t *nonce, *aad, *input;
  uint8_t *output;
  size_t nonce_len, aad_len, length;
};

/* Fills in a request. False: lengths that a request cannot hold, or that are invalid, which
 * software reports. */
static bool make_request(struct ow_request *request, const psa_key_attributes_t *attributes,
                         const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                         const struct message *message) {
  uint8_t opcode = ow_psa_aead_opcode(attributes, alg);
  size_t tag_len = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  *request = (struct ow_request){.opcode = opcode,
                                 .tag_len = (uint8_t)tag_len,
                                 .key = key,
                                 .key_len = (uint8_t)key_size,
                                 .iv = message->nonce,
                                 .iv_len = (uint32_t)message->nonce_len,
                                 .aad = message->aad,
                                 .aad_len = (uint32_t)message->aad_len,
                                 .input = message->input,
                                 .output = message->output,
                                 .length = (uint32_t)message->length};
  return opcode != 0 && key_size <= 32 && tag_len >= 4 && tag_len <= 16 &&
         message->nonce_len != 0 && message->nonce_len <= 64 &&
         message->aad_len <= OW_REQUEST_AAD_BYTES && message->length <= OW_REQUEST_BYTES;
}

psa_status_t outwork_transparent_aead_encrypt(const psa_key_attributes_t *attributes,
                                              const uint8_t *key, size_t key_size,
                                              psa_algorithm_t alg, const uint8_t *nonce,
                                              size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                              const uint8_t *plaintext, size_t plaintext_len,
                                              uint8_t *ciphertext, size_t ciphertext_size,
                                              size_t *ciphertext_len) {
  const struct message message = {nonce,     aad,     plaintext,    ciphertext,
                                  nonce_len, aad_len, plaintext_len};
  struct ow_request request;
  if (!make_request(&request, attributes, key, key_size, alg, &message) ||
      ciphertext_size < plaintext_len + request.tag_len ||
      !ow_psa_wants(request.opcode, request.key_len, false, plaintext_len) ||
      !ow_offload_run(ow_psa_offload(), &request)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  memcpy(ciphertext + plaintext_len, request.tag, request.tag_len);
  *ciphertext_len = plaintext_len + request.tag_len;
  return PSA_SUCCESS;
}

psa_status_t outwork_transparent_aead_decrypt(const psa_key_attributes_t *attributes,
                                              const uint8_t *key, size_t key_size,
                                              psa_algorithm_t alg, const uint8_t *nonce,
                                              size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                              const uint8_t *ciphertext, size_t ciphertext_len,
                                              uint8_t *plaintext, size_t plaintext_size,
                                              size_t *plaintext_len) {
  size_t tag_len = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  if (ciphertext_len < tag_len || plaintext_size < ciphertext_len - tag_len) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  size_t length = ciphertext_len - tag_len;
  const struct message message = {nonce, aad, ciphertext, plaintext, nonce_len, aad_len, length};
  struct ow_request request;
  if (!make_request(&request, attributes, key, key_size, alg, &message)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  request.flags = OW_JOB_DECRYPT;
  memcpy(request.tag, ciphertext + length, tag_len);
  if (!ow_psa_wants(request.opcode, request.key_len, true, length) ||
      !ow_offload_run(ow_psa_offload(), &request)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  *plaintext_len = length;
  return PSA_SUCCESS;
}
