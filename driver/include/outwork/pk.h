/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Public key: RSA and elliptic curves, one call an operation: submit, wait, answer.
 *
 * Numbers are byte strings, most significant byte first, and may lie anywhere: a call copies them
 * into the memory of `struct ow_pk`, which the device reaches, and wipes that before it returns.
 * Every call may answer OW_UNSUPPORTED (use software) and OW_BUSY (the ring is full of asynchronous
 * jobs). Where a number is out of range (a message not below the modulus, a point off the curve),
 * the answer is OW_BAD_ARGUMENT. No result is written unless the answer is OW_OK.
 */
#ifndef OUTWORK_PK_H
#define OUTWORK_PK_H

#include "outwork/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OW_RSA_BYTES_MAX   512u
#define OW_CURVE_BYTES_MAX 66u
/* n, e, p, q, dP, dQ, qInv of the largest key, in whole cache lines. */
#define OW_PK_KEY_BYTES   2368u
#define OW_PK_INPUT_BYTES 576u

/* A deterministic random bit generator (SP 800-90A 10.2.1: CTR_DRBG, AES-256, no derivation
 * function) on the AES engine. Members are private. */
struct ow_drbg {
  uint8_t key[32];
  uint8_t v[16];
  uint8_t last[16];  /* what the device gave last: a block that is used for nothing else */
  uint32_t requests; /* since the last seed */
  bool tested, seeded;
};

/* What a thread needs for its calls, in memory that the device reaches. Members are private. */
struct ow_pk {
  OW_ALIGNED(64) uint8_t key[OW_PK_KEY_BYTES];
  OW_ALIGNED(64) uint8_t input[OW_PK_INPUT_BYTES];
  OW_ALIGNED(64) uint8_t output[OW_PK_INPUT_BYTES];
  OW_ALIGNED(64) struct ow_queue *queue;
  /* Public, may be set after ow_pk_init, for who shares the queue: runs a job to its end, as
   * ow_queue_run does, which is what NULL means. */
  ow_status (*run)(void *run_context, struct ow_job *job);
  void *run_context;
  uint32_t cycles; /* public: of the last operation, as in struct ow_job, its random bytes apart */
  struct ow_drbg drbg;
};

/* Gets ready for calls on a queue. The generator is seeded with the platform's `entropy` when it is
 * first needed; without that function private keys are OW_UNSUPPORTED. What blinds the use of a key
 * in a slot is made in the device, which ow_device_open seeded. */
ow_status ow_pk_init(struct ow_pk *pk, struct ow_queue *queue);
/* Forgets everything. */
void ow_pk_close(struct ow_pk *pk);
/* Random bytes of the generator, any number. OW_FAULT: what the device gave failed a test of its
 * health; no byte of it leaves, and the generator starts anew, with its self test, at the next
 * call.
 */
ow_status ow_pk_random(struct ow_pk *pk, uint8_t *bytes, size_t length);

/* A number. */
struct ow_number {
  const uint8_t *bytes;
  size_t length; /* leading zeros do not matter where a length is public */
};

/* x^e mod m for an odd m of up to 4,096 bits, x < m; constant time in all three: the time depends
 * on the bits of m and on e.length, zeros included. `output` has as many bytes as m. */
ow_status ow_modexp(struct ow_pk *pk, uint8_t *output, struct ow_number m, struct ow_number e,
                    struct ow_number x);

/* RFC 8017, 3.1. */
struct ow_rsa_public {
  struct ow_number n;
  struct ow_number e;
};

/* RFC 8017, 3.2, second representation; or a key in a slot, of which only the lengths are known. */
struct ow_rsa_private {
  struct ow_number n, e;
  struct ow_number p, q, dp, dq, qinv;
  uint16_t bits[4]; /* of n, e, p, q in a slot */
  bool slotted;
  uint8_t slot;
  uint16_t generation; /* as in struct ow_key */
};

/* Bytes of the modulus, that is, of every message and result. */
size_t ow_rsa_public_bytes(const struct ow_rsa_public *key);
size_t ow_rsa_private_bytes(const struct ow_rsa_private *key);

/* RSAEP, RSAVP1 (RFC 8017 5.1.1, 5.2.2): `input` and `output` have as many bytes as n. */
ow_status ow_rsa_public_raw(struct ow_pk *pk, uint8_t *output, const struct ow_rsa_public *key,
                            const uint8_t *input);
/* RSADP, RSASP1 (5.1.2, 5.2.1). Blinded; OW_FAULT: the result was wrong under e and did not leave
 * (the key is not consistent, or the device erred). */
ow_status ow_rsa_private_raw(struct ow_pk *pk, uint8_t *output, const struct ow_rsa_private *key,
                             const uint8_t *input);
/* Whether a private key is consistent: a random message comes back. OW_FAULT or OW_BAD_ARGUMENT if
 * not. */
ow_status ow_rsa_check(struct ow_pk *pk, const struct ow_rsa_private *key);
/* The owner of the device reserves a slot for an RSA key, for the queues in `queues`; then
 * ow_rsa_slot_fill puts one in, once, through a queue that may use it. A generation of 0 in
 * `handle` means whichever reservation is there. `slotted` is what the calls
 * above take from then on. ow_key_zeroise empties the slot. */
ow_status ow_rsa_slot_reserve(struct ow_device *device, uint8_t slot, uint8_t queues, bool lock);
ow_status ow_rsa_slot_fill(struct ow_pk *pk, struct ow_rsa_private *slotted,
                           const struct ow_key_handle *handle, const struct ow_rsa_private *key);

/* Bytes of a coordinate, a scalar, r or s; and of a scalar's blinding. */
size_t ow_curve_bytes(enum ow_curve curve);

/* A private key on a curve: its number, or its slot. */
struct ow_ec_private {
  enum ow_curve curve;
  struct ow_number d; /* of ow_curve_bytes(curve) bytes */
  bool slotted;
  uint8_t slot;
  uint16_t generation; /* as in struct ow_key */
};

/* A point is x, y: twice ow_curve_bytes. It must lie on the curve: OW_BAD_ARGUMENT otherwise.
 * Results are x, y too. */
ow_status ow_ec_check(struct ow_pk *pk, enum ow_curve curve, const uint8_t *point);
ow_status ow_ec_public(struct ow_pk *pk, uint8_t *point, const struct ow_ec_private *key);
/* k P; its x is the shared secret of ECDH (SP 800-56A 5.7.1.2). */
ow_status ow_ec_multiply(struct ow_pk *pk, uint8_t *output, const struct ow_ec_private *key,
                         const uint8_t *point);
/* A fresh private key (FIPS 186-5 A.2.2, rejection) and its public key. */
ow_status ow_ec_generate(struct ow_pk *pk, enum ow_curve curve, uint8_t *d, uint8_t *point);
/* ECDSA on the hash as a number, with the per-message number k of the caller (FIPS 186-5 6.4.1);
 * ow_ecdsa_sign makes k itself. Who knows k computes the key, so for a key in a slot k is the
 * device's: NULL here, and anything else is OW_BAD_ARGUMENT. `signature` is r, s. */
ow_status ow_ecdsa_sign_raw(struct ow_pk *pk, uint8_t *signature, const struct ow_ec_private *key,
                            const uint8_t *e, const uint8_t *k);
/* OW_AUTH_FAILED: no signature of this hash under this key. */
ow_status ow_ecdsa_verify_raw(struct ow_pk *pk, enum ow_curve curve, const uint8_t *point,
                              const uint8_t *e, const uint8_t *signature);
/* A slot for a key on a curve (not P-521, whose keys are too long), for one purpose: signing, or
 * multiplying. */
ow_status ow_ec_slot_load(struct ow_device *device, uint8_t slot, uint8_t queues, bool lock,
                          bool sign, enum ow_curve curve, const uint8_t *d);

#ifdef __cplusplus
}
#endif

#endif
