/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests TLS: a client and a server of Mbed TLS in one process, both with the driver.
 *
 *   psa_tls LIBRARY BOARD     BOARD is not used
 */
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/ssl.h>

#include <unistd.h>

#include "message.h"

#define LENGTH 100003

/* Bytes that one side has sent; those from `begin` to `end` have not been read yet. */
struct pipe {
  unsigned char bytes[1 << 18];
  size_t begin, end;
};

struct side {
  mbedtls_ssl_context ssl;
  mbedtls_ssl_config config;
  struct pipe *in, *out;
};

static struct pipe pipes[2];
static uint8_t page[LENGTH], got[LENGTH];
static char folder[] = "/tmp/outwork-mbedtls-XXXXXX";
static mbedtls_x509_crt certificate;
static mbedtls_pk_context key;
static mbedtls_entropy_context entropy;
static mbedtls_ctr_drbg_context drbg;

static int take(void *context, unsigned char *buffer, size_t size) {
  struct pipe *pipe = ((struct side *)context)->in;
  size_t length = pipe->end - pipe->begin < size ? pipe->end - pipe->begin : size;
  memcpy(buffer, pipe->bytes + pipe->begin, length);
  pipe->begin += length;
  return length != 0 ? (int)length : MBEDTLS_ERR_SSL_WANT_READ;
}

static int give(void *context, const unsigned char *buffer, size_t size) {
  struct pipe *pipe = ((struct side *)context)->out;
  CHECK(pipe->end + size <= sizeof(pipe->bytes));
  memcpy(pipe->bytes + pipe->end, buffer, size);
  pipe->end += size;
  return (int)size;
}

static void open_side(struct side *side, int end, const int *suites,
                      mbedtls_ssl_protocol_version version) {
  mbedtls_ssl_init(&side->ssl);
  mbedtls_ssl_config_init(&side->config);
  side->in = &pipes[end == MBEDTLS_SSL_IS_SERVER];
  side->out = &pipes[end != MBEDTLS_SSL_IS_SERVER];
  CHECK_EQUAL(mbedtls_ssl_config_defaults(&side->config, end, MBEDTLS_SSL_TRANSPORT_STREAM,
                                          MBEDTLS_SSL_PRESET_DEFAULT),
              0);
  mbedtls_ssl_conf_rng(&side->config, mbedtls_ctr_drbg_random, &drbg);
  mbedtls_ssl_conf_min_tls_version(&side->config, version);
  mbedtls_ssl_conf_max_tls_version(&side->config, version);
  mbedtls_ssl_conf_ciphersuites(&side->config, suites);
  if (end == MBEDTLS_SSL_IS_SERVER) {
    CHECK_EQUAL(mbedtls_ssl_conf_own_cert(&side->config, &certificate, &key), 0);
  } else {
    mbedtls_ssl_conf_ca_chain(&side->config, &certificate, NULL);
  }
  CHECK_EQUAL(mbedtls_ssl_setup(&side->ssl, &side->config), 0);
  if (end != MBEDTLS_SSL_IS_SERVER) {
    CHECK_EQUAL(mbedtls_ssl_set_hostname(&side->ssl, "localhost"), 0);
  }
  mbedtls_ssl_set_bio(&side->ssl, side, give, take, NULL);
}

static void session(int suite, mbedtls_ssl_protocol_version version) {
  static struct side server, client;
  const int suites[] = {suite, 0};
  int up[2] = {1, 1};
  uint64_t before = jobs();
  memset(pipes, 0, sizeof(pipes));
  open_side(&server, MBEDTLS_SSL_IS_SERVER, suites, version);
  open_side(&client, MBEDTLS_SSL_IS_CLIENT, suites, version);
  for (unsigned i = 0; i < 100 && (up[0] != 0 || up[1] != 0); i++) {
    up[0] = up[0] != 0 ? mbedtls_ssl_handshake(&client.ssl) : 0;
    up[1] = up[1] != 0 ? mbedtls_ssl_handshake(&server.ssl) : 0;
  }
  CHECK_EQUAL(up[0], 0);
  CHECK_EQUAL(up[1], 0);
  for (int done = 0, length; done < LENGTH; done += length) {
    length = mbedtls_ssl_write(&server.ssl, page + done, (size_t)(LENGTH - done));
    CHECK(length > 0);
  }
  for (int done = 0, length; done < LENGTH; done += length > 0 ? length : 0) {
    length = mbedtls_ssl_read(&client.ssl, got + done, (size_t)(LENGTH - done));
    CHECK(length > 0 || length == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET ||
          length == MBEDTLS_ERR_SSL_WANT_READ);
  }
  CHECK(memcmp(page, got, LENGTH) == 0);
  printf("%s %s: %llu jobs\n", mbedtls_ssl_get_version(&client.ssl),
         mbedtls_ssl_get_ciphersuite(&client.ssl), (unsigned long long)(jobs() - before));
  CHECK(jobs() >= before + 2 * (LENGTH / 16384)); /* each record is encrypted and decrypted */
  struct side *const sides[] = {&server, &client};
  for (unsigned i = 0; i < 2; i++) {
    mbedtls_ssl_free(&sides[i]->ssl);
    mbedtls_ssl_config_free(&sides[i]->config);
  }
}

static const char *file(const char *name) {
  static char path[64];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  return path;
}

static void make_certificate(void) {
  char command[512];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(command, sizeof(command),
           "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj "
           "/CN=localhost -days 2 -keyout %s/key -out %s/certificate 2>%s/log",
           folder, folder, folder);
  CHECK_EQUAL(system(command), 0);
  mbedtls_x509_crt_init(&certificate);
  mbedtls_pk_init(&key);
  CHECK_EQUAL(mbedtls_x509_crt_parse_file(&certificate, file("certificate")), 0);
  CHECK_EQUAL(mbedtls_pk_parse_keyfile(&key, file("key"), NULL, mbedtls_ctr_drbg_random, &drbg), 0);
  const char *const names[] = {"key", "certificate", "log"};
  for (unsigned i = 0; i < 3; i++) {
    CHECK_EQUAL(unlink(file(names[i])), 0);
  }
  CHECK_EQUAL(rmdir(folder), 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  begin(argv[1]);
  mbedtls_entropy_init(&entropy);
  mbedtls_ctr_drbg_init(&drbg);
  CHECK_EQUAL(mbedtls_ctr_drbg_seed(&drbg, mbedtls_entropy_func, &entropy, NULL, 0), 0);
  make_certificate();
  fill(page, LENGTH);
  session(MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, MBEDTLS_SSL_VERSION_TLS1_2);
  session(MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_256_CCM, MBEDTLS_SSL_VERSION_TLS1_2);
#if defined(MBEDTLS_SSL_PROTO_TLS1_3)
  session(MBEDTLS_TLS1_3_AES_256_GCM_SHA384, MBEDTLS_SSL_VERSION_TLS1_3);
#endif
  mbedtls_x509_crt_free(&certificate);
  mbedtls_pk_free(&key);
  mbedtls_ctr_drbg_free(&drbg);
  mbedtls_entropy_free(&entropy);
  end();
  return 0;
}
