/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-KEM (FIPS 203). Random bytes are wolfSSL's, as for its own keys.
 */
#include "families.h"

#include <outwork/mlkem.h>

#ifdef OUTWORK_WOLFSSL_MLKEM
#include <wolfssl/wolfcrypt/wc_mlkem.h>

/* What a job reads and writes. Secret; wiped after use. */
struct work {
  uint8_t key[OW_MLKEM_KEY_BYTES];
  uint8_t input[OW_MLKEM_INPUT_BYTES];
  uint8_t output[OW_MLKEM_KEY_BYTES];
  struct ow_request request;
  /* the parameter set */
  uint8_t k;
};

static bool set_of(enum ow_mlkem_set *set, const MlKemKey *key) {
  switch (key->type) {
  case WC_ML_KEM_512:
    *set = OW_MLKEM_512;
    return true;
  case WC_ML_KEM_768:
    *set = OW_MLKEM_768;
    return true;
  case WC_ML_KEM_1024:
    *set = OW_MLKEM_1024;
    return true;
  default:
    return false;
  }
}

/* Runs the job on `length` bytes of the input, with the key if `key_len` is not 0. */
static bool run(struct ow_offload *offload, struct work *work, uint8_t opcode, size_t key_len,
                size_t length, size_t output_len) {
  work->request = (struct ow_request){
      .opcode = opcode,
      .iv = &work->k,
      .iv_len = 1,
      .key = opcode == OW_OP_MLKEM_DECAPSULATE ? work->key : NULL,
      .aad = key_len != 0 ? work->key : NULL,
      .aad_len = (uint32_t)key_len,
      .input = work->input,
      .length = (uint32_t)length,
      .output = work->output,
      .output_len = (uint32_t)output_len,
  };
  return ow_offload_run(offload, &work->request);
}

static int generate(struct ow_offload *offload, struct work *work, enum ow_mlkem_set set,
                    wc_CryptoInfo *info) {
  const word32 seeds = 2u * OW_MLKEM_SEED_BYTES;
  if (info->pk.pqc_kem_kg.rng == NULL ||
      wc_RNG_GenerateBlock(info->pk.pqc_kem_kg.rng, work->input, seeds) != 0 ||
      !run(offload, work, OW_OP_MLKEM_KEYGEN, 0, seeds, OW_MLKEM_DK_BYTES(set))) {
    return CRYPTOCB_UNAVAILABLE;
  }
  return wc_MlKemKey_DecodePrivateKey(info->pk.pqc_kem_kg.key, work->output,
                                      (word32)OW_MLKEM_DK_BYTES(set));
}

static int encapsulate(struct ow_offload *offload, struct work *work, enum ow_mlkem_set set,
                       wc_CryptoInfo *info) {
  const word32 length = (word32)OW_MLKEM_CIPHERTEXT_BYTES(set);
  if (info->pk.pqc_encaps.rng == NULL || info->pk.pqc_encaps.ciphertextLen < length ||
      info->pk.pqc_encaps.sharedSecretLen < OW_MLKEM_SECRET_BYTES ||
      wc_MlKemKey_EncodePublicKey(info->pk.pqc_encaps.key, work->key,
                                  (word32)OW_MLKEM_EK_BYTES(set)) != 0 ||
      wc_RNG_GenerateBlock(info->pk.pqc_encaps.rng, work->input, OW_MLKEM_SEED_BYTES) != 0 ||
      !run(offload, work, OW_OP_MLKEM_ENCAPSULATE, OW_MLKEM_EK_BYTES(set), OW_MLKEM_SEED_BYTES,
           length + OW_MLKEM_SECRET_BYTES)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(info->pk.pqc_encaps.ciphertext, work->output, length);
  memcpy(info->pk.pqc_encaps.sharedSecret, work->output + length, OW_MLKEM_SECRET_BYTES);
  return 0;
}

static int decapsulate(struct ow_offload *offload, struct work *work, enum ow_mlkem_set set,
                       wc_CryptoInfo *info) {
  const word32 length = (word32)OW_MLKEM_CIPHERTEXT_BYTES(set);
  if (info->pk.pqc_decaps.ciphertextLen != length ||
      info->pk.pqc_decaps.sharedSecretLen < OW_MLKEM_SECRET_BYTES ||
      wc_MlKemKey_EncodePrivateKey(info->pk.pqc_decaps.key, work->key,
                                   (word32)OW_MLKEM_DK_BYTES(set)) != 0) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(work->input, info->pk.pqc_decaps.ciphertext, length);
  if (!run(offload, work, OW_OP_MLKEM_DECAPSULATE, OW_MLKEM_DK_BYTES(set), length,
           OW_MLKEM_SECRET_BYTES)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(info->pk.pqc_decaps.sharedSecret, work->output, OW_MLKEM_SECRET_BYTES);
  return 0;
}

/* The key, the opcode, and the function for an operation. */
struct dispatch {
  MlKemKey *key;
  int type;
  uint8_t opcode;
  int (*go)(struct ow_offload *offload, struct work *work, enum ow_mlkem_set set,
            wc_CryptoInfo *info);
};

static struct dispatch dispatch_for(wc_CryptoInfo *info) {
  switch (info->pk.type) {
  case WC_PK_TYPE_PQC_KEM_KEYGEN:
    return (struct dispatch){info->pk.pqc_kem_kg.key, info->pk.pqc_kem_kg.type, OW_OP_MLKEM_KEYGEN,
                             generate};
  case WC_PK_TYPE_PQC_KEM_ENCAPS:
    return (struct dispatch){info->pk.pqc_encaps.key, info->pk.pqc_encaps.type,
                             OW_OP_MLKEM_ENCAPSULATE, encapsulate};
  default:
    return (struct dispatch){info->pk.pqc_decaps.key, info->pk.pqc_decaps.type,
                             OW_OP_MLKEM_DECAPSULATE, decapsulate};
  }
}

int ow_wolfssl_mlkem(struct ow_offload *offload, wc_CryptoInfo *info) {
  const struct dispatch dispatch = dispatch_for(info);
  enum ow_mlkem_set set;
  if (dispatch.type != WC_PQC_KEM_TYPE_MLKEM || !set_of(&set, dispatch.key) ||
      !ow_offload_wants(offload, dispatch.opcode, 0, false, OW_MLKEM_EK_BYTES(set))) {
    return CRYPTOCB_UNAVAILABLE;
  }
  struct work *work = XMALLOC(sizeof(*work), dispatch.key->heap, DYNAMIC_TYPE_TMP_BUFFER);
  if (work == NULL) {
    return CRYPTOCB_UNAVAILABLE; /* software reports the error */
  }
  work->k = (uint8_t)set;
  int result = dispatch.go(offload, work, set, info);
  explicit_bzero(work, sizeof(*work));
  XFREE(work, dispatch.key->heap, DYNAMIC_TYPE_TMP_BUFFER);
  return result;
}

#endif
