/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of the plain C of ZUC and SNOW 3G (software/radio), with tables or constant in time. The
 * IV is COUNT; BEARER, DIRECTION and FRESH are zero.
 */
#include "adapter.h"

#include "outwork/radio_software.h"

#ifdef OW_LAB_CONSTANT_TIME
#define VARIANT(name) name##_constant_time
#define VERSION       "outwork, plain C, constant in time, " OW_LAB_COMPILED
#else
#define VARIANT(name) name
#define VERSION       "outwork, plain C, " OW_LAB_COMPILED
#endif

struct context {
  struct ow_lab_setting setting;
  ow_radio_call *call;
  uint8_t key[16];
};

static const char *version(void) {
  return VERSION;
}

static const char *instructions(void) {
  return "aes=0";
}

static ow_radio_call *call_of(uint32_t opcode) {
  switch (opcode) {
  case OW_OP_EEA1:
    return VARIANT(ow_uea2);
  case OW_OP_EIA1:
    return VARIANT(ow_uia2);
  case OW_OP_EEA3:
    return VARIANT(ow_eea3);
  case OW_OP_EIA3:
    return VARIANT(ow_eia3);
  default:
    return NULL;
  }
}

static const char *refuses(const struct ow_lab_setting *setting) {
  return call_of(setting->opcode) ? NULL : "it has 128-EEA1, 128-EIA1, 128-EEA3 and 128-EIA3 only";
}

static void close_context(void *opened) {
  ow_lab_wipe(opened, sizeof(struct context));
  free(opened);
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (context) {
    context->setting = *setting;
    context->call = call_of(setting->opcode);
  }
  return context;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  memcpy(context->key, key, sizeof context->key);
  return 1;
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  if (key) {
    set_key(context, key);
  }
  const uint32_t count = (uint32_t)message->iv[0] << 24 | (uint32_t)message->iv[1] << 16 |
                         (uint32_t)message->iv[2] << 8 | message->iv[3];
  context->call(setting->tag_len ? message->tag : message->destination, context->key, count, 0, 0,
                message->source, 8 * setting->length);
  return setting->tag_len == 0 || ow_lab_finish_mac(setting, message);
}

OW_LAB_EXPORT const struct ow_lab_calls *ow_lab_adapter(const char *library) {
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
