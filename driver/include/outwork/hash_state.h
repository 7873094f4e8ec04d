/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes in software, on the state that the device saves (hash_context in spec/outwork.rdl): a
 * message that loses its device goes on here, and may go on with a device again.
 *
 * `opcode` is that of the hash, of an HMAC or of a KMAC; `state` is one that SAVE_STATE wrote, or
 * that ow_hash_state_begin made. Its key part is neither read nor written. No branch and no address
 * depends on data. The code is small rather than fast.
 */
#ifndef OUTWORK_HASH_STATE_H
#define OUTWORK_HASH_STATE_H

#include "outwork/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A message of a plain hash: not of a MAC, whose state begins with its key. */
void ow_hash_state_begin(struct ow_hash_context *state, uint8_t opcode);
void ow_hash_state_add(struct ow_hash_context *state, uint8_t opcode, const void *input,
                       size_t length);
/* The digest; of a SHAKE or KMAC as many bytes as are asked for. A KMAC's caller has added the
 * length, right_encode of SP 800-185. */
void ow_hash_state_finish(struct ow_hash_context *state, uint8_t opcode, uint8_t *digest,
                          size_t digest_len);
/* The end of an HMAC, whole: ow_hash_digest_len(opcode) bytes. The key: at most OW_MAC_KEY_MAX
 * bytes. */
void ow_hash_state_finish_hmac(struct ow_hash_context *state, uint8_t opcode, uint8_t *mac,
                               const uint8_t *key, size_t key_len);
/* The end of a SHAKE whose output is fetched in pieces: first one, then as often as there are
 * pieces the other. */
void ow_hash_state_close(struct ow_hash_context *state, uint8_t opcode);
void ow_hash_state_squeeze(struct ow_hash_context *state, uint8_t opcode, uint8_t *output,
                           size_t length);

#ifdef __cplusplus
}
#endif

#endif
