/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device's lattice engine: ML-KEM and ML-DSA of libcrypto's default provider, in a library
 * context of its own, which cannot come back to the provider that waits for this job.
 */
#include "fake_lattice.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/params.h>
#include <string.h>

#if OPENSSL_VERSION_PREREQ(3, 5)

#include "outwork/mldsa.h"
#include "outwork/mlkem.h"

/* Returns a context with the job's key; NULL: it is none. */
static EVP_PKEY_CTX *key_context(OSSL_LIB_CTX *libctx, const struct fake_pka_job *job,
                                 const char *type, const char *part, size_t length) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_octet_string(part, (void *)(uintptr_t)job->key, job->key_len),
      OSSL_PARAM_construct_end()};
  EVP_PKEY_CTX *made = NULL, *ctx = EVP_PKEY_CTX_new_from_name(libctx, type, NULL);
  if (job->key_len == length && EVP_PKEY_fromdata_init(ctx) > 0 &&
      EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params) > 0) {
    made = EVP_PKEY_CTX_new_from_pkey(libctx, key, NULL);
  }
  EVP_PKEY_free(key);
  EVP_PKEY_CTX_free(ctx);
  return made;
}

static unsigned generate(OSSL_LIB_CTX *libctx, struct fake_pka_job *job, const char *type,
                         enum ow_mlkem_set set) {
  const struct fake_pka_job seed = {.key = job->input, .key_len = job->input_len};
  EVP_PKEY_CTX *ctx =
      key_context(libctx, &seed, type, OSSL_PKEY_PARAM_ML_KEM_SEED, 2u * OW_MLKEM_SEED_BYTES);
  bool good = ctx != NULL && EVP_PKEY_get_octet_string_param(
                                 EVP_PKEY_CTX_get0_pkey(ctx), OSSL_PKEY_PARAM_PRIV_KEY, job->output,
                                 OW_MLKEM_DK_BYTES(set), &job->output_len) > 0;
  EVP_PKEY_CTX_free(ctx);
  return good ? OW_DEVICE_OK : OW_DEVICE_BAD_OPERAND;
}

static unsigned encapsulate(OSSL_LIB_CTX *libctx, struct fake_pka_job *job, const char *type,
                            enum ow_mlkem_set set) {
  size_t length = OW_MLKEM_CIPHERTEXT_BYTES(set), secret_len = OW_MLKEM_SECRET_BYTES;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(
                             OSSL_KEM_PARAM_IKME, (void *)(uintptr_t)job->input, job->input_len),
                         OSSL_PARAM_construct_end()};
  EVP_PKEY_CTX *ctx =
      key_context(libctx, job, type, OSSL_PKEY_PARAM_PUB_KEY, OW_MLKEM_EK_BYTES(set));
  bool good =
      ctx != NULL && job->input_len == OW_MLKEM_SEED_BYTES &&
      EVP_PKEY_encapsulate_init(ctx, params) > 0 &&
      EVP_PKEY_encapsulate(ctx, job->output, &length, job->output + length, &secret_len) > 0;
  job->output_len = length + secret_len;
  EVP_PKEY_CTX_free(ctx);
  return good ? OW_DEVICE_OK : OW_DEVICE_BAD_OPERAND;
}

static unsigned decapsulate(OSSL_LIB_CTX *libctx, struct fake_pka_job *job, const char *type,
                            enum ow_mlkem_set set) {
  EVP_PKEY_CTX *ctx =
      key_context(libctx, job, type, OSSL_PKEY_PARAM_PRIV_KEY, OW_MLKEM_DK_BYTES(set));
  job->output_len = OW_MLKEM_SECRET_BYTES;
  bool good =
      ctx != NULL && job->input_len == OW_MLKEM_CIPHERTEXT_BYTES(set) &&
      EVP_PKEY_decapsulate_init(ctx, NULL) > 0 &&
      EVP_PKEY_decapsulate(ctx, job->output, &job->output_len, job->input, job->input_len) > 0;
  EVP_PKEY_CTX_free(ctx);
  return good ? OW_DEVICE_OK : OW_DEVICE_BAD_OPERAND;
}

static unsigned run_mlkem(OSSL_LIB_CTX *libctx, struct fake_pka_job *job) {
  static const char *const types[] = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"};
  enum ow_mlkem_set set = (enum ow_mlkem_set)job->parameters[0];
  if (set < OW_MLKEM_512 || set > OW_MLKEM_1024) {
    return OW_DEVICE_BAD_OPERAND;
  }
  const char *type = types[set - OW_MLKEM_512];
  return job->opcode == OW_OP_MLKEM_KEYGEN        ? generate(libctx, job, type, set)
         : job->opcode == OW_OP_MLKEM_ENCAPSULATE ? encapsulate(libctx, job, type, set)
                                                  : decapsulate(libctx, job, type, set);
}

/* Signs or verifies mu. */
static unsigned run_mldsa(OSSL_LIB_CTX *libctx, struct fake_pka_job *job) {
  const enum ow_mldsa_set set = (enum ow_mldsa_set)job->parameters[0];
  const char *type = set == OW_MLDSA_44   ? "ML-DSA-44"
                     : set == OW_MLDSA_65 ? "ML-DSA-65"
                                          : "ML-DSA-87";
  const size_t length = OW_MLDSA_SIGNATURE_BYTES(set);
  bool signs = job->opcode == OW_OP_MLDSA_SIGN, good = false;
  int is_mu = 1;
  uint8_t *rest = (uint8_t *)(uintptr_t)job->input + OW_MLDSA_MU_BYTES;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_MU, &is_mu),
                         signs ? OSSL_PARAM_construct_octet_string(
                                     OSSL_SIGNATURE_PARAM_TEST_ENTROPY, rest, OW_MLDSA_SEED_BYTES)
                               : OSSL_PARAM_construct_end(),
                         OSSL_PARAM_construct_end()};
  EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(libctx, type, NULL);
  EVP_PKEY_CTX *ctx =
      signs ? key_context(libctx, job, type, OSSL_PKEY_PARAM_PRIV_KEY, OW_MLDSA_PRIVATE_BYTES(set))
            : key_context(libctx, job, type, OSSL_PKEY_PARAM_PUB_KEY, OW_MLDSA_PUBLIC_BYTES(set));
  unsigned failure = ctx == NULL || signs ? OW_DEVICE_BAD_OPERAND : OW_DEVICE_AUTH_FAILED;
  if (ctx != NULL && signs) {
    job->output_len = length;
    good = job->input_len == OW_MLDSA_MU_BYTES + OW_MLDSA_SEED_BYTES &&
           EVP_PKEY_sign_message_init(ctx, signature, params) > 0 &&
           EVP_PKEY_sign(ctx, job->output, &job->output_len, job->input, OW_MLDSA_MU_BYTES) > 0;
  } else if (ctx != NULL) {
    good = job->input_len == OW_MLDSA_MU_BYTES + length &&
           EVP_PKEY_verify_message_init(ctx, signature, params) > 0 &&
           EVP_PKEY_verify(ctx, rest, length, job->input, OW_MLDSA_MU_BYTES) > 0;
  }
  EVP_PKEY_CTX_free(ctx);
  EVP_SIGNATURE_free(signature);
  return good ? OW_DEVICE_OK : failure;
}

static unsigned run(struct fake_pka_job *job) {
  OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
  unsigned status = OW_DEVICE_BAD_OPCODE;
  if (job->opcode >= OW_OP_MLKEM_KEYGEN && job->opcode <= OW_OP_MLKEM_DECAPSULATE) {
    status = run_mlkem(libctx, job);
  } else if (job->opcode == OW_OP_MLDSA_SIGN || job->opcode == OW_OP_MLDSA_VERIFY) {
    status = run_mldsa(libctx, job);
  }
  OSSL_LIB_CTX_free(libctx);
  return status;
}

void fake_lattice_fit(struct fake_device *fake) {
  const uint32_t opcodes = 1u << (OW_OP_MLKEM_KEYGEN & 15u) |
                           1u << (OW_OP_MLKEM_ENCAPSULATE & 15u) |
                           1u << (OW_OP_MLKEM_DECAPSULATE & 15u) | 1u << (OW_OP_MLDSA_SIGN & 15u) |
                           1u << (OW_OP_MLDSA_VERIFY & 15u);
  fake->registers[OW_GLOBAL_ENGINES_OFFSET / 4] |= 1u << OW_ENGINE_LATTICE;
  fake->registers[OW_GLOBAL_LATTICE_OFFSET / 4] =
      opcodes << OW_GLOBAL_LATTICE_OPERATIONS_SHIFT | 1u << OW_GLOBAL_LATTICE_VERSION_SHIFT;
  fake->lattice = run;
}

#else

void fake_lattice_fit(struct fake_device *fake) {
  (void)fake; /* this libcrypto has neither */
}

#endif
