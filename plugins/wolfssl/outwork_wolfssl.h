/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * wolfSSL's crypto callback: contexts that have its device identifier use the device if the policy
 * says so, and wolfSSL's own code otherwise.
 */
#ifndef OUTWORK_WOLFSSL_H
#define OUTWORK_WOLFSSL_H

#include "offload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers the callback under an identifier of your choice, for wc_AesInit, wolfSSL_CTX_SetDevId
 * and similar functions. Call it after wolfCrypt_Init or wolfSSL_Init. settings: see offload.h;
 * `host` and the functions to pause are ignored. Returns 0, or wolfSSL's error. */
int ow_wolfssl_register(int device, const struct ow_offload_settings *settings);
/* Removes the callback. No context with this identifier may be in use. */
void ow_wolfssl_unregister(int device);
/* Returns the offload, for counters and error texts (offload.h); NULL: nothing is registered under
 * this identifier. */
struct ow_offload *ow_wolfssl_offload(int device);

#ifdef __cplusplus
}
#endif

#endif
