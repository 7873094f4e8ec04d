/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of Mbed TLS's public keys: RSA by the Chinese remainder theorem, blinded; curves with its
 * fast reduction.
 *
 * A key of RSA is loaded as one that has been used before: with the values that Mbed TLS makes in a
 * key's first operation, to blind and to multiply in Montgomery's form.
 */
#include <mbedtls/ecdh.h>
#include <mbedtls/ecdsa.h>
#include <mbedtls/rsa.h>
#include <mbedtls/version.h>

#include "pka.h"

struct context {
  struct ow_lab_setting setting;
  mbedtls_rsa_context rsa;
  mbedtls_ecp_group group;
  mbedtls_mpi d, r, s;
  mbedtls_ecp_point public, other;
};

static int random_bytes(void *context, unsigned char *bytes, size_t length) {
  (void)context;
  pka_random(bytes, length);
  return 0;
}

static const char *version(void) {
  return MBEDTLS_VERSION_STRING_FULL;
}

static const char *instructions(void) {
  return "aes=0";
}

static const char *refuses(const struct ow_lab_setting *setting) {
  return setting->length <= PKA_BYTES_MAX ? NULL : "its numbers are too long";
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (context != NULL) {
    context->setting = *setting;
    mbedtls_rsa_init(&context->rsa);
    mbedtls_ecp_group_init(&context->group);
    mbedtls_mpi_init(&context->d);
    mbedtls_mpi_init(&context->r);
    mbedtls_mpi_init(&context->s);
    mbedtls_ecp_point_init(&context->public);
    mbedtls_ecp_point_init(&context->other);
  }
  return context;
}

static void close_context(void *opened) {
  struct context *context = opened;
  mbedtls_rsa_free(&context->rsa);
  mbedtls_ecp_group_free(&context->group);
  mbedtls_mpi_free(&context->d);
  mbedtls_mpi_free(&context->r);
  mbedtls_mpi_free(&context->s);
  mbedtls_ecp_point_free(&context->public);
  mbedtls_ecp_point_free(&context->other);
  ow_lab_wipe(context, sizeof *context);
  free(context);
}

/* Lets Mbed TLS keep what it needs for powers modulo this number. */
static bool prepare_powers(const mbedtls_rsa_context *rsa, const mbedtls_mpi *modulus,
                           mbedtls_mpi *prepared) {
  mbedtls_mpi power;
  mbedtls_mpi_init(&power);
  const mbedtls_mpi *const e = &rsa->MBEDTLS_PRIVATE(E);
  const int error = mbedtls_mpi_exp_mod(&power, e, e, modulus, prepared);
  mbedtls_mpi_free(&power);
  return error == 0;
}

static bool load_rsa(struct context *context, const uint8_t *key) {
  const size_t length = context->setting.length, half = length / 2u;
  mbedtls_rsa_context *const rsa = &context->rsa;
  return mbedtls_rsa_import_raw(rsa, key, length, pka_rsa_number(key, length, PKA_P), half,
                                pka_rsa_number(key, length, PKA_Q), half, NULL, 0,
                                pka_rsa_number(key, length, PKA_E), PKA_EXPONENT_BYTES) == 0 &&
         mbedtls_rsa_complete(rsa) == 0 &&
         mbedtls_mpi_read_binary(&rsa->MBEDTLS_PRIVATE(Vf), pka_rsa_unblinding(key, length),
                                 length) == 0 &&
         mbedtls_mpi_read_binary(&rsa->MBEDTLS_PRIVATE(Vi), pka_rsa_blinding(key, length),
                                 length) == 0 &&
         prepare_powers(rsa, &rsa->MBEDTLS_PRIVATE(N), &rsa->MBEDTLS_PRIVATE(RN)) &&
         prepare_powers(rsa, &rsa->MBEDTLS_PRIVATE(P), &rsa->MBEDTLS_PRIVATE(RP)) &&
         prepare_powers(rsa, &rsa->MBEDTLS_PRIVATE(Q), &rsa->MBEDTLS_PRIVATE(RQ));
}

/* Reads x, y. */
static bool read_point(struct context *context, mbedtls_ecp_point *point, const uint8_t *bytes) {
  const size_t length = 2u * (size_t)context->setting.length;
  uint8_t coded[1u + 2u * PKA_BYTES_MAX] = {4};
  memcpy(coded + 1, bytes, length);
  return mbedtls_ecp_point_read_binary(&context->group, point, coded, 1u + length) == 0;
}

static bool load_curve(struct context *context, const uint8_t *key) {
  const size_t length = context->setting.length;
  const uint8_t *const signature = pka_signature(key, length);
  return mbedtls_ecp_group_load(&context->group, MBEDTLS_ECP_DP_SECP256R1) == 0 &&
         mbedtls_mpi_read_binary(&context->d, key, length) == 0 &&
         mbedtls_mpi_read_binary(&context->r, signature, length) == 0 &&
         mbedtls_mpi_read_binary(&context->s, signature + length, length) == 0 &&
         read_point(context, &context->public, pka_point(key, length)) &&
         read_point(context, &context->other, pka_other_point(key, length));
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  return pka_is_rsa(&context->setting) ? load_rsa(context, key) : load_curve(context, key);
}

static bool sign(struct context *context, struct ow_lab_message *message) {
  const size_t length = context->setting.length;
  return mbedtls_ecdsa_sign(&context->group, &context->r, &context->s, &context->d, message->source,
                            length, random_bytes, NULL) == 0 &&
         mbedtls_mpi_write_binary(&context->r, message->destination, length) == 0 &&
         mbedtls_mpi_write_binary(&context->s, message->destination + length, length) == 0;
}

static bool derive(struct context *context, struct ow_lab_message *message) {
  const size_t length = context->setting.length;
  return mbedtls_ecdh_compute_shared(&context->group, &context->r, &context->other, &context->d,
                                     random_bytes, NULL) == 0 &&
         mbedtls_mpi_write_binary(&context->r, message->destination, length) == 0;
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  (void)key;
  switch (context->setting.opcode) {
  case OW_OP_RSA_PUBLIC:
    return mbedtls_rsa_public(&context->rsa, message->source, message->destination) == 0;
  case OW_OP_RSA_PRIVATE:
    return mbedtls_rsa_private(&context->rsa, random_bytes, NULL, message->source,
                               message->destination) == 0;
  case OW_OP_EC_SIGN:
    return sign(context, message);
  case OW_OP_EC_VERIFY:
    return mbedtls_ecdsa_verify(&context->group, message->source, context->setting.length,
                                &context->public, &context->r, &context->s) == 0;
  default:
    return derive(context, message);
  }
}

const struct ow_lab_calls *ow_lab_adapter(const char *library) {
  static const struct ow_lab_calls calls = {
      .version = version,
      .instructions = instructions,
      .refuses = refuses,
      .open = open_context,
      .set_key = set_key,
      .message = message_in,
      .close = close_context,
  };
  (void)library;
  return &calls;
}
