/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of Outwork lite: the CPU carries every word of a message through registers.
 */
#include "outwork/lite.h"
#include "adapter.h"
#include "soc.h"

#include <stdbool.h>

struct context {
  struct ow_lab_setting setting;
  struct ow_lite lite;
};

static struct ow_platform platform;

static const char *version(void) {
  return "outwork lite";
}

static const char *instructions(void) {
  return "aes=0";
}

static const char *refuses(const struct ow_lab_setting *setting) {
  const bool is_aes = setting->opcode == OW_OP_AES_ECB || setting->opcode == OW_OP_AES_CBC ||
                      setting->opcode == OW_OP_AES_CTR;
  if (!is_aes) {
    return "it has AES in ECB, CBC and CTR mode";
  }
  return setting->is_kept ? "the adapter gives every message its IV" : NULL;
}

static void close_context(void *opened) {
  struct context *context = opened;
  ow_lite_zeroise(&context->lite);
  ow_lab_wipe(context, sizeof(*context));
  free(context);
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (context) {
    context->setting = *setting;
    if (ow_lite_open(&context->lite, &platform) != OW_OK) {
      free(context);
      return NULL;
    }
  }
  return context;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  return ow_lite_load_key(&context->lite, key, context->setting.key_len) == OW_OK;
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  const size_t length = (size_t)context->setting.length;
  const ow_lite_operation operation =
      context->setting.is_inverse ? OW_LITE_DECRYPT : OW_LITE_ENCRYPT;
  uint8_t iv[BLOCK];
  if (key && !set_key(context, key)) {
    return 0;
  }
  memcpy(iv, message->iv, BLOCK); /* the message's stays as it is */
  switch (context->setting.opcode) {
  case OW_OP_AES_ECB:
    return ow_lite_ecb_crypt(&context->lite, message->destination, operation, message->source,
                             length) == OW_OK;
  case OW_OP_AES_CBC:
    return ow_lite_cbc_crypt(&context->lite, message->destination, iv, operation, message->source,
                             length) == OW_OK;
  default:
    return ow_lite_ctr_crypt(&context->lite, message->destination, iv, message->source, length) ==
           OW_OK;
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
  soc_lite_platform(&platform);
  return &calls;
}
