/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Jobs of the radio engine: ZUC, SNOW 3G and ZUC-256. An opcode has two bits for the MAC's
 * algorithm and two for the cipher's.
 */
#include "codec.h"

#include "outwork/radio.h"

/* The tag length has five bits in a descriptor. A longer one is refused here, because the device
 * would see only its low bits. */
#define OW_RADIO_TAG_MAX 31u

static bool ow_radio_has_mac(uint8_t opcode) {
  return (opcode & 0x0cu) != 0;
}

static bool ow_radio_has_cipher(uint8_t opcode) {
  return (opcode & 0x03u) != 0;
}

static bool ow_radio_is_zuc256(uint8_t opcode) {
  return opcode == OW_OP_ZUC256 || opcode == OW_OP_ZUC256_MAC || opcode == OW_OP_ZUC256_BOTH;
}

static bool ow_radio_has_tag(const struct ow_job *job) {
  return ow_radio_has_mac(job->opcode);
}

static uint32_t ow_radio_output_len(const struct ow_job *job) {
  return ow_radio_has_cipher(job->opcode) ? job->length : 0u;
}

static uint32_t ow_radio_iv_offset(const struct ow_job *job) {
  (void)job;
  return 0;
}

/* The opcode gives the key length. The keys follow each other in memory. */
static ow_status ow_radio_encode_key(const struct ow_encoding *encoding) {
  const struct ow_key *key = &encoding->job->key;
  uint8_t opcode = encoding->job->opcode;
  bool both = ow_radio_has_mac(opcode) && ow_radio_has_cipher(opcode);
  if (key->key_len != (ow_radio_is_zuc256(opcode) ? 32u : 16u)) {
    return OW_BAD_ARGUMENT;
  }
  if (key->bytes == NULL) {
    return OW_OK;
  }
  if (both != (key->tweak_bytes != NULL)) {
    return OW_BAD_ARGUMENT;
  }
  uint8_t *place = ow_key_place(encoding);
  ow_copy(place, key->bytes, key->key_len);
  if (both) {
    ow_copy(place + key->key_len, key->tweak_bytes, key->key_len);
  }
  return OW_OK;
}

/* A radio IV; or ZUC-256's, and the control word of a radio IV. */
static ow_status ow_radio_encode_parameters(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  bool zuc256 = ow_radio_is_zuc256(job->opcode);
  uint32_t length = zuc256 ? OW_ZUC256_IV_BYTES + 4u : OW_RADIO_IV_SIZE;
  if (job->tag_len > OW_RADIO_TAG_MAX || job->iv == NULL || job->iv_len != length) {
    return OW_BAD_ARGUMENT;
  }
  if (!zuc256) {
    ow_copy(encoding->descriptor->iv, job->iv, OW_RADIO_IV_SIZE);
    return OW_OK;
  }
  ow_copy(&encoding->descriptor->iv[12], job->iv + OW_ZUC256_IV_BYTES, 4);
  return ow_encode_long_iv(encoding, OW_ZUC256_IV_BYTES);
}

const struct ow_codec ow_codec_radio = {
    .context_size = OW_CONTEXT_SIZE,
    .has_tag = ow_radio_has_tag,
    .output_len = ow_radio_output_len,
    .iv_offset = ow_radio_iv_offset,
    .encode_key = ow_radio_encode_key,
    .encode_parameters = ow_radio_encode_parameters,
};
