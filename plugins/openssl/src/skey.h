/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Symmetric keys as objects (EVP_SKEY, OpenSSL 3.5): AES. Such a key has its bytes, or lies in a
 * slot of the device and is nowhere else.
 */
#ifndef OUTWORK_PROVIDER_SKEY_H
#define OUTWORK_PROVIDER_SKEY_H

#include "provider.h"

/* At import and generation: an integer that is not 0 puts the key into a slot, for ever. */
#define OWP_SKEY_PARAM_SLOT "outwork-slot"

struct owp_skey;

/* Whoever uses one holds on to it; the last to let go wipes it. NULL is nobody's. */
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
  uint8_t bytes[32]; /* if it is not in a slot */
};
#endif

#endif
