/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * X25519 (RFC 7748) and Ed25519 (RFC 8032, FIPS 186-5) on the public-key engine, with one call an
 * operation.
 *
 * Keys, secrets and signatures are the strings of bytes of the standards, least significant byte
 * first, and may lie anywhere. Memory and statuses are as in pka.h.
 */
#ifndef OUTWORK_CURVE25519_H
#define OUTWORK_CURVE25519_H

#include "outwork/pka.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_X25519_BYTES 32u

/* A private key: 32 bytes, of which the device ignores the bits that RFC 7748 5 does; or a slot. */
struct ow_x25519_private {
  const uint8_t *k;
  bool slotted;
  uint8_t slot;
  uint16_t generation; /* as in struct ow_key */
};

/* Computes the secret that the key shares with the peer's public key, 32 bytes (RFC 7748 6.1).
 * OW_BAD_ARGUMENT: it would be zero for every private key, so the peer's key is none. Derive keys
 * from the secret. */
ow_status ow_x25519(struct ow_pka *pka, uint8_t secret[OW_X25519_BYTES],
                    const struct ow_x25519_private *key, const uint8_t peer[OW_X25519_BYTES]);
/* Computes the public key. */
ow_status ow_x25519_public(struct ow_pka *pka, uint8_t point[OW_X25519_BYTES],
                           const struct ow_x25519_private *key);
/* Generates a private key of random bytes, and its public key. */
ow_status ow_x25519_generate(struct ow_pka *pka, uint8_t k[OW_X25519_BYTES],
                             uint8_t point[OW_X25519_BYTES]);
/* Loads a private key into a slot, where it serves X25519 alone. Of the properties `queues` and
 * `lock` count. */
ow_status ow_x25519_slot_load(struct ow_device *device, uint8_t slot,
                              const struct ow_key_properties *properties,
                              const uint8_t k[OW_X25519_BYTES]);

#define OW_ED25519_KEY_BYTES       32u
#define OW_ED25519_SIGNATURE_BYTES 64u
/* Longest context of Ed25519ctx and Ed25519ph. */
#define OW_ED25519_CONTEXT_MAX 255u

/* A private key that is ready for use (RFC 8032 5.1.5). Members are private; wipe it after use. */
struct ow_ed25519_private {
  uint8_t scalar[OW_ED25519_KEY_BYTES];
  uint8_t prefix[OW_ED25519_KEY_BYTES];
  uint8_t point[OW_ED25519_KEY_BYTES]; /* public: the public key */
};

/* Selects Ed25519ctx, or Ed25519ph (RFC 8032 5.1); NULL in a call is Ed25519. */
struct ow_ed25519_context {
  bool hashed;          /* Ed25519ph: the message is hashed first */
  const uint8_t *bytes; /* of Ed25519ctx not empty */
  size_t length;
};

/* Computes the keys of a seed, 32 random bytes. */
ow_status ow_ed25519_load(struct ow_pka *pka, struct ow_ed25519_private *key,
                          const uint8_t seed[OW_ED25519_KEY_BYTES]);
/* Prepares the keys of a seed whose public key is known, without the device. Signatures under
 * another public key reveal the private key. */
ow_status ow_ed25519_load_pair(struct ow_ed25519_private *key,
                               const uint8_t seed[OW_ED25519_KEY_BYTES],
                               const uint8_t point[OW_ED25519_KEY_BYTES]);
/* Generates a seed, and its keys. */
ow_status ow_ed25519_generate(struct ow_pka *pka, struct ow_ed25519_private *key,
                              uint8_t seed[OW_ED25519_KEY_BYTES]);
/* Signs a message, which must lie in memory accessible to the device: the hash engine reads it. */
ow_status ow_ed25519_sign(struct ow_pka *pka, uint8_t signature[OW_ED25519_SIGNATURE_BYTES],
                          const struct ow_ed25519_private *key,
                          const struct ow_ed25519_context *context, const void *message,
                          size_t message_len);
/* Verifies a signature (RFC 8032 5.1.7, without the cofactor). OW_AUTH_FAILED: it is not one of
 * this message under this key. OW_BAD_ARGUMENT: the key is no point. */
ow_status ow_ed25519_verify(struct ow_pka *pka, const uint8_t key[OW_ED25519_KEY_BYTES],
                            const struct ow_ed25519_context *context, const void *message,
                            size_t message_len,
                            const uint8_t signature[OW_ED25519_SIGNATURE_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
