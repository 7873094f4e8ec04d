/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The context of AES-GCM (gcm.c), for messages (gcm_message.c) and TLS 1.2 records (gcm_tls.c).
 */
#ifndef OUTWORK_PROVIDER_GCM_H
#define OUTWORK_PROVIDER_GCM_H

#include "cipher.h"
#include "ghash.h"
#include "pipes.h"

/* AAD up to here waits for the decision who does the message. */
#define OWP_AAD_MAX 256u
/* The longest IV that is lent. */
#define OWP_IV_MAX 64u

enum owp_phase {
  OWP_INSIDE, /* the context inside has the message, or what is missing is for it to say */
  OWP_FRESH,  /* key, IV and perhaps AAD are here; nobody has begun */
  OWP_DEVICE, /* the device has begun */
  OWP_OVER    /* done by the device: the IV is spent */
};

struct owp_gcm {
  struct owp_cipher cipher;
  enum owp_phase phase;
  size_t iv_len;
  size_t sequence_iv_len; /* IVs come from the context inside, 0: they do not */
  uint8_t iv[OWP_IV_MAX];
  size_t aad_len;
  uint8_t aad[OWP_AAD_MAX];
  size_t tag_len;  /* of the tag to verify, 0: none yet */
  uint8_t tag[16]; /* to verify; or made */
  void *ecb;       /* the default provider's block cipher under this key, or NULL */
  struct owp_gcm_state state;
  uint8_t saved[OW_AES_SEALED_BYTES]; /* in the device's form: into a job, and out of it; under a
                                         key in a slot sealed */
  bool slot_saved;                    /* the same: there is such a state */
  uint8_t held_len;                   /* bytes that the device shall get once more */
  uint8_t held[16];
  uint64_t slot_total; /* bytes of payload */
  bool tls;
  uint8_t tls_aad[13]; /* as given */
};

/* From here on the context inside has the message. */
bool owp_gcm_hand_inside(struct owp_gcm *gcm);
/* Hands it the message, with its first payload. */
int owp_gcm_add_inside(struct owp_gcm *gcm, unsigned char *out, size_t *out_len,
                       const unsigned char *in, size_t length);
/* A message under a key in a slot is nobody else's, however short: its beginning, more payload, and
 * its end, with the tag in gcm->tag. */
void owp_gcm_slot_begin(struct owp_gcm *gcm);
int owp_gcm_slot_add(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length);
bool owp_gcm_slot_end(struct owp_gcm *gcm);
int owp_gcm_add_aad(struct owp_gcm *gcm, size_t *out_len, const unsigned char *in, size_t length);
int owp_gcm_add_payload(struct owp_gcm *gcm, unsigned char *out, size_t *out_len,
                        const unsigned char *in, size_t length);
/* What follows in a message that the device has begun. `refused`: bytes that it has just failed at.
 */
int owp_gcm_add_rest(struct owp_gcm *gcm, uint8_t *out, const uint8_t *in, size_t length,
                     size_t refused);
/* The block cipher goes with its key. */
void owp_gcm_drop_key(struct owp_gcm *gcm);

#ifdef OWP_HAS_PIPES
/* As struct owp_pipe_mode has them. */
bool owp_gcm_offer(void *context, struct ow_request *request, const struct owp_piece *piece);
void owp_gcm_accept(void *context, const struct ow_request *request);
#endif

/* A TLS 1.2 record in place: explicit IV, payload, tag. */
int owp_gcm_record(struct owp_gcm *gcm, unsigned char *out, size_t *out_len, size_t out_size,
                   const unsigned char *in, size_t length);

#endif
