/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes, and MACs based on them: in one call, or as a message in pieces.
 *
 * `opcode` is one of OW_OP_SHA1 to OW_OP_SHAKE256 (FIPS 180-4, FIPS 202), with a key one of
 * OW_OP_HMAC_SHA1 to OW_OP_HMAC_SHA3_512 (FIPS 198-1) or OW_OP_KMAC128, OW_OP_KMAC256 (SP 800-185,
 * without customization). Input is any bytes accessible to the device; keys, MACs and digests of up
 * to 64 bytes may lie anywhere, longer output is written by the device. Every call may return
 * OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of asynchronous jobs).
 */
#ifndef OUTWORK_HASH_H
#define OUTWORK_HASH_H

#include "outwork/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes of a MAC key in a slot or in a job. */
#define OW_MAC_KEY_MAX 64u
/* Bytes of the longest block of an HMAC: the rate of SHA3-224. */
#define OW_HASH_BLOCK_MAX 144u

/* Returns the bytes of the digest of a hash, or of the hash of an HMAC; 0: variable (SHAKE, KMAC),
 * or no such opcode. */
uint32_t ow_hash_digest_len(uint8_t opcode);
/* Returns the bytes of a block (FIPS 180-4) or of the rate (FIPS 202); 0: no such opcode. */
uint32_t ow_hash_block_len(uint8_t opcode);

/* Computes a digest. digest_len: that of the hash; any for SHAKE. */
ow_status ow_hash(struct ow_queue *queue, uint8_t *digest, size_t digest_len, uint8_t opcode,
                  const void *input, size_t length);
/* Computes the first mac_len bytes of an HMAC, or a KMAC of that length. The key: in a slot loaded
 * for this opcode, or at most OW_MAC_KEY_MAX bytes; a longer one is OW_UNSUPPORTED here, see
 * ow_hash_message_init(). */
ow_status ow_mac(struct ow_queue *queue, uint8_t *mac, size_t mac_len, uint8_t opcode,
                 const struct ow_key *key, const void *input, size_t length);
/* Computes a MAC and compares it with `mac`, 4 to 64 bytes. OW_AUTH_FAILED: they differ. */
ow_status ow_mac_verify(struct ow_queue *queue, uint8_t opcode, const struct ow_key *key,
                        const void *input, size_t length, const uint8_t *mac, size_t mac_len);

/* A message in pieces of any size, up to 2^61 bytes. All of it must lie in memory accessible
 * to the device. A copy of the structure is an independent message. Members are private. A call
 * that fails with anything but OW_BUSY wipes and ends the message. */
struct ow_hash_message {
  OW_ALIGNED(64) struct ow_hash_context context;
  OW_ALIGNED(64) uint8_t pending[64];              /* input of an incomplete block */
  OW_ALIGNED(64) uint8_t outer[OW_HASH_BLOCK_MAX]; /* long key: FIPS 198-1 step 7, K0 ^ opad */
  struct ow_queue *queue;
  uint8_t opcode; /* of the jobs; of the hash below an HMAC with a long key */
  uint8_t pending_len;
  uint8_t key_len; /* 0 and keyed: the key in `slot` */
  uint8_t slot;
  uint16_t generation;
  bool keyed;
  bool long_key;
  bool empty_key;
  bool saved; /* the context holds a state */
};

/* Starts a message. `key`: NULL for a hash. HMAC takes a key of any length: one of more than
 * OW_MAC_KEY_MAX bytes is hashed, or padded, in jobs of its own. */
ow_status ow_hash_message_init(struct ow_hash_message *message, struct ow_queue *queue,
                               uint8_t opcode, const struct ow_key *key);
ow_status ow_hash_message_update(struct ow_hash_message *message, const void *input, size_t length);
/* Ends the message and writes the digest or MAC, as ow_hash() and ow_mac(). Wipes the message. */
ow_status ow_hash_message_finish(struct ow_hash_message *message, uint8_t *digest,
                                 size_t digest_len);
/* Ends the message and compares the MAC, as ow_mac_verify(). Wipes the message. */
ow_status ow_hash_message_verify(struct ow_hash_message *message, const uint8_t *mac,
                                 size_t mac_len);
/* Write and read the state of a hash (not of a MAC) in the layout of hash_context in
 * spec/outwork.rdl, to continue the message in software or on another device. */
ow_status ow_hash_message_export(struct ow_hash_message *message, struct ow_hash_context *state);
ow_status ow_hash_message_import(struct ow_hash_message *message, struct ow_queue *queue,
                                 uint8_t opcode, const struct ow_hash_context *state);
/* Wipes and ends the message. */
void ow_hash_message_abort(struct ow_hash_message *message);

#ifdef __cplusplus
}
#endif

#endif
