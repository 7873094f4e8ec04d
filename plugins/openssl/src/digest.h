/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Digests: a stream, with a context of the default provider inside.
 */
#ifndef OUTWORK_PROVIDER_DIGEST_H
#define OUTWORK_PROVIDER_DIGEST_H

#include "stream.h"

struct owp_digest {
  struct owp_provider *provider;
  const struct owp_digest_calls *calls;
  void *inside;
  uint8_t opcode;
  bool squeezing;    /* `stream` has a state that output is taken from */
  size_t digest_len; /* of a SHAKE as chosen, 0: not yet */
  struct owp_stream stream;
};

void *owp_digest_new(void *provider, enum owp_digest_index index, uint8_t opcode);
/* The least that a digest has, and what it has if the default provider's has it. */
extern const OSSL_DISPATCH owp_digest_functions[];
extern const OSSL_DISPATCH owp_digest_optional[];

#endif
