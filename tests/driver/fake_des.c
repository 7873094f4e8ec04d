/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device's DES jobs: TDES by libcrypto, with inline keys.
 */
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fake_inside.h"

static EVP_CIPHER *modes[2]; /* ECB, CBC */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fetch(void) {
  modes[0] = EVP_CIPHER_fetch(NULL, "DES-EDE3-ECB", NULL);
  modes[1] = EVP_CIPHER_fetch(NULL, "DES-EDE3-CBC", NULL);
}

/* This library may be closed before the program ends. */
__attribute__((destructor)) static void give_back(void) {
  EVP_CIPHER_free(modes[0]);
  EVP_CIPHER_free(modes[1]);
}

/* SP 800-67, SP 800-38A 6.1 and 6.2. */
static bool crypt(const EVP_CIPHER *mode, uint8_t *output, const uint8_t *key, const uint8_t *iv,
                  bool decrypt, const uint8_t *input, size_t length) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int written = 0;
  bool good = EVP_CipherInit_ex2(context, mode, key, iv, !decrypt, NULL) == 1 &&
              EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
              EVP_CipherUpdate(context, output, &written, input, (int)length) == 1 &&
              (size_t)written == length;
  EVP_CIPHER_CTX_free(context);
  return good;
}

unsigned fake_des(struct fake_device *fake, const struct ow_descriptor *descriptor,
                  struct ow_completion *record) {
  uint32_t control = descriptor->control;
  unsigned opcode = FIELD(control, OW_DESCRIPTOR_CONTROL_OPCODE);
  bool decrypt = FIELD(control, OW_DESCRIPTOR_CONTROL_DECRYPT) != 0;
  uint32_t length = descriptor->length;
  if (opcode != OW_OP_TDES_ECB && opcode != OW_OP_TDES_CBC) {
    return OW_DEVICE_BAD_OPCODE;
  }
  if (length % 8 != 0) {
    return OW_DEVICE_BAD_LENGTH;
  }
  if (FIELD(control, OW_DESCRIPTOR_CONTROL_INLINE_KEY) == 0) {
    return OW_DEVICE_BAD_KEY;
  }
  pthread_once(&once, fetch);
  const uint8_t *key = fake_reach(fake, descriptor->context, 24, OW_TO_DEVICE);
  uint8_t *input = calloc(2, length + 1u), *output = input + length + 1u;
  unsigned status = key == NULL ? OW_DEVICE_READ_ERROR
                                : fake_move(fake, descriptor->source,
                                            FIELD(control, OW_DESCRIPTOR_CONTROL_SOURCE_LIST) != 0,
                                            input, length, false);
  if (status == OW_DEVICE_OK && !crypt(modes[opcode == OW_OP_TDES_CBC], output, key, descriptor->iv,
                                       decrypt, input, length)) {
    status = OW_DEVICE_FAULT;
  }
  if (status == OW_DEVICE_OK) {
    status = fake_move(fake, descriptor->destination,
                       FIELD(control, OW_DESCRIPTOR_CONTROL_DESTINATION_LIST) != 0, output, length,
                       true);
    record->bytes = length;
    memcpy(record->tag, length == 0 ? descriptor->iv : (decrypt ? input : output) + length - 8, 8);
  }
  free(input);
  return status;
}
