/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * CMAC with AES: the device chains whole blocks, from wolfSSL's chaining value to the next one.
 * Software, which has the subkeys, processes the last block.
 */
#include "families.h"

#ifdef WOLFSSL_CMAC

#define BLOCK 16u

/* Saved state of CMAC (rtl/aes/README.md): state1 is the chain; state2 has the byte count of the
 * AAD, which is 0, then that of the message. */
enum { CHAIN = 16, BYTES = 40 };

static bool chain(struct ow_offload *offload, const Cmac *cmac, uint8_t state[OW_AES_STATE_BYTES],
                  const byte *in, word32 length, word32 held) {
  struct ow_request request = {
      .opcode = OW_OP_AES_CMAC,
      .key = (const uint8_t *)cmac->aes.devKey,
      .key_len = (uint8_t)cmac->aes.keylen,
      .flags = OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE,
      .head = cmac->buffer,
      .head_len = held,
      .input = in,
      .length = length,
      .state = state,
  };
  return ow_offload_run(offload, &request);
}

static int update(struct ow_offload *offload, Cmac *cmac, uint8_t state[OW_AES_STATE_BYTES],
                  const byte *in, word32 length) {
  uint64_t begun = cmac->totalSz;
  word32 held = cmac->bufferSz, done = 0;
  if (cmac->aes.devId == INVALID_DEVID || held > BLOCK || length > UINT32_MAX - BLOCK) {
    return CRYPTOCB_UNAVAILABLE;
  }
  /* not the last block */
  word32 whole = held + length == 0 ? 0 : (held + length - 1) & ~(BLOCK - 1u);
  if (whole == 0 ||
      !ow_offload_wants(offload, OW_OP_AES_CMAC, (uint8_t)cmac->aes.keylen, false, length)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(state + CHAIN, cmac->digest, BLOCK);
  for (unsigned i = 0; i < 8; i++) {
    state[BYTES + i] = (uint8_t)(begun >> 8 * i);
  }
  while (done < whole) {
    word32 now = whole - done < OW_REQUEST_BYTES ? whole - done : OW_REQUEST_BYTES;
    if (!chain(offload, cmac, state, done == 0 ? in : in + done - held, now,
               done == 0 ? held : 0)) {
      return CRYPTOCB_UNAVAILABLE; /* software does all of it: the context is unchanged */
    }
    done += now;
  }
  memcpy(cmac->digest, state + CHAIN, BLOCK);
  cmac->totalSz += whole;
  cmac->bufferSz = held + length - whole;
  memcpy(cmac->buffer, in + (whole - held), cmac->bufferSz);
  return 0;
}

int ow_wolfssl_cmac(struct ow_offload *offload, wc_CryptoInfo *info) {
  Cmac *cmac = info->cmac.cmac;
  /* A call with a key begins a message (in wc_AesCmacGenerate_ex the context is not initialised
   * yet), one with an output ends it. CMAC is always AES's; not every release says so. */
  if (info->cmac.key != NULL || info->cmac.in == NULL || info->cmac.out != NULL) {
    return CRYPTOCB_UNAVAILABLE;
  }
  uint8_t state[OW_AES_STATE_BYTES] = {0};
  int result = update(offload, cmac, state, info->cmac.in, info->cmac.inSz);
  explicit_bzero(state, sizeof(state));
  return result;
}

#endif
