/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * One function per family of algorithms. Returns 0, wolfSSL's error, or CRYPTOCB_UNAVAILABLE; then
 * input and context are unchanged.
 */
#ifndef OUTWORK_WOLFSSL_FAMILIES_H
#define OUTWORK_WOLFSSL_FAMILIES_H

#include <string.h> /* before wolfSSL undefines _GNU_SOURCE */

#ifdef WOLFSSL_USER_SETTINGS
#include <wolfssl/wolfcrypt/settings.h>
#else
#include <wolfssl/options.h>
#endif

#include <wolfssl/wolfcrypt/cryptocb.h>
#include <wolfssl/wolfcrypt/error-crypt.h>

#include "offload.h"

typedef int ow_wolfssl_family(struct ow_offload *offload, wc_CryptoInfo *info);

ow_wolfssl_family ow_wolfssl_aes, ow_wolfssl_cmac, ow_wolfssl_des3, ow_wolfssl_ec,
    ow_wolfssl_ed25519, ow_wolfssl_hash, ow_wolfssl_mldsa, ow_wolfssl_mlkem, ow_wolfssl_rsa,
    ow_wolfssl_x25519;

#endif
