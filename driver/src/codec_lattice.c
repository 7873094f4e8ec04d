/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Jobs of the lattice engine: keys are the AAD, and what takes the place of the IV is k, or the
 * first word of OW_LATTICE_PARAMETERS.
 */
#include "codec.h"
#include "lattice.h"

static bool ow_lattice_has_direction(const struct ow_capabilities *capabilities, uint8_t opcode,
                                     bool decrypt) {
  (void)capabilities;
  (void)opcode;
  return !decrypt;
}

static bool ow_lattice_has_tag(const struct ow_job *job) {
  (void)job;
  return false;
}

static uint32_t ow_lattice_output_len(const struct ow_job *job) {
  return job->destination_len;
}

/* job.c has encoded the AAD; a copy in the scratch memory has to be wiped. */
static ow_status ow_lattice_encode_key(const struct ow_encoding *encoding) {
  encoding->slot->mapped |= OW_USED_SECRET;
  return encoding->job->key.bytes == encoding->job->aad ? OW_OK : OW_BAD_ARGUMENT;
}

static ow_status ow_lattice_encode_parameters(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  if ((job->iv_len != 1 && job->iv_len != OW_LATTICE_WORD_BYTES) || job->iv == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(encoding->descriptor->iv, job->iv, job->iv_len);
  return OW_OK;
}

const struct ow_codec ow_codec_lattice = {
    .context_size = OW_CONTEXT_SIZE,
    .has_direction = ow_lattice_has_direction,
    .has_tag = ow_lattice_has_tag,
    .output_len = ow_lattice_output_len,
    .encode_key = ow_lattice_encode_key,
    .encode_parameters = ow_lattice_encode_parameters,
};
