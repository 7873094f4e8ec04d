/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of OpenSSL's libcrypto, version 3 or later, through EVP. The library is opened by name,
 * so that building this needs neither its headers nor the library.
 */
#include "adapter.h"

#include <dlfcn.h>
#include <stdio.h>

enum {
  SET_IV_LEN = 0x9, /* EVP_CTRL_AEAD_SET_IVLEN */
  GET_TAG = 0x10,
  SET_TAG = 0x11,
  CPU_SETTINGS = 1008, /* OPENSSL_INFO_CPU_SETTINGS */
  UNSIGNED = 2,        /* OSSL_PARAM_UNSIGNED_INTEGER */
  UTF8_STRING = 4,     /* OSSL_PARAM_UTF8_STRING */
  TAG_MAX = 64,
};

struct parameter { /* OSSL_PARAM */
  const char *key;
  unsigned int data_type;
  void *data;
  size_t data_size;
  size_t return_size;
};

static struct {
  const char *(*OpenSSL_version)(int);
  const char *(*OPENSSL_info)(int);
  void *(*EVP_CIPHER_fetch)(void *, const char *, const char *);
  void *(*EVP_CIPHER_CTX_new)(void);
  void (*EVP_CIPHER_CTX_free)(void *);
  int (*EVP_CIPHER_CTX_ctrl)(void *, int, int, void *);
  int (*EVP_CIPHER_CTX_set_padding)(void *, int);
  int (*EVP_CipherInit_ex2)(void *, const void *, const uint8_t *, const uint8_t *, int,
                            const void *);
  int (*EVP_CipherUpdate)(void *, uint8_t *, int *, const uint8_t *, int);
  int (*EVP_CipherFinal_ex)(void *, uint8_t *, int *);
  void *(*EVP_MAC_fetch)(void *, const char *, const char *);
  void *(*EVP_MAC_CTX_new)(void *);
  void (*EVP_MAC_CTX_free)(void *);
  int (*EVP_MAC_CTX_set_params)(void *, const struct parameter *);
  int (*EVP_MAC_init)(void *, const uint8_t *, size_t, const struct parameter *);
  int (*EVP_MAC_update)(void *, const uint8_t *, size_t);
  int (*EVP_MAC_final)(void *, uint8_t *, size_t *, size_t);
  void *(*EVP_MD_fetch)(void *, const char *, const char *);
  void *(*EVP_MD_CTX_new)(void);
  void (*EVP_MD_CTX_free)(void *);
  int (*EVP_DigestInit_ex2)(void *, const void *, const void *);
  int (*EVP_DigestUpdate)(void *, const void *, size_t);
  int (*EVP_DigestFinal_ex)(void *, uint8_t *, unsigned int *);
  int (*EVP_DigestFinalXOF)(void *, uint8_t *, size_t);
} ssl;

/* Only one of the three contexts is used; AES with HMAC uses `cipher` and `mac`. */
struct context {
  struct ow_lab_setting setting;
  void *cipher;
  void *mac;
  void *md;
};

/* Names by the opcode's low digit. */
static const char *const hash_names[16] = {
    "SHA1", "SHA2-224", "SHA2-256", "SHA2-384", "SHA2-512", "SHA2-512/224", "SHA2-512/256",
    NULL,   "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SHAKE-128",    "SHAKE-256",
};

static int is_shake(uint32_t opcode) {
  return (opcode & 15) == (OW_OP_SHAKE128 & 15) || (opcode & 15) == (OW_OP_SHAKE256 & 15);
}

/* Fetches each hash once. */
static void *fetched_hash(uint32_t opcode) {
  static void *found[16];
  const char *name = hash_names[opcode & 15];
  if (!found[opcode & 15] && name) {
    found[opcode & 15] = ssl.EVP_MD_fetch(NULL, name, NULL);
  }
  return found[opcode & 15];
}

static void *fetched_mac(uint32_t opcode) {
  static void *found[3];
  static const char *const names[3] = {"HMAC", "KMAC-128", "KMAC-256"};
  const int index = !is_shake(opcode) ? 0 : (opcode & 15) == (OW_OP_SHAKE128 & 15) ? 1 : 2;
  if (!found[index]) {
    found[index] = ssl.EVP_MAC_fetch(NULL, names[index], NULL);
  }
  return found[index];
}

static const char *version(void) {
  return ssl.OpenSSL_version(0);
}

static const char *instructions(void) {
  const char *said = ssl.OPENSSL_info(CPU_SETTINGS);
  return said ? said : "";
}

static int is_gcm(const struct ow_lab_setting *setting) {
  return setting->opcode == OW_OP_AES_GCM || setting->opcode == OW_OP_AES_GMAC;
}

/* Fetches each cipher once, like a program that is written for speed. */
static void *fetched(const struct ow_lab_setting *setting) {
  static void *found[8][3];
  static const char *const modes[8] = {"ecb", "cbc", "ctr", "gcm", "gcm", "xts", "ccm", "cbc"};
  const uint32_t key_len = ow_lab_cipher_key_len(setting);
  const uint32_t mode = ow_lab_cipher_opcode(setting->opcode) - OW_OP_AES_ECB;
  const uint32_t size = key_len / 8 - 2;
  if (mode > 7 || size > 2) {
    return NULL;
  }
  if (!found[mode][size]) {
    char name[32];
    snprintf(name, sizeof name, "aes-%u-%s", key_len * 8, modes[mode]);
    found[mode][size] = ssl.EVP_CIPHER_fetch(NULL, name, NULL);
  }
  return found[mode][size];
}

static const char *refuses(const struct ow_lab_setting *setting) {
  const char *rare = ow_lab_is_combined(setting->opcode) ? NULL : ow_lab_refuses_rare(setting);
  if (rare) {
    return rare;
  }
  const uint32_t opcode = setting->opcode;
  const void *found = ow_lab_is_hash(opcode)       ? fetched_hash(opcode)
                      : ow_lab_is_hash_mac(opcode) ? fetched_mac(opcode)
                                                   : fetched(setting);
  return found ? NULL : "this OpenSSL does not have it";
}

static void close_context(void *opened) {
  struct context *context = opened;
  if (context->cipher) {
    ssl.EVP_CIPHER_CTX_free(context->cipher);
  }
  if (context->mac) {
    ssl.EVP_MAC_CTX_free(context->mac);
  }
  if (context->md) {
    ssl.EVP_MD_CTX_free(context->md);
  }
  free(context);
}

static int open_mac(struct context *context) {
  static void *cmac;
  char name[32];
  if (!cmac) {
    cmac = ssl.EVP_MAC_fetch(NULL, "CMAC", NULL);
  }
  context->mac = cmac ? ssl.EVP_MAC_CTX_new(cmac) : NULL;
  snprintf(name, sizeof name, "aes-%u-cbc", context->setting.key_len * 8);
  const struct parameter parameters[2] = {{"cipher", UTF8_STRING, name, strlen(name), 0},
                                          {NULL, 0, NULL, 0, 0}};
  return context->mac && ssl.EVP_MAC_CTX_set_params(context->mac, parameters) == 1;
}

static int open_hash_mac(struct context *context) {
  const uint32_t opcode = ow_lab_mac_opcode(context->setting.opcode);
  size_t size = context->setting.tag_len;
  char name[16];
  context->mac = ssl.EVP_MAC_CTX_new(fetched_mac(opcode));
  snprintf(name, sizeof name, "%s", hash_names[opcode & 15]);
  const struct parameter parameters[2] = {
      is_shake(opcode) ? (struct parameter){"size", UNSIGNED, &size, sizeof size, 0}
                       : (struct parameter){"digest", UTF8_STRING, name, strlen(name), 0},
      {NULL, 0, NULL, 0, 0}};
  return context->mac && ssl.EVP_MAC_CTX_set_params(context->mac, parameters) == 1;
}

static int open_hash(struct context *context) {
  context->md = ssl.EVP_MD_CTX_new();
  return context->md &&
         ssl.EVP_DigestInit_ex2(context->md, fetched_hash(context->setting.opcode), NULL) == 1;
}

static int open_cipher(struct context *context) {
  const struct ow_lab_setting *setting = &context->setting;
  context->cipher = ssl.EVP_CIPHER_CTX_new();
  int good = context->cipher &&
             ssl.EVP_CipherInit_ex2(context->cipher, fetched(setting), NULL, NULL,
                                    !setting->is_inverse, NULL) == 1 &&
             ssl.EVP_CIPHER_CTX_set_padding(context->cipher, 0) == 1;
  if (good && (is_gcm(setting) || setting->opcode == OW_OP_AES_CCM)) {
    good = ssl.EVP_CIPHER_CTX_ctrl(context->cipher, SET_IV_LEN, (int)setting->iv_len, NULL) == 1;
  }
  if (good &&
      setting->opcode == OW_OP_AES_CCM) { /* its key schedule begins with the tag's length */
    good = ssl.EVP_CIPHER_CTX_ctrl(context->cipher, SET_TAG, (int)setting->tag_len, NULL) == 1;
  }
  return good;
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = calloc(1, sizeof *context);
  if (!context) {
    return NULL;
  }
  context->setting = *setting;
  const int good = setting->opcode == OW_OP_AES_CMAC     ? open_mac(context)
                   : ow_lab_is_hash_mac(setting->opcode) ? open_hash_mac(context)
                   : ow_lab_is_hash(setting->opcode)     ? open_hash(context)
                   : ow_lab_is_combined(setting->opcode)
                       ? open_cipher(context) && open_hash_mac(context)
                       : open_cipher(context);
  if (good) {
    return context;
  }
  close_context(context);
  return NULL;
}

/* Sets the key, unless it is NULL, and the IV, unless it is NULL. */
static int start(struct context *context, const uint8_t *key, const uint8_t *iv) {
  const struct ow_lab_setting *setting = &context->setting;
  const uint32_t first = context->cipher ? ow_lab_cipher_key_len(setting) : 0;
  if (context->mac && ssl.EVP_MAC_init(context->mac, key ? key + first : NULL,
                                       key ? setting->key_len - first : 0, NULL) != 1) {
    return 0;
  }
  return !context->cipher ||
         ssl.EVP_CipherInit_ex2(context->cipher, NULL, key, iv, !setting->is_inverse, NULL) == 1;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  return context->md /* a digest has none */ || start(context, key, NULL);
}

static int begin_with(struct context *context, struct ow_lab_message *message, const uint8_t *key) {
  if (context->md) {
    return ssl.EVP_DigestInit_ex2(context->md, NULL, NULL) == 1;
  }
  return start(context, key, context->setting.iv_len ? message->iv : NULL);
}

static int begin(void *opened, struct ow_lab_message *message) {
  return begin_with(opened, message, NULL);
}

static int piece(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  int written;
  if (context->md) {
    return ssl.EVP_DigestUpdate(context->md, message->source, setting->length) == 1;
  }
  uint8_t *destination = setting->opcode == OW_OP_AES_GMAC ? NULL : message->destination;
  if (context->cipher && ssl.EVP_CipherUpdate(context->cipher, destination, &written,
                                              message->source, (int)setting->length) != 1) {
    return 0;
  }
  /* AES with HMAC: the MAC is over the ciphertext */
  const uint8_t *covered =
      context->cipher && !setting->is_inverse ? message->destination : message->source;
  return !context->mac || ssl.EVP_MAC_update(context->mac, covered, setting->length) == 1;
}

static int end(void *opened, struct ow_lab_message *message) {
  struct context *context = opened;
  const struct ow_lab_setting *setting = &context->setting;
  uint8_t rest[BLOCK];
  int written;
  if (context->md) {
    return (is_shake(setting->opcode)
                ? ssl.EVP_DigestFinalXOF(context->md, message->tag, setting->tag_len)
                : ssl.EVP_DigestFinal_ex(context->md, message->tag, NULL)) == 1;
  }
  if (context->mac && context->cipher &&
      ssl.EVP_CipherFinal_ex(context->cipher, rest, &written) != 1) {
    return 0;
  }
  if (context->mac) {
    size_t tag_len = 0;
    return ssl.EVP_MAC_final(context->mac, message->tag, &tag_len, TAG_MAX) == 1 &&
           ow_lab_finish_mac(setting, message);
  }
  if (is_gcm(setting) && setting->is_inverse &&
      ssl.EVP_CIPHER_CTX_ctrl(context->cipher, SET_TAG, (int)setting->tag_len, message->expected) !=
          1) {
    return 0;
  }
  if (ssl.EVP_CipherFinal_ex(context->cipher, rest, &written) != 1) {
    return 0;
  }
  return setting->tag_len == 0 || setting->is_inverse ||
         ssl.EVP_CIPHER_CTX_ctrl(context->cipher, GET_TAG, (int)setting->tag_len, message->tag) ==
             1;
}

/* Processes CCM, which needs the tag before the IV and the length before the data, and has no final
 * call when decrypting. */
static int ccm(struct context *context, struct ow_lab_message *message, const uint8_t *key) {
  const struct ow_lab_setting *setting = &context->setting;
  int written;
  if (setting->is_inverse &&
      ssl.EVP_CIPHER_CTX_ctrl(context->cipher, SET_TAG, (int)setting->tag_len, message->expected) !=
          1) {
    return 0;
  }
  return begin_with(context, message, key) &&
         ssl.EVP_CipherUpdate(context->cipher, NULL, &written, NULL, (int)setting->length) == 1 &&
         piece(context, message) && (setting->is_inverse || end(context, message));
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  struct context *context = opened;
  if (context->setting.opcode == OW_OP_AES_CCM) {
    return ccm(context, message, key);
  }
  return begin_with(context, message, key) && piece(context, message) && end(context, message);
}

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

OW_LAB_EXPORT const struct ow_lab_calls *ow_lab_adapter(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    return NULL;
  }
  /* POSIX allows a function's address in a void pointer; ISO C has no cast for it. */
#define FIND(name)                                                                                 \
  do {                                                                                             \
    void *address = dlsym(handle, #name);                                                          \
    if (!address) {                                                                                \
      return NULL;                                                                                 \
    }                                                                                              \
    memcpy(&ssl.name, &address, sizeof address);                                                   \
  } while (0)
  FIND(OpenSSL_version);
  FIND(OPENSSL_info);
  FIND(EVP_CIPHER_fetch);
  FIND(EVP_CIPHER_CTX_new);
  FIND(EVP_CIPHER_CTX_free);
  FIND(EVP_CIPHER_CTX_ctrl);
  FIND(EVP_CIPHER_CTX_set_padding);
  FIND(EVP_CipherInit_ex2);
  FIND(EVP_CipherUpdate);
  FIND(EVP_CipherFinal_ex);
  FIND(EVP_MAC_fetch);
  FIND(EVP_MAC_CTX_new);
  FIND(EVP_MAC_CTX_free);
  FIND(EVP_MAC_CTX_set_params);
  FIND(EVP_MAC_init);
  FIND(EVP_MAC_update);
  FIND(EVP_MAC_final);
  FIND(EVP_MD_fetch);
  FIND(EVP_MD_CTX_new);
  FIND(EVP_MD_CTX_free);
  FIND(EVP_DigestInit_ex2);
  FIND(EVP_DigestUpdate);
  FIND(EVP_DigestFinal_ex);
  FIND(EVP_DigestFinalXOF);
#undef FIND
  return &calls;
}
