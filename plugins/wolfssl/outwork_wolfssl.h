/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * wolfSSL's crypto callback: AES of contexts that name our device identifier goes to the device
 * where it pays, and otherwise to wolfSSL's own code.
 */
#ifndef OUTWORK_WOLFSSL_H
#define OUTWORK_WOLFSSL_H

#include "offload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* After wolfCrypt_Init or wolfSSL_Init: registers under an identifier of your choice, for
 * wc_AesInit, wolfSSL_CTX_SetDevId and their like. 0, or wolfSSL's error. Settings as in offload.h;
 * `host` and the ways to pause are not looked at. */
int ow_wolfssl_register(int device, const struct ow_offload_settings *settings);
/* No context that names it may be in use. */
void ow_wolfssl_unregister(int device);
/* What has been counted in this process; NULL if nothing is registered under that identifier. */
struct ow_offload *ow_wolfssl_offload(int device);

#ifdef __cplusplus
}
#endif

#endif
