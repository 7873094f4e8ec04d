/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Shared by ML-KEM and ML-DSA: the private key of a job.
 */
#ifndef OUTWORK_LATTICE_INTERNAL_H
#define OUTWORK_LATTICE_INTERNAL_H

#include "internal.h"

/* Returns the key in a slot, or if `slotted` is NULL the one at `bytes` (NULL: the job has none).
 */
static inline struct ow_key ow_lattice_key(const struct ow_key_handle *slotted,
                                           const uint8_t *bytes) {
  if (slotted != NULL) {
    return (struct ow_key){.slot = slotted->slot, .generation = slotted->generation};
  }
  return (struct ow_key){.bytes = bytes};
}

#endif
