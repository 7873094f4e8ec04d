/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What CMAC and GMAC share: as in cipher.h, a context that contains one of the default provider.
 * The first piece of a message decides between device and CPU; until then the inner context is
 * initialised and has no data.
 */
#ifndef OUTWORK_PROVIDER_MAC_H
#define OUTWORK_PROVIDER_MAC_H

#include "provider.h"
#include "skey.h"

enum owp_mac_phase {
  /* the inner context has the message, or has to report what is missing */
  OWP_MAC_INSIDE,
  /* key and, for GMAC, IV are set; no data yet */
  OWP_MAC_FRESH,
  /* the device has processed data */
  OWP_MAC_DEVICE,
  /* the device has had the message; it is finished, or cannot be */
  OWP_MAC_OVER
};

struct owp_mac {
  struct owp_provider *provider;
  const struct owp_mac_calls *calls;
  void *inside;
  size_t size;
  enum owp_mac_phase phase;
  uint8_t opcode;
  /* 0: no key yet, or a cipher that the device does not have */
  uint8_t key_len;
  /* of the cipher that was set; 0: not on the device */
  uint8_t cipher_key_len;
  uint8_t key[32];
  /* the key, if it is in a key slot; then the inner context has none */
  struct owp_skey *slot_key;
  /* the default provider's block cipher under this key, or NULL */
  void *ecb;
};

void *owp_mac_new(void *provider, enum owp_mac_index index, uint8_t opcode, size_t size);
/* Free and copy a context; a copy has a block cipher of its own. */
OSSL_FUNC_mac_freectx_fn owp_mac_free;
OSSL_FUNC_mac_dupctx_fn owp_mac_dup;
OSSL_FUNC_mac_get_ctx_params_fn owp_mac_get_ctx_params;
/* Init and set_ctx_params of the inner context; note key and cipher. cipher: the first of the three
 * that the MAC may use. If they fail, only the inner context knows the key, and a message of the
 * device is over. */
int owp_mac_init(struct owp_mac *mac, const uint8_t *key, size_t key_len, const OSSL_PARAM params[],
                 enum owp_cipher_index cipher);
int owp_mac_set(struct owp_mac *mac, const OSSL_PARAM params[], enum owp_cipher_index cipher);
/* Initialises with a key object. If it is in a slot, the device does every message. */
int owp_mac_init_skey(struct owp_mac *mac, struct owp_skey *key, const OSSL_PARAM params[],
                      enum owp_cipher_index cipher);
/* Forgets the key, as the inner context has. */
void owp_mac_drop_key(struct owp_mac *mac);
/* Returns whether the parameters have a key. */
bool owp_mac_has_key(const OSSL_PARAM params[]);
/* Returns a request with the key of this MAC, without data; runs one. */
struct ow_request owp_mac_request(const struct owp_mac *mac);
bool owp_mac_run(const struct owp_mac *mac, struct ow_request *request);
/* Encrypts whole blocks with the key (owp_encrypt_fn). */
bool owp_mac_encrypt(void *mac, uint8_t *out, const uint8_t *in, size_t length);
/* Returns whether a message whose first piece has this length goes to the device; if not, counts
 * the fallback. */
bool owp_mac_wants(struct owp_mac *mac, size_t length);

/* A message under a key in a slot: the device does all of it, even if it is short. The caller owns
 * `iv`. */
struct owp_slot_mac {
  const uint8_t *iv;
  uint32_t iv_len;
  /* there is a saved state */
  bool saved;
  uint8_t held_len;
  uint8_t held[16];
  uint8_t sealed[OW_AES_SEALED_BYTES];
};
void owp_slot_mac_begin(struct owp_slot_mac *message, const uint8_t *iv, size_t iv_len);
bool owp_slot_mac_add(const struct owp_mac *mac, struct owp_slot_mac *message, const uint8_t *in,
                      size_t length);
bool owp_slot_mac_end(const struct owp_mac *mac, struct owp_slot_mac *message, uint8_t tag[16]);

extern const OSSL_DISPATCH owp_cmac_functions[];
extern const OSSL_DISPATCH owp_gmac_functions[];
extern const size_t owp_cmac_size, owp_gmac_size;

#endif
