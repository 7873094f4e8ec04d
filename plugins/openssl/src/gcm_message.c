/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A message of AES-GCM. The first payload decides between device and CPU. With the device, it
 * processes the whole blocks of every update, and the bytes around them are processed here.
 */
#include "gcm.h"

/* Later updates that are shorter are processed here too: a job would cost more. */
#define PIECE_MIN 512u
/* SP 800-38D 5.2.1.1 */
#define LENGTH_MAX ((UINT64_C(1) << 36) - 32)

static const struct owp_cipher_calls *ecb_calls(const struct owp_gcm *gcm) {
  unsigned index = gcm->cipher.key_len == 16   ? OWP_ECB_128
                   : gcm->cipher.key_len == 24 ? OWP_ECB_192
                                               : OWP_ECB_256;
  return &gcm->cipher.provider->cipher_calls[index];
}

static bool encrypt_blocks(void *context, uint8_t *out, const uint8_t *in, size_t length) {
  struct owp_gcm *gcm = context;
  const struct owp_cipher_calls *calls = ecb_calls(gcm);
  size_t written;
  if (gcm->ecb == NULL) {
    gcm->ecb = calls->newctx(calls->context);
    if (gcm->ecb == NULL ||
        !calls->encrypt_init(gcm->ecb, gcm->cipher.key, gcm->cipher.key_len, NULL, 0, NULL)) {
      return false;
    }
  }
  return calls->cipher(gcm->ecb, out, &written, length, in, length) != 0;
}

void owp_gcm_drop_key(struct owp_gcm *gcm) {
  if (gcm->ecb != NULL) {
    ecb_calls(gcm)->freectx(gcm->ecb);
    gcm->ecb = NULL;
  }
}

bool owp_gcm_hand_inside(struct owp_gcm *gcm) {
  size_t written;
  gcm->phase = OWP_INSIDE;
  return gcm->aad_len == 0 || OWP_INSIDE(&gcm->cipher, update, NULL, &written, gcm->aad_len,
                                         gcm->aad, gcm->aad_len) != 0;
}

/* Returns the request for whole blocks. */
static struct ow_request state_job(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in,
                                   size_t length) {
  struct ow_request request = owp_cipher_request(&gcm->cipher);
  request.flags |= OW_JOB_SAVE_STATE;
  request.state = gcm->saved;
  if (gcm->phase == OWP_FRESH) {
    request.iv = gcm->iv;
    request.iv_len = (uint32_t)gcm->iv_len;
    request.aad = gcm->aad;
    request.aad_len = (uint32_t)gcm->aad_len;
  } else {
    request.flags |= OW_JOB_LOAD_STATE;
    owp_gcm_save(&gcm->state, gcm->saved);
  }
  request.input = in;
  request.output = out;
  request.length = (uint32_t)length;
  return request;
}

/* Runs it. True: done, the state has advanced. */
static bool run_job(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length) {
  struct ow_request request = state_job(gcm, out, in, length);
  if (!owp_cipher_run(&gcm->cipher, &request)) {
    return false;
  }
  owp_gcm_load(&gcm->state, gcm->saved);
  return true;
}

/* Returns the bytes of the whole blocks that fit in one job. */
static size_t piece_of(size_t length) {
  size_t whole = length & ~(size_t)15;
  return whole < OW_REQUEST_BYTES ? whole : OW_REQUEST_BYTES;
}

/* Continues a message of the device: whole blocks there; the other bytes, and what the device
 * refuses, here. */
static bool go_on(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length) {
  bool good = true;
  while (length != 0 && good) {
    size_t used = gcm->state.length % 16;
    size_t now = used != 0 ? 16 - used : piece_of(length);
    now = now == 0 || now > length ? length : now;
    if (used != 0 || now < PIECE_MIN || !run_job(gcm, out, in, now)) {
      good = owp_gcm_crypt(&gcm->state, gcm->cipher.decrypt, out, in, now);
    }
    out += now;
    in += now;
    length -= now;
  }
  return good;
}

/* Sends the first payload. False: the device has processed nothing. */
static bool begin(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t *done,
                  size_t length) {
  *done = piece_of(length);
  if (!owp_cipher_wants(&gcm->cipher, length) || !run_job(gcm, out, in, *done)) {
    return false;
  }
  gcm->phase = OWP_DEVICE;
  return true;
}

int owp_gcm_add_aad(struct owp_gcm *gcm, size_t *out_len, const unsigned char *in, size_t length) {
  struct owp_cipher *cipher = &gcm->cipher;
  if (!cipher->key_set && cipher->slot_key == NULL) { /* an error of the application */
    return OWP_INSIDE(cipher, update, NULL, out_len, length, in, length);
  }
  if (gcm->phase == OWP_FRESH && length <= OWP_AAD_MAX - gcm->aad_len) {
    memcpy(gcm->aad + gcm->aad_len, in, length);
    gcm->aad_len += length;
    *out_len = length;
    return 1;
  }
  if (gcm->phase == OWP_FRESH) {
    ow_offload_count(cipher->provider->offload, cipher->opcode, OW_FALLBACK_LENGTH, length);
    if (!owp_gcm_hand_inside(gcm)) {
      return 0;
    }
  }
  return gcm->phase == OWP_INSIDE
             ? OWP_INSIDE(cipher, update, NULL, out_len, length, in, length)
             : owp_refuse(gcm->cipher.provider, PROV_R_CIPHER_OPERATION_FAILED);
}

int owp_gcm_add_rest(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length,
                     size_t refused) {
  bool good = gcm->phase == OWP_DEVICE && gcm->state.length + length <= LENGTH_MAX &&
              (gcm->ecb != NULL || owp_gcm_begin(&gcm->state, encrypt_blocks, gcm)) &&
              (refused == 0 || owp_gcm_crypt(&gcm->state, gcm->cipher.decrypt, out, in, refused)) &&
              go_on(gcm, out + refused, in + refused, length - refused);
  return good || owp_refuse(gcm->cipher.provider, PROV_R_CIPHER_OPERATION_FAILED);
}

int owp_gcm_add_inside(struct owp_gcm *gcm, unsigned char *out, size_t *out_len,
                       const unsigned char *in, size_t length) {
  return owp_gcm_hand_inside(gcm) &&
         OWP_INSIDE(&gcm->cipher, update, out, out_len, length, in, length);
}

int owp_gcm_add_payload(struct owp_gcm *gcm, unsigned char *out, size_t *out_len,
                        const unsigned char *in, size_t length) {
  size_t done = 0;
  if (gcm->cipher.slot_key != NULL) {
    if (gcm->phase == OWP_FRESH) {
      owp_gcm_slot_begin(gcm);
    }
    *out_len = length;
    return owp_gcm_slot_add(gcm, out, in, length);
  }
  if (gcm->phase == OWP_FRESH && !begin(gcm, out, in, &done, length)) {
    return owp_gcm_add_inside(gcm, out, out_len, in, length);
  }
  *out_len = length;
  return owp_gcm_add_rest(gcm, out + done, in + done, length - done, 0);
}

#ifdef OWP_HAS_PIPES
bool owp_gcm_offer(void *context, struct ow_request *request, const struct owp_piece *piece) {
  struct owp_gcm *gcm = context;
  size_t now = piece_of(piece->length);
  bool fresh = gcm->phase == OWP_FRESH && piece->out_size >= piece->length && !gcm->tls;
  bool more = gcm->phase == OWP_DEVICE && gcm->state.length % 16 == 0 && now >= PIECE_MIN &&
              gcm->state.length + piece->length <= LENGTH_MAX;
  if (!more && !(fresh && owp_cipher_wants_among(&gcm->cipher, piece->length, piece->together))) {
    return false;
  }
  *request = state_job(gcm, piece->out, piece->in, now);
  return true;
}

void owp_gcm_accept(void *context, const struct ow_request *request) {
  struct owp_gcm *gcm = context;
  (void)request;
  owp_gcm_load(&gcm->state, gcm->saved);
  gcm->phase = OWP_DEVICE;
}
#endif
