/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Contexts of HMAC and KMAC: creation, copies, init, messages.
 */
#include "keyed.h"

void *owp_keyed_new(void *provider, enum owp_mac_index index, uint8_t opcode) {
  struct owp_provider *owner = provider;
  struct owp_keyed *keyed = OPENSSL_zalloc(sizeof(*keyed));
  if (keyed == NULL) {
    return NULL;
  }
  keyed->provider = owner;
  keyed->calls = &owner->mac_calls[index];
  keyed->opcode = opcode;
  keyed->inside = keyed->calls->newctx(keyed->calls->context);
  if (keyed->inside == NULL) {
    OPENSSL_free(keyed);
    return NULL;
  }
  owp_keyed_begin(keyed);
  return keyed;
}

void owp_keyed_free(void *context) {
  struct owp_keyed *keyed = context;
  if (keyed != NULL) {
    keyed->calls->freectx(keyed->inside);
    owp_stream_drop(&keyed->stream);
    OPENSSL_clear_free(keyed, sizeof(*keyed));
  }
}

void *owp_keyed_dup(void *context) {
  struct owp_keyed *keyed = context;
  struct owp_inside original = owp_keyed_inside(keyed);
  void *inside = owp_stream_feed_inside(&keyed->stream, &original)
                     ? keyed->calls->dupctx(keyed->inside)
                     : NULL;
  struct owp_keyed *copy = inside != NULL ? OPENSSL_memdup(keyed, sizeof(*keyed)) : NULL;
  if (copy == NULL) {
    if (inside != NULL) {
      keyed->calls->freectx(inside);
    }
    return NULL;
  }
  copy->inside = inside;
  copy->stream.key = copy->key.bytes;
  if (!owp_stream_dup(&copy->stream, &keyed->stream)) {
    owp_keyed_free(copy);
    return NULL;
  }
  return copy;
}

struct owp_inside owp_keyed_inside(const struct owp_keyed *keyed) {
  return (struct owp_inside){keyed->inside, keyed->calls->update};
}

int owp_keyed_update(void *context, const unsigned char *in, size_t length) {
  struct owp_keyed *keyed = context;
  struct owp_inside inside = owp_keyed_inside(keyed);
  return owp_stream_update(&keyed->stream, &inside, in, length);
}

int owp_keyed_get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct owp_keyed *keyed = context;
  return OWP_INSIDE(keyed, get_ctx_params, params);
}

void owp_mac_key_take(struct owp_mac_key *key, const uint8_t *bytes, size_t length) {
  key->known = length <= OW_MAC_KEY_MAX;
  OPENSSL_cleanse(key->bytes, sizeof(key->bytes));
  key->len = key->known ? (uint8_t)length : 0;
  if (key->len != 0) {
    memcpy(key->bytes, bytes, length);
  }
}

void owp_keyed_begin(struct owp_keyed *keyed) {
  struct ow_offload *offload = keyed->provider->offload;
  if (keyed->key.known && keyed->opcode != 0 && !keyed->special) {
    owp_stream_begin(&keyed->stream, offload, keyed->opcode, keyed->key.bytes, keyed->key.len);
  } else {
    owp_stream_begin_inside(&keyed->stream, offload, keyed->opcode, OW_FALLBACK_OPCODE);
    keyed->stream.counted = keyed->opcode == 0; /* there is no opcode to count it under */
  }
}
