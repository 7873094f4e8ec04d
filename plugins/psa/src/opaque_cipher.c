/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES in ECB, CBC and CTR under keys in the device's slots. The device processes every block;
 * between two calls the operation keeps the next IV and a partial block.
 */
#include "slots.h"

#include <mbedtls/platform_util.h>

#include <string.h>

typedef outwork_opaque_cipher_operation_t operation_t;

static psa_status_t setup(operation_t *operation, const psa_key_attributes_t *attributes,
                          const uint8_t *key, size_t key_size, psa_algorithm_t alg, bool decrypt) {
  struct ow_psa_slot slot;
  uint8_t opcode = ow_psa_cipher_opcode(attributes, alg);
  if (opcode == 0 || !ow_psa_slot_read(&slot, key, key_size)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  *operation = (operation_t){.slot = slot.key.slot,
                             .generation = slot.key.generation,
                             .opening = slot.key.opening,
                             .opcode = opcode,
                             /* CTR: encryption and decryption are the same */
                             .decrypt = decrypt && opcode != OW_OP_AES_CTR};
  return PSA_SUCCESS;
}

psa_status_t outwork_opaque_cipher_encrypt_setup(operation_t *operation,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key, size_t key_size,
                                                 psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg, false);
}

psa_status_t outwork_opaque_cipher_decrypt_setup(operation_t *operation,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key, size_t key_size,
                                                 psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg, true);
}

psa_status_t outwork_opaque_cipher_set_iv(operation_t *operation, const uint8_t *iv,
                                          size_t iv_len) {
  if (iv_len != sizeof(operation->chain) || operation->opcode == OW_OP_AES_ECB) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  memcpy(operation->chain, iv, iv_len);
  return PSA_SUCCESS;
}

/* Processes whole blocks: `held_len` held bytes, then the input. */
static psa_status_t blocks(operation_t *operation, size_t held_len, const uint8_t *input,
                           uint8_t *output, size_t length) {
  const struct ow_psa_slot slot = {
      .key = {operation->slot, operation->generation, operation->opening}};
  bool chained = operation->opcode != OW_OP_AES_ECB;
  psa_status_t status = PSA_SUCCESS;
  for (size_t done = 0; done < length && status == PSA_SUCCESS;) {
    size_t left = length - done;
    struct ow_request request = {.opcode = operation->opcode,
                                 .flags = operation->decrypt ? OW_JOB_DECRYPT : 0,
                                 .iv = chained ? operation->chain : NULL,
                                 .iv_len = chained ? sizeof(operation->chain) : 0,
                                 .head = operation->held,
                                 .head_len = (uint32_t)held_len,
                                 .input = input,
                                 .output = output + done,
                                 .length =
                                     (uint32_t)(left < OW_REQUEST_BYTES ? left : OW_REQUEST_BYTES)};
    status = ow_psa_slot_run(&slot, &request);
    if (chained && status == PSA_SUCCESS) {
      memcpy(operation->chain, request.tag, sizeof(operation->chain));
    }
    input += request.length - held_len;
    done += request.length;
    held_len = 0;
  }
  return status;
}

/* Updates ECB or CBC: holds a partial block. */
static psa_status_t update_blocks(operation_t *operation, const uint8_t *input, size_t input_len,
                                  uint8_t *output, size_t *output_len) {
  size_t total = operation->held_len + input_len, keep = total % 16, whole = total - keep;
  uint8_t rest[16]; /* copied before output overwrites the input */
  psa_status_t status = PSA_SUCCESS;
  if (input_len == 0) { /* `input` may be NULL */
    *output_len = 0;
    return PSA_SUCCESS;
  }
  if (whole == 0) {
    memcpy(operation->held + operation->held_len, input, input_len);
  } else {
    memcpy(rest, input + (input_len - keep), keep);
    status = blocks(operation, operation->held_len, input, output, whole);
    memcpy(operation->held, rest, keep);
    mbedtls_platform_zeroize(rest, sizeof(rest));
  }
  operation->held_len = (uint8_t)keep;
  *output_len = status == PSA_SUCCESS ? whole : 0;
  return status;
}

/* Updates CTR: holds the key stream of a started block and the number of its used bytes. */
static psa_status_t update_stream(operation_t *operation, const uint8_t *input, size_t length,
                                  uint8_t *output, size_t *output_len) {
  static const uint8_t zeros[16];
  psa_status_t status = PSA_SUCCESS;
  size_t done = 0;
  while (done < length && status == PSA_SUCCESS) {
    size_t used = operation->held_len, left = length - done;
    size_t now = 16 - used < left ? 16 - used : left;
    if (now == 16) {
      now = left / 16 * 16;
      status = blocks(operation, 0, input + done, output + done, now);
    } else {
      if (used == 0) {
        status = blocks(operation, 0, zeros, operation->held, 16);
      }
      /* After a failure `held` is no key stream, or one that was used. */
      if (status == PSA_SUCCESS) {
        for (size_t i = 0; i < now; i++) {
          output[done + i] = input[done + i] ^ operation->held[used + i];
        }
        operation->held_len = (uint8_t)((used + now) % 16);
      }
    }
    done += now;
  }
  *output_len = status == PSA_SUCCESS ? done : 0;
  return status;
}

psa_status_t outwork_opaque_cipher_update(operation_t *operation, const uint8_t *input,
                                          size_t input_len, uint8_t *output, size_t output_size,
                                          size_t *output_len) {
  bool stream = operation->opcode == OW_OP_AES_CTR;
  size_t made = stream ? input_len : (operation->held_len + input_len) / 16 * 16;
  if (output_size < made) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  return (stream ? update_stream : update_blocks)(operation, input, input_len, output, output_len);
}

psa_status_t outwork_opaque_cipher_finish(const operation_t *operation, uint8_t *output,
                                          size_t output_size, size_t *output_len) {
  (void)output;
  (void)output_size;
  *output_len = 0;
  return operation->held_len == 0 || operation->opcode == OW_OP_AES_CTR
             ? PSA_SUCCESS
             : PSA_ERROR_INVALID_ARGUMENT;
}

/* Processes a whole message. */
static psa_status_t whole_message(const psa_key_attributes_t *attributes, const uint8_t *key,
                                  size_t key_size, psa_algorithm_t alg, bool decrypt,
                                  const uint8_t *iv, const uint8_t *input, size_t length,
                                  uint8_t *output, size_t output_size, size_t *output_len) {
  operation_t operation;
  psa_status_t status = setup(&operation, attributes, key, key_size, alg, decrypt);
  if (status == PSA_SUCCESS && operation.opcode != OW_OP_AES_CTR && length % 16 != 0) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (status == PSA_SUCCESS && operation.opcode != OW_OP_AES_ECB) {
    status = outwork_opaque_cipher_set_iv(&operation, iv, 16);
  }
  if (status == PSA_SUCCESS) {
    status =
        outwork_opaque_cipher_update(&operation, input, length, output, output_size, output_len);
  }
  mbedtls_platform_zeroize(&operation, sizeof(operation));
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
  return whole_message(attributes, key, key_size, alg, false, iv, input, input_len, output,
                       output_size, output_len);
}

/* The input begins with the IV. */
psa_status_t outwork_opaque_cipher_decrypt(const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                           const uint8_t *input, size_t input_len, uint8_t *output,
                                           size_t output_size, size_t *output_len) {
  size_t iv_len = alg == PSA_ALG_ECB_NO_PADDING ? 0 : 16;
  if (input_len < iv_len) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return whole_message(attributes, key, key_size, alg, true, input, input + iv_len,
                       input_len - iv_len, output, output_size, output_len);
}
