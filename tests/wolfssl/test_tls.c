/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A TLS client and server of wolfSSL in one process, one of them with the callback.
 *
 *   wolfssl_tls LIBRARY
 */
#include <wolfssl/options.h>

#include <wolfssl/ssl.h>

#include <unistd.h>

#include "check.h"
#include "outwork_wolfssl.h"

#define DEVICE 0x4f57
#define LENGTH 200003

/* What one side has sent and the other has not read. */
struct pipe {
  char bytes[1 << 20];
  int begin, end;
};

static struct pipe pipes[2];
static uint8_t page[LENGTH], got[LENGTH];
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
  snprintf(chosen, sizeof(path[0]), "%s/%s", folder, name);
  return chosen;
}

static WOLFSSL *side(WOLFSSL_METHOD *method, bool is_server, bool with) {
  WOLFSSL_CTX *context = wolfSSL_CTX_new(method);
  CHECK(context != NULL);
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
  CHECK_EQUAL(wolfSSL_CTX_SetDevId(context, with ? DEVICE : INVALID_DEVID), WOLFSSL_SUCCESS);
  wolfSSL_CTX_SetIORecv(context, take);
  wolfSSL_CTX_SetIOSend(context, give);
  CHECK_EQUAL(
      wolfSSL_CTX_set_cipher_list(context, "TLS13-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384"),
      WOLFSSL_SUCCESS);
  WOLFSSL *ssl = wolfSSL_new(context);
  wolfSSL_CTX_free(context);
  wolfSSL_SetIOReadCtx(ssl, &pipes[is_server]);
  wolfSSL_SetIOWriteCtx(ssl, &pipes[!is_server]);
  return ssl;
}

static uint64_t jobs(void) {
  struct ow_offload_totals totals;
  ow_offload_totals(ow_wolfssl_offload(DEVICE), &totals);
  return totals.jobs;
}

static void session(WOLFSSL_METHOD *theirs, WOLFSSL_METHOD *ours, bool server_with) {
  memset(pipes, 0, sizeof(pipes));
  WOLFSSL *server = side(theirs, true, server_with), *client = side(ours, false, !server_with);
  bool up[2] = {false, false};
  uint64_t before = jobs();
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
  CHECK(jobs() >= before + LENGTH / 16384);
  wolfSSL_free(client);
  wolfSSL_free(server);
}

static void tls_1_2(void) {
  session(wolfTLSv1_2_server_method(), wolfTLSv1_2_client_method(), true);
  session(wolfTLSv1_2_server_method(), wolfTLSv1_2_client_method(), false);
}

static void tls_1_3(void) {
  session(wolfTLSv1_3_server_method(), wolfTLSv1_3_client_method(), true);
  session(wolfTLSv1_3_server_method(), wolfTLSv1_3_client_method(), false);
}

int main(int argc, char **argv) {
  char command[512];
  CHECK(argc == 2);
  const struct ow_offload_settings settings = {.library = argv[1], .policy = "always"};
  CHECK(mkdtemp(folder) != NULL);
  snprintf(command, sizeof(command),
           "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj "
           "/CN=localhost -days 2 "
           "-keyout %s/key -out %s/certificate 2>%s/log",
           folder, folder, folder);
  CHECK_EQUAL(system(command), 0);
  for (unsigned i = 0; i < LENGTH; i++) {
    page[i] = (uint8_t)(i * 2654435761u >> 24);
  }
  CHECK_EQUAL(wolfSSL_Init(), WOLFSSL_SUCCESS);
  CHECK_EQUAL(ow_wolfssl_register(DEVICE, &settings), 0);
  RUN(tls_1_2);
  RUN(tls_1_3);
  ow_wolfssl_unregister(DEVICE);
  wolfSSL_Cleanup();
  unlink(file("key"));
  unlink(file("certificate"));
  unlink(file("log"));
  CHECK_EQUAL(rmdir(folder), 0);
  return 0;
}
