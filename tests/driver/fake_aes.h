/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device's AES jobs: the modes, written from the standards, over one AES block.
 */
#ifndef OUTWORK_TEST_FAKE_AES_H
#define OUTWORK_TEST_FAKE_AES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fake_aes_job {
  uint8_t opcode;
  bool decrypt, load, save;
  /* a wrong tag leaves the text in `output` */
  bool keeps_text;
  const uint8_t *key, *tweak_key;
  size_t key_len;
  const uint8_t *iv; /* CCM: Ctr_0 */
  size_t iv_len;
  const uint8_t *aad;
  size_t aad_len;
  const uint8_t *input;
  /* as long as the input */
  uint8_t *output;
  size_t length;
  /* input: the tag to verify; output: the tag, or the next IV */
  uint8_t tag[16];
  size_t tag_len;
  /* 48 bytes of the context, from state0 on */
  uint8_t *state;
};

/* Runs a job. Returns an ow_device_status. */
unsigned fake_aes(struct fake_aes_job *job);

#endif
