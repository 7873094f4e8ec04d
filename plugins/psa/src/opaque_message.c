/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Messages under keys in the device's slots: ciphers, MACs and AEADs, in one call.
 */
#include "slots.h"

#include <string.h>

/* ECB, CBC, CTR: as many jobs as it takes, for each gives the next its IV. */
static psa_status_t cipher(const psa_key_attributes_t *attributes, const uint8_t *key,
                           size_t key_size, psa_algorithm_t alg, bool decrypt, const uint8_t *iv,
                           const uint8_t *input, size_t length, uint8_t *output, size_t output_size,
                           size_t *output_len) {
  struct ow_psa_slot slot;
  struct ow_job job = {.opcode = ow_psa_cipher_opcode(attributes, alg)};
  uint8_t chain[16] = {0};
  psa_status_t status = PSA_SUCCESS;
  if (job.opcode == 0 || !ow_psa_slot_read(&slot, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  if (job.opcode != OW_OP_AES_CTR && length % 16 != 0) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (output_size < length) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  if (job.opcode != OW_OP_AES_ECB) {
    memcpy(chain, iv, 16);
    job.iv = chain;
    job.iv_len = 16;
  }
  job.flags = decrypt && job.opcode != OW_OP_AES_CTR ? OW_JOB_DECRYPT : 0;
  *output_len = 0;
  while (*output_len < length && status == PSA_SUCCESS) {
    size_t left = length - *output_len;
    job.length = (uint32_t)(left < OW_PSA_SLOT_BYTES ? left : OW_PSA_SLOT_BYTES);
    status = ow_psa_slot_run(&slot, &job, input + *output_len, output + *output_len);
    memcpy(chain, job.tag, 16);
    *output_len += job.length;
  }
  return status;
}

psa_status_t outwork_opaque_cipher_encrypt(const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                           const uint8_t *iv, size_t iv_len, const uint8_t *input,
                                           size_t input_len, uint8_t *output, size_t output_size,
                                           size_t *output_len) {
  if (iv_len != (alg == PSA_ALG_ECB_NO_PADDING ? 0u : 16u)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return cipher(attributes, key, key_size, alg, false, iv, input, input_len, output, output_size,
                output_len);
}

/* The IV comes first. */
psa_status_t outwork_opaque_cipher_decrypt(const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                           const uint8_t *input, size_t input_len, uint8_t *output,
                                           size_t output_size, size_t *output_len) {
  size_t iv_len = alg == PSA_ALG_ECB_NO_PADDING ? 0 : 16;
  if (input_len < iv_len) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return cipher(attributes, key, key_size, alg, true, input, input + iv_len, input_len - iv_len,
                output, output_size, output_len);
}

psa_status_t outwork_opaque_mac_compute(const psa_key_attributes_t *attributes, const uint8_t *key,
                                        size_t key_size, psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_len, uint8_t *mac, size_t mac_size,
                                        size_t *mac_len) {
  struct ow_psa_slot slot;
  uint8_t cmac = ow_psa_cmac_opcode(attributes, alg);
  struct ow_job job = {.opcode = cmac != 0 ? cmac : ow_psa_hmac_opcode(alg),
                       .length = (uint32_t)input_len};
  job.tag_len = cmac != 0 ? 16 : (uint8_t)ow_hash_digest_len(job.opcode);
  if (job.opcode == 0 || input_len > OW_PSA_SLOT_BYTES || mac_size > job.tag_len ||
      !ow_psa_slot_read(&slot, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  psa_status_t status = ow_psa_slot_run(&slot, &job, input, NULL);
  if (status == PSA_SUCCESS) {
    memcpy(mac, job.tag, mac_size);
    *mac_len = mac_size;
  }
  return status;
}

/* One message of GCM or CCM, with its tag in the job. */
static psa_status_t aead(const psa_key_attributes_t *attributes, const uint8_t *key,
                         size_t key_size, psa_algorithm_t alg, struct ow_job *job,
                         const uint8_t *input, size_t length, uint8_t *output, size_t output_size) {
  struct ow_psa_slot slot;
  job->opcode = ow_psa_aead_opcode(attributes, alg);
  job->tag_len = (uint8_t)PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  job->length = (uint32_t)length;
  if (job->opcode == 0 || length > OW_PSA_SLOT_BYTES || job->aad_len > OW_PSA_SLOT_AAD ||
      job->iv_len > 64 || !ow_psa_slot_read(&slot, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  return output_size < length ? PSA_ERROR_BUFFER_TOO_SMALL
                              : ow_psa_slot_run(&slot, job, input, output);
}

psa_status_t outwork_opaque_aead_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t alg, const uint8_t *nonce,
                                         size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                         const uint8_t *plaintext, size_t plaintext_len,
                                         uint8_t *ciphertext, size_t ciphertext_size,
                                         size_t *ciphertext_len) {
  size_t tag_len = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  struct ow_job job = {
      .iv = nonce, .iv_len = (uint32_t)nonce_len, .aad = aad, .aad_len = (uint32_t)aad_len};
  if (ciphertext_size < plaintext_len + tag_len) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  psa_status_t status = aead(attributes, key, key_size, alg, &job, plaintext, plaintext_len,
                             ciphertext, ciphertext_size);
  if (status == PSA_SUCCESS) {
    memcpy(ciphertext + plaintext_len, job.tag, tag_len);
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
  struct ow_job job = {.flags = OW_JOB_DECRYPT,
                       .iv = nonce,
                       .iv_len = (uint32_t)nonce_len,
                       .aad = aad,
                       .aad_len = (uint32_t)aad_len};
  if (ciphertext_len < tag_len || tag_len > sizeof(job.tag)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  size_t length = ciphertext_len - tag_len;
  memcpy(job.tag, ciphertext + length, tag_len);
  psa_status_t status =
      aead(attributes, key, key_size, alg, &job, ciphertext, length, plaintext, plaintext_size);
  *plaintext_len = status == PSA_SUCCESS ? length : 0;
  return status;
}
