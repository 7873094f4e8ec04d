/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys, IVs, AAD, messages and results that end at an unmapped page, of every length and so at
 * every alignment: nothing is read or written outside them, and the results are OpenSSL's own.
 *
 *   test_edges [LONGEST]
 */
#include <stdlib.h>

#include "edge.h"
#include "host.h"

enum { KEY, IV, AAD, INPUT, OUTPUT, TAG, AREAS };

static struct host provider, reference;
static uint8_t *ends[AREAS], bytes[1024];

/* Lengths of one message. */
struct shape {
  const char *cipher;
  size_t key, iv, aad, tag, length;
};

static int play(struct host *host, const struct shape *shape, bool encrypt, const uint8_t *input,
                uint8_t *output, uint8_t *tag) {
  int length = 0, good;
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(host->libctx, shape->cipher, NULL);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  bool ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE;
  CHECK(EVP_CipherInit_ex2(context, cipher, NULL, NULL, encrypt, NULL) == 1);
  if (shape->tag != 0) {
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)shape->iv, NULL) == 1);
  }
  if (ccm || (shape->tag != 0 && !encrypt)) {
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)shape->tag,
                              encrypt ? NULL : tag) == 1);
  }
  CHECK(EVP_CipherInit_ex2(context, NULL, edge_put(ends[KEY], bytes, shape->key),
                           edge_put(ends[IV], bytes + 100, shape->iv), encrypt, NULL) == 1);
  EVP_CIPHER_CTX_set_padding(context, 0);
  if (ccm) {
    CHECK(EVP_CipherUpdate(context, NULL, &length, NULL, (int)shape->length) == 1);
  }
  if (shape->aad != 0) {
    CHECK(EVP_CipherUpdate(context, NULL, &length, edge_put(ends[AAD], bytes + 200, shape->aad),
                           (int)shape->aad) == 1);
  }
  good = EVP_CipherUpdate(context, output, &length, input, (int)shape->length) == 1 &&
         EVP_CipherFinal_ex(context, output + shape->length, &length) == 1;
  if (shape->tag != 0 && encrypt) {
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)shape->tag, tag) == 1);
  }
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  return good;
}

static void both_ways(const struct shape *shape) {
  uint8_t sealed[1024], wanted[16] = {0};
  CHECK(play(&reference, shape, true, bytes, sealed, wanted));
  uint8_t *input = edge_put(ends[INPUT], bytes, shape->length);
  uint8_t *output = edge_take(ends[OUTPUT], shape->length);
  uint8_t *tag = edge_take(ends[TAG], shape->tag);
  CHECK(play(&provider, shape, true, input, output, tag));
  CHECK(memcmp(output, sealed, shape->length) == 0 && memcmp(tag, wanted, shape->tag) == 0);
  edge_check(ends[OUTPUT], shape->length);
  edge_check(ends[TAG], shape->tag);
  input = edge_put(ends[INPUT], sealed, shape->length);
  output = edge_take(ends[OUTPUT], shape->length);
  CHECK(play(&provider, shape, false, input, output, tag));
  CHECK(memcmp(output, bytes, shape->length) == 0);
  edge_check(ends[OUTPUT], shape->length);
  input = edge_put(ends[INPUT], sealed, shape->length); /* in place */
  CHECK(play(&provider, shape, false, input, input, tag));
  CHECK(memcmp(input, bytes, shape->length) == 0);
}

static void digests(size_t length) {
  uint8_t wanted[32];
  uint8_t *output = edge_take(ends[OUTPUT], 32);
  CHECK(EVP_Digest(bytes, length, wanted, NULL, reference.digests[2], NULL) == 1);
  CHECK(EVP_Digest(edge_put(ends[INPUT], bytes, length), length, output, NULL, provider.digests[2],
                   NULL) == 1);
  CHECK(memcmp(output, wanted, 32) == 0);
  edge_check(ends[OUTPUT], 32);
}

/* Pieces that end in a partial block but complete a block for the device. */
static void pieces_of_odd_length(void) {
  enum { PIECE = 24, PIECES = 40 };
  uint8_t outputs[2][PIECE * PIECES + 16];
  struct host *const hosts[2] = {&provider, &reference};
  uint64_t jobs = host_count(&provider, "jobs");
  for (unsigned side = 0; side < 2; side++) {
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(hosts[side]->libctx, "AES-256-CBC", NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = 0, length;
    CHECK(EVP_EncryptInit_ex2(context, cipher, bytes, bytes + 100, NULL) == 1);
    for (unsigned i = 0; i < PIECES; i++) {
      CHECK(EVP_EncryptUpdate(context, outputs[side] + done, &length, bytes + i, PIECE) == 1);
      done += length;
    }
    CHECK(EVP_EncryptFinal_ex(context, outputs[side] + done, &length) == 1);
    CHECK_EQUAL(done + length, PIECE * PIECES + 16);
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
  }
  CHECK(memcmp(outputs[0], outputs[1], sizeof(outputs[0])) == 0);
  CHECK(host_count(&provider, "jobs") >= jobs + PIECES);
}

int main(int argc, char **argv) {
  size_t longest = argc > 1 ? strtoul(argv[1], NULL, 0) : 300;
  struct dice dice = {5};
  CHECK(longest < 900);
  for (unsigned i = 0; i < AREAS; i++) {
    ends[i] = edge_new();
  }
  dice_fill(&dice, bytes, sizeof(bytes));
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  for (size_t length = 1; length <= longest; length++) {
    both_ways(&(struct shape){"AES-256-GCM", 32, 1 + length % 20, length % 67, 16, length});
    both_ways(&(struct shape){"AES-128-CCM", 16, 7 + length % 7, length % 67, 4 + length % 7 * 2,
                              length});
    both_ways(&(struct shape){"AES-192-CTR", 24, 16, 0, 0, length});
    digests(length);
    if (length >= 16) {
      both_ways(&(struct shape){"AES-128-XTS", 32, 16, 0, 0, length});
    }
    if (length % 16 == 0) {
      both_ways(&(struct shape){"AES-256-CBC", 32, 16, 0, 0, length});
      both_ways(&(struct shape){"AES-128-ECB", 16, 0, 0, 0, length});
    }
  }
  pieces_of_odd_length();
  printf("%llu jobs of the device\n", (unsigned long long)host_count(&provider, "jobs"));
  CHECK(host_count(&provider, "jobs") > 10 * longest);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
