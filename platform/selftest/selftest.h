/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Known answers of ciphers, MACs and hashes, checked on the device as `outwork selftest` does.
 */
#ifndef SELFTEST_H
#define SELFTEST_H

#include "outwork/outwork.h"

struct known_answer {
  const char *name;
  uint8_t opcode;
  uint8_t keys; /* 0: a hash; 2: key and key of the tweak, each half of `key` */
  bool is_aead; /* the result ends with a tag */
  bool is_tag;  /* the result is a MAC */
  uint8_t tag_len;
  uint8_t mac_key_len; /* AES with HMAC: of the HMAC key, which follows the AES key in `key` */
  const uint8_t *key, *iv, *aad, *message, *result;
  uint16_t key_len, iv_len, aad_len, message_len, result_len;
};

struct selftest_result {
  uint32_t runs;
  uint32_t failures;
};

/* Called for each run that fails, with the algorithm's name and what was wrong. */
typedef void selftest_report(const char *name, const char *what);

/* Runs what the device has. Loads keys that have to be in a slot into the last one, and zeroises
 * it. */
struct selftest_result selftest_run(struct ow_queue *queue, selftest_report *report);

#endif
