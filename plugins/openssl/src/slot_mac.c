/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * CMAC and GMAC under a key in a slot: the device processes every block and the tag, and seals the
 * state between two jobs.
 */
#include "mac.h"

/* Processes the held bytes, then the input. tag: NULL if the message continues. */
static bool run_job(const struct owp_mac *mac, struct owp_slot_mac *message, const uint8_t *in,
                    size_t length, uint8_t tag[16]) {
  struct ow_request request = owp_mac_request(mac);
  request.flags = (uint16_t)((message->saved ? OW_JOB_LOAD_STATE : 0u) |
                             (tag == NULL ? OW_JOB_SAVE_STATE : 0u));
  request.state = message->sealed;
  request.head = message->held;
  request.head_len = message->held_len;
  request.input = in;
  request.length = (uint32_t)(message->held_len + length);
  if (!message->saved) {
    request.iv = message->iv;
    request.iv_len = message->iv_len;
  }
  if (tag != NULL) {
    request.tag_len = 16;
  }
  if (!owp_mac_run(mac, &request)) {
    return owp_refuse(mac->provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  message->saved = true;
  message->held_len = 0;
  if (tag != NULL) {
    memcpy(tag, request.tag, 16);
  }
  return true;
}

void owp_slot_mac_begin(struct owp_slot_mac *message, const uint8_t *iv, size_t iv_len) {
  message->saved = false;
  message->held_len = 0;
  message->iv = iv;
  message->iv_len = (uint32_t)iv_len;
}

bool owp_slot_mac_add(const struct owp_mac *mac, struct owp_slot_mac *message, const uint8_t *in,
                      size_t length) {
  while (message->held_len + length > 16) { /* the last block, full or not, is kept for the end */
    size_t whole = (message->held_len + length - 1) & ~(size_t)15;
    size_t now = (whole < OW_REQUEST_BYTES ? whole : OW_REQUEST_BYTES) - message->held_len;
    if (!run_job(mac, message, in, now, NULL)) {
      return false;
    }
    in += now;
    length -= now;
  }
  memcpy(message->held + message->held_len, in, length);
  message->held_len = (uint8_t)(message->held_len + length);
  return true;
}

bool owp_slot_mac_end(const struct owp_mac *mac, struct owp_slot_mac *message, uint8_t tag[16]) {
  return run_job(mac, message, NULL, 0, tag);
}
