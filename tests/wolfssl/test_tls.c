/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * TLS 1.2 and 1.3 with RSA and ECDSA certificates: records, and handshakes.
 *
 *   wolfssl_tls LIBRARY fake|board
 */
#include "session.h"

#include <unistd.h>

#define LENGTH 200003u

static const char *const kinds[] = {"ec", "rsa"}; /* of certificates */
static char folder[] = "/tmp/outwork-wolfssl-XXXXXX";
static uint8_t pems[2][2][8192];
static struct session_identity identities[2];

/* One of the two has the callback, which is to have done so many jobs at least. */
static void session(bool newest, bool server_with, unsigned kind, uint64_t jobs) {
  struct session session;
  WOLFSSL_METHOD *theirs = newest ? wolfTLSv1_3_server_method() : wolfTLSv1_2_server_method();
  WOLFSSL_METHOD *ours = newest ? wolfTLSv1_3_client_method() : wolfTLSv1_2_client_method();
  /* For TLS 1.3 later releases would choose a hybrid group. */
  session_open(&session, theirs, ours, server_with, &identities[kind],
               newest ? WOLFSSL_ECC_SECP256R1 : 0);
  uint64_t before = rig_jobs();
  session_handshake(&session);
  session_send(&session, LENGTH);
  CHECK(rig_jobs() >= before + jobs);
  printf("TLS 1.%c, %s certificate, %s: %llu jobs\n", newest ? '3' : '2', kinds[kind],
         server_with ? "server" : "client", (unsigned long long)(rig_jobs() - before));
  session_close(&session);
}

static void both(uint64_t jobs) {
  for (unsigned i = 0; i < 8; i++) {
    session(i % 2 == 1, i / 2 % 2 == 0, i / 4, jobs);
  }
}

static void records(void) {
  both(LENGTH / 16384);
}

/* The server signs, the client verifies; each makes a key pair and derives the shared secret. */
static void handshakes(void) {
  both(3);
}

/* Reads a file of the folder into `pem`, and removes it. */
static size_t collect(uint8_t pem[8192], const char *name) {
  char path[64];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  size_t length = fread(pem, 1, 8192, file);
  CHECK(length != 0 && length < 8192);
  CHECK_EQUAL(fclose(file), 0);
  CHECK_EQUAL(unlink(path), 0);
  return length;
}

static void make_certificate(unsigned kind, const char *how) {
  char command[512];
  snprintf(command, sizeof(command),
           "openssl req -x509 -newkey %s -noenc -subj /CN=localhost -days 2 -keyout %s/key "
           "-out %s/certificate 2>/dev/null",
           how, folder, folder);
  CHECK_EQUAL(system(command), 0);
  identities[kind] =
      (struct session_identity){.certificate = pems[kind][0],
                                .key = pems[kind][1],
                                .certificate_len = collect(pems[kind][0], "certificate"),
                                .key_len = collect(pems[kind][1], "key"),
                                .format = WOLFSSL_FILETYPE_PEM};
}

int main(int argc, char **argv) {
  bool board = rig_is(argc, argv, "board");
  CHECK(mkdtemp(folder) != NULL);
  make_certificate(0, "ec -pkeyopt ec_paramgen_curve:P-256");
  make_certificate(1, "rsa:2048");
  CHECK_EQUAL(rmdir(folder), 0);
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
  return 0;
}
