/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Jobs of the DES engine. Legacy.
 */
#include "codec.h"

#include "outwork/des.h"

static bool ow_is_tdes(uint8_t opcode) {
  return opcode == OW_OP_TDES_ECB || opcode == OW_OP_TDES_CBC;
}

static bool ow_des_has_tag(const struct ow_job *job) {
  (void)job;
  return false;
}

static uint32_t ow_des_output_len(const struct ow_job *job) {
  return job->length;
}

static uint32_t ow_des_iv_offset(const struct ow_job *job) {
  (void)job;
  return 0;
}

/* TDES with two keys repeats the first one. */
static ow_status ow_des_encode_key(const struct ow_encoding *encoding) {
  const struct ow_key *key = &encoding->job->key;
  bool tdes = ow_is_tdes(encoding->job->opcode);
  bool two_keys = tdes && key->key_len == 2u * OW_DES_KEY_BYTES;
  if (!two_keys && key->key_len != (tdes ? OW_TDES_KEY_BYTES : OW_DES_KEY_BYTES)) {
    return OW_BAD_ARGUMENT;
  }
  if (key->bytes == NULL) {
    return OW_OK;
  }
  uint8_t *place = ow_key_place(encoding);
  ow_copy(place, key->bytes, key->key_len);
  if (two_keys) {
    ow_copy(place + key->key_len, key->bytes, OW_DES_KEY_BYTES);
  }
  return OW_OK;
}

static ow_status ow_des_encode_parameters(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  bool ecb = job->opcode == OW_OP_DES_ECB || job->opcode == OW_OP_TDES_ECB;
  if (job->iv_len != (ecb ? 0u : OW_DES_BLOCK_BYTES) || (!ecb && job->iv == NULL)) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(encoding->descriptor->iv, job->iv, job->iv_len);
  return OW_OK;
}

const struct ow_codec ow_codec_des = {
    .context_size = OW_CONTEXT_SIZE,
    .has_tag = ow_des_has_tag,
    .output_len = ow_des_output_len,
    .iv_offset = ow_des_iv_offset,
    .encode_key = ow_des_encode_key,
    .encode_parameters = ow_des_encode_parameters,
};
