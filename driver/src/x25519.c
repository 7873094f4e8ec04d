/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * X25519 (RFC 7748): the engine's numbers are in the other order of bytes.
 */
#include "outwork/curve25519.h"
#include "pka.h"

void ow_reverse(uint8_t *output, const uint8_t *input, size_t length) {
  for (size_t i = 0; i < length; i++) {
    output[i] = input[length - 1u - i];
  }
}

ow_status ow_x25519(struct ow_pka *pka, uint8_t secret[OW_X25519_BYTES],
                    const struct ow_x25519_private *key, const uint8_t peer[OW_X25519_BYTES]) {
  uint8_t number[OW_X25519_BYTES];
  const struct ow_number whole = {number, OW_X25519_BYTES};
  struct ow_pka_job job = ow_pka_job_make(pka, OW_OP_X25519);
  if (key == NULL || peer == NULL || secret == NULL || (!key->slotted && key->k == NULL)) {
    return OW_BAD_ARGUMENT;
  }
  if (key->slotted) {
    job.slotted = true;
    job.slot = key->slot;
    job.generation = key->generation;
  } else {
    ow_reverse(number, key->k, OW_X25519_BYTES);
    ow_pka_job_key(&job, whole, OW_X25519_BYTES);
  }
  ow_reverse(number, peer, OW_X25519_BYTES);
  ow_pka_job_input(&job, whole, OW_X25519_BYTES);
  ow_pka_job_blinding(&job, OW_X25519_BYTES);
  job.output_len = OW_X25519_BYTES;
  ow_status status = ow_pka_job_run(&job, number);
  if (status == OW_OK) {
    ow_reverse(secret, number, OW_X25519_BYTES);
  }
  ow_wipe(number, sizeof(number));
  return status;
}

ow_status ow_x25519_public(struct ow_pka *pka, uint8_t point[OW_X25519_BYTES],
                           const struct ow_x25519_private *key) {
  static const uint8_t base[OW_X25519_BYTES] = {9};
  return ow_x25519(pka, point, key, base);
}

ow_status ow_x25519_generate(struct ow_pka *pka, uint8_t k[OW_X25519_BYTES],
                             uint8_t point[OW_X25519_BYTES]) {
  const struct ow_x25519_private key = {.k = k};
  if (pka == NULL || k == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_pka_random(pka, k, OW_X25519_BYTES);
  if (status == OW_OK) {
    status = ow_x25519_public(pka, point, &key);
  }
  if (status != OW_OK) {
    ow_wipe(k, OW_X25519_BYTES);
  }
  return status;
}

ow_status ow_x25519_slot_load(struct ow_device *device, uint8_t slot,
                              const struct ow_key_properties *properties,
                              const uint8_t k[OW_X25519_BYTES]) {
  uint8_t number[OW_X25519_BYTES];
  if (properties == NULL || k == NULL) {
    return OW_BAD_ARGUMENT;
  }
  const struct ow_key_properties owners = ow_pka_properties(properties);
  ow_reverse(number, k, OW_X25519_BYTES);
  ow_status status =
      ow_key_load_coded(device, slot, &owners, OW_OP_X25519, 0, number, OW_X25519_BYTES);
  ow_wipe(number, sizeof(number));
  return status;
}
