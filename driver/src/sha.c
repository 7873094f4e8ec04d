/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SHA-1 and SHA-2 (FIPS 180-4), HMAC and MGF1. Small rather than fast; no branch and no address
 * depends on data.
 */
#include "sha.h"
#include "internal.h"

/* 4.2.3; SHA-256's (4.2.2) are the high halves of the first 64. */
static const uint64_t ow_sha_k[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

/* 5.3; of the functions with 32-bit words the low halves count. */
static const uint64_t ow_sha_iv[7][8] = {
    {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
    {0x00000000c1059ed8, 0x00000000367cd507, 0x000000003070dd17, 0x00000000f70e5939,
     0x00000000ffc00b31, 0x0000000068581511, 0x0000000064f98fa7, 0x00000000befa4fa4},
    {0x000000006a09e667, 0x00000000bb67ae85, 0x000000003c6ef372, 0x00000000a54ff53a,
     0x00000000510e527f, 0x000000009b05688c, 0x000000001f83d9ab, 0x000000005be0cd19},
    {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
     0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4},
    {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
     0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179},
    {0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82, 0x679dd514582f9fcf,
     0x0f6d2b697bd44da8, 0x77e36f7304c48942, 0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1},
    {0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
     0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2}};

bool ow_hash_has(uint8_t hash) {
  return hash >= OW_OP_SHA1 && hash <= OW_OP_SHA512_256;
}

static uint32_t ow_turn32(uint32_t x, unsigned n) {
  return x >> n | x << (32u - n);
}

static uint64_t ow_turn64(uint64_t x, unsigned n) {
  return x >> n | x << (64u - n);
}

static uint64_t ow_word(const uint8_t *bytes, unsigned length) {
  uint64_t word = 0;
  for (unsigned i = 0; i < length; i++) {
    word = word << 8 | bytes[i];
  }
  return word;
}

/* 6.1.2. */
static void ow_sha1_block(struct ow_sha *sha) {
  static const uint32_t k[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
  uint32_t w[80], s[5];
  for (unsigned i = 0; i < 80; i++) {
    w[i] = i < 16 ? (uint32_t)ow_word(sha->block + 4u * i, 4)
                  : ow_turn32(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 31);
  }
  for (unsigned i = 0; i < 5; i++) {
    s[i] = (uint32_t)sha->h[i];
  }
  for (unsigned i = 0; i < 80; i++) {
    uint32_t b = s[1], c = s[2], d = s[3];
    uint32_t f = i < 20              ? (b & c) ^ (~b & d)
                 : i >= 40 && i < 60 ? (b & c) ^ (b & d) ^ (c & d)
                                     : b ^ c ^ d;
    uint32_t next = ow_turn32(s[0], 27) + f + s[4] + k[i / 20] + w[i];
    s[4] = d;
    s[3] = c;
    s[2] = ow_turn32(b, 2);
    s[1] = s[0];
    s[0] = next;
  }
  for (unsigned i = 0; i < 5; i++) {
    sha->h[i] = (uint32_t)(sha->h[i] + s[i]);
  }
  ow_wipe(w, sizeof(w));
}

/* 6.2.2. */
static void ow_sha256_block(struct ow_sha *sha) {
  uint32_t w[64], s[8];
  for (unsigned i = 0; i < 64; i++) {
    if (i < 16) {
      w[i] = (uint32_t)ow_word(sha->block + 4u * i, 4);
    } else {
      uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (ow_turn32(a, 7) ^ ow_turn32(a, 18) ^ a >> 3) +
             (ow_turn32(b, 17) ^ ow_turn32(b, 19) ^ b >> 10);
    }
  }
  for (unsigned i = 0; i < 8; i++) {
    s[i] = (uint32_t)sha->h[i];
  }
  for (unsigned i = 0; i < 64; i++) {
    uint32_t a = s[0], e = s[4];
    uint32_t t1 = s[7] + (ow_turn32(e, 6) ^ ow_turn32(e, 11) ^ ow_turn32(e, 25)) +
                  ((e & s[5]) ^ (~e & s[6])) + (uint32_t)(ow_sha_k[i] >> 32) + w[i];
    uint32_t t2 = (ow_turn32(a, 2) ^ ow_turn32(a, 13) ^ ow_turn32(a, 22)) +
                  ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    for (unsigned j = 7; j > 0; j--) {
      s[j] = s[j - 1];
    }
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (unsigned i = 0; i < 8; i++) {
    sha->h[i] = (uint32_t)(sha->h[i] + s[i]);
  }
  ow_wipe(w, sizeof(w));
}

/* 6.4.2. */
static void ow_sha512_block(struct ow_sha *sha) {
  uint64_t w[80], s[8];
  for (unsigned i = 0; i < 80; i++) {
    if (i < 16) {
      w[i] = ow_word(sha->block + 8u * i, 8);
    } else {
      uint64_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (ow_turn64(a, 1) ^ ow_turn64(a, 8) ^ a >> 7) +
             (ow_turn64(b, 19) ^ ow_turn64(b, 61) ^ b >> 6);
    }
  }
  ow_copy(s, sha->h, sizeof(s));
  for (unsigned i = 0; i < 80; i++) {
    uint64_t a = s[0], e = s[4];
    uint64_t t1 = s[7] + (ow_turn64(e, 14) ^ ow_turn64(e, 18) ^ ow_turn64(e, 41)) +
                  ((e & s[5]) ^ (~e & s[6])) + ow_sha_k[i] + w[i];
    uint64_t t2 = (ow_turn64(a, 28) ^ ow_turn64(a, 34) ^ ow_turn64(a, 39)) +
                  ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    for (unsigned j = 7; j > 0; j--) {
      s[j] = s[j - 1];
    }
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (unsigned i = 0; i < 8; i++) {
    sha->h[i] += s[i];
  }
  ow_wipe(w, sizeof(w));
}

bool ow_sha_is_wide(uint8_t hash) {
  return hash >= OW_OP_SHA384;
}

void ow_sha_begin(struct ow_sha *sha, uint8_t hash) {
  *sha = (struct ow_sha){.hash = hash};
  ow_copy(sha->h, ow_sha_iv[hash - OW_OP_SHA1], sizeof(sha->h));
}

void ow_sha_add(struct ow_sha *sha, const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    sha->block[sha->block_len++] = bytes[i];
    if (sha->block_len == ow_hash_block_len(sha->hash)) {
      sha->block_len = 0;
      if (sha->hash == OW_OP_SHA1) {
        ow_sha1_block(sha);
      } else if (ow_sha_is_wide(sha->hash)) {
        ow_sha512_block(sha);
      } else {
        ow_sha256_block(sha);
      }
    }
  }
  sha->bytes += length;
}

/* 5.1. */
static void ow_sha_pad(struct ow_sha *sha) {
  static const uint8_t padding[OW_SHA_BLOCK_MAX] = {0x80};
  size_t block = ow_hash_block_len(sha->hash), counter = block / 8u;
  uint64_t bits = sha->bytes * 8u;
  uint8_t count[16] = {0};
  for (unsigned i = 0; i < 8; i++) {
    count[counter - 1u - i] = (uint8_t)(bits >> (8u * i));
  }
  ow_sha_add(sha, padding, 1u + (2u * block - 1u - counter - sha->block_len) % block);
  ow_sha_add(sha, count, counter);
}

void ow_sha_finish(struct ow_sha *sha, uint8_t *digest) {
  unsigned width = ow_sha_is_wide(sha->hash) ? 8u : 4u;
  ow_sha_pad(sha);
  for (size_t i = 0; i < ow_hash_digest_len(sha->hash); i++) {
    digest[i] = (uint8_t)(sha->h[i / width] >> (8u * (width - 1u - i % width)));
  }
  ow_wipe(sha, sizeof(*sha));
}

void ow_hash_parts(uint8_t hash, uint8_t *digest, const struct ow_number *parts, size_t count) {
  struct ow_sha sha;
  ow_sha_begin(&sha, hash);
  for (size_t i = 0; i < count; i++) {
    ow_sha_add(&sha, parts[i].bytes, parts[i].length);
  }
  ow_sha_finish(&sha, digest);
}

void ow_hmac_parts(uint8_t hash, uint8_t *mac, struct ow_number key, const struct ow_number *parts,
                   size_t count) {
  uint8_t pad[OW_SHA_BLOCK_MAX], inner[OW_DIGEST_MAX];
  size_t block = ow_hash_block_len(hash);
  struct ow_number all[OW_HASH_PARTS_MAX] = {{pad, block}};
  for (size_t i = 0; i < count; i++) {
    all[i + 1u] = parts[i];
  }
  for (size_t i = 0; i < block; i++) {
    pad[i] = (uint8_t)(0x36u ^ (i < key.length ? key.bytes[i] : 0u));
  }
  ow_hash_parts(hash, inner, all, count + 1u);
  for (size_t i = 0; i < block; i++) {
    pad[i] ^= 0x36u ^ 0x5cu;
  }
  all[1] = (struct ow_number){inner, ow_hash_digest_len(hash)};
  ow_hash_parts(hash, mac, all, 2);
  ow_wipe(pad, sizeof(pad));
  ow_wipe(inner, sizeof(inner));
}

void ow_mgf1_add(uint8_t hash, uint8_t *output, size_t length, const uint8_t *seed,
                 size_t seed_len) {
  uint8_t digest[OW_DIGEST_MAX], counter[4] = {0};
  const struct ow_number parts[2] = {{seed, seed_len}, {counter, sizeof(counter)}};
  size_t size = ow_hash_digest_len(hash);
  for (size_t i = 0; i < length; i++) {
    if (i % size == 0) {
      counter[3] = (uint8_t)(i / size); /* at most 512 / 20 */
      ow_hash_parts(hash, digest, parts, 2);
    }
    output[i] ^= digest[i % size];
  }
  ow_wipe(digest, sizeof(digest));
}
