/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Public-key jobs: operands in the engine's order, in memory accessible to the device.
 */
#include "pk.h"

/* No padding between members, so that a reader of the header without OW_ALIGNED finds them. */
OW_STATIC_ASSERT(OW_PK_KEY_BYTES % 64u == 0 && OW_PK_INPUT_BYTES % 64u == 0, "ow_pk");

struct ow_pk_job ow_pk_job_make(struct ow_pk *pk, uint8_t opcode) {
  struct ow_pk_job job = {.pk = pk, .opcode = opcode, .status = OW_OK};
  if (pk == NULL || pk->queue == NULL) {
    job.status = OW_BAD_ARGUMENT;
  }
  return job;
}

void ow_pk_job_length(struct ow_pk_job *job, unsigned index, size_t bits) {
  if (bits > 0xffffu) {
    job->status = OW_BAD_ARGUMENT;
  }
  job->parameters[2u * index] = (uint8_t)bits;
  job->parameters[2u * index + 1u] = (uint8_t)(bits >> 8);
}

/* Reads every byte: the number of leading zeros may be secret. */
static void ow_pk_append(struct ow_pk_job *job, uint8_t *memory, size_t *used, size_t room,
                         struct ow_number number, size_t bytes) {
  uint8_t lost = 0;
  if (job->status != OW_OK) {
    return;
  }
  if (bytes > room - *used || (number.bytes == NULL && number.length != 0)) {
    job->status = OW_BAD_ARGUMENT;
    return;
  }
  uint8_t *out = memory + *used;
  *used += bytes;
  for (size_t i = 0; i < bytes; i++) {
    size_t from_end = bytes - i;
    out[i] = from_end <= number.length ? number.bytes[number.length - from_end] : 0;
  }
  for (size_t i = 0; i + bytes < number.length; i++) {
    lost |= number.bytes[i];
  }
  if (lost != 0) {
    job->status = OW_BAD_ARGUMENT;
  }
}

void ow_pk_job_key(struct ow_pk_job *job, struct ow_number number, size_t bytes) {
  ow_pk_append(job, job->pk->key, &job->key_len, sizeof(job->pk->key), number, bytes);
}

void ow_pk_job_input(struct ow_pk_job *job, struct ow_number number, size_t bytes) {
  ow_pk_append(job, job->pk->input, &job->input_len, sizeof(job->pk->input), number, bytes);
}

void ow_pk_job_blinding(struct ow_pk_job *job, size_t bytes) {
  if (job->slotted) {
    return;
  }
  if (job->status == OW_OK && bytes > sizeof(job->pk->input) - job->input_len) {
    job->status = OW_BAD_ARGUMENT;
  }
  if (job->status == OW_OK) {
    job->status = ow_pk_random(job->pk, job->pk->input + job->input_len, bytes);
    job->input_len += bytes;
  }
}

static ow_status ow_pk_execute(const struct ow_pk_job *job) {
  struct ow_pk *pk = job->pk;
  struct ow_job made = {
      .opcode = job->opcode,
      .key = {.slot = job->slot,
              .generation = job->generation,
              .bytes = job->slotted ? NULL : pk->key},
      .iv = job->parameters,
      .iv_len = sizeof(job->parameters),
      .length = (uint32_t)(job->key_is_input ? job->key_len : job->input_len),
      .aad_len = job->slotted ? 0 : (uint32_t)job->key_len,
      .source = job->key_is_input ? pk->key : pk->input,
      .destination = pk->output,
      .destination_len = (uint32_t)job->output_len,
      .aad = pk->key,
  };
  ow_status status = ow_pk_run(pk, &made);
  pk->cycles = made.cycles;
  return status;
}

ow_status ow_pk_job_run(struct ow_pk_job *job, uint8_t *output) {
  ow_status status = job->status;
  struct ow_pk *pk = job->pk;
  if (status == OW_OK && output == NULL && job->output_len != 0) {
    status = OW_BAD_ARGUMENT;
  }
  if (status == OW_OK) {
    status = ow_pk_execute(job);
  }
  if (status == OW_OK && job->output_len != 0) {
    ow_copy(output, pk->output, job->output_len);
  }
  if (pk != NULL) {
    ow_wipe(pk->key, job->key_len);
    ow_wipe(pk->input, sizeof(pk->input));
    ow_wipe(pk->output, sizeof(pk->output));
  }
  return status;
}

size_t ow_number_bits(struct ow_number number) {
  size_t i = 0;
  while (i < number.length && number.bytes[i] == 0) {
    i++;
  }
  if (i == number.length) {
    return 0;
  }
  size_t bits = 8u * (number.length - i);
  for (uint8_t top = 0x80; (number.bytes[i] & top) == 0; top >>= 1) {
    bits--;
  }
  return bits;
}

ow_status ow_pk_init(struct ow_pk *pk, struct ow_queue *queue) {
  if (pk == NULL || queue == NULL) {
    return OW_BAD_ARGUMENT;
  }
  *pk = (struct ow_pk){.queue = queue};
  return OW_OK;
}

void ow_pk_close(struct ow_pk *pk) {
  ow_wipe(pk, sizeof(*pk));
}

ow_status ow_modexp(struct ow_pk *pk, uint8_t *output, struct ow_number m, struct ow_number e,
                    struct ow_number x) {
  struct ow_pk_job job = ow_pk_job_make(pk, OW_OP_MODEXP);
  size_t m_bits = ow_number_bits(m);
  size_t m_len = (m_bits + 7u) / 8u;
  ow_pk_job_length(&job, 0, m_bits);
  ow_pk_job_length(&job, 1, 8u * e.length < m_bits ? 8u * e.length : m_bits);
  ow_pk_job_key(&job, m, m_len);
  ow_pk_job_key(&job, e, e.length < m_len ? e.length : m_len);
  ow_pk_job_input(&job, x, m_len);
  job.output_len = m_len;
  return ow_pk_job_run(&job, output);
}
