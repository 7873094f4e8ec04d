/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Where a key lives whose material is in one of the device's key slots: for psa_set_key_lifetime.
 */
#ifndef OUTWORK_PSA_LOCATION_H
#define OUTWORK_PSA_LOCATION_H

/* Of the locations for vendors (PSA Crypto 1.1, 9.5.3): 'OW'. */
#define OUTWORK_PSA_LOCATION 0x804f57u
/* Slots forget their keys when the device is reset: there are no persistent ones. */
#define OUTWORK_PSA_LIFETIME                                                                       \
  PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_VOLATILE, OUTWORK_PSA_LOCATION)

#endif
