/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Opens library contexts, reads counters, makes random numbers.
 */
#include "host.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "outwork/spec.h"

static const char *const names[HOST_CIPHERS] = {
    "AES-128-ECB", "AES-192-ECB", "AES-256-ECB",  "AES-128-CBC", "AES-192-CBC",
    "AES-256-CBC", "AES-128-CTR", "AES-192-CTR",  "AES-256-CTR", "AES-128-GCM",
    "AES-192-GCM", "AES-256-GCM", "AES-128-CCM",  "AES-192-CCM", "AES-256-CCM",
    "AES-128-XTS", "AES-256-XTS", "DES-EDE3-ECB", "DES-EDE3-CBC"};
const char *const host_digest_names[HOST_DIGESTS] = {
    "SHA1",     "SHA224",   "SHA2-256", "sha384",   "SHA512",   "SHA512-224", "SHA512-256",
    "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SHAKE128", "SHAKE256"};

static void fetch(struct host *host) {
  for (unsigned i = 0; i < HOST_CIPHERS; i++) {
    host->ciphers[i] = EVP_CIPHER_fetch(host->libctx, names[i], NULL);
    CHECK(host->ciphers[i] != NULL);
  }
  for (unsigned i = 0; i < HOST_DIGESTS; i++) {
    host->digests[i] = EVP_MD_fetch(host->libctx, host_digest_names[i], NULL);
    CHECK(host->digests[i] != NULL);
  }
}

static const char *environment(const char *name) {
  const char *value = getenv(name);
  if (value == NULL) {
    fprintf(stderr, "%s is not set: run the test through ctest\n", name);
    exit(1);
  }
  return value;
}

static void open_configured(struct host *host, const char *settings, bool beside) {
  char path[] = "/tmp/outwork-test-XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0);
  FILE *out = fdopen(file, "w");
  CHECK(out != NULL);
  fprintf(out,
          "openssl_conf = main\n[main]\nproviders = list\nalg_section = choice\n[list]\n"
          "outwork = ours\n%s[theirs]\nactivate = 1\n[choice]\ndefault_properties = %s\n"
          "[ours]\nmodule = %s\nlibrary = %s\nactivate = 1\n%s\n",
          beside ? "default = theirs\n" : "", beside ? "?outwork.offload=yes" : "",
          environment("OUTWORK_TEST_MODULE"), environment("OUTWORK_TEST_LIBRARY"), settings);
  fclose(out);
  host->libctx = OSSL_LIB_CTX_new();
  int good = OSSL_LIB_CTX_load_config(host->libctx, path);
  unlink(path);
  host->provider = OSSL_PROVIDER_try_load(host->libctx, "outwork", 1);
  if (!good || host->provider == NULL) {
    ERR_print_errors_fp(stderr);
  }
  CHECK(good && host->provider != NULL);
  CHECK_EQUAL(OSSL_PROVIDER_available(host->libctx, "default"), beside);
  fetch(host);
}

void host_open(struct host *host, const char *settings) {
  open_configured(host, settings, false);
}

void host_open_beside(struct host *host, const char *settings) {
  open_configured(host, settings, true);
}

void host_open_default(struct host *host) {
  host->libctx = OSSL_LIB_CTX_new();
  host->provider = OSSL_PROVIDER_load(host->libctx, "default");
  CHECK(host->provider != NULL);
  fetch(host);
}

void host_close(struct host *host) {
  for (unsigned i = 0; i < HOST_CIPHERS; i++) {
    EVP_CIPHER_free(host->ciphers[i]);
  }
  for (unsigned i = 0; i < HOST_DIGESTS; i++) {
    EVP_MD_free(host->digests[i]);
  }
  CHECK(OSSL_PROVIDER_unload(host->provider));
  OSSL_LIB_CTX_free(host->libctx);
}

void host_write_key_policy(char path[]) {
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  CHECK(out != NULL);
  fprintf(out, "outwork-policy 1\n");
  for (unsigned opcode = OW_OP_MODEXP; opcode <= OW_OP_ED25519_VERIFY; opcode++) {
    fprintf(out, "0x%x 0 encrypt 1 1 -\n", opcode);
  }
  for (unsigned opcode = OW_OP_MLKEM_KEYGEN; opcode <= OW_OP_MLDSA_VERIFY; opcode++) {
    fprintf(out, "0x%x 0 encrypt 1 1 -\n", opcode);
  }
  fclose(out);
}

uint64_t host_count(const struct host *host, const char *name) {
  uint64_t value = UINT64_MAX;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_uint64(name, &value), OSSL_PARAM_construct_end()};
  CHECK(OSSL_PROVIDER_get_params(host->provider, params));
  CHECK(value != UINT64_MAX);
  return value;
}

uint64_t dice_next(struct dice *dice) { /* splitmix64 */
  uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

size_t dice_roll(struct dice *dice, size_t sides) {
  return (size_t)(dice_next(dice) % sides);
}

void dice_fill(struct dice *dice, uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)dice_next(dice);
  }
}

#ifdef OSSL_OP_SKEYMGMT
EVP_SKEY *host_slot_key(const struct host *host, const uint8_t *bytes, size_t length) {
  int wish = 1;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(OSSL_SKEY_PARAM_RAW_BYTES,
                                                           (void *)(uintptr_t)bytes, length),
                         OSSL_PARAM_construct_int("outwork-slot", &wish),
                         OSSL_PARAM_construct_end()};
  return EVP_SKEY_import(host->libctx, "AES", NULL, OSSL_SKEYMGMT_SELECT_SECRET_KEY, params);
}
#endif
