/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Queue and keys of a program of the lab that has the whole device, and memory that it reaches.
 */
#include "point.h"

const bool point_has_pairs = true;

bool point_open_queue(struct ow_device *device, struct ow_queue *queue,
                      struct ow_platform *platform, uint8_t *ring, struct ow_queue_slot *slots,
                      unsigned log2) {
  return ow_device_open(device, platform) == OW_OK && ow_queue_grant(device, 0, NULL) == OW_OK &&
         ow_queue_open(queue, device, 0, ring, slots, log2) == OW_OK;
}

ow_status point_load_key(struct ow_device *device, struct ow_key_handle *handle, uint8_t slot,
                         const struct ow_key_material *material) {
  const struct ow_key_properties *const properties = &material->properties;
  *handle = (struct ow_key_handle){.slot = slot};
  return material->opcode == OW_OP_RSA_PRIVATE ? ow_rsa_slot_reserve(device, slot, properties)
                                               : ow_key_load_material(device, slot, material);
}

void *point_reachable(void *own, size_t bytes) {
  (void)bytes;
  return own;
}
