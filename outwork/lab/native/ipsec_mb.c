/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of Intel's Multi-Buffer Crypto for IPsec library, which processes many messages in
 * parallel.
 */
#include "ipsec_mb.h"

/* The library counts the bytes of a lane in 16 bits (MB_MAX_LEN16). */
enum { LANE_BYTES_MAX = 65534 };
/* Longest message of ZUC in lanes, and of SNOW 3G: 65,504 bits. */
enum { RADIO_BYTES_MAX = 8188 };

static IMB_MGR *manager;

static const char *version(void) {
  return "intel-ipsec-mb " IMB_VERSION_STR;
}

static const char *instructions(void) {
  return manager->features & IMB_FEATURE_AESNI ? "aes=1" : "aes=0";
}

/* Computes the hashes of the first blocks (FIPS 198-1, steps 3, 4 and 7), which the library
 * needs. */
static void set_hmac_key(struct ipsec_mb_context *context, const uint8_t *key) {
  DECLARE_ALIGNED(uint8_t block[128], 16);
  uint8_t *const targets[2] = {context->inner, context->outer};
  for (int turn = 0; turn < 2; turn++) {
    memset(block, turn ? 0x5c : 0x36, sizeof block);
    for (uint32_t at = 0; at < context->setting.key_len; at++) {
      block[at] ^= key[at];
    }
    switch (context->setting.opcode) {
    case OW_OP_HMAC_SHA1:
      IMB_SHA1_ONE_BLOCK(manager, block, targets[turn]);
      break;
    case OW_OP_HMAC_SHA224:
      IMB_SHA224_ONE_BLOCK(manager, block, targets[turn]);
      break;
    case OW_OP_HMAC_SHA256:
      IMB_SHA256_ONE_BLOCK(manager, block, targets[turn]);
      break;
    case OW_OP_HMAC_SHA384:
      IMB_SHA384_ONE_BLOCK(manager, block, targets[turn]);
      break;
    default:
      IMB_SHA512_ONE_BLOCK(manager, block, targets[turn]);
    }
  }
  ow_lab_wipe(block, sizeof block);
}

static const char *refuses(const struct ow_lab_setting *setting) {
  const uint32_t opcode = setting->opcode;
  if (ipsec_mb_is_digest(opcode) && (opcode & 15) >= IPSEC_MB_SHA_COUNT) {
    return "the only hashes are SHA-1 to SHA-512";
  }
  const int is_in_lanes = opcode == OW_OP_AES_CCM || opcode == OW_OP_AES_CMAC ||
                          (opcode == OW_OP_AES_CBC && !setting->is_inverse) ||
                          ipsec_mb_is_digest(opcode);
  if (opcode == OW_OP_AES_XTS) {
    return "it has no XTS";
  }
  if (opcode == OW_OP_EIA2) {
    return "it needs eight bytes before the message, and so a copy";
  }
  if (opcode == OW_OP_EEA1_EIA1 || opcode == OW_OP_EEA3_EIA3) {
    return "cipher and MAC need two messages";
  }
  if (ow_lab_is_radio(opcode) && opcode != OW_OP_EEA2 && setting->length > RADIO_BYTES_MAX) {
    return "it takes at most 65504 bits a message with ZUC and SNOW 3G";
  }
  if (!ow_lab_is_radio(opcode) && ow_lab_refuses_rare(setting)) {
    return ow_lab_refuses_rare(setting);
  }
  if (setting->key_len == 24 && (opcode == OW_OP_AES_CCM || opcode == OW_OP_AES_CMAC)) {
    return "it has no CCM and no CMAC with 192-bit keys";
  }
  if (is_in_lanes && setting->length > LANE_BYTES_MAX) {
    return "it takes at most 65534 bytes a message in this mode";
  }
  return NULL;
}

static void close_context(void *opened) {
  ow_lab_wipe(opened, sizeof(struct ipsec_mb_context));
  free(opened);
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct ipsec_mb_context *context = ow_lab_allocate(sizeof *context);
  if (context) {
    context->setting = *setting;
  }
  return context;
}

static void set_gcm_key(struct ipsec_mb_context *context, const uint8_t *key) {
  switch (context->setting.key_len) {
  case 16:
    IMB_AES128_GCM_PRE(manager, key, &context->gcm);
    break;
  case 24:
    IMB_AES192_GCM_PRE(manager, key, &context->gcm);
    break;
  default:
    IMB_AES256_GCM_PRE(manager, key, &context->gcm);
  }
}

static int set_key(void *opened, const uint8_t *key) {
  struct ipsec_mb_context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  if (setting->opcode == OW_OP_AES_GCM || setting->opcode == OW_OP_AES_GMAC) {
    set_gcm_key(context, key);
    return 1;
  }
  if (ipsec_mb_is_digest(setting->opcode)) {
    if (ow_lab_is_hash_mac(setting->opcode)) {
      set_hmac_key(context, key);
    }
    return 1;
  }
  if (setting->opcode == OW_OP_EEA1 || setting->opcode == OW_OP_EIA1) {
    return IMB_SNOW3G_INIT_KEY_SCHED(manager, key, &context->snow3g) == 0;
  }
  if (setting->opcode == OW_OP_EEA3 || setting->opcode == OW_OP_EIA3) {
    memcpy(context->zuc, key, sizeof context->zuc);
    return 1;
  }
  switch (setting->key_len) {
  case 16:
    IMB_AES_KEYEXP_128(manager, key, context->encrypt_keys, context->decrypt_keys);
    break;
  case 24:
    IMB_AES_KEYEXP_192(manager, key, context->encrypt_keys, context->decrypt_keys);
    break;
  default:
    IMB_AES_KEYEXP_256(manager, key, context->encrypt_keys, context->decrypt_keys);
  }
  if (setting->opcode == OW_OP_AES_CMAC) {
    if (setting->key_len == 16) {
      IMB_AES_CMAC_SUBKEY_GEN_128(manager, context->encrypt_keys, context->subkey_1,
                                  context->subkey_2);
    } else {
      IMB_AES_CMAC_SUBKEY_GEN_256(manager, context->encrypt_keys, context->subkey_1,
                                  context->subkey_2);
    }
  }
  return 1;
}

/* Returns whether a job has succeeded. The library makes tags; the caller has to compare them. */
static int is_good(const IMB_JOB *job) {
  const struct ipsec_mb_context *context = job->user_data2;
  return job->status == IMB_STATUS_COMPLETED &&
         (context->setting.tag_len == 0 || ow_lab_finish_mac(&context->setting, job->user_data));
}

static int count_good(IMB_JOB **jobs, uint32_t count) {
  for (uint32_t at = 0; at < count; at++) {
    if (!is_good(jobs[at])) {
      return -1;
    }
  }
  return (int)count;
}

/* Drops all jobs in flight, so that an error does not appear in the next round. */
static int drop_all(void) {
  while (IMB_FLUSH_JOB(manager)) {
  }
  return -1;
}

static int submit(void **contexts, struct ow_lab_message **messages, uint32_t count) {
  IMB_JOB *jobs[OW_LAB_BATCH_MAX];
  if (IMB_GET_NEXT_BURST(manager, count, jobs) != count) {
    return drop_all();
  }
  for (uint32_t at = 0; at < count; at++) {
    ipsec_mb_fill(jobs[at], contexts[at], messages[at]);
  }
  const uint32_t ended = IMB_SUBMIT_BURST(manager, count, jobs);
  if (ended == 0 && imb_get_errno(manager) != 0) {
    return drop_all();
  }
  return count_good(jobs, ended) < 0 ? drop_all() : (int)ended;
}

static int flush(void) {
  IMB_JOB *job = IMB_FLUSH_JOB(manager);
  return job == NULL ? 0 : is_good(job) ? 1 : drop_all();
}

/* Processes one packet of ZUC or SNOW 3G alone, with the library's functions for single packets. */
static int packet_in(struct ipsec_mb_context *context, struct ow_lab_message *message) {
  const struct ow_lab_setting *setting = &context->setting;
  const uint32_t bytes = (uint32_t)setting->length;
  uint32_t mac = 0;
  ipsec_mb_widen_iv(message, 0);
  switch (setting->opcode) {
  case OW_OP_EEA1:
    IMB_SNOW3G_F8_1_BUFFER(manager, &context->snow3g, message->iv, message->source,
                           message->destination, bytes);
    return 1;
  case OW_OP_EEA3:
    IMB_ZUC_EEA3_1_BUFFER(manager, context->zuc, message->iv, message->source, message->destination,
                          bytes);
    return 1;
  case OW_OP_EIA1:
    IMB_SNOW3G_F9_1_BUFFER(manager, &context->snow3g, message->iv, message->source, 8u * bytes,
                           message->tag);
    break;
  default:
    IMB_ZUC_EIA3_1_BUFFER(manager, context->zuc, message->iv, message->source, 8u * bytes, &mac);
    memcpy(message->tag, &mac, sizeof mac);
  }
  return ow_lab_finish_mac(setting, message);
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  const uint32_t opcode = ((const struct ipsec_mb_context *)opened)->setting.opcode;
  if (key) {
    set_key(opened, key);
  }
  if (ow_lab_is_radio(opcode) && opcode != OW_OP_EEA2) {
    return packet_in(opened, message);
  }
  IMB_JOB *job = IMB_GET_NEXT_JOB(manager);
  ipsec_mb_fill(job, opened, message);
  job = IMB_SUBMIT_JOB(manager);
  if (!job) {
    job = IMB_FLUSH_JOB(manager);
  }
  return job && is_good(job);
}

OW_LAB_EXPORT const struct ow_lab_calls *ow_lab_adapter(const char *library) {
  static const struct ow_lab_calls calls = {
      .version = version,
      .instructions = instructions,
      .refuses = refuses,
      .open = open_context,
      .set_key = set_key,
      .message = message_in,
      .submit = submit,
      .flush = flush,
      .close = close_context,
  };
  (void)library;
  if (!manager) {
    IMB_ARCH arch;
    manager = alloc_mb_mgr(0);
    if (!manager) {
      return NULL;
    }
    init_mb_mgr_auto(manager, &arch);
  }
  return imb_get_errno(manager) == 0 ? &calls : NULL;
}
