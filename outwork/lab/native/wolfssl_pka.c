/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Public-key adapter of wolfSSL's wolfCrypt.
 */
#include <wolfssl/options.h>
#include <wolfssl/version.h>

#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/random.h>
#include <wolfssl/wolfcrypt/rsa.h>

#include "adapter_pka.h"

enum { EXPONENT = 65537 };

struct context {
  struct ow_lab_setting setting;
  WC_RNG random;
  RsaKey rsa;
  ecc_key key, other;
  uint8_t input[PKA_BYTES_MAX], output[PKA_BYTES_MAX];
  word32 output_len;
};

static const char *version(void) {
  return "wolfSSL " LIBWOLFSSL_VERSION_STRING;
}

static void close_context(void *opened) {
  struct context *context = opened;
  wc_FreeRsaKey(&context->rsa);
  wc_ecc_free(&context->key);
  wc_ecc_free(&context->other);
  wc_FreeRng(&context->random);
  ow_lab_wipe(context, sizeof *context);
  free(context);
}

static int rsa(struct context *context, int is_public, const uint8_t *input, uint8_t *output) {
  const word32 length = (word32)context->setting.length;
  word32 output_len = PKA_BYTES_MAX;
  return wc_RsaFunction(input, length, output, &output_len,
                        is_public ? RSA_PUBLIC_ENCRYPT : RSA_PRIVATE_DECRYPT, &context->rsa,
                        &context->random) == 0 &&
         output_len == length;
}

static int sign(struct context *context) {
  context->output_len = PKA_BYTES_MAX;
  return wc_ecc_sign_hash(context->input, PKA_DIGEST, context->output, &context->output_len,
                          &context->random, &context->key) == 0;
}

static int verify(struct context *context) {
  int good = 0;
  return wc_ecc_verify_hash(context->output, context->output_len, context->input, PKA_DIGEST, &good,
                            &context->key) == 0 &&
         good == 1;
}

static int derive(ecc_key *key, ecc_key *other, uint8_t *output, word32 *output_len) {
  *output_len = PKA_BYTES_MAX;
  return wc_ecc_shared_secret(key, other, output, output_len) == 0;
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
    return derive(&context->key, &context->other, context->output, &context->output_len);
  case OW_OP_EC_VERIFY:
    return verify(context);
  default:
    return sign(context);
  }
}

static int check_rsa(struct context *context) {
  uint8_t back[PKA_BYTES_MAX];
#ifdef WC_RSA_BLINDING
  if (wc_RsaSetRNG(&context->rsa, &context->random) != 0) {
    return 0;
  }
#endif
  return wc_MakeRsaKey(&context->rsa, (int)context->setting.key_len, EXPONENT, &context->random) ==
             0 &&
         message(context, NULL, NULL) &&
         rsa(context, context->setting.opcode != OW_OP_RSA_PUBLIC, context->output, back) &&
         memcmp(back, context->input, context->setting.length) == 0;
}

static int check_ecdsa(struct context *context) {
  if (!sign(context) || !verify(context)) {
    return 0;
  }
  context->input[0] ^= 1;
  const int refused = !verify(context);
  context->input[0] ^= 1;
  return refused;
}

static int check_ecdh(struct context *context) {
  uint8_t back[PKA_BYTES_MAX];
  word32 back_len;
  return derive(&context->key, &context->other, context->output, &context->output_len) &&
         derive(&context->other, &context->key, back, &back_len) &&
         back_len == context->output_len && memcmp(back, context->output, back_len) == 0;
}

static int make_key(struct context *context, ecc_key *key) {
  static const int curves[] = {ECC_SECP256R1, ECC_SECP384R1, ECC_SECP521R1, ECC_SECP256K1};
  if (wc_ecc_make_key_ex(&context->random, (int)context->setting.length, key,
                         curves[context->setting.iv_len]) != 0) {
    return 0;
  }
#ifdef ECC_TIMING_RESISTANT
  return wc_ecc_set_rng(key, &context->random) == 0;
#else
  return 1;
#endif
}

static int check_curve(struct context *context) {
  return make_key(context, &context->key) && make_key(context, &context->other) &&
         (context->setting.opcode == OW_OP_EC_MULTIPLY ? check_ecdh(context)
                                                       : check_ecdsa(context));
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (!context) {
    return NULL;
  }
  context->setting = *setting;
  ow_lab_fill(context->input, setting);
  if (wc_InitRng(&context->random) == 0 && wc_InitRsaKey(&context->rsa, NULL) == 0 &&
      wc_ecc_init(&context->key) == 0 && wc_ecc_init(&context->other) == 0 &&
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
