/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What protected_uses.h declares.
 */
#include "protected_uses.h"

struct skcipher_alg *kernel_ciphers[16];
unsigned kernel_ciphers_len, kernel_software;
u8 bytes[64];

static struct skcipher_alg *cipher(const char *name) {
  for (unsigned i = 0; i < kernel_ciphers_len; i++) {
    if (strcmp(kernel_ciphers[i]->base.cra_name, name) == 0) {
      return kernel_ciphers[i];
    }
  }
  CHECK(!"the cipher is registered");
  return NULL;
}

void open_protected(void) {
  open_device();
  owk_minimum_cipher = 512;
  kernel_software = 0;
  if (kernel_ciphers_len == 0) {
    CHECK_EQUAL(owk_skciphers_register(&device), 0);
  }
  random_bytes(bytes, sizeof(bytes));
}

void close_protected(void) {
  CHECK_EQUAL(kernel_software, 0);
  for (unsigned i = 0; i < OWK_FALLBACK_COUNT; i++) {
    CHECK_EQUAL(owk_counts.fallbacks[i].value, 0);
  }
  CHECK_EQUAL(device.keys.protected, 0);
  close_device();
}

struct owk_protected *new_protected(unsigned len, bool two_keys) {
  struct owk_protected *protected = owk_protected_create(bytes, len, two_keys);
  CHECK(!IS_ERR(protected));
  return protected;
}

void end_protected(struct owk_protected *protected) {
  owk_protected_revoke(protected);
  owk_protected_put(protected);
}

const u8 *token_of(const struct owk_protected *protected) {
  static struct owk_token token;
  CHECK_EQUAL(owk_protected_token(protected, &token), 0);
  return (const u8 *)&token;
}

static void tell(struct crypto_async_request *base, int error) {
  struct use *use = base->data;
  CHECK(!queue->lock.held);
  if (error == -EINPROGRESS) {
    use->told++;
    return;
  }
  use->ended++;
  use->error = error;
}

struct use *make_use(const char *name, const u8 *token) {
  struct use *use = calloc(1, sizeof(*use));
  use->tfm.alg = cipher(name);
  CHECK_EQUAL(use->tfm.alg->init(&use->tfm), 0);
  CHECK_EQUAL(use->tfm.alg->setkey(&use->tfm, token, TOKEN), 0);
  use->memory = fake_allocate(fake, LENGTH_MAX, 1);
  use->result = use->memory;
  return use;
}

void free_use(struct use *use) {
  use->tfm.alg->exit(&use->tfm);
  free(use);
}

int encrypt(struct use *use, u32 length) {
  const u32 half = length / 2;
  random_bytes(use->text, length);
  random_bytes(use->iv, sizeof(use->iv));
  memcpy(use->first_iv, use->iv, sizeof(use->iv));
  memcpy(use->memory, use->text, length);
  use->source[0] = (struct scatterlist){.memory = use->memory, .length = half};
  use->source[1] =
      (struct scatterlist){.memory = use->memory + half, .length = length - half, .end = true};
  use->destination[0] = (struct scatterlist){.memory = use->result, .length = length, .end = true};
  use->request = (struct skcipher_request){
      .cryptlen = length,
      .iv = use->iv,
      .src = use->source,
      .dst = use->result == use->memory ? use->source : use->destination,
      .tfm = &use->tfm,
      .context = use->context,
      .base = {.flags = use->request.base.flags, .complete = tell, .data = use}};
  use->ended = 0;
  use->told = 0;
  return use->tfm.alg->encrypt(&use->request);
}

void check_sealed(const struct use *use, const u8 *key, u8 opcode, size_t key_len) {
  u8 wanted[LENGTH_MAX];
  const struct reference reference = {.opcode = opcode,
                                      .key = key,
                                      .tweak_key = key + key_len,
                                      .key_len = key_len,
                                      .iv = use->first_iv,
                                      .iv_len = opcode == OW_OP_AES_ECB ? 0 : 16};
  reference_seal(&reference, wanted, NULL, use->text, use->request.cryptlen);
  CHECK_EQUAL(use->ended, 1);
  CHECK_EQUAL(use->error, 0);
  CHECK(memcmp(use->result, wanted, use->request.cryptlen) == 0);
}

void check_error(struct use *use, int error) {
  const u64 jobs = fake->queues[0].jobs;
  int given = encrypt(use, LENGTH);
  if (given == -EINPROGRESS) {
    pump();
    CHECK_EQUAL(use->ended, 1);
    given = use->error;
  }
  CHECK_EQUAL(given, error);
  CHECK_EQUAL(fake->queues[0].jobs, jobs);
  CHECK(memcmp(use->memory, use->text, LENGTH) == 0);
}

int set_token(const char *name, const u8 *token, unsigned length) {
  struct crypto_skcipher tfm = {.alg = cipher(name)};
  CHECK_EQUAL(tfm.alg->init(&tfm), 0);
  const int error = tfm.alg->setkey(&tfm, token, length);
  tfm.alg->exit(&tfm);
  return error;
}
