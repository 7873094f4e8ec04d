/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Jobs of the Ascon engine: an AEAD, and functions whose output is a digest.
 */
#include "codec.h"

#include "outwork/ascon.h"

static bool ow_ascon_is_aead(const struct ow_job *job) {
  return job->opcode == OW_OP_ASCON_AEAD128;
}

static bool ow_ascon_is_digest(const struct ow_job *job) {
  return !ow_ascon_is_aead(job);
}

static bool ow_ascon_has_direction(const struct ow_capabilities *capabilities, uint8_t opcode,
                                   bool decrypt) {
  (void)capabilities;
  return !decrypt || opcode == OW_OP_ASCON_AEAD128;
}

static uint32_t ow_ascon_output_len(const struct ow_job *job) {
  if (ow_ascon_is_aead(job)) {
    return job->length;
  }
  if ((job->flags & OW_JOB_SAVE_STATE) != 0) {
    return 0;
  }
  if (job->opcode == OW_OP_ASCON_HASH256) {
    return OW_ASCON_HASH256_BYTES;
  }
  bool elsewhere = job->destination != NULL || job->destination_pieces_len != 0;
  return elsewhere ? job->destination_len : job->tag_len;
}

static uint32_t ow_ascon_iv_offset(const struct ow_job *job) {
  return ow_ascon_is_aead(job) ? 0 : OW_IV_ELSEWHERE;
}

static ow_status ow_ascon_encode_key(const struct ow_encoding *encoding) {
  const struct ow_key *key = &encoding->job->key;
  if (!ow_ascon_is_aead(encoding->job) || key->key_len != OW_ASCON_KEY_BYTES) {
    return OW_BAD_ARGUMENT;
  }
  if (key->bytes != NULL) {
    ow_copy(ow_key_place(encoding), key->bytes, key->key_len);
  }
  return OW_OK;
}

static ow_status ow_ascon_encode_nonce(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  uint32_t wanted = (job->flags & OW_JOB_LOAD_STATE) != 0 ? 0 : OW_ASCON_NONCE_BYTES;
  if (job->tag_len > OW_ASCON_TAG_MAX || job->iv_len != wanted ||
      (wanted != 0 && job->iv == NULL)) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(encoding->descriptor->iv, job->iv, wanted);
  return OW_OK;
}

/* `aad_length` is the number of bytes of extendable output; the IV is a customization string. */
static ow_status ow_ascon_encode_digest(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  bool customized = job->opcode == OW_OP_ASCON_CXOF128 && (job->flags & OW_JOB_LOAD_STATE) == 0;
  if (job->aad_len != 0 || job->iv_len > (customized ? OW_ASCON_CUSTOMIZATION_MAX : 0u) ||
      (job->iv_len != 0 && job->iv == NULL) ||
      (encoding->output_to_tag && encoding->output_len > sizeof(job->tag))) {
    return OW_BAD_ARGUMENT;
  }
  encoding->descriptor->aad_length = job->opcode == OW_OP_ASCON_HASH256 ? 0 : encoding->output_len;
  return job->iv_len == 0 ? OW_OK : ow_encode_long_iv(encoding, job->iv_len);
}

static ow_status ow_ascon_encode_parameters(const struct ow_encoding *encoding) {
  return ow_ascon_is_aead(encoding->job) ? ow_ascon_encode_nonce(encoding)
                                         : ow_ascon_encode_digest(encoding);
}

const struct ow_codec ow_codec_ascon = {
    .context_size = OW_CONTEXT_SIZE,
    .has_direction = ow_ascon_has_direction,
    .has_tag = ow_ascon_is_aead,
    .output_len = ow_ascon_output_len,
    .output_is_tag = ow_ascon_is_digest,
    .iv_offset = ow_ascon_iv_offset,
    .encode_key = ow_ascon_encode_key,
    .encode_parameters = ow_ascon_encode_parameters,
};
