/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of the CPU's scalar crypto instructions: AES in ECB, CBC and CTR mode and AES-256-GCM,
 * encryption.
 */
#include "adapter.h"
#include "gcm_zkn.h"

#include <stdbool.h>

struct context {
  struct ow_lab_setting setting;
  struct gcm_zkn gcm; /* with the AES of the other modes */
};

static const char *version(void) {
  return "Zkne, Zbkb, Zbkc";
}

static const char *instructions(void) {
  return "aes=1";
}

static const char *refuses(const struct ow_lab_setting *setting) {
  const bool is_gcm = setting->opcode == OW_OP_AES_GCM && setting->key_len == 32;
  const bool is_plain = setting->opcode == OW_OP_AES_ECB || setting->opcode == OW_OP_AES_CBC ||
                        setting->opcode == OW_OP_AES_CTR;
  const bool fits = (is_gcm || is_plain) && !setting->is_kept && setting->length % BLOCK == 0 &&
                    (!setting->is_inverse || setting->opcode == OW_OP_AES_CTR);
  return fits ? NULL : "it encrypts whole blocks with AES-ECB, -CBC, -CTR and AES-256-GCM only";
}

static void close_context(void *opened) {
  ow_lab_wipe(opened, sizeof(struct context));
  free(opened);
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (context) {
    context->setting = *setting;
  }
  return context;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  if (context->setting.opcode == OW_OP_AES_GCM) {
    gcm_zkn_set_key(&context->gcm, key);
  } else {
    aes_zkn_set_key(&context->gcm.aes, key, context->setting.key_len);
  }
  return 1;
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  const size_t length = (size_t)context->setting.length;
  const struct aes_zkn *const aes = &context->gcm.aes;
  uint8_t iv[BLOCK];
  if (key) {
    set_key(context, key);
  }
  switch (context->setting.opcode) {
  case OW_OP_AES_GCM:
    gcm_zkn_seal(&context->gcm, message->tag, message->destination, message->source, length,
                 message->iv);
    return 1;
  case OW_OP_AES_ECB:
    aes_zkn_ecb(aes, message->destination, message->source, length);
    return 1;
  case OW_OP_AES_CBC:
    memcpy(iv, message->iv, BLOCK); /* the message's stays as it is */
    aes_zkn_cbc(aes, message->destination, iv, message->source, length);
    return 1;
  default:
    memcpy(iv, message->iv, BLOCK);
    aes_zkn_ctr(aes, message->destination, iv, message->source, length);
    return 1;
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
