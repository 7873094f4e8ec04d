/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The radio algorithms of LTE and 5G with one call a packet: submits a job, waits, returns its
 * status.
 *
 * `opcode` is one of OW_OP_EEA1 to OW_OP_EEA3_EIA3, OW_OP_EEA2 and OW_OP_EIA2; for ZUC-256 use jobs
 * (queue.h). Lengths are in bits: the first bit of a message is the highest of its first byte; bits
 * after the last one are ignored in the source and zero in the destination. Source and destination
 * are bytes accessible to the device, and may be the same; keys may lie anywhere. Every call may
 * answer OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of asynchronous jobs). When a
 * MAC is wrong, no plaintext is left in the destination.
 *
 * Keys: key.bytes is the cipher's (or, for a MAC alone, the MAC's), key.tweak_bytes the MAC's where
 * there are both, 16 bytes each; or a slot that was loaded for this opcode (ow_key_load_kind), for
 * EEA2 and EIA2 one with an AES key (ow_key_load).
 */
#ifndef OUTWORK_RADIO_H
#define OUTWORK_RADIO_H

#include "outwork/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_RADIO_MAC_BYTES 4u
/* Bytes of ZUC-256's IV of 184 bits. */
#define OW_ZUC256_IV_BYTES 23u
/* The value of FRESH in 128-EIA1 (TS 33.401 B.2.2). */
#define OW_RADIO_FRESH_OF_BEARER(bearer) ((uint32_t)(bearer) << 27)

/* The 3GPP parameters of a packet, and its layout. */
struct ow_radio_packet {
  uint32_t count;
  uint32_t fresh;         /* SNOW 3G's MAC */
  uint8_t bearer;         /* 0 to 31 */
  uint8_t direction;      /* 0 or 1 */
  uint8_t clear_bytes;    /* 0 to 15 at the start: not enciphered, but covered by the MAC */
  bool mac_of_ciphertext; /* false: the MAC covers the plaintext and is enciphered (PDCP) */
};

/* Makes the 16-byte IV of a job. OW_BAD_ARGUMENT: a value is out of range. */
ow_status ow_radio_iv_make(struct ow_radio_iv *iv, const struct ow_radio_packet *packet,
                           uint64_t bits);

/* Encrypts or decrypts, which is the same. */
ow_status ow_radio_crypt(struct ow_queue *queue, void *output, uint8_t opcode,
                         const struct ow_key *key, const struct ow_radio_packet *packet,
                         const void *input, uint64_t bits);
ow_status ow_radio_mac(struct ow_queue *queue, uint8_t mac[OW_RADIO_MAC_BYTES], uint8_t opcode,
                       const struct ow_key *key, const struct ow_radio_packet *packet,
                       const void *input, uint64_t bits);
/* OW_AUTH_FAILED: the MAC is wrong. */
ow_status ow_radio_verify(struct ow_queue *queue, uint8_t opcode, const struct ow_key *key,
                          const struct ow_radio_packet *packet, const void *input, uint64_t bits,
                          const uint8_t mac[OW_RADIO_MAC_BYTES]);
/* Encrypts and computes the MAC in one job. Writes the MAC after the payload (output has
 * OW_RADIO_MAC_BYTES more), or to `mac_place` if it is not NULL. */
ow_status ow_radio_protect(struct ow_queue *queue, void *output, void *mac_place, uint8_t opcode,
                           const struct ow_key *key, const struct ow_radio_packet *packet,
                           const void *input, uint64_t bits);
/* Decrypts and verifies in one job. The MAC follows the payload in `input`, or is at `mac_place`.
 */
ow_status ow_radio_unprotect(struct ow_queue *queue, void *output, uint8_t opcode,
                             const struct ow_key *key, const struct ow_radio_packet *packet,
                             const void *input, const void *mac_place, uint64_t bits);

#ifdef __cplusplus
}
#endif

#endif
