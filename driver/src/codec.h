/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The codec of an engine: what is special about the jobs of its opcodes.
 */
#ifndef OUTWORK_CODEC_H
#define OUTWORK_CODEC_H

#include "internal.h"

struct ow_codec;

/* A job that is being encoded as a descriptor, with the meaning of its opcode and flags. */
struct ow_encoding {
  struct ow_queue *queue;
  struct ow_queue_slot *slot;
  struct ow_scratch *scratch;
  struct ow_descriptor *descriptor;
  const struct ow_job *job;
  const struct ow_codec *codec;
  bool has_tag;        /* a tag stands beside the payload */
  bool verifies;       /* the device compares it */
  bool output_is_tag;  /* the output is one, not a payload */
  bool output_to_tag;  /* the output goes to job.tag */
  uint32_t output_len; /* bytes that the job writes, without an appended tag */
};

#define OW_IV_ELSEWHERE 0xffu

struct ow_codec {
  uint32_t context_size;
  /* Returns whether the build has this direction of an opcode that it has; NULL: it has both. */
  bool (*has_direction)(const struct ow_capabilities *capabilities, uint8_t opcode, bool decrypt);
  /* Returns whether the job has a tag besides its output, to be appended or compared. */
  bool (*has_tag)(const struct ow_job *job);
  /* Returns the bytes that the job writes, without an appended tag. */
  uint32_t (*output_len)(const struct ow_job *job);
  /* Returns whether the output is a tag, which without a destination goes to job.tag; NULL: never.
   */
  bool (*output_is_tag)(const struct ow_job *job);
  /* Returns where in the descriptor's `iv` the IV of the job stands, if jobs like it may be
   * repeated (repeat.h); else OW_IV_ELSEWHERE. NULL: of no job. */
  uint32_t (*iv_offset)(const struct ow_job *job);
  /* A key that is not in a slot. */
  ow_status (*encode_key)(const struct ow_encoding *encoding);
  /* Encodes the IV and the other fields of this engine. The AAD has been encoded before. */
  ow_status (*encode_parameters)(const struct ow_encoding *encoding);
};

/* repeat.c: keeps what the next job may have in common with this one, which has been encoded. */
void ow_repeat_keep(const struct ow_encoding *encoding);
/* payload.c: encodes source and destination. After a failure, ow_payload_release() unmaps what
 * `mapped` names. */
ow_status ow_payload_encode(const struct ow_encoding *encoding);
void ow_payload_release(struct ow_queue *queue, uint32_t slot, const struct ow_job *job);

/* Returns the codec of an opcode; NULL: no engine has it. */
const struct ow_codec *ow_codec_of(uint8_t opcode);

/* Returns whether the build has an opcode, in that direction. */
bool ow_codec_supports(const struct ow_capabilities *capabilities, uint8_t opcode, bool decrypt);

#define OW_CODEC_OF_ENGINE(engine) extern const struct ow_codec ow_codec_##engine;
OW_ENGINES(OW_CODEC_OF_ENGINE)
#undef OW_CODEC_OF_ENGINE

/* Returns where an inline key is written: the key part of the caller's context, or the scratch
 * memory. */
uint8_t *ow_key_place(const struct ow_encoding *encoding);
/* Encodes an IV in memory, `length` bytes: uses the caller's memory, or copies a short one to the
 * scratch memory. */
ow_status ow_encode_long_iv(const struct ow_encoding *encoding, uint32_t length);

#endif
