/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * KMAC128 and KMAC256 (SP 800-185 4). A message has the key and the customization that were set at
 * its init.
 */
#include "keyed.h"

/* Notes the parameters. The customization holds until it is set again, as in the inner context. */
static void note_params(struct owp_keyed *keyed, const OSSL_PARAM params[]) {
  int extendable = 0;
  for (; params != NULL && params->key != NULL; params++) {
    if (owp_is_param(params, OSSL_MAC_PARAM_KEY) && params->data_type == OSSL_PARAM_OCTET_STRING) {
      owp_mac_key_take(&keyed->next_key, params->data, params->data_size);
    } else if (owp_is_param(params, OSSL_MAC_PARAM_CUSTOM)) {
      keyed->special = params->data_size != 0;
    } else if (owp_is_param(params, OSSL_MAC_PARAM_XOF) &&
               OSSL_PARAM_get_int(params, &extendable)) {
      keyed->extendable = extendable != 0;
    }
  }
}

/* Notes parameters of which the inner context may have accepted some: until the key, and a
 * customization that was among them, are set again, the next messages are its own. Returns 0. */
static int note_failure(struct owp_keyed *keyed, const OSSL_PARAM params[]) {
  bool special = keyed->special || OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_CUSTOM) != NULL;
  note_params(keyed, params);
  keyed->special = special;
  keyed->next_key.known = false;
  return 0;
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct owp_keyed *keyed = context;
  if (!OWP_INSIDE(keyed, set_ctx_params, params)) {
    return note_failure(keyed, params);
  }
  note_params(keyed, params);
  return 1;
}

static int init(void *context, const unsigned char *key, size_t key_len,
                const OSSL_PARAM params[]) {
  struct owp_keyed *keyed = context;
  if (!OWP_INSIDE(keyed, init, key, key_len, params)) {
    return note_failure(keyed, params);
  }
  note_params(keyed, params);
  if (key != NULL) {
    owp_mac_key_take(&keyed->next_key, key, key_len);
  }
  keyed->key = keyed->next_key;
  owp_keyed_begin(keyed);
  return 1;
}

/* Appends right_encode (SP 800-185 2.3.1) of a length in bits. */
static void add_length(struct owp_stream *stream, uint64_t bits) {
  uint8_t bytes[9], count = 1;
  while (bits >> (8u * count) != 0) {
    count++;
  }
  for (unsigned i = 0; i < count; i++) {
    bytes[count - 1u - i] = (uint8_t)(bits >> (8u * i));
  }
  bytes[count] = count;
  ow_hash_state_add(&stream->state, stream->opcode, bytes, count + 1u);
}

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_keyed *keyed = context;
  struct owp_inside inside = owp_keyed_inside(keyed);
  struct owp_stream *stream = &keyed->stream;
  size_t length = 0;
  OSSL_PARAM size[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &length),
                       OSSL_PARAM_construct_end()};
  if (!OWP_INSIDE(keyed, get_ctx_params, size)) {
    return 0;
  }
  bool device = !keyed->extendable && out_size >= length;
  enum owp_end end =
      device ? owp_stream_end(stream, &inside, out, length) : owp_stream_end_here(stream, &inside);
  if (end == OWP_END_INSIDE) {
    return OWP_INSIDE(keyed, final, out, out_len, out_size);
  }
  if (end == OWP_END_FAILED || out_size < length) {
    return 0;
  }
  if (end == OWP_END_HERE) {
    add_length(stream, keyed->extendable ? 0 : 8u * (uint64_t)length);
    ow_hash_state_finish(&stream->state, keyed->opcode, out, length);
    owp_stream_drop(stream);
  }
  *out_len = length;
  return 1;
}

const OSSL_DISPATCH owp_kmac_functions[] = {
    {OSSL_FUNC_MAC_FREECTX, (void (*)(void))owp_keyed_free},
    {OSSL_FUNC_MAC_DUPCTX, (void (*)(void))owp_keyed_dup},
    {OSSL_FUNC_MAC_INIT, (void (*)(void))init},
    {OSSL_FUNC_MAC_UPDATE, (void (*)(void))owp_keyed_update},
    {OSSL_FUNC_MAC_FINAL, (void (*)(void)) final},
    {OSSL_FUNC_MAC_GET_CTX_PARAMS, (void (*)(void))owp_keyed_get_ctx_params},
    {OSSL_FUNC_MAC_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
