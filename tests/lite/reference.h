/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES of whole blocks by libcrypto, and the random numbers of a test.
 */
#ifndef OUTWORK_TEST_LITE_REFERENCE_H
#define OUTWORK_TEST_LITE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `mode` is "ECB", "CBC" or "CTR"; `iv` may be NULL for ECB. Any length for CTR. */
void reference_crypt(const char *mode, uint8_t *output, const uint8_t *key, size_t key_len,
                     const uint8_t *iv, bool decrypt, const uint8_t *input, size_t length);

/* Takes `--seed N` and `--<what> N` from the command line, prints both. Returns N of `what`. */
uint32_t random_start(int argc, char **argv, const char *what, uint32_t count);
uint32_t random_number(void);
void random_bytes(uint8_t *bytes, size_t length);
static inline uint32_t random_below(uint32_t limit) {
  return random_number() % limit;
}

#ifdef __cplusplus
}
#endif

#endif
