/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Checks the known answers that Outwork lite has, and counts what its driver takes for a block and
 * for a message.
 */
#include <stdio.h>
#include <string.h>

#include "outwork/lite.h"
#include "selftest.h"
#include "soc.h"

#define BYTES_MAX 1024u

static const struct known_answer answers[] = {
#include "known_answers.h"
};

static struct ow_platform platform;
static struct ow_lite lite;
static uint8_t result[BYTES_MAX];

/* Returns whether Outwork lite has this algorithm. */
static bool has(const struct known_answer *answer) {
  return answer->opcode == OW_OP_AES_ECB || answer->opcode == OW_OP_AES_CBC ||
         answer->opcode == OW_OP_AES_CTR;
}

static ow_status crypt(const struct known_answer *answer, ow_lite_operation operation,
                       const uint8_t *input, uint32_t length) {
  uint8_t iv[16] = {0};
  memcpy(iv, answer->iv, answer->iv_len);
  switch (answer->opcode) {
  case OW_OP_AES_ECB:
    return ow_lite_ecb_crypt(&lite, result, operation, input, length);
  case OW_OP_AES_CBC:
    return ow_lite_cbc_crypt(&lite, result, iv, operation, input, length);
  default:
    return ow_lite_ctr_crypt(&lite, result, iv, input, length);
  }
}

/* Runs an answer in one direction. Returns whether the result is right. */
static bool check(const struct known_answer *answer, ow_lite_operation operation) {
  const bool inverse = operation == OW_LITE_DECRYPT;
  const uint8_t *const input = inverse ? answer->result : answer->message;
  const uint8_t *const wanted = inverse ? answer->message : answer->result;
  const bool good = crypt(answer, operation, input, answer->message_len) == OW_OK &&
                    memcmp(result, wanted, answer->message_len) == 0;
  if (!good) {
    printf("%s, %s: wrong\n", answer->name, inverse ? "decryption" : "encryption");
  }
  return good;
}

static uint32_t cycles_of(const struct known_answer *answer, uint32_t length) {
  static uint8_t input[BYTES_MAX];
  uint32_t cycles = 0;
  for (unsigned round = 0; round < 2; round++) { /* the last one counts: caches are warm */
    const uint32_t begin = soc_cycles();
    (void)crypt(answer, OW_LITE_ENCRYPT, input, length);
    cycles = soc_cycles() - begin;
  }
  return cycles;
}

int main(void) {
  unsigned runs = 0, failed = 0;
  soc_lite_platform(&platform);
  if (ow_lite_open(&lite, &platform) != OW_OK) {
    printf("Outwork lite does not answer.\n");
    return 1;
  }
  for (unsigned i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
    const struct known_answer *const answer = &answers[i];
    if (!has(answer)) {
      continue;
    }
    if (ow_lite_load_key(&lite, answer->key, answer->key_len) != OW_OK) {
      printf("%s: the key was refused\n", answer->name);
      return 1;
    }
    failed += !check(answer, OW_LITE_ENCRYPT) + !check(answer, OW_LITE_DECRYPT);
    runs += 2;
    printf("%s: %lu cycles for 16 bytes, %lu for 1,024\n", answer->name,
           (unsigned long)cycles_of(answer, 16), (unsigned long)cycles_of(answer, BYTES_MAX));
  }
  ow_lite_zeroise(&lite);
  printf("Outwork lite: %u runs, %u failed\n", runs, failed);
  return failed == 0 && runs != 0 ? 0 : 1;
}
