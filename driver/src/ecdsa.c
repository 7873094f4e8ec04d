/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ECDSA of digests: conversion of a digest to a number, nonces (RFC 6979), signatures in DER.
 * ECDH.
 */
#include "pka.h"
#include "sha.h"

/* Subtracts the order from x if x is not below it; no branch on x. */
static void ow_reduce_once(uint8_t *x, const uint8_t *order, size_t length) {
  uint8_t less[OW_CURVE_BYTES_MAX];
  uint32_t borrow = 0;
  for (size_t i = length; i-- > 0;) {
    uint32_t difference = (uint32_t)x[i] - order[i] - borrow;
    less[i] = (uint8_t)difference;
    borrow = difference >> 31;
  }
  for (size_t i = 0; i < length; i++) {
    uint8_t keep = (uint8_t)(0u - borrow);
    x[i] = (uint8_t)((x[i] & keep) | (less[i] & ~keep));
  }
  ow_wipe(less, sizeof(less));
}

/* Bytes as long as a scalar to a number (RFC 6979 2.3.2): of P-521 the first 521 of 528 bits. */
static void ow_ecdsa_shift(uint8_t *k, enum ow_curve curve) {
  size_t length = ow_curve_bytes(curve);
  if (curve != OW_CURVE_P521) {
    return;
  }
  for (size_t i = length; i-- > 0;) {
    k[i] = (uint8_t)(k[i] >> 7 | (i > 0 ? (unsigned)k[i - 1] << 1 : 0u));
  }
}

void ow_ecdsa_number(uint8_t *e, enum ow_curve curve, const uint8_t *digest, size_t digest_len) {
  size_t length = ow_curve_bytes(curve);
  size_t used = digest_len < length ? digest_len : length;
  ow_wipe(e, length);
  ow_copy(e + length - used, digest, used);
  if (used == length) {
    ow_ecdsa_shift(e, curve);
  }
  ow_reduce_once(e, ow_curve_order(curve), length);
}

struct ow_hmac_drbg {
  uint8_t hash;
  uint8_t k[OW_DIGEST_MAX];
  uint8_t v[OW_DIGEST_MAX];
};

/* K = HMAC(K, V || separator || data), V = HMAC(K, V). */
static void ow_hmac_drbg_update(struct ow_hmac_drbg *state, uint8_t separator,
                                const struct ow_number data[3]) {
  size_t length = ow_hash_digest_len(state->hash);
  struct ow_number key = {state->k, length};
  const struct ow_number parts[5] = {
      {state->v, length}, {&separator, 1}, data[0], data[1], data[2]};
  ow_hmac_parts(state->hash, state->k, key, parts, 5);
  ow_hmac_parts(state->hash, state->v, key, parts, 1);
}

void ow_ecdsa_nonce(uint8_t *k, enum ow_curve curve, uint8_t hash, const uint8_t *d,
                    const uint8_t *e, struct ow_number extra) {
  static const struct ow_number nothing[3] = {{NULL, 0}};
  size_t length = ow_curve_bytes(curve), hash_len = ow_hash_digest_len(hash);
  const struct ow_number data[3] = {{d, length}, {e, length}, extra};
  struct ow_hmac_drbg state = {.hash = hash};
  for (size_t i = 0; i < hash_len; i++) {
    state.v[i] = 1;
  }
  ow_hmac_drbg_update(&state, 0, data);
  ow_hmac_drbg_update(&state, 1, data);
  for (;;) {
    for (size_t got = 0; got < length; got += hash_len) {
      const struct ow_number part = {state.v, hash_len};
      ow_hmac_parts(hash, state.v, (struct ow_number){state.k, hash_len}, &part, 1);
      ow_copy(k + got, state.v, hash_len < length - got ? hash_len : length - got);
    }
    ow_ecdsa_shift(k, curve);
    if (ow_scalar_in_range(k, ow_curve_order(curve), length) != 0) {
      break;
    }
    ow_hmac_drbg_update(&state, 0, nothing);
  }
  ow_wipe(&state, sizeof(state));
}

ow_status ow_ecdsa_sign(struct ow_pka *pka, uint8_t *signature, const struct ow_ec_private *key,
                        uint8_t hash, const uint8_t *digest, size_t digest_len) {
  uint8_t random[OW_CURVE_BYTES_MAX], e[OW_CURVE_BYTES_MAX], k[OW_CURVE_BYTES_MAX];
  if ((unsigned)key->curve > OW_CURVE_SECP256K1 || digest == NULL || digest_len == 0) {
    return OW_BAD_ARGUMENT;
  }
  size_t length = ow_curve_bytes(key->curve);
  if (key->slotted) { /* the device makes k */
    ow_ecdsa_number(e, key->curve, digest, digest_len);
    return ow_ecdsa_sign_raw(pka, signature, key, e, NULL);
  }
  if (key->d.bytes == NULL || key->d.length != length) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_hash_has(hash)) {
    return OW_UNSUPPORTED;
  }
  ow_status status = ow_pka_random(pka, random, sizeof(random));
  if (status == OW_OK) {
    ow_ecdsa_number(e, key->curve, digest, digest_len);
    ow_ecdsa_nonce(k, key->curve, hash, key->d.bytes, e, (struct ow_number){random, length});
    status = ow_ecdsa_sign_raw(pka, signature, key, e, k);
  }
  ow_wipe(random, sizeof(random));
  ow_wipe(k, sizeof(k));
  return status;
}

ow_status ow_ecdsa_verify(struct ow_pka *pka, enum ow_curve curve, const uint8_t *point,
                          const uint8_t *digest, size_t digest_len, const uint8_t *signature) {
  uint8_t e[OW_CURVE_BYTES_MAX];
  if ((unsigned)curve > OW_CURVE_SECP256K1 || digest == NULL || digest_len == 0) {
    return OW_BAD_ARGUMENT;
  }
  ow_ecdsa_number(e, curve, digest, digest_len);
  return ow_ecdsa_verify_raw(pka, curve, point, e, signature);
}

/* Writes a non-negative INTEGER in the fewest bytes; returns the end. */
static uint8_t *ow_der_put(uint8_t *der, const uint8_t *number, size_t length) {
  while (length > 1u && number[0] == 0) {
    number++;
    length--;
  }
  size_t sign = number[0] >> 7;
  *der++ = 0x02;
  *der++ = (uint8_t)(length + sign);
  if (sign != 0) {
    *der++ = 0;
  }
  ow_copy(der, number, length);
  return der + length;
}

size_t ow_ecdsa_to_der(uint8_t *der, enum ow_curve curve, const uint8_t *signature) {
  uint8_t body[OW_ECDSA_DER_MAX];
  size_t length = ow_curve_bytes(curve);
  uint8_t *end = ow_der_put(ow_der_put(body, signature, length), signature + length, length);
  size_t body_len = (size_t)(end - body), head = body_len > 127u ? 3u : 2u;
  der[0] = 0x30;
  der[1] = 0x81; /* the length takes a second byte */
  der[head - 1u] = (uint8_t)body_len;
  ow_copy(der + head, body, body_len);
  return head + body_len;
}

/* Reads an INTEGER of at most `length` bytes and advances. */
static bool ow_der_get(uint8_t *number, size_t length, const uint8_t **der, size_t *left) {
  const uint8_t *in = *der;
  if (*left < 3u || in[0] != 0x02 || in[1] == 0 || in[1] > 127u || in[1] > *left - 2u) {
    return false;
  }
  size_t size = in[1];
  *der += 2u + size;
  *left -= 2u + size;
  in += 2;
  if ((in[0] & 0x80u) != 0 || (size > 1u && in[0] == 0 && (in[1] & 0x80u) == 0)) {
    return false; /* negative, or longer than need be */
  }
  size_t skip = size > length && in[0] == 0 ? 1u : 0u;
  if (size - skip > length) {
    return false;
  }
  ow_wipe(number, length);
  ow_copy(number + length - (size - skip), in + skip, size - skip);
  return true;
}

ow_status ow_ecdsa_from_der(uint8_t *signature, enum ow_curve curve, const uint8_t *der,
                            size_t der_len) {
  size_t length = ow_curve_bytes(curve);
  if (der == NULL || der_len < 2u || der[0] != 0x30) {
    return OW_AUTH_FAILED;
  }
  size_t head = der[1] == 0x81 && der_len > 2u && der[2] > 127u ? 3u : 2u;
  size_t left = der[head - 1u];
  if (left != der_len - head || (head == 2u && left > 127u)) {
    return OW_AUTH_FAILED;
  }
  der += head;
  bool good = ow_der_get(signature, length, &der, &left) &&
              ow_der_get(signature + length, length, &der, &left) && left == 0;
  return good ? OW_OK : OW_AUTH_FAILED;
}

ow_status ow_ecdh(struct ow_pka *pka, uint8_t *secret, const struct ow_ec_private *key,
                  const uint8_t *peer, size_t peer_len) {
  uint8_t point[2u * OW_CURVE_BYTES_MAX];
  size_t length = ow_curve_bytes(key->curve);
  if (peer != NULL && peer_len == 1u + length && (peer[0] | 1u) == 3u) {
    return OW_UNSUPPORTED; /* compressed */
  }
  if (peer == NULL || peer_len != 1u + 2u * length || peer[0] != 4u) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_ec_multiply(pka, point, key, peer + 1);
  if (status == OW_OK) {
    ow_copy(secret, point, length);
  }
  ow_wipe(point, sizeof(point));
  return status;
}
