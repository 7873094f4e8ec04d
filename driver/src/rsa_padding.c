/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The encodings of RFC 8017.
 */
#include "rsa_padding.h"
#include "internal.h"
#include "sha.h"

#define OW_DIGEST_INFO_BYTES 19u
#define OW_PKCS1_RANDOM_MIN  8u

/* Returns all ones if x is 0, else 0. Volatile, so that the compiler makes no branch of it. */
static size_t ow_mask_zero(size_t x) {
  volatile size_t mask = ((x | (0u - x)) >> (8u * sizeof(x) - 1u)) - 1u;
  return mask;
}

static size_t ow_difference(const uint8_t *a, const uint8_t *b, size_t length) {
  size_t difference = 0;
  for (size_t i = 0; i < length; i++) {
    difference |= (size_t)(a[i] ^ b[i]);
  }
  return difference;
}

/* 9.2, note 1: the DigestInfo up to the digest. SHA-1's is four bytes shorter. */
static size_t ow_digest_info(uint8_t info[OW_DIGEST_INFO_BYTES], uint8_t hash) {
  static const uint8_t sha1[15] = {0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e,
                                   0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14};
  static const uint8_t nist[OW_DIGEST_INFO_BYTES] = {0x30, 0x11, 0x30, 0x0d, 0x06, 0x09, 0x60,
                                                     0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02,
                                                     0x00, 0x05, 0x00, 0x04, 0x00};
  /* The last arc of the NIST hash algorithms, by opcode. */
  static const uint8_t arcs[] = {
      [OW_OP_SHA224 - OW_OP_SHA1] = 4,     [OW_OP_SHA256 - OW_OP_SHA1] = 1,
      [OW_OP_SHA384 - OW_OP_SHA1] = 2,     [OW_OP_SHA512 - OW_OP_SHA1] = 3,
      [OW_OP_SHA512_224 - OW_OP_SHA1] = 5, [OW_OP_SHA512_256 - OW_OP_SHA1] = 6,
      [OW_OP_SHA3_224 - OW_OP_SHA1] = 7,   [OW_OP_SHA3_256 - OW_OP_SHA1] = 8,
      [OW_OP_SHA3_384 - OW_OP_SHA1] = 9,   [OW_OP_SHA3_512 - OW_OP_SHA1] = 10};
  if (hash == OW_OP_SHA1) {
    ow_copy(info, sha1, sizeof(sha1));
    return sizeof(sha1);
  }
  ow_copy(info, nist, sizeof(nist));
  info[1] = (uint8_t)(info[1] + ow_hash_digest_len(hash));
  info[14] = arcs[hash - OW_OP_SHA1];
  info[18] = (uint8_t)ow_hash_digest_len(hash);
  return sizeof(nist);
}

ow_status ow_pkcs1_sign_encode(struct ow_encoded *em, uint8_t hash, const uint8_t *digest) {
  uint8_t info[OW_DIGEST_INFO_BYTES];
  size_t digest_len = ow_hash_digest_len(hash);
  if (digest_len == 0 || hash > OW_OP_SHA3_512) {
    return OW_BAD_ARGUMENT;
  }
  size_t info_len = ow_digest_info(info, hash);
  if (em->length < info_len + digest_len + 3u + OW_PKCS1_RANDOM_MIN) {
    return OW_BAD_ARGUMENT;
  }
  size_t filler = em->length - digest_len - info_len - 3u;
  uint8_t *rest = em->bytes + 2u + filler;
  em->bytes[0] = 0;
  em->bytes[1] = 1;
  for (size_t i = 0; i < filler; i++) {
    em->bytes[2u + i] = 0xff;
  }
  rest[0] = 0;
  ow_copy(rest + 1, info, info_len);
  ow_copy(rest + 1 + info_len, digest, digest_len);
  return OW_OK;
}

/* EMSA-PSS uses one bit less than the modulus: one byte less if its top byte has one bit. */
struct ow_pss {
  size_t first; /* of the encoded message in em */
  size_t db_len;
  uint8_t top; /* the bits of the first byte that count */
};

static bool ow_pss_layout(struct ow_pss *pss, const struct ow_encoded *em, size_t hash_len) {
  size_t bits = em->bits - 1u;
  pss->first = em->length - (bits + 7u) / 8u;
  pss->top = (uint8_t)(0xffu >> ((8u - bits % 8u) % 8u));
  size_t room = em->length - pss->first;
  if (room < hash_len + 2u) {
    return false;
  }
  pss->db_len = room - hash_len - 1u;
  return true;
}

/* H = Hash(8 zeros, digest, salt). */
static void ow_pss_hash(uint8_t *h, uint8_t hash, const uint8_t *digest, const uint8_t *salt,
                        size_t salt_len) {
  static const uint8_t zeros[8] = {0};
  const struct ow_number parts[3] = {
      {zeros, sizeof(zeros)}, {digest, ow_hash_digest_len(hash)}, {salt, salt_len}};
  ow_hash_parts(hash, h, parts, 3);
}

ow_status ow_pss_encode(struct ow_encoded *em, const struct ow_rsa_padding *padding,
                        const uint8_t *digest, const uint8_t *salt) {
  size_t hash_len = ow_hash_digest_len(padding->hash);
  struct ow_pss pss;
  if (!ow_pss_layout(&pss, em, hash_len) || padding->salt_len > pss.db_len - 1u) {
    return OW_BAD_ARGUMENT;
  }
  uint8_t *db = em->bytes + pss.first, *h = db + pss.db_len;
  size_t salt_at = pss.db_len - padding->salt_len;
  ow_wipe(em->bytes, em->length);
  db[salt_at - 1u] = 1;
  ow_copy(db + salt_at, salt, padding->salt_len);
  ow_pss_hash(h, padding->hash, digest, salt, padding->salt_len);
  ow_mgf1_add(padding->mask_hash, db, pss.db_len, h, hash_len);
  db[0] &= pss.top;
  h[hash_len] = 0xbc;
  return OW_OK;
}

/* Nothing here is secret. */
ow_status ow_pss_verify(const struct ow_encoded *em, const struct ow_rsa_padding *padding,
                        const uint8_t *digest) {
  size_t hash_len = ow_hash_digest_len(padding->hash);
  uint8_t db[OW_RSA_BYTES_MAX], wanted[OW_DIGEST_MAX];
  struct ow_pss pss;
  if (!ow_pss_layout(&pss, em, hash_len)) {
    return OW_AUTH_FAILED;
  }
  const uint8_t *masked = em->bytes + pss.first, *h = masked + pss.db_len;
  if ((pss.first == 1u && em->bytes[0] != 0) || (masked[0] & ~pss.top) != 0 ||
      h[hash_len] != 0xbc) {
    return OW_AUTH_FAILED;
  }
  ow_copy(db, masked, pss.db_len);
  ow_mgf1_add(padding->mask_hash, db, pss.db_len, h, hash_len);
  db[0] &= pss.top;
  size_t at = 0;
  while (at < pss.db_len && db[at] == 0) {
    at++;
  }
  if (at == pss.db_len || db[at] != 1) {
    return OW_AUTH_FAILED;
  }
  size_t salt_len = pss.db_len - at - 1u;
  if (padding->salt_len != OW_RSA_SALT_ANY && padding->salt_len != salt_len) {
    return OW_AUTH_FAILED;
  }
  ow_pss_hash(wanted, padding->hash, digest, db + at + 1u, salt_len);
  return ow_equal(wanted, h, hash_len) ? OW_OK : OW_AUTH_FAILED;
}

bool ow_encryption_room(size_t *room, const struct ow_encoded *em,
                        const struct ow_rsa_padding *padding) {
  size_t taken = padding->scheme == OW_RSA_OAEP ? 2u * ow_hash_digest_len(padding->hash) + 2u
                                                : OW_PKCS1_RANDOM_MIN + 3u;
  *room = em->length - taken;
  return em->length >= taken;
}

/* The hash of the label, at the start of OAEP's data block. */
static void ow_oaep_label(uint8_t *digest, const struct ow_rsa_padding *padding) {
  ow_hash_parts(padding->hash, digest, &padding->label, 1);
}

void ow_oaep_encode(struct ow_encoded *em, const struct ow_rsa_padding *padding,
                    const uint8_t *message, size_t length) {
  size_t hash_len = ow_hash_digest_len(padding->hash), db_len = em->length - hash_len - 1u;
  uint8_t *seed = em->bytes + 1, *db = seed + hash_len;
  em->bytes[0] = 0;
  ow_wipe(db, db_len);
  ow_oaep_label(db, padding);
  db[db_len - length - 1u] = 1;
  ow_copy(db + db_len - length, message, length);
  ow_mgf1_add(padding->mask_hash, db, db_len, seed, hash_len);
  ow_mgf1_add(padding->mask_hash, seed, hash_len, db, db_len);
}

size_t ow_oaep_decode(struct ow_encoded *em, const struct ow_rsa_padding *padding) {
  size_t hash_len = ow_hash_digest_len(padding->hash), db_len = em->length - hash_len - 1u;
  uint8_t *seed = em->bytes + 1, *db = seed + hash_len, label[OW_DIGEST_MAX];
  ow_mgf1_add(padding->mask_hash, seed, hash_len, db, db_len);
  ow_mgf1_add(padding->mask_hash, db, db_len, seed, hash_len);
  ow_oaep_label(label, padding);
  size_t bad = em->bytes[0] | ow_difference(db, label, hash_len);
  size_t looking = ~(size_t)0, start = 0;
  for (size_t i = hash_len; i < db_len; i++) {
    size_t is_one = ow_mask_zero(db[i] ^ 1u), is_zero = ow_mask_zero(db[i]);
    start |= looking & is_one & (i + 1u);
    bad |= looking & ~is_one & ~is_zero;
    looking &= is_zero;
  }
  size_t good = ow_mask_zero(bad | looking);
  return good & (hash_len + 1u + start);
}

void ow_pkcs1_encode(struct ow_encoded *em, const uint8_t *message, size_t length) {
  em->bytes[0] = 0;
  em->bytes[1] = 2;
  em->bytes[em->length - length - 1u] = 0;
  ow_copy(em->bytes + em->length - length, message, length);
}

size_t ow_pkcs1_decode(const struct ow_encoded *em) {
  size_t bad = em->bytes[0] | (em->bytes[1] ^ 2u);
  size_t looking = ~(size_t)0, start = 0;
  for (size_t i = 2; i < em->length; i++) {
    size_t is_zero = ow_mask_zero(em->bytes[i]);
    start |= looking & is_zero & (i + 1u);
    bad |= i < 2u + OW_PKCS1_RANDOM_MIN ? is_zero : 0u;
    looking &= ~is_zero;
  }
  size_t good = ow_mask_zero(bad | looking);
  return good & start;
}
