/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A loop of OpenSSL calls, one message a turn, timed with thread CPU time; the calls come in as
 * pointers, so that no OpenSSL header is needed.
 */
#ifndef OUTWORK_EVP_LOOP_H
#define OUTWORK_EVP_LOOP_H

#include <stddef.h>
#include <stdint.h>

/* libcrypto's functions: EVP_CipherInit_ex2, EVP_CipherUpdate, EVP_CipherFinal_ex,
 * EVP_CIPHER_CTX_ctrl, EVP_MAC_init, EVP_MAC_update, EVP_MAC_final. */
struct ow_evp_calls {
  int (*cipher_init)(void *, const void *, const unsigned char *, const unsigned char *, int,
                     void *);
  int (*cipher_update)(void *, unsigned char *, int *, const unsigned char *, int);
  int (*cipher_final)(void *, unsigned char *, int *);
  int (*cipher_ctrl)(void *, int, int, void *);
  int (*mac_init)(void *, const unsigned char *, size_t, const void *);
  int (*mac_update)(void *, const unsigned char *, size_t);
  int (*mac_final)(void *, unsigned char *, size_t *, size_t);
};

/* What happens in a turn. Contexts have their cipher, lengths and (unless keys travel with the
 * message) key already. */
struct ow_evp_work {
  void **contexts; /* a turn uses the next one: several hold prepared keys */
  uint32_t contexts_len;
  uint32_t is_encrypt;
  uint32_t is_mac_object; /* CMAC: an EVP_MAC_CTX */
  uint32_t is_gmac;       /* the message is AAD */
  uint32_t is_ccm;        /* lengths first, tag before the payload */
  uint32_t tag_len;       /* 0: the mode has no tag */
  uint32_t change_iv;     /* count the last four bytes of the IV up every turn */
  uint32_t key_len;       /* not 0: set this key in every turn, its first bytes counted up */
  uint8_t key[64];
  uint8_t iv[16];
  uint32_t iv_len;
  uint32_t length;
  const uint8_t *source;
  uint8_t *destination; /* length + 16 bytes */
  uint8_t tag[16];      /* to verify, or the last one made */
};

/* Runs so many turns. *nanoseconds: thread CPU time of them all. Returns the turns that OpenSSL
 * refused (0 is good). */
uint64_t ow_evp_loop(uint64_t *nanoseconds, const struct ow_evp_calls *calls,
                     struct ow_evp_work *work, uint64_t turns);
/* Calls that do nothing, to measure what the loop itself costs. */
void ow_evp_empty(struct ow_evp_calls *calls);

#endif
