/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Example: what a TLS 1.3 server computes for one handshake with X25519MLKEM768 and an ML-DSA-65
 * certificate, as seven jobs with one doorbell, on the simulated board. A client checks it with one
 * call an operation.
 */
#include <stdio.h>
#include <string.h>

#include "outwork/outwork.h"
#include "outwork/sim.h"

#define LOG2              4u
#define SET               OW_MLKEM_768
#define SIGNER            OW_MLDSA_65
#define CIPHERTEXT_BYTES  OW_MLKEM_CIPHERTEXT_BYTES(OW_MLKEM_768)
#define SHARE_BYTES       (CIPHERTEXT_BYTES + OW_X25519_BYTES)
#define TRANSCRIPT_BYTES  7200u /* ClientHello to Certificate */
#define SHARE_OFFSET      1500u /* of the server's key share in them */
#define VERIFY_BYTES      98u   /* 64 spaces and 34 bytes of context (RFC 8446, 4.4.3) */
#define CERTIFICATE_BYTES (VERIFY_BYTES + 32u)

/* What the device reads and writes. */
static struct memory {
  _Alignas(64) uint8_t ring[OW_QUEUE_MEMORY_BYTES(LOG2)];
  struct ow_mlkem mlkem;
  struct ow_mldsa mldsa;
  struct ow_pka pka;
  _Alignas(64) uint8_t lists[2][OW_JOB_LIST_BYTES(OW_X25519_BYTES)];
  uint8_t client_ek[OW_MLKEM_EK_BYTES(OW_MLKEM_768)], m[OW_MLKEM_SEED_BYTES];
  uint8_t
      x25519_key[OW_X25519_BYTES]; /* most significant byte first, as all numbers of the engine */
  uint8_t points[2][2 * OW_X25519_BYTES]; /* of the base and of the client, each with blinding */
  uint8_t transcript[TRANSCRIPT_BYTES];
  uint8_t secret[OW_MLKEM_SECRET_BYTES + OW_X25519_BYTES]; /* K, then the secret of X25519 */
  uint8_t handshake_secret[32];
  uint8_t certificate_verify[OW_MLDSA_HEAD_MAX + CERTIFICATE_BYTES]; /* tr, 0, 0, what is signed */
  uint8_t mu_and_rnd[OW_MLDSA_MU_BYTES + OW_MLDSA_SEED_BYTES];
  uint8_t private_key[OW_MLDSA_PRIVATE_BYTES(OW_MLDSA_65)];
  uint8_t signature[OW_MLDSA_SIGNATURE_BYTES(OW_MLDSA_65)];
  uint8_t content[CERTIFICATE_BYTES]; /* what the client takes to be signed */
} memory;

static struct ow_queue_slot slots[1u << LOG2];
static struct ow_device device;
static struct ow_queue queue;

/* What the client has, and what both know. */
static struct {
  uint8_t dk[OW_MLKEM_DK_BYTES(OW_MLKEM_768)], x25519_key[OW_X25519_BYTES];
  uint8_t public_key[OW_MLDSA_PUBLIC_BYTES(OW_MLDSA_65)], tr[OW_MLDSA_TR_BYTES];
  uint8_t salt[32];
} client;

/* X25519 is little-endian on the wire: a result is written as pieces of one byte, from the last on.
 */
static struct ow_piece share_pieces[OW_X25519_BYTES], secret_pieces[OW_X25519_BYTES];
static struct ow_piece encapsulated[2];

static void reverse_into(struct ow_piece pieces[OW_X25519_BYTES], uint8_t *target) {
  for (size_t i = 0; i < OW_X25519_BYTES; i++) {
    pieces[i] = (struct ow_piece){target + OW_X25519_BYTES - 1 - i, 1};
  }
}

/* --8<-- [start:jobs] */
enum { SHARE, AGREE, ENCAPSULATE, TRANSCRIPT, EXTRACT, MU, SIGN, JOBS };
static const char *const names[JOBS] = {"key share",  "agreement", "encapsulation", "transcript",
                                        "extraction", "mu",        "signature"};

/* Each job reads what earlier ones have written, so it waits for them (OW_JOB_FENCE), but for those
 * that need nothing: the first three run side by side, and EXTRACT beside TRANSCRIPT. */
static void describe(struct ow_job jobs[JOBS], uint8_t *signed_part, uint32_t head_bytes) {
  static const uint8_t no_parameters[OW_PKA_PARAMETERS_SIZE], k = SET, signer = SIGNER;
  uint8_t *share = memory.transcript + SHARE_OFFSET;
  reverse_into(share_pieces, share + CIPHERTEXT_BYTES);
  reverse_into(secret_pieces, memory.secret + OW_MLKEM_SECRET_BYTES);
  encapsulated[0] = (struct ow_piece){share, CIPHERTEXT_BYTES};
  encapsulated[1] = (struct ow_piece){memory.secret, OW_MLKEM_SECRET_BYTES};
  for (size_t i = 0; i < 2; i++) {
    jobs[SHARE + i] = (struct ow_job){.opcode = OW_OP_X25519,
                                      .key = {.bytes = memory.x25519_key},
                                      .aad = memory.x25519_key,
                                      .aad_len = OW_X25519_BYTES,
                                      .iv = no_parameters,
                                      .iv_len = OW_PKA_PARAMETERS_SIZE,
                                      .source = memory.points[i],
                                      .length = sizeof(memory.points[i]),
                                      .destination_pieces = i == 0 ? share_pieces : secret_pieces,
                                      .destination_pieces_len = OW_X25519_BYTES,
                                      .destination_len = OW_X25519_BYTES,
                                      .list_memory = memory.lists[i],
                                      .list_memory_len = sizeof(memory.lists[i])};
  }
  jobs[ENCAPSULATE] = (struct ow_job){.opcode = OW_OP_MLKEM_ENCAPSULATE,
                                      .aad = memory.client_ek,
                                      .aad_len = sizeof(memory.client_ek),
                                      .iv = &k,
                                      .iv_len = 1,
                                      .source = memory.m,
                                      .length = sizeof(memory.m),
                                      .destination_pieces = encapsulated,
                                      .destination_pieces_len = 2,
                                      .destination_len = CIPHERTEXT_BYTES + OW_MLKEM_SECRET_BYTES};
  jobs[TRANSCRIPT] = (struct ow_job){.opcode = OW_OP_SHA256,
                                     .flags = OW_JOB_FENCE,
                                     .source = memory.transcript,
                                     .length = TRANSCRIPT_BYTES,
                                     .destination = signed_part + VERIFY_BYTES};
  jobs[EXTRACT] = (struct ow_job){.opcode = OW_OP_HMAC_SHA256, /* HKDF-Extract */
                                  .key = {.bytes = client.salt, .key_len = sizeof(client.salt)},
                                  .source = memory.secret,
                                  .length = sizeof(memory.secret),
                                  .destination = memory.handshake_secret,
                                  .destination_len = sizeof(memory.handshake_secret)};
  jobs[MU] = (struct ow_job){.opcode = OW_OP_SHAKE256,
                             .flags = OW_JOB_FENCE,
                             .source = memory.certificate_verify,
                             .length = head_bytes + CERTIFICATE_BYTES,
                             .destination = memory.mu_and_rnd,
                             .destination_len = OW_MLDSA_MU_BYTES};
  jobs[SIGN] = (struct ow_job){.opcode = OW_OP_MLDSA_SIGN,
                               .flags = OW_JOB_FENCE,
                               .key = {.bytes = memory.private_key},
                               .aad = memory.private_key,
                               .aad_len = sizeof(memory.private_key),
                               .iv = &signer,
                               .iv_len = 1,
                               .source = memory.mu_and_rnd,
                               .length = sizeof(memory.mu_and_rnd),
                               .destination = memory.signature,
                               .destination_len = sizeof(memory.signature)};
}
/* --8<-- [end:jobs] */

/* Writes what stands before the hash of the transcript (RFC 8446, 4.4.3). */
static void begin_content(uint8_t content[VERIFY_BYTES]) {
  static const char context[] = "TLS 1.3, server CertificateVerify"; /* with its zero byte */
  _Static_assert(sizeof(context) == VERIFY_BYTES - 64, "64 spaces, then the context");
  memset(content, ' ', 64);
  memcpy(content + 64, context, sizeof(context));
}

/* Makes both sides' keys and the parts of the transcript that are known; the salt stays zero. */
static bool prepare(uint8_t **signed_part, size_t *head_bytes) {
  uint8_t seeds[3][32], public_point[OW_X25519_BYTES];
  bool good = ow_pka_random(&memory.pka, seeds[0], sizeof(seeds)) == OW_OK &&
              ow_pka_random(&memory.pka, memory.m, sizeof(memory.m)) == OW_OK &&
              ow_pka_random(&memory.pka, memory.points[0], sizeof(memory.points)) == OW_OK &&
              ow_pka_random(&memory.pka, memory.x25519_key, OW_X25519_BYTES) == OW_OK &&
              ow_pka_random(&memory.pka, memory.mu_and_rnd, sizeof(memory.mu_and_rnd)) == OW_OK;
  good = good &&
         ow_mlkem_generate(&memory.mlkem, memory.client_ek, client.dk, SET, seeds[0], seeds[1]) ==
             OW_OK &&
         ow_x25519_generate(&memory.pka, client.x25519_key, public_point) == OW_OK &&
         ow_mldsa_generate(&memory.mldsa, client.public_key, memory.private_key, SIGNER,
                           seeds[2]) == OW_OK &&
         ow_mldsa_tr(&memory.mldsa, client.tr, SIGNER, client.public_key) == OW_OK;
  for (size_t i = 0; i < OW_X25519_BYTES; i++) {
    memory.points[0][i] = i == OW_X25519_BYTES - 1 ? 9 : 0;
    memory.points[1][i] = public_point[OW_X25519_BYTES - 1 - i];
  }
  memset(memory.transcript, 0x16, TRANSCRIPT_BYTES);
  if (!good || ow_mldsa_head(memory.certificate_verify, head_bytes, client.tr, NULL) != OW_OK) {
    return false;
  }
  *signed_part = memory.certificate_verify + *head_bytes;
  begin_content(*signed_part);
  return true;
}

/* Returns whether a client gets the same secret from the share, and takes the signature. */
static bool check(void) {
  const uint8_t *share = memory.transcript + SHARE_OFFSET;
  const struct ow_x25519_private key = {.k = client.x25519_key};
  const struct ow_key salt = {.bytes = client.salt, .key_len = sizeof(client.salt)};
  uint8_t secret[64], expected[32], mu[OW_MLDSA_MU_BYTES];
  uint8_t *content = memory.content;
  begin_content(content);
  if (ow_mlkem_decapsulate(&memory.mlkem, secret, SET, client.dk, share) != OW_OK ||
      ow_x25519(&memory.pka, secret + 32, &key, share + CIPHERTEXT_BYTES) != OW_OK ||
      memcmp(secret, memory.secret, sizeof(secret)) != 0 ||
      ow_mac(&queue, expected, 32, OW_OP_HMAC_SHA256, &salt, memory.secret, 64) != OW_OK ||
      memcmp(expected, memory.handshake_secret, 32) != 0 ||
      ow_hash(&queue, content + VERIFY_BYTES, 32, OW_OP_SHA256, memory.transcript,
              TRANSCRIPT_BYTES) != OW_OK) {
    return false;
  }
  return ow_mldsa_mu(&memory.mldsa, mu, client.tr, NULL, content, CERTIFICATE_BYTES) == OW_OK &&
         ow_mldsa_verify(&memory.mldsa, SIGNER, client.public_key, mu, memory.signature) == OW_OK;
}

int main(void) {
  struct ow_sim_parameters parameters;
  struct ow_platform platform;
  struct ow_job jobs[JOBS], *list[JOBS];
  uint8_t *signed_part = NULL;
  size_t head_bytes = 0;
  uint64_t start = 0, finish = 0, alone = 0;
  struct ow_counters before = {0}, after = {0};
  ow_sim_defaults(&parameters);
  struct ow_sim *sim = ow_sim_open(&parameters, NULL);
  if (sim == NULL || !ow_sim_register(sim, &memory, sizeof(memory))) {
    return 1;
  }
  ow_sim_platform(sim, &platform);
  if (ow_device_open(&device, &platform) != OW_OK || ow_queue_grant(&device, 0, NULL) != OW_OK ||
      ow_queue_open(&queue, &device, 0, memory.ring, slots, LOG2) != OW_OK ||
      ow_mlkem_init(&memory.mlkem, &queue) != OW_OK ||
      ow_mldsa_init(&memory.mldsa, &queue) != OW_OK || ow_pka_init(&memory.pka, &queue) != OW_OK) {
    return 1;
  }
  if (!ow_device_supports(&device, OW_OP_MLDSA_SIGN, false)) {
    printf("this board has no lattice engine\n");
    return 0;
  }
  if (!prepare(&signed_part, &head_bytes)) {
    return 1;
  }
  describe(jobs, signed_part, (uint32_t)head_bytes);
  for (unsigned i = 0; i < JOBS; i++) {
    list[i] = &jobs[i];
  }
  ow_queue_counters(&queue, &before);
  /* --8<-- [start:run] */
  bool good = ow_queue_submit(&queue, NULL, list, JOBS) == OW_OK;
  good = ow_queue_wait(&queue, NULL) == OW_OK && good;
  ow_queue_times(&queue, &start, &finish);
  for (unsigned i = 0; i < JOBS; i++) {
    good = good && jobs[i].status == OW_OK;
  }
  /* --8<-- [end:run] */
  ow_queue_counters(&queue, &after); /* what the device itself has counted */
  good = good && after.jobs - before.jobs == JOBS && check();
  for (unsigned i = 0; good && i < JOBS; i++) {
    good = ow_queue_run(&queue, &jobs[i]) == OW_OK;
    alone += jobs[i].cycles;
    printf("%-13s %6u cycles\n", names[i], (unsigned)jobs[i].cycles);
  }
  printf("%s: a handshake with one doorbell takes %llu cycles, its jobs one by one %llu\n",
         good ? "checked" : "FAILED", (unsigned long long)(finish - start),
         (unsigned long long)alone);
  ow_mlkem_close(&memory.mlkem);
  ow_mldsa_close(&memory.mldsa);
  ow_pka_close(&memory.pka);
  (void)ow_queue_close(&queue);
  (void)ow_device_close(&device);
  ow_sim_close(sim);
  return good ? 0 : 1;
}
