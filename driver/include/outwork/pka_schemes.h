/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Schemes on public keys: RSA with padding (RFC 8017), ECDSA (FIPS 186-5, RFC 6979) and ECDH
 * (SP 800-56A).
 *
 * The caller hashes the message; padding is software whose time does not depend on secrets.
 * Numbers, memory and statuses are as in pka.h. OW_AUTH_FAILED: not a signature of this hash, or
 * not a ciphertext for this key.
 */
#ifndef OUTWORK_PKA_SCHEMES_H
#define OUTWORK_PKA_SCHEMES_H

#include "outwork/hash.h"
#include "outwork/pka.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A hash function is its opcode (spec.h): OW_OP_SHA1 to OW_OP_SHA3_512. Those of SHA-3 serve
 * OW_RSA_PKCS1 alone: mask generation and nonces hash in software, which has no SHA-3
 * (OW_UNSUPPORTED). */

enum ow_rsa_scheme {
  OW_RSA_PKCS1, /* RSASSA-PKCS1-v1_5 (8.2), RSAES-PKCS1-v1_5 (7.2) */
  OW_RSA_PSS,   /* RSASSA-PSS (8.1) */
  OW_RSA_OAEP   /* RSAES-OAEP (7.1) */
};
#define OW_RSA_SALT_ANY SIZE_MAX /* when verifying: of any length */

struct ow_rsa_padding {
  enum ow_rsa_scheme scheme;
  uint8_t hash;           /* of the message; of the label. RSAES-PKCS1-v1_5 has none */
  uint8_t mask_hash;      /* of MGF1 (PSS, OAEP) */
  size_t salt_len;        /* PSS */
  struct ow_number label; /* OAEP; usually empty */
};

/* A digest has ow_hash_digest_len(hash) bytes, a signature ow_rsa_private_bytes(key). */
ow_status ow_rsa_sign(struct ow_pka *pka, uint8_t *signature, const struct ow_rsa_private *key,
                      const struct ow_rsa_padding *padding, const uint8_t *digest);
ow_status ow_rsa_verify(struct ow_pka *pka, const struct ow_rsa_public *key,
                        const struct ow_rsa_padding *padding, const uint8_t *digest,
                        const uint8_t *signature, size_t signature_len);
/* A ciphertext has ow_rsa_public_bytes(key) bytes. OW_BAD_ARGUMENT: the message is too long. */
ow_status ow_rsa_encrypt(struct ow_pka *pka, uint8_t *ciphertext, const struct ow_rsa_public *key,
                         const struct ow_rsa_padding *padding, const uint8_t *message,
                         size_t message_len);
/* message_len  in: capacity of `message`; out: bytes written. Do not let a sender learn whether a
 * ciphertext of OW_RSA_PKCS1 was valid: this reveals other plaintexts (Bleichenbacher 1998). Use
 * OAEP. */
ow_status ow_rsa_decrypt(struct ow_pka *pka, uint8_t *message, size_t *message_len,
                         const struct ow_rsa_private *key, const struct ow_rsa_padding *padding,
                         const uint8_t *ciphertext, size_t ciphertext_len);

/* ECDSA. `signature` is r, s, twice ow_curve_bytes(). k is computed as in RFC 6979 3.6, from the
 * key, the digest and random bytes, by HMAC with `hash`. For a key in a slot the device makes k
 * from the same values, and `hash` is ignored. */
ow_status ow_ecdsa_sign(struct ow_pka *pka, uint8_t *signature, const struct ow_ec_private *key,
                        uint8_t hash, const uint8_t *digest, size_t digest_len);
/* The parts of ow_ecdsa_sign(): convert a digest to a number below the order (FIPS 186-5 6.4.1),
 * and compute k (RFC 6979 3.2; with additional data, 3.6). `d` is as long as a scalar. */
void ow_ecdsa_number(uint8_t *e, enum ow_curve curve, const uint8_t *digest, size_t digest_len);
void ow_ecdsa_nonce(uint8_t *k, enum ow_curve curve, uint8_t hash, const uint8_t *d,
                    const uint8_t *e, struct ow_number extra);
/* `point` is x, y. OW_BAD_ARGUMENT: it is not on the curve. */
ow_status ow_ecdsa_verify(struct ow_pka *pka, enum ow_curve curve, const uint8_t *point,
                          const uint8_t *digest, size_t digest_len, const uint8_t *signature);
/* r, s as an ASN.1 SEQUENCE of two INTEGERs (RFC 3279 2.2.3), DER. */
#define OW_ECDSA_DER_MAX 141u
size_t ow_ecdsa_to_der(uint8_t *der, enum ow_curve curve, const uint8_t *signature);
/* OW_AUTH_FAILED: not DER, or r or s too long. */
ow_status ow_ecdsa_from_der(uint8_t *signature, enum ow_curve curve, const uint8_t *der,
                            size_t der_len);

/* ECDH: writes the x of d P, ow_curve_bytes() long (SP 800-56A 5.7.1.2). Derive keys from it.
 * `peer` is 0x04, x, y (SEC 1 2.3.3; other forms are OW_UNSUPPORTED). */
ow_status ow_ecdh(struct ow_pka *pka, uint8_t *secret, const struct ow_ec_private *key,
                  const uint8_t *peer, size_t peer_len);

#ifdef __cplusplus
}
#endif

#endif
