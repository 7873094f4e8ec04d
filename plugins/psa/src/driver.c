/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Settings, and the opcode of each algorithm.
 */
#include "driver.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(struct ow_offload *) current;

bool ow_psa_configure(const struct ow_offload_settings *settings) {
  struct ow_offload *next = NULL;
  if (settings != NULL) {
    struct ow_offload_settings ours = *settings;
    ours.host = "psa";
    ours.may_pause = NULL;
    ours.pause = NULL;
    next = ow_offload_open(&ours);
  }
  struct ow_offload *last = atomic_exchange(&current, next);
  if (last != NULL) {
    ow_offload_close(last);
  }
  return next != NULL || settings == NULL;
}

struct ow_offload *ow_psa_offload(void) {
  return atomic_load_explicit(&current, memory_order_acquire);
}

#ifdef OUTWORK_FIRMWARE
static bool configure_from_environment(void) {
  return true; /* there is none: the program calls ow_psa_configure() */
}
#else
/* A program with more rights than its caller must not load a library that the caller names. */
static bool configure_from_environment(void) {
  const struct ow_offload_settings settings = {.platform = secure_getenv("OUTWORK_PSA_PLATFORM"),
                                               .library = secure_getenv("OUTWORK_PSA_LIBRARY"),
                                               .socket = secure_getenv("OUTWORK_PSA_SOCKET"),
                                               .policy = secure_getenv("OUTWORK_PSA_POLICY"),
                                               .counters = secure_getenv("OUTWORK_PSA_COUNTERS")};
  return settings.policy == NULL || ow_psa_configure(&settings);
}
#endif

psa_status_t outwork_transparent_init(void) {
  return ow_psa_offload() != NULL || configure_from_environment() ? PSA_SUCCESS
                                                                  : PSA_ERROR_INSUFFICIENT_MEMORY;
}

/* By now keys in slots have been destroyed. The settings stay after the library has closed. */
void outwork_transparent_free(void) {}

bool ow_psa_wants(uint8_t opcode, uint8_t key_len, bool decrypt, size_t length) {
  struct ow_offload *offload = ow_psa_offload();
  return offload != NULL && ow_offload_wants(offload, opcode, key_len, decrypt, length);
}

bool ow_psa_may_want(uint8_t opcode, uint8_t key_len, bool decrypt) {
  const struct ow_offload *offload = ow_psa_offload();
  return offload != NULL && ow_offload_floor(offload, opcode, key_len, decrypt) < UINT32_MAX;
}

uint8_t ow_psa_hash_opcode(psa_algorithm_t hash) {
  switch (hash) {
  case PSA_ALG_SHA_1:
    return OW_OP_SHA1;
  case PSA_ALG_SHA_224:
    return OW_OP_SHA224;
  case PSA_ALG_SHA_256:
    return OW_OP_SHA256;
  case PSA_ALG_SHA_384:
    return OW_OP_SHA384;
  case PSA_ALG_SHA_512:
    return OW_OP_SHA512;
  case PSA_ALG_SHA3_224:
    return OW_OP_SHA3_224;
  case PSA_ALG_SHA3_256:
    return OW_OP_SHA3_256;
  case PSA_ALG_SHA3_384:
    return OW_OP_SHA3_384;
  case PSA_ALG_SHA3_512:
    return OW_OP_SHA3_512;
  default:
    return 0;
  }
}

uint8_t ow_psa_hmac_opcode(psa_algorithm_t alg) {
  uint8_t hash = PSA_ALG_IS_HMAC(alg) ? ow_psa_hash_opcode(PSA_ALG_HMAC_GET_HASH(alg)) : 0;
  return hash == 0 ? 0 : (uint8_t)(hash - OW_OP_SHA1 + OW_OP_HMAC_SHA1);
}

static bool is_aes(const psa_key_attributes_t *attributes) {
  return psa_get_key_type(attributes) == PSA_KEY_TYPE_AES;
}

uint8_t ow_psa_cipher_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg) {
  if (!is_aes(attributes)) {
    return 0;
  }
  return alg == PSA_ALG_ECB_NO_PADDING   ? OW_OP_AES_ECB
         : alg == PSA_ALG_CBC_NO_PADDING ? OW_OP_AES_CBC
         : alg == PSA_ALG_CTR            ? OW_OP_AES_CTR
                                         : 0;
}

uint8_t ow_psa_cmac_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg) {
  return is_aes(attributes) && PSA_ALG_FULL_LENGTH_MAC(alg) == PSA_ALG_CMAC ? OW_OP_AES_CMAC : 0;
}

uint8_t ow_psa_aead_opcode(const psa_key_attributes_t *attributes, psa_algorithm_t alg) {
  if (!is_aes(attributes)) {
    return 0;
  }
  psa_algorithm_t base = PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg);
  return base == PSA_ALG_GCM ? OW_OP_AES_GCM : base == PSA_ALG_CCM ? OW_OP_AES_CCM : 0;
}
