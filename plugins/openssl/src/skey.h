/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Symmetric keys as objects (EVP_SKEY, OpenSSL 3.5): AES. A key has its bytes, or is in a key slot
 * of the device and nowhere else.
 */
#ifndef OUTWORK_PROVIDER_SKEY_H
#define OUTWORK_PROVIDER_SKEY_H

#include "provider.h"

/* Parameter of import and generation: an integer other than 0 loads the key into a slot, where it
 * stays. */
#define OWP_SKEY_PARAM_SLOT "outwork-slot"

struct owp_skey;

/* Add and drop a reference. The last drop wipes the key. NULL is allowed. */
void owp_skey_hold(struct owp_skey *key);
void owp_skey_free(void *key);

#ifdef OSSL_OP_SKEYMGMT
#define OWP_HAS_SKEYS

#include <stdatomic.h>

struct owp_skey {
  struct owp_provider *provider;
  atomic_uint users;
  size_t length;
  bool in_slot;
  struct ow_slot_key slot;
  /* if the key is not in a slot */
  uint8_t bytes[32];
};
#endif

#endif
