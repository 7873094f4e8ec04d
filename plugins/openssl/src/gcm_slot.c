/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-GCM under a key in a slot: the device processes every block and the tag, and seals the state
 * between two jobs.
 *
 * OpenSSL expects as many output bytes as input bytes. The bytes after the last whole block are
 * processed by a job that ends the message there; its tag is discarded. The message itself
 * continues from the state before that job, and the device gets these bytes again, together with
 * the next ones.
 */
#include "gcm.h"

/* SP 800-38D 5.2.1.1 */
#define LENGTH_MAX ((UINT64_C(1) << 36) - 32)

static struct ow_request next_job(struct owp_gcm *gcm, const uint8_t *in, uint8_t *out,
                                  size_t length) {
  struct ow_request request = owp_cipher_request(&gcm->cipher);
  request.state = gcm->saved;
  request.input = in;
  request.output = out;
  request.length = (uint32_t)length;
  if (gcm->slot_saved) {
    request.flags |= OW_JOB_LOAD_STATE;
  } else {
    request.iv = gcm->iv;
    request.iv_len = (uint32_t)gcm->iv_len;
    request.aad = gcm->aad;
    request.aad_len = (uint32_t)gcm->aad_len;
  }
  return request;
}

/* Processes whole blocks. */
static bool go_on(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length) {
  struct ow_request request = next_job(gcm, in, out, length);
  request.flags |= OW_JOB_SAVE_STATE;
  gcm->slot_saved = owp_cipher_run(&gcm->cipher, &request) || gcm->slot_saved;
  return request.status == OW_OK;
}

/* Processes the bytes of a partial block and keeps them in `held`. Always encrypts: the key stream
 * is the same in both directions, and encrypting needs no tag to compare. */
static bool peek(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length) {
  uint8_t block[16];
  size_t before = gcm->held_len;
  memcpy(gcm->held + before, in, length);
  gcm->held_len = (uint8_t)(before + length);
  struct ow_request request = next_job(gcm, gcm->held, block, gcm->held_len);
  request.flags &= (uint16_t)~OW_JOB_DECRYPT;
  request.tag_len = 16;
  bool good = owp_cipher_run(&gcm->cipher, &request);
  if (good) {
    memcpy(out, block + before, length);
  }
  OPENSSL_cleanse(block, sizeof(block));
  return good;
}

/* Completes the held block. */
static bool fill(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length) {
  uint8_t block[16];
  memcpy(gcm->held + gcm->held_len, in, length);
  bool good = go_on(gcm, block, gcm->held, 16);
  if (good) {
    memcpy(out, block + gcm->held_len, length);
    gcm->held_len = 0;
  }
  OPENSSL_cleanse(block, sizeof(block));
  return good;
}

void owp_gcm_slot_begin(struct owp_gcm *gcm) {
  gcm->phase = OWP_DEVICE;
  gcm->slot_saved = false;
  gcm->held_len = 0;
  gcm->slot_total = 0;
}

int owp_gcm_slot_add(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length) {
  bool good = gcm->phase == OWP_DEVICE && length <= LENGTH_MAX - gcm->slot_total;
  gcm->slot_total += good ? length : 0;
  while (length != 0 && good) {
    size_t held = gcm->held_len, now = length & ~(size_t)15;
    if (held != 0 || now == 0) {
      now = 16 - held < length ? 16 - held : length;
      good = held + now == 16 ? fill(gcm, out, in, now) : peek(gcm, out, in, now);
    } else {
      now = now < OW_REQUEST_BYTES ? now : OW_REQUEST_BYTES;
      good = go_on(gcm, out, in, now);
    }
    out += now;
    in += now;
    length -= now;
  }
  return good || owp_refuse(gcm->cipher.provider, PROV_R_CIPHER_OPERATION_FAILED);
}

/* The device compares no tag of less than 4 bytes. */
bool owp_gcm_slot_end(struct owp_gcm *gcm) {
  bool decrypt = gcm->cipher.decrypt;
  uint8_t block[16];
  if (gcm->phase != OWP_DEVICE || (decrypt && gcm->tag_len == 0)) {
    return false;
  }
  struct ow_request request = next_job(gcm, gcm->held, block, gcm->held_len);
  request.tag_len = decrypt ? (uint8_t)gcm->tag_len : 16;
  if (decrypt) {
    memcpy(request.tag, gcm->tag, gcm->tag_len);
  }
  bool good = owp_cipher_run(&gcm->cipher, &request);
  gcm->phase = OWP_OVER;
  gcm->held_len = 0;
  if (!decrypt) {
    memcpy(gcm->tag, request.tag, 16);
    gcm->tag_made = good;
  }
  OPENSSL_cleanse(block, sizeof(block));
  return good;
}
