/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * CMAC with AES (SP 800-38B): the device chains the blocks; the last block is processed here.
 */
#include "mac.h"

struct cmac {
  struct owp_mac mac;
  uint8_t chain[16];
  /* bytes chained so far */
  uint64_t chained;
  /* bytes that may be the last block */
  uint8_t held[16];
  uint8_t held_len;
  struct owp_slot_mac in_slot;
};

const size_t owp_cmac_size = sizeof(struct cmac);

/* Chains whole blocks, the held bytes first, on the device. Returns false if it fails. */
static bool run_job(struct cmac *cmac, const uint8_t *in, size_t length, size_t held_len) {
  struct owp_mac *mac = &cmac->mac;
  uint8_t saved[OW_AES_STATE_BYTES] = {0};
  struct ow_request request = owp_mac_request(mac);
  request.state = saved;
  request.flags = (uint16_t)(OW_JOB_SAVE_STATE | (cmac->chained != 0 ? OW_JOB_LOAD_STATE : 0u));
  request.head = cmac->held;
  request.head_len = (uint32_t)held_len;
  request.input = in;
  request.length = (uint32_t)length;
  /* Saved state (rtl/aes/README.md): state1 is the chain; the number of bytes is in state2. */
  memcpy(saved + 16, cmac->chain, 16);
  for (unsigned i = 0; i < 8; i++) {
    saved[40 + i] = (uint8_t)(cmac->chained >> (8 * i));
  }
  if (!owp_mac_run(mac, &request)) {
    return false;
  }
  memcpy(cmac->chain, saved + 16, 16);
  return true;
}

static bool chain_here(struct cmac *cmac, const uint8_t *block) {
  for (unsigned i = 0; i < 16; i++) {
    cmac->chain[i] ^= block[i];
  }
  return owp_mac_encrypt(&cmac->mac, cmac->chain, cmac->chain, 16);
}

static bool chain_piece_here(struct cmac *cmac, const uint8_t *in, size_t length, size_t held_len) {
  bool good = true;
  if (held_len != 0) {
    uint8_t block[16];
    memcpy(block, cmac->held, held_len);
    memcpy(block + held_len, in, 16 - held_len);
    good = chain_here(cmac, block);
    in += 16 - held_len;
    length -= 16;
  }
  for (; length != 0 && good; length -= 16, in += 16) {
    good = chain_here(cmac, in);
  }
  return good;
}

/* Adds input: on the device, or with the block cipher where the device fails. Returns false if the
 * block cipher fails, or if the device refuses the first job (the phase stays). */
static bool add(struct cmac *cmac, const uint8_t *in, size_t length) {
  size_t total = cmac->held_len + length;
  while (total > 16) {
    size_t held_len = cmac->held_len;
    size_t whole = (total - 1) & ~(size_t)15;
    size_t now = whole < OW_REQUEST_BYTES ? whole : OW_REQUEST_BYTES;
    if (!run_job(cmac, in, now, held_len)) {
      if (cmac->mac.phase != OWP_MAC_DEVICE || !chain_piece_here(cmac, in, now, held_len)) {
        return false;
      }
    }
    cmac->mac.phase = OWP_MAC_DEVICE;
    cmac->chained += now;
    cmac->held_len = 0;
    in += now - held_len;
    total -= now;
  }
  size_t fresh = total - cmac->held_len;
  memcpy(cmac->held + cmac->held_len, in, fresh);
  cmac->held_len = (uint8_t)total;
  return true;
}

static void begin(struct cmac *cmac) {
  memset(cmac->chain, 0, sizeof(cmac->chain));
  cmac->chained = 0;
  cmac->held_len = 0;
  cmac->mac.phase = cmac->mac.slot_key != NULL ? OWP_MAC_DEVICE : OWP_MAC_INSIDE;
  owp_slot_mac_begin(&cmac->in_slot, NULL, 0);
}

static int update(void *context, const unsigned char *data, size_t length) {
  struct cmac *cmac = context;
  struct owp_mac *mac = &cmac->mac;
  if (mac->phase == OWP_MAC_OVER) {
    return owp_refuse(mac->provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  if (mac->phase == OWP_MAC_FRESH && (length != 0 || mac->slot_key != NULL)) {
    begin(cmac);
    /* A single block is the last one: there is nothing to chain. */
    if (mac->slot_key == NULL && length > 16 && owp_mac_wants(mac, length) &&
        add(cmac, data, length)) {
      return 1;
    }
  }
  if (mac->slot_key != NULL) {
    return owp_slot_mac_add(mac, &cmac->in_slot, data, length);
  }
  return mac->phase == OWP_MAC_DEVICE ? add(cmac, data, length)
                                      : OWP_INSIDE(mac, update, data, length);
}

/* Doubles in GF(2^128) (SP 800-38B 6.1). */
static void twice(uint8_t block[16]) {
  uint8_t carry = (uint8_t)(0u - (block[0] >> 7)) & 0x87u;
  for (unsigned i = 0; i < 15; i++) {
    block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
  }
  block[15] = (uint8_t)(block[15] << 1 ^ carry);
}

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct cmac *cmac = context;
  struct owp_mac *mac = &cmac->mac;
  uint8_t subkey[16] = {0}, last[16] = {0};
  if (mac->phase == OWP_MAC_OVER) {
    return owp_refuse(mac->provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  if (mac->phase == OWP_MAC_FRESH && mac->slot_key != NULL) {
    begin(cmac);
  }
  if (mac->phase != OWP_MAC_DEVICE) {
    return OWP_INSIDE(mac, final, out, out_len, out_size);
  }
  *out_len = 16;
  if (mac->slot_key != NULL) {
    return out_size >= 16 && owp_slot_mac_end(mac, &cmac->in_slot, out);
  }
  if (out_size < 16 || !owp_mac_encrypt(mac, subkey, subkey, 16)) {
    return 0;
  }
  twice(subkey);
  memcpy(last, cmac->held, cmac->held_len);
  if (cmac->held_len < 16) {
    last[cmac->held_len] = 0x80;
    twice(subkey);
  }
  for (unsigned i = 0; i < 16; i++) {
    last[i] ^= subkey[i];
  }
  bool good = chain_here(cmac, last);
  memcpy(out, cmac->chain, 16);
  OPENSSL_cleanse(subkey, sizeof(subkey));
  return good;
}

static int init(void *context, const unsigned char *key, size_t key_len,
                const OSSL_PARAM params[]) {
  struct cmac *cmac = context;
  if (!owp_mac_init(&cmac->mac, key, key_len, params, OWP_CBC_128)) {
    return 0;
  }
  cmac->mac.phase = OWP_MAC_FRESH;
  return 1;
}

/* A key begins a new message, as in the inner context. */
static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct cmac *cmac = context;
  if (!owp_mac_set(&cmac->mac, params, OWP_CBC_128)) {
    return 0;
  }
  if (owp_mac_has_key(params)) {
    cmac->mac.phase = OWP_MAC_FRESH;
  }
  return 1;
}

#ifdef OWP_HAS_SKEYS
static int init_skey(void *context, void *key, const OSSL_PARAM params[]) {
  struct cmac *cmac = context;
  if (!owp_mac_init_skey(&cmac->mac, key, params, OWP_CBC_128)) {
    return 0;
  }
  cmac->mac.phase = OWP_MAC_FRESH;
  return 1;
}
#endif

const OSSL_DISPATCH owp_cmac_functions[] = {
    {OSSL_FUNC_MAC_FREECTX, (void (*)(void))owp_mac_free},
    {OSSL_FUNC_MAC_DUPCTX, (void (*)(void))owp_mac_dup},
    {OSSL_FUNC_MAC_INIT, (void (*)(void))init},
#ifdef OWP_HAS_SKEYS
    {OSSL_FUNC_MAC_INIT_SKEY, (void (*)(void))init_skey},
#endif
    {OSSL_FUNC_MAC_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_MAC_FINAL, (void (*)(void)) final},
    {OSSL_FUNC_MAC_GET_CTX_PARAMS, (void (*)(void))owp_mac_get_ctx_params},
    {OSSL_FUNC_MAC_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
