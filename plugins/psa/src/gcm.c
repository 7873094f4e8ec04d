/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * GCM in pieces. Mbed TLS's own operation is always up to date: its counter and hash go to the
 * device with the whole blocks, and come back. So software continues if the device fails.
 */
#include "driver.h"

#include <string.h>

#include "psa_crypto_aead.h"

#include <mbedtls/constant_time.h>
#include <mbedtls/platform_util.h>

typedef outwork_transparent_aead_operation_t operation_t;

/* SP 800-38D 5.2.1.1; software refuses more. */
#define LENGTH_MAX ((UINT64_C(1) << 36) - 32)

static psa_status_t setup(operation_t *operation, const psa_key_attributes_t *attributes,
                          const uint8_t *key, size_t key_size, psa_algorithm_t alg, bool decrypt) {
  if (ow_psa_aead_opcode(attributes, alg) != OW_OP_AES_GCM || key_size > sizeof(operation->key) ||
      !ow_psa_may_want(OW_OP_AES_GCM, (uint8_t)key_size, decrypt)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  memset(operation, 0, sizeof(*operation));
  psa_status_t status =
      decrypt
          ? mbedtls_psa_aead_decrypt_setup(&operation->software, attributes, key, key_size, alg)
          : mbedtls_psa_aead_encrypt_setup(&operation->software, attributes, key, key_size, alg);
  if (status == PSA_SUCCESS) {
    memcpy(operation->key, key, key_size);
    operation->key_len = (uint8_t)key_size;
    operation->decrypt = decrypt;
  }
  return status;
}

psa_status_t outwork_transparent_aead_encrypt_setup(operation_t *operation,
                                                    const psa_key_attributes_t *attributes,
                                                    const uint8_t *key, size_t key_size,
                                                    psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg, false);
}

psa_status_t outwork_transparent_aead_decrypt_setup(operation_t *operation,
                                                    const psa_key_attributes_t *attributes,
                                                    const uint8_t *key, size_t key_size,
                                                    psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg, true);
}

psa_status_t outwork_transparent_aead_set_nonce(operation_t *operation, const uint8_t *nonce,
                                                size_t nonce_len) {
  return mbedtls_psa_aead_set_nonce(&operation->software, nonce, nonce_len);
}

psa_status_t outwork_transparent_aead_set_lengths(operation_t *operation, size_t aad_len,
                                                  size_t plaintext_len) {
  return mbedtls_psa_aead_set_lengths(&operation->software, aad_len, plaintext_len);
}

psa_status_t outwork_transparent_aead_update_ad(operation_t *operation, const uint8_t *aad,
                                                size_t aad_len) {
  return mbedtls_psa_aead_update_ad(&operation->software, aad, aad_len);
}

/* Adds to the 32 counting bits of a counter block: Mbed TLS has the last block's counter, the
 * device needs the next one's. */
static void count(uint8_t counter[16], int by) {
  uint32_t value = (uint32_t)counter[12] << 24 | (uint32_t)counter[13] << 16 |
                   (uint32_t)counter[14] << 8 | counter[15];
  value += (uint32_t)by;
  for (unsigned i = 0; i < 4; i++) {
    counter[12 + i] = (uint8_t)(value >> (24 - 8 * i));
  }
}

/* Processes whole blocks, at the end of a block. Uses the saved state of rtl/aes/README.md without
 * its lengths: they are for the tag, which software makes. */
static bool run_job(operation_t *operation, const uint8_t *input, uint8_t *output, size_t length) {
  mbedtls_gcm_context *gcm = &operation->software.ctx.gcm;
  uint8_t state[OW_AES_STATE_BYTES] = {0};
  struct ow_request request = {.opcode = OW_OP_AES_GCM,
                               .flags = (uint16_t)(OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE |
                                                   (operation->decrypt ? OW_JOB_DECRYPT : 0u)),
                               .key = operation->key,
                               .key_len = operation->key_len,
                               .input = input,
                               .output = output,
                               .length = (uint32_t)length,
                               .state = state};
  memcpy(state, gcm->y, 16);
  count(state, 1);
  memcpy(state + 16, gcm->buf, 16);
  bool good = ow_offload_run(ow_psa_offload(), &request);
  if (good) {
    count(state, -1);
    memcpy(gcm->y, state, 16);
    memcpy(gcm->buf, state + 16, 16);
    gcm->len += length;
  }
  mbedtls_platform_zeroize(state, sizeof(state));
  return good;
}

/* Returns how many bytes software must process first, so that the hash is between two blocks: the
 * rest of a block, or a whole block, because the AAD ends in a partial block. */
static size_t before_blocks(const mbedtls_gcm_context *gcm) {
  if (gcm->len == 0) {
    return gcm->add_len % 16 == 0 ? 0 : 16;
  }
  return (size_t)(16 - gcm->len % 16) % 16;
}

psa_status_t outwork_transparent_aead_update(operation_t *operation, const uint8_t *input,
                                             size_t input_len, uint8_t *output, size_t output_size,
                                             size_t *output_len) {
  const mbedtls_gcm_context *gcm = &operation->software.ctx.gcm;
  size_t done = before_blocks(gcm), made = 0;
  size_t whole = input_len < done ? 0 : (input_len - done) / 16 * 16;
  /* A job's output would be the next one's input; software refuses it. */
  bool ahead = output > input && (size_t)(output - input) < input_len;
  if (whole == 0 || ahead || output_size < input_len || gcm->len > LENGTH_MAX ||
      input_len > LENGTH_MAX - gcm->len ||
      !ow_psa_wants(OW_OP_AES_GCM, operation->key_len, operation->decrypt, whole)) {
    return mbedtls_psa_aead_update(&operation->software, input, input_len, output, output_size,
                                   output_len);
  }
  psa_status_t status =
      mbedtls_psa_aead_update(&operation->software, input, done, output, output_size, &made);
  if (status != PSA_SUCCESS) {
    return status;
  }
  for (size_t now; whole != 0; whole -= now) {
    now = whole < OW_REQUEST_BYTES ? whole : OW_REQUEST_BYTES;
    if (!run_job(operation, input + done, output + done, now)) {
      break;
    }
    done += now;
  }
  status = mbedtls_psa_aead_update(&operation->software, input + done, input_len - done,
                                   output + done, output_size - done, &made);
  *output_len = input_len;
  return status;
}

psa_status_t outwork_transparent_aead_finish(operation_t *operation, uint8_t *ciphertext,
                                             size_t ciphertext_size, size_t *ciphertext_len,
                                             uint8_t *tag, size_t tag_size, size_t *tag_len) {
  return mbedtls_psa_aead_finish(&operation->software, ciphertext, ciphertext_size, ciphertext_len,
                                 tag, tag_size, tag_len);
}

psa_status_t outwork_transparent_aead_verify(operation_t *operation, uint8_t *plaintext,
                                             size_t plaintext_size, size_t *plaintext_len,
                                             const uint8_t *tag, size_t tag_len) {
  uint8_t made[PSA_AEAD_TAG_MAX_SIZE];
  size_t made_len = 0;
  psa_status_t status = mbedtls_psa_aead_finish(&operation->software, plaintext, plaintext_size,
                                                plaintext_len, made, sizeof(made), &made_len);
  if (status == PSA_SUCCESS &&
      (tag_len != made_len || mbedtls_ct_memcmp(tag, made, made_len) != 0)) {
    status = PSA_ERROR_INVALID_SIGNATURE;
  }
  mbedtls_platform_zeroize(made, sizeof(made));
  return status;
}

psa_status_t outwork_transparent_aead_abort(operation_t *operation) {
  mbedtls_platform_zeroize(operation->key, sizeof(operation->key));
  return mbedtls_psa_aead_abort(&operation->software);
}
