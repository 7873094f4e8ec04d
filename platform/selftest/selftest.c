/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Each answer forward; where there is a way back, back; where there is a tag, with a wrong one.
 */
#include "selftest.h"

#include <string.h>

#define BUFFER_BYTES 128u

/* Written by outwork/algorithms/c_answers.py. */
static const struct known_answer answers[] = {
#include "known_answers.h"
};

/* In SRAM, neighbours in one cache line: the platform has to cope. */
static uint8_t source[BUFFER_BYTES];
static uint8_t destination[BUFFER_BYTES];

static uint8_t last_slot(const struct ow_queue *queue) {
  return (uint8_t)(queue->device->capabilities.key_slots - 1u);
}

/* Loads the two keys of AES with HMAC, which a job cannot bring along. */
static bool load(struct ow_queue *queue, const struct known_answer *answer) {
  const struct ow_key_properties properties = {
      .queues = (uint8_t)(1u << queue->index), .encrypt = true, .decrypt = true};
  const uint16_t key_len = answer->key_len - answer->mac_key_len;
  return ow_key_load_pair(queue->device, last_slot(queue), &properties, answer->opcode, answer->key,
                          key_len, answer->key + key_len, answer->mac_key_len) == OW_OK;
}

static void prepare(const struct ow_queue *queue, struct ow_job *job,
                    const struct known_answer *answer, uint16_t flags) {
  const uint16_t key_len = answer->keys == 2 ? answer->key_len / 2u : answer->key_len;
  *job = (struct ow_job){
      .opcode = answer->opcode,
      .tag_len = answer->tag_len,
      .flags = flags,
      .length = answer->message_len,
      .source = source,
      .iv = answer->iv_len > 0 ? answer->iv : NULL,
      .iv_len = answer->iv_len,
      .aad = answer->aad_len > 0 ? answer->aad : NULL,
      .aad_len = answer->aad_len,
  };
  if (answer->mac_key_len > 0u) {
    job->key.slot = last_slot(queue);
  } else {
    job->key.bytes = answer->key;
    job->key.key_len = key_len;
    job->key.tweak_bytes = answer->keys == 2 ? answer->key + key_len : NULL;
  }
  job->destination = answer->is_tag ? NULL : destination;
  memset(destination, 0xa5, sizeof(destination));
}

static bool forward(struct ow_queue *queue, const struct known_answer *answer) {
  struct ow_job job;
  memcpy(source, answer->message, answer->message_len);
  prepare(queue, &job, answer, answer->is_aead ? OW_JOB_APPEND_TAG : 0u);
  const uint8_t *result = answer->is_tag ? job.tag : destination;
  return ow_queue_run(queue, &job) == OW_OK &&
         memcmp(result, answer->result, answer->result_len) == 0;
}

/* With a wrong tag the destination must hold zeros. */
static bool back(struct ow_queue *queue, const struct known_answer *answer, bool wrong) {
  static const uint8_t zeros[BUFFER_BYTES];
  struct ow_job job;
  const uint8_t *input = answer->is_tag ? answer->message : answer->result;
  const uint16_t input_len = answer->is_tag ? answer->message_len : answer->result_len;
  memcpy(source, input, input_len);
  prepare(queue, &job, answer, OW_JOB_DECRYPT | (answer->is_aead ? OW_JOB_TAG_IN_SOURCE : 0u));
  if (answer->is_tag) {
    memcpy(job.tag, answer->result, answer->tag_len);
    job.tag[answer->tag_len - 1u] ^= wrong;
  } else if (wrong) {
    source[input_len - 1u] ^= 1u;
  }
  if (ow_queue_run(queue, &job) != (wrong ? OW_AUTH_FAILED : OW_OK)) {
    return false;
  }
  return answer->is_tag ||
         memcmp(destination, wrong ? zeros : answer->message, answer->message_len) == 0;
}

static ow_status digest(struct ow_queue *queue, const struct known_answer *answer) {
  const uint16_t length = answer->message_len, digest_len = answer->result_len;
  switch (answer->opcode) {
  case OW_OP_ASCON_HASH256:
    return ow_ascon_hash256(queue, destination, source, length);
  case OW_OP_ASCON_XOF128:
    return ow_ascon_xof128(queue, destination, digest_len, source, length);
  case OW_OP_ASCON_CXOF128:
    return ow_ascon_cxof128(queue, destination, digest_len, answer->iv, answer->iv_len, source,
                            length);
  default:
    return ow_hash(queue, destination, digest_len, answer->opcode, source, length);
  }
}

static bool hash(struct ow_queue *queue, const struct known_answer *answer) {
  memcpy(source, answer->message, answer->message_len);
  return digest(queue, answer) == OW_OK &&
         memcmp(destination, answer->result, answer->result_len) == 0;
}

static void expect(struct selftest_result *result, selftest_report *report,
                   const struct known_answer *answer, bool good, const char *what) {
  result->runs++;
  if (!good) {
    result->failures++;
    report(answer->name, what);
  }
}

struct selftest_result selftest_run(struct ow_queue *queue, selftest_report *report) {
  struct selftest_result result = {0, 0};
  for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
    const struct known_answer *answer = &answers[i];
    if (!ow_device_supports(queue->device, answer->opcode, false)) {
      continue;
    }
    if (answer->keys == 0) {
      expect(&result, report, answer, hash(queue, answer), "wrong digest");
      continue;
    }
    const bool in_slot = answer->mac_key_len > 0u;
    if (in_slot && !load(queue, answer)) {
      expect(&result, report, answer, false, "its keys cannot be loaded");
      continue;
    }
    expect(&result, report, answer, forward(queue, answer), "wrong result");
    if (ow_device_supports(queue->device, answer->opcode, true)) {
      expect(&result, report, answer, back(queue, answer, false), "wrong on the way back");
      if (answer->tag_len > 0u) {
        expect(&result, report, answer, back(queue, answer, true), "a wrong tag passed");
      }
    }
    if (in_slot && ow_key_zeroise(queue->device, last_slot(queue)) != OW_OK) {
      report(answer->name, "its slot cannot be zeroised");
      result.failures++;
    }
  }
  return result;
}
