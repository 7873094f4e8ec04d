/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of Mbed TLS, from its static library. Built twice: normally, and (OW_LAB_NO_INSTRUCTIONS)
 * without the CPU's AES instructions, whose detection is replaced by the linker's --wrap.
 */
#include "adapter.h"

#include <mbedtls/aes.h>
#include <mbedtls/ccm.h>
#include <mbedtls/cipher.h>
#include <mbedtls/cmac.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>
#include <mbedtls/version.h>

struct context {
  struct ow_lab_setting setting;
  mbedtls_aes_context aes;
  mbedtls_aes_xts_context xts;
  mbedtls_gcm_context gcm;
  mbedtls_ccm_context ccm;
  mbedtls_cipher_context_t cmac;
  mbedtls_md_context_t md;
  uint8_t iv[BLOCK]; /* updated by CBC and CTR between pieces */
  uint8_t stream[BLOCK];
  size_t stream_offset;
};

#if defined(__x86_64__) || defined(__i386__)
enum { AES = 0x02000000 }; /* MBEDTLS_AESNI_AES; its header is not always installed */
int mbedtls_aesni_has_support(unsigned int what);
#ifdef OW_LAB_NO_INSTRUCTIONS
int __wrap_mbedtls_aesni_has_support(unsigned int what);
int __wrap_mbedtls_aesni_has_support(unsigned int what) {
  (void)what;
  return 0;
}
#endif
static const char *instructions(void) {
  return mbedtls_aesni_has_support(AES) ? "aes=1" : "aes=0";
}
#elif defined(MBEDTLS_AESCE_C)
static const char *instructions(void) {
  return "unknown";
}
#else
static const char *instructions(void) {
  return "aes=0";
}
#endif

static const char *version(void) {
  return MBEDTLS_VERSION_STRING_FULL;
}

/* Returns the hash for the opcode's low digit; not every version has all others. */
static const mbedtls_md_info_t *hash_of(uint32_t opcode) {
  static const mbedtls_md_type_t types[16] = {
      MBEDTLS_MD_SHA1,
      MBEDTLS_MD_SHA224,
      MBEDTLS_MD_SHA256,
      MBEDTLS_MD_SHA384,
      MBEDTLS_MD_SHA512,
#if MBEDTLS_VERSION_NUMBER >= 0x03050000
      [OW_OP_SHA3_224 & 15] = MBEDTLS_MD_SHA3_224,
      MBEDTLS_MD_SHA3_256,
      MBEDTLS_MD_SHA3_384,
      MBEDTLS_MD_SHA3_512,
#endif
  };
  return mbedtls_md_info_from_type(types[opcode & 15]);
}

static int is_digest(uint32_t opcode) {
  return ow_lab_is_hash(opcode) || ow_lab_is_hash_mac(opcode);
}

/* Whether a MAC is made by `md`: HMAC alone, or behind AES. */
static int has_hmac(uint32_t opcode) {
  return ow_lab_is_hash_mac(ow_lab_mac_opcode(opcode));
}

static const char *refuses(const struct ow_lab_setting *setting) {
  if (is_digest(setting->opcode) || has_hmac(setting->opcode)) {
    return hash_of(ow_lab_mac_opcode(setting->opcode)) ? NULL
                                                       : "this version or build does not have it";
  }
  const char *rare = ow_lab_refuses_rare(setting);
  if (rare) {
    return rare;
  }
  const int is_gcm = setting->opcode == OW_OP_AES_GCM || setting->opcode == OW_OP_AES_GMAC;
  return setting->is_kept && is_gcm ? "its calls for pieces differ from version to version" : NULL;
}

static mbedtls_cipher_type_t cmac_type(const struct ow_lab_setting *setting) {
  return setting->key_len == 16   ? MBEDTLS_CIPHER_AES_128_ECB
         : setting->key_len == 24 ? MBEDTLS_CIPHER_AES_192_ECB
                                  : MBEDTLS_CIPHER_AES_256_ECB;
}

static void close_context(void *opened) {
  struct context *context = opened;
  mbedtls_aes_free(&context->aes);
  mbedtls_aes_xts_free(&context->xts);
  mbedtls_gcm_free(&context->gcm);
  mbedtls_ccm_free(&context->ccm);
  mbedtls_cipher_free(&context->cmac);
  mbedtls_md_free(&context->md);
  ow_lab_wipe(context, sizeof *context);
  free(context);
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (context) {
    context->setting = *setting; /* all other contexts of Mbed TLS start as zeros */
  }
  if (context && (is_digest(setting->opcode) || has_hmac(setting->opcode)) &&
      mbedtls_md_setup(&context->md, hash_of(ow_lab_mac_opcode(setting->opcode)),
                       has_hmac(setting->opcode)) != 0) {
    close_context(context);
    return NULL;
  }
  return context;
}

/* Sets the key. Mbed TLS's CMAC allocates memory with every key, so the context is freed first. */
static int set_cmac_key(struct context *context, const uint8_t *key) {
  mbedtls_cipher_free(&context->cmac);
  mbedtls_cipher_init(&context->cmac);
  return mbedtls_cipher_setup(&context->cmac,
                              mbedtls_cipher_info_from_type(cmac_type(&context->setting))) == 0 &&
         mbedtls_cipher_cmac_starts(&context->cmac, key, context->setting.key_len * 8) == 0;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  const int is_combined = ow_lab_is_combined(setting->opcode);
  const uint32_t first = is_combined ? ow_lab_cipher_key_len(setting) : 0; /* the MAC's is behind */
  const unsigned int bits = (is_combined ? first : setting->key_len) * 8;
  if (has_hmac(setting->opcode) &&
      mbedtls_md_hmac_starts(&context->md, key + first, setting->key_len - first) != 0) {
    return 0;
  }
  if (is_digest(setting->opcode)) {
    return 1;
  }
  switch (ow_lab_cipher_opcode(setting->opcode)) {
  case OW_OP_AES_ECB:
  case OW_OP_AES_CBC:
    return (setting->is_inverse ? mbedtls_aes_setkey_dec(&context->aes, key, bits)
                                : mbedtls_aes_setkey_enc(&context->aes, key, bits)) == 0;
  case OW_OP_AES_CTR:
    return mbedtls_aes_setkey_enc(&context->aes, key, bits) == 0;
  case OW_OP_AES_XTS:
    return (setting->is_inverse ? mbedtls_aes_xts_setkey_dec(&context->xts, key, bits)
                                : mbedtls_aes_xts_setkey_enc(&context->xts, key, bits)) == 0;
  case OW_OP_AES_GCM:
  case OW_OP_AES_GMAC:
    mbedtls_gcm_free(&context->gcm);
    return mbedtls_gcm_setkey(&context->gcm, MBEDTLS_CIPHER_ID_AES, key, bits) == 0;
  case OW_OP_AES_CCM:
    mbedtls_ccm_free(&context->ccm);
    return mbedtls_ccm_setkey(&context->ccm, MBEDTLS_CIPHER_ID_AES, key, bits) == 0;
  default:
    return set_cmac_key(context, key);
  }
}

static int begin(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  if (ow_lab_is_hash(context->setting.opcode)) {
    return mbedtls_md_starts(&context->md) == 0;
  }
  if (has_hmac(context->setting.opcode) && mbedtls_md_hmac_reset(&context->md) != 0) {
    return 0;
  }
  if (context->setting.opcode == OW_OP_AES_CMAC) {
    return mbedtls_cipher_cmac_reset(&context->cmac) == 0;
  }
  memcpy(context->iv, message->iv, BLOCK);
  context->stream_offset = 0;
  return 1;
}

static int ecb(struct context *context, const struct ow_lab_message *message) {
  const int mode = context->setting.is_inverse ? MBEDTLS_AES_DECRYPT : MBEDTLS_AES_ENCRYPT;
  for (uint64_t at = 0; at < context->setting.length; at += BLOCK) {
    if (mbedtls_aes_crypt_ecb(&context->aes, mode, message->source + at,
                              message->destination + at) != 0) {
      return 0;
    }
  }
  return 1;
}

static int cipher(struct context *context, struct ow_lab_message *message) {
  const struct ow_lab_setting *setting = &context->setting;
  switch (ow_lab_cipher_opcode(setting->opcode)) {
  case OW_OP_AES_ECB:
    return ecb(context, message);
  case OW_OP_AES_CBC:
    return mbedtls_aes_crypt_cbc(
               &context->aes, setting->is_inverse ? MBEDTLS_AES_DECRYPT : MBEDTLS_AES_ENCRYPT,
               setting->length, context->iv, message->source, message->destination) == 0;
  case OW_OP_AES_CTR:
    return mbedtls_aes_crypt_ctr(&context->aes, setting->length, &context->stream_offset,
                                 context->iv, context->stream, message->source,
                                 message->destination) == 0;
  default:
    return mbedtls_cipher_cmac_update(&context->cmac, message->source, setting->length) == 0;
  }
}

static int piece(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  if (ow_lab_is_hash(setting->opcode)) {
    return mbedtls_md_update(&context->md, message->source, setting->length) == 0;
  }
  if (ow_lab_is_hash_mac(setting->opcode)) {
    return mbedtls_md_hmac_update(&context->md, message->source, setting->length) == 0;
  }
  if (!cipher(context, message)) {
    return 0;
  }
  const uint8_t *ciphertext = setting->is_inverse ? message->source : message->destination;
  return !ow_lab_is_combined(setting->opcode) ||
         mbedtls_md_hmac_update(&context->md, ciphertext, setting->length) == 0;
}

static int end(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  if (ow_lab_is_hash(context->setting.opcode)) {
    return mbedtls_md_finish(&context->md, message->tag) == 0;
  }
  if (has_hmac(context->setting.opcode)) {
    return mbedtls_md_hmac_finish(&context->md, message->tag) == 0 &&
           ow_lab_finish_mac(&context->setting, message);
  }
  if (context->setting.opcode != OW_OP_AES_CMAC) {
    return 1;
  }
  return mbedtls_cipher_cmac_finish(&context->cmac, message->tag) == 0 &&
         ow_lab_finish_mac(&context->setting, message);
}

static int gcm(struct context *context, struct ow_lab_message *message) {
  const struct ow_lab_setting *setting = &context->setting;
  if (setting->opcode == OW_OP_AES_GMAC) {
    return mbedtls_gcm_crypt_and_tag(&context->gcm, MBEDTLS_GCM_ENCRYPT, 0, message->iv,
                                     setting->iv_len, message->source, setting->length, NULL, NULL,
                                     setting->tag_len, message->tag) == 0 &&
           ow_lab_finish_mac(setting, message);
  }
  if (setting->is_inverse) {
    return mbedtls_gcm_auth_decrypt(&context->gcm, setting->length, message->iv, setting->iv_len,
                                    NULL, 0, message->expected, setting->tag_len, message->source,
                                    message->destination) == 0;
  }
  return mbedtls_gcm_crypt_and_tag(&context->gcm, MBEDTLS_GCM_ENCRYPT, setting->length, message->iv,
                                   setting->iv_len, NULL, 0, message->source, message->destination,
                                   setting->tag_len, message->tag) == 0;
}

static int ccm(struct context *context, struct ow_lab_message *message) {
  const struct ow_lab_setting *setting = &context->setting;
  if (setting->is_inverse) {
    return mbedtls_ccm_auth_decrypt(&context->ccm, setting->length, message->iv, setting->iv_len,
                                    NULL, 0, message->source, message->destination,
                                    message->expected, setting->tag_len) == 0;
  }
  return mbedtls_ccm_encrypt_and_tag(&context->ccm, setting->length, message->iv, setting->iv_len,
                                     NULL, 0, message->source, message->destination, message->tag,
                                     setting->tag_len) == 0;
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  if (key && !set_key(context, key)) {
    return 0;
  }
  switch (setting->opcode) {
  case OW_OP_AES_GCM:
  case OW_OP_AES_GMAC:
    return gcm(context, message);
  case OW_OP_AES_CCM:
    return ccm(context, message);
  case OW_OP_AES_XTS:
    return mbedtls_aes_crypt_xts(
               &context->xts, setting->is_inverse ? MBEDTLS_AES_DECRYPT : MBEDTLS_AES_ENCRYPT,
               setting->length, message->iv, message->source, message->destination) == 0;
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
