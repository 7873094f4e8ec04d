/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The encodings of RFC 8017, in as many bytes as the modulus. Decoding takes constant time.
 */
#ifndef OUTWORK_RSA_PADDING_H
#define OUTWORK_RSA_PADDING_H

#include "outwork/pka_schemes.h"

/* An encoded message, as long as the modulus. */
struct ow_encoded {
  uint8_t bytes[OW_RSA_BYTES_MAX];
  size_t length;
  size_t bits; /* of the modulus */
};

/* EMSA-PKCS1-v1_5 (9.2). OW_BAD_ARGUMENT: the modulus is too short. */
ow_status ow_pkcs1_sign_encode(struct ow_encoded *em, uint8_t hash, const uint8_t *digest);
/* EMSA-PSS (9.1.1). `salt` comes from a generator. */
ow_status ow_pss_encode(struct ow_encoded *em, const struct ow_rsa_padding *padding,
                        const uint8_t *digest, const uint8_t *salt);
/* EMSA-PSS (9.1.2). */
ow_status ow_pss_verify(const struct ow_encoded *em, const struct ow_rsa_padding *padding,
                        const uint8_t *digest);

/* How many bytes a message may have. */
bool ow_encryption_room(size_t *room, const struct ow_encoded *em,
                        const struct ow_rsa_padding *padding);
/* EME-OAEP (7.1.1) with a random seed in the place of the hash at em + 1. */
void ow_oaep_encode(struct ow_encoded *em, const struct ow_rsa_padding *padding,
                    const uint8_t *message, size_t length);
/* EME-PKCS1-v1_5 (7.2.1) with random bytes that are not 0 from em + 2 on. */
void ow_pkcs1_encode(struct ow_encoded *em, const uint8_t *message, size_t length);
/* Returns the offset of the message (7.1.2, 7.2.2); 0: invalid. */
size_t ow_oaep_decode(struct ow_encoded *em, const struct ow_rsa_padding *padding);
size_t ow_pkcs1_decode(const struct ow_encoded *em);

#endif
