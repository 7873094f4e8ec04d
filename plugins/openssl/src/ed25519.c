/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Ed25519, Ed25519ctx and Ed25519ph (RFC 8032) on the device, which hashes the message too.
 */
#include <outwork/curve25519.h>

#include "oneshot.h"

struct work {
  struct ow_ed25519_private private;
  uint8_t point[OW_ED25519_KEY_BYTES];
  struct ow_ed25519_context context;
  const uint8_t *message;
  size_t message_len;
  uint8_t signature[OW_ED25519_SIGNATURE_BYTES];
};

/* Fills in the message and the variant. False: the device cannot do it; this includes contexts that
 * the variant does not allow, which the CPU refuses. */
static bool prepare(const struct owp_oneshot *oneshot, struct work *work, const uint8_t *message,
                    size_t message_len) {
  work->message = message;
  work->message_len = message_len;
  work->context = (struct ow_ed25519_context){.hashed = oneshot->instance == OWP_PREHASHED,
                                              .bytes = oneshot->context,
                                              .length = oneshot->context_len};
  bool fits = oneshot->instance == OWP_PURE           ? oneshot->context_len == 0
              : oneshot->instance == OWP_WITH_CONTEXT ? oneshot->context_len != 0
                                                      : true;
  return fits && !oneshot->unknown && message_len <= OW_REQUEST_BYTES;
}

static const struct ow_ed25519_context *context_of(const struct owp_oneshot *oneshot,
                                                   const struct work *work) {
  return oneshot->instance == OWP_PURE ? NULL : &work->context;
}

struct operation {
  const struct owp_oneshot *oneshot;
  struct work *work;
};

static ow_status do_sign(struct ow_pka *pka, void *user) {
  const struct operation *operation = user;
  struct work *work = operation->work;
  uint8_t *message = ow_operate_payload(pka);
  if (work->message_len != 0) {
    memcpy(message, work->message, work->message_len);
  }
  ow_status status =
      ow_ed25519_sign(pka, work->signature, &work->private, context_of(operation->oneshot, work),
                      message, work->message_len);
  OPENSSL_cleanse(message, work->message_len);
  return status;
}

static ow_status do_verify(struct ow_pka *pka, void *user) {
  const struct operation *operation = user;
  const struct work *work = operation->work;
  uint8_t *message = ow_operate_payload(pka);
  if (work->message_len != 0) {
    memcpy(message, work->message, work->message_len);
  }
  ow_status status = ow_ed25519_verify(pka, work->point, context_of(operation->oneshot, work),
                                       message, work->message_len, work->signature);
  OPENSSL_cleanse(message, work->message_len);
  return status;
}

/* Reads the bytes of the key. False: it does not have them. */
static bool read_bytes(const struct owp_oneshot *oneshot, const char *name,
                       uint8_t bytes[OW_ED25519_KEY_BYTES]) {
  return owp_key_param(oneshot->provider, OWP_KEYS_ED25519, oneshot->key,
                       OSSL_PARAM_construct_octet_string(name, bytes, OW_ED25519_KEY_BYTES));
}

static bool read_private(const struct owp_oneshot *oneshot, struct work *work) {
  uint8_t seed[OW_ED25519_KEY_BYTES];
  bool good = read_bytes(oneshot, OSSL_PKEY_PARAM_PRIV_KEY, seed) &&
              read_bytes(oneshot, OSSL_PKEY_PARAM_PUB_KEY, work->point) &&
              ow_ed25519_load_pair(&work->private, seed, work->point) == OW_OK;
  OPENSSL_cleanse(seed, sizeof(seed));
  return good;
}

/* Runs what is prepared. False: the CPU has to do it. */
static bool run(const struct owp_oneshot *oneshot, struct work *work, bool ready, uint8_t opcode,
                ow_operate *operate) {
  struct ow_offload *offload = oneshot->provider->offload;
  struct operation operation = {oneshot, work};
  if (!ready) {
    ow_offload_count(offload, opcode, OW_FALLBACK_OPCODE, OW_ED25519_KEY_BYTES);
    return false;
  }
  return ow_offload_operate(offload, opcode, OW_ED25519_KEY_BYTES, operate, &operation, NULL, NULL);
}

bool owp_ed25519_sign(const struct owp_oneshot *oneshot, uint8_t *out, size_t *out_len,
                      size_t out_size, const uint8_t *message, size_t message_len) {
  struct work work;
  if (!ow_offload_wants(oneshot->provider->offload, OW_OP_ED25519_SIGN, 0, false,
                        OW_ED25519_KEY_BYTES)) {
    return false;
  }
  bool ready = out_size >= sizeof(work.signature) &&
               prepare(oneshot, &work, message, message_len) && read_private(oneshot, &work);
  bool done = run(oneshot, &work, ready, OW_OP_ED25519_SIGN, do_sign);
  if (done) {
    memcpy(out, work.signature, sizeof(work.signature));
    *out_len = sizeof(work.signature);
  }
  OPENSSL_cleanse(&work.private, sizeof(work.private));
  return done;
}

bool owp_ed25519_verify(const struct owp_oneshot *oneshot, const uint8_t *made, size_t made_len,
                        const uint8_t *message, size_t message_len) {
  struct work work;
  if (!ow_offload_wants(oneshot->provider->offload, OW_OP_ED25519_VERIFY, 0, false,
                        OW_ED25519_KEY_BYTES)) {
    return false;
  }
  bool ready = made_len == sizeof(work.signature) &&
               prepare(oneshot, &work, message, message_len) &&
               read_bytes(oneshot, OSSL_PKEY_PARAM_PUB_KEY, work.point);
  if (ready) {
    memcpy(work.signature, made, made_len);
  }
  return run(oneshot, &work, ready, OW_OP_ED25519_VERIFY, do_verify);
}
