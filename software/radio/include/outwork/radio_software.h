/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ZUC, ZUC-256 and SNOW 3G in plain C, the 3GPP modes on top: the baseline that the accelerator is
 * measured against, and the fallback where there is none. No OS, no allocation, no state but the
 * caller's.
 *
 * Lengths are in bits. The first bit of a message is the highest of its first byte; bits behind the
 * last one are ignored in messages and zero in results. Numbers (COUNT, FRESH) are plain integers.
 * `out` may be `in`.
 *
 * Functions come twice. Those without a suffix use tables, so the time they take may tell the key
 * to somebody who shares the cache. Those that end in _constant_time look nothing up with a secret
 * and branch on no secret; they are several times slower.
 */
#ifndef OUTWORK_RADIO_SOFTWARE_H
#define OUTWORK_RADIO_SOFTWARE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A keystream generator under way. */
typedef struct ow_zuc {
  uint32_t s[16]; /* cells of 31 bits */
  uint32_t r1, r2;
} ow_zuc;

typedef struct ow_snow3g {
  uint32_t s[16];
  uint32_t r1, r2, r3;
} ow_snow3g;

/* ZUC with 128 bits (ETSI/SAGE, 128-EEA3 & 128-EIA3, Document 2, 3.5 and 3.6), and its keystream,
 * word by word. */
void ow_zuc_start(ow_zuc *zuc, const uint8_t key[16], const uint8_t iv[16]);
void ow_zuc_words(ow_zuc *zuc, uint32_t *words, uint64_t words_len);

/* 128-EEA3 and 128-EIA3 (Document 1, 3 and 4). bearer: 5 bits; direction: 1 bit. */
void ow_eea3(uint8_t *out, const uint8_t key[16], uint32_t count, uint32_t bearer,
             uint32_t direction, const uint8_t *in, uint64_t bits);
void ow_eia3(uint8_t mac[4], const uint8_t key[16], uint32_t count, uint32_t bearer,
             uint32_t direction, const uint8_t *in, uint64_t bits);
void ow_eea3_constant_time(uint8_t *out, const uint8_t key[16], uint32_t count, uint32_t bearer,
                           uint32_t direction, const uint8_t *in, uint64_t bits);
void ow_eia3_constant_time(uint8_t mac[4], const uint8_t key[16], uint32_t count, uint32_t bearer,
                           uint32_t direction, const uint8_t *in, uint64_t bits);

/* ZUC-256 ("The ZUC-256 Stream Cipher", version 1.1): the IV's 184 bits as 23 bytes, the parts of
 * six bits packed; mac_len 4, 8 or 16. */
void ow_zuc256(uint8_t *out, const uint8_t key[32], const uint8_t iv[23], const uint8_t *in,
               uint64_t bits);
void ow_zuc256_mac(uint8_t *mac, uint32_t mac_len, const uint8_t key[32], const uint8_t iv[23],
                   const uint8_t *in, uint64_t bits);
void ow_zuc256_constant_time(uint8_t *out, const uint8_t key[32], const uint8_t iv[23],
                             const uint8_t *in, uint64_t bits);
void ow_zuc256_mac_constant_time(uint8_t *mac, uint32_t mac_len, const uint8_t key[32],
                                 const uint8_t iv[23], const uint8_t *in, uint64_t bits);

/* SNOW 3G (3GPP TS 35.216, 4); key and IV as f8 and f9 build them: k_3 and IV_3 first. */
void ow_snow3g_start(ow_snow3g *snow, const uint8_t key[16], const uint8_t iv[16]);
void ow_snow3g_words(ow_snow3g *snow, uint32_t *words, uint64_t words_len);

/* UEA2 = 128-EEA1 and UIA2 (3GPP TS 35.215, 3 and 4). 128-EIA1 is UIA2 with BEARER in the highest
 * five bits of FRESH and zeros behind (TS 33.401, B.2.2). */
void ow_uea2(uint8_t *out, const uint8_t key[16], uint32_t count, uint32_t bearer,
             uint32_t direction, const uint8_t *in, uint64_t bits);
void ow_uia2(uint8_t mac[4], const uint8_t key[16], uint32_t count, uint32_t fresh,
             uint32_t direction, const uint8_t *in, uint64_t bits);
void ow_uea2_constant_time(uint8_t *out, const uint8_t key[16], uint32_t count, uint32_t bearer,
                           uint32_t direction, const uint8_t *in, uint64_t bits);
void ow_uia2_constant_time(uint8_t mac[4], const uint8_t key[16], uint32_t count, uint32_t fresh,
                           uint32_t direction, const uint8_t *in, uint64_t bits);

/* One packet for a call that has eea3's, eia3's, uea2's or uia2's form. `second` is BEARER, for
 * uia2 FRESH. */
struct ow_radio_item {
  uint8_t *out;
  const uint8_t *key;
  const uint8_t *in;
  uint64_t bits;
  uint32_t count, second, direction;
};

typedef void ow_radio_call(uint8_t *out, const uint8_t key[16], uint32_t count, uint32_t second,
                           uint32_t direction, const uint8_t *in, uint64_t bits);

/* One packet after the other, as WP437's software does it. */
void ow_radio_run(const struct ow_radio_item *items, uint64_t items_len, ow_radio_call *call);

#ifdef __cplusplus
}
#endif
#endif
