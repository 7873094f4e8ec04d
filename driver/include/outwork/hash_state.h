/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes in software on the state that the device saves (hash_context in spec/outwork.rdl):
 * continues a message after a failure of the device, which can also continue it later.
 *
 * `opcode` is that of the hash, of an HMAC or of a KMAC; `state` was written by SAVE_STATE
 * or ow_hash_state_begin(); its key part is not used. No branch and no address depends on data. The
 * code is small rather than fast.
 */
#ifndef OUTWORK_HASH_STATE_H
#define OUTWORK_HASH_STATE_H

#include "outwork/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts a message of a hash (not of a MAC, whose state starts with the key). */
void ow_hash_state_begin(struct ow_hash_context *state, uint8_t opcode);
void ow_hash_state_add(struct ow_hash_context *state, uint8_t opcode, const void *input,
                       size_t length);
/* Ends the message and writes the digest, digest_len bytes of a SHAKE or KMAC. For a KMAC the
 * caller has added right_encode of the length (SP 800-185). */
void ow_hash_state_finish(struct ow_hash_context *state, uint8_t opcode, uint8_t *digest,
                          size_t digest_len);
/* Ends an HMAC and writes all ow_hash_digest_len(opcode) bytes. key_len: at most OW_MAC_KEY_MAX. */
void ow_hash_state_finish_hmac(struct ow_hash_context *state, uint8_t opcode, uint8_t *mac,
                               const uint8_t *key, size_t key_len);
/* End a SHAKE whose output is read in pieces: call the first once, then the second for each piece.
 */
void ow_hash_state_close(struct ow_hash_context *state, uint8_t opcode);
void ow_hash_state_squeeze(struct ow_hash_context *state, uint8_t opcode, uint8_t *output,
                           size_t length);

#ifdef __cplusplus
}
#endif

#endif
