/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys of any kind for slots.
 */
#include "outwork/curve25519.h"
#include "pka.h"

bool ow_key_material_fits(const struct ow_key_material *material, size_t key_len,
                          size_t tweak_key_len) {
  if (material->reserve) {
    return material->key == NULL && material->tweak_key == NULL;
  }
  return material->key_len <= key_len && (material->key != NULL || material->key_len == 0) &&
         (material->tweak_key == NULL || material->key_len <= tweak_key_len);
}

ow_status ow_key_load_material(struct ow_device *device, uint8_t slot,
                               const struct ow_key_material *material) {
  const struct ow_key_properties *properties = &material->properties;
  if (material->reserve) {
    struct ow_key_handle handle;
    return ow_key_material_fits(material, 0, 0)
               ? ow_key_reserve(device, &handle, slot, properties, material->opcode,
                                material->key_len)
               : OW_BAD_ARGUMENT;
  }
  if (material->opcode == OW_OP_NOP) {
    return ow_key_load(device, slot, properties, material->key, material->key_len,
                       material->tweak_key);
  }
  if (material->opcode == OW_OP_X25519 && material->key_len == OW_X25519_BYTES) {
    return ow_x25519_slot_load(device, slot, properties, material->key);
  }
  if (material->opcode == OW_OP_MLKEM_DECAPSULATE || material->opcode == OW_OP_MLDSA_SIGN) {
    return material->curve > 2
               ? OW_BAD_ARGUMENT
               : ow_key_load_coded(device, slot, properties, material->opcode, material->curve,
                                   material->key, material->key_len);
  }
  if (material->opcode != OW_OP_EC_SIGN && material->opcode != OW_OP_EC_MULTIPLY) {
    return ow_key_load_kind(device, slot, properties, material->opcode, material->key,
                            material->key_len);
  }
  enum ow_curve curve = (enum ow_curve)material->curve;
  if (material->curve > OW_CURVE_SECP256K1 || material->key_len != ow_curve_bytes(curve)) {
    return OW_BAD_ARGUMENT;
  }
  return ow_ec_slot_load(device, slot, properties, material->opcode == OW_OP_EC_SIGN, curve,
                         material->key);
}

ow_status ow_key_load_anywhere(struct ow_device *device, struct ow_key_handle *handle,
                               const struct ow_key_material *material) {
  for (uint8_t i = 0; i < device->capabilities.key_slots; i++) {
    struct ow_key_info info;
    ow_status status = ow_key_query(device, &info, i);
    if (status != OW_OK) {
      return status;
    }
    if (!info.valid && !info.reserved) {
      status = ow_key_load_material(device, i, material);
      if (status == OW_OK) {
        status = ow_key_query(device, &info, i);
        *handle = (struct ow_key_handle){.slot = i, .generation = info.generation};
      }
      return status;
    }
  }
  return OW_BUSY;
}
