/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Processes a message with libcrypto's EVP interface.
 */
#include "reference.h"

#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "outwork/spec.h"

static const char *mode_name(uint8_t opcode) {
  switch (opcode) {
  case OW_OP_AES_ECB:
    return "ECB";
  case OW_OP_AES_CBC:
    return "CBC";
  case OW_OP_AES_CTR:
    return "CTR";
  case OW_OP_AES_GCM:
  case OW_OP_AES_GMAC:
    return "GCM";
  case OW_OP_AES_XTS:
    return "XTS";
  default:
    return "CCM";
  }
}

static void cmac(const struct reference *reference, uint8_t *tag, const uint8_t *input,
                 size_t length) {
  char name[16];
  size_t written = 0;
  uint8_t mac[16];
  snprintf(name, sizeof(name), "AES-%zu-CBC", reference->key_len * 8);
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string("cipher", name, 0),
                             OSSL_PARAM_construct_end()};
  CHECK(EVP_Q_mac(NULL, "CMAC", NULL, NULL, parameters, reference->key, reference->key_len, input,
                  length, mac, sizeof(mac), &written));
  memcpy(tag, mac, reference->tag_len);
}

void reference_seal(const struct reference *reference, uint8_t *output, uint8_t *tag,
                    const uint8_t *input, size_t length) {
  char name[16];
  uint8_t key[64], nothing[16] = {0};
  int written = 0;
  uint8_t opcode = reference->opcode;
  if (opcode == OW_OP_AES_CMAC) {
    cmac(reference, tag, length != 0 ? input : nothing, length);
    return;
  }
  bool gmac = opcode == OW_OP_AES_GMAC, ccm = opcode == OW_OP_AES_CCM;
  bool tagged = gmac || ccm || opcode == OW_OP_AES_GCM;
  snprintf(name, sizeof(name), "AES-%zu-%s", reference->key_len * 8, mode_name(opcode));
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(cipher != NULL && context != NULL);
  memcpy(key, reference->key, reference->key_len);
  if (opcode == OW_OP_AES_XTS) {
    memcpy(key + reference->key_len, reference->tweak_key, reference->key_len);
  }
  CHECK(EVP_EncryptInit_ex2(context, cipher, NULL, NULL, NULL));
  if (tagged) {
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)reference->iv_len, NULL));
  }
  if (ccm) {
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)reference->tag_len, NULL));
  }
  CHECK(EVP_EncryptInit_ex2(context, NULL, key, reference->iv, NULL));
  EVP_CIPHER_CTX_set_padding(context, 0);
  if (ccm) {
    CHECK(EVP_EncryptUpdate(context, NULL, &written, NULL, (int)length));
  }
  if (reference->aad_len != 0) {
    CHECK(EVP_EncryptUpdate(context, NULL, &written, reference->aad, (int)reference->aad_len));
  }
  if (length != 0 || ccm) {
    CHECK(EVP_EncryptUpdate(context,
                            gmac             ? NULL
                            : output != NULL ? output
                                             : nothing,
                            &written, length != 0 ? input : nothing, (int)length));
  }
  CHECK(EVP_EncryptFinal_ex(context, nothing, &written));
  if (tagged) {
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)reference->tag_len, tag));
  }
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
}

static uint64_t random_state = 0x9e3779b97f4a7c15u;

uint32_t random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 32);
}

void random_bytes(uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)random_number();
  }
}
