/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ML-KEM (FIPS 203) with one call an operation: submits a job, waits, returns its status.
 *
 * Keys, ciphertexts and secrets may lie anywhere: a call copies them into the memory of `struct
 * ow_mlkem`, which is accessible to the device, and wipes that before it returns. Every call may
 * return OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of asynchronous jobs). Results
 * are written only with OW_OK. d, z and m must be fresh random bytes for every call, as of
 * ow_pka_random(), and are secret.
 */
#ifndef OUTWORK_MLKEM_H
#define OUTWORK_MLKEM_H

#include "outwork/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are k. */
enum ow_mlkem_set { OW_MLKEM_512 = 2, OW_MLKEM_768 = 3, OW_MLKEM_1024 = 4 };

#define OW_MLKEM_SEED_BYTES   32u
#define OW_MLKEM_SECRET_BYTES 32u
/* Sizes of a parameter set (FIPS 203, table 3). */
#define OW_MLKEM_EK_BYTES(set)         (384u * (set) + 32u)
#define OW_MLKEM_DK_BYTES(set)         (768u * (set) + 96u)
#define OW_MLKEM_CIPHERTEXT_BYTES(set) ((set) == OW_MLKEM_1024 ? 1568u : 320u * (set) + 128u)
/* Of the largest key and result, in whole cache lines. */
#define OW_MLKEM_KEY_BYTES   3200u
#define OW_MLKEM_INPUT_BYTES 1600u

/* What a thread needs for its calls, in memory accessible to the device. Members are private. */
struct ow_mlkem {
  OW_ALIGNED(64) uint8_t key[OW_MLKEM_KEY_BYTES];
  OW_ALIGNED(64) uint8_t input[OW_MLKEM_INPUT_BYTES];
  OW_ALIGNED(64) uint8_t output[OW_MLKEM_KEY_BYTES];
  OW_ALIGNED(64) struct ow_queue *queue;
  uint32_t cycles; /* public: of the last operation, as in struct ow_job */
};

ow_status ow_mlkem_init(struct ow_mlkem *mlkem, struct ow_queue *queue);
/* Wipes the structure. */
void ow_mlkem_close(struct ow_mlkem *mlkem);

/* Algorithm 16. `ek` may be NULL: `dk` contains it from byte 384 k on. */
ow_status ow_mlkem_generate(struct ow_mlkem *mlkem, uint8_t *ek, uint8_t *dk, enum ow_mlkem_set set,
                            const uint8_t d[OW_MLKEM_SEED_BYTES],
                            const uint8_t z[OW_MLKEM_SEED_BYTES]);
/* Algorithms 17 and 20. OW_BAD_ARGUMENT: `ek` is no encapsulation key (7.2). */
ow_status ow_mlkem_encapsulate(struct ow_mlkem *mlkem, uint8_t *ciphertext,
                               uint8_t secret[OW_MLKEM_SECRET_BYTES], enum ow_mlkem_set set,
                               const uint8_t *ek, const uint8_t m[OW_MLKEM_SEED_BYTES]);
/* Algorithms 18 and 21. A ciphertext that was not made for this key gives a secret that nobody else
 * can compute (implicit rejection), with OW_OK and in the same time. OW_BAD_ARGUMENT: `dk` is no
 * decapsulation key (7.3). */
ow_status ow_mlkem_decapsulate(struct ow_mlkem *mlkem, uint8_t secret[OW_MLKEM_SECRET_BYTES],
                               enum ow_mlkem_set set, const uint8_t *dk, const uint8_t *ciphertext);

/* The pairwise consistency test of a key pair that has been generated (FIPS 203, 7.1): encapsulates
 * with `ek` and `m`, decapsulates with `dk`. OW_FAULT: the secrets differ; use neither key. */
ow_status ow_mlkem_check_pair(struct ow_mlkem *mlkem, enum ow_mlkem_set set, const uint8_t *ek,
                              const uint8_t *dk, const uint8_t m[OW_MLKEM_SEED_BYTES]);

/* Keys in slots. What is loaded are the seeds d and z, for this parameter set; the decapsulation
 * key stays in the device. Of `properties` count the queues, the lock, and `decrypt`: secrets may
 * leave the device; without it they only become keys of slots. OW_KEY_REFUSED: the slot is locked,
 * or this build has no ML-KEM. */
ow_status ow_mlkem_slot_load(struct ow_device *device, uint8_t slot,
                             const struct ow_key_properties *properties, enum ow_mlkem_set set,
                             const uint8_t d[OW_MLKEM_SEED_BYTES],
                             const uint8_t z[OW_MLKEM_SEED_BYTES]);
/* The calls above with a key in a slot. A generation of 0 in `key` stands for any. OW_KEY_DENIED:
 * the slot has no key for this queue, or none whose secrets may leave; OW_BAD_KEY: it has one for
 * something else; OW_KEY_GONE: another one than `key`. The first use of a key after another one's
 * takes the cycles of key generation too. */
ow_status ow_mlkem_slot_public(struct ow_mlkem *mlkem, uint8_t *ek, enum ow_mlkem_set set,
                               const struct ow_key_handle *key);
ow_status ow_mlkem_slot_decapsulate(struct ow_mlkem *mlkem, uint8_t secret[OW_MLKEM_SECRET_BYTES],
                                    enum ow_mlkem_set set, const struct ow_key_handle *key,
                                    const uint8_t *ciphertext);
/* Decapsulates for the slot that ow_key_reserve() has reserved as `made`: the secret, or its first
 * bytes, becomes the key there and does not leave the device. OW_KEY_DENIED: that slot is not
 * reserved any more, or not for this queue; or as above. */
ow_status ow_mlkem_slot_decapsulate_to(struct ow_mlkem *mlkem, const struct ow_key_handle *made,
                                       enum ow_mlkem_set set, const struct ow_key_handle *key,
                                       const uint8_t *ciphertext);

#ifdef __cplusplus
}
#endif

#endif
