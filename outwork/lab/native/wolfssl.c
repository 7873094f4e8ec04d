/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of wolfSSL's wolfCrypt. Its build options (options.h) decide whether it uses the CPU's
 * instructions.
 */
#include <wolfssl/options.h>
#include <wolfssl/version.h>

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/hmac.h>

#include "adapter.h"

struct context {
  Aes aes;
  XtsAes xts;
  Cmac cmac;
  wc_HashAlg hash;
  Hmac hmac;
  struct ow_lab_setting setting;
  uint8_t key[32]; /* for CMAC, which needs it with every message */
};

static const char *version(void) {
  return "wolfSSL " LIBWOLFSSL_VERSION_STRING;
}

static const char *instructions(void) {
#if defined(WOLFSSL_AESNI) || defined(WOLFSSL_ARMASM)
  return "aes=1";
#else
  return "aes=0";
#endif
}

/* Returns the hash for the opcode's low digit. */
static enum wc_HashType hash_of(uint32_t opcode) {
  static const enum wc_HashType types[16] = {
      WC_HASH_TYPE_SHA,      WC_HASH_TYPE_SHA224,   WC_HASH_TYPE_SHA256,   WC_HASH_TYPE_SHA384,
      WC_HASH_TYPE_SHA512,   WC_HASH_TYPE_NONE,     WC_HASH_TYPE_NONE,     WC_HASH_TYPE_NONE,
      WC_HASH_TYPE_SHA3_224, WC_HASH_TYPE_SHA3_256, WC_HASH_TYPE_SHA3_384, WC_HASH_TYPE_SHA3_512,
      WC_HASH_TYPE_NONE,     WC_HASH_TYPE_NONE,     WC_HASH_TYPE_NONE,     WC_HASH_TYPE_NONE};
  return types[opcode & 15];
}

static const char *refuses(const struct ow_lab_setting *setting) {
  if (ow_lab_is_hash(setting->opcode) || ow_lab_is_hash_mac(setting->opcode)) {
    return wc_HashGetDigestSize(hash_of(setting->opcode)) > 0 ? NULL
                                                              : "this build does not have it";
  }
  const char *rare = ow_lab_refuses_rare(setting);
  if (rare) {
    return rare;
  }
  const int is_gcm = setting->opcode == OW_OP_AES_GCM || setting->opcode == OW_OP_AES_GMAC;
  if (setting->length > UINT32_MAX) {
    return "its lengths have 32 bits";
  }
  return setting->is_kept && is_gcm ? "its calls for pieces are not in every build" : NULL;
}

static void close_context(void *opened) {
  struct context *context = opened;
  wc_AesFree(&context->aes);
  if (context->setting.opcode == OW_OP_AES_XTS) {
    wc_AesXtsFree(&context->xts);
  }
  ow_lab_wipe(context, sizeof *context);
  free(context);
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (!context) {
    return NULL;
  }
  context->setting = *setting;
  if (wc_AesInit(&context->aes, NULL, INVALID_DEVID) != 0) {
    free(context);
    return NULL;
  }
  return context;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  const int inverse = setting->is_inverse ? AES_DECRYPTION : AES_ENCRYPTION;
  if (ow_lab_is_hash(setting->opcode)) {
    return 1; /* a digest has none */
  }
  if (ow_lab_is_hash_mac(setting->opcode)) {
    return wc_HmacSetKey(&context->hmac, hash_of(setting->opcode), key, setting->key_len) == 0;
  }
  switch (setting->opcode) {
  case OW_OP_AES_ECB:
  case OW_OP_AES_CBC:
    return wc_AesSetKey(&context->aes, key, setting->key_len, NULL, inverse) == 0;
  case OW_OP_AES_CTR:
    return wc_AesSetKey(&context->aes, key, setting->key_len, NULL, AES_ENCRYPTION) == 0;
  case OW_OP_AES_XTS:
    return wc_AesXtsSetKey(&context->xts, key, setting->key_len, inverse, NULL, INVALID_DEVID) == 0;
  case OW_OP_AES_GCM:
  case OW_OP_AES_GMAC:
    return wc_AesGcmSetKey(&context->aes, key, setting->key_len) == 0;
  case OW_OP_AES_CCM:
    return wc_AesCcmSetKey(&context->aes, key, setting->key_len) == 0;
  default:
    memcpy(context->key, key, setting->key_len);
    return 1;
  }
}

static int begin(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  if (ow_lab_is_hash(context->setting.opcode)) {
    return wc_HashInit(&context->hash, hash_of(context->setting.opcode)) == 0;
  }
  if (ow_lab_is_hash_mac(context->setting.opcode)) {
    return 1; /* each final call restarts it */
  }
  if (context->setting.opcode == OW_OP_AES_CMAC) {
    return wc_InitCmac(&context->cmac, context->key, context->setting.key_len, WC_CMAC_AES, NULL) ==
           0;
  }
  return context->setting.iv_len == 0 || wc_AesSetIV(&context->aes, message->iv) == 0;
}

static int piece(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  const word32 length = (word32)setting->length;
  uint8_t *to = message->destination;
  const uint8_t *from = message->source;
  if (ow_lab_is_hash(setting->opcode)) {
    return wc_HashUpdate(&context->hash, hash_of(setting->opcode), from, length) == 0;
  }
  if (ow_lab_is_hash_mac(setting->opcode)) {
    return wc_HmacUpdate(&context->hmac, from, length) == 0;
  }
  switch (setting->opcode) {
  case OW_OP_AES_ECB:
    return (setting->is_inverse ? wc_AesEcbDecrypt(&context->aes, to, from, length)
                                : wc_AesEcbEncrypt(&context->aes, to, from, length)) == 0;
  case OW_OP_AES_CBC:
    return (setting->is_inverse ? wc_AesCbcDecrypt(&context->aes, to, from, length)
                                : wc_AesCbcEncrypt(&context->aes, to, from, length)) == 0;
  case OW_OP_AES_CTR:
    return wc_AesCtrEncrypt(&context->aes, to, from, length) == 0;
  default:
    return wc_CmacUpdate(&context->cmac, from, length) == 0;
  }
}

static int end(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  word32 tag_len = BLOCK;
  if (ow_lab_is_hash(context->setting.opcode)) {
    return wc_HashFinal(&context->hash, hash_of(context->setting.opcode), message->tag) == 0;
  }
  if (ow_lab_is_hash_mac(context->setting.opcode)) {
    return wc_HmacFinal(&context->hmac, message->tag) == 0 &&
           ow_lab_finish_mac(&context->setting, message);
  }
  if (context->setting.opcode != OW_OP_AES_CMAC) {
    return 1;
  }
  return wc_CmacFinal(&context->cmac, message->tag, &tag_len) == 0 &&
         ow_lab_finish_mac(&context->setting, message);
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  const word32 length = (word32)setting->length;
  const word32 iv_len = setting->iv_len, tag_len = setting->tag_len;
  Aes *aes = &context->aes;
  uint8_t *to = message->destination;
  const uint8_t *from = message->source;
  if (key && !set_key(context, key)) {
    return 0;
  }
  switch (setting->opcode) {
  case OW_OP_AES_GMAC:
    return wc_AesGcmEncrypt(aes, NULL, NULL, 0, message->iv, iv_len, message->tag, tag_len, from,
                            length) == 0 &&
           ow_lab_finish_mac(setting, message);
  case OW_OP_AES_GCM:
    return (setting->is_inverse ? wc_AesGcmDecrypt(aes, to, from, length, message->iv, iv_len,
                                                   message->expected, tag_len, NULL, 0)
                                : wc_AesGcmEncrypt(aes, to, from, length, message->iv, iv_len,
                                                   message->tag, tag_len, NULL, 0)) == 0;
  case OW_OP_AES_CCM:
    return (setting->is_inverse ? wc_AesCcmDecrypt(aes, to, from, length, message->iv, iv_len,
                                                   message->expected, tag_len, NULL, 0)
                                : wc_AesCcmEncrypt(aes, to, from, length, message->iv, iv_len,
                                                   message->tag, tag_len, NULL, 0)) == 0;
  case OW_OP_AES_XTS:
    return (setting->is_inverse
                ? wc_AesXtsDecrypt(&context->xts, to, from, length, message->iv, BLOCK)
                : wc_AesXtsEncrypt(&context->xts, to, from, length, message->iv, BLOCK)) == 0;
  default:
    return begin(context, message) && piece(context, message) && end(context, message);
  }
}

OW_LAB_EXPORT const struct ow_lab_calls *ow_lab_adapter(const char *library) {
  static const struct ow_lab_calls calls = {
      .version = version,
      .instructions = instructions,
      .refuses = refuses,
      .open = open_context,
      .set_key = set_key,
      .message = message_in,
      .begin = begin,
      .piece = piece,
      .end = end,
      .close = close_context,
  };
  (void)library;
  return &calls;
}
