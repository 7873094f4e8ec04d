/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Runs a public-key operation on the device if the policy wants it there.
 */
#include "pka.h"

bool ow_psa_operate(uint8_t opcode, size_t length, ow_operate *operate, void *user) {
  return ow_psa_wants(opcode, 0, false, length) &&
         ow_offload_operate(ow_psa_offload(), opcode, (uint32_t)length, operate, user, NULL, NULL);
}
