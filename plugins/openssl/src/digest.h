/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Contexts of digests: a stream (stream.h) and the default provider's context.
 */
#ifndef OUTWORK_PROVIDER_DIGEST_H
#define OUTWORK_PROVIDER_DIGEST_H

#include "stream.h"

struct owp_digest {
  struct owp_provider *provider;
  const struct owp_digest_calls *calls;
  void *inside;
  uint8_t opcode;
  /* output is being read from the state in `stream` */
  bool squeezing;
  /* output length of a SHAKE; 0: not set */
  size_t digest_len;
  struct owp_stream stream;
};

void *owp_digest_new(void *provider, enum owp_digest_index index, uint8_t opcode);
/* The functions of every digest, and those that exist only if the default provider has them. */
extern const OSSL_DISPATCH owp_digest_functions[];
extern const OSSL_DISPATCH owp_digest_optional[];

#endif
