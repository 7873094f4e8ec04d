/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the public-key parts of the driver share: RSA keys and keys on curves, whose secrets may
 * be bytes or a slot.
 */
#ifndef OUTWORK_PSA_SRC_PUBLIC_KEY_H
#define OUTWORK_PSA_SRC_PUBLIC_KEY_H

#include "driver.h"

/* Runs an operation where the policy gives it to the device. False: software shall do it. */
bool ow_psa_operate(uint8_t opcode, size_t length, ow_operate *operate, void *user);

psa_status_t ow_psa_rsa_sign(const psa_key_attributes_t *attributes, const uint8_t *key,
                             size_t key_size, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_len, uint8_t *signature, size_t signature_size,
                             size_t *signature_len);
psa_status_t ow_psa_rsa_verify(const psa_key_attributes_t *attributes, const uint8_t *key,
                               size_t key_size, psa_algorithm_t alg, const uint8_t *hash,
                               size_t hash_len, const uint8_t *signature, size_t signature_len);

/* What the operations below take, as `user`. */
struct ow_psa_rsa {
  struct ow_rsa_public public_key;
  struct ow_rsa_private private_key;
  struct ow_rsa_padding padding;
  const uint8_t *input, *signature;
  uint8_t *output;
  size_t input_len, signature_len, output_len;
};
ow_operate ow_psa_rsa_make, ow_psa_rsa_check, ow_psa_rsa_encrypt, ow_psa_rsa_decrypt;
/* Keys in DER (RFC 8017 A.1): both halves, or the public one. False: not such a key. */
bool ow_psa_rsa_key(struct ow_psa_rsa *work, bool private_key, const uint8_t *der, size_t der_len);
/* The padding of a signature. False: not a scheme of the device's, or a digest of another length
 * than the hash's. */
bool ow_psa_rsa_scheme(struct ow_psa_rsa *work, psa_algorithm_t alg, size_t digest_len);
/* The padding of a message. */
bool ow_psa_rsa_oaep(struct ow_psa_rsa *work, psa_algorithm_t alg, const uint8_t *label,
                     size_t label_len);

/* The curve of a key; false: none of the device's. */
bool ow_psa_curve(enum ow_curve *curve, const psa_key_attributes_t *attributes);

/* What the operations below take, as `user`. */
struct ow_psa_ec {
  struct ow_ec_private key;
  uint8_t hash;         /* ECDSA */
  const uint8_t *input; /* a digest, or the peer's public key */
  size_t input_len;
  const uint8_t *point;     /* verifying: the public key, x, y */
  const uint8_t *signature; /* verifying */
  uint8_t *output;          /* a signature, or a shared secret */
};
ow_operate ow_psa_ec_sign, ow_psa_ec_verify, ow_psa_ec_agree;
/* The hash that HMAC_DRBG makes the per-message number with. False: not an ECDSA that is
 * randomised. */
bool ow_psa_ecdsa_hash(uint8_t *hash, psa_algorithm_t alg, enum ow_curve curve);

#endif
