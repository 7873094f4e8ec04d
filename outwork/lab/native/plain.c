/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of plain C: AES by tables (the reference code of Rijndael's authors), CBC and GHASH from
 * PyCryptodome's sources. Built twice, without and with optimisation. The counter mode is written
 * here: PyCryptodome's computes sixteen blocks of key stream even for the shortest message, which
 * suits Python but not firmware.
 */
#include "adapter.h"

#include <stddef.h>

typedef struct block_base block_base; /* opaque: PyCryptodome's BlockBase and its modes */
typedef struct cbc_state cbc_state;
typedef struct ghash_key ghash_key;
int AES_start_operation(const uint8_t key[], size_t key_len, block_base **result);
int AES_stop_operation(block_base *state);
int ECB_encrypt(block_base *state, const uint8_t *in, uint8_t *out, size_t data_len);
int ECB_decrypt(block_base *state, const uint8_t *in, uint8_t *out, size_t data_len);
int CBC_start_operation(block_base *cipher, const uint8_t iv[], size_t iv_len, cbc_state **result);
int CBC_encrypt(cbc_state *state, const uint8_t *in, uint8_t *out, size_t data_len);
int CBC_decrypt(cbc_state *state, const uint8_t *in, uint8_t *out, size_t data_len);
int ghash_expand_portable(const uint8_t h[16], ghash_key **tables);
int ghash_destroy_portable(ghash_key *tables);
int ghash_portable(uint8_t out[16], const uint8_t data[], size_t len, const uint8_t in[16],
                   const ghash_key *key);

struct context {
  struct ow_lab_setting setting;
  block_base *aes;
  cbc_state *cbc;
  ghash_key *ghash;
  uint8_t counter[BLOCK]; /* counter block of the next block */
};

static const char *version(void) {
  return "PyCryptodome " OW_LAB_SOURCE ", " OW_LAB_COMPILED;
}
static const char *instructions(void) {
  return "aes=0";
}

static const char *refuses(const struct ow_lab_setting *setting) {
  switch (setting->opcode) {
  case OW_OP_AES_ECB:
  case OW_OP_AES_CBC:
  case OW_OP_AES_CTR:
    return NULL;
  case OW_OP_AES_GCM:
  case OW_OP_AES_GMAC:
    return setting->is_kept ? "GCM processes whole messages only" : NULL;
  default:
    return "its sources have this mode in Python only";
  }
}

static void forget_cbc(struct context *context) {
  free(context->cbc); /* not CBC_stop_operation: that frees the cipher too */
  context->cbc = NULL;
}

static void forget_key(struct context *context) {
  forget_cbc(context);
  if (context->aes) {
    AES_stop_operation(context->aes);
  }
  ghash_destroy_portable(context->ghash);
  context->aes = NULL;
  context->ghash = NULL;
}

static void close_context(void *opened) {
  forget_key(opened);
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
  const uint32_t opcode = context->setting.opcode;
  uint8_t hash_key[BLOCK] = {0};
  forget_key(context);
  if (AES_start_operation(key, context->setting.key_len, &context->aes) != 0) {
    return 0;
  }
  if (opcode != OW_OP_AES_GCM && opcode != OW_OP_AES_GMAC) {
    return 1;
  }
  return ECB_encrypt(context->aes, hash_key, hash_key, BLOCK) == 0 &&
         ghash_expand_portable(hash_key, &context->ghash) == 0;
}

static void count_up(uint8_t counter[BLOCK]) {
  for (int at = BLOCK; at-- > 0 && ++counter[at] == 0;) {
  }
}

static int counter_mode(struct context *context, const struct ow_lab_message *message) {
  uint8_t stream[BLOCK];
  for (uint64_t at = 0; at < context->setting.length; at += BLOCK) {
    const uint64_t left = context->setting.length - at;
    const uint64_t count = left < BLOCK ? left : BLOCK;
    if (ECB_encrypt(context->aes, context->counter, stream, BLOCK) != 0) {
      return 0;
    }
    count_up(context->counter);
    for (uint64_t byte = 0; byte < count; byte++) {
      message->destination[at + byte] = message->source[at + byte] ^ stream[byte];
    }
  }
  return 1;
}

static int begin(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  switch (context->setting.opcode) {
  case OW_OP_AES_CBC:
    forget_cbc(context);
    return CBC_start_operation(context->aes, message->iv, BLOCK, &context->cbc) == 0;
  case OW_OP_AES_CTR:
    memcpy(context->counter, message->iv, BLOCK);
    return 1;
  default:
    return 1;
  }
}

static int piece(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  const uint8_t *from = message->source;
  uint8_t *to = message->destination;
  switch (setting->opcode) {
  case OW_OP_AES_ECB:
    return (setting->is_inverse ? ECB_decrypt(context->aes, from, to, setting->length)
                                : ECB_encrypt(context->aes, from, to, setting->length)) == 0;
  case OW_OP_AES_CBC:
    return (setting->is_inverse ? CBC_decrypt(context->cbc, from, to, setting->length)
                                : CBC_encrypt(context->cbc, from, to, setting->length)) == 0;
  default:
    return counter_mode(context, message);
  }
}

static int end(void *opened, struct ow_lab_message *message) {
  (void)opened, (void)message;
  return 1;
}

static void put_bits(uint8_t to[8], uint64_t length_bytes) {
  const uint64_t bits = length_bytes * 8;
  for (int at = 0; at < 8; at++) {
    to[at] = (uint8_t)(bits >> (56 - 8 * at));
  }
}

/* Computes the tag (SP 800-38D 7.1) over the ciphertext or, for GMAC, over additional data alone,
 * with a 96-bit IV. */
static int make_tag(struct context *context, struct ow_lab_message *message, const uint8_t *data) {
  const struct ow_lab_setting *setting = &context->setting;
  const uint64_t whole = setting->length / BLOCK * BLOCK;
  uint8_t sum[BLOCK] = {0}, last[2 * BLOCK] = {0}, mask[BLOCK];
  memcpy(last, data + whole, setting->length - whole);
  put_bits(last + BLOCK + (setting->opcode == OW_OP_AES_GCM ? 8 : 0), setting->length);
  const uint64_t padding = setting->length == whole ? BLOCK : 0; /* 0: no partial block to pad */
  int good = ghash_portable(sum, data, whole, sum, context->ghash) == 0 &&
             ghash_portable(sum, last + padding, 2 * BLOCK - padding, sum, context->ghash) == 0;
  memcpy(mask, message->iv, 12);
  memcpy(mask + 12, "\0\0\0\1", 4);
  good = good && ECB_encrypt(context->aes, mask, mask, BLOCK) == 0;
  for (int at = 0; at < BLOCK; at++) {
    message->tag[at] = sum[at] ^ mask[at];
  }
  return good;
}

static int gcm(struct context *context, struct ow_lab_message *message) {
  const int is_inverse = (int)context->setting.is_inverse;
  memcpy(context->counter, message->iv, 12);
  memcpy(context->counter + 12, "\0\0\0\2", 4);
  if (is_inverse && !(make_tag(context, message, message->source) &&
                      ow_lab_tag_matches(message, context->setting.tag_len))) {
    return 0;
  }
  return counter_mode(context, message) &&
         (is_inverse || make_tag(context, message, message->destination));
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  if (key && !set_key(context, key)) {
    return 0;
  }
  switch (context->setting.opcode) {
  case OW_OP_AES_GCM:
    return gcm(context, message);
  case OW_OP_AES_GMAC:
    return make_tag(context, message, message->source) &&
           ow_lab_finish_mac(&context->setting, message);
  default:
    return begin(context, message) && piece(context, message);
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
