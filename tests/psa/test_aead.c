/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests PSA's AEADs with random messages: GCM and CCM in one call, GCM also in pieces. The results
 * with and without the driver must be equal, and every piece that is large enough must be a job.
 *
 *   psa_aead LIBRARY BOARD     BOARD: `trouble` makes the fake device fail
 */
#include "message.h"

#define LONGEST 200000u

static uint8_t message[LONGEST + 64], ours[LONGEST + 64], theirs[LONGEST + 64], iv[64], aad[80];
static bool in_trouble;

static void one_aead(bool ccm, size_t key_len, uint32_t length, uint32_t aad_len) {
  const uint8_t tags[] = {4, 8, 12, 14, 16};
  psa_algorithm_t alg =
      PSA_ALG_AEAD_WITH_SHORTENED_TAG(ccm ? PSA_ALG_CCM : PSA_ALG_GCM, tags[roll(5)]);
  psa_key_id_t key = aes_key(key_len, alg, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
  uint32_t nonce = ccm ? 7 + roll(7) : 12;
  size_t len[2] = {0, 0}, back = 0;
  fill(iv, sizeof(iv));
  for (unsigned with = 0; with < 2; with++) {
    choose(with != 0);
    CHECK_EQUAL(psa_aead_encrypt(key, alg, iv, nonce, aad, aad_len, message, length,
                                 with != 0 ? ours : theirs, sizeof(ours), &len[with]),
                PSA_SUCCESS);
  }
  CHECK(len[0] == len[1] && memcmp(ours, theirs, len[0]) == 0);
  CHECK_EQUAL(psa_aead_decrypt(key, alg, iv, nonce, aad, aad_len, ours, len[1], theirs,
                               sizeof(theirs), &back),
              PSA_SUCCESS);
  CHECK(back == length && memcmp(theirs, message, length) == 0);
  ours[roll((uint32_t)len[1])] ^= (uint8_t)(1u << roll(8));
  CHECK_EQUAL(psa_aead_decrypt(key, alg, iv, nonce, aad, aad_len, ours, len[1], theirs,
                               sizeof(theirs), &back),
              PSA_ERROR_INVALID_SIGNATURE);
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
}

static void aeads(unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) {
    uint32_t length = roll(i % 10 == 9 ? 65536 : 2000);
    fill(message, length);
    fill(aad, sizeof(aad));
    one_aead(i % 2 != 0, 16 + 8 * roll(3), length, roll(sizeof(aad)));
  }
}

/* A GCM message in pieces. */
struct pieces {
  psa_key_id_t key;
  psa_algorithm_t alg;
  size_t nonce_len, tag_len;
  uint32_t aad_len, length, cuts[3];
};

/* Returns the number of jobs that the driver submits for the pieces of a payload. Software
 * processes a piece up to the next block of the hash (a whole block if the AAD ends in a partial
 * one) and after its last whole block. */
static uint64_t jobs_of(const struct pieces *pieces) {
  uint64_t made = 0;
  for (uint32_t i = 0, done = 0; i < 4; i++) {
    uint32_t end = i < 3 ? pieces->cuts[i] : pieces->length;
    uint32_t before = done != 0 ? (16 - done % 16) % 16 : pieces->aad_len % 16 != 0 ? 16 : 0;
    uint32_t whole = end - done < before ? 0 : (end - done - before) / 16;
    made += (whole + OW_REQUEST_BYTES / 16 - 1) / (OW_REQUEST_BYTES / 16);
    done = end;
  }
  return made;
}

static void begin_pieces(psa_aead_operation_t *operation, const struct pieces *pieces,
                         bool decrypt) {
  uint32_t first = roll(pieces->aad_len);
  CHECK_EQUAL(decrypt ? psa_aead_decrypt_setup(operation, pieces->key, pieces->alg)
                      : psa_aead_encrypt_setup(operation, pieces->key, pieces->alg),
              PSA_SUCCESS);
  if (roll(2) != 0) {
    CHECK_EQUAL(psa_aead_set_lengths(operation, pieces->aad_len, pieces->length), PSA_SUCCESS);
  }
  CHECK_EQUAL(psa_aead_set_nonce(operation, iv, pieces->nonce_len), PSA_SUCCESS);
  CHECK_EQUAL(psa_aead_update_ad(operation, aad, first), PSA_SUCCESS);
  CHECK_EQUAL(psa_aead_update_ad(operation, aad + first, pieces->aad_len - first), PSA_SUCCESS);
}

/* Processes the payload in pieces, without the tag, and checks the number of jobs. `out` may be
 * `in`. */
static void play_pieces(psa_aead_operation_t *operation, const struct pieces *pieces, uint8_t *out,
                        const uint8_t *in) {
  uint64_t before = jobs();
  for (uint32_t i = 0, done = 0; i < 4; i++) {
    uint32_t end = i < 3 ? pieces->cuts[i] : pieces->length;
    size_t made = 0;
    disturb();
    CHECK_EQUAL(psa_aead_update(operation, in + done, end - done, out + done, end - done, &made),
                PSA_SUCCESS);
    CHECK_EQUAL(made, end - done);
    done = end;
  }
  CHECK(in_trouble || jobs() - before == jobs_of(pieces));
}

static void encrypt_pieces(const struct pieces *pieces) {
  psa_aead_operation_t operation = psa_aead_operation_init();
  uint8_t *tag = ours + pieces->length, none[1];
  size_t made = 0, tag_len = 0;
  begin_pieces(&operation, pieces, false);
  memcpy(ours, message, pieces->length);
  play_pieces(&operation, pieces, ours, roll(2) != 0 ? ours : message);
  CHECK_EQUAL(psa_aead_finish(&operation, none, sizeof(none), &made, tag, 16, &tag_len),
              PSA_SUCCESS);
  CHECK(made == 0 && tag_len == pieces->tag_len);
}

/* Decrypts the result of encrypt_pieces(). `wrong`: inverts a bit of the tag, which must be
 * refused. */
static void decrypt_pieces(const struct pieces *pieces, bool wrong) {
  psa_aead_operation_t operation = psa_aead_operation_init();
  uint8_t tag[16], none[1];
  size_t made = 0;
  memcpy(tag, ours + pieces->length, pieces->tag_len);
  tag[roll((uint32_t)pieces->tag_len)] ^= (uint8_t)(wrong ? 1u << roll(8) : 0);
  begin_pieces(&operation, pieces, true);
  memcpy(theirs, ours, pieces->length);
  play_pieces(&operation, pieces, theirs, roll(2) != 0 ? theirs : ours);
  CHECK(memcmp(theirs, message, pieces->length) == 0);
  CHECK_EQUAL(psa_aead_verify(&operation, none, sizeof(none), &made, tag, pieces->tag_len),
              wrong ? PSA_ERROR_INVALID_SIGNATURE : PSA_SUCCESS);
}

static void one_in_pieces(struct pieces *pieces) {
  size_t made = 0;
  fill(message, pieces->length);
  fill(aad, sizeof(aad));
  choose(false);
  CHECK_EQUAL(psa_aead_encrypt(pieces->key, pieces->alg, iv, pieces->nonce_len, aad,
                               pieces->aad_len, message, pieces->length, theirs, sizeof(theirs),
                               &made),
              PSA_SUCCESS);
  choose(true);
  encrypt_pieces(pieces);
  CHECK(memcmp(ours, theirs, made) == 0);
  decrypt_pieces(pieces, false);
  decrypt_pieces(pieces, true);
  CHECK_EQUAL(psa_destroy_key(pieces->key), PSA_SUCCESS);
}

static void gcm_pieces(unsigned rounds) {
  const psa_key_usage_t usage = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
  const uint8_t tags[] = {4, 8, 12, 13, 14, 15, 16};
  for (unsigned i = 0; i < rounds; i++) {
    struct pieces pieces = {.tag_len = tags[roll(7)],
                            .nonce_len = i % 3 == 0 ? 1 + roll(64) : 12,
                            .aad_len = i % 4 == 0 ? 16 * roll(5) : roll(sizeof(aad)),
                            .length = roll(i % 10 == 9 ? LONGEST : 600)};
    pieces.alg = PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_GCM, pieces.tag_len);
    pieces.key = aes_key(16 + 8 * roll(3), pieces.alg, usage);
    /* 19: cuts in the first 16 bytes, so that the last piece may need several jobs */
    cut(pieces.cuts, i % 20 == 19 ? 16 : pieces.length);
    fill(iv, sizeof(iv));
    if (pieces.length >= 16 || i % 20 != 19) {
      one_in_pieces(&pieces);
    }
  }
}

/* Checks the overflow of GCM's 32-bit counter, whose first value is 2^32 - 2 with this key and
 * nonce: the bits above it must not change. */
static void carry(void) {
  static const uint8_t nonce[16] = {0xa7, 0x08, 0x38, 0x58, 0xfd, 0x5c, 0x7c, 0xf5,
                                    0x7b, 0x0c, 0x9e, 0x2c, 0x12, 0xbf, 0xe0, 0xc7};
  uint8_t bytes[16];
  struct pieces pieces = {.alg = PSA_ALG_GCM, .nonce_len = 16, .tag_len = 16, .length = 200};
  for (uint8_t i = 0; i < 16; i++) {
    bytes[i] = i;
  }
  for (uint32_t first = 16; first <= 64; first += 16) {
    pieces.cuts[0] = first;
    pieces.cuts[1] = first + 8; /* less than a block: left to software */
    pieces.cuts[2] = first + 64;
    pieces.key = import(PSA_KEY_TYPE_AES, 0, PSA_ALG_GCM,
                        PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, bytes, sizeof(bytes));
    memcpy(iv, nonce, sizeof(nonce));
    one_in_pieces(&pieces);
  }
}

/* Checks that an output which begins inside the input is refused, as by software: a job would
 * overwrite the input of the next one. Releases that copy their arguments do not see it. */
static void ahead(void) {
#if MBEDTLS_VERSION_NUMBER < 0x03060000 || defined(MBEDTLS_PSA_ASSUME_EXCLUSIVE_BUFFERS)
  psa_key_id_t key = aes_key(16, PSA_ALG_GCM, PSA_KEY_USAGE_ENCRYPT);
  for (unsigned with = 0; with < 2; with++) {
    psa_aead_operation_t operation = psa_aead_operation_init();
    size_t made = 0;
    choose(with != 0);
    CHECK_EQUAL(psa_aead_encrypt_setup(&operation, key, PSA_ALG_GCM), PSA_SUCCESS);
    CHECK_EQUAL(psa_aead_set_nonce(&operation, iv, 12), PSA_SUCCESS);
    CHECK_EQUAL(psa_aead_update(&operation, ours, OW_REQUEST_BYTES + 16, ours + 1,
                                OW_REQUEST_BYTES + 16, &made),
                PSA_ERROR_INVALID_ARGUMENT);
  }
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
#endif
}

static void some_pieces(void) {
  gcm_pieces(3);
}

/* Checks that no message is lost or wrong while the device fails. */
static void bad_days(const char *library) {
  trouble(library);
  uint64_t before = jobs();
  for (unsigned i = 0; i < 300; i++) {
    disturb();
    aeads(1);
    gcm_pieces(2);
  }
  CHECK(jobs() - before >= 300);
  recover(some_pieces);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  unsigned rounds = strcmp(argv[2], "fake") == 0 ? 900 : 45;
  in_trouble = strcmp(argv[2], "trouble") == 0;
  printf("seed 1\n");
  begin(argv[1]);
  if (in_trouble) {
    bad_days(argv[1]);
  } else {
    carry();
    ahead();
    gcm_pieces(rounds);
    uint64_t before = jobs();
    aeads(rounds);
    CHECK(jobs() - before >= rounds * 2); /* a job with a wrong tag is not counted */
    printf("%llu jobs\n", (unsigned long long)jobs());
  }
  end();
  return 0;
}
