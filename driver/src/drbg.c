/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * CTR_DRBG (SP 800-90A 10.2.1) with AES-256 and no derivation function; each request is one job
 * of the AES engine.
 *
 * The blocks of a request and of the update after it are one stretch of counter mode, of the same
 * length for every request. Its last block is used for nothing but to detect that the device has
 * returned an earlier output again. If a stretch fails its test, this is an error (11.3.6):
 * nothing of it is returned, the state is wiped, and the next request starts with the self test.
 */
#include "pka.h"

#define OW_SEED_BYTES 48u
/* Requests per seed: far below the 2^48 of the standard, because seeding is cheap. */
#define OW_REQUESTS_PER_SEED 1024u
/* Most bytes of one request, so that the stretch fits into the memory. */
#define OW_REQUEST_BYTES 512u
#define OW_LAST_BLOCK    (OW_STRETCH_BYTES - 16u)
OW_STATIC_ASSERT(OW_LAST_BLOCK == OW_REQUEST_BYTES + OW_SEED_BYTES, "stretch");
OW_STATIC_ASSERT(OW_STRETCH_BYTES <= OW_PKA_INPUT_BYTES, "stretch");

static void ow_increment(uint8_t v[16]) {
  unsigned carry = 1;
  for (unsigned i = 16; i-- > 0;) {
    carry += v[i];
    v[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

/* A block in words, which are compared four times as fast as bytes. */
struct ow_block {
  uint32_t words[4];
};

static struct ow_block ow_block_load(const uint8_t bytes[16]) {
  struct ow_block block;
  ow_copy(&block, bytes, sizeof(block));
  return block;
}

/* Returns 1 if the blocks are equal. */
static uint32_t ow_same_block(const struct ow_block *a, const struct ow_block *b) {
  uint32_t difference = 0;
  for (unsigned i = 0; i < 4; i++) {
    difference |= a->words[i] ^ b->words[i];
  }
  return ((difference | (0u - difference)) >> 31) ^ 1u;
}

uint32_t ow_drbg_is_sound(const uint8_t stretch[OW_STRETCH_BYTES], const uint8_t last[16]) {
  const struct ow_block zero = {{0}};
  struct ow_block before = ow_block_load(last);
  struct ow_block block = ow_block_load(stretch + OW_LAST_BLOCK);
  uint32_t bad = ow_same_block(&block, &before);
  for (size_t at = 0; at < OW_STRETCH_BYTES; at += 16u) {
    block = ow_block_load(stretch + at);
    bad |= ow_same_block(&block, &zero) | ow_same_block(&block, &before);
    before = block;
  }
  ow_wipe(&before, sizeof(before));
  ow_wipe(&block, sizeof(block));
  return bad ^ 1u;
}

/* Writes counter mode from V + 1 on to the output; does not change V. */
static ow_status ow_drbg_stretch(struct ow_pka *pka) {
  struct ow_drbg *drbg = &pka->drbg;
  uint8_t first[16];
  ow_copy(first, drbg->v, sizeof(first));
  ow_increment(first);
  ow_wipe(pka->output, OW_STRETCH_BYTES);
  struct ow_job job = {
      .opcode = OW_OP_AES_CTR,
      .key = {.bytes = drbg->key, .key_len = sizeof(drbg->key)},
      .iv = first,
      .iv_len = sizeof(first),
      .length = OW_STRETCH_BYTES,
      .source = pka->output,
      .destination = pka->output,
  };
  ow_status status = ow_pka_run(pka, &job);
  if (status == OW_OK && ow_drbg_is_sound(pka->output, drbg->last) == 0) {
    status = OW_FAULT;
  }
  if (status == OW_OK) {
    ow_copy(drbg->last, pka->output + OW_LAST_BLOCK, sizeof(drbg->last));
  }
  return status;
}

/* 10.2.1.2, on three blocks of a stretch. */
static void ow_drbg_update(struct ow_drbg *drbg, const uint8_t *blocks, const uint8_t *data) {
  for (size_t i = 0; i < OW_SEED_BYTES; i++) {
    uint8_t byte = (uint8_t)(blocks[i] ^ (data != NULL ? data[i] : 0u));
    if (i < sizeof(drbg->key)) {
      drbg->key[i] = byte;
    } else {
      drbg->v[i - sizeof(drbg->key)] = byte;
    }
  }
}

/* 10.2.1.3.1 and 10.2.1.4.1. */
static ow_status ow_drbg_seed(struct ow_pka *pka, const uint8_t seed[OW_SEED_BYTES]) {
  ow_status status = ow_drbg_stretch(pka);
  if (status == OW_OK) {
    ow_drbg_update(&pka->drbg, pka->output, seed);
    pka->drbg.requests = 0;
  }
  ow_wipe(pka->output, OW_STRETCH_BYTES);
  return status;
}

/* 10.2.1.5.1. */
static ow_status ow_drbg_generate(struct ow_pka *pka, uint8_t *bytes, size_t length) {
  ow_status status = ow_drbg_stretch(pka);
  if (status == OW_OK) {
    ow_copy(bytes, pka->output, length);
    ow_drbg_update(&pka->drbg, pka->output + (length + 15u) / 16u * 16u, NULL);
    pka->drbg.requests++;
  }
  ow_wipe(pka->output, OW_STRETCH_BYTES);
  return status;
}

/* 11.3: instantiates, and generates twice, with the first of NIST's vectors for this generator
 * (CAVP, CTR_DRBG, AES-256, no derivation function, no reseed). */
static ow_status ow_drbg_test(struct ow_pka *pka) {
  static const uint8_t seed[OW_SEED_BYTES] = {
      0xdf, 0x5d, 0x73, 0xfa, 0xa4, 0x68, 0x64, 0x9e, 0xdd, 0xa3, 0x3b, 0x5c,
      0xca, 0x79, 0xb0, 0xb0, 0x56, 0x00, 0x41, 0x9c, 0xcb, 0x7a, 0x87, 0x9d,
      0xdf, 0xec, 0x9d, 0xb3, 0x2e, 0xe4, 0x94, 0xe5, 0x53, 0x1b, 0x51, 0xde,
      0x16, 0xa3, 0x0f, 0x76, 0x92, 0x62, 0x47, 0x4c, 0x73, 0xbe, 0xc0, 0x10};
  static const uint8_t wanted[64] = {
      0xd1, 0xc0, 0x7c, 0xd9, 0x5a, 0xf8, 0xa7, 0xf1, 0x10, 0x12, 0xc8, 0x4c, 0xe4,
      0x8b, 0xb8, 0xcb, 0x87, 0x18, 0x9e, 0x99, 0xd4, 0x0f, 0xcc, 0xb1, 0x77, 0x1c,
      0x61, 0x9b, 0xdf, 0x82, 0xab, 0x22, 0x80, 0xb1, 0xdc, 0x2f, 0x25, 0x81, 0xf3,
      0x91, 0x64, 0xf7, 0xac, 0x0c, 0x51, 0x04, 0x94, 0xb3, 0xa4, 0x3c, 0x41, 0xb7,
      0xdb, 0x17, 0x51, 0x4c, 0x87, 0xb1, 0x07, 0xae, 0x79, 0x3e, 0x01, 0xc5};
  uint8_t got[sizeof(wanted)];
  ow_status status = ow_drbg_seed(pka, seed);
  for (unsigned i = 0; i < 2u && status == OW_OK; i++) {
    status = ow_drbg_generate(pka, got, sizeof(got));
  }
  if (status == OW_OK && !ow_equal(got, wanted, sizeof(wanted))) {
    status = OW_FAULT;
  }
  ow_wipe(pka->drbg.key, sizeof(pka->drbg.key));
  ow_wipe(pka->drbg.v, sizeof(pka->drbg.v));
  pka->drbg.tested = status == OW_OK;
  return status;
}

/* Prepares the next request: runs the self test and seeds, if due. */
static ow_status ow_drbg_prepare(struct ow_pka *pka) {
  const struct ow_platform *platform = pka->queue->platform;
  uint8_t seed[OW_SEED_BYTES];
  if (pka->drbg.seeded && pka->drbg.requests < OW_REQUESTS_PER_SEED) {
    return OW_OK;
  }
  if (platform->entropy == NULL) {
    return ow_refuse(pka->queue, OW_FALLBACK_ENTROPY);
  }
  ow_status status = pka->drbg.tested ? OW_OK : ow_drbg_test(pka);
  if (status == OW_OK && !platform->entropy(platform->context, seed, sizeof(seed))) {
    status = ow_refuse(pka->queue, OW_FALLBACK_ENTROPY);
  }
  if (status == OW_OK) {
    status = ow_drbg_seed(pka, seed);
    pka->drbg.seeded = pka->drbg.seeded || status == OW_OK;
  }
  ow_wipe(seed, sizeof(seed));
  return status;
}

ow_status ow_pka_random(struct ow_pka *pka, uint8_t *bytes, size_t length) {
  ow_status status = OW_OK;
  for (size_t done = 0; done < length && status == OW_OK;) {
    size_t part = length - done < OW_REQUEST_BYTES ? length - done : OW_REQUEST_BYTES;
    status = ow_drbg_prepare(pka);
    if (status == OW_OK) {
      status = ow_drbg_generate(pka, bytes + done, part);
      done += part;
    }
  }
  if (status == OW_FAULT) {
    ow_wipe(&pka->drbg, sizeof(pka->drbg));
  }
  if (status != OW_OK) {
    ow_wipe(bytes, length);
  }
  return status;
}
