/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-DSA (FIPS 204) with one call an operation: submits a job, waits, returns its status.
 *
 * What is signed is mu, 64 bytes: SHAKE256(tr || M', 64) with tr = SHAKE256(pk, 64) and M' = 0,
 * length of the context, context, message, or with the hash of a message (FIPS 204, algorithms 2 to
 * 5). ow_mldsa_mu() computes it of a message that lies in one piece, mldsa_message.h of others.
 *
 * Keys and signatures may lie anywhere: a call copies them into the memory of `struct ow_mldsa`,
 * which is accessible to the device, and wipes that before it returns. Every call may return
 * OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of asynchronous jobs). Results are
 * written only with OW_OK. xi and rnd must be fresh random bytes for every call, as of
 * ow_pka_random(), and are secret.
 */
#ifndef OUTWORK_MLDSA_H
#define OUTWORK_MLDSA_H

#include "outwork/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are k. */
enum ow_mldsa_set { OW_MLDSA_44 = 4, OW_MLDSA_65 = 6, OW_MLDSA_87 = 8 };

#define OW_MLDSA_SEED_BYTES 32u
#define OW_MLDSA_MU_BYTES   64u
#define OW_MLDSA_TR_BYTES   64u
/* Where a private key has tr. */
#define OW_MLDSA_TR_OFFSET 64u
/* Longest context. */
#define OW_MLDSA_CONTEXT_MAX 255u
/* Most bytes before a message: tr, two bytes, context, object identifier. */
#define OW_MLDSA_HEAD_MAX 332u
/* Sizes of a parameter set (FIPS 204, table 2). */
#define OW_MLDSA_PUBLIC_BYTES(set) (320u * (set) + 32u)
#define OW_MLDSA_PRIVATE_BYTES(set)                                                                \
  ((set) == OW_MLDSA_87 ? 4896u : (set) == OW_MLDSA_65 ? 4032u : 2560u)
#define OW_MLDSA_SIGNATURE_BYTES(set)                                                              \
  ((set) == OW_MLDSA_87 ? 4627u : (set) == OW_MLDSA_65 ? 3309u : 2420u)
/* Of the largest key, input and result, in whole cache lines. */
#define OW_MLDSA_KEY_BYTES    4928u
#define OW_MLDSA_INPUT_BYTES  4736u
#define OW_MLDSA_OUTPUT_BYTES 7488u

/* What a thread needs for its calls, in memory accessible to the device. Members are private. */
struct ow_mldsa {
  OW_ALIGNED(64) uint8_t key[OW_MLDSA_KEY_BYTES];
  OW_ALIGNED(64) uint8_t input[OW_MLDSA_INPUT_BYTES];
  OW_ALIGNED(64) uint8_t output[OW_MLDSA_OUTPUT_BYTES];
  OW_ALIGNED(64) struct ow_queue *queue;
  /* Public, may be set after ow_mldsa_init() if the queue is shared: runs a job to its end and
   * returns its status. NULL: ow_queue_run(). */
  ow_status (*run)(void *run_context, struct ow_job *job);
  void *run_context;
  uint32_t cycles; /* public: of the last operation, as in struct ow_job */
};

ow_status ow_mldsa_init(struct ow_mldsa *mldsa, struct ow_queue *queue);
/* Wipes the structure. */
void ow_mldsa_close(struct ow_mldsa *mldsa);

/* Algorithm 6. */
ow_status ow_mldsa_generate(struct ow_mldsa *mldsa, uint8_t *pk, uint8_t *sk, enum ow_mldsa_set set,
                            const uint8_t xi[OW_MLDSA_SEED_BYTES]);
/* Algorithm 7. `rnd` NULL: the deterministic variant. OW_BAD_ARGUMENT: `sk` is no private key, or
 * 814 rounds gave no signature. */
ow_status ow_mldsa_sign(struct ow_mldsa *mldsa, uint8_t *signature, enum ow_mldsa_set set,
                        const uint8_t *sk, const uint8_t mu[OW_MLDSA_MU_BYTES], const uint8_t *rnd);
/* Algorithm 8. OW_AUTH_FAILED: it is no signature of mu under this key. */
ow_status ow_mldsa_verify(struct ow_mldsa *mldsa, enum ow_mldsa_set set, const uint8_t *pk,
                          const uint8_t mu[OW_MLDSA_MU_BYTES], const uint8_t *signature);

/* The pairwise consistency test of a key pair that has been generated: signs mu, deterministically,
 * and verifies. OW_FAULT: the signature is not valid; use neither key. */
ow_status ow_mldsa_check_pair(struct ow_mldsa *mldsa, enum ow_mldsa_set set, const uint8_t *pk,
                              const uint8_t *sk, const uint8_t mu[OW_MLDSA_MU_BYTES]);

/* Keys in slots. What is loaded is the seed xi, for this parameter set; the private key stays in
 * the device. Of `properties` count the queues and the lock. OW_KEY_REFUSED: the slot is locked, or
 * this build has no ML-DSA. */
ow_status ow_mldsa_slot_load(struct ow_device *device, uint8_t slot,
                             const struct ow_key_properties *properties, enum ow_mldsa_set set,
                             const uint8_t xi[OW_MLDSA_SEED_BYTES]);
/* The calls above with a key in a slot. A generation of 0 in `key` stands for any. OW_KEY_DENIED:
 * the slot has no key for this queue; OW_BAD_KEY: it has one for something else; OW_KEY_GONE:
 * another one than `key`. The first signature with a key after another one's takes the cycles of
 * key generation too. */
ow_status ow_mldsa_slot_public(struct ow_mldsa *mldsa, uint8_t *pk, enum ow_mldsa_set set,
                               const struct ow_key_handle *key);
ow_status ow_mldsa_slot_sign(struct ow_mldsa *mldsa, uint8_t *signature, enum ow_mldsa_set set,
                             const struct ow_key_handle *key, const uint8_t mu[OW_MLDSA_MU_BYTES],
                             const uint8_t *rnd);

/* What is signed with a message; NULL in a call: no context, and the message itself (ML-DSA). */
struct ow_mldsa_context {
  const uint8_t *bytes;
  size_t length;
  /* HashML-DSA: the opcode of the hash of the message, OW_OP_SHA224 to OW_OP_SHAKE256; SHAKE128
   * gives 32 bytes, SHAKE256 64. 0: ML-DSA. */
  uint8_t hash;
};

/* Computes tr of a public key: one job. */
ow_status ow_mldsa_tr(struct ow_mldsa *mldsa, uint8_t tr[OW_MLDSA_TR_BYTES], enum ow_mldsa_set set,
                      const uint8_t *pk);
/* Computes mu of a message, which must lie in memory accessible to the device: one job of the hash
 * engine, of HashML-DSA two. OW_BAD_ARGUMENT: the context is longer than OW_MLDSA_CONTEXT_MAX, or
 * HashML-DSA has no such hash. */
ow_status ow_mldsa_mu(struct ow_mldsa *mldsa, uint8_t mu[OW_MLDSA_MU_BYTES],
                      const uint8_t tr[OW_MLDSA_TR_BYTES], const struct ow_mldsa_context *context,
                      const void *message, size_t message_len);
/* Writes what comes before the message, or before its hash, in the input of mu's SHAKE256, for
 * callers that hash on their own. Needs no device. Errors are those of ow_mldsa_mu(). */
ow_status ow_mldsa_head(uint8_t head[OW_MLDSA_HEAD_MAX], size_t *head_len,
                        const uint8_t tr[OW_MLDSA_TR_BYTES],
                        const struct ow_mldsa_context *context);
/* Returns the bytes of the hash of a message in HashML-DSA; 0: there is no such hash. */
uint32_t ow_mldsa_digest_len(uint8_t hash);

#ifdef __cplusplus
}
#endif

#endif
