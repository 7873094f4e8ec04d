/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * GMAC with AES (SP 800-38D 3): the device hashes whole blocks; the last bytes and the tag are
 * processed here.
 */
#include "ghash.h"
#include "mac.h"

#define IV_MAX 64u

struct gmac {
  struct owp_mac mac;
  /* bytes of `iv`, which is valid until the message is over */
  size_t iv_len;
  uint8_t iv[IV_MAX];
  struct owp_gcm_state state;
  uint8_t held[16];
  uint8_t held_len;
  struct owp_slot_mac in_slot;
};

const size_t owp_gmac_size = sizeof(struct gmac);

/* Hashes whole blocks, the held bytes first, on the device. Returns false if it fails. */
static bool run_job(struct gmac *gmac, const uint8_t *in, size_t length, size_t held_len) {
  struct owp_mac *mac = &gmac->mac;
  uint8_t saved[OW_AES_STATE_BYTES];
  struct ow_request request = owp_mac_request(mac);
  request.state = saved;
  request.flags = OW_JOB_SAVE_STATE;
  request.head = gmac->held;
  request.head_len = (uint32_t)held_len;
  request.input = in;
  request.length = (uint32_t)length;
  if (mac->phase != OWP_MAC_DEVICE) {
    request.iv = gmac->iv;
    request.iv_len = (uint32_t)gmac->iv_len;
  } else {
    request.flags |= OW_JOB_LOAD_STATE;
    owp_gcm_save(&gmac->state, saved);
  }
  if (!owp_mac_run(mac, &request)) {
    return false;
  }
  owp_gcm_load(&gmac->state, saved);
  return true;
}

static void hash_here(struct gmac *gmac, const uint8_t *in, size_t length, size_t held_len) {
  struct owp_gcm_state *state = &gmac->state;
  state->aad_len += length;
  if (held_len != 0) {
    uint8_t block[16];
    memcpy(block, gmac->held, held_len);
    memcpy(block + held_len, in, 16 - held_len);
    owp_ghash(state->sum, state->hash_key, block, 16);
    in += 16 - held_len;
    length -= 16;
  }
  owp_ghash(state->sum, state->hash_key, in, length);
}

/* Adds input: on the device, or in software where the device fails. Returns false if the block
 * cipher fails, or if the device refuses the first job (the phase stays). */
static bool add(struct gmac *gmac, const uint8_t *in, size_t length) {
  size_t total = gmac->held_len + length;
  while (total >= 16) {
    size_t held_len = gmac->held_len;
    size_t whole = total & ~(size_t)15;
    size_t now = whole < OW_REQUEST_BYTES ? whole : OW_REQUEST_BYTES;
    bool begun = gmac->mac.phase == OWP_MAC_DEVICE;
    if (run_job(gmac, in, now, held_len)) {
      if (!begun && !owp_gcm_begin(&gmac->state, owp_mac_encrypt, &gmac->mac)) {
        return false;
      }
    } else if (begun) {
      hash_here(gmac, in, now, held_len);
    } else {
      return false;
    }
    gmac->mac.phase = OWP_MAC_DEVICE;
    gmac->held_len = 0;
    in += now - held_len;
    total -= now;
  }
  size_t fresh = total - gmac->held_len;
  memcpy(gmac->held + gmac->held_len, in, fresh);
  gmac->held_len = (uint8_t)total;
  return true;
}

/* Begins a message under a key in a slot: the device does all of it, even if it is short. */
static void begin_in_slot(struct gmac *gmac) {
  owp_slot_mac_begin(&gmac->in_slot, gmac->iv, gmac->iv_len);
  gmac->mac.phase = OWP_MAC_DEVICE;
}

static int update(void *context, const unsigned char *data, size_t length) {
  struct gmac *gmac = context;
  struct owp_mac *mac = &gmac->mac;
  if (length == 0) { /* not even an error, as in the inner context */
    return 1;
  }
  if (mac->phase == OWP_MAC_FRESH && mac->slot_key != NULL) {
    begin_in_slot(gmac);
  } else if (mac->phase == OWP_MAC_FRESH) {
    gmac->held_len = 0;
    if (owp_mac_wants(mac, length) && add(gmac, data, length)) {
      return 1;
    }
    mac->phase = OWP_MAC_INSIDE;
  }
  if (mac->phase == OWP_MAC_INSIDE) {
    return OWP_INSIDE(mac, update, data, length);
  }
  if (mac->phase == OWP_MAC_OVER) {
    return owp_refuse(mac->provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  return mac->slot_key != NULL ? owp_slot_mac_add(mac, &gmac->in_slot, data, length)
                               : add(gmac, data, length);
}

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct gmac *gmac = context;
  struct owp_mac *mac = &gmac->mac;
  if (mac->phase == OWP_MAC_FRESH && mac->slot_key != NULL) {
    begin_in_slot(gmac);
  } else if (mac->phase == OWP_MAC_FRESH) {
    mac->phase = OWP_MAC_INSIDE;
  }
  if (mac->phase == OWP_MAC_INSIDE) {
    return OWP_INSIDE(mac, final, out, out_len, out_size);
  }
  if (mac->phase == OWP_MAC_OVER || out_size < 16) {
    return owp_refuse(mac->provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  /* A second tag under the same IV would give away the hash key. */
  mac->phase = OWP_MAC_OVER;
  *out_len = 16;
  if (mac->slot_key != NULL) {
    return owp_slot_mac_end(mac, &gmac->in_slot, out);
  }
  gmac->state.aad_len += gmac->held_len;
  owp_ghash(gmac->state.sum, gmac->state.hash_key, gmac->held, gmac->held_len);
  return owp_gcm_tag(&gmac->state, out);
}

/* Notes what the parameters, and perhaps a new key, do to the message. Only another IV begins a new
 * one; a cipher makes the inner context forget key and IV. */
static void note(struct gmac *gmac, bool new_key, const OSSL_PARAM params[]) {
  const OSSL_PARAM *iv = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_IV);
  new_key = new_key || owp_mac_has_key(params);
  if (OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_CIPHER) != NULL) {
    gmac->mac.phase = OWP_MAC_INSIDE;
    if (!new_key) {
      owp_mac_drop_key(&gmac->mac);
    }
  } else if (gmac->mac.phase == OWP_MAC_DEVICE && new_key) {
    gmac->mac.phase = OWP_MAC_OVER;
  }
  if (iv != NULL && iv->data_type == OSSL_PARAM_OCTET_STRING) {
    gmac->iv_len = iv->data_size <= IV_MAX ? iv->data_size : 0;
    memcpy(gmac->iv, iv->data, gmac->iv_len);
    gmac->mac.phase = gmac->iv_len != 0 ? OWP_MAC_FRESH : OWP_MAC_INSIDE;
  }
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  if (!owp_mac_set(context, params, OWP_GCM_128)) {
    return 0;
  }
  note(context, false, params);
  return 1;
}

static int init(void *context, const unsigned char *key, size_t key_len,
                const OSSL_PARAM params[]) {
  if (!owp_mac_init(context, key, key_len, params, OWP_GCM_128)) {
    return 0;
  }
  note(context, key != NULL, params);
  return 1;
}

static void *dup(void *context) {
  struct gmac *copy = owp_mac_dup(context);
  if (copy != NULL) {
    copy->state.context = &copy->mac;
    copy->in_slot.iv = copy->iv;
  }
  return copy;
}

#ifdef OWP_HAS_SKEYS
static int init_skey(void *context, void *key, const OSSL_PARAM params[]) {
  if (!owp_mac_init_skey(context, key, params, OWP_GCM_128)) {
    return 0;
  }
  note(context, true, params);
  return 1;
}
#endif

const OSSL_DISPATCH owp_gmac_functions[] = {
    {OSSL_FUNC_MAC_FREECTX, (void (*)(void))owp_mac_free},
    {OSSL_FUNC_MAC_DUPCTX, (void (*)(void))dup},
    {OSSL_FUNC_MAC_INIT, (void (*)(void))init},
#ifdef OWP_HAS_SKEYS
    {OSSL_FUNC_MAC_INIT_SKEY, (void (*)(void))init_skey},
#endif
    {OSSL_FUNC_MAC_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_MAC_FINAL, (void (*)(void)) final},
    {OSSL_FUNC_MAC_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
