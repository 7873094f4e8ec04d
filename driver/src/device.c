/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Opening the device, its capabilities, and what its owner grants to queues.
 */
#include "codec.h"

/* Longer than any command of a working device at any clock. */
#define OW_TIMEOUT_US 100000u

static void ow_capabilities_read(const struct ow_platform *platform,
                                 struct ow_capabilities *capabilities) {
  uint32_t version = ow_read(platform, OW_GLOBAL_VERSION_OFFSET);
  uint32_t shell = ow_read(platform, OW_GLOBAL_SHELL_OFFSET);
  uint32_t limits = ow_read(platform, OW_GLOBAL_LIMITS_OFFSET);
  *capabilities = (struct ow_capabilities){
      .version_major = (uint16_t)OW_FIELD(version, OW_GLOBAL_VERSION_MAJOR),
      .version_minor = (uint8_t)OW_FIELD(version, OW_GLOBAL_VERSION_MINOR),
      .version_patch = (uint8_t)OW_FIELD(version, OW_GLOBAL_VERSION_PATCH),
      .queues = (uint8_t)OW_FIELD(shell, OW_GLOBAL_SHELL_QUEUES),
      .streams = (uint8_t)OW_FIELD(shell, OW_GLOBAL_SHELL_STREAMS),
      .key_slots = (uint8_t)OW_FIELD(shell, OW_GLOBAL_SHELL_KEY_SLOTS),
      .bus_bytes = (uint8_t)OW_FIELD(shell, OW_GLOBAL_SHELL_BUS_BYTES),
      .ring_log2_max = (uint8_t)OW_FIELD(limits, OW_GLOBAL_LIMITS_RING_LOG2_MAX),
      .windows = (uint8_t)OW_FIELD(limits, OW_GLOBAL_LIMITS_WINDOWS),
      .engines = ow_read(platform, OW_GLOBAL_ENGINES_OFFSET),
      .made_keys = OW_FIELD(limits, OW_GLOBAL_LIMITS_MADE_KEYS) != 0,
  };
#define OW_READ_CAPABILITY(member, offset) capabilities->engine.member = ow_read(platform, offset);
  OW_CAPABILITY_REGISTERS(OW_READ_CAPABILITY)
#undef OW_READ_CAPABILITY
}

/* Reads from a missing device return all ones or zeros; the identity register tells whether a
 * device answers. */
ow_status ow_device_open(struct ow_device *device, const struct ow_platform *platform) {
  if (device == NULL || platform == NULL || platform->read32 == NULL || platform->write32 == NULL ||
      platform->map == NULL || platform->barrier == NULL || platform->microseconds == NULL) {
    return OW_BAD_ARGUMENT;
  }
  if (ow_read(platform, OW_GLOBAL_ID_OFFSET) != OW_GLOBAL_ID_RESET) {
    return OW_NO_DEVICE;
  }
  *device = (struct ow_device){.platform = platform, .owner = true, .timeout_us = OW_TIMEOUT_US};
  ow_capabilities_read(platform, &device->capabilities);
  uint32_t major = OW_FIELD(OW_GLOBAL_VERSION_RESET, OW_GLOBAL_VERSION_MAJOR);
  if (device->capabilities.version_major != major) {
    return OW_NO_DEVICE;
  }
  (void)ow_device_seed(device); /* without entropy the device refuses what needs a seed */
  return OW_OK;
}

ow_status ow_device_attach(struct ow_device *device, const struct ow_platform *platform,
                           const struct ow_capabilities *capabilities) {
  if (device == NULL || platform == NULL || capabilities == NULL) {
    return OW_BAD_ARGUMENT;
  }
  *device = (struct ow_device){.platform = platform,
                               .capabilities = *capabilities,
                               .owner = false,
                               .timeout_us = OW_TIMEOUT_US};
  return OW_OK;
}

ow_status ow_device_close(struct ow_device *device) {
  if (!device->owner) {
    return OW_OK;
  }
  ow_status status = ow_key_erase(device);
  for (unsigned queue = 0; queue < device->capabilities.queues; queue++) {
    (void)ow_queue_revoke(device, queue);
  }
  return status;
}

bool ow_device_supports(const struct ow_device *device, uint8_t opcode, bool decrypt) {
  return ow_codec_supports(&device->capabilities, opcode, decrypt);
}

uint64_t ow_device_cycles(const struct ow_device *device) {
  return ow_read64(device->platform, OW_GLOBAL_CYCLE_LOW_OFFSET, OW_GLOBAL_CYCLE_HIGH_OFFSET);
}

bool ow_device_tampered(const struct ow_device *device) {
  uint32_t status = ow_read(device->platform, OW_GLOBAL_STATUS_OFFSET);
  return OW_FIELD(status, OW_GLOBAL_STATUS_TAMPER) != 0;
}

static uint32_t ow_grant_page(unsigned queue) {
  return OW_QUEUE_CONFIG_OFFSET + queue * OW_QUEUE_CONFIG_STRIDE;
}

/* Disables the queue and removes all its windows. */
static void ow_windows_close(struct ow_device *device, unsigned queue) {
  uint32_t page = ow_grant_page(queue);
  ow_write(device->platform, page + OW_QUEUE_CONFIG_GRANT_OFFSET, 0);
  for (uint32_t i = 0; i < device->capabilities.windows; i++) {
    ow_write(device->platform,
             page + OW_WINDOW_OFFSET + i * OW_WINDOW_STRIDE + OW_WINDOW_PERMISSION_OFFSET, 0);
  }
}

ow_status ow_queue_revoke(struct ow_device *device, unsigned queue) {
  if (!device->owner || queue >= device->capabilities.queues) {
    return OW_BAD_ARGUMENT;
  }
  ow_windows_close(device, queue);
  return OW_OK;
}

ow_status ow_queue_grant(struct ow_device *device, unsigned queue, const struct ow_grant *grant) {
  static const struct ow_grant everything = {0};
  const struct ow_platform *platform = device->platform;
  if (!device->owner || queue >= device->capabilities.queues) {
    return OW_BAD_ARGUMENT;
  }
  if (grant == NULL) {
    grant = &everything;
  }
  if (grant->windows_len > device->capabilities.windows || grant->windows_len > OW_WINDOWS_MAX) {
    return OW_BAD_ARGUMENT;
  }

  uint32_t page = ow_grant_page(queue);
  ow_windows_close(device, queue); /* not while half of it is new */
  ow_write(platform, page + OW_QUEUE_CONFIG_WATCHDOG_OFFSET, grant->watchdog_cycles);
  for (uint32_t i = 0; i < device->capabilities.windows; i++) {
    struct ow_window window = {0};
    if (i < grant->windows_len) {
      window = grant->windows[i];
    }
    uint32_t at = page + OW_WINDOW_OFFSET + i * OW_WINDOW_STRIDE;
    ow_write(platform, at + OW_WINDOW_BASE_LOW_OFFSET, (uint32_t)window.first);
    ow_write(platform, at + OW_WINDOW_BASE_HIGH_OFFSET, (uint32_t)(window.first >> 32));
    ow_write(platform, at + OW_WINDOW_LAST_LOW_OFFSET, (uint32_t)window.last);
    ow_write(platform, at + OW_WINDOW_LAST_HIGH_OFFSET, (uint32_t)(window.last >> 32));
    ow_write(platform, at + OW_WINDOW_PERMISSION_OFFSET,
             OW_PLACE(window.read, OW_WINDOW_PERMISSION_READ) |
                 OW_PLACE(window.write, OW_WINDOW_PERMISSION_WRITE));
  }
  ow_write(platform, page + OW_QUEUE_CONFIG_GRANT_OFFSET,
           OW_PLACE(1, OW_QUEUE_CONFIG_GRANT_ALLOW) |
               OW_PLACE(grant->priority, OW_QUEUE_CONFIG_GRANT_PRIORITY) |
               OW_PLACE(grant->windows_len == 0, OW_QUEUE_CONFIG_GRANT_ANY_ADDRESS));
  return OW_OK;
}
