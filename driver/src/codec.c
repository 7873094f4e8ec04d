/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The codec of each engine, found by the high digit of the opcode.
 */
#include "codec.h"

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
    .has_tag = ow_nop_has_tag,
    .output_len = ow_nop_output_len,
    .encode_key = ow_nop_encode_key,
    .encode_parameters = ow_nop_encode_parameters,
};

#define OW_CODEC_OF_DIGIT(engine, digit) [digit] = &ow_codec_##engine,
static const struct ow_codec *const ow_codecs[16] = {[OW_OP_NOP >> 4] = &ow_codec_nop,
                                                     OW_ENGINE_DIGITS(OW_CODEC_OF_DIGIT)};
#undef OW_CODEC_OF_DIGIT

const struct ow_codec *ow_codec_of(uint8_t opcode) {
  return ow_codecs[opcode >> 4];
}

/* Returns the opcodes with this high digit that the build has: bit n is low digit n. */
static uint32_t ow_opcodes(const struct ow_capabilities *capabilities, unsigned high_digit) {
#define OW_OPCODES_OF_DIGIT(engine_name, digit)                                                    \
  case digit:                                                                                      \
    return capabilities->engine.engine_name & 0xffffu;
  switch (high_digit) {
    OW_ENGINE_DIGITS(OW_OPCODES_OF_DIGIT)
  default:
    return high_digit == OW_OP_NOP >> 4;
  }
#undef OW_OPCODES_OF_DIGIT
}

bool ow_codec_supports(const struct ow_capabilities *capabilities, uint8_t opcode, bool decrypt) {
  const struct ow_codec *codec = ow_codec_of(opcode);
  return (ow_opcodes(capabilities, opcode >> 4) >> (opcode & 15u) & 1u) != 0 &&
         (codec->has_direction == NULL || codec->has_direction(capabilities, opcode, decrypt));
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
