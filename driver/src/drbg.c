/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * CTR_DRBG (SP 800-90A 10.2.1) with AES-256 and no derivation function, one job of the AES engine a
 * request.
 *
 * The blocks of a request and those of the update behind it are one stretch of counter mode.
 */
#include "pk.h"

#define OW_SEED_BYTES 48u
/* Far below the standard's 2^48; a seed costs little. */
#define OW_REQUESTS_PER_SEED 1024u
/* Of one request, so that the stretch fits the memory. */
#define OW_REQUEST_BYTES 512u

static void ow_increment(uint8_t v[16]) {
  unsigned carry = 1;
  for (unsigned i = 16; i-- > 0;) {
    carry += v[i];
    v[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

/* The next `length` bytes of counter mode from V + 1 on; V is not changed. */
static ow_status ow_drbg_stretch(struct ow_pk *pk, size_t length) {
  struct ow_drbg *drbg = &pk->drbg;
  uint8_t first[16];
  ow_copy(first, drbg->v, sizeof(first));
  ow_increment(first);
  ow_wipe(pk->output, length);
  struct ow_job job = {
      .opcode = OW_OP_AES_CTR,
      .key = {.bytes = drbg->key, .key_len = sizeof(drbg->key)},
      .iv = first,
      .iv_len = sizeof(first),
      .length = (uint32_t)length,
      .source = pk->output,
      .destination = pk->output,
  };
  return ow_pk_run(pk, &job);
}

/* 10.2.1.2, on the last three blocks of a stretch. */
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
static ow_status ow_drbg_seed(struct ow_pk *pk) {
  const struct ow_platform *platform = pk->queue->platform;
  struct ow_drbg *drbg = &pk->drbg;
  uint8_t seed[OW_SEED_BYTES];
  if (platform->entropy == NULL || !platform->entropy(platform->context, seed, sizeof(seed))) {
    return ow_refuse(pk->queue, OW_FALLBACK_ENTROPY);
  }
  ow_status status = ow_drbg_stretch(pk, OW_SEED_BYTES);
  if (status == OW_OK) {
    ow_drbg_update(drbg, pk->output, seed);
    drbg->seeded = true;
    drbg->requests = 0;
  }
  ow_wipe(seed, sizeof(seed));
  ow_wipe(pk->output, OW_SEED_BYTES);
  return status;
}

/* 10.2.1.5.1. */
static ow_status ow_drbg_generate(struct ow_pk *pk, uint8_t *bytes, size_t length) {
  struct ow_drbg *drbg = &pk->drbg;
  size_t whole = (length + 15u) / 16u * 16u;
  ow_status status = ow_drbg_stretch(pk, whole + OW_SEED_BYTES);
  if (status == OW_OK) {
    ow_copy(bytes, pk->output, length);
    ow_drbg_update(drbg, pk->output + whole, NULL);
    drbg->requests++;
  }
  ow_wipe(pk->output, whole + OW_SEED_BYTES);
  return status;
}

ow_status ow_pk_random(struct ow_pk *pk, uint8_t *bytes, size_t length) {
  ow_status status = OW_OK;
  while (length != 0 && status == OW_OK) {
    size_t part = length < OW_REQUEST_BYTES ? length : OW_REQUEST_BYTES;
    if (!pk->drbg.seeded || pk->drbg.requests >= OW_REQUESTS_PER_SEED) {
      status = ow_drbg_seed(pk);
    }
    if (status == OW_OK) {
      status = ow_drbg_generate(pk, bytes, part);
      bytes += part;
      length -= part;
    }
  }
  return status;
}
