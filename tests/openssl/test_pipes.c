/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Cipher pipelines: 1 to 32 random messages at once must give the same as one by one with OpenSSL's
 * default provider; on a working device and on one that fails.
 *
 *   test_pipes [ROUNDS [SEED]]
 */
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "trouble.h"

#ifdef OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT

#define PIPES   32u
#define LONGEST 140000u
#define ROOM    (LONGEST + 32u)
#define TAG_LEN 16u

struct pipe {
  uint8_t iv[16], aad[300], tag[TAG_LEN];
  size_t aad_len, length;
  bool in_place;
  uint8_t plain[ROOM], sealed[ROOM]; /* of the reference */
  size_t sealed_len;
  uint8_t input[ROOM], output[ROOM], made_tag[TAG_LEN];
  size_t taken, output_len;
};

struct round {
  const EVP_CIPHER *ours, *theirs;
  int mode;
  bool encrypt, padding, key_apart, copied;
  size_t count, iv_len, wrong; /* `wrong`: the message with a wrong tag; `count`: none */
  size_t largest_cut;
  uint8_t key[32];
};

static struct pipe pipes[PIPES];
static void (*between)(void);

static size_t any_length(struct dice *dice) {
  switch (dice_roll(dice, 16)) {
  case 0:
    return 0;
  case 1:
    return 65536 - 20 + dice_roll(dice, 40);
  case 2:
    return dice_roll(dice, LONGEST);
  default:
    return dice_roll(dice, 3000);
  }
}

/* Seals one message with the reference. */
static void seal(const struct round *round, struct pipe *pipe) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int length = 0, last = 0, good = EVP_EncryptInit_ex(context, round->theirs, NULL, NULL, NULL);
  if (round->mode == EVP_CIPH_GCM_MODE) {
    good &= EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)round->iv_len, NULL) > 0;
  }
  good &= EVP_EncryptInit_ex(context, NULL, NULL, round->key, pipe->iv);
  good &= EVP_CIPHER_CTX_set_padding(context, round->padding);
  if (round->mode == EVP_CIPH_GCM_MODE && pipe->aad_len != 0) {
    good &= EVP_EncryptUpdate(context, NULL, &length, pipe->aad, (int)pipe->aad_len);
  }
  length = 0;
  if (pipe->length != 0) {
    good &= EVP_EncryptUpdate(context, pipe->sealed, &length, pipe->plain, (int)pipe->length);
  }
  good &= EVP_EncryptFinal_ex(context, pipe->sealed + length, &last);
  if (round->mode == EVP_CIPH_GCM_MODE) {
    good &= EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG_LEN, pipe->tag) > 0;
  }
  pipe->sealed_len = (size_t)(length + last);
  CHECK(good);
  EVP_CIPHER_CTX_free(context);
}

static void plan(struct round *round, struct host *ours, struct host *theirs, struct dice *dice) {
  size_t cipher = dice_roll(dice, 12); /* ECB, CBC, CTR, GCM */
  *round = (struct round){.ours = ours->ciphers[cipher], .theirs = theirs->ciphers[cipher]};
  round->mode = EVP_CIPHER_get_mode(round->theirs);
  bool blocks = round->mode == EVP_CIPH_ECB_MODE || round->mode == EVP_CIPH_CBC_MODE;
  bool gcm = round->mode == EVP_CIPH_GCM_MODE;
  round->encrypt = dice_roll(dice, 2) == 0;
  round->padding = !blocks || dice_roll(dice, 2) == 0;
  round->key_apart = dice_roll(dice, 3) == 0;
  round->copied = dice_roll(dice, 3) == 0;
  round->count = 1 + dice_roll(dice, PIPES);
  round->wrong = gcm && !round->encrypt && dice_roll(dice, 3) == 0 ? dice_roll(dice, round->count)
                                                                   : round->count;
  round->iv_len = (size_t)EVP_CIPHER_get_iv_length(round->theirs);
  round->iv_len = gcm && dice_roll(dice, 3) == 0 ? 1 + dice_roll(dice, 16) : round->iv_len;
  round->largest_cut = dice_roll(dice, 3) == 0 ? LONGEST : 1 + dice_roll(dice, 5000);
  dice_fill(dice, round->key, sizeof(round->key));
  for (size_t i = 0; i < round->count; i++) {
    struct pipe *pipe = &pipes[i];
    pipe->length = any_length(dice);
    pipe->length -= round->padding ? 0 : pipe->length % 16;
    pipe->aad_len = dice_roll(dice, sizeof(pipe->aad));
    pipe->in_place = !blocks && dice_roll(dice, 2) == 0;
    pipe->taken = 0;
    pipe->output_len = 0;
    dice_fill(dice, pipe->iv, sizeof(pipe->iv));
    dice_fill(dice, pipe->aad, sizeof(pipe->aad));
    dice_fill(dice, pipe->plain, pipe->length < 300 ? pipe->length : 300);
    seal(round, pipe);
    memcpy(pipe->input, round->encrypt ? pipe->plain : pipe->sealed,
           round->encrypt ? pipe->length : pipe->sealed_len);
  }
}

static OSSL_PARAM *tags(OSSL_PARAM params[2], unsigned char **buffers) {
  static void *pointer; /* for an octet_ptr parameter */
  pointer = buffers;
  params[0] =
      OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_PIPELINE_AEAD_TAG, &pointer, TAG_LEN);
  params[1] = OSSL_PARAM_construct_end();
  return params;
}

static int begin(const struct round *round, EVP_CIPHER_CTX *context) {
  int (*init)(EVP_CIPHER_CTX *, const EVP_CIPHER *, const unsigned char *, size_t, size_t,
              const unsigned char **, size_t) =
      round->encrypt ? EVP_CipherPipelineEncryptInit : EVP_CipherPipelineDecryptInit;
  const unsigned char *ivs[PIPES], *aads[PIPES];
  unsigned char *buffers[PIPES];
  size_t lengths[PIPES], written[PIPES], key_len = (size_t)EVP_CIPHER_get_key_length(round->ours);
  OSSL_PARAM params[2];
  int good = 1;
  for (size_t i = 0; i < round->count; i++) {
    ivs[i] = pipes[i].iv;
    aads[i] = pipes[i].aad;
    lengths[i] = pipes[i].aad_len;
    buffers[i] = pipes[i].tag;
  }
  if (round->key_apart) { /* and for another number of messages */
    good &= init(context, round->ours, round->key, key_len, 1 + round->count / 2, NULL, 0);
    good &= EVP_CIPHER_CTX_set_padding(context, round->padding);
    good &= init(context, NULL, NULL, 0, round->count, ivs, round->iv_len);
  } else {
    good &= init(context, round->ours, round->key, key_len, round->count, ivs, round->iv_len);
    good &= EVP_CIPHER_CTX_set_padding(context, round->padding);
  }
  if (round->mode == EVP_CIPH_GCM_MODE) {
    good &= EVP_CipherPipelineUpdate(context, NULL, written, NULL, aads, lengths);
    if (!round->encrypt) {
      pipes[round->wrong % PIPES].tag[3] ^= round->wrong < round->count ? 1 : 0;
      good &= EVP_CIPHER_CTX_set_params(context, tags(params, buffers));
    }
  }
  return good;
}

/* Updates every pipe, some with no bytes. Returns false if no input is left. */
static bool step(const struct round *round, EVP_CIPHER_CTX *context, struct dice *dice, int *good) {
  unsigned char *out[PIPES];
  const unsigned char *in[PIPES];
  size_t lengths[PIPES], sizes[PIPES], written[PIPES], all = 0;
  for (size_t i = 0; i < round->count; i++) {
    struct pipe *pipe = &pipes[i];
    size_t left = (round->encrypt ? pipe->length : pipe->sealed_len) - pipe->taken;
    size_t now = round->largest_cut == LONGEST ? left : dice_roll(dice, round->largest_cut + 1);
    lengths[i] = now < left ? now : left;
    in[i] = pipe->input + pipe->taken;
    out[i] = (pipe->in_place ? pipe->input : pipe->output) + pipe->output_len;
    sizes[i] = ROOM - pipe->output_len;
    all += left;
  }
  if (between != NULL) {
    between();
  }
  *good &= EVP_CipherPipelineUpdate(context, out, written, sizes, in, lengths);
  for (size_t i = 0; i < round->count; i++) {
    pipes[i].taken += lengths[i];
    pipes[i].output_len += written[i];
  }
  return all != 0;
}

static int end(const struct round *round, EVP_CIPHER_CTX *context) {
  unsigned char *out[PIPES], *buffers[PIPES];
  size_t sizes[PIPES], written[PIPES];
  OSSL_PARAM params[2];
  for (size_t i = 0; i < round->count; i++) {
    out[i] = (pipes[i].in_place ? pipes[i].input : pipes[i].output) + pipes[i].output_len;
    sizes[i] = ROOM - pipes[i].output_len;
    buffers[i] = pipes[i].made_tag;
  }
  int good = EVP_CipherPipelineFinal(context, out, written, sizes);
  for (size_t i = 0; i < round->count; i++) {
    pipes[i].output_len += written[i];
  }
  if (good && round->encrypt && round->mode == EVP_CIPH_GCM_MODE) {
    good &= EVP_CIPHER_CTX_get_params(context, tags(params, buffers));
  }
  return good;
}

static bool is_right(const struct round *round, const struct pipe *pipe) {
  const uint8_t *output = pipe->in_place ? pipe->input : pipe->output;
  const uint8_t *expected = round->encrypt ? pipe->sealed : pipe->plain;
  size_t length = round->encrypt ? pipe->sealed_len : pipe->length;
  bool tag = round->mode != EVP_CIPH_GCM_MODE || !round->encrypt ||
             memcmp(pipe->tag, pipe->made_tag, TAG_LEN) == 0;
  return pipe->output_len == length && memcmp(output, expected, length) == 0 && tag;
}

static bool play(struct host *ours, struct host *theirs, struct dice *dice) {
  struct round round;
  int good = 1;
  plan(&round, ours, theirs, dice);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  good &= begin(&round, context);
  while (good && step(&round, context, dice, &good)) {
    if (round.copied) {
      EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
      CHECK(EVP_CIPHER_CTX_copy(copy, context) == 1);
      EVP_CIPHER_CTX_free(context);
      context = copy;
      round.copied = false;
    }
  }
  bool ended = good && end(&round, context);
  EVP_CIPHER_CTX_free(context);
  size_t bad = 0;
  while (bad < round.count && is_right(&round, &pipes[bad])) {
    bad++;
  }
  if (!good || ended != (round.wrong == round.count) || bad != round.count) {
    fprintf(stderr,
            "%s %s, %zu messages, IV %zu, cuts up to %zu, padding %d, key apart %d, wrong tag %zu: "
            "%s, %s, first wrong message %zu of %zu bytes (%zu made)\n",
            EVP_CIPHER_get0_name(round.ours), round.encrypt ? "encrypt" : "decrypt", round.count,
            round.iv_len, round.largest_cut, round.padding, round.key_apart, round.wrong,
            good ? "taken" : "refused", ended ? "ended" : "not ended", bad,
            bad < round.count ? pipes[bad].length : 0,
            bad < round.count ? pipes[bad].output_len : 0);
    return false;
  }
  return true;
}

static void play_all(struct host *ours, struct host *theirs, struct dice *dice, unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) {
    if (!play(ours, theirs, dice)) {
      fprintf(stderr, "in round %u\n", i);
      exit(1);
    }
    usleep(between != NULL && i % 8 == 0 ? 12000 : 0); /* lets back-offs end */
  }
}

/* Processes `count` messages of 64 bytes. */
static void seal_many(struct host *provider, size_t count) {
  uint8_t key[16] = {1}, iv[12] = {2}, bytes[PIPES][64] = {{0}};
  uint8_t alone[64];
  int length;
  const unsigned char *ivs[PIPES], *in[PIPES];
  unsigned char *out[PIPES];
  size_t lengths[PIPES], written[PIPES];
  for (size_t i = 0; i < count; i++) {
    ivs[i] = iv;
    in[i] = out[i] = bytes[i];
    lengths[i] = sizeof(bytes[i]);
  }
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(EVP_CipherPipelineEncryptInit(context, provider->ciphers[9], key, 16, count, ivs, 12));
  CHECK(EVP_CipherPipelineUpdate(context, out, written, lengths, in, lengths));
  CHECK(EVP_EncryptInit_ex(context, provider->ciphers[9], NULL, key, iv));
  memset(alone, 0, sizeof(alone));
  CHECK(EVP_EncryptUpdate(context, alone, &length, alone, sizeof(alone)));
  for (size_t i = 0; i < count; i++) {
    CHECK_EQUAL(written[i], sizeof(alone));
    CHECK(memcmp(bytes[i], alone, sizeof(alone)) == 0);
  }
  EVP_CIPHER_CTX_free(context);
}

/* More messages at once than the queues have lanes for. */
static void *seal_often(void *provider) {
  for (unsigned i = 0; i < 8; i++) {
    seal_many(provider, PIPES);
  }
  return NULL;
}

static void in_threads(struct host *provider) {
  pthread_t threads[12];
  for (unsigned i = 0; i < 12; i++) {
    CHECK(pthread_create(&threads[i], NULL, seal_often, provider) == 0);
  }
  for (unsigned i = 0; i < 12; i++) {
    pthread_join(threads[i], NULL);
  }
}

/* As many jobs as messages, and one doorbell. */
static void all_at_once(struct host *provider) {
  uint64_t jobs = host_count(provider, "jobs");
  uint32_t doorbells = trouble_doorbells();
  seal_many(provider, PIPES);
  CHECK_EQUAL(host_count(provider, "jobs") - jobs, PIPES + 1); /* and the one for comparison */
  CHECK_EQUAL(trouble_doorbells() - doorbells, 2);
}

/* A pipeline's messages count as messages in flight for a policy that requires eight. */
static void by_depth(void) {
  struct host host;
  char path[] = "/tmp/outwork-policy-XXXXXX", settings[64];
  int file = mkstemp(path);
  CHECK(file >= 0);
  FILE *out = fdopen(file, "w");
  fprintf(out, "outwork-policy 1\n0x13 16 encrypt 1 never\n0x13 16 encrypt 8 64 -\n");
  fclose(out);
  snprintf(settings, sizeof(settings), "policy = %s", path);
  host_open(&host, settings);
  unlink(path);
  seal_many(&host, 7);
  CHECK_EQUAL(host_count(&host, "jobs"), 0);
  CHECK_EQUAL(host_count(&host, "cpu-policy"), 8); /* and the one for comparison */
  seal_many(&host, 8);
  CHECK_EQUAL(host_count(&host, "jobs"), 8);
  CHECK_EQUAL(host_count(&host, "cpu-policy"), 9);
  host_close(&host);
}

static void in_trouble(struct host *provider, struct host *reference, struct dice *dice,
                       unsigned rounds) {
  between = trouble_harm;
  play_all(provider, reference, dice, rounds);
  between = trouble_fail_next; /* one message of many */
  trouble_end();
  play_all(provider, reference, dice, rounds);
  CHECK(host_count(provider, "cpu-fault") > rounds / 4);
}

int main(int argc, char **argv) {
  struct host provider, reference;
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
  struct dice dice = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
  bool fake = trouble_find();
  printf("%u rounds, seed %llu\n", rounds, (unsigned long long)dice.state);
  if (fake) {
    by_depth();
  }
  host_open(&provider, "policy = always"); /* now the fake board that is meant is this one's */
  host_open_default(&reference);
  CHECK(EVP_CIPHER_can_pipeline(provider.ciphers[9], 1));
  /* If this fails the test can compare pipelines with the default provider's. */
  CHECK(!EVP_CIPHER_can_pipeline(reference.ciphers[9], 1));
  play_all(&provider, &reference, &dice, rounds);
  CHECK(host_count(&provider, "jobs") > 4 * rounds);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  if (fake) {
    all_at_once(&provider);
    in_threads(&provider);
    in_trouble(&provider, &reference, &dice, rounds);
  }
  printf("%llu jobs of the device, %llu requests that it failed\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-fault"));
  host_close(&provider);
  host_close(&reference);
  return 0;
}

#else

int main(void) {
  printf("this release of OpenSSL has no pipelines\n");
  return 0;
}

#endif
