/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The context of AES-GCM (gcm.c), for messages (gcm_message.c, gcm_slot.c) and TLS 1.2 records
 * (gcm_tls.c).
 */
#ifndef OUTWORK_PROVIDER_GCM_H
#define OUTWORK_PROVIDER_GCM_H

#include "cipher.h"
#include "ghash.h"
#include "pipes.h"

/* Longest AAD that is kept until the first payload decides between device and CPU. */
#define OWP_AAD_MAX 256u
/* Longest IV of a message that can go to the device. */
#define OWP_IV_MAX 64u

enum owp_phase {
  /* the inner context has the message, or has to report what is missing */
  OWP_INSIDE,
  /* key, IV and perhaps AAD are set; no payload yet */
  OWP_FRESH,
  /* the device has processed payload */
  OWP_DEVICE,
  /* the device has finished the message; the IV must not be used again */
  OWP_OVER,
  /* the device has processed payload, but the message cannot be finished */
  OWP_LOST
};

struct owp_gcm {
  struct owp_cipher cipher;
  enum owp_phase phase;
  /* bytes of `iv`, which is valid except with OWP_INSIDE */
  size_t iv_len;
  /* length of IVs that the inner context makes; 0: it makes none */
  size_t sequence_iv_len;
  uint8_t iv[OWP_IV_MAX];
  size_t aad_len;
  uint8_t aad[OWP_AAD_MAX];
  /* of the tag to verify; 0: not set */
  size_t tag_len;
  /* the tag to verify, or the tag made */
  uint8_t tag[16];
  /* `tag` is that of the last message encrypted; the inner context has none, or an older one */
  bool tag_made;
  /* the default provider's block cipher under this key, or NULL */
  void *ecb;
  struct owp_gcm_state state;
  /* saved state in the device's format, input and output of a job; sealed under a key in a slot */
  uint8_t saved[OW_AES_SEALED_BYTES];
  /* under a key in a slot: `saved` is valid */
  bool slot_saved;
  /* under a key in a slot: bytes in `held`, which the device has to process once more */
  uint8_t held_len;
  uint8_t held[16];
  /* under a key in a slot: bytes of payload */
  uint64_t slot_total;
  /* the next update is a TLS 1.2 record, as in the inner context */
  bool tls;
  /* of the record, with the length of its payload */
  uint8_t tls_aad[13];
};

/* Leaves the message, with IV and AAD, to the inner context. Returns false if that fails. */
bool owp_gcm_hand_inside(struct owp_gcm *gcm);
/* The same, with the first payload. */
int owp_gcm_add_inside(struct owp_gcm *gcm, unsigned char *out, size_t *out_len,
                       const unsigned char *in, size_t length);
/* Begins, continues and ends a message under a key in a slot. The device does all of it, even if it
 * is short. The tag is in gcm->tag. */
void owp_gcm_slot_begin(struct owp_gcm *gcm);
int owp_gcm_slot_add(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length);
bool owp_gcm_slot_end(struct owp_gcm *gcm);
int owp_gcm_add_aad(struct owp_gcm *gcm, size_t *out_len, const unsigned char *in, size_t length);
int owp_gcm_add_payload(struct owp_gcm *gcm, unsigned char *out, size_t *out_len,
                        const unsigned char *in, size_t length);
/* Adds payload to a message that the device has begun. refused: bytes of a request that the device
 * has just failed; they are processed here. */
int owp_gcm_add_rest(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length,
                     size_t refused);
/* Frees the block cipher of the key. */
void owp_gcm_drop_key(struct owp_gcm *gcm);

#ifdef OWP_HAS_PIPES
/* Functions of struct owp_pipe_mode. */
bool owp_gcm_offer(void *context, struct ow_request *request, const struct owp_piece *piece);
void owp_gcm_accept(void *context, const struct ow_request *request);
#endif

/* Notes the AAD of a TLS 1.2 record, which the inner context has accepted. */
void owp_gcm_note_record(struct owp_gcm *gcm, const uint8_t aad[13]);
/* Leaves a record, if one is expected, to the inner context, which is without IV after the next
 * call. Otherwise does nothing. */
static inline void owp_gcm_hand_record_inside(struct owp_gcm *gcm) {
  if (gcm->tls) {
    gcm->tls = false;
    gcm->phase = OWP_INSIDE;
  }
}
/* Processes a TLS 1.2 record in place: explicit IV, payload, tag. */
int owp_gcm_record(struct owp_gcm *gcm, unsigned char *out, size_t *out_len, size_t out_size,
                   const unsigned char *in, size_t length);

#endif
