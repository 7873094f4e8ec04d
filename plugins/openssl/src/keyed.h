/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What HMAC and KMAC share: a stream (stream.h) under a key, with a context of the default provider
 * inside.
 */
#ifndef OUTWORK_PROVIDER_KEYED_H
#define OUTWORK_PROVIDER_KEYED_H

#include "stream.h"

struct owp_mac_key {
  /* `bytes` is valid, and the device accepts keys of its length */
  bool known;
  uint8_t len;
  uint8_t bytes[OW_MAC_KEY_MAX];
};

struct owp_keyed {
  struct owp_provider *provider;
  const struct owp_mac_calls *calls;
  void *inside;
  /* 0: a digest that the device does not have */
  uint8_t opcode;
  /* HMAC: the opcode that the next key will be used with */
  uint8_t named;
  /* of the message */
  struct owp_mac_key key;
  /* KMAC: of the messages from the next init on */
  struct owp_mac_key next_key;
  /* HMAC of a TLS record, or KMAC with customization: not for the device */
  bool special;
  /* KMACXOF: the length is not part of the message */
  bool extendable;
  struct owp_stream stream;
};

void *owp_keyed_new(void *provider, enum owp_mac_index index, uint8_t opcode);
OSSL_FUNC_mac_freectx_fn owp_keyed_free;
OSSL_FUNC_mac_dupctx_fn owp_keyed_dup;
OSSL_FUNC_mac_update_fn owp_keyed_update;
OSSL_FUNC_mac_get_ctx_params_fn owp_keyed_get_ctx_params;
struct owp_inside owp_keyed_inside(const struct owp_keyed *keyed);
/* Stores a key. */
void owp_mac_key_take(struct owp_mac_key *key, const uint8_t *bytes, size_t length);
/* Begins a new message under the key. */
void owp_keyed_begin(struct owp_keyed *keyed);

extern const OSSL_DISPATCH owp_hmac_functions[];
extern const OSSL_DISPATCH owp_kmac_functions[];

#endif
