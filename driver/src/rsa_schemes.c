/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA with padding (RFC 8017, 7 and 8): encodings in software, the operation on the device.
 */
#include "pka.h"
#include "rsa_padding.h"
#include "sha.h"

/* Initialises an encoded message for a modulus. False: the padding is not possible. */
static bool ow_rsa_begin(struct ow_encoded *em, size_t bits, const struct ow_rsa_padding *padding,
                         enum ow_rsa_scheme other) {
  *em = (struct ow_encoded){.length = (bits + 7u) / 8u, .bits = bits};
  return padding != NULL && bits >= 128u && em->length <= sizeof(em->bytes) &&
         (padding->scheme == OW_RSA_PKCS1 || padding->scheme == other);
}

/* Mask generation hashes in software. */
static bool ow_rsa_masks(const struct ow_rsa_padding *padding) {
  return padding->scheme == OW_RSA_PKCS1 ||
         (ow_hash_has(padding->hash) && ow_hash_has(padding->mask_hash));
}

/* Checks that a signature or ciphertext is as long as the modulus and below it. */
static bool ow_rsa_fits(struct ow_number n, size_t bytes, const uint8_t *input, size_t input_len) {
  if (input == NULL || input_len != bytes) {
    return false;
  }
  const uint8_t *modulus = n.bytes + n.length - bytes;
  for (size_t i = 0; i < bytes; i++) {
    if (input[i] != modulus[i]) {
      return input[i] < modulus[i];
    }
  }
  return false;
}

static ow_status ow_rsa_sign_encode(struct ow_pka *pka, struct ow_encoded *em,
                                    const struct ow_rsa_padding *padding, const uint8_t *digest) {
  uint8_t salt[OW_RSA_BYTES_MAX];
  if (padding->scheme == OW_RSA_PKCS1) {
    return ow_pkcs1_sign_encode(em, padding->hash, digest);
  }
  if (padding->salt_len > em->length) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_pka_random(pka, salt, padding->salt_len);
  return status == OW_OK ? ow_pss_encode(em, padding, digest, salt) : status;
}

ow_status ow_rsa_sign(struct ow_pka *pka, uint8_t *signature, const struct ow_rsa_private *key,
                      const struct ow_rsa_padding *padding, const uint8_t *digest) {
  struct ow_encoded em;
  if (!ow_rsa_begin(&em, ow_rsa_private_bits(key), padding, OW_RSA_PSS) || digest == NULL) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_rsa_masks(padding)) {
    return OW_UNSUPPORTED;
  }
  ow_status status = ow_rsa_sign_encode(pka, &em, padding, digest);
  if (status == OW_OK) {
    status = ow_rsa_private_raw(pka, signature, key, em.bytes);
  }
  return status;
}

ow_status ow_rsa_verify(struct ow_pka *pka, const struct ow_rsa_public *key,
                        const struct ow_rsa_padding *padding, const uint8_t *digest,
                        const uint8_t *signature, size_t signature_len) {
  struct ow_encoded em, wanted;
  if (!ow_rsa_begin(&em, ow_number_bits(key->n), padding, OW_RSA_PSS) || digest == NULL) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_rsa_masks(padding)) {
    return OW_UNSUPPORTED;
  }
  if (!ow_rsa_fits(key->n, em.length, signature, signature_len)) {
    return OW_AUTH_FAILED;
  }
  ow_status status = ow_rsa_public_raw(pka, em.bytes, key, signature);
  if (status != OW_OK) {
    return status;
  }
  if (padding->scheme == OW_RSA_PSS) {
    return ow_pss_verify(&em, padding, digest);
  }
  wanted = em;
  status = ow_pkcs1_sign_encode(&wanted, padding->hash, digest);
  if (status != OW_OK) {
    return status;
  }
  return ow_equal(em.bytes, wanted.bytes, em.length) ? OW_OK : OW_AUTH_FAILED;
}

/* Writes random bytes other than 0. The number of rejected ones tells nothing about the others. */
static ow_status ow_rsa_random_nonzero(struct ow_pka *pka, uint8_t *bytes, size_t length) {
  ow_status status = ow_pka_random(pka, bytes, length);
  for (size_t i = 0; i < length; i++) {
    while (status == OW_OK && bytes[i] == 0) {
      status = ow_pka_random(pka, bytes + i, 1);
    }
  }
  return status;
}

ow_status ow_rsa_encrypt(struct ow_pka *pka, uint8_t *ciphertext, const struct ow_rsa_public *key,
                         const struct ow_rsa_padding *padding, const uint8_t *message,
                         size_t message_len) {
  struct ow_encoded em;
  ow_status status;
  size_t room;
  if (!ow_rsa_begin(&em, ow_number_bits(key->n), padding, OW_RSA_OAEP) ||
      !ow_encryption_room(&room, &em, padding) || message_len > room ||
      (message == NULL && message_len != 0)) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_rsa_masks(padding)) {
    return OW_UNSUPPORTED;
  }
  if (padding->scheme == OW_RSA_OAEP) {
    status = ow_pka_random(pka, em.bytes + 1, ow_hash_digest_len(padding->hash));
    ow_oaep_encode(&em, padding, message, message_len);
  } else {
    status = ow_rsa_random_nonzero(pka, em.bytes + 2, em.length - message_len - 3u);
    ow_pkcs1_encode(&em, message, message_len);
  }
  if (status == OW_OK) {
    status = ow_rsa_public_raw(pka, ciphertext, key, em.bytes);
  }
  ow_wipe(&em, sizeof(em));
  return status;
}

static ow_status ow_rsa_decode(uint8_t *message, size_t *message_len, struct ow_encoded *em,
                               const struct ow_rsa_padding *padding) {
  size_t start = padding->scheme == OW_RSA_OAEP ? ow_oaep_decode(em, padding) : ow_pkcs1_decode(em);
  /* From here on, branches tell the caller whether the padding was valid. */
  if (start == 0) {
    return OW_AUTH_FAILED;
  }
  size_t length = em->length - start;
  if (length > *message_len) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(message, em->bytes + start, length);
  *message_len = length;
  return OW_OK;
}

ow_status ow_rsa_decrypt(struct ow_pka *pka, uint8_t *message, size_t *message_len,
                         const struct ow_rsa_private *key, const struct ow_rsa_padding *padding,
                         const uint8_t *ciphertext, size_t ciphertext_len) {
  struct ow_encoded em;
  size_t room;
  if (!ow_rsa_begin(&em, ow_rsa_private_bits(key), padding, OW_RSA_OAEP) ||
      !ow_encryption_room(&room, &em, padding) || message_len == NULL) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_rsa_masks(padding)) {
    return OW_UNSUPPORTED;
  }
  if (ciphertext == NULL || ciphertext_len != em.length ||
      (!key->slotted && !ow_rsa_fits(key->n, em.length, ciphertext, ciphertext_len))) {
    return OW_AUTH_FAILED;
  }
  ow_status status = ow_rsa_private_raw(pka, em.bytes, key, ciphertext);
  if (status == OW_OK) {
    status = ow_rsa_decode(message, message_len, &em, padding);
  }
  ow_wipe(&em, sizeof(em));
  return status;
}
