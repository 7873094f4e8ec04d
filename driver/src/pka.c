/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Public-key jobs: operands in the engine's order, in memory accessible to the device.
 */
#include "pka.h"

/* No padding between members, so that a reader of the header without OW_ALIGNED finds them. */
OW_STATIC_ASSERT(OW_PKA_KEY_BYTES % 64u == 0 && OW_PKA_INPUT_BYTES % 64u == 0, "ow_pka");

struct ow_pka_job ow_pka_job_make(struct ow_pka *pka, uint8_t opcode) {
  struct ow_pka_job job = {.pka = pka, .opcode = opcode, .status = OW_OK};
  if (pka == NULL || pka->queue == NULL) {
    job.status = OW_BAD_ARGUMENT;
  }
  return job;
}

void ow_pka_job_length(struct ow_pka_job *job, unsigned index, size_t bits) {
  if (bits > 0xffffu) {
    job->status = OW_BAD_ARGUMENT;
  }
  job->parameters[2u * index] = (uint8_t)bits;
  job->parameters[2u * index + 1u] = (uint8_t)(bits >> 8);
}

/* Reads every byte: the number of leading zeros may be secret. */
static void ow_pka_append(struct ow_pka_job *job, uint8_t *memory, size_t *used, size_t room,
                          struct ow_number number, size_t bytes) {
  uint8_t lost = 0;
  if (job->status != OW_OK) {
    return;
  }
  if (bytes > room - *used || (number.bytes == NULL && number.length != 0)) {
    job->status = OW_BAD_ARGUMENT;
    return;
  }
  const size_t kept = bytes < number.length ? bytes : number.length;
  const size_t cut = number.length - kept;
  ow_wipe(memory + *used, bytes - kept);
  if (kept != 0) {
    ow_copy(memory + *used + bytes - kept, number.bytes + cut, kept);
  }
  *used += bytes;
  for (size_t i = 0; i < cut; i++) {
    lost |= number.bytes[i];
  }
  if (lost != 0) {
    job->status = OW_BAD_ARGUMENT;
  }
}

void ow_pka_job_key(struct ow_pka_job *job, struct ow_number number, size_t bytes) {
  ow_pka_append(job, job->pka->key, &job->key_len, sizeof(job->pka->key), number, bytes);
}

void ow_pka_job_input(struct ow_pka_job *job, struct ow_number number, size_t bytes) {
  ow_pka_append(job, job->pka->input, &job->input_len, sizeof(job->pka->input), number, bytes);
}

void ow_pka_job_blinding(struct ow_pka_job *job, size_t bytes) {
  if (job->slotted) {
    return;
  }
  if (job->status == OW_OK && bytes > sizeof(job->pka->input) - job->input_len) {
    job->status = OW_BAD_ARGUMENT;
  }
  if (job->status == OW_OK) {
    job->status = ow_pka_random(job->pka, job->pka->input + job->input_len, bytes);
    job->input_len += bytes;
  }
}

static ow_status ow_pka_execute(const struct ow_pka_job *job) {
  struct ow_pka *pka = job->pka;
  struct ow_job made = {
      .opcode = job->opcode,
      .key = {.slot = job->slot,
              .generation = job->generation,
              .bytes = job->slotted ? NULL : pka->key},
      .iv = job->parameters,
      .iv_len = sizeof(job->parameters),
      .length = (uint32_t)(job->key_is_input ? job->key_len : job->input_len),
      .aad_len = job->slotted ? 0 : (uint32_t)job->key_len,
      .source = job->key_is_input ? pka->key : pka->input,
      .destination = pka->output,
      .destination_len = (uint32_t)job->output_len,
      .aad = pka->key,
  };
  ow_status status = ow_pka_run(pka, &made);
  pka->cycles = made.cycles;
  return status;
}

ow_status ow_pka_job_run(struct ow_pka_job *job, uint8_t *output) {
  ow_status status = job->status;
  struct ow_pka *pka = job->pka;
  if (status == OW_OK && output == NULL && job->output_len != 0) {
    status = OW_BAD_ARGUMENT;
  }
  if (status == OW_OK) {
    status = ow_pka_execute(job);
  }
  if (status == OW_OK && job->output_len != 0) {
    ow_copy(output, pka->output, job->output_len);
  }
  if (pka != NULL) {
    ow_wipe(pka->key, job->key_len);
    ow_wipe(pka->input, sizeof(pka->input));
    ow_wipe(pka->output, sizeof(pka->output));
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

ow_status ow_pka_init(struct ow_pka *pka, struct ow_queue *queue) {
  if (pka == NULL || queue == NULL) {
    return OW_BAD_ARGUMENT;
  }
  *pka = (struct ow_pka){.queue = queue};
  return OW_OK;
}

void ow_pka_close(struct ow_pka *pka) {
  ow_wipe(pka, sizeof(*pka));
}

ow_status ow_modexp(struct ow_pka *pka, uint8_t *output, struct ow_number m, struct ow_number e,
                    struct ow_number x) {
  struct ow_pka_job job = ow_pka_job_make(pka, OW_OP_MODEXP);
  size_t m_bits = ow_number_bits(m);
  size_t m_len = (m_bits + 7u) / 8u;
  ow_pka_job_length(&job, 0, m_bits);
  ow_pka_job_length(&job, 1, 8u * e.length < m_bits ? 8u * e.length : m_bits);
  ow_pka_job_key(&job, m, m_len);
  ow_pka_job_key(&job, e, e.length < m_len ? e.length : m_len);
  ow_pka_job_input(&job, x, m_len);
  job.output_len = m_len;
  return ow_pka_job_run(&job, output);
}
