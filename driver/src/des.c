/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * DES and TDES with one call a message: each function fills in a job and runs it. Legacy.
 */
#include "outwork/des.h"

#include "internal.h"

static ow_status ow_des_crypt(struct ow_queue *queue, void *output, uint8_t *iv, uint8_t opcode,
                              const struct ow_key *key, ow_operation operation, const void *input,
                              size_t length) {
  if (key == NULL || (length != 0 && (input == NULL || output == NULL))) {
    return OW_BAD_ARGUMENT;
  }
  if (length > OW_JOB_LENGTH_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  struct ow_job job = {.opcode = opcode,
                       .flags = operation == OW_DECRYPT ? OW_JOB_DECRYPT : 0,
                       .key = *key,
                       .length = (uint32_t)length,
                       .source = input,
                       .destination = output,
                       .iv = iv,
                       .iv_len = iv != NULL ? OW_DES_BLOCK_BYTES : 0};
  ow_status status = ow_queue_run(queue, &job);
  if (status == OW_OK && iv != NULL) {
    ow_copy(iv, job.tag, OW_DES_BLOCK_BYTES);
  }
  return status;
}

ow_status ow_des_ecb_crypt(struct ow_queue *queue, void *output, const struct ow_key *key,
                           ow_operation operation, const void *input, size_t length) {
  return ow_des_crypt(queue, output, NULL, OW_OP_DES_ECB, key, operation, input, length);
}

ow_status ow_des_cbc_crypt(struct ow_queue *queue, void *output, uint8_t iv[OW_DES_BLOCK_BYTES],
                           const struct ow_key *key, ow_operation operation, const void *input,
                           size_t length) {
  return ow_des_crypt(queue, output, iv, OW_OP_DES_CBC, key, operation, input, length);
}

ow_status ow_tdes_ecb_crypt(struct ow_queue *queue, void *output, const struct ow_key *key,
                            ow_operation operation, const void *input, size_t length) {
  return ow_des_crypt(queue, output, NULL, OW_OP_TDES_ECB, key, operation, input, length);
}

ow_status ow_tdes_cbc_crypt(struct ow_queue *queue, void *output, uint8_t iv[OW_DES_BLOCK_BYTES],
                            const struct ow_key *key, ow_operation operation, const void *input,
                            size_t length) {
  return ow_des_crypt(queue, output, iv, OW_OP_TDES_CBC, key, operation, input, length);
}
