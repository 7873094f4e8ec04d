/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Ascon with one call a message: each function fills in a job and runs it.
 */
#include "outwork/ascon.h"

#include "internal.h"

static ow_status ow_ascon_aead(struct ow_queue *queue, struct ow_job *job, void *output,
                               const struct ow_key *key, const uint8_t *nonce, const void *aad,
                               size_t aad_len, size_t tag_len) {
  if (key == NULL || nonce == NULL || tag_len == 0 || tag_len > OW_ASCON_TAG_MAX ||
      (aad == NULL && aad_len != 0) || (output == NULL && job->length != 0)) {
    return OW_BAD_ARGUMENT;
  }
  if (aad_len > OW_JOB_LENGTH_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  job->key = *key;
  job->destination = output;
  job->iv = nonce;
  job->iv_len = OW_ASCON_NONCE_BYTES;
  job->aad = aad;
  job->aad_len = (uint32_t)aad_len;
  job->tag_len = (uint8_t)tag_len;
  return ow_queue_run(queue, job);
}

ow_status ow_ascon_aead128_seal(struct ow_queue *queue, void *output, uint8_t *tag, size_t tag_len,
                                const struct ow_key *key, const uint8_t nonce[OW_ASCON_NONCE_BYTES],
                                const void *aad, size_t aad_len, const void *input, size_t length) {
  struct ow_job job;
  ow_status status =
      tag != NULL ? ow_job_begin(queue, &job, OW_OP_ASCON_AEAD128, input, length) : OW_BAD_ARGUMENT;
  if (status == OW_OK) {
    status = ow_ascon_aead(queue, &job, output, key, nonce, aad, aad_len, tag_len);
  }
  if (status == OW_OK) {
    ow_copy(tag, job.tag, tag_len);
  }
  return status;
}

ow_status ow_ascon_aead128_open(struct ow_queue *queue, void *output, const struct ow_key *key,
                                const uint8_t nonce[OW_ASCON_NONCE_BYTES], const void *aad,
                                size_t aad_len, const void *input, size_t length,
                                const uint8_t *tag, size_t tag_len) {
  struct ow_job job;
  ow_status status = tag != NULL && tag_len <= OW_ASCON_TAG_MAX
                         ? ow_job_begin(queue, &job, OW_OP_ASCON_AEAD128, input, length)
                         : OW_BAD_ARGUMENT;
  if (status == OW_OK) {
    job.flags = OW_JOB_DECRYPT;
    ow_copy(job.tag, tag, tag_len);
    status = ow_ascon_aead(queue, &job, output, key, nonce, aad, aad_len, tag_len);
  }
  return status;
}

ow_status ow_ascon_hash256(struct ow_queue *queue, uint8_t digest[OW_ASCON_HASH256_BYTES],
                           const void *input, size_t length) {
  struct ow_job job;
  ow_status status = ow_job_begin(queue, &job, OW_OP_ASCON_HASH256, input, length);
  return status == OW_OK ? ow_hash_run(queue, &job, digest, OW_ASCON_HASH256_BYTES) : status;
}

ow_status ow_ascon_xof128(struct ow_queue *queue, uint8_t *output, size_t output_len,
                          const void *input, size_t length) {
  struct ow_job job;
  ow_status status = ow_job_begin(queue, &job, OW_OP_ASCON_XOF128, input, length);
  return status == OW_OK ? ow_hash_run(queue, &job, output, output_len) : status;
}

ow_status ow_ascon_cxof128(struct ow_queue *queue, uint8_t *output, size_t output_len,
                           const void *customization, size_t customization_len, const void *input,
                           size_t length) {
  struct ow_job job;
  bool fits = customization_len <= OW_ASCON_CUSTOMIZATION_MAX &&
              (customization != NULL || customization_len == 0);
  ow_status status =
      fits ? ow_job_begin(queue, &job, OW_OP_ASCON_CXOF128, input, length) : OW_BAD_ARGUMENT;
  if (status == OW_OK) {
    job.iv = customization;
    job.iv_len = (uint32_t)customization_len;
    status = ow_hash_run(queue, &job, output, output_len);
  }
  return status;
}
