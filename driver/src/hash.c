/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes and MACs with one call a message: each function fills in a job and runs it.
 */
#include "outwork/hash.h"
#include "internal.h"

/* Bytes of digest and block, by the low digit of the opcode. */
static const struct {
  uint8_t digest;
  uint8_t block;
} ow_hash_sizes[16] = {
    [OW_OP_SHA1 & 15] = {20, 64},        [OW_OP_SHA224 & 15] = {28, 64},
    [OW_OP_SHA256 & 15] = {32, 64},      [OW_OP_SHA384 & 15] = {48, 128},
    [OW_OP_SHA512 & 15] = {64, 128},     [OW_OP_SHA512_224 & 15] = {28, 128},
    [OW_OP_SHA512_256 & 15] = {32, 128}, [OW_OP_SHA3_224 & 15] = {28, 144},
    [OW_OP_SHA3_256 & 15] = {32, 136},   [OW_OP_SHA3_384 & 15] = {48, 104},
    [OW_OP_SHA3_512 & 15] = {64, 72},    [OW_OP_SHAKE128 & 15] = {0, 168},
    [OW_OP_SHAKE256 & 15] = {0, 136},
};

static bool ow_is_hash(uint8_t opcode) {
  return opcode >> 4 == OW_OP_SHA1 >> 4;
}

static bool ow_is_mac(uint8_t opcode) {
  return opcode >> 4 == OW_OP_HMAC_SHA1 >> 4;
}

uint32_t ow_hash_digest_len(uint8_t opcode) {
  return ow_is_hash(opcode) || ow_is_mac(opcode) ? ow_hash_sizes[opcode & 15].digest : 0;
}

uint32_t ow_hash_block_len(uint8_t opcode) {
  return ow_is_hash(opcode) || ow_is_mac(opcode) ? ow_hash_sizes[opcode & 15].block : 0;
}

ow_status ow_hash_run(struct ow_queue *queue, struct ow_job *job, uint8_t *output,
                      size_t output_len) {
  uint32_t fixed = ow_is_hash(job->opcode) ? ow_hash_digest_len(job->opcode) : 0;
  if (output == NULL || output_len == 0 || (fixed != 0 && output_len != fixed)) {
    return OW_BAD_ARGUMENT;
  }
  if (output_len > OW_JOB_LENGTH_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  bool to_tag = output_len <= sizeof(job->tag);
  if (to_tag) {
    job->tag_len = (uint8_t)output_len;
  } else {
    job->destination = output;
    job->destination_len = (uint32_t)output_len;
  }
  ow_status status = ow_queue_run(queue, job);
  if (status == OW_OK && to_tag) {
    ow_copy(output, job->tag, output_len);
  }
  ow_wipe(job->tag, sizeof(job->tag));
  return status;
}

ow_status ow_mac_compare(struct ow_queue *queue, struct ow_job *job, const uint8_t *mac,
                         size_t mac_len) {
  if (mac == NULL || mac_len > sizeof(job->tag)) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(job->tag, mac, mac_len);
  job->tag_len = (uint8_t)mac_len;
  job->flags |= OW_JOB_DECRYPT;
  return ow_queue_run(queue, job);
}

ow_status ow_hash(struct ow_queue *queue, uint8_t *digest, size_t digest_len, uint8_t opcode,
                  const void *input, size_t length) {
  struct ow_job job;
  ow_status status = ow_is_hash(opcode) ? ow_job_begin(queue, &job, opcode, input, length)
                                        : ow_refuse(queue, OW_FALLBACK_OPCODE);
  return status == OW_OK ? ow_hash_run(queue, &job, digest, digest_len) : status;
}

static ow_status ow_mac_job(struct ow_queue *queue, struct ow_job *job, uint8_t opcode,
                            const struct ow_key *key, const void *input, size_t length) {
  if (!ow_is_mac(opcode)) {
    return ow_refuse(queue, OW_FALLBACK_OPCODE);
  }
  if (key == NULL) {
    return OW_BAD_ARGUMENT;
  }
  if (key->key_len > OW_MAC_KEY_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  ow_status status = ow_job_begin(queue, job, opcode, input, length);
  job->key = *key;
  return status;
}

ow_status ow_mac(struct ow_queue *queue, uint8_t *mac, size_t mac_len, uint8_t opcode,
                 const struct ow_key *key, const void *input, size_t length) {
  struct ow_job job;
  ow_status status = ow_mac_job(queue, &job, opcode, key, input, length);
  return status == OW_OK ? ow_hash_run(queue, &job, mac, mac_len) : status;
}

ow_status ow_mac_verify(struct ow_queue *queue, uint8_t opcode, const struct ow_key *key,
                        const void *input, size_t length, const uint8_t *mac, size_t mac_len) {
  struct ow_job job;
  ow_status status = ow_mac_job(queue, &job, opcode, key, input, length);
  return status == OW_OK ? ow_mac_compare(queue, &job, mac, mac_len) : status;
}
