/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A TLS client and server of wolfSSL in one process, one of them with the callback.
 */
#ifndef OUTWORK_TEST_WOLFSSL_SESSION_H
#define OUTWORK_TEST_WOLFSSL_SESSION_H

#include "rig.h"

#include <wolfssl/ssl.h>

/* The server's certificate, which the client trusts, and its key. */
struct session_identity {
  const uint8_t *certificate, *key;
  size_t certificate_len, key_len;
  /* WOLFSSL_FILETYPE_PEM or WOLFSSL_FILETYPE_ASN1 */
  int format;
};

struct session {
  WOLFSSL *client, *server;
};

/* Makes both sides and connects them to each other; the server has the callback, or the client.
 * `group` is the only one that they offer; 0: wolfSSL's choice. */
void session_open(struct session *session, WOLFSSL_METHOD *theirs, WOLFSSL_METHOD *ours,
                  bool server_with, const struct session_identity *identity, int group);
void session_handshake(struct session *session);
/* Sends `length` bytes of the server to the client, and compares them. */
void session_send(struct session *session, uint32_t length);
void session_close(struct session *session);

#endif
