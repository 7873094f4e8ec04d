/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES: GCM and CCM as whole messages, ECB, CBC and CTR in pieces.
 */
#include "families.h"

#ifndef NO_AES

#define BLOCK 16u

/* After a key that wolfSSL has refused, the one before it is still in the context. */
#ifdef WC_AES_KEY_IS_SET
#define KEY_LEN(aes) (WC_AES_KEY_IS_SET(aes) ? (uint8_t)(aes)->keylen : (uint8_t)0)
#else
#define KEY_LEN(aes) ((uint8_t)(aes)->keylen)
#endif

static struct ow_request request_of(const Aes *aes, uint8_t opcode, bool decrypt) {
  return (struct ow_request){.opcode = opcode,
                             .flags = decrypt ? OW_JOB_DECRYPT : 0,
                             .key = (const uint8_t *)aes->devKey,
                             .key_len = KEY_LEN(aes)};
}

static bool wants(struct ow_offload *offload, const struct ow_request *request, size_t length) {
  return request->key_len != 0 && ow_offload_wants(offload, request->opcode, request->key_len,
                                                   (request->flags & OW_JOB_DECRYPT) != 0, length);
}

/* Runs one message of GCM or CCM as one job. If the device finds a wrong tag, software checks it
 * again. */
static int aead(struct ow_offload *offload, struct ow_request *request, const byte *nonce,
                word32 nonce_len, const byte *aad, word32 aad_len, const byte *in, byte *out,
                word32 length, const byte *expected, byte *tag, word32 tag_len) {
  if (tag_len > sizeof(request->tag) || (aad == NULL && aad_len != 0) ||
      !wants(offload, request, length)) {
    return CRYPTOCB_UNAVAILABLE; /* software reports the error */
  }
  request->iv = nonce;
  request->iv_len = nonce_len;
  request->aad = aad;
  request->aad_len = aad_len;
  request->input = in;
  request->output = out;
  request->length = length;
  request->tag_len = (uint8_t)tag_len;
  if (expected != NULL) {
    memcpy(request->tag, expected, tag_len);
  }
  if (!ow_offload_run(offload, request)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  if (tag != NULL) {
    memcpy(tag, request->tag, tag_len);
  }
  return 0;
}

static int gcm(struct ow_offload *offload, wc_CryptoInfo *info) {
  if (info->cipher.enc != 0) {
    struct ow_request request = request_of(info->cipher.aesgcm_enc.aes, OW_OP_AES_GCM, false);
    return aead(offload, &request, info->cipher.aesgcm_enc.iv, info->cipher.aesgcm_enc.ivSz,
                info->cipher.aesgcm_enc.authIn, info->cipher.aesgcm_enc.authInSz,
                info->cipher.aesgcm_enc.in, info->cipher.aesgcm_enc.out, info->cipher.aesgcm_enc.sz,
                NULL, info->cipher.aesgcm_enc.authTag, info->cipher.aesgcm_enc.authTagSz);
  }
  struct ow_request request = request_of(info->cipher.aesgcm_dec.aes, OW_OP_AES_GCM, true);
  return aead(offload, &request, info->cipher.aesgcm_dec.iv, info->cipher.aesgcm_dec.ivSz,
              info->cipher.aesgcm_dec.authIn, info->cipher.aesgcm_dec.authInSz,
              info->cipher.aesgcm_dec.in, info->cipher.aesgcm_dec.out, info->cipher.aesgcm_dec.sz,
              info->cipher.aesgcm_dec.authTag, NULL, info->cipher.aesgcm_dec.authTagSz);
}

static int ccm(struct ow_offload *offload, wc_CryptoInfo *info) {
  if (info->cipher.enc != 0) {
    struct ow_request request = request_of(info->cipher.aesccm_enc.aes, OW_OP_AES_CCM, false);
    return aead(offload, &request, info->cipher.aesccm_enc.nonce, info->cipher.aesccm_enc.nonceSz,
                info->cipher.aesccm_enc.authIn, info->cipher.aesccm_enc.authInSz,
                info->cipher.aesccm_enc.in, info->cipher.aesccm_enc.out, info->cipher.aesccm_enc.sz,
                NULL, info->cipher.aesccm_enc.authTag, info->cipher.aesccm_enc.authTagSz);
  }
  struct ow_request request = request_of(info->cipher.aesccm_dec.aes, OW_OP_AES_CCM, true);
  return aead(offload, &request, info->cipher.aesccm_dec.nonce, info->cipher.aesccm_dec.nonceSz,
              info->cipher.aesccm_dec.authIn, info->cipher.aesccm_dec.authInSz,
              info->cipher.aesccm_dec.in, info->cipher.aesccm_dec.out, info->cipher.aesccm_dec.sz,
              info->cipher.aesccm_dec.authTag, NULL, info->cipher.aesccm_dec.authTagSz);
}

/* Processes whole blocks of ECB, CBC or CTR in jobs of at most OW_REQUEST_BYTES, and updates the
 * chaining value of the context. Returns how many bytes were done. */
static word32 blocks(struct ow_offload *offload, Aes *aes, uint8_t opcode, bool decrypt, byte *out,
                     const byte *in, word32 length) {
  word32 done = 0;
  while (done < length) {
    struct ow_request request = request_of(aes, opcode, decrypt);
    if (opcode != OW_OP_AES_ECB) {
      request.iv = (const uint8_t *)aes->reg;
      request.iv_len = BLOCK;
    }
    request.input = in + done;
    request.output = out + done;
    request.length = length - done < OW_REQUEST_BYTES ? length - done : OW_REQUEST_BYTES;
    if (!ow_offload_run(offload, &request)) {
      break;
    }
    if (opcode != OW_OP_AES_ECB) {
      memcpy(aes->reg, request.tag, BLOCK);
    }
    done += request.length;
  }
  return done;
}

/* Processes in software what is left after the device has failed. */
static int finish_in_software(Aes *aes, uint8_t opcode, bool decrypt, byte *out, const byte *in,
                              word32 length) {
  int device = aes->devId, result;
  aes->devId = INVALID_DEVID;
  if (opcode == OW_OP_AES_CTR) {
    result = wc_AesCtrEncrypt(aes, out, in, length);
  } else if (opcode == OW_OP_AES_CBC) {
    result =
        decrypt ? wc_AesCbcDecrypt(aes, out, in, length) : wc_AesCbcEncrypt(aes, out, in, length);
  } else {
    result =
        decrypt ? wc_AesEcbDecrypt(aes, out, in, length) : wc_AesEcbEncrypt(aes, out, in, length);
  }
  aes->devId = device;
  return result;
}

static int stream(struct ow_offload *offload, Aes *aes, uint8_t opcode, bool decrypt, byte *out,
                  const byte *in, word32 length) {
  const struct ow_request request = request_of(aes, opcode, decrypt);
  bool left_over = opcode == OW_OP_AES_CTR && aes->left != 0; /* of a key stream block */
  word32 whole = length - length % BLOCK;
  if (whole == 0 || left_over || (whole != length && opcode != OW_OP_AES_CTR) ||
      !wants(offload, &request, length)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  word32 done = blocks(offload, aes, opcode, decrypt, out, in, whole);
  if (done == 0) {
    return CRYPTOCB_UNAVAILABLE;
  }
  return done == length
             ? 0
             : finish_in_software(aes, opcode, decrypt, out + done, in + done, length - done);
}

int ow_wolfssl_aes(struct ow_offload *offload, wc_CryptoInfo *info) {
  bool decrypt = info->cipher.enc == 0;
  (void)decrypt;
  switch (info->cipher.type) {
#ifdef HAVE_AESGCM
  case WC_CIPHER_AES_GCM:
    return gcm(offload, info);
#endif
#ifdef HAVE_AESCCM
  case WC_CIPHER_AES_CCM:
    return ccm(offload, info);
#endif
#ifdef HAVE_AES_CBC
  case WC_CIPHER_AES_CBC:
    return stream(offload, info->cipher.aescbc.aes, OW_OP_AES_CBC, decrypt, info->cipher.aescbc.out,
                  info->cipher.aescbc.in, info->cipher.aescbc.sz);
#endif
#ifdef WOLFSSL_AES_COUNTER
  case WC_CIPHER_AES_CTR: /* encryption and decryption are the same */
    return stream(offload, info->cipher.aesctr.aes, OW_OP_AES_CTR, false, info->cipher.aesctr.out,
                  info->cipher.aesctr.in, info->cipher.aesctr.sz);
#endif
#ifdef HAVE_AES_ECB
  case WC_CIPHER_AES_ECB:
    return stream(offload, info->cipher.aesecb.aes, OW_OP_AES_ECB, decrypt, info->cipher.aesecb.out,
                  info->cipher.aesecb.in, info->cipher.aesecb.sz);
#endif
  default:
    return CRYPTOCB_UNAVAILABLE;
  }
}

#endif
