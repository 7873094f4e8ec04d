/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Triple DES in CBC, in pieces. wolfSSL does not call the callback for ECB.
 */
#include "families.h"

#ifndef NO_DES3

enum { BLOCK = 8, KEY = 24 };

/* Processes whole blocks on the device, and updates the chaining value. Returns how many bytes were
 * done. */
static word32 blocks(struct ow_offload *offload, Des3 *des, bool decrypt, byte *out, const byte *in,
                     word32 length) {
  word32 done = 0;
  while (done < length) {
    struct ow_request request = {
        .opcode = OW_OP_TDES_CBC,
        .flags = decrypt ? OW_JOB_DECRYPT : 0,
        .key = (const uint8_t *)des->devKey,
        .key_len = KEY,
        .iv = (const uint8_t *)des->reg,
        .iv_len = BLOCK,
        .input = in + done,
        .output = out + done,
        .length = length - done < OW_REQUEST_BYTES ? length - done : OW_REQUEST_BYTES,
    };
    if (!ow_offload_run(offload, &request)) {
      break;
    }
    memcpy(des->reg, request.tag, BLOCK);
    done += request.length;
  }
  return done;
}

/* Processes in software what is left after the device has failed. */
static int finish_in_software(Des3 *des, bool decrypt, byte *out, const byte *in, word32 length) {
  int device = des->devId;
  des->devId = INVALID_DEVID;
  int result =
      decrypt ? wc_Des3_CbcDecrypt(des, out, in, length) : wc_Des3_CbcEncrypt(des, out, in, length);
  des->devId = device;
  return result;
}

int ow_wolfssl_des3(struct ow_offload *offload, wc_CryptoInfo *info) {
  Des3 *des = info->cipher.des3.des;
  byte *out = info->cipher.des3.out;
  const byte *in = info->cipher.des3.in;
  word32 length = info->cipher.des3.sz;
  bool decrypt = info->cipher.enc == 0;
  if (length == 0 || length % BLOCK != 0 ||
      !ow_offload_wants(offload, OW_OP_TDES_CBC, KEY, decrypt, length)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  word32 done = blocks(offload, des, decrypt, out, in, length);
  if (done == 0) {
    return CRYPTOCB_UNAVAILABLE;
  }
  return done == length ? 0
                        : finish_in_software(des, decrypt, out + done, in + done, length - done);
}

#endif
