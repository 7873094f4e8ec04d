/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A TLS client and server of wolfSSL in one process, one of them with the callback.
 *
 *   wolfssl_tls LIBRARY fake|board
 */
#include "rig.h"

#include <wolfssl/ssl.h>

#include <unistd.h>

#define LENGTH 200003

/* What one side has sent and the other has not read. */
struct pipe {
  char bytes[1 << 20];
  int begin, end;
};

static struct pipe pipes[2];
static uint8_t page[LENGTH], got[LENGTH];
static const char *kind; /* of the certificate */
static char folder[] = "/tmp/outwork-wolfssl-XXXXXX";

static int take(WOLFSSL *ssl, char *buffer, int size, void *context) {
  struct pipe *pipe = context;
  (void)ssl;
  int length = pipe->end - pipe->begin < size ? pipe->end - pipe->begin : size;
  memcpy(buffer, pipe->bytes + pipe->begin, (size_t)length);
  pipe->begin += length;
  return length != 0 ? length : WOLFSSL_CBIO_ERR_WANT_READ;
}

static int give(WOLFSSL *ssl, char *buffer, int size, void *context) {
  struct pipe *pipe = context;
  (void)ssl;
  CHECK(pipe->end + size <= (int)sizeof(pipe->bytes));
  memcpy(pipe->bytes + pipe->end, buffer, (size_t)size);
  pipe->end += size;
  return size;
}

static const char *file(const char *name) {
  static char path[2][64];
  static unsigned turn;
  char *chosen = path[turn++ % 2];
  snprintf(chosen, sizeof(path[0]), "%s/%s-%s", folder, kind, name);
  return chosen;
}

static WOLFSSL *side(WOLFSSL_METHOD *method, bool is_server, bool with) {
  WOLFSSL_CTX *context = wolfSSL_CTX_new(method);
  CHECK(context != NULL);
  /* Before the key: it is under the identifier that the context has then. */
  CHECK_EQUAL(wolfSSL_CTX_SetDevId(context, with ? DEVICE : INVALID_DEVID), WOLFSSL_SUCCESS);
  if (is_server) {
    CHECK_EQUAL(
        wolfSSL_CTX_use_certificate_file(context, file("certificate"), WOLFSSL_FILETYPE_PEM),
        WOLFSSL_SUCCESS);
    CHECK_EQUAL(wolfSSL_CTX_use_PrivateKey_file(context, file("key"), WOLFSSL_FILETYPE_PEM),
                WOLFSSL_SUCCESS);
  } else {
    CHECK_EQUAL(wolfSSL_CTX_load_verify_locations(context, file("certificate"), NULL),
                WOLFSSL_SUCCESS);
  }
  wolfSSL_CTX_SetIORecv(context, take);
  wolfSSL_CTX_SetIOSend(context, give);
  CHECK_EQUAL(wolfSSL_CTX_set_cipher_list(context,
                                          "TLS13-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
                                          "ECDHE-RSA-AES256-GCM-SHA384"),
              WOLFSSL_SUCCESS);
  WOLFSSL *ssl = wolfSSL_new(context);
  wolfSSL_CTX_free(context);
  wolfSSL_SetIOReadCtx(ssl, &pipes[is_server]);
  wolfSSL_SetIOWriteCtx(ssl, &pipes[!is_server]);
  return ssl;
}

/* One of the two has the callback, which is to have done so many jobs at least. */
static void session(WOLFSSL_METHOD *theirs, WOLFSSL_METHOD *ours, bool server_with, uint64_t jobs) {
  memset(pipes, 0, sizeof(pipes));
  WOLFSSL *server = side(theirs, true, server_with), *client = side(ours, false, !server_with);
  bool up[2] = {false, false};
  uint64_t before = rig_jobs();
  for (unsigned i = 0; i < 100 && !(up[0] && up[1]); i++) {
    up[0] = up[0] || wolfSSL_connect(client) == WOLFSSL_SUCCESS;
    up[1] = up[1] || wolfSSL_accept(server) == WOLFSSL_SUCCESS;
  }
  CHECK(up[0] && up[1]);
  CHECK(strstr(wolfSSL_get_cipher(client), "GCM") != NULL);
  CHECK_EQUAL(wolfSSL_write(server, page, LENGTH), LENGTH);
  int done = 0;
  while (done < LENGTH) {
    int length = wolfSSL_read(client, got + done, LENGTH - done);
    CHECK(length > 0);
    done += length;
  }
  CHECK(memcmp(page, got, LENGTH) == 0);
  CHECK(rig_jobs() >= before + jobs);
  printf("%s certificate, %s: %llu jobs\n", kind, server_with ? "server" : "client",
         (unsigned long long)(rig_jobs() - before));
  wolfSSL_free(client);
  wolfSSL_free(server);
}

static void both(uint64_t jobs) {
  static const char *const kinds[] = {"ec", "rsa"};
  for (unsigned i = 0; i < 4; i++) {
    kind = kinds[i / 2];
    session(wolfTLSv1_2_server_method(), wolfTLSv1_2_client_method(), i % 2 == 0, jobs);
    session(wolfTLSv1_3_server_method(), wolfTLSv1_3_client_method(), i % 2 == 0, jobs);
  }
}

static void records(void) {
  both(LENGTH / 16384);
}

/* The server signs, the client verifies; each makes a key pair and derives the shared secret. */
static void handshakes(void) {
  both(3);
}

static void make_certificate(const char *which, const char *how) {
  char command[512];
  kind = which;
  snprintf(command, sizeof(command),
           "openssl req -x509 -newkey %s -noenc -subj /CN=localhost -days 2 -keyout %s -out %s "
           "2>/dev/null",
           how, file("key"), file("certificate"));
  CHECK_EQUAL(system(command), 0);
}

int main(int argc, char **argv) {
  bool board = rig_is(argc, argv, "board");
  CHECK(mkdtemp(folder) != NULL);
  make_certificate("ec", "ec -pkeyopt ec_paramgen_curve:P-256");
  make_certificate("rsa", "rsa:2048");
  fill(page, sizeof(page));
  CHECK_EQUAL(wolfSSL_Init(), WOLFSSL_SUCCESS);
  rig_open_for(argv[1], OW_OP_AES_ECB, OW_OP_AES_CMAC);
  RUN(records);
  rig_close();
  if (board) { /* the fake device has no public keys */
    rig_open_for(argv[1], OW_OP_MODEXP, OW_OP_EC_VERIFY);
    RUN(handshakes);
    rig_close();
  }
  wolfSSL_Cleanup();
  for (unsigned i = 0; i < 2; i++) {
    kind = i == 0 ? "ec" : "rsa";
    CHECK_EQUAL(unlink(file("key")), 0);
    CHECK_EQUAL(unlink(file("certificate")), 0);
  }
  CHECK_EQUAL(rmdir(folder), 0);
  return 0;
}
