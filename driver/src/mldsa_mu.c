/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What FIPS 204 puts around a message of ML-DSA: tr, context, hash of the message, and their mu.
 */
#include "mldsa.h"

/* Bytes of an object identifier in DER. */
enum { OW_MLDSA_OID_BYTES = 11 };
OW_STATIC_ASSERT(OW_MLDSA_TR_BYTES + 2u + OW_MLDSA_CONTEXT_MAX + OW_MLDSA_OID_BYTES ==
                     OW_MLDSA_HEAD_MAX,
                 "ow_mldsa_head");
OW_STATIC_ASSERT(OW_MLDSA_HEAD_MAX + OW_MLDSA_MU_BYTES <= OW_MLDSA_INPUT_BYTES, "ow_mldsa_mu");

/* x of the object identifier 2.16.840.1.101.3.4.2.x of a hash, by the low digit of the opcode; 0:
 * HashML-DSA has no such hash. */
static const uint8_t ow_mldsa_oids[16] = {
    [OW_OP_SHA256 & 15] = 1,    [OW_OP_SHA384 & 15] = 2,     [OW_OP_SHA512 & 15] = 3,
    [OW_OP_SHA224 & 15] = 4,    [OW_OP_SHA512_224 & 15] = 5, [OW_OP_SHA512_256 & 15] = 6,
    [OW_OP_SHA3_224 & 15] = 7,  [OW_OP_SHA3_256 & 15] = 8,   [OW_OP_SHA3_384 & 15] = 9,
    [OW_OP_SHA3_512 & 15] = 10, [OW_OP_SHAKE128 & 15] = 11,  [OW_OP_SHAKE256 & 15] = 12,
};

uint32_t ow_mldsa_digest_len(uint8_t hash) {
  if (hash == OW_OP_SHAKE128) {
    return 32;
  }
  if (hash == OW_OP_SHAKE256) {
    return 64;
  }
  const bool is_hash = hash >> 4 == OW_OP_SHA1 >> 4 && ow_mldsa_oids[hash & 15] != 0;
  return is_hash ? ow_hash_digest_len(hash) : 0;
}

ow_status ow_mldsa_head(uint8_t head[OW_MLDSA_HEAD_MAX], size_t *head_len,
                        const uint8_t tr[OW_MLDSA_TR_BYTES],
                        const struct ow_mldsa_context *context) {
  uint8_t oid[OW_MLDSA_OID_BYTES] = {0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};
  const struct ow_mldsa_context none = {.length = 0};
  const struct ow_mldsa_context *used = context != NULL ? context : &none;
  if (head == NULL || head_len == NULL || tr == NULL || used->length > OW_MLDSA_CONTEXT_MAX ||
      (used->bytes == NULL && used->length != 0) ||
      (used->hash != 0 && ow_mldsa_digest_len(used->hash) == 0)) {
    return OW_BAD_ARGUMENT;
  }
  uint8_t *at = head + OW_MLDSA_TR_BYTES;
  ow_copy(head, tr, OW_MLDSA_TR_BYTES);
  *at++ = used->hash != 0 ? 1 : 0;
  *at++ = (uint8_t)used->length;
  ow_copy(at, used->bytes, used->length);
  at += used->length;
  if (used->hash != 0) {
    oid[OW_MLDSA_OID_BYTES - 1] = ow_mldsa_oids[used->hash & 15];
    ow_copy(at, oid, sizeof(oid));
    at += sizeof(oid);
  }
  *head_len = (size_t)(at - head);
  return OW_OK;
}

/* Hashes `head_len` bytes of mldsa->input and the message. */
static ow_status ow_mldsa_hash(struct ow_mldsa *mldsa, uint8_t *digest, size_t digest_len,
                               uint8_t opcode, size_t head_len, const void *message,
                               size_t message_len) {
  const struct ow_piece pieces[2] = {{mldsa->input, (uint32_t)head_len},
                                     {(void *)(uintptr_t)message, (uint32_t)message_len}};
  struct ow_job job = {
      .opcode = opcode,
      .tag_len = (uint8_t)digest_len,
      .length = (uint32_t)(head_len + message_len),
      .source_pieces = head_len != 0 ? pieces : pieces + 1,
      .source_pieces_len = head_len != 0 && message_len != 0 ? 2u : 1u,
  };
  ow_status status = ow_mldsa_run(mldsa, &job);
  if (status == OW_OK) {
    ow_copy(digest, job.tag, digest_len);
  }
  ow_wipe(job.tag, sizeof(job.tag));
  return status;
}

ow_status ow_mldsa_tr(struct ow_mldsa *mldsa, uint8_t tr[OW_MLDSA_TR_BYTES], enum ow_mldsa_set set,
                      const uint8_t *pk) {
  if (!ow_mldsa_is_set(mldsa, set) || tr == NULL || pk == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_copy(mldsa->input, pk, OW_MLDSA_PUBLIC_BYTES(set));
  return ow_mldsa_hash(mldsa, tr, OW_MLDSA_TR_BYTES, OW_OP_SHAKE256, OW_MLDSA_PUBLIC_BYTES(set),
                       NULL, 0);
}

ow_status ow_mldsa_mu(struct ow_mldsa *mldsa, uint8_t mu[OW_MLDSA_MU_BYTES],
                      const uint8_t tr[OW_MLDSA_TR_BYTES], const struct ow_mldsa_context *context,
                      const void *message, size_t message_len) {
  size_t head_len = 0;
  if (mldsa == NULL || mldsa->queue == NULL || mu == NULL ||
      (message == NULL && message_len != 0)) {
    return OW_BAD_ARGUMENT;
  }
  if (message_len > OW_JOB_LENGTH_MAX - OW_MLDSA_HEAD_MAX) {
    return ow_refuse(mldsa->queue, OW_FALLBACK_LENGTH);
  }
  ow_status status = ow_mldsa_head(mldsa->input, &head_len, tr, context);
  if (status == OW_OK && context != NULL && context->hash != 0) {
    const uint32_t digest_len = ow_mldsa_digest_len(context->hash);
    status = ow_mldsa_hash(mldsa, mldsa->input + head_len, digest_len, context->hash, 0, message,
                           message_len);
    head_len += digest_len;
    message_len = 0;
  }
  if (status == OW_OK) {
    status =
        ow_mldsa_hash(mldsa, mu, OW_MLDSA_MU_BYTES, OW_OP_SHAKE256, head_len, message, message_len);
  }
  ow_wipe(mldsa->input, OW_MLDSA_HEAD_MAX + OW_MLDSA_MU_BYTES);
  return status;
}
