/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes. Mbed TLS's own operation is always up to date: for a large piece its chaining value goes
 * to the device and comes back. So software continues if the device fails.
 */
#include "driver.h"

#include <string.h>

#include "psa_crypto_hash.h"
#include "words.h"

#include <mbedtls/platform_util.h>

/* Returns the bytes of the whole blocks that fit in one request. */
static size_t piece_max(size_t block) {
  return OW_REQUEST_BYTES - OW_REQUEST_BYTES % block;
}

/* Offsets in a state, which follows the key in a context (spec.h, struct ow_hash_context): bytes,
 * partial, chain, block. */
enum { BYTES = 0, CHAIN = 16 };

static void put_count(uint8_t *state, uint64_t bytes) {
  for (unsigned i = 0; i < 8; i++) {
    state[BYTES + i] = (uint8_t)(bytes >> (8 * i));
  }
}

/* Returns how many bytes of a partial block the operation holds. */
static size_t held(const mbedtls_psa_hash_operation_t *operation, size_t block) {
  switch (operation->alg) {
  case PSA_ALG_SHA_1:
    return operation->ctx.sha1.total[0] % block;
  case PSA_ALG_SHA_224:
  case PSA_ALG_SHA_256:
    return operation->ctx.sha256.total[0] % block;
  case PSA_ALG_SHA_384:
  case PSA_ALG_SHA_512:
    return operation->ctx.sha512.total[0] % block;
  default:
    return operation->ctx.sha3.index;
  }
}

/* Converts the operation to a saved state, at the start of a block. */
static void to_saved_state(uint8_t state[OW_HASH_STATE_BYTES],
                           const mbedtls_psa_hash_operation_t *operation) {
  memset(state, 0, OW_HASH_STATE_BYTES);
  switch (operation->alg) {
  case PSA_ALG_SHA_1:
    ow_put_words(state + CHAIN, operation->ctx.sha1.state, 5, 4);
    put_count(state, (uint64_t)operation->ctx.sha1.total[1] << 32 | operation->ctx.sha1.total[0]);
    break;
  case PSA_ALG_SHA_224:
  case PSA_ALG_SHA_256:
    ow_put_words(state + CHAIN, operation->ctx.sha256.state, 8, 4);
    put_count(state,
              (uint64_t)operation->ctx.sha256.total[1] << 32 | operation->ctx.sha256.total[0]);
    break;
  case PSA_ALG_SHA_384:
  case PSA_ALG_SHA_512:
    ow_put_words(state + CHAIN, operation->ctx.sha512.state, 8, 8);
    put_count(state, operation->ctx.sha512.total[0]);
    break;
  default: /* the order of bytes in the standard; the byte count is not used */
    for (unsigned i = 0; i < 200; i++) {
      state[CHAIN + i] = (uint8_t)(operation->ctx.sha3.state[i / 8] >> (8 * (i % 8)));
    }
  }
}

static void add_count(uint32_t total[2], uint64_t bytes) {
  uint64_t sum = ((uint64_t)total[1] << 32 | total[0]) + bytes;
  total[0] = (uint32_t)sum;
  total[1] = (uint32_t)(sum >> 32);
}

static void from_saved_state(mbedtls_psa_hash_operation_t *operation,
                             const uint8_t state[OW_HASH_STATE_BYTES], size_t bytes) {
  switch (operation->alg) {
  case PSA_ALG_SHA_1:
    ow_get_words(operation->ctx.sha1.state, state + CHAIN, 5, 4);
    add_count(operation->ctx.sha1.total, bytes);
    break;
  case PSA_ALG_SHA_224:
  case PSA_ALG_SHA_256:
    ow_get_words(operation->ctx.sha256.state, state + CHAIN, 8, 4);
    add_count(operation->ctx.sha256.total, bytes);
    break;
  case PSA_ALG_SHA_384:
  case PSA_ALG_SHA_512:
    ow_get_words(operation->ctx.sha512.state, state + CHAIN, 8, 8);
    operation->ctx.sha512.total[0] += bytes;
    operation->ctx.sha512.total[1] += operation->ctx.sha512.total[0] < bytes;
    break;
  default:
    memset(operation->ctx.sha3.state, 0, sizeof(operation->ctx.sha3.state));
    for (unsigned i = 0; i < 200; i++) {
      operation->ctx.sha3.state[i / 8] |= (uint64_t)state[CHAIN + i] << (8 * (i % 8));
    }
  }
}

/* Processes whole blocks on the device. Returns how many bytes it has done. */
static size_t chain(mbedtls_psa_hash_operation_t *operation, uint8_t opcode, size_t block,
                    const uint8_t *input, size_t length) {
  uint8_t state[OW_HASH_STATE_BYTES];
  size_t done = 0;
  while (done < length) {
    size_t left = length - done, most = piece_max(block);
    struct ow_request request = {.opcode = opcode,
                                 .flags = OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE,
                                 .input = input + done,
                                 .length = (uint32_t)(left < most ? left : most),
                                 .state = state};
    to_saved_state(state, operation);
    if (!ow_offload_run(ow_psa_offload(), &request)) {
      break;
    }
    from_saved_state(operation, state, request.length);
    done += request.length;
  }
  mbedtls_platform_zeroize(state, sizeof(state)); /* may be HMAC's */
  return done;
}

psa_status_t outwork_transparent_hash_update(outwork_transparent_hash_operation_t *operation,
                                             const uint8_t *input, size_t input_len) {
  uint8_t opcode = ow_psa_hash_opcode(operation->alg);
  size_t block = ow_hash_block_len(opcode);
  size_t before = opcode == 0 ? 0 : (block - held(operation, block)) % block;
  size_t whole = opcode == 0 || input_len < before ? 0 : (input_len - before) / block * block;
  if (whole != 0 && ow_psa_wants(opcode, 0, false, whole)) {
    psa_status_t status = mbedtls_psa_hash_update(operation, input, before);
    if (status != PSA_SUCCESS) {
      return status;
    }
    before += chain(operation, opcode, block, input + before, whole);
  } else {
    before = 0;
  }
  return mbedtls_psa_hash_update(operation, input + before, input_len - before);
}

psa_status_t outwork_transparent_hash_setup(outwork_transparent_hash_operation_t *operation,
                                            psa_algorithm_t alg) {
  uint8_t opcode = ow_psa_hash_opcode(alg);
  return opcode != 0 && ow_psa_may_want(opcode, 0, false) ? mbedtls_psa_hash_setup(operation, alg)
                                                          : PSA_ERROR_NOT_SUPPORTED;
}

psa_status_t outwork_transparent_hash_clone(const outwork_transparent_hash_operation_t *source,
                                            outwork_transparent_hash_operation_t *target) {
  return mbedtls_psa_hash_clone(source, target);
}

psa_status_t outwork_transparent_hash_finish(outwork_transparent_hash_operation_t *operation,
                                             uint8_t *hash, size_t hash_size, size_t *hash_len) {
  return mbedtls_psa_hash_finish(operation, hash, hash_size, hash_len);
}

psa_status_t outwork_transparent_hash_abort(outwork_transparent_hash_operation_t *operation) {
  return mbedtls_psa_hash_abort(operation);
}

/* Hashes a message that is too long for one request, in pieces. */
static psa_status_t compute_long(psa_algorithm_t alg, const uint8_t *input, size_t input_len,
                                 uint8_t *hash, size_t hash_size, size_t *hash_len) {
  outwork_transparent_hash_operation_t operation = {0};
  psa_status_t status = outwork_transparent_hash_setup(&operation, alg);
  if (status == PSA_SUCCESS) {
    status = outwork_transparent_hash_update(&operation, input, input_len);
  }
  if (status == PSA_SUCCESS) {
    status = outwork_transparent_hash_finish(&operation, hash, hash_size, hash_len);
  }
  (void)outwork_transparent_hash_abort(&operation);
  return status;
}

psa_status_t outwork_transparent_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_len, uint8_t *hash, size_t hash_size,
                                              size_t *hash_len) {
  uint8_t opcode = ow_psa_hash_opcode(alg);
  size_t digest = ow_hash_digest_len(opcode);
  if (opcode == 0 || hash_size < digest) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  if (input_len > OW_REQUEST_BYTES) {
    return compute_long(alg, input, input_len, hash, hash_size, hash_len);
  }
  struct ow_request request = {
      .opcode = opcode, .tag_len = (uint8_t)digest, .input = input, .length = (uint32_t)input_len};
  if (!ow_psa_wants(opcode, 0, false, input_len) || !ow_offload_run(ow_psa_offload(), &request)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  memcpy(hash, request.tag, digest);
  *hash_len = digest;
  return PSA_SUCCESS;
}
