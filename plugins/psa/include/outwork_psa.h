/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The PSA driver for programs: settings, counters, and the location of keys in the device.
 */
#ifndef OUTWORK_PSA_H
#define OUTWORK_PSA_H

#include "offload.h"
#include "outwork_psa_location.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the device with these settings (offload.h; `host` and the functions to pause are ignored),
 * in place of earlier ones. No PSA operation may be running. NULL: closes the device; then software
 * does everything. In programs that never call this, psa_crypto_init opens the device with settings
 * from the environment: OUTWORK_PSA_PLATFORM, _LIBRARY, _SOCKET, _POLICY and _COUNTERS. False: no
 * memory. */
bool ow_psa_configure(const struct ow_offload_settings *settings);
/* Returns the offload, for counters and error texts (offload.h); NULL: there is none. */
struct ow_offload *ow_psa_offload(void);

#ifdef __cplusplus
}
#endif

#endif
