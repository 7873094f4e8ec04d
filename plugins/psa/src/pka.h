/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the public-key files share: RSA keys and keys on curves. The secret is bytes, or a slot.
 */
#ifndef OUTWORK_PSA_SRC_PKA_H
#define OUTWORK_PSA_SRC_PKA_H

#include "driver.h"

/* Runs an operation if the policy sends it to the device. False: use software. */
bool ow_psa_operate(uint8_t opcode, size_t length, ow_operate *operate, void *user);

psa_status_t ow_psa_rsa_sign(const psa_key_attributes_t *attributes, const uint8_t *key,
                             size_t key_size, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_len, uint8_t *signature, size_t signature_size,
                             size_t *signature_len);
psa_status_t ow_psa_rsa_verify(const psa_key_attributes_t *attributes, const uint8_t *key,
                               size_t key_size, psa_algorithm_t alg, const uint8_t *hash,
                               size_t hash_len, const uint8_t *signature, size_t signature_len);

/* Arguments of the operations below, passed as `user`. */
struct ow_psa_rsa {
  struct ow_rsa_public public_key;
  struct ow_rsa_private private_key;
  struct ow_rsa_padding padding;
  const uint8_t *input, *signature;
  uint8_t *output;
  size_t input_len, signature_len, output_len;
};
ow_operate ow_psa_rsa_make, ow_psa_rsa_check, ow_psa_rsa_encrypt, ow_psa_rsa_decrypt;
/* Parses a key in DER (RFC 8017 A.1): private or public. False: not such a key. */
bool ow_psa_rsa_key(struct ow_psa_rsa *work, bool private_key, const uint8_t *der, size_t der_len);
/* Sets the padding of a signature. False: a scheme that the device does not have, or a digest with
 * another length than the hash. */
bool ow_psa_rsa_scheme(struct ow_psa_rsa *work, psa_algorithm_t alg, size_t digest_len);
/* Sets the padding of a message. False: a hash that the driver does not have. */
bool ow_psa_rsa_oaep(struct ow_psa_rsa *work, psa_algorithm_t alg, const uint8_t *label,
                     size_t label_len);

/* Returns the curve of a key. False: not on the device. */
bool ow_psa_curve(enum ow_curve *curve, const psa_key_attributes_t *attributes);

/* Arguments of the operations below, passed as `user`. */
struct ow_psa_ec {
  struct ow_ec_private key;
  /* ECDSA: the hash for the nonce */
  uint8_t hash;
  /* a digest, or the peer's public key */
  const uint8_t *input;
  size_t input_len;
  /* to verify: the public key, x and y */
  const uint8_t *point;
  /* to verify */
  const uint8_t *signature;
  /* a signature, or a shared secret */
  uint8_t *output;
};
ow_operate ow_psa_ec_sign, ow_psa_ec_verify, ow_psa_ec_agree;
/* Returns the hash with which HMAC_DRBG makes the nonce. False: not a randomised ECDSA. */
bool ow_psa_ecdsa_hash(uint8_t *hash, psa_algorithm_t alg, enum ow_curve curve);

#endif
