/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of the CPU's scalar crypto instructions: AES-256-GCM, encryption.
 */
#include "adapter.h"
#include "gcm_zkn.h"

#include <stdbool.h>

struct context {
  struct ow_lab_setting setting;
  struct gcm_zkn gcm;
};

static const char *version(void) {
  return "Zkne, Zbkb, Zbkc";
}

static const char *instructions(void) {
  return "aes=1";
}

static const char *refuses(const struct ow_lab_setting *setting) {
  const bool fits = setting->opcode == OW_OP_AES_GCM && setting->key_len == 32 &&
                    !setting->is_inverse && !setting->is_kept && setting->length % BLOCK == 0;
  return fits ? NULL : "it encrypts whole blocks with AES-256-GCM only";
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
  gcm_zkn_set_key(&((struct context *)opened)->gcm, key);
  return 1;
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  if (key) {
    set_key(context, key);
  }
  gcm_zkn_seal(&context->gcm, message->tag, message->destination, message->source,
               (size_t)context->setting.length, message->iv);
  return 1;
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
