/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What CMAC and GMAC are made of: as in cipher.h, a context of the default provider inside.
 *
 * A message's first piece decides who does it. Until then the context inside is initialised and has
 * seen nothing.
 */
#ifndef OUTWORK_PROVIDER_MAC_H
#define OUTWORK_PROVIDER_MAC_H

#include "provider.h"
#include "skey.h"

struct owp_mac {
  struct owp_provider *provider;
  const struct owp_mac_calls *calls;
  void *inside;
  size_t size;
  uint8_t opcode;
  uint8_t key_len;        /* 0: none yet, or a cipher that the device does not have */
  uint8_t cipher_key_len; /* of the cipher that was named, 0: not the device's */
  bool begun;             /* somebody has the message */
  bool device;            /* the device has it, or it is over and was the device's */
  uint8_t key[32];
  struct owp_skey *slot_key; /* the key, if it lies in a slot: the context inside has none */
  void *ecb;                 /* the default provider's block cipher under this key, or NULL */
};

void *owp_mac_new(void *provider, enum owp_mac_index index, uint8_t opcode, size_t size);
/* What the modes do alike; the block cipher of a copy is its own. */
OSSL_FUNC_mac_freectx_fn owp_mac_free;
OSSL_FUNC_mac_dupctx_fn owp_mac_dup;
OSSL_FUNC_mac_get_ctx_params_fn owp_mac_get_ctx_params;
/* Init and set_ctx_params of the context inside; key and cipher are noted. `cipher` is the first of
 * the three that the MAC may be made from. */
int owp_mac_init(struct owp_mac *mac, const uint8_t *key, size_t key_len, const OSSL_PARAM params[],
                 enum owp_cipher_index cipher);
int owp_mac_set(struct owp_mac *mac, const OSSL_PARAM params[], enum owp_cipher_index cipher);
/* Init with a key object: if it lies in a slot, the device does every message. */
int owp_mac_init_skey(struct owp_mac *mac, struct owp_skey *key, const OSSL_PARAM params[],
                      enum owp_cipher_index cipher);
/* A request of this MAC, without data; and how it is run. */
struct ow_request owp_mac_request(const struct owp_mac *mac);
bool owp_mac_run(const struct owp_mac *mac, struct ow_request *request);
/* Encrypts whole blocks with the key (owp_encrypt_fn). */
bool owp_mac_encrypt(void *mac, uint8_t *out, const uint8_t *in, size_t length);
/* Whether a message whose first piece has so many bytes goes to the device; counted if not. */
bool owp_mac_wants(struct owp_mac *mac, size_t length);

/* A message under a key in a slot, which is the device's, however short. `iv` stays the caller's.
 */
struct owp_slot_mac {
  const uint8_t *iv;
  uint32_t iv_len;
  bool saved; /* there is a state */
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
