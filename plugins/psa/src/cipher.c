/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES in ECB, CBC and CTR. Mbed TLS's own operation is always up to date: its IV goes to the device
 * with the whole blocks, and the next IV comes back. So software continues if the device fails.
 */
#include "driver.h"

#include <string.h>

#include "psa_crypto_cipher.h"

#include <mbedtls/platform_util.h>

typedef outwork_transparent_cipher_operation_t operation_t;

static psa_status_t setup(operation_t *operation, const psa_key_attributes_t *attributes,
                          const uint8_t *key, size_t key_size, psa_algorithm_t alg, bool decrypt) {
  uint8_t opcode = ow_psa_cipher_opcode(attributes, alg);
  bool meant = decrypt && opcode != OW_OP_AES_CTR; /* encryption and decryption are the same */
  if (opcode == 0 || key_size > sizeof(operation->key) ||
      !ow_psa_may_want(opcode, (uint8_t)key_size, meant)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  memset(operation, 0, sizeof(*operation));
  psa_status_t status =
      decrypt
          ? mbedtls_psa_cipher_decrypt_setup(&operation->software, attributes, key, key_size, alg)
          : mbedtls_psa_cipher_encrypt_setup(&operation->software, attributes, key, key_size, alg);
  if (status == PSA_SUCCESS) {
    memcpy(operation->key, key, key_size);
    operation->key_len = (uint8_t)key_size;
    operation->opcode = opcode;
    operation->decrypt = meant;
  }
  return status;
}

psa_status_t outwork_transparent_cipher_encrypt_setup(operation_t *operation,
                                                      const psa_key_attributes_t *attributes,
                                                      const uint8_t *key, size_t key_size,
                                                      psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg, false);
}

psa_status_t outwork_transparent_cipher_decrypt_setup(operation_t *operation,
                                                      const psa_key_attributes_t *attributes,
                                                      const uint8_t *key, size_t key_size,
                                                      psa_algorithm_t alg) {
  return setup(operation, attributes, key, key_size, alg, true);
}

psa_status_t outwork_transparent_cipher_set_iv(operation_t *operation, const uint8_t *iv,
                                               size_t iv_len) {
  return mbedtls_psa_cipher_set_iv(&operation->software, iv, iv_len);
}

/* Processes whole blocks on the device. Returns how many bytes it has done. */
static size_t blocks(operation_t *operation, const uint8_t *input, uint8_t *output, size_t length) {
  mbedtls_cipher_context_t *cipher = &operation->software.ctx.cipher;
  bool chained = operation->opcode != OW_OP_AES_ECB;
  size_t done = 0;
  while (done < length) {
    size_t left = length - done;
    struct ow_request request = {.opcode = operation->opcode,
                                 .flags = operation->decrypt ? OW_JOB_DECRYPT : 0,
                                 .key = operation->key,
                                 .key_len = operation->key_len,
                                 .iv = chained ? cipher->iv : NULL,
                                 .iv_len = chained ? 16 : 0,
                                 .input = input + done,
                                 .output = output + done,
                                 .length =
                                     (uint32_t)(left < OW_REQUEST_BYTES ? left : OW_REQUEST_BYTES)};
    if (!ow_offload_run(ow_psa_offload(), &request)) {
      break;
    }
    if (chained) {
      memcpy(cipher->iv, request.tag, 16);
    }
    done += request.length;
  }
  return done;
}

psa_status_t outwork_transparent_cipher_update(operation_t *operation, const uint8_t *input,
                                               size_t input_len, uint8_t *output,
                                               size_t output_size, size_t *output_len) {
  /* CTR: used bytes of a key stream block */
  size_t begun = operation->software.ctx.cipher.unprocessed_len;
  size_t before = (16 - begun) % 16;
  size_t whole = input_len < before ? 0 : (input_len - before) / 16 * 16;
  if (whole == 0 || output_size < begun + input_len ||
      !ow_psa_wants(operation->opcode, operation->key_len, operation->decrypt, whole)) {
    return mbedtls_psa_cipher_update(&operation->software, input, input_len, output, output_size,
                                     output_len);
  }
  size_t made = 0, more = 0;
  psa_status_t status = PSA_SUCCESS;
  if (before != 0) {
    status =
        mbedtls_psa_cipher_update(&operation->software, input, before, output, output_size, &made);
  }
  if (status == PSA_SUCCESS) {
    size_t done = blocks(operation, input + before, output + made, whole);
    made += done;
    before += done;
    if (before != input_len) {
      status = mbedtls_psa_cipher_update(&operation->software, input + before, input_len - before,
                                         output + made, output_size - made, &more);
    }
  }
  *output_len = made + more;
  return status;
}

psa_status_t outwork_transparent_cipher_finish(operation_t *operation, uint8_t *output,
                                               size_t output_size, size_t *output_len) {
  return mbedtls_psa_cipher_finish(&operation->software, output, output_size, output_len);
}

psa_status_t outwork_transparent_cipher_abort(operation_t *operation) {
  mbedtls_platform_zeroize(operation->key, sizeof(operation->key));
  return mbedtls_psa_cipher_abort(&operation->software);
}

/* Processes a whole message. NOT_SUPPORTED: nothing was written. */
static psa_status_t whole_message(const psa_key_attributes_t *attributes, const uint8_t *key,
                                  size_t key_size, psa_algorithm_t alg, bool decrypt,
                                  const uint8_t *iv, size_t iv_len, const uint8_t *input,
                                  size_t input_len, uint8_t *output, size_t output_size,
                                  size_t *output_len) {
  operation_t operation;
  size_t made = 0, more = 0;
  if (input_len < 16) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  psa_status_t status = setup(&operation, attributes, key, key_size, alg, decrypt);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (iv_len != 0) {
    status = outwork_transparent_cipher_set_iv(&operation, iv, iv_len);
  }
  if (status == PSA_SUCCESS) {
    status =
        outwork_transparent_cipher_update(&operation, input, input_len, output, output_size, &made);
  }
  if (status == PSA_SUCCESS) {
    status =
        outwork_transparent_cipher_finish(&operation, output + made, output_size - made, &more);
  }
  (void)outwork_transparent_cipher_abort(&operation);
  *output_len = made + more;
  return status;
}

psa_status_t outwork_transparent_cipher_encrypt(const psa_key_attributes_t *attributes,
                                                const uint8_t *key, size_t key_size,
                                                psa_algorithm_t alg, const uint8_t *iv,
                                                size_t iv_len, const uint8_t *input,
                                                size_t input_len, uint8_t *output,
                                                size_t output_size, size_t *output_len) {
  return whole_message(attributes, key, key_size, alg, false, iv, iv_len, input, input_len, output,
                       output_size, output_len);
}

/* The input begins with the IV. */
psa_status_t outwork_transparent_cipher_decrypt(const psa_key_attributes_t *attributes,
                                                const uint8_t *key, size_t key_size,
                                                psa_algorithm_t alg, const uint8_t *input,
                                                size_t input_len, uint8_t *output,
                                                size_t output_size, size_t *output_len) {
  size_t iv_len = alg == PSA_ALG_ECB_NO_PADDING ? 0 : 16;
  if (input_len < iv_len) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  return whole_message(attributes, key, key_size, alg, true, input, iv_len, input + iv_len,
                       input_len - iv_len, output, output_size, output_len);
}
