/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * See session.h.
 */
#include "session.h"

/* What one side has sent and the other has not read. */
struct pipe {
  char bytes[1 << 20];
  int begin, end;
};

static struct pipe pipes[2];
static uint8_t sent[1 << 18], got[1 << 18];

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

static WOLFSSL *side(WOLFSSL_METHOD *method, bool is_server, bool with,
                     const struct session_identity *identity, int group) {
  WOLFSSL_CTX *context = wolfSSL_CTX_new(method);
  CHECK(context != NULL);
  /* Before the key: it is under the identifier that the context has then. */
  CHECK_EQUAL(wolfSSL_CTX_SetDevId(context, with ? DEVICE : INVALID_DEVID), WOLFSSL_SUCCESS);
  if (is_server) {
    CHECK_EQUAL(wolfSSL_CTX_use_certificate_buffer(context, identity->certificate,
                                                   (long)identity->certificate_len,
                                                   identity->format),
                WOLFSSL_SUCCESS);
    CHECK_EQUAL(wolfSSL_CTX_use_PrivateKey_buffer(context, identity->key, (long)identity->key_len,
                                                  identity->format),
                WOLFSSL_SUCCESS);
  } else {
    CHECK_EQUAL(wolfSSL_CTX_load_verify_buffer(context, identity->certificate,
                                               (long)identity->certificate_len, identity->format),
                WOLFSSL_SUCCESS);
  }
  wolfSSL_CTX_SetIORecv(context, take);
  wolfSSL_CTX_SetIOSend(context, give);
  CHECK_EQUAL(wolfSSL_CTX_set_cipher_list(context,
                                          "TLS13-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
                                          "ECDHE-RSA-AES256-GCM-SHA384"),
              WOLFSSL_SUCCESS);
  WOLFSSL *ssl = wolfSSL_new(context);
  CHECK(ssl != NULL);
  wolfSSL_CTX_free(context);
  if (group != 0) {
    CHECK_EQUAL(wolfSSL_set_groups(ssl, &group, 1), WOLFSSL_SUCCESS);
  }
  wolfSSL_SetIOReadCtx(ssl, &pipes[is_server]);
  wolfSSL_SetIOWriteCtx(ssl, &pipes[!is_server]);
  return ssl;
}

void session_open(struct session *session, WOLFSSL_METHOD *theirs, WOLFSSL_METHOD *ours,
                  bool server_with, const struct session_identity *identity, int group) {
  memset(pipes, 0, sizeof(pipes));
  session->server = side(theirs, true, server_with, identity, group);
  session->client = side(ours, false, !server_with, identity, group);
}

void session_handshake(struct session *session) {
  bool up[2] = {false, false};
  for (unsigned i = 0; i < 100 && !(up[0] && up[1]); i++) {
    up[0] = up[0] || wolfSSL_connect(session->client) == WOLFSSL_SUCCESS;
    up[1] = up[1] || wolfSSL_accept(session->server) == WOLFSSL_SUCCESS;
  }
  CHECK(up[0] && up[1]);
  CHECK(strstr(wolfSSL_get_cipher(session->client), "GCM") != NULL);
}

void session_send(struct session *session, uint32_t length) {
  CHECK(length <= sizeof(sent));
  fill(sent, length);
  CHECK_EQUAL(wolfSSL_write(session->server, sent, (int)length), (int)length);
  for (uint32_t done = 0; done < length;) {
    int now = wolfSSL_read(session->client, got + done, (int)(length - done));
    CHECK(now > 0);
    done += (uint32_t)now;
  }
  CHECK(memcmp(sent, got, length) == 0);
}

void session_close(struct session *session) {
  wolfSSL_free(session->client);
  wolfSSL_free(session->server);
}
