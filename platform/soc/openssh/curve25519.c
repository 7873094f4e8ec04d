/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * X25519 and Ed25519 for ssh and sshd by OpenSSL, on the CPU, in place of OpenSSH's own code, which
 * has numbers of 32 bytes and multiplies these one by one: a handshake, which is not what is
 * measured, would be longer still.
 *
 * The functions are OpenSSH's (crypto_api.h, kex.h), so that its library is not asked for them.
 */
#include <openssl/evp.h>
#include <stdint.h>
#include <string.h>

#define KEY_BYTES       32
#define SIGNATURE_BYTES 64
#define ON_THE_CPU      "provider=default"

int crypto_scalarmult_curve25519(unsigned char *result, const unsigned char *scalar,
                                 const unsigned char *point);
int crypto_sign_ed25519(unsigned char *signed_message, unsigned long long *signed_length,
                        const unsigned char *message, unsigned long long length,
                        const unsigned char *secret);
int crypto_sign_ed25519_open(unsigned char *message, unsigned long long *length,
                             const unsigned char *signed_message, unsigned long long signed_length,
                             const unsigned char *public_key);
int crypto_sign_ed25519_keypair(unsigned char *public_key, unsigned char *secret);

/* Multiplies a point. Returns 0, or -1 if that fails. */
int crypto_scalarmult_curve25519(unsigned char *result, const unsigned char *scalar,
                                 const unsigned char *point) {
  size_t length = KEY_BYTES;
  EVP_PKEY *own = EVP_PKEY_new_raw_private_key_ex(NULL, "X25519", ON_THE_CPU, scalar, KEY_BYTES);
  EVP_PKEY *peer = EVP_PKEY_new_raw_public_key_ex(NULL, "X25519", ON_THE_CPU, point, KEY_BYTES);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, own, ON_THE_CPU);
  const int done = context != NULL && EVP_PKEY_derive_init(context) > 0 &&
                   EVP_PKEY_derive_set_peer(context, peer) > 0 &&
                   EVP_PKEY_derive(context, result, &length) > 0 && length == KEY_BYTES;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(peer);
  EVP_PKEY_free(own);
  return done ? 0 : -1;
}

/* Puts a signature before the message. `secret` is the private key and, behind it, the public one.
 * Returns 0, or -1 if that fails. */
int crypto_sign_ed25519(unsigned char *signed_message, unsigned long long *signed_length,
                        const unsigned char *message, unsigned long long length,
                        const unsigned char *secret) {
  size_t signature = SIGNATURE_BYTES;
  EVP_PKEY *own = EVP_PKEY_new_raw_private_key_ex(NULL, "ED25519", ON_THE_CPU, secret, KEY_BYTES);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  const int done = length <= SIZE_MAX - SIGNATURE_BYTES && context != NULL && own != NULL &&
                   EVP_DigestSignInit_ex(context, NULL, NULL, NULL, ON_THE_CPU, own, NULL) > 0 &&
                   EVP_DigestSign(context, signed_message, &signature, message, (size_t)length) > 0;
  if (done) {
    memmove(signed_message + SIGNATURE_BYTES, message, (size_t)length);
    *signed_length = SIGNATURE_BYTES + length;
  }
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(own);
  return done ? 0 : -1;
}

/* Checks a message with its signature before it, and copies it. Returns 0, or -1 if it is wrong. */
int crypto_sign_ed25519_open(unsigned char *message, unsigned long long *length,
                             const unsigned char *signed_message, unsigned long long signed_length,
                             const unsigned char *public_key) {
  if (signed_length < SIGNATURE_BYTES || signed_length > SIZE_MAX) {
    return -1;
  }
  const size_t rest = (size_t)signed_length - SIGNATURE_BYTES;
  EVP_PKEY *peer =
      EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", ON_THE_CPU, public_key, KEY_BYTES);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  const int good = context != NULL && peer != NULL &&
                   EVP_DigestVerifyInit_ex(context, NULL, NULL, NULL, ON_THE_CPU, peer, NULL) > 0 &&
                   EVP_DigestVerify(context, signed_message, SIGNATURE_BYTES,
                                    signed_message + SIGNATURE_BYTES, rest) == 1;
  if (good) {
    memmove(message, signed_message + SIGNATURE_BYTES, rest);
    *length = rest;
  }
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(peer);
  return good ? 0 : -1;
}

/* Neither ssh nor sshd makes such a key. */
int crypto_sign_ed25519_keypair(unsigned char *public_key, unsigned char *secret) {
  (void)public_key;
  (void)secret;
  return -1;
}
