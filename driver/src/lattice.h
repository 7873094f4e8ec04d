/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Shared by ML-KEM and ML-DSA: the parameters and the private key of a job.
 */
#ifndef OUTWORK_LATTICE_INTERNAL_H
#define OUTWORK_LATTICE_INTERNAL_H

#include "internal.h"

/* Of the first word of OW_LATTICE_PARAMETERS: k, and the slot that gets the result. */
#define OW_LATTICE_WORD_BYTES 4u

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
