/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Symmetric keys as objects (EVP_SKEY, OpenSSL 3.5): AES.
 */
#ifndef OUTWORK_PROVIDER_SKEY_H
#define OUTWORK_PROVIDER_SKEY_H

#include "provider.h"

#ifdef OSSL_OP_SKEYMGMT
#define OWP_HAS_SKEYS

/* MACs take it as it is; to ciphers EVP gives the bytes of a key that can be exported. */
struct owp_skey {
  uint8_t bytes[32];
  size_t length;
};

extern const OSSL_DISPATCH owp_skey_functions[];
#endif

#endif
