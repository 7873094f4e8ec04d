/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key slots: load, reserve, zeroise, query.
 */
#include "pka.h"

static ow_status ow_key_command(struct ow_device *device, uint32_t command) {
  ow_write(device->platform, OW_GLOBAL_KEY_COMMAND_OFFSET, command);
  ow_status status = ow_register_wait(device->platform, OW_GLOBAL_KEY_STATUS_OFFSET,
                                      OW_GLOBAL_KEY_STATUS_BUSY_MASK, device->timeout_us);
  if (status != OW_OK) {
    return status;
  }
  uint32_t answer = ow_read(device->platform, OW_GLOBAL_KEY_STATUS_OFFSET);
  return OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_REFUSED) != 0 ? OW_KEY_REFUSED : OW_OK;
}

/* Writes a key to eight registers from `first` on, or sixteen for a longer key; the rest is
 * zero. */
static void ow_key_data_write(struct ow_device *device, uint32_t first, const uint8_t *key,
                              size_t key_len) {
  for (uint32_t i = 0; i < (key_len > 32 ? 16u : 8u); i++) {
    uint32_t word = 0;
    for (uint32_t j = 0; j < 4 && 4u * i + j < key_len; j++) {
      word |= (uint32_t)key[4u * i + j] << (8u * j);
    }
    ow_write(device->platform, OW_GLOBAL_KEY_DATA_OFFSET + (first + i) * OW_GLOBAL_KEY_DATA_STRIDE,
             word);
  }
}

static ow_status ow_key_select(struct ow_device *device, uint8_t slot) {
  if (!device->owner || slot >= device->capabilities.key_slots) {
    return OW_BAD_ARGUMENT;
  }
  ow_write(device->platform, OW_GLOBAL_KEY_SLOT_OFFSET, slot);
  return OW_OK;
}

/* Waits until the device accepts key commands: not while it executes one or zeroises after
 * tamper. */
static ow_status ow_key_begin(struct ow_device *device, uint8_t slot) {
  ow_status status = ow_key_select(device, slot);
  if (status == OW_OK) {
    status = ow_register_wait(device->platform, OW_GLOBAL_STATUS_OFFSET,
                              OW_GLOBAL_STATUS_ZEROISING_MASK, device->timeout_us);
  }
  if (status == OW_OK) {
    status = ow_register_wait(device->platform, OW_GLOBAL_KEY_STATUS_OFFSET,
                              OW_GLOBAL_KEY_STATUS_BUSY_MASK, device->timeout_us);
  }
  return status;
}

/* Writes what a key is: `config` names it; the properties are added here. */
static void ow_key_config_write(struct ow_device *device,
                                const struct ow_key_properties *properties, uint32_t config) {
  ow_write(device->platform, OW_GLOBAL_KEY_CONFIG_OFFSET,
           config | OW_PLACE(properties->encrypt, OW_GLOBAL_KEY_CONFIG_ENCRYPT) |
               OW_PLACE(properties->decrypt, OW_GLOBAL_KEY_CONFIG_DECRYPT) |
               OW_PLACE(properties->mac, OW_GLOBAL_KEY_CONFIG_MAC) |
               OW_PLACE(properties->queues, OW_GLOBAL_KEY_CONFIG_QUEUES) |
               OW_PLACE(properties->lock, OW_GLOBAL_KEY_CONFIG_LOCK));
}

/* Executes a load. */
static ow_status ow_key_command_load(struct ow_device *device, uint8_t slot,
                                     const struct ow_key_properties *properties, uint32_t config,
                                     const uint8_t *const halves[2], const size_t lengths[2]) {
  ow_status status = ow_key_begin(device, slot);
  if (status != OW_OK) {
    return status;
  }
  ow_key_config_write(device, properties, config);
  ow_key_data_write(device, 0, halves[0], lengths[0]);
  ow_key_data_write(device, 8, halves[1], lengths[1]);
  status = ow_key_command(device, OW_GLOBAL_KEY_COMMAND_LOAD_MASK);
  if (status != OW_OK) { /* a refused key must not stay in the registers */
    static const uint8_t nothing[OW_KEY_KIND_MAX];
    ow_key_data_write(device, 0, nothing, 0);
    ow_key_data_write(device, 8, nothing, lengths[1]);
  }
  return status;
}

ow_status ow_key_load(struct ow_device *device, uint8_t slot,
                      const struct ow_key_properties *properties, const uint8_t *key,
                      size_t key_len, const uint8_t *tweak_key) {
  uint32_t length = 0;
  if (properties == NULL || key == NULL || !ow_key_length_code(&length, key_len)) {
    return OW_BAD_ARGUMENT;
  }
  if (tweak_key != NULL && (key_len == 24 || ow_equal(key, tweak_key, key_len))) {
    return OW_BAD_ARGUMENT;
  }
  return ow_key_command_load(device, slot, properties,
                             OW_PLACE(length, OW_GLOBAL_KEY_CONFIG_LENGTH) |
                                 OW_PLACE(tweak_key != NULL, OW_GLOBAL_KEY_CONFIG_TWO_KEYS),
                             (const uint8_t *const[2]){key, tweak_key},
                             (const size_t[2]){key_len, tweak_key != NULL ? key_len : 0});
}

ow_status ow_key_load_coded(struct ow_device *device, uint8_t slot,
                            const struct ow_key_properties *properties, uint8_t opcode,
                            uint32_t code, const uint8_t *key, size_t key_len) {
  if (properties == NULL || (key == NULL && key_len != 0) || key_len > OW_KEY_KIND_MAX) {
    return OW_BAD_ARGUMENT;
  }
  size_t first = key_len < 32 ? key_len : 32;
  return ow_key_command_load(device, slot, properties,
                             OW_PLACE(opcode, OW_GLOBAL_KEY_CONFIG_KIND) |
                                 OW_PLACE(key_len, OW_GLOBAL_KEY_CONFIG_BYTES) |
                                 OW_PLACE(code, OW_GLOBAL_KEY_CONFIG_LENGTH),
                             (const uint8_t *const[2]){key, key_len > 32 ? key + first : NULL},
                             (const size_t[2]){first, key_len - first});
}

ow_status ow_key_load_kind(struct ow_device *device, uint8_t slot,
                           const struct ow_key_properties *properties, uint8_t opcode,
                           const uint8_t *key, size_t key_len) {
  return ow_key_load_coded(device, slot, properties, opcode, 0, key, key_len);
}

ow_status ow_key_load_pair(struct ow_device *device, uint8_t slot,
                           const struct ow_key_properties *properties, uint8_t opcode,
                           const uint8_t *key, size_t key_len, const uint8_t *mac_key,
                           size_t mac_key_len) {
  uint32_t length = 0;
  if (properties == NULL || key == NULL || !ow_key_length_code(&length, key_len) ||
      (mac_key == NULL && mac_key_len != 0) || mac_key_len > OW_KEY_KIND_MAX) {
    return OW_BAD_ARGUMENT;
  }
  return ow_key_command_load(
      device, slot, properties,
      OW_PLACE(opcode, OW_GLOBAL_KEY_CONFIG_KIND) | OW_PLACE(length, OW_GLOBAL_KEY_CONFIG_LENGTH) |
          OW_PLACE(mac_key_len, OW_GLOBAL_KEY_CONFIG_BYTES),
      (const uint8_t *const[2]){key, mac_key}, (const size_t[2]){key_len, mac_key_len});
}

ow_status ow_key_reserve(struct ow_device *device, struct ow_key_handle *handle, uint8_t slot,
                         const struct ow_key_properties *properties, uint8_t opcode,
                         size_t key_len) {
  uint32_t length = 0;
  if (handle == NULL || properties == NULL ||
      (opcode == OW_OP_NOP ? !ow_key_length_code(&length, key_len)
                           : key_len < 16 || key_len > 32)) {
    return OW_BAD_ARGUMENT;
  }
  if (!device->capabilities.made_keys) {
    return OW_UNSUPPORTED;
  }
  ow_status status = ow_key_begin(device, slot);
  if (status != OW_OK) {
    return status;
  }
  ow_key_config_write(device, properties,
                      OW_PLACE(opcode, OW_GLOBAL_KEY_CONFIG_KIND) |
                          OW_PLACE(length, OW_GLOBAL_KEY_CONFIG_LENGTH) |
                          OW_PLACE(key_len, OW_GLOBAL_KEY_CONFIG_BYTES));
  status = ow_key_command(device, OW_GLOBAL_KEY_COMMAND_RESERVE_MASK);
  if (status == OW_OK) {
    uint32_t generation = ow_read(device->platform, OW_GLOBAL_KEY_GENERATION_OFFSET);
    *handle = (struct ow_key_handle){
        .slot = slot,
        .generation = (uint16_t)OW_FIELD(generation, OW_GLOBAL_KEY_GENERATION_VALUE),
    };
  }
  return status;
}

/* The device accepts a zeroise at any time: no need to wait first. */
ow_status ow_key_zeroise(struct ow_device *device, uint8_t slot) {
  ow_status status = ow_key_select(device, slot);
  return status == OW_OK ? ow_key_command(device, OW_GLOBAL_KEY_COMMAND_ZEROISE_MASK) : status;
}

ow_status ow_key_zeroise_handle(struct ow_device *device, const struct ow_key_handle *handle) {
  struct ow_key_info info;
  ow_status status = ow_key_query(device, &info, handle->slot);
  if (status != OW_OK) {
    return status;
  }
  bool there = (info.valid || info.reserved) && info.generation == handle->generation;
  return there ? ow_key_zeroise(device, handle->slot) : OW_KEY_GONE;
}

ow_status ow_key_erase(struct ow_device *device) {
  ow_status status = ow_key_select(device, 0);
  return status == OW_OK ? ow_key_command(device, OW_GLOBAL_KEY_COMMAND_ZEROISE_ALL_MASK) : status;
}

ow_status ow_key_zeroise_all(struct ow_device *device) {
  ow_status status = ow_key_erase(device);
  if (status == OW_OK) {
    (void)ow_device_seed(device);
  }
  return status;
}

ow_status ow_key_query(struct ow_device *device, struct ow_key_info *info, uint8_t slot) {
  ow_status status = ow_key_select(device, slot);
  if (status != OW_OK) {
    return status;
  }
  uint32_t answer = ow_read(device->platform, OW_GLOBAL_KEY_STATUS_OFFSET);
  uint32_t generation = ow_read(device->platform, OW_GLOBAL_KEY_GENERATION_OFFSET);
  bool valid = OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_VALID) != 0;
  uint8_t kind = (uint8_t)OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_KIND);
  bool reserved = OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_RESERVED) != 0;
  bool aes = (valid || reserved) && kind == 0;
  *info = (struct ow_key_info){
      .valid = valid,
      .reserved = reserved,
      .locked = OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_LOCKED) != 0,
      .two_keys = OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_TWO_KEYS) != 0,
      .key_len = (uint8_t)(aes ? 16u + 8u * OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_LENGTH) : 0u),
      .kind = kind,
      .generation = (uint16_t)OW_FIELD(generation, OW_GLOBAL_KEY_GENERATION_VALUE),
      .properties =
          {
              .queues = (uint8_t)OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_QUEUES),
              .encrypt = OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_ENCRYPT) != 0,
              .decrypt = OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_DECRYPT) != 0,
              .mac = OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_MAC) != 0,
              .lock = OW_FIELD(answer, OW_GLOBAL_KEY_STATUS_LOCKED) != 0,
          },
  };
  return OW_OK;
}
