/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The jobs of key encapsulation: one of the lattice engine, and for a hybrid those of X25519, which
 * run at the same time. Random bytes are OpenSSL's, as for generated keys.
 */
#include <openssl/rand.h>

#include "kem_keys.h"

/* Most jobs of one operation: a hybrid encapsulates, generates a key, and agrees on a secret. */
#define JOBS_MAX 3u

/* A job of X25519 (OW_OP_X25519). Numbers have the other order of bytes than RFC 7748's strings. */
struct exchange {
  uint8_t k[OW_X25519_BYTES];
  /* the peer's x, and a random number */
  uint8_t input[2u * OW_X25519_BYTES];
  uint8_t output[OW_X25519_BYTES];
};

/* What the jobs read and write. Secret; wiped after use. */
struct work {
  /* of the key: ML-KEM's, then X25519's */
  uint8_t key[OW_MLKEM_KEY_BYTES + OW_X25519_BYTES];
  uint8_t m[OW_MLKEM_SEED_BYTES];
  uint8_t output[OW_MLKEM_KEY_BYTES];
  uint8_t k[OW_X25519_BYTES];
  struct exchange exchanges[2];
  /* the parameter set */
  uint8_t set;
  struct ow_request requests[JOBS_MAX];
};

/* The base point of X25519. */
static const uint8_t base[OW_X25519_BYTES] = {9};

static void reverse(uint8_t *out, const uint8_t *in) {
  for (size_t i = 0; i < OW_X25519_BYTES; i++) {
    out[i] = in[OW_X25519_BYTES - 1u - i];
  }
}

static bool random_bytes(const struct owp_provider *provider, uint8_t *bytes, size_t length) {
  return RAND_priv_bytes_ex(provider->libctx, bytes, length, 0) > 0;
}

static bool is_wanted(const struct owp_provider *provider, const struct owp_kem_kind *kind,
                      uint8_t opcode) {
  return ow_offload_wants(provider->offload, opcode, 0, false, OW_MLKEM_EK_BYTES(kind->set)) &&
         (!kind->hybrid ||
          ow_offload_wants(provider->offload, OW_OP_X25519, 0, false, OW_X25519_BYTES));
}

/* Fills in the job that computes k P. False: no random bytes. */
static bool prepare_exchange(const struct owp_provider *provider, struct ow_request *request,
                             struct exchange *exchange, const uint8_t *k, const uint8_t *peer) {
  static const uint8_t parameters[OW_PKA_PARAMETERS_SIZE];
  reverse(exchange->k, k);
  reverse(exchange->input, peer);
  *request = (struct ow_request){.opcode = OW_OP_X25519,
                                 .iv = parameters,
                                 .iv_len = sizeof(parameters),
                                 .key = exchange->k,
                                 .aad = exchange->k,
                                 .aad_len = sizeof(exchange->k),
                                 .input = exchange->input,
                                 .length = sizeof(exchange->input),
                                 .output = exchange->output,
                                 .output_len = sizeof(exchange->output)};
  return random_bytes(provider, exchange->input + OW_X25519_BYTES, OW_X25519_BYTES);
}

/* Runs the jobs, of which the first has this opcode. No jobs: the key or the random bytes could not
 * be read. False: the CPU has to do the operation. */
static bool run(const struct owp_provider *provider, struct work *work, size_t count,
                uint8_t opcode) {
  bool done[JOBS_MAX], all = count != 0;
  if (count == 0) {
    ow_offload_count(provider->offload, opcode, OW_FALLBACK_OPCODE, 0);
  }
  ow_offload_run_many(provider->offload, work->requests, done, count);
  for (size_t i = 0; i < count; i++) {
    all = all && done[i];
  }
  return all;
}

/* Fills in the jobs. Returns their number; 0: failure. */
static size_t prepare_encapsulation(const struct owp_provider *provider,
                                    const struct owp_kem_kind *kind, struct owp_kem_key *key,
                                    struct work *work) {
  const size_t ek_len = OW_MLKEM_EK_BYTES(kind->set);
  if (!owp_kem_key_read(key, work->key, OWP_KEM_PUBLIC) ||
      !random_bytes(provider, work->m, sizeof(work->m))) {
    return 0;
  }
  work->set = (uint8_t)kind->set;
  work->requests[0] = (struct ow_request){
      .opcode = OW_OP_MLKEM_ENCAPSULATE,
      .iv = &work->set,
      .iv_len = 1,
      .aad = work->key,
      .aad_len = (uint32_t)ek_len,
      .input = work->m,
      .length = sizeof(work->m),
      .output = work->output,
      .output_len = (uint32_t)(OW_MLKEM_CIPHERTEXT_BYTES(kind->set) + OW_MLKEM_SECRET_BYTES)};
  if (kind->hybrid &&
      (!random_bytes(provider, work->k, sizeof(work->k)) ||
       !prepare_exchange(provider, &work->requests[1], &work->exchanges[0], work->k, base) ||
       !prepare_exchange(provider, &work->requests[2], &work->exchanges[1], work->k,
                         work->key + ek_len))) {
    return 0;
  }
  return kind->hybrid ? 3 : 1;
}

bool owp_kem_encapsulate(const struct owp_provider *provider, const struct owp_kem_kind *kind,
                         struct owp_kem_key *key, uint8_t *ciphertext, uint8_t *secret) {
  const size_t length = OW_MLKEM_CIPHERTEXT_BYTES(kind->set);
  if (!is_wanted(provider, kind, OW_OP_MLKEM_ENCAPSULATE)) {
    return false;
  }
  struct work *work = OPENSSL_zalloc(sizeof(*work));
  if (work == NULL) {
    return false;
  }
  size_t count = prepare_encapsulation(provider, kind, key, work);
  bool done = run(provider, work, count, OW_OP_MLKEM_ENCAPSULATE);
  if (done) {
    memcpy(ciphertext, work->output, length);
    memcpy(secret, work->output + length, OW_MLKEM_SECRET_BYTES);
  }
  if (done && kind->hybrid) {
    reverse(ciphertext + length, work->exchanges[0].output);
    reverse(secret + OW_MLKEM_SECRET_BYTES, work->exchanges[1].output);
  }
  OPENSSL_clear_free(work, sizeof(*work));
  return done;
}

/* Fills in the jobs. Returns their number; 0: failure. */
static size_t prepare_decapsulation(const struct owp_provider *provider,
                                    const struct owp_kem_kind *kind, struct owp_kem_key *key,
                                    struct work *work, const uint8_t *ciphertext) {
  const size_t dk_len = OW_MLKEM_DK_BYTES(kind->set);
  const size_t length = OW_MLKEM_CIPHERTEXT_BYTES(kind->set);
  if (!owp_kem_key_read(key, work->key, OWP_KEM_PRIVATE)) {
    return 0;
  }
  work->set = (uint8_t)kind->set;
  work->requests[0] = (struct ow_request){.opcode = OW_OP_MLKEM_DECAPSULATE,
                                          .iv = &work->set,
                                          .iv_len = 1,
                                          .key = work->key,
                                          .aad = work->key,
                                          .aad_len = (uint32_t)dk_len,
                                          .input = ciphertext,
                                          .length = (uint32_t)length,
                                          .output = work->output,
                                          .output_len = OW_MLKEM_SECRET_BYTES};
  if (kind->hybrid && !prepare_exchange(provider, &work->requests[1], &work->exchanges[0],
                                        work->key + dk_len, ciphertext + length)) {
    return 0;
  }
  return kind->hybrid ? 2 : 1;
}

bool owp_kem_decapsulate(const struct owp_provider *provider, const struct owp_kem_kind *kind,
                         struct owp_kem_key *key, uint8_t *secret, const uint8_t *ciphertext) {
  if (!is_wanted(provider, kind, OW_OP_MLKEM_DECAPSULATE)) {
    return false;
  }
  struct work *work = OPENSSL_zalloc(sizeof(*work));
  if (work == NULL) {
    return false;
  }
  size_t count = prepare_decapsulation(provider, kind, key, work, ciphertext);
  bool done = run(provider, work, count, OW_OP_MLKEM_DECAPSULATE);
  if (done) {
    memcpy(secret, work->output, OW_MLKEM_SECRET_BYTES);
  }
  if (done && kind->hybrid) {
    reverse(secret + OW_MLKEM_SECRET_BYTES, work->exchanges[0].output);
  }
  OPENSSL_clear_free(work, sizeof(*work));
  return done;
}

/* Fills in the jobs. Returns their number; 0: failure. */
static size_t prepare_generation(const struct owp_provider *provider,
                                 const struct owp_kem_kind *kind, struct owp_kem_key *key,
                                 struct work *work) {
  if (!random_bytes(provider, key->seed, sizeof(key->seed))) {
    return 0;
  }
  work->set = (uint8_t)kind->set;
  work->requests[0] = (struct ow_request){.opcode = OW_OP_MLKEM_KEYGEN,
                                          .iv = &work->set,
                                          .iv_len = 1,
                                          .input = key->seed,
                                          .length = sizeof(key->seed),
                                          .output = work->output,
                                          .output_len = OW_MLKEM_DK_BYTES(kind->set)};
  if (kind->hybrid &&
      (!random_bytes(provider, work->k, sizeof(work->k)) ||
       !prepare_exchange(provider, &work->requests[1], &work->exchanges[0], work->k, base))) {
    return 0;
  }
  return kind->hybrid ? 2 : 1;
}

bool owp_kem_generate(const struct owp_provider *provider, struct owp_kem_key *key) {
  const struct owp_kem_kind *kind = &owp_kem_kinds[key->index];
  const size_t dk_len = OW_MLKEM_DK_BYTES(kind->set), ek_len = OW_MLKEM_EK_BYTES(kind->set);
  if (!is_wanted(provider, kind, OW_OP_MLKEM_KEYGEN)) {
    return false;
  }
  struct work *work = OPENSSL_zalloc(sizeof(*work));
  if (work == NULL) {
    return false;
  }
  size_t count = prepare_generation(provider, kind, key, work);
  bool done = run(provider, work, count, OW_OP_MLKEM_KEYGEN);
  if (done) {
    memcpy(key->private, work->output, dk_len);
    memcpy(key->public, work->output + 384u * kind->set, ek_len);
    key->part = OWP_KEM_PRIVATE;
  }
  if (done && kind->hybrid) {
    memcpy(key->private + dk_len, work->k, sizeof(work->k));
    reverse(key->public + ek_len, work->exchanges[0].output);
  }
  OPENSSL_clear_free(work, sizeof(*work));
  return done;
}
