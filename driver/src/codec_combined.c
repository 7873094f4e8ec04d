/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Jobs of AES with HMAC: both keys are in one slot, and the tag length is in units of 4 bytes.
 */
#include "codec.h"

/* OW_COMBINED_COUNTER: the bit of an opcode that tells CTR from CBC. */
enum { OW_COMBINED_COUNTER = 4, OW_COMBINED_TAG_UNIT = 4 };

static bool ow_combined_has_direction(const struct ow_capabilities *capabilities, uint8_t opcode,
                                      bool decrypt) {
  return !decrypt || (opcode & OW_COMBINED_COUNTER) != 0 ||
         OW_FIELD(capabilities->engine.combined, OW_GLOBAL_COMBINED_CBC_DECRYPT) != 0;
}

static bool ow_combined_has_tag(const struct ow_job *job) {
  (void)job;
  return true;
}

static uint32_t ow_combined_output_len(const struct ow_job *job) {
  return job->length;
}

static uint32_t ow_combined_iv_offset(const struct ow_job *job) {
  (void)job;
  return 0;
}

static ow_status ow_combined_encode_key(const struct ow_encoding *encoding) {
  (void)encoding;
  return OW_BAD_ARGUMENT;
}

static ow_status ow_combined_encode_parameters(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  if (job->iv == NULL || job->iv_len != 16 || job->tag_len % OW_COMBINED_TAG_UNIT != 0) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(encoding->descriptor->iv, job->iv, 16);
  encoding->descriptor->control &= ~(uint32_t)OW_DESCRIPTOR_CONTROL_TAG_LENGTH_MASK;
  encoding->descriptor->control |=
      OW_PLACE(job->tag_len / OW_COMBINED_TAG_UNIT, OW_DESCRIPTOR_CONTROL_TAG_LENGTH);
  return OW_OK;
}

const struct ow_codec ow_codec_combined = {
    .context_size = OW_CONTEXT_SIZE,
    .has_direction = ow_combined_has_direction,
    .has_tag = ow_combined_has_tag,
    .output_len = ow_combined_output_len,
    .iv_offset = ow_combined_iv_offset,
    .encode_key = ow_combined_encode_key,
    .encode_parameters = ow_combined_encode_parameters,
};
