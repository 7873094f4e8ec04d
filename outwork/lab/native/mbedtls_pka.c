/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Public-key adapter of Mbed TLS, from its static library.
 */
#include "adapter_pka.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/ecdh.h>
#include <mbedtls/ecdsa.h>
#include <mbedtls/entropy.h>
#include <mbedtls/rsa.h>
#include <mbedtls/version.h>

enum { EXPONENT = 65537 };

struct context {
  struct ow_lab_setting setting;
  mbedtls_entropy_context entropy;
  mbedtls_ctr_drbg_context random;
  mbedtls_rsa_context rsa;
  mbedtls_ecp_group group;
  mbedtls_mpi d, other_d, r, s;
  mbedtls_ecp_point public, other;
  uint8_t input[PKA_BYTES_MAX], output[PKA_BYTES_MAX];
};

static const char *version(void) {
  return MBEDTLS_VERSION_STRING_FULL;
}

static void close_context(void *opened) {
  struct context *context = opened;
  mbedtls_rsa_free(&context->rsa);
  mbedtls_ecp_group_free(&context->group);
  mbedtls_mpi_free(&context->d);
  mbedtls_mpi_free(&context->other_d);
  mbedtls_mpi_free(&context->r);
  mbedtls_mpi_free(&context->s);
  mbedtls_ecp_point_free(&context->public);
  mbedtls_ecp_point_free(&context->other);
  mbedtls_ctr_drbg_free(&context->random);
  mbedtls_entropy_free(&context->entropy);
  ow_lab_wipe(context, sizeof *context);
  free(context);
}

static int rsa(struct context *context, int is_public, const uint8_t *input, uint8_t *output) {
  return (is_public ? mbedtls_rsa_public(&context->rsa, input, output)
                    : mbedtls_rsa_private(&context->rsa, mbedtls_ctr_drbg_random, &context->random,
                                          input, output)) == 0;
}

static int verify(struct context *context) {
  return mbedtls_ecdsa_verify(&context->group, context->input, PKA_DIGEST, &context->public,
                              &context->r, &context->s) == 0;
}

static int derive(struct context *context, const mbedtls_ecp_point *point, const mbedtls_mpi *d) {
  return mbedtls_ecdh_compute_shared(&context->group, &context->r, point, d,
                                     mbedtls_ctr_drbg_random, &context->random) == 0;
}

static int message(void *opened, struct ow_lab_message *unused, const uint8_t *key) {
  struct context *context = opened;
  (void)unused;
  (void)key;
  switch (context->setting.opcode) {
  case OW_OP_RSA_PUBLIC:
  case OW_OP_RSA_PRIVATE:
    return rsa(context, context->setting.opcode == OW_OP_RSA_PUBLIC, context->input,
               context->output);
  case OW_OP_EC_MULTIPLY:
    return derive(context, &context->other, &context->d);
  case OW_OP_EC_VERIFY:
    return verify(context);
  default:
    return mbedtls_ecdsa_sign(&context->group, &context->r, &context->s, &context->d,
                              context->input, PKA_DIGEST, mbedtls_ctr_drbg_random,
                              &context->random) == 0;
  }
}

static int check_rsa(struct context *context) {
  uint8_t back[PKA_BYTES_MAX];
  return mbedtls_rsa_gen_key(&context->rsa, mbedtls_ctr_drbg_random, &context->random,
                             context->setting.key_len, EXPONENT) == 0 &&
         message(context, NULL, NULL) &&
         rsa(context, context->setting.opcode != OW_OP_RSA_PUBLIC, context->output, back) &&
         memcmp(back, context->input, context->setting.length) == 0;
}

static int check_ecdsa(struct context *context) {
  if (mbedtls_ecdsa_sign(&context->group, &context->r, &context->s, &context->d, context->input,
                         PKA_DIGEST, mbedtls_ctr_drbg_random, &context->random) != 0 ||
      !verify(context)) {
    return 0;
  }
  context->input[0] ^= 1;
  const int refused = !verify(context);
  context->input[0] ^= 1;
  return refused;
}

static int check_ecdh(struct context *context) {
  return derive(context, &context->other, &context->d) &&
         mbedtls_mpi_copy(&context->s, &context->r) == 0 &&
         derive(context, &context->public, &context->other_d) &&
         mbedtls_mpi_cmp_mpi(&context->s, &context->r) == 0;
}

static int check_curve(struct context *context) {
  static const mbedtls_ecp_group_id curves[] = {MBEDTLS_ECP_DP_SECP256R1, MBEDTLS_ECP_DP_SECP384R1,
                                                MBEDTLS_ECP_DP_SECP521R1, MBEDTLS_ECP_DP_SECP256K1,
                                                MBEDTLS_ECP_DP_CURVE25519};
  if (mbedtls_ecp_group_load(&context->group, curves[context->setting.iv_len]) != 0 ||
      mbedtls_ecp_gen_keypair(&context->group, &context->d, &context->public,
                              mbedtls_ctr_drbg_random, &context->random) != 0 ||
      mbedtls_ecp_gen_keypair(&context->group, &context->other_d, &context->other,
                              mbedtls_ctr_drbg_random, &context->random) != 0) {
    return 0;
  }
  return context->setting.opcode == OW_OP_EC_MULTIPLY ? check_ecdh(context) : check_ecdsa(context);
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (!context) {
    return NULL;
  }
  context->setting = *setting;
  mbedtls_entropy_init(&context->entropy);
  mbedtls_ctr_drbg_init(&context->random);
#if MBEDTLS_VERSION_MAJOR >= 3
  mbedtls_rsa_init(&context->rsa);
#else
  mbedtls_rsa_init(&context->rsa, MBEDTLS_RSA_PKCS_V15, 0);
#endif
  mbedtls_ecp_group_init(&context->group); /* numbers and points start as zeros */
  mbedtls_mpi_init(&context->d);
  mbedtls_mpi_init(&context->other_d);
  mbedtls_mpi_init(&context->r);
  mbedtls_mpi_init(&context->s);
  mbedtls_ecp_point_init(&context->public);
  mbedtls_ecp_point_init(&context->other);
  ow_lab_fill(context->input, setting);
  if (mbedtls_ctr_drbg_seed(&context->random, mbedtls_entropy_func, &context->entropy, NULL, 0) ==
          0 &&
      (ow_lab_is_rsa(setting) ? check_rsa(context) : check_curve(context))) {
    return context;
  }
  close_context(context);
  return NULL;
}

static const struct ow_lab_calls calls = {
    .version = version,
    .instructions = version,
    .refuses = ow_lab_pka_refuses,
    .open = open_context,
    .message = message,
    .close = close_context,
};

OW_LAB_EXPORT const struct ow_lab_calls *ow_lab_adapter(const char *library) {
  (void)library;
  return &calls;
}
