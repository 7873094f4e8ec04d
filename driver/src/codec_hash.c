/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Jobs of the hash functions: a digest is a MAC without a key.
 */
#include "codec.h"

#include "outwork/hash.h"

enum { OW_KEYED_DIGIT = OW_OP_HMAC_SHA1 >> 4, OW_HASH_KEY_PREPARED = 128 };

static bool ow_is_keyed(uint8_t opcode) {
  return opcode >> 4 == OW_KEYED_DIGIT;
}

static bool ow_hash_has_direction(const struct ow_capabilities *capabilities, uint8_t opcode,
                                  bool decrypt) {
  (void)capabilities;
  return !decrypt || ow_is_keyed(opcode);
}

static bool ow_hash_has_tag(const struct ow_job *job) {
  return (job->flags & OW_JOB_DECRYPT) != 0; /* one to compare; what is computed is the output */
}

static bool ow_hash_output_is_tag(const struct ow_job *job) {
  (void)job;
  return true;
}

static uint32_t ow_hash_output_len(const struct ow_job *job) {
  if ((job->flags & (OW_JOB_DECRYPT | OW_JOB_SAVE_STATE)) != 0) {
    return 0;
  }
  bool elsewhere = job->destination != NULL || job->destination_pieces_len != 0;
  uint32_t fixed = ow_is_keyed(job->opcode) ? 0 : ow_hash_digest_len(job->opcode);
  return fixed != 0 ? fixed : elsewhere ? job->destination_len : job->tag_len;
}

static uint32_t ow_hash_iv_offset(const struct ow_job *job) {
  return job->destination == NULL ? 0 : OW_IV_ELSEWHERE;
}

static ow_status ow_hash_encode_key(const struct ow_encoding *encoding) {
  const struct ow_key *key = &encoding->job->key;
  bool prepared = key->bytes == NULL && key->key_len == OW_HASH_KEY_PREPARED;
  if (!ow_is_keyed(encoding->job->opcode) || (key->key_len > OW_MAC_KEY_MAX && !prepared)) {
    return OW_BAD_ARGUMENT;
  }
  encoding->descriptor->control |= OW_PLACE(key->key_len, OW_DESCRIPTOR_CONTROL_KEY);
  if (key->bytes != NULL) {
    uint8_t *place = ow_key_place(encoding);
    ow_copy(place, key->bytes, key->key_len);
    for (size_t i = key->key_len; i % 16 != 0; i++) {
      place[i] = 0;
    }
  }
  return OW_OK;
}

/* `aad_length` is the number of bytes of MAC or extendable output. */
static ow_status ow_hash_encode_parameters(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  uint32_t wanted = ow_hash_output_len(job);
  uint32_t fixed = ow_is_keyed(job->opcode) ? 0 : ow_hash_digest_len(job->opcode);
  bool verify = (job->flags & OW_JOB_DECRYPT) != 0;
  bool to_tag = job->destination == NULL && job->destination_pieces_len == 0;
  if (job->iv_len != 0 || job->aad_len != 0 || (to_tag && wanted > sizeof(job->tag))) {
    return OW_BAD_ARGUMENT;
  }
  encoding->descriptor->aad_length = verify ? job->tag_len : fixed != 0 ? 0 : wanted;
  return OW_OK;
}

const struct ow_codec ow_codec_hash = {
    .context_size = OW_HASH_CONTEXT_SIZE,
    .has_direction = ow_hash_has_direction,
    .has_tag = ow_hash_has_tag,
    .output_len = ow_hash_output_len,
    .output_is_tag = ow_hash_output_is_tag,
    .iv_offset = ow_hash_iv_offset,
    .encode_key = ow_hash_encode_key,
    .encode_parameters = ow_hash_encode_parameters,
};
