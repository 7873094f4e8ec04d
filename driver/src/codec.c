/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The codec of each engine, found by the high digit of the opcode.
 */
#include "codec.h"

static bool ow_nop_supports(const struct ow_capabilities *capabilities, uint8_t opcode,
                            bool decrypt) {
  (void)capabilities;
  (void)decrypt;
  return opcode == OW_OP_NOP;
}

static bool ow_nop_has_tag(const struct ow_job *job) {
  (void)job;
  return false;
}

static uint32_t ow_nop_output_len(const struct ow_job *job) {
  (void)job;
  return 0;
}

static ow_status ow_nop_encode_key(const struct ow_encoding *encoding) {
  (void)encoding;
  return OW_BAD_ARGUMENT;
}

static ow_status ow_nop_encode_parameters(const struct ow_encoding *encoding) {
  return encoding->job->iv_len == 0 ? OW_OK : OW_BAD_ARGUMENT;
}

static const struct ow_codec ow_codec_nop = {
    .context_size = OW_CONTEXT_SIZE,
    .supports = ow_nop_supports,
    .has_tag = ow_nop_has_tag,
    .output_len = ow_nop_output_len,
    .encode_key = ow_nop_encode_key,
    .encode_parameters = ow_nop_encode_parameters,
};

static const struct ow_codec *const ow_codecs[16] = {
    [OW_OP_NOP >> 4] = &ow_codec_nop,    [OW_OP_AES_ECB >> 4] = &ow_codec_aes,
    [OW_OP_SHA1 >> 4] = &ow_codec_hash,  [OW_OP_HMAC_SHA1 >> 4] = &ow_codec_hash,
    [OW_OP_MODEXP >> 4] = &ow_codec_pk,  [OW_OP_AES_CBC_HMAC_SHA1 >> 4] = &ow_codec_combined,
    [OW_OP_EEA1 >> 4] = &ow_codec_radio, [OW_OP_DES_ECB >> 4] = &ow_codec_des,
};

const struct ow_codec *ow_codec_of(uint8_t opcode) {
  return ow_codecs[opcode >> 4];
}

uint8_t *ow_key_place(const struct ow_encoding *encoding) {
  if (encoding->job->context != NULL) {
    return encoding->job->context;
  }
  encoding->slot->mapped |= OW_USED_SCRATCH | OW_USED_SECRET;
  return encoding->scratch->key;
}

ow_status ow_encode_long_iv(const struct ow_encoding *encoding, uint32_t length) {
  const struct ow_job *job = encoding->job;
  struct ow_queue_slot *slot = encoding->slot;
  struct ow_descriptor *descriptor = encoding->descriptor;
  if (length <= OW_SCRATCH_IV) {
    ow_copy(encoding->scratch->iv, job->iv, length);
    slot->iv = ow_queue_address(encoding->queue, encoding->scratch->iv);
    slot->mapped |= OW_USED_SCRATCH;
  } else if (ow_map(encoding->queue, &slot->iv, job->iv, length, OW_TO_DEVICE)) {
    slot->mapped |= OW_MAPPED_IV;
  } else {
    return ow_refuse(encoding->queue, OW_FALLBACK_MEMORY);
  }
  descriptor->control |= OW_DESCRIPTOR_CONTROL_LONG_IV_MASK;
  ow_copy(&descriptor->iv[0], &slot->iv, 8);
  ow_copy(&descriptor->iv[8], &length, 4);
  return OW_OK;
}
