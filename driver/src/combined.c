/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES with HMAC with one call a message: each function fills in a job and runs it.
 */
#include "outwork/combined.h"
#include "internal.h"

/* Longest tag that fits the completion record. */
#define OW_RECORD_TAG_MAX 16u

struct ow_aes_hmac {
  const uint8_t *iv;
  const void *aad;
  size_t aad_len;
  const void *input;
  size_t length;
  size_t tag_len;
};

/* Fills in a job. OW_UNSUPPORTED: a length does not fit its field. */
static ow_status ow_aes_hmac_job(struct ow_queue *queue, struct ow_job *job, uint8_t opcode,
                                 const struct ow_key *key, const struct ow_aes_hmac *message) {
  if (opcode >> 4 != OW_OP_AES_CBC_HMAC_SHA1 >> 4) {
    return ow_refuse(queue, OW_FALLBACK_OPCODE);
  }
  if (key == NULL || message->iv == NULL || (message->input == NULL && message->length != 0) ||
      message->tag_len > sizeof(job->tag)) {
    return OW_BAD_ARGUMENT;
  }
  if (message->length > OW_JOB_LENGTH_MAX || message->aad_len > OW_JOB_LENGTH_MAX ||
      message->length + (uint64_t)message->aad_len > UINT32_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  *job = (struct ow_job){.opcode = opcode,
                         .tag_len = (uint8_t)message->tag_len,
                         .key = *key,
                         .length = (uint32_t)message->length,
                         .aad_len = (uint32_t)message->aad_len,
                         .source = message->input,
                         .iv_len = 16,
                         .iv = message->iv,
                         .aad = message->aad};
  return OW_OK;
}

ow_status ow_aes_hmac_seal(struct ow_queue *queue, uint8_t opcode, void *output, uint8_t *tag,
                           size_t tag_len, const struct ow_key *key, const uint8_t iv[16],
                           const void *aad, size_t aad_len, const void *input, size_t length) {
  const struct ow_aes_hmac message = {iv, aad, aad_len, input, length, tag_len};
  struct ow_job job;
  ow_status status = ow_aes_hmac_job(queue, &job, opcode, key, &message);
  if (status != OW_OK || tag == NULL) {
    return status != OW_OK ? status : OW_BAD_ARGUMENT;
  }
  const struct ow_piece pieces[2] = {{.memory = output, .length = (uint32_t)length},
                                     {.memory = tag, .length = (uint32_t)tag_len}};
  if (tag_len <= OW_RECORD_TAG_MAX) {
    job.destination = output;
  } else {
    job.destination_pieces = pieces;
    job.destination_pieces_len = 2;
    job.flags = OW_JOB_APPEND_TAG;
  }
  status = ow_queue_run(queue, &job);
  if (status == OW_OK && tag_len <= OW_RECORD_TAG_MAX) {
    ow_copy(tag, job.tag, tag_len);
  }
  return status;
}

ow_status ow_aes_hmac_open(struct ow_queue *queue, uint8_t opcode, void *output,
                           const struct ow_key *key, const uint8_t iv[16], const void *aad,
                           size_t aad_len, const void *input, size_t length, const uint8_t *tag,
                           size_t tag_len) {
  const struct ow_aes_hmac message = {iv, aad, aad_len, input, length, tag_len};
  struct ow_job job;
  ow_status status = ow_aes_hmac_job(queue, &job, opcode, key, &message);
  if (status != OW_OK || tag == NULL) {
    return status != OW_OK ? status : OW_BAD_ARGUMENT;
  }
  job.destination = output;
  job.flags = OW_JOB_DECRYPT;
  ow_copy(job.tag, tag, tag_len);
  return ow_queue_run(queue, &job);
}
