/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * mu of ML-DSA on the board against libcrypto's SHAKE256: contexts, hashes and lengths, in one call
 * and in pieces, and what is refused.
 */
#include <openssl/evp.h>

#include "check.h"
#include "outwork/mldsa_message.h"
#include "rig_board.h"

/* The hashes of HashML-DSA, and the last byte of their object identifiers (FIPS 204 5.4). */
static const struct hash {
  uint8_t opcode, oid, length;
  const char *name;
} HASHES[] = {
    {OW_OP_SHA224, 4, 28, "SHA224"},         {OW_OP_SHA256, 1, 32, "SHA256"},
    {OW_OP_SHA384, 2, 48, "SHA384"},         {OW_OP_SHA512, 3, 64, "SHA512"},
    {OW_OP_SHA512_224, 5, 28, "SHA512-224"}, {OW_OP_SHA512_256, 6, 32, "SHA512-256"},
    {OW_OP_SHA3_224, 7, 28, "SHA3-224"},     {OW_OP_SHA3_256, 8, 32, "SHA3-256"},
    {OW_OP_SHA3_384, 9, 48, "SHA3-384"},     {OW_OP_SHA3_512, 10, 64, "SHA3-512"},
    {OW_OP_SHAKE128, 11, 32, "SHAKE128"},    {OW_OP_SHAKE256, 12, 64, "SHAKE256"},
};
enum { MESSAGE_BYTES = 5000 };

static struct rig rig;
static struct ow_mldsa *mldsa;
static struct ow_mldsa_message *pieces;
static uint8_t *message;
static uint8_t tr[OW_MLDSA_TR_BYTES], context_bytes[256];

static uint64_t jobs_done(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  return counters.jobs;
}

static void hash(uint8_t *digest, size_t digest_len, const char *name, const uint8_t *data,
                 size_t length) {
  EVP_MD *md = EVP_MD_fetch(NULL, name, NULL);
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  CHECK(EVP_DigestInit_ex(ctx, md, NULL) && EVP_DigestUpdate(ctx, data, length));
  CHECK(strncmp(name, "SHAKE", 5) == 0 ? EVP_DigestFinalXOF(ctx, digest, digest_len)
                                       : EVP_DigestFinal_ex(ctx, digest, NULL));
  EVP_MD_CTX_free(ctx);
  EVP_MD_free(md);
}

/* Algorithms 2 and 4 of FIPS 204, to mu. */
static void wanted_mu(uint8_t mu[64], const struct hash *hashed, size_t context_len,
                      size_t message_len) {
  static const uint8_t oid[10] = {0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};
  static uint8_t text[OW_MLDSA_HEAD_MAX + MESSAGE_BYTES];
  uint8_t *at = text;
  memcpy(at, tr, 64);
  at += 64;
  *at++ = hashed != NULL;
  *at++ = (uint8_t)context_len;
  memcpy(at, context_bytes, context_len);
  at += context_len;
  if (hashed == NULL) {
    memcpy(at, message, message_len);
    at += message_len;
  } else {
    memcpy(at, oid, 10);
    at[10] = hashed->oid;
    hash(at + 11, hashed->length, hashed->name, message, message_len);
    at += 11 + hashed->length;
  }
  hash(mu, 64, "SHAKE256", text, (size_t)(at - text));
}

/* The same mu in one call and in pieces of `step` bytes, with the jobs that mldsa.h promises. */
static void check_mu(const struct hash *hashed, size_t context_len, size_t message_len,
                     size_t step) {
  const struct ow_mldsa_context context = {
      .bytes = context_bytes, .length = context_len, .hash = hashed != NULL ? hashed->opcode : 0};
  const struct ow_mldsa_context *used = hashed == NULL && context_len == 0 ? NULL : &context;
  uint8_t wanted[64], mu[64] = {0};
  wanted_mu(wanted, hashed, context_len, message_len);
  const uint64_t before = jobs_done();
  const uint8_t *const text = message_len != 0 ? message : NULL;
  CHECK_EQUAL(ow_mldsa_mu(mldsa, mu, tr, used, text, message_len), OW_OK);
  CHECK_EQUAL(jobs_done() - before, hashed != NULL ? 2 : 1);
  CHECK(memcmp(mu, wanted, 64) == 0);
  memset(mu, 0, 64);
  CHECK_EQUAL(ow_mldsa_message_init(pieces, &rig.queue, tr, used), OW_OK);
  for (size_t at = 0; at < message_len; at += step) {
    const size_t length = message_len - at < step ? message_len - at : step;
    CHECK_EQUAL(ow_mldsa_message_update(pieces, message + at, length), OW_OK);
  }
  CHECK_EQUAL(ow_mldsa_message_finish(pieces, mu), OW_OK);
  CHECK(jobs_done() - before >= (hashed != NULL ? 4 : 3));
  CHECK(memcmp(mu, wanted, 64) == 0);
}

static void test_lengths(void) {
  static const size_t lengths[] = {0, 1, 6, 7, 64, 65, 136, 137, MESSAGE_BYTES};
  static const size_t contexts[] = {0, 1, 70, 254, 255};
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    check_mu(NULL, contexts[i % 5], lengths[i], 1000);
    check_mu(&HASHES[3], contexts[i % 5], lengths[i], 63);
  }
  for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++) {
    check_mu(NULL, contexts[i], 200, 64);
  }
}

static void test_hashes(void) {
  for (size_t i = 0; i < sizeof(HASHES) / sizeof(HASHES[0]); i++) {
    CHECK_EQUAL(ow_mldsa_digest_len(HASHES[i].opcode), HASHES[i].length);
    check_mu(&HASHES[i], i, 300, 130);
  }
}

static void test_tr(void) {
  static const enum ow_mldsa_set sets[] = {OW_MLDSA_44, OW_MLDSA_65, OW_MLDSA_87};
  uint8_t got[64], wanted[64];
  const uint64_t before = jobs_done();
  for (size_t i = 0; i < 3; i++) {
    CHECK_EQUAL(ow_mldsa_tr(mldsa, got, sets[i], message), OW_OK);
    hash(wanted, 64, "SHAKE256", message, OW_MLDSA_PUBLIC_BYTES(sets[i]));
    CHECK(memcmp(got, wanted, 64) == 0);
  }
  CHECK_EQUAL(jobs_done() - before, 3);
  CHECK_EQUAL(ow_mldsa_tr(mldsa, got, (enum ow_mldsa_set)5, message), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mldsa_tr(mldsa, got, OW_MLDSA_44, NULL), OW_BAD_ARGUMENT);
}

/* Nothing is hashed, and mu stays as it was. */
static void test_what_is_refused(void) {
  static const struct ow_mldsa_context wrong[] = {
      {.bytes = context_bytes, .length = 256},
      {.bytes = context_bytes, .length = (size_t)1 << 32},
      {.bytes = NULL, .length = 1},
      {.hash = OW_OP_SHA1},
      {.hash = OW_OP_HMAC_SHA256},
      {.hash = 0x1f},
  };
  uint8_t mu[64] = {0x5a};
  const uint64_t before = jobs_done();
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    CHECK_EQUAL(ow_mldsa_mu(mldsa, mu, tr, &wrong[i], message, 3), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_mldsa_message_init(pieces, &rig.queue, tr, &wrong[i]), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_mldsa_message_update(pieces, message, 3), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_mldsa_message_finish(pieces, mu), OW_BAD_ARGUMENT);
  }
  CHECK_EQUAL(ow_mldsa_mu(mldsa, mu, NULL, NULL, message, 3), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mldsa_mu(mldsa, mu, tr, NULL, NULL, 3), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mldsa_mu(mldsa, mu, tr, NULL, message, (size_t)1 << 32), OW_UNSUPPORTED);
  CHECK_EQUAL(mu[0], 0x5a);
  CHECK_EQUAL(jobs_done() - before, 0);
}

/* A full ring leaves the message unchanged; the same call then succeeds. */
static void test_busy(void) {
  struct ow_job jobs[1 << RIG_LOG2], *list[1 << RIG_LOG2];
  const struct ow_mldsa_context hashed = {.hash = OW_OP_SHA512};
  const struct ow_mldsa_context *const contexts[] = {NULL, &hashed};
  for (size_t i = 0; i < 2; i++) {
    uint8_t wanted[64], mu[64];
    wanted_mu(wanted, i == 0 ? NULL : &HASHES[3], 0, 300);
    for (unsigned step = 0; step < 3; step++) {
      memset(jobs, 0, sizeof(jobs));
      for (unsigned job = 0; job < 1 << RIG_LOG2; job++) {
        list[job] = &jobs[job];
      }
      if (step > 0) {
        CHECK_EQUAL(ow_mldsa_message_init(pieces, &rig.queue, tr, contexts[i]), OW_OK);
      }
      if (step > 1) {
        CHECK_EQUAL(ow_mldsa_message_update(pieces, message, 300), OW_OK);
      }
      CHECK_EQUAL(ow_queue_prepare(&rig.queue, NULL, list, 1 << RIG_LOG2), OW_OK);
      if (step == 0) { /* HashML-DSA needs no job yet */
        CHECK_EQUAL(ow_mldsa_message_init(pieces, &rig.queue, tr, contexts[i]),
                    i == 0 ? OW_BUSY : OW_OK);
      } else {
        CHECK_EQUAL(step == 1 ? ow_mldsa_message_update(pieces, message, 300)
                              : ow_mldsa_message_finish(pieces, mu),
                    OW_BUSY);
      }
      CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
      if (step == 0) {
        CHECK_EQUAL(ow_mldsa_message_init(pieces, &rig.queue, tr, contexts[i]), OW_OK);
      }
      if (step < 2) {
        CHECK_EQUAL(ow_mldsa_message_update(pieces, message, 300), OW_OK);
      }
      CHECK_EQUAL(ow_mldsa_message_finish(pieces, mu), OW_OK);
      CHECK(memcmp(mu, wanted, 64) == 0);
    }
  }
}

static unsigned runs;
static ow_status counted_run(void *context, struct ow_job *job) {
  runs++;
  return ow_queue_run(context, job);
}

/* A caller with a queue of its own kind runs the jobs. */
static void test_run(void) {
  uint8_t mu[64];
  mldsa->run = counted_run;
  mldsa->run_context = &rig.queue;
  CHECK_EQUAL(ow_mldsa_mu(mldsa, mu, tr, NULL, message, 3), OW_OK);
  CHECK_EQUAL(ow_mldsa_tr(mldsa, mu, OW_MLDSA_44, message), OW_OK);
  CHECK_EQUAL(runs, 2);
}

int main(void) {
  rig_open(&rig);
  mldsa = rig_allocate(&rig, sizeof(*mldsa), 64);
  pieces = rig_allocate(&rig, sizeof(*pieces), 64);
  message = rig_allocate(&rig, MESSAGE_BYTES, 64);
  for (size_t i = 0; i < MESSAGE_BYTES; i++) {
    message[i] = (uint8_t)(i * 7 + i / 256);
  }
  for (size_t i = 0; i < 256; i++) {
    tr[i % 64] = (uint8_t)(3 * i);
    context_bytes[i] = (uint8_t)(255 - i);
  }
  CHECK_EQUAL(ow_mldsa_init(mldsa, &rig.queue), OW_OK);
  RUN(test_lengths);
  RUN(test_hashes);
  RUN(test_tr);
  RUN(test_what_is_refused);
  RUN(test_busy);
  RUN(test_run);
  ow_mldsa_close(mldsa);
  rig_close(&rig);
  return 0;
}
