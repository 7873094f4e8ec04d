/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-GCM for TLS 1.2 (RFC 5288): a record is one job, with its tag.
 */
#include "gcm.h"

#define EXPLICIT_LEN 8u
#define FIXED_LEN    4u
#define TAG_LEN      16u

struct record {
  uint8_t iv[FIXED_LEN + EXPLICIT_LEN];
  uint8_t aad[13];
  uint8_t *payload;
  size_t length;
};

/* Takes the IV of a record. The inner context counts the explicit IVs when sending; when receiving
 * it gets them from the record. */
static bool take_iv(struct owp_gcm *gcm, struct record *record, uint8_t *explicit_iv) {
  struct owp_cipher *cipher = &gcm->cipher;
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_octet_string(cipher->decrypt ? OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV
                                                        : OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN,
                                        explicit_iv, EXPLICIT_LEN),
      OSSL_PARAM_construct_end()};
  bool good = cipher->decrypt ? OWP_INSIDE(cipher, set_ctx_params, params) != 0
                              : OWP_INSIDE(cipher, get_ctx_params, params) != 0;
  good = good && owp_cipher_get(cipher, OSSL_CIPHER_PARAM_IV, record->iv, sizeof(record->iv));
  memcpy(record->iv + FIXED_LEN, explicit_iv, EXPLICIT_LEN);
  return good;
}

/* Ends the record in the inner context, which it has not processed. It refuses a record as short as
 * this one, forgets that it waits for one, and is without IV, as after any record. */
static void end_inside(struct owp_gcm *gcm) {
  uint8_t nothing[1] = {0};
  size_t written;
  (void)gcm->cipher.calls->cipher(gcm->cipher.inside, nothing, &written, 1, nothing, 1);
}

static bool on_device(struct owp_gcm *gcm, const struct record *record) {
  struct ow_request request = owp_cipher_request(&gcm->cipher);
  uint8_t *tag = record->payload + record->length;
  request.iv = record->iv;
  request.iv_len = sizeof(record->iv);
  request.aad = record->aad;
  request.aad_len = sizeof(record->aad);
  request.input = record->payload;
  request.output = record->payload;
  request.length = (uint32_t)record->length;
  request.tag_len = TAG_LEN;
  if (gcm->cipher.decrypt) {
    memcpy(request.tag, tag, TAG_LEN);
  }
  if (!ow_offload_run(gcm->cipher.provider->offload, &request)) {
    return false;
  }
  if (!gcm->cipher.decrypt) {
    memcpy(tag, request.tag, TAG_LEN);
  }
  return true;
}

/* Processes the record in a second context of the default provider: the IV has already been taken
 * from the inner one. */
static bool on_cpu(struct owp_gcm *gcm, const struct record *record) {
  const struct owp_cipher_calls *calls = gcm->cipher.calls;
  bool decrypt = gcm->cipher.decrypt;
  size_t written;
  uint8_t nothing[16];
  void *context = calls->newctx(calls->context);
  OSSL_PARAM tag[] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG,
                                                        record->payload + record->length, TAG_LEN),
                      OSSL_PARAM_construct_end()};
  bool good = context != NULL &&
              (decrypt ? calls->decrypt_init : calls->encrypt_init)(
                  context, gcm->cipher.key, gcm->cipher.key_len, record->iv, sizeof(record->iv),
                  decrypt ? tag : NULL) != 0 &&
              calls->update(context, NULL, &written, sizeof(record->aad), record->aad,
                            sizeof(record->aad)) != 0 &&
              calls->update(context, record->payload, &written, record->length, record->payload,
                            record->length) != 0 &&
              calls->final(context, nothing, &written, sizeof(nothing)) != 0 &&
              (decrypt || calls->get_ctx_params(context, tag) != 0);
  if (context != NULL) {
    calls->freectx(context);
  }
  if (!good && decrypt) {
    OPENSSL_cleanse(record->payload, record->length);
  }
  return good;
}

void owp_gcm_note_record(struct owp_gcm *gcm, const uint8_t aad[13]) {
  memcpy(gcm->tls_aad, aad, sizeof(gcm->tls_aad));
  uint16_t stated = (uint16_t)(aad[11] << 8 | aad[12]);
  stated = (uint16_t)(stated - EXPLICIT_LEN - (gcm->cipher.decrypt ? TAG_LEN : 0));
  /* the authenticated length includes neither IV nor tag */
  gcm->tls_aad[11] = (uint8_t)(stated >> 8);
  gcm->tls_aad[12] = (uint8_t)stated;
  gcm->tls = true;
  gcm->tag_made = false;
}

/* Returns whether IVs have the length that RFC 5288 gives them. */
static bool usual_iv(struct owp_gcm *gcm) {
  size_t length = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &length),
                         OSSL_PARAM_construct_end()};
  return owp_cipher_get_iv_size(&gcm->cipher, params) && length == FIXED_LEN + EXPLICIT_LEN;
}

int owp_gcm_record(struct owp_gcm *gcm, unsigned char *out, size_t *out_len, size_t out_size,
                   const unsigned char *in, size_t length) {
  struct owp_cipher *cipher = &gcm->cipher;
  struct record record;
  owp_gcm_hand_record_inside(gcm);
  if (in == NULL || out != in || out_size < length || length < EXPLICIT_LEN + TAG_LEN ||
      length - EXPLICIT_LEN - TAG_LEN > OW_REQUEST_BYTES || !usual_iv(gcm) ||
      !owp_cipher_wants(cipher, length - EXPLICIT_LEN - TAG_LEN)) {
    return OWP_INSIDE(cipher, update, out, out_len, out_size, in, length);
  }
  record.payload = out + EXPLICIT_LEN;
  record.length = length - EXPLICIT_LEN - TAG_LEN;
  memcpy(record.aad, gcm->tls_aad, sizeof(record.aad));
  bool good = take_iv(gcm, &record, out);
  end_inside(gcm);
  if (!good || (!on_device(gcm, &record) && !on_cpu(gcm, &record))) {
    return owp_refuse(cipher->provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  *out_len = cipher->decrypt ? record.length : length;
  return 1;
}
