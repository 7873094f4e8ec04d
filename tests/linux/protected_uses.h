/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Ciphers of the crypto API under protected keys of the kernel module, on the fake device.
 */
#ifndef OUTWORK_TEST_PROTECTED_USES_H
#define OUTWORK_TEST_PROTECTED_USES_H

#include "kernel_skcipher.h"
#include "protected.h"
#include "requests.h"

enum { LENGTH = 64, TOKEN = sizeof(struct owk_token) };

extern u8 bytes[64]; /* of a key, or two; other ones for each device */

/* A cipher and a request of it. */
struct use {
  struct crypto_skcipher tfm;
  struct skcipher_request request;
  u64 context[CONTEXT_BYTES / 8];
  struct scatterlist source[PIECES], destination[PIECES];
  u8 *memory, *result;
  u8 text[LENGTH_MAX], iv[16], first_iv[16];
  unsigned ended, told;
  int error;
};

void open_protected(void);
/* No request was for software, none was lost, and no slot is kept for nobody. */
void close_protected(void);
struct owk_protected *new_protected(unsigned len, bool two_keys);
/* As the keyring does when a key goes. */
void end_protected(struct owk_protected *protected);
const u8 *token_of(const struct owk_protected *protected);
struct use *make_use(const char *name, const u8 *token);
void free_use(struct use *use);
/* Encrypts a new text in place, or to `result`. Returns what the crypto API gets. */
int encrypt(struct use *use, u32 length);
void check_sealed(const struct use *use, const u8 *key, u8 opcode, size_t key_len);
/* A request that does not reach the device, or ends with an error there: the text is as it was. */
void check_error(struct use *use, int error);
int set_token(const char *name, const u8 *token, unsigned length);

#endif
