/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The rows of the PSA driver's benchmark: each is one call, or one message, of the PSA API.
 */
#ifndef OUTWORK_PSA_BENCHMARK_H
#define OUTWORK_PSA_BENCHMARK_H

#include <psa/crypto.h>

#include <stdbool.h>

#define MESSAGE_BYTES     1024u /* as in Mbed TLS's own programs/test/benchmark */
#define MESSAGE_BYTES_MAX 16384u

struct row {
  const char *name;
  /* what an operation is called; NULL: the row is about messages */
  const char *what;
  psa_status_t (*play)(const struct row *row);
  psa_algorithm_t alg;
  psa_key_type_t type;
  uint16_t bits;
  /* results differ from run to run */
  bool random;
};

extern const struct row rows[];
extern const unsigned rows_len;

/* Bytes of the rows' messages: MESSAGE_BYTES at first, at most MESSAGE_BYTES_MAX. */
extern size_t message_len;

/* The last result of a row. */
extern uint8_t answer[MESSAGE_BYTES_MAX + 16];
extern size_t answer_len;

/* Makes the keys of a row, and the signature or public key that it uses; in software. */
psa_status_t row_begin(const struct row *row);
void row_end(void);

#endif
