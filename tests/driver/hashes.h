/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Expected digests and MACs, from libcrypto.
 */
#ifndef OUTWORK_TEST_HASHES_H
#define OUTWORK_TEST_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_name {
  /* of the hash; the HMAC's is higher by 16 */
  uint8_t opcode;
  const char *name;
};
#define HASHES 13u /* The last two are SHAKE128 and SHAKE256, with KMAC128 and KMAC256. */
extern const struct hash_name hash_names[HASHES];
static inline bool is_xof(const struct hash_name *hash) {
  return hash >= &hash_names[HASHES - 2];
}

void reference_hash(const struct hash_name *hash, uint8_t *digest, size_t digest_len,
                    const uint8_t *input, size_t length);
/* Computes an HMAC, or KMAC for a SHAKE, of mac_len bytes. */
void reference_mac(const struct hash_name *hash, uint8_t *mac, size_t mac_len, const uint8_t *key,
                   size_t key_len, const uint8_t *input, size_t length);

#endif
