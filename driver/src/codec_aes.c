/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES jobs: keys, IVs, nonces, and which modes have a tag.
 */
#include "codec.h"

/* The tag length has five bits in a descriptor. A longer one is refused here, because the device
 * would see only its low bits. */
#define OW_AES_TAG_MAX 31u

static bool ow_aes_has_direction(const struct ow_capabilities *capabilities, uint8_t opcode,
                                 bool decrypt) {
  bool inverse = opcode == OW_OP_AES_ECB || opcode == OW_OP_AES_CBC || opcode == OW_OP_AES_XTS;
  return !decrypt || !inverse || OW_FIELD(capabilities->engine.aes, OW_GLOBAL_AES_DECRYPT) != 0;
}

static bool ow_aes_has_tag(const struct ow_job *job) {
  return job->opcode == OW_OP_AES_GCM || job->opcode == OW_OP_AES_GMAC ||
         job->opcode == OW_OP_AES_CCM || job->opcode == OW_OP_AES_CMAC || job->opcode == OW_OP_EIA2;
}

static uint32_t ow_aes_output_len(const struct ow_job *job) {
  bool mac =
      job->opcode == OW_OP_AES_GMAC || job->opcode == OW_OP_AES_CMAC || job->opcode == OW_OP_EIA2;
  return mac ? 0u : job->length;
}

static uint32_t ow_aes_iv_offset(const struct ow_job *job) {
  return job->opcode == OW_OP_AES_CCM ? 1 : 0;
}

static ow_status ow_aes_encode_key(const struct ow_encoding *encoding) {
  const struct ow_key *key = &encoding->job->key;
  uint32_t code = 0;
  if (!ow_key_length_code(&code, key->key_len)) {
    return OW_BAD_ARGUMENT;
  }
  encoding->descriptor->control |= OW_PLACE(code, OW_DESCRIPTOR_CONTROL_KEY);
  if (key->bytes == NULL) {
    return OW_OK;
  }
  bool xts = encoding->job->opcode == OW_OP_AES_XTS;
  if (xts && (key->tweak_bytes == NULL || ow_equal(key->bytes, key->tweak_bytes, key->key_len))) {
    return OW_BAD_ARGUMENT;
  }
  uint8_t *place = ow_key_place(encoding);
  ow_copy(place, key->bytes, key->key_len);
  if (xts) {
    ow_copy(place + offsetof(struct ow_context, tweak_key0), key->tweak_bytes, key->key_len);
  }
  return OW_OK;
}

static ow_status ow_aes_encode_parameters(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  uint8_t *iv = encoding->descriptor->iv;
  uint32_t length = job->iv_len;
  bool loaded = (job->flags & OW_JOB_LOAD_STATE) != 0;
  if (job->tag_len > OW_AES_TAG_MAX) {
    return OW_BAD_ARGUMENT;
  }
  if (loaded || job->opcode == OW_OP_AES_ECB || job->opcode == OW_OP_AES_CMAC) {
    return length == 0 ? OW_OK : OW_BAD_ARGUMENT;
  }
  if (job->iv == NULL || length == 0) {
    return OW_BAD_ARGUMENT;
  }
  if (job->opcode == OW_OP_AES_CCM) { /* SP 800-38C A.3: Ctr_0 is q-1, the nonce, zeros */
    if (length < 7 || length > 13) {
      return OW_BAD_ARGUMENT;
    }
    iv[0] = (uint8_t)(14u - length);
    ow_copy(&iv[1], job->iv, length);
    return OW_OK;
  }
  if (job->opcode == OW_OP_AES_GCM || job->opcode == OW_OP_AES_GMAC) {
    if (length != 12) {
      return ow_encode_long_iv(encoding, length);
    }
  } else if (length != 16) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(iv, job->iv, length);
  return OW_OK;
}

const struct ow_codec ow_codec_aes = {
    .context_size = OW_CONTEXT_SIZE,
    .has_direction = ow_aes_has_direction,
    .has_tag = ow_aes_has_tag,
    .output_len = ow_aes_output_len,
    .iv_offset = ow_aes_iv_offset,
    .encode_key = ow_aes_encode_key,
    .encode_parameters = ow_aes_encode_parameters,
};
