/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * OpenSSL's own test data with the provider alone.
 *
 *   test_vectors LEAST FILE...
 *
 * Ciphers, MACs and digests that the provider does not have are skipped. The test fails if fewer
 * than LEAST stanzas were run.
 */
#include <openssl/err.h>
#include <openssl/params.h>

#include "host.h"
#include "stanza.h"

static struct host provider;
static unsigned played, failed;
static unsigned every = 1, seen;

static void report(const struct stanza *stanza, const char *how, bool good) {
  played++;
  if (!good) {
    failed++;
    fprintf(stderr, "%s:%u: %s\n", stanza->file, stanza->line, how);
    ERR_print_errors_fp(stderr);
  }
  ERR_clear_error();
}

/* How a message is processed: in pieces of `piece` bytes (0: whole), in place or not. */
struct manner {
  size_t piece;
  bool in_place;
};

static bool feed(EVP_CIPHER_CTX *context, uint8_t *output, size_t *written, const uint8_t *input,
                 size_t length, size_t piece) {
  bool good = true;
  size_t done = 0;
  piece = piece == 0 || piece > length ? length : piece;
  do { /* an empty message needs an update too, in which CCM makes the tag */
    size_t now = length - done < piece ? length - done : piece;
    int count = 0;
    good = EVP_CipherUpdate(context, output != NULL ? output + *written : NULL, &count,
                            input + done, (int)now) > 0;
    *written += output != NULL && good ? (size_t)count : 0;
    done += now;
  } while (good && done < length);
  return good;
}

static bool prepare(EVP_CIPHER_CTX *context, EVP_CIPHER *cipher, const struct stanza *stanza,
                    bool encrypt, size_t payload_len) {
  struct field key = stanza_get(stanza, "Key"), iv = stanza_get(stanza, "IV"),
               tag = stanza_get(stanza, "Tag");
  int mode = EVP_CIPHER_get_mode(cipher), count = 0;
  bool aead = mode == EVP_CIPH_GCM_MODE || mode == EVP_CIPH_CCM_MODE;
  if (EVP_CipherInit_ex2(context, cipher, NULL, NULL, encrypt, NULL) <= 0) {
    return false;
  }
  if (aead && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)iv.length, NULL) <= 0) {
    return false;
  }
  if (aead && (mode == EVP_CIPH_CCM_MODE || !encrypt) &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)tag.length,
                          encrypt ? NULL : tag.bytes) <= 0) {
    return false;
  }
  if ((size_t)EVP_CIPHER_CTX_get_key_length(context) != key.length ||
      EVP_CipherInit_ex2(context, NULL, key.bytes, iv.length != 0 ? iv.bytes : NULL, -1, NULL) <=
          0) {
    return false;
  }
  EVP_CIPHER_CTX_set_padding(context, 0);
  return mode != EVP_CIPH_CCM_MODE ||
         EVP_CipherUpdate(context, NULL, &count, NULL, (int)payload_len) > 0;
}

static bool run_cipher(EVP_CIPHER *cipher, const struct stanza *stanza, bool encrypt,
                       struct manner manner) {
  struct field in = stanza_get(stanza, encrypt ? "Plaintext" : "Ciphertext");
  struct field out = stanza_get(stanza, encrypt ? "Ciphertext" : "Plaintext");
  struct field tag = stanza_get(stanza, "Tag"), next = stanza_get(stanza, "NextIV"),
               aad = stanza_get(stanza, "AAD");
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  uint8_t *memory = calloc(1, in.length + 64), made[16], iv[16];
  size_t written = 0, ignored = 0;
  int rest = 0;
  CHECK(context != NULL && memory != NULL);
  if (manner.in_place && in.length != 0) {
    memcpy(memory, in.bytes, in.length);
  }
  bool good = prepare(context, cipher, stanza, encrypt, in.length) &&
              (aad.length == 0 || feed(context, NULL, &ignored, aad.bytes, aad.length, 0)) &&
              feed(context, memory, &written, manner.in_place ? memory : in.bytes, in.length,
                   manner.piece) &&
              EVP_CipherFinal_ex(context, memory + written, &rest) > 0;
  written += (size_t)rest;
  good = good && written == out.length && (written == 0 || memcmp(memory, out.bytes, written) == 0);
  if (good && encrypt && tag.length != 0) {
    good = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)tag.length, made) > 0 &&
           memcmp(made, tag.bytes, tag.length) == 0;
  }
  if (good && next.length != 0) {
    good = EVP_CIPHER_CTX_get_updated_iv(context, iv, sizeof(iv)) > 0 &&
           memcmp(iv, next.bytes, next.length) == 0;
  }
  free(memory);
  EVP_CIPHER_CTX_free(context);
  return good;
}

static void play_cipher(const struct stanza *stanza) {
  static const struct manner manners[] = {
      {0, false}, {0, true}, {1, false}, {7, false}, {16, true}};
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(provider.libctx, stanza_get(stanza, "Cipher").text, NULL);
  if (cipher == NULL) {
    ERR_clear_error();
    return;
  }
  int mode = EVP_CIPHER_get_mode(cipher);
  /* EVP allows only one update in these modes. */
  bool whole = mode == EVP_CIPH_XTS_MODE || mode == EVP_CIPH_CCM_MODE;
  bool bad = stanza_find(stanza, "Result") != NULL;
  for (unsigned encrypt = 0; encrypt < 2; encrypt++) {
    if (stanza_is(stanza, "Operation", encrypt ? "DECRYPT" : "ENCRYPT")) {
      continue;
    }
    for (unsigned i = 0; i < (whole ? 2 : sizeof(manners) / sizeof(manners[0])); i++) {
      bool good = run_cipher(cipher, stanza, encrypt != 0, manners[i]);
      report(stanza, encrypt ? "encryption" : "decryption", good != bad);
    }
  }
  EVP_CIPHER_free(cipher);
}

/* Returns whether there is a line `Ctrl = name:value`, and reads its number. */
static bool control(const struct stanza *stanza, const char *name, size_t *value) {
  size_t length = strlen(name);
  for (unsigned i = 0; i < stanza->fields_len; i++) {
    const char *text = stanza->fields[i].text;
    if (strcmp(stanza->fields[i].name, "Ctrl") == 0 && strncmp(text, name, length) == 0 &&
        text[length] == ':') {
      *value = strtoull(text + length + 1, NULL, 10);
      return true;
    }
  }
  return false;
}

static bool init_mac(EVP_MAC_CTX *context, const char *name, const struct stanza *stanza) {
  struct field key = stanza_get(stanza, "Key"), iv = stanza_get(stanza, "IV"),
               custom = stanza_get(stanza, "Custom");
  OSSL_PARAM params[6], *param = params;
  size_t size = 0;
  if (stanza_find(stanza, "Algorithm") != NULL) {
    *param++ = OSSL_PARAM_construct_utf8_string(strcmp(name, "HMAC") == 0 ? "digest" : "cipher",
                                                stanza_get(stanza, "Algorithm").text, 0);
  }
  if (iv.length != 0) {
    *param++ = OSSL_PARAM_construct_octet_string("iv", iv.bytes, iv.length);
  }
  if (custom.length != 0) {
    *param++ = OSSL_PARAM_construct_octet_string("custom", custom.bytes, custom.length);
  }
  if (control(stanza, "size", &size)) {
    *param++ = OSSL_PARAM_construct_size_t("size", &size);
  }
  *param = OSSL_PARAM_construct_end();
  return EVP_MAC_init(context, key.bytes, key.length, params) > 0;
}

static bool run_mac(EVP_MAC *mac, const char *name, const struct stanza *stanza, size_t piece) {
  struct field in = stanza_get(stanza, "Input"), out = stanza_get(stanza, "Output");
  uint8_t made[64];
  size_t length = out.length, xof = 0;
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  bool good = init_mac(context, name, stanza);
  piece = piece == 0 || piece > in.length ? in.length : piece;
  for (size_t done = 0; good && done < in.length; done += piece) {
    size_t now = in.length - done < piece ? in.length - done : piece;
    good = EVP_MAC_update(context, in.bytes + done, now) > 0;
  }
  if (stanza_is(stanza, "XOF", "1") || (control(stanza, "xof", &xof) && xof != 0)) {
    good = good && EVP_MAC_finalXOF(context, made, length) > 0;
  } else {
    good = good && EVP_MAC_final(context, made, &length, sizeof(made)) > 0;
  }
  good = good && length == out.length && memcmp(made, out.bytes, length) == 0;
  EVP_MAC_CTX_free(context);
  return good;
}

static void play_mac(const struct stanza *stanza) {
  char name[16] = "";
  sscanf(stanza_get(stanza, "MAC").text, "%15s", name); /* "CMAC by EVP_PKEY" too */
  EVP_MAC *mac = EVP_MAC_fetch(provider.libctx, name, NULL);
  if (mac == NULL) {
    ERR_clear_error();
    return;
  }
  bool bad = stanza_find(stanza, "Result") != NULL;
  for (size_t piece = 0; piece < 20; piece += 6) {
    report(stanza, "MAC", run_mac(mac, name, stanza, piece) != bad);
  }
  EVP_MAC_free(mac);
}

/* `Ncopy = n` after an input: n copies of it in one update; `Count = n`: n such updates. */
static bool feed_digest(EVP_MD_CTX *context, const struct stanza *stanza, size_t piece) {
  bool good = true;
  for (unsigned i = 0; i < stanza->fields_len; i++) {
    const struct field *field = &stanza->fields[i];
    if (strcmp(field->name, "Input") != 0) {
      continue;
    }
    size_t copies = 1, count = 1;
    for (unsigned j = i + 1; j < stanza->fields_len && strcmp(stanza->fields[j].name, "Input") != 0;
         j++) {
      size_t number = strtoull(stanza->fields[j].text, NULL, 10);
      copies = strcmp(stanza->fields[j].name, "Ncopy") == 0 ? number : copies;
      count = strcmp(stanza->fields[j].name, "Count") == 0 ? number : count;
    }
    size_t length = field->length * copies;
    uint8_t *message = malloc(length + 1);
    CHECK(message != NULL);
    for (size_t j = 0; j < copies; j++) {
      memcpy(message + j * field->length, field->bytes, field->length);
    }
    size_t most = piece == 0 || count > 1 ? length : piece;
    for (size_t round = 0; good && round < count; round++) {
      for (size_t done = 0; good && done < length; done += most) {
        good = EVP_DigestUpdate(context, message + done,
                                length - done < most ? length - done : most) == 1;
      }
    }
    free(message);
  }
  return good;
}

static void play_digest(const struct stanza *stanza) {
  EVP_MD *md = EVP_MD_fetch(provider.libctx, stanza_get(stanza, "Digest").text, NULL);
  struct field out = stanza_get(stanza, "Output");
  if (md == NULL) {
    ERR_clear_error();
    return;
  }
  for (size_t piece = 0; piece < 20; piece += 6) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    uint8_t *made = calloc(1, out.length + 64);
    unsigned length = (unsigned)out.length;
    CHECK(context != NULL && made != NULL);
    bool good = EVP_DigestInit_ex2(context, md, NULL) == 1 && feed_digest(context, stanza, piece) &&
                ((EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0
                     ? EVP_DigestFinalXOF(context, made, out.length) == 1
                     : EVP_DigestFinal_ex(context, made, &length) == 1);
    report(stanza, "digest", good && length == out.length && memcmp(made, out.bytes, length) == 0);
    free(made);
    EVP_MD_CTX_free(context);
  }
  EVP_MD_free(md);
}

static void play(const struct stanza *stanza) {
  bool here = stanza_find(stanza, "Availablein") == NULL ||
              strstr(stanza_get(stanza, "Availablein").text, "default");
  bool stitched = stanza_find(stanza, "TLSAAD") != NULL || stanza_find(stanza, "CTSMode") != NULL;
  if (here && !stitched && stanza_find(stanza, "Cipher") != NULL) {
    play_cipher(stanza);
  } else if (here && stanza_find(stanza, "MAC") != NULL) {
    play_mac(stanza);
  } else if (here && stanza_find(stanza, "Digest") != NULL) {
    play_digest(stanza);
  }
}

static void play_some(const struct stanza *stanza) {
  if (seen++ % every == 0) {
    play(stanza);
  }
}

/* The number of answers that at least are compared, one stanza in how many is played, files. */
int main(int argc, char **argv) {
  CHECK(argc > 3);
  every = (unsigned)atoi(argv[2]);
  CHECK(every > 0);
  host_open(&provider, "policy = always");
  for (int i = 3; i < argc; i++) {
    stanza_play_file(argv[i], play_some);
  }
  printf("%u played, %u failed, %llu jobs of the device\n", played, failed,
         (unsigned long long)host_count(&provider, "jobs"));
  CHECK_EQUAL(failed, 0);
  CHECK(played >= (unsigned)atoi(argv[1]));
  CHECK(host_count(&provider, "jobs") >= played / 4);
  host_close(&provider);
  return 0;
}
