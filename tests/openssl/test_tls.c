/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * TLS 1.2 and 1.3 between a side with the provider and one without: each decrypts the other's
 * records, and the device does the records of GCM, signatures and secrets.
 *
 *   test_tls STEP    one suite in so many
 *   test_tls keys    with a policy for keys only: the device's jobs are counted exactly; one suite
 *                    a handshake
 *   test_tls keys-all    the same with every suite
 *   test_tls absent  without a board (the fake one): the CPU does everything
 */
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

#define ROUNDS 30

static const struct {
  int version;
  const char *suite;
  const char *group;
  const char *key; /* the certificate's */
  bool offloaded;  /* the device processes its records */
  /* Operations with keys in the handshake of client and server, besides those that hash: one
   * verifies or signs, one derives. With ML-KEM the client's key is generated too; the hybrid's
   * operations are several jobs. */
  unsigned jobs[2];
  /* the first release with these keys */
  unsigned major, minor;
} suites[] = {
    {TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "X25519", "P-256", true, {2, 2}, 3, 0},
    {TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384", "P-256", "RSA", true, {2, 2}, 3, 0},
    {TLS1_3_VERSION, "TLS_AES_128_CCM_SHA256", "P-256", "P-256", true, {2, 2}, 3, 0},
    {TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256", "P-256", "P-256", false, {2, 2}, 3, 0},
    {TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256", "P-384", "RSA", false, {2, 2}, 3, 0},
    {TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256", "P-256", "P-256", true, {2, 2}, 3, 0},
    {TLS1_2_VERSION, "ECDHE-RSA-AES256-GCM-SHA384", "X25519", "RSA", true, {2, 2}, 3, 0},
    {TLS1_2_VERSION, "ECDHE-ECDSA-AES256-CCM", "X25519:P-256", "P-256", false, {2, 2}, 3, 0},
    {TLS1_2_VERSION, "ECDHE-ECDSA-AES256-SHA384", "P-256", "P-256", true, {2, 2}, 3, 0}, /* CBC: the
                                                                                            MACs */
    {TLS1_2_VERSION, "ECDHE-RSA-AES256-SHA384", "X25519", "RSA", true, {2, 2}, 3, 0},
    {TLS1_2_VERSION, "AES256-SHA256", "X25519", "RSA", true, {1, 0}, 3, 0}, /* decrypts inside */
    {TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "X25519", "ED25519", true, {2, 2}, 3, 0},
    {TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384", "MLKEM512", "P-256", true, {3, 2}, 3, 5},
    {TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "MLKEM768", "ED25519", true, {3, 2}, 3, 5},
    {TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "MLKEM1024", "RSA", true, {3, 2}, 3, 5},
    {TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "X25519MLKEM768", "P-256", true, {5, 4}, 3, 5},
    {TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "X25519MLKEM768", "ML-DSA-65", true, {5, 4}, 3, 5},
    {TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384", "P-256", "ML-DSA-44", true, {2, 2}, 3, 5},
    {TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384", "MLKEM1024", "ML-DSA-87", true, {3, 2}, 3, 5},
};

static EVP_PKEY *generate(const char *type) {
  return strcmp(type, "RSA") == 0     ? EVP_RSA_gen(2048)
         : strcmp(type, "P-256") == 0 ? EVP_EC_gen("P-256")
                                      : EVP_PKEY_Q_keygen(NULL, NULL, type);
}

static void certify(SSL_CTX *context, const char *type) {
  EVP_PKEY *key = generate(type);
  bool hashes = strcmp(type, "RSA") == 0 || strcmp(type, "P-256") == 0;
  X509 *certificate = X509_new();
  X509_NAME *name = X509_NAME_new(); /* from OpenSSL 4 on the certificate's own name is const */
  CHECK(key != NULL && certificate != NULL && name != NULL);
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  CHECK(
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const uint8_t *)"outwork", -1, -1, 0));
  CHECK(X509_set_subject_name(certificate, name) && X509_set_issuer_name(certificate, name));
  CHECK(X509_sign(certificate, key, hashes ? EVP_sha256() : NULL) > 0);
  CHECK(SSL_CTX_use_certificate(context, certificate) && SSL_CTX_use_PrivateKey(context, key));
  X509_NAME_free(name);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

static SSL_CTX *context_new(struct host *host, size_t suite, bool server) {
  SSL_CTX *context =
      SSL_CTX_new_ex(host->libctx, NULL, server ? TLS_server_method() : TLS_client_method());
  CHECK(context != NULL);
  SSL_CTX_set_min_proto_version(context, suites[suite].version);
  SSL_CTX_set_max_proto_version(context, suites[suite].version);
  CHECK(suites[suite].version == TLS1_3_VERSION
            ? SSL_CTX_set_ciphersuites(context, suites[suite].suite)
            : SSL_CTX_set_cipher_list(context, suites[suite].suite));
  CHECK(SSL_CTX_set1_groups_list(context, suites[suite].group));
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET); /* tickets would be encrypted with AES */
  SSL_CTX_set_num_tickets(context, 0);
  if (server) {
    certify(context, suites[suite].key);
  }
  return context;
}

static void handshake(SSL *client, SSL *server) {
  int client_done = 0, server_done = 0;
  for (unsigned i = 0; i < 20 && !(client_done == 1 && server_done == 1); i++) {
    client_done = SSL_do_handshake(client);
    server_done = SSL_do_handshake(server);
  }
  if (client_done != 1 || server_done != 1) {
    ERR_print_errors_fp(stderr);
  }
  CHECK(client_done == 1 && server_done == 1);
}

static void talk(SSL *from, SSL *to, struct dice *dice) {
  static uint8_t said[40000], heard[40000];
  size_t length = 1 + (dice_roll(dice, 2) == 0 ? dice_roll(dice, 200) : dice_roll(dice, 39000));
  dice_fill(dice, said, length);
  memset(heard, 0, sizeof(heard));
  for (size_t sent = 0, got = 0; got < length;) {
    size_t now = 0;
    if (sent < length && SSL_write_ex(from, said + sent, length - sent, &now)) {
      sent += now;
    }
    while (SSL_read_ex(to, heard + got, sizeof(heard) - got, &now)) {
      got += now;
    }
    CHECK(SSL_get_error(to, 0) == SSL_ERROR_WANT_READ);
  }
  CHECK(memcmp(said, heard, length) == 0);
}

/* The jobs of the device in the handshake and for the records. */
struct session_jobs {
  uint64_t handshake, records;
};

static struct session_jobs session(struct host *client_host, struct host *server_host,
                                   const struct host *ours, size_t suite) {
  struct dice dice = {suite};
  SSL_CTX *client_context = context_new(client_host, suite, false);
  SSL_CTX *server_context = context_new(server_host, suite, true);
  SSL *client = SSL_new(client_context), *server = SSL_new(server_context);
  BIO *client_end, *server_end;
  CHECK(BIO_new_bio_pair(&client_end, 1 << 17, &server_end, 1 << 17));
  SSL_set_bio(client, client_end, client_end);
  SSL_set_bio(server, server_end, server_end);
  SSL_set_connect_state(client);
  SSL_set_accept_state(server);
  SSL_set_mode(client, SSL_MODE_ENABLE_PARTIAL_WRITE);
  SSL_set_mode(server, SSL_MODE_ENABLE_PARTIAL_WRITE);
  uint64_t before = host_count(ours, "jobs");
  handshake(client, server);
  uint64_t between = host_count(ours, "jobs");
  CHECK(strcmp(SSL_get_cipher_name(client), suites[suite].suite) == 0);
  for (unsigned round = 0; round < ROUNDS; round++) {
    talk(client, server, &dice);
    talk(server, client, &dice);
  }
  struct session_jobs jobs = {between - before, host_count(ours, "jobs") - between};
  SSL_free(client);
  SSL_free(server);
  SSL_CTX_free(client_context);
  SSL_CTX_free(server_context);
  return jobs;
}

/* Returns whether this release has what the suite needs; says so if not. */
static bool is_there(size_t suite) {
  unsigned release = OPENSSL_version_major() * 100 + OPENSSL_version_minor();
  if (release < suites[suite].major * 100 + suites[suite].minor) {
    printf("skipped: %s with %s needs OpenSSL %u.%u\n", suites[suite].group, suites[suite].key,
           suites[suite].major, suites[suite].minor);
    return false;
  }
  return true;
}

/* Returns whether an earlier suite has the same handshake, and differs only in the records. */
static bool repeats_a_handshake(size_t suite) {
  for (size_t other = 0; other < suite; other++) {
    if (suites[other].version == suites[suite].version &&
        strcmp(suites[other].group, suites[suite].group) == 0 &&
        strcmp(suites[other].key, suites[suite].key) == 0 &&
        memcmp(suites[other].jobs, suites[suite].jobs, sizeof(suites[suite].jobs)) == 0) {
      return true;
    }
  }
  return false;
}

/* What the device is to do. */
enum mode { EVERYTHING, KEYS, NOTHING };

static void play(struct host *ours, struct host *theirs, size_t suite, enum mode mode) {
  for (unsigned server = 0; server < 2; server++) {
    struct session_jobs jobs = session(server ? theirs : ours, server ? ours : theirs, ours, suite);
    printf("%s, %s, %s as %s: %llu jobs of the device in the handshake, then %llu\n",
           suites[suite].suite, suites[suite].group, suites[suite].key,
           server ? "server" : "client", (unsigned long long)jobs.handshake,
           (unsigned long long)jobs.records);
    if (mode != EVERYTHING) {
      CHECK_EQUAL(jobs.handshake, mode == KEYS ? suites[suite].jobs[server] : 0);
      CHECK_EQUAL(jobs.records, 0);
    } else {
      CHECK(jobs.handshake >= suites[suite].jobs[server]);
      CHECK(suites[suite].offloaded ? jobs.records >= 2 * ROUNDS : jobs.records < 4);
    }
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  bool sample = strcmp(argv[1], "keys") == 0;
  enum mode mode = sample || strcmp(argv[1], "keys-all") == 0 ? KEYS
                   : strcmp(argv[1], "absent") == 0           ? NOTHING
                                                              : EVERYTHING;
  size_t step = mode != EVERYTHING ? 1 : (size_t)atoi(argv[1]);
  CHECK(step > 0);
  char path[] = "/tmp/outwork-test-XXXXXX", settings[64] = "policy = always";
  if (mode == KEYS) {
    host_write_key_policy(path);
    snprintf(settings, sizeof(settings), "policy = %s", path);
  }
  struct host ours, theirs;
  host_open_beside(&ours, settings);
  host_open_default(&theirs);
  for (size_t suite = 0; suite < sizeof(suites) / sizeof(suites[0]); suite += step) {
    if (!(sample && repeats_a_handshake(suite)) && is_there(suite)) {
      play(&ours, &theirs, suite, mode);
    }
  }
  CHECK_EQUAL(host_count(&ours, "cpu-fault"), 0);
  host_close(&ours);
  host_close(&theirs);
  if (mode == KEYS) {
    unlink(path);
  }
  return 0;
}
