/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the driver knows of an engine's opcodes, one codec an engine: everything else about a job is
 * the same for all of them.
 */
#ifndef OUTWORK_CODEC_H
#define OUTWORK_CODEC_H

#include "internal.h"

struct ow_codec;

/* A job that becomes a descriptor, and what its opcode and flags mean. */
struct ow_encoding {
  struct ow_queue *queue;
  struct ow_queue_slot *slot;
  struct ow_scratch *scratch;
  struct ow_descriptor *descriptor;
  const struct ow_job *job;
  const struct ow_codec *codec;
  bool has_tag;        /* a tag stands beside the payload */
  bool verifies;       /* the device compares it */
  bool output_to_tag;  /* the output goes to job.tag */
  uint32_t output_len; /* bytes that the job writes, without an appended tag */
};

struct ow_codec {
  uint32_t context_size;
  bool (*supports)(const struct ow_capabilities *capabilities, uint8_t opcode, bool decrypt);
  /* Whether a tag stands beside the payload, to be appended or compared. */
  bool (*has_tag)(const struct ow_job *job);
  /* Bytes that the job writes, without an appended tag. */
  uint32_t (*output_len)(const struct ow_job *job);
  /* The output is a tag: without a destination it goes to job.tag. */
  bool output_is_tag;
  /* A key that is not in a slot. */
  ow_status (*encode_key)(const struct ow_encoding *encoding);
  /* The IV and what else is the engine's own; the AAD stands in the descriptor already. */
  ow_status (*encode_parameters)(const struct ow_encoding *encoding);
};

/* payload.c: source and destination. A failure leaves to ow_payload_release what `mapped` says. */
ow_status ow_payload_encode(const struct ow_encoding *encoding);
void ow_payload_release(struct ow_queue *queue, uint32_t slot, const struct ow_job *job);

/* NULL if no engine has such opcodes. */
const struct ow_codec *ow_codec_of(uint8_t opcode);

extern const struct ow_codec ow_codec_aes;
extern const struct ow_codec ow_codec_des;
extern const struct ow_codec ow_codec_hash;
extern const struct ow_codec ow_codec_combined;
extern const struct ow_codec ow_codec_radio;
extern const struct ow_codec ow_codec_pk;

/* Where an inline key goes: the key part of the caller's context, or the scratch. */
uint8_t *ow_key_place(const struct ow_encoding *encoding);
/* The first `length` bytes of the job's IV stand in memory: where they are, or in the scratch. */
ow_status ow_encode_long_iv(const struct ow_encoding *encoding, uint32_t length);

#endif
