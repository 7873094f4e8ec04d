/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Fills in a job of Intel's Multi-Buffer Crypto for IPsec library for each message.
 */
#include "ipsec_mb.h"

static void set_cipher(IMB_JOB *job, IMB_CIPHER_MODE mode, const struct ipsec_mb_context *context,
                       struct ow_lab_message *message) {
  job->cipher_mode = mode;
  job->key_len_in_bytes = context->setting.key_len;
  job->enc_keys = mode == IMB_CIPHER_GCM ? (const void *)&context->gcm : context->encrypt_keys;
  /* CTR and CCM decrypt with the encryption keys. */
  job->dec_keys = mode == IMB_CIPHER_GCM                             ? (const void *)&context->gcm
                  : mode == IMB_CIPHER_CBC || mode == IMB_CIPHER_ECB ? context->decrypt_keys
                                                                     : context->encrypt_keys;
  job->iv = message->iv;
  job->iv_len_in_bytes = context->setting.iv_len;
  job->msg_len_to_cipher_in_bytes = context->setting.length;
  job->dst = message->destination;
}

static void set_hash(IMB_JOB *job, IMB_HASH_ALG algorithm, const struct ipsec_mb_context *context,
                     struct ow_lab_message *message) {
  job->hash_alg = algorithm;
  job->msg_len_to_hash_in_bytes = context->setting.length;
  job->auth_tag_output = message->tag;
  job->auth_tag_output_len_in_bytes = context->setting.tag_len;
}

void ipsec_mb_widen_iv(struct ow_lab_message *message, int is_aes) {
  memset(message->iv + 4, 0, 12);
  if (!is_aes) {
    memcpy(message->iv + 8, message->iv, 4);
  }
}

static void fill_radio(IMB_JOB *job, struct ipsec_mb_context *context,
                       struct ow_lab_message *message) {
  const uint32_t opcode = context->setting.opcode;
  ipsec_mb_widen_iv(message, opcode == OW_OP_EEA2);
  if (opcode == OW_OP_EIA1 || opcode == OW_OP_EIA3) {
    set_hash(job, opcode == OW_OP_EIA1 ? IMB_AUTH_SNOW3G_UIA2_BITLEN : IMB_AUTH_ZUC_EIA3_BITLEN,
             context, message);
    job->msg_len_to_hash_in_bits = 8 * context->setting.length;
    if (opcode == OW_OP_EIA1) {
      job->u.SNOW3G_UIA2._key = &context->snow3g;
      job->u.SNOW3G_UIA2._iv = message->iv;
    } else {
      job->u.ZUC_EIA3._key = context->zuc;
      job->u.ZUC_EIA3._iv = message->iv;
      job->u.ZUC_EIA3._iv23 = NULL;
    }
    return;
  }
  set_cipher(job,
             opcode == OW_OP_EEA1   ? IMB_CIPHER_SNOW3G_UEA2_BITLEN
             : opcode == OW_OP_EEA2 ? IMB_CIPHER_CNTR
                                    : IMB_CIPHER_ZUC_EEA3,
             context, message);
  job->iv_len_in_bytes = sizeof message->iv;
  if (opcode == OW_OP_EEA1) {
    job->enc_keys = job->dec_keys = &context->snow3g;
    job->cipher_start_src_offset_in_bits = 0;
    job->msg_len_to_cipher_in_bits = 8 * context->setting.length;
  } else if (opcode == OW_OP_EEA3) {
    job->enc_keys = job->dec_keys = context->zuc;
  }
}

static void fill_digest(IMB_JOB *job, struct ipsec_mb_context *context,
                        struct ow_lab_message *message) {
  static const IMB_HASH_ALG plain[IPSEC_MB_SHA_COUNT] = {
      IMB_AUTH_SHA_1, IMB_AUTH_SHA_224, IMB_AUTH_SHA_256, IMB_AUTH_SHA_384, IMB_AUTH_SHA_512};
  static const IMB_HASH_ALG keyed[IPSEC_MB_SHA_COUNT] = {
      IMB_AUTH_HMAC_SHA_1, IMB_AUTH_HMAC_SHA_224, IMB_AUTH_HMAC_SHA_256, IMB_AUTH_HMAC_SHA_384,
      IMB_AUTH_HMAC_SHA_512};
  const uint32_t opcode = context->setting.opcode;
  set_hash(job, (ow_lab_is_hash(opcode) ? plain : keyed)[opcode & 15], context, message);
  job->u.HMAC._hashed_auth_key_xor_ipad = context->inner;
  job->u.HMAC._hashed_auth_key_xor_opad = context->outer;
}

void ipsec_mb_fill(IMB_JOB *job, struct ipsec_mb_context *context, struct ow_lab_message *message) {
  const struct ow_lab_setting *setting = &context->setting;
  const uint32_t key_len = setting->key_len;
  job->src = message->source;
  job->cipher_direction = setting->is_inverse ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT;
  /* CCM makes its tag over the plaintext, GCM over the ciphertext. */
  job->chain_order = setting->is_inverse != (setting->opcode == OW_OP_AES_CCM)
                         ? IMB_ORDER_HASH_CIPHER
                         : IMB_ORDER_CIPHER_HASH;
  job->cipher_mode = IMB_CIPHER_NULL;
  job->hash_alg = IMB_AUTH_NULL;
  job->cipher_start_src_offset_in_bytes = 0;
  job->hash_start_src_offset_in_bytes = 0;
  job->user_data = message;
  job->user_data2 = context;
  if (ipsec_mb_is_digest(setting->opcode)) {
    fill_digest(job, context, message);
    return;
  }
  if (ow_lab_is_radio(setting->opcode)) {
    fill_radio(job, context, message);
    return;
  }
  switch (setting->opcode) {
  case OW_OP_AES_ECB:
    set_cipher(job, IMB_CIPHER_ECB, context, message);
    break;
  case OW_OP_AES_CBC:
    set_cipher(job, IMB_CIPHER_CBC, context, message);
    break;
  case OW_OP_AES_CTR:
    set_cipher(job, IMB_CIPHER_CNTR, context, message);
    break;
  case OW_OP_AES_GCM:
    set_cipher(job, IMB_CIPHER_GCM, context, message);
    set_hash(job, IMB_AUTH_AES_GMAC, context, message);
    job->u.GCM.aad = NULL;
    job->u.GCM.aad_len_in_bytes = 0;
    break;
  case OW_OP_AES_CCM:
    set_cipher(job, IMB_CIPHER_CCM, context, message);
    set_hash(job, IMB_AUTH_AES_CCM, context, message);
    job->u.CCM.aad = NULL;
    job->u.CCM.aad_len_in_bytes = 0;
    break;
  case OW_OP_AES_GMAC:
    set_hash(job,
             key_len == 16   ? IMB_AUTH_AES_GMAC_128
             : key_len == 24 ? IMB_AUTH_AES_GMAC_192
                             : IMB_AUTH_AES_GMAC_256,
             context, message);
    job->u.GMAC._key = &context->gcm;
    job->u.GMAC._iv = message->iv;
    job->u.GMAC.iv_len_in_bytes = setting->iv_len;
    break;
  default:
    set_hash(job, key_len == 16 ? IMB_AUTH_AES_CMAC : IMB_AUTH_AES_CMAC_256, context, message);
    job->u.CMAC._key_expanded = context->encrypt_keys;
    job->u.CMAC._skey1 = context->subkey_1;
    job->u.CMAC._skey2 = context->subkey_2;
  }
}
