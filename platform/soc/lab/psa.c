/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of PSA: Mbed TLS with the project's driver. POINT_POLICY says who does the work:
 * `always`, the accelerator, or `never`, the library's software. A context has a key of PSA.
 */
#include <mbedtls/version.h>
#include <psa/crypto.h>

#include "adapter.h"
#include "library.h"
#include "outwork_psa.h"
#include "point.h"

struct context {
  struct ow_lab_setting setting;
  psa_algorithm_t alg;
  psa_key_id_t key;
};

static struct ow_offload_settings settings = {.policy = POINT_POLICY};

void library_environment(struct ow_platform *platform, struct ow_offload_firmware *firmware) {
  (void)firmware;
  point_platform(platform);
}

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length) {
  (void)context;
  library_random(output, output_size);
  *output_length = output_size;
  return PSA_SUCCESS;
}

static const char *version(void) {
  return MBEDTLS_VERSION_STRING_FULL;
}

static const char *instructions(void) {
  return "aes=0";
}

static psa_algorithm_t hash_of(uint32_t opcode) {
  static const psa_algorithm_t hashes[16] = {
      PSA_ALG_SHA_1,    PSA_ALG_SHA_224,  PSA_ALG_SHA_256,
      PSA_ALG_SHA_384,  PSA_ALG_SHA_512,  [OW_OP_SHA3_224 & 15] = PSA_ALG_SHA3_224,
      PSA_ALG_SHA3_256, PSA_ALG_SHA3_384, PSA_ALG_SHA3_512,
  };
  return hashes[opcode & 15];
}

/* Returns PSA's name of an opcode; 0: it has none. */
static psa_algorithm_t algorithm_of(uint32_t opcode) {
  switch (opcode) {
  case OW_OP_AES_ECB:
    return PSA_ALG_ECB_NO_PADDING;
  case OW_OP_AES_CBC:
    return PSA_ALG_CBC_NO_PADDING;
  case OW_OP_AES_CTR:
    return PSA_ALG_CTR;
  case OW_OP_AES_GCM:
    return PSA_ALG_GCM;
  case OW_OP_AES_CCM:
    return PSA_ALG_CCM;
  case OW_OP_AES_CMAC:
    return PSA_ALG_CMAC;
  default:
    break;
  }
  const psa_algorithm_t hash =
      ow_lab_is_hash(opcode) || ow_lab_is_hash_mac(opcode) ? hash_of(opcode) : 0;
  return hash == 0 || ow_lab_is_hash(opcode) ? hash : PSA_ALG_HMAC(hash);
}

static const char *refuses(const struct ow_lab_setting *setting) {
  if (algorithm_of(setting->opcode) == 0) {
    return "PSA does not have it";
  }
  return setting->is_kept                     ? "messages in pieces are not measured through PSA"
         : setting->length > OW_REQUEST_BYTES ? "at most 64 KiB go to the device in one job"
                                              : NULL;
}

static uint32_t finish(void) {
  return library_jobs();
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (context != NULL) {
    context->setting = *setting;
    context->alg = algorithm_of(setting->opcode);
    if (PSA_ALG_IS_AEAD(context->alg)) {
      context->alg = PSA_ALG_AEAD_WITH_SHORTENED_TAG(context->alg, setting->tag_len);
    }
  }
  return context;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  if (ow_lab_is_hash(context->setting.opcode)) {
    return 1;
  }
  psa_set_key_type(&attributes,
                   PSA_ALG_IS_HMAC(context->alg) ? PSA_KEY_TYPE_HMAC : PSA_KEY_TYPE_AES);
  psa_set_key_algorithm(&attributes, context->alg);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT |
                                           PSA_KEY_USAGE_SIGN_MESSAGE |
                                           PSA_KEY_USAGE_VERIFY_MESSAGE);
  return psa_destroy_key(context->key) == PSA_SUCCESS &&
         psa_import_key(&attributes, key, context->setting.key_len, &context->key) == PSA_SUCCESS;
}

static psa_status_t aead(const struct context *context, struct ow_lab_message *message) {
  const struct ow_lab_setting *setting = &context->setting;
  const size_t length = setting->length, whole = length + setting->tag_len;
  size_t made = 0;
  if (setting->is_inverse) { /* the tag follows the text */
    return psa_aead_decrypt(context->key, context->alg, message->iv, setting->iv_len, NULL, 0,
                            message->source, whole, message->destination, length, &made);
  }
  const psa_status_t status =
      psa_aead_encrypt(context->key, context->alg, message->iv, setting->iv_len, NULL, 0,
                       message->source, length, message->destination, whole, &made);
  memcpy(message->tag, message->destination + length, setting->tag_len);
  return status;
}

static psa_status_t cipher(const struct context *context, struct ow_lab_message *message) {
  const struct ow_lab_setting *setting = &context->setting;
  const size_t length = setting->length;
  psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
  size_t made = 0, more = 0;
  psa_status_t status = setting->is_inverse
                            ? psa_cipher_decrypt_setup(&operation, context->key, context->alg)
                            : psa_cipher_encrypt_setup(&operation, context->key, context->alg);
  if (status == PSA_SUCCESS && setting->iv_len != 0) {
    status = psa_cipher_set_iv(&operation, message->iv, setting->iv_len);
  }
  if (status == PSA_SUCCESS) {
    status =
        psa_cipher_update(&operation, message->source, length, message->destination, length, &made);
  }
  if (status == PSA_SUCCESS) {
    status = psa_cipher_finish(&operation, message->destination + made, length - made, &more);
  }
  (void)psa_cipher_abort(&operation);
  return status;
}

static psa_status_t mac(const struct context *context, struct ow_lab_message *message) {
  const struct ow_lab_setting *setting = &context->setting;
  size_t made = 0;
  return setting->is_inverse
             ? psa_mac_verify(context->key, context->alg, message->source, setting->length,
                              message->expected, setting->tag_len)
             : psa_mac_compute(context->key, context->alg, message->source, setting->length,
                               message->tag, sizeof(message->tag), &made);
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  size_t made = 0;
  if (key != NULL && !set_key(context, key)) {
    return 0;
  }
  const psa_algorithm_t alg = context->alg;
  return (PSA_ALG_IS_AEAD(alg)     ? aead(context, message)
          : PSA_ALG_IS_CIPHER(alg) ? cipher(context, message)
          : PSA_ALG_IS_MAC(alg)
              ? mac(context, message)
              : psa_hash_compute(alg, message->source, context->setting.length, message->tag,
                                 sizeof(message->tag), &made)) == PSA_SUCCESS;
}

static void close_context(void *opened) {
  struct context *context = opened;
  (void)psa_destroy_key(context->key);
  ow_lab_wipe(context, sizeof *context);
  free(context);
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
  point_device.finish = finish;
  return library_open() && ow_psa_configure(&settings) && psa_crypto_init() == PSA_SUCCESS ? &calls
                                                                                           : NULL;
}
