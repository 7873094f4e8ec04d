/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-DSA (FIPS 204) on the device. What is signed is mu, a hash of the public key and the message,
 * which is made by a digest of the application's library context: the device's, if the policy says
 * so.
 */
#include <openssl/rand.h>
#include <outwork/mldsa.h>

#include "oneshot.h"

/* What an operation reads and writes. Secret; wiped after use. */
struct work {
  enum ow_mldsa_set set;
  /* hedged with `rnd`; else deterministic */
  bool hedged;
  /* the private key, or the public one */
  uint8_t key[OW_MLDSA_KEY_BYTES];
  uint8_t rnd[OW_MLDSA_SEED_BYTES];
  uint8_t mu[OW_MLDSA_MU_BYTES];
  uint8_t signature[OW_MLDSA_SIGNATURE_BYTES(OW_MLDSA_87)];
};

static enum ow_mldsa_set set_of(const struct owp_oneshot *oneshot) {
  switch (oneshot->kind->keys) {
  case OWP_KEYS_MLDSA_44:
    return OW_MLDSA_44;
  case OWP_KEYS_MLDSA_65:
    return OW_MLDSA_65;
  default:
    return OW_MLDSA_87;
  }
}

/* Prepares the driver's calls in the lane of an operation. */
static struct ow_mldsa *open_lane(struct ow_pka *pka) {
  struct ow_mldsa *mldsa = (struct ow_mldsa *)(void *)ow_operate_payload(pka);
  OW_STATIC_ASSERT(sizeof(struct ow_mldsa) <= OW_REQUEST_BYTES, "the lane's payload");
  (void)ow_mldsa_init(mldsa, pka->queue);
  mldsa->run = pka->run;
  mldsa->run_context = pka->run_context;
  return mldsa;
}

static ow_status do_sign(struct ow_pka *pka, void *user) {
  struct work *work = user;
  struct ow_mldsa *mldsa = open_lane(pka);
  ow_status status = ow_mldsa_sign(mldsa, work->signature, work->set, work->key, work->mu,
                                   work->hedged ? work->rnd : NULL);
  ow_mldsa_close(mldsa);
  return status;
}

static ow_status do_verify(struct ow_pka *pka, void *user) {
  const struct work *work = user;
  struct ow_mldsa *mldsa = open_lane(pka);
  ow_status status = ow_mldsa_verify(mldsa, work->set, work->key, work->mu, work->signature);
  ow_mldsa_close(mldsa);
  return status;
}

/* Computes SHAKE256 of two strings. False: failure. */
static bool hash(const struct owp_oneshot *oneshot, uint8_t digest[OW_MLDSA_MU_BYTES],
                 const uint8_t *head, size_t head_len, const uint8_t *message, size_t message_len) {
  EVP_MD *shake = owp_digest_fetch(oneshot->provider, "SHAKE256", NULL);
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  bool good = shake != NULL && ctx != NULL && EVP_DigestInit_ex2(ctx, shake, NULL) &&
              EVP_DigestUpdate(ctx, head, head_len) &&
              EVP_DigestUpdate(ctx, message, message_len) &&
              EVP_DigestFinalXOF(ctx, digest, OW_MLDSA_MU_BYTES);
  EVP_MD_CTX_free(ctx);
  EVP_MD_free(shake);
  return good;
}

/* Computes mu, or takes the application's. False: the CPU has to do the operation. */
static bool make_mu(const struct owp_oneshot *oneshot, struct work *work,
                    const uint8_t tr[OW_MLDSA_TR_BYTES], const uint8_t *message,
                    size_t message_len) {
  const struct ow_mldsa_context context = {.bytes = oneshot->context,
                                           .length = oneshot->context_len};
  uint8_t head[OW_MLDSA_HEAD_MAX];
  size_t head_len = 0;
  if (oneshot->is_mu) {
    bool fits = message_len == sizeof(work->mu);
    if (fits) {
      memcpy(work->mu, message, message_len);
    }
    return fits;
  }
  return ow_mldsa_head(head, &head_len, tr, &context) == OW_OK &&
         hash(oneshot, work->mu, head, head_len, message, message_len);
}

static bool read_key(const struct owp_oneshot *oneshot, struct work *work, const char *name,
                     size_t length) {
  return !oneshot->unknown &&
         owp_key_param(oneshot->provider, oneshot->kind->keys, oneshot->key,
                       OSSL_PARAM_construct_octet_string(name, work->key, length));
}

static bool prepare_signing(const struct owp_oneshot *oneshot, struct work *work,
                            const uint8_t *message, size_t message_len) {
  work->hedged = !oneshot->deterministic;
  return read_key(oneshot, work, OSSL_PKEY_PARAM_PRIV_KEY, OW_MLDSA_PRIVATE_BYTES(work->set)) &&
         make_mu(oneshot, work, work->key + OW_MLDSA_TR_OFFSET, message, message_len) &&
         (!work->hedged ||
          RAND_priv_bytes_ex(oneshot->provider->libctx, work->rnd, sizeof(work->rnd), 0) > 0);
}

static bool prepare_verifying(const struct owp_oneshot *oneshot, struct work *work,
                              const uint8_t *message, size_t message_len) {
  const size_t length = OW_MLDSA_PUBLIC_BYTES(work->set);
  uint8_t tr[OW_MLDSA_TR_BYTES];
  return read_key(oneshot, work, OSSL_PKEY_PARAM_PUB_KEY, length) &&
         (oneshot->is_mu || hash(oneshot, tr, work->key, length, NULL, 0)) &&
         make_mu(oneshot, work, tr, message, message_len);
}

/* Returns memory for an operation that the device shall do; NULL: the CPU shall. */
static struct work *work_new(const struct owp_oneshot *oneshot, uint8_t opcode) {
  const enum ow_mldsa_set set = set_of(oneshot);
  struct work *work = NULL;
  if (ow_offload_wants(oneshot->provider->offload, opcode, 0, false, OW_MLDSA_PUBLIC_BYTES(set))) {
    work = OPENSSL_zalloc(sizeof(*work));
  }
  if (work != NULL) {
    work->set = set;
  }
  return work;
}

/* Runs what is prepared. False: the CPU has to do it. */
static bool run(const struct owp_oneshot *oneshot, struct work *work, bool ready, uint8_t opcode,
                ow_operate *operate) {
  struct ow_offload *offload = oneshot->provider->offload;
  const uint32_t length = OW_MLDSA_PUBLIC_BYTES(work->set);
  if (!ready) {
    ow_offload_count(offload, opcode, OW_FALLBACK_OPCODE, length);
    return false;
  }
  return ow_offload_operate(offload, opcode, length, operate, work, NULL, NULL);
}

bool owp_mldsa_sign(const struct owp_oneshot *oneshot, uint8_t *out, size_t *out_len,
                    size_t out_size, const uint8_t *message, size_t message_len) {
  struct work *work = work_new(oneshot, OW_OP_MLDSA_SIGN);
  if (work == NULL) {
    return false;
  }
  const size_t length = OW_MLDSA_SIGNATURE_BYTES(work->set);
  bool ready = out_size >= length && prepare_signing(oneshot, work, message, message_len);
  bool done = run(oneshot, work, ready, OW_OP_MLDSA_SIGN, do_sign);
  if (done) {
    memcpy(out, work->signature, length);
    *out_len = length;
  }
  OPENSSL_clear_free(work, sizeof(*work));
  return done;
}

bool owp_mldsa_verify(const struct owp_oneshot *oneshot, const uint8_t *made, size_t made_len,
                      const uint8_t *message, size_t message_len) {
  struct work *work = work_new(oneshot, OW_OP_MLDSA_VERIFY);
  if (work == NULL) {
    return false;
  }
  bool ready = made_len == OW_MLDSA_SIGNATURE_BYTES(work->set) &&
               prepare_verifying(oneshot, work, message, message_len);
  if (ready) {
    memcpy(work->signature, made, made_len);
  }
  bool done = run(oneshot, work, ready, OW_OP_MLDSA_VERIFY, do_verify);
  OPENSSL_free(work);
  return done;
}
