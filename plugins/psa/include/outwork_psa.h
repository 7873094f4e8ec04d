/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The PSA driver as a program sees it: settings, counters, and where keys are that live in the
 * device.
 */
#ifndef OUTWORK_PSA_H
#define OUTWORK_PSA_H

#include "offload.h"
#include "outwork_psa_location.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the device for these settings (offload.h; `host` and the ways to pause are not looked at)
 * in place of earlier ones. Call it while no PSA operation is under way. NULL: gives the device
 * back; from then on everything is software's. Programs that never call it are served by
 * psa_crypto_init, with settings from the environment: OUTWORK_PSA_PLATFORM, _LIBRARY, _SOCKET,
 * _POLICY and _COUNTERS. False: no memory. */
bool ow_psa_configure(const struct ow_offload_settings *settings);
/* For counters and complaints (offload.h); NULL if there is none. */
struct ow_offload *ow_psa_offload(void);

#ifdef __cplusplus
}
#endif

#endif
