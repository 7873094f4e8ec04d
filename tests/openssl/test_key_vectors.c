/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * OpenSSL's own test data for keys with the provider alone. OpenSSL's default provider reads the
 * keys in another library context, and they are exported.
 *
 *   test_key_vectors LEAST FILE...
 */
#include <openssl/err.h>
#include <openssl/pem.h>

#include "keys.h"
#include "stanza.h"

#define NAMED_KEYS 600u

static struct host provider, reference;
static unsigned played, failed;
static struct {
  char *name;
  EVP_PKEY *key;
} keys[NAMED_KEYS];
static unsigned keys_len;

/* The step at which an operation ended. */
enum outcome { BAD_INIT, BAD_CONTROL, BAD_PEER, BAD_OPERATION, OTHER_RESULT, DONE };

static enum outcome expected(const struct stanza *stanza) {
  static const struct {
    const char *name;
    enum outcome outcome;
  } names[] = {{"KEYOP_INIT_ERROR", BAD_INIT},       {"DIGESTSIGNINIT_ERROR", BAD_INIT},
               {"DIGESTVERIFYINIT_ERROR", BAD_INIT}, {"PKEY_CTRL_ERROR", BAD_CONTROL},
               {"DERIVE_SET_PEER_ERROR", BAD_PEER},  {"KEYOP_ERROR", BAD_OPERATION},
               {"VERIFY_ERROR", BAD_OPERATION},      {"DERIVE_ERROR", BAD_OPERATION},
               {"SIGNATURE_MISMATCH", OTHER_RESULT}};
  if (stanza_find(stanza, "Result") == NULL) {
    return DONE;
  }
  /* Since 3.2, data with wrong padding decrypts to a random message. */
  bool made_up = OPENSSL_version_major() > 3 || OPENSSL_version_minor() >= 2;
  if (made_up && stanza_is(stanza, "FIPSversion", "<3.2.0")) {
    return OTHER_RESULT;
  }
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (stanza_is(stanza, "Result", names[i].name)) {
      return names[i].outcome;
    }
  }
  fprintf(stderr, "%s:%u: an unknown result\n", stanza->file, stanza->line);
  exit(1);
}

static EVP_PKEY *key_of(const char *name) {
  for (unsigned i = 0; i < keys_len; i++) {
    if (strcmp(keys[i].name, name) == 0) {
      return keys[i].key;
    }
  }
  return NULL;
}

static void read_key(const char *name, char *pem) {
  BIO *bio = BIO_new_mem_buf(pem, -1);
  bool public = strstr(pem, "PUBLIC") != NULL;
  EVP_PKEY *read = public
                       ? PEM_read_bio_PUBKEY_ex(bio, NULL, NULL, NULL, reference.libctx, NULL)
                       : PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, reference.libctx, NULL);
  CHECK(keys_len < NAMED_KEYS);
  if (read != NULL) {
    keys[keys_len].name = strdup(name);
    keys[keys_len++].key = keys_move(&provider, read);
  }
  EVP_PKEY_free(read);
  BIO_free(bio);
  ERR_clear_error();
}

/* The lines `Ctrl = name:value`. */
static bool control(EVP_PKEY_CTX *ctx, const struct stanza *stanza) {
  bool good = true;
  for (unsigned i = 0; i < stanza->fields_len && good; i++) {
    char name[64];
    int at = 0;
    if (strcmp(stanza->fields[i].name, "Ctrl") == 0) {
      CHECK(sscanf(stanza->fields[i].text, "%63[^:]:%n", name, &at) == 1);
      good = EVP_PKEY_CTX_ctrl_str(ctx, name, stanza->fields[i].text + at) > 0;
    }
  }
  return good;
}

static enum outcome compare(bool good, const uint8_t *made, size_t made_len,
                            const struct field *wanted) {
  if (!good) {
    return BAD_OPERATION;
  }
  return made_len == wanted->length && memcmp(made, wanted->bytes, made_len) == 0 ? DONE
                                                                                  : OTHER_RESULT;
}

/* Sign, Verify, VerifyRecover, Decrypt. */
static enum outcome operate(const struct stanza *stanza, const char *verb, EVP_PKEY *key) {
  struct field input = stanza_get(stanza, "Input"), output = stanza_get(stanza, "Output");
  uint8_t made[1024];
  size_t made_len = sizeof(made);
  enum outcome outcome = DONE;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(provider.libctx, key, NULL);
  int (*begin)(EVP_PKEY_CTX *) = strcmp(verb, "Sign") == 0            ? EVP_PKEY_sign_init
                                 : strcmp(verb, "Verify") == 0        ? EVP_PKEY_verify_init
                                 : strcmp(verb, "VerifyRecover") == 0 ? EVP_PKEY_verify_recover_init
                                                                      : EVP_PKEY_decrypt_init;
  int (*work)(EVP_PKEY_CTX *, uint8_t *, size_t *, const uint8_t *, size_t) =
      strcmp(verb, "Sign") == 0            ? EVP_PKEY_sign
      : strcmp(verb, "VerifyRecover") == 0 ? EVP_PKEY_verify_recover
                                           : EVP_PKEY_decrypt;
  if (begin(ctx) <= 0) {
    outcome = BAD_INIT;
  } else if (!control(ctx, stanza)) {
    outcome = BAD_CONTROL;
  } else if (strcmp(verb, "Verify") == 0) {
    outcome = EVP_PKEY_verify(ctx, output.bytes, output.length, input.bytes, input.length) > 0
                  ? DONE
                  : BAD_OPERATION;
  } else {
    bool good = work(ctx, made, &made_len, input.bytes, input.length) > 0;
    outcome = compare(good, made, made_len, &output);
  }
  EVP_PKEY_CTX_free(ctx);
  return outcome;
}

static enum outcome operate_message(const struct stanza *stanza, bool verify, const char *digest,
                                    EVP_PKEY *key) {
  struct field output = stanza_get(stanza, "Output");
  uint8_t made[1024];
  size_t made_len = sizeof(made);
  EVP_PKEY_CTX *inside = NULL;
  enum outcome outcome = DONE;
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  digest = strcmp(digest, "NULL") == 0 ? NULL : digest;
  int (*begin)(EVP_MD_CTX *, EVP_PKEY_CTX **, const char *, OSSL_LIB_CTX *, const char *,
               EVP_PKEY *, const OSSL_PARAM[]) =
      verify ? EVP_DigestVerifyInit_ex : EVP_DigestSignInit_ex;
  if (begin(ctx, &inside, digest, provider.libctx, NULL, key, NULL) <= 0) {
    outcome = BAD_INIT;
  } else if (!control(inside, stanza)) {
    outcome = BAD_CONTROL;
  }
  for (unsigned i = 0; outcome == DONE && i < stanza->fields_len; i++) {
    const struct field *field = &stanza->fields[i];
    if (strcmp(field->name, "Input") == 0) {
      CHECK((verify ? EVP_DigestVerifyUpdate(ctx, field->bytes, field->length)
                    : EVP_DigestSignUpdate(ctx, field->bytes, field->length)) > 0);
    }
  }
  if (outcome == DONE && verify) {
    outcome = EVP_DigestVerifyFinal(ctx, output.bytes, output.length) > 0 ? DONE : BAD_OPERATION;
  } else if (outcome == DONE) {
    bool good = EVP_DigestSignFinal(ctx, made, &made_len) > 0;
    outcome = compare(good, made, made_len, &output);
  }
  EVP_MD_CTX_free(ctx);
  return outcome;
}

static enum outcome derive(const struct stanza *stanza, EVP_PKEY *key, EVP_PKEY *peer) {
  struct field wanted = stanza_get(stanza, "SharedSecret");
  uint8_t made[1024];
  size_t made_len = sizeof(made);
  enum outcome outcome = DONE;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(provider.libctx, key, NULL);
  if (EVP_PKEY_derive_init(ctx) <= 0) {
    outcome = BAD_INIT;
  } else if (!control(ctx, stanza)) {
    outcome = BAD_CONTROL;
  } else if (EVP_PKEY_derive_set_peer(ctx, peer) <= 0) {
    outcome = BAD_PEER;
  } else {
    bool good = EVP_PKEY_derive(ctx, made, &made_len) > 0;
    outcome = compare(good, made, made_len, &wanted);
  }
  EVP_PKEY_CTX_free(ctx);
  return outcome;
}

static void play_operation(const struct stanza *stanza) {
  static const char *const verbs[] = {"Sign",          "Verify",
                                      "VerifyRecover", "Decrypt",
                                      "DigestSign",    "OneShotDigestSign",
                                      "DigestVerify",  "OneShotDigestVerify",
                                      "Derive"};
  for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
    const struct field *verb = stanza_find(stanza, verbs[i]);
    bool message = i >= 4 && i < 8;
    if (verb == NULL) {
      continue;
    }
    EVP_PKEY *key = key_of(message ? stanza_get(stanza, "Key").text : verb->text);
    EVP_PKEY *peer = i == 8 ? key_of(stanza_get(stanza, "PeerKey").text) : NULL;
    if (key == NULL || (i == 8 && peer == NULL)) {
      return; /* a key of another kind, or generated by a stanza */
    }
    enum outcome outcome = message  ? operate_message(stanza, i >= 6, verb->text, key)
                           : i == 8 ? derive(stanza, key, peer)
                                    : operate(stanza, verbs[i], key);
    played++;
    if (outcome != expected(stanza)) {
      failed++;
      fprintf(stderr, "%s:%u: %s: outcome %d, not %d\n", stanza->file, stanza->line, verbs[i],
              outcome, expected(stanza));
      ERR_print_errors_fp(stderr);
    }
    ERR_clear_error();
  }
}

static void play(const struct stanza *stanza) {
  const struct field *private = stanza_find(stanza, "PrivateKey");
  const struct field *public = stanza_find(stanza, "PublicKey");
  if (stanza_find(stanza, "Availablein") != NULL &&
      strstr(stanza_get(stanza, "Availablein").text, "default") == NULL) {
    return;
  }
  if (stanza->pem != NULL && (private != NULL || public != NULL)) {
    read_key(private != NULL ? private->text : public->text, stanza->pem);
  } else {
    play_operation(stanza);
  }
}

int main(int argc, char **argv) {
  CHECK(argc > 2);
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  for (int i = 2; i < argc; i++) {
    stanza_play_file(argv[i], play);
  }
  printf("%u played, %u failed, %u keys, %llu jobs of the device\n", played, failed, keys_len,
         (unsigned long long)host_count(&provider, "jobs"));
  CHECK_EQUAL(failed, 0);
  CHECK(played >= (unsigned)atoi(argv[1]));
  CHECK(host_count(&provider, "jobs") >= played / 3);
  for (unsigned i = 0; i < keys_len; i++) {
    EVP_PKEY_free(keys[i].key);
    free(keys[i].name);
  }
  host_close(&provider);
  host_close(&reference);
  return 0;
}
