/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The location of keys in the device's key slots, for psa_set_key_lifetime.
 */
#ifndef OUTWORK_PSA_LOCATION_H
#define OUTWORK_PSA_LOCATION_H

/* 'OW' in the range of vendor locations (PSA Crypto 1.1, 9.5.3). */
#define OUTWORK_PSA_LOCATION 0x804f57u
/* A reset of the device zeroises its key slots, so there are no persistent keys. */
#define OUTWORK_PSA_LIFETIME                                                                       \
  PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_VOLATILE, OUTWORK_PSA_LOCATION)

#endif
