/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES with one call a message: each function fills in a job and runs it.
 */
#include "internal.h"

/* Fills in a job. OW_UNSUPPORTED: a length does not fit its field. */
static ow_status ow_aes_job(struct ow_queue *queue, struct ow_job *job, uint8_t opcode,
                            const struct ow_key *key, const void *input, size_t length) {
  if (key == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_job_begin(queue, job, opcode, input, length);
  job->key = *key;
  return status;
}

/* Adds the fields of a mode with a tag. */
struct ow_aead {
  const uint8_t *iv;
  size_t iv_len;
  const void *aad;
  size_t aad_len;
  size_t tag_len;
};

static ow_status ow_aead_add(struct ow_queue *queue, struct ow_job *job,
                             const struct ow_aead *aead) {
  if (aead->iv_len > OW_JOB_LENGTH_MAX || aead->aad_len > OW_JOB_LENGTH_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  if (aead->tag_len == 0 || aead->tag_len > 16) {
    return OW_BAD_ARGUMENT;
  }
  job->iv = aead->iv;
  job->iv_len = (uint32_t)aead->iv_len;
  job->aad = aead->aad;
  job->aad_len = (uint32_t)aead->aad_len;
  job->tag_len = (uint8_t)aead->tag_len;
  return OW_OK;
}

static ow_status ow_aead_seal(struct ow_queue *queue, struct ow_job *job,
                              const struct ow_aead *aead, uint8_t *tag) {
  ow_status status = tag != NULL ? ow_aead_add(queue, job, aead) : OW_BAD_ARGUMENT;
  if (status == OW_OK) {
    status = ow_queue_run(queue, job);
  }
  if (status == OW_OK) {
    ow_copy(tag, job->tag, aead->tag_len);
  }
  return status;
}

static ow_status ow_aead_open(struct ow_queue *queue, struct ow_job *job,
                              const struct ow_aead *aead, const uint8_t *tag) {
  ow_status status = tag != NULL ? ow_aead_add(queue, job, aead) : OW_BAD_ARGUMENT;
  if (status == OW_OK) {
    ow_copy(job->tag, tag, aead->tag_len);
    job->flags = OW_JOB_DECRYPT;
    status = ow_queue_run(queue, job);
  }
  return status;
}

ow_status ow_aes_ecb_crypt(struct ow_queue *queue, void *output, const struct ow_key *key,
                           ow_operation operation, const void *input, size_t length) {
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_ECB, key, input, length);
  if (status == OW_OK) {
    job.destination = output;
    job.flags = operation == OW_DECRYPT ? OW_JOB_DECRYPT : 0;
    status = ow_queue_run(queue, &job);
  }
  return status;
}

/* CBC and CTR: the device returns the IV that continues the message. */
static ow_status ow_aes_chain(struct ow_queue *queue, struct ow_job *job, void *output,
                              uint8_t chain[16]) {
  job->destination = output;
  job->iv = chain;
  job->iv_len = 16;
  ow_status status = ow_queue_run(queue, job);
  if (status == OW_OK) {
    ow_copy(chain, job->tag, 16);
  }
  return status;
}

ow_status ow_aes_cbc_crypt(struct ow_queue *queue, void *output, uint8_t iv[16],
                           const struct ow_key *key, ow_operation operation, const void *input,
                           size_t length) {
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_CBC, key, input, length);
  if (status == OW_OK) {
    job.flags = operation == OW_DECRYPT ? OW_JOB_DECRYPT : 0;
    status = ow_aes_chain(queue, &job, output, iv);
  }
  return status;
}

ow_status ow_aes_ctr_crypt(struct ow_queue *queue, void *output, uint8_t counter[16],
                           const struct ow_key *key, const void *input, size_t length) {
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_CTR, key, input, length);
  return status == OW_OK ? ow_aes_chain(queue, &job, output, counter) : status;
}

ow_status ow_aes_xts_crypt(struct ow_queue *queue, void *output, const struct ow_key *key,
                           ow_operation operation, const uint8_t unit[16], const void *input,
                           size_t length) {
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_XTS, key, input, length);
  if (status == OW_OK) {
    job.destination = output;
    job.flags = operation == OW_DECRYPT ? OW_JOB_DECRYPT : 0;
    job.iv = unit;
    job.iv_len = 16;
    status = ow_queue_run(queue, &job);
  }
  return status;
}

ow_status ow_aes_gcm_seal(struct ow_queue *queue, void *output, uint8_t *tag, size_t tag_len,
                          const struct ow_key *key, const uint8_t *iv, size_t iv_len,
                          const void *aad, size_t aad_len, const void *input, size_t length) {
  const struct ow_aead aead = {iv, iv_len, aad, aad_len, tag_len};
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_GCM, key, input, length);
  job.destination = output;
  return status == OW_OK ? ow_aead_seal(queue, &job, &aead, tag) : status;
}

ow_status ow_aes_gcm_open(struct ow_queue *queue, void *output, const struct ow_key *key,
                          const uint8_t *iv, size_t iv_len, const void *aad, size_t aad_len,
                          const void *input, size_t length, const uint8_t *tag, size_t tag_len) {
  const struct ow_aead aead = {iv, iv_len, aad, aad_len, tag_len};
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_GCM, key, input, length);
  job.destination = output;
  return status == OW_OK ? ow_aead_open(queue, &job, &aead, tag) : status;
}

ow_status ow_aes_ccm_seal(struct ow_queue *queue, void *output, uint8_t *tag, size_t tag_len,
                          const struct ow_key *key, const uint8_t *nonce, size_t nonce_len,
                          const void *aad, size_t aad_len, const void *input, size_t length) {
  const struct ow_aead aead = {nonce, nonce_len, aad, aad_len, tag_len};
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_CCM, key, input, length);
  job.destination = output;
  return status == OW_OK ? ow_aead_seal(queue, &job, &aead, tag) : status;
}

ow_status ow_aes_ccm_open(struct ow_queue *queue, void *output, const struct ow_key *key,
                          const uint8_t *nonce, size_t nonce_len, const void *aad, size_t aad_len,
                          const void *input, size_t length, const uint8_t *tag, size_t tag_len) {
  const struct ow_aead aead = {nonce, nonce_len, aad, aad_len, tag_len};
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_CCM, key, input, length);
  job.destination = output;
  return status == OW_OK ? ow_aead_open(queue, &job, &aead, tag) : status;
}

ow_status ow_aes_cmac(struct ow_queue *queue, uint8_t *mac, size_t mac_len,
                      const struct ow_key *key, const void *input, size_t length) {
  const struct ow_aead aead = {.tag_len = mac_len};
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_CMAC, key, input, length);
  return status == OW_OK ? ow_aead_seal(queue, &job, &aead, mac) : status;
}

ow_status ow_aes_cmac_verify(struct ow_queue *queue, const struct ow_key *key, const void *input,
                             size_t length, const uint8_t *mac, size_t mac_len) {
  const struct ow_aead aead = {.tag_len = mac_len};
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_CMAC, key, input, length);
  return status == OW_OK ? ow_aead_open(queue, &job, &aead, mac) : status;
}

ow_status ow_aes_gmac(struct ow_queue *queue, uint8_t *tag, size_t tag_len,
                      const struct ow_key *key, const uint8_t *iv, size_t iv_len, const void *input,
                      size_t length) {
  const struct ow_aead aead = {.iv = iv, .iv_len = iv_len, .tag_len = tag_len};
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_GMAC, key, input, length);
  return status == OW_OK ? ow_aead_seal(queue, &job, &aead, tag) : status;
}

ow_status ow_aes_gmac_verify(struct ow_queue *queue, const struct ow_key *key, const uint8_t *iv,
                             size_t iv_len, const void *input, size_t length, const uint8_t *tag,
                             size_t tag_len) {
  const struct ow_aead aead = {.iv = iv, .iv_len = iv_len, .tag_len = tag_len};
  struct ow_job job;
  ow_status status = ow_aes_job(queue, &job, OW_OP_AES_GMAC, key, input, length);
  return status == OW_OK ? ow_aead_open(queue, &job, &aead, tag) : status;
}
