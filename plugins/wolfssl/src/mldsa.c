/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-DSA (FIPS 204) with contexts. The device hashes the message too. Random bytes are wolfSSL's.
 */
#include "families.h"

#include <outwork/mldsa.h>

#ifdef OUTWORK_WOLFSSL_MLDSA
#include <wolfssl/wolfcrypt/wc_mldsa.h>

/* Longest message: it stands behind the driver's structure in the lane's payload. */
#define MESSAGE_MAX (OW_REQUEST_BYTES - sizeof(struct ow_mldsa))

/* What an operation reads and writes. Secret; wiped after use. */
struct work {
  enum ow_mldsa_set set;
  uint8_t public[OW_MLDSA_PUBLIC_BYTES(OW_MLDSA_87)];
  uint8_t private[OW_MLDSA_PRIVATE_BYTES(OW_MLDSA_87)];
  uint8_t seed[OW_MLDSA_SEED_BYTES]; /* xi, or rnd */
  uint8_t signature[OW_MLDSA_SIGNATURE_BYTES(OW_MLDSA_87)];
  struct ow_mldsa_context context;
  const byte *message;
  word32 message_len;
};

static bool set_of(enum ow_mldsa_set *set, wc_MlDsaKey *key) {
  byte level = 0;
  if (wc_MlDsaKey_GetParams(key, &level) != 0) {
    return false;
  }
  *set = level == WC_ML_DSA_44 ? OW_MLDSA_44 : level == WC_ML_DSA_65 ? OW_MLDSA_65 : OW_MLDSA_87;
  return level == WC_ML_DSA_44 || level == WC_ML_DSA_65 || level == WC_ML_DSA_87;
}

/* Prepares the driver's calls in the lane of an operation. */
static struct ow_mldsa *open_lane(struct ow_pka *pka) {
  struct ow_mldsa *mldsa = (struct ow_mldsa *)(void *)ow_operate_payload(pka);
  (void)ow_mldsa_init(mldsa, pka->queue);
  mldsa->run = pka->run;
  mldsa->run_context = pka->run_context;
  return mldsa;
}

/* Computes mu of the message, which it copies to where the device can read it. */
static ow_status make_mu(struct ow_mldsa *mldsa, uint8_t mu[OW_MLDSA_MU_BYTES],
                         const uint8_t tr[OW_MLDSA_TR_BYTES], const struct work *work) {
  uint8_t *message = (uint8_t *)mldsa + sizeof(*mldsa);
  memcpy(message, work->message, work->message_len);
  ow_status status = ow_mldsa_mu(mldsa, mu, tr, &work->context, message, work->message_len);
  explicit_bzero(message, work->message_len);
  return status;
}

static ow_status do_sign(struct ow_pka *pka, void *user) {
  struct work *work = user;
  uint8_t mu[OW_MLDSA_MU_BYTES];
  struct ow_mldsa *mldsa = open_lane(pka);
  ow_status status = make_mu(mldsa, mu, work->private + OW_MLDSA_TR_OFFSET, work);
  if (status == OW_OK) {
    status = ow_mldsa_sign(mldsa, work->signature, work->set, work->private, mu, work->seed);
  }
  ow_mldsa_close(mldsa);
  return status;
}

static ow_status do_verify(struct ow_pka *pka, void *user) {
  struct work *work = user;
  uint8_t tr[OW_MLDSA_TR_BYTES], mu[OW_MLDSA_MU_BYTES];
  struct ow_mldsa *mldsa = open_lane(pka);
  ow_status status = ow_mldsa_tr(mldsa, tr, work->set, work->public);
  if (status == OW_OK) {
    status = make_mu(mldsa, mu, tr, work);
  }
  if (status == OW_OK) {
    status = ow_mldsa_verify(mldsa, work->set, work->public, mu, work->signature);
  }
  ow_mldsa_close(mldsa);
  return status;
}

static ow_status do_generate(struct ow_pka *pka, void *user) {
  struct work *work = user;
  struct ow_mldsa *mldsa = open_lane(pka);
  ow_status status = ow_mldsa_generate(mldsa, work->public, work->private, work->set, work->seed);
  ow_mldsa_close(mldsa);
  return status;
}

static bool run(struct ow_offload *offload, uint8_t opcode, struct work *work,
                ow_operate *operate) {
  return ow_offload_operate(offload, opcode, OW_MLDSA_PUBLIC_BYTES(work->set), operate, work, NULL,
                            NULL);
}

/* Fills in the message. False: the device cannot do it. wolfSSL has hashed a message for HashML-DSA
 * already; and if it has the functions of before FIPS 204, a request without a context may be one
 * of theirs. */
static bool prepare(struct work *work, const byte *message, word32 message_len, const byte *context,
                    byte context_len, word32 hash) {
#ifdef WOLFSSL_MLDSA_NO_CTX
  if (context == NULL) {
    return false;
  }
#endif
  work->context = (struct ow_mldsa_context){.bytes = context, .length = context_len};
  work->message = message;
  work->message_len = message_len;
  return hash == WC_HASH_TYPE_NONE && message_len <= MESSAGE_MAX;
}

static int sign(struct ow_offload *offload, struct work *work, wc_CryptoInfo *info) {
  word32 length = (word32)OW_MLDSA_PRIVATE_BYTES(work->set);
  const word32 signature_len = (word32)OW_MLDSA_SIGNATURE_BYTES(work->set);
  if (info->pk.pqc_sign.rng == NULL || *info->pk.pqc_sign.outlen < signature_len ||
      !prepare(work, info->pk.pqc_sign.in, info->pk.pqc_sign.inlen, info->pk.pqc_sign.context,
               info->pk.pqc_sign.contextLen, info->pk.pqc_sign.preHashType) ||
      wc_MlDsaKey_ExportPrivRaw(info->pk.pqc_sign.key, work->private, &length) != 0 ||
      wc_RNG_GenerateBlock(info->pk.pqc_sign.rng, work->seed, sizeof(work->seed)) != 0) {
    ow_offload_count(offload, OW_OP_MLDSA_SIGN, OW_FALLBACK_OPCODE, signature_len);
    return CRYPTOCB_UNAVAILABLE;
  }
  if (!run(offload, OW_OP_MLDSA_SIGN, work, do_sign)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(info->pk.pqc_sign.out, work->signature, signature_len);
  *info->pk.pqc_sign.outlen = signature_len;
  return 0;
}

/* Verifies. If the device finds a signature wrong, software checks it again. */
static int verify(struct ow_offload *offload, struct work *work, wc_CryptoInfo *info) {
  word32 length = (word32)OW_MLDSA_PUBLIC_BYTES(work->set);
  const word32 signature_len = (word32)OW_MLDSA_SIGNATURE_BYTES(work->set);
  if (info->pk.pqc_verify.siglen != signature_len ||
      !prepare(work, info->pk.pqc_verify.msg, info->pk.pqc_verify.msglen,
               info->pk.pqc_verify.context, info->pk.pqc_verify.contextLen,
               info->pk.pqc_verify.preHashType) ||
      wc_MlDsaKey_ExportPubRaw(info->pk.pqc_verify.key, work->public, &length) != 0) {
    ow_offload_count(offload, OW_OP_MLDSA_VERIFY, OW_FALLBACK_OPCODE, signature_len);
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(work->signature, info->pk.pqc_verify.sig, signature_len);
  if (!run(offload, OW_OP_MLDSA_VERIFY, work, do_verify)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  *info->pk.pqc_verify.res = 1;
  return 0;
}

static int generate(struct ow_offload *offload, struct work *work, wc_CryptoInfo *info) {
  if (info->pk.pqc_sig_kg.rng == NULL ||
      wc_RNG_GenerateBlock(info->pk.pqc_sig_kg.rng, work->seed, sizeof(work->seed)) != 0 ||
      !run(offload, OW_OP_MLDSA_KEYGEN, work, do_generate)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  return wc_MlDsaKey_ImportKey(info->pk.pqc_sig_kg.key, work->private,
                               (word32)OW_MLDSA_PRIVATE_BYTES(work->set), work->public,
                               (word32)OW_MLDSA_PUBLIC_BYTES(work->set));
}

/* The key, the opcode, and the function for an operation. */
struct dispatch {
  wc_MlDsaKey *key;
  int type;
  uint8_t opcode;
  int (*go)(struct ow_offload *offload, struct work *work, wc_CryptoInfo *info);
};

static struct dispatch dispatch_for(wc_CryptoInfo *info) {
  switch (info->pk.type) {
  case WC_PK_TYPE_PQC_SIG_KEYGEN:
    return (struct dispatch){info->pk.pqc_sig_kg.key, info->pk.pqc_sig_kg.type, OW_OP_MLDSA_KEYGEN,
                             generate};
  case WC_PK_TYPE_PQC_SIG_SIGN:
    return (struct dispatch){info->pk.pqc_sign.key, info->pk.pqc_sign.type, OW_OP_MLDSA_SIGN, sign};
  default:
    return (struct dispatch){info->pk.pqc_verify.key, info->pk.pqc_verify.type, OW_OP_MLDSA_VERIFY,
                             verify};
  }
}

int ow_wolfssl_mldsa(struct ow_offload *offload, wc_CryptoInfo *info) {
  const struct dispatch dispatch = dispatch_for(info);
  enum ow_mldsa_set set;
  if (dispatch.type != WC_PQC_SIG_TYPE_MLDSA || !set_of(&set, dispatch.key) ||
      !ow_offload_wants(offload, dispatch.opcode, 0, false, OW_MLDSA_PUBLIC_BYTES(set))) {
    return CRYPTOCB_UNAVAILABLE;
  }
  struct work *work = XMALLOC(sizeof(*work), dispatch.key->heap, DYNAMIC_TYPE_TMP_BUFFER);
  if (work == NULL) {
    return CRYPTOCB_UNAVAILABLE; /* software reports the error */
  }
  work->set = set;
  int result = dispatch.go(offload, work, info);
  explicit_bzero(work, sizeof(*work));
  XFREE(work, dispatch.key->heap, DYNAMIC_TYPE_TMP_BUFFER);
  return result;
}

#endif
