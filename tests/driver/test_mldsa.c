/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The driver's ML-DSA calls on the board: known answers, signatures that are none, and what is
 * refused.
 */
#include <openssl/sha.h>

#include "check.h"
#include "outwork/mldsa.h"
#include "rig_board.h"

/* SHA-256 of pk, sk, and the signatures without and with rnd: of rtl/lattice's golden model with
 * xi, mu and rnd that count up. */
static const struct answer {
  enum ow_mldsa_set set;
  uint8_t pk[32], sk[32], signature[32], hedged[32];
} ANSWERS[] = {
    {OW_MLDSA_44,
     {0x9f, 0x10, 0x76, 0x44, 0xc1, 0x08, 0x45, 0x26, 0xaf, 0x3b, 0xc8,
      0x09, 0x86, 0x80, 0xb0, 0x54, 0x99, 0xa2, 0x32, 0x5a, 0x64, 0x4e,
      0x38, 0x8f, 0xb4, 0xf9, 0x70, 0xe0, 0x58, 0xd1, 0x9d, 0x46},
     {0x04, 0xbf, 0x6b, 0x9f, 0x57, 0x91, 0x66, 0xa6, 0x27, 0x96, 0x1d,
      0xfc, 0x5c, 0x3b, 0xf9, 0x71, 0x7d, 0xf8, 0x68, 0xdb, 0x88, 0x86,
      0x38, 0x56, 0x35, 0x6c, 0x46, 0x68, 0xc8, 0xb5, 0x6b, 0x0b},
     {0x8c, 0xd9, 0x8a, 0xb7, 0x28, 0xb9, 0x5f, 0x38, 0xac, 0x53, 0xd0,
      0x19, 0x52, 0x5c, 0x65, 0x5d, 0xb7, 0x74, 0x0c, 0xed, 0x79, 0x9d,
      0xd4, 0x29, 0x84, 0x2d, 0x75, 0xfc, 0x35, 0xac, 0x79, 0xe8},
     {0x58, 0x27, 0x7d, 0x56, 0x84, 0x6e, 0xa5, 0x48, 0x09, 0xba, 0xca,
      0xcc, 0x6c, 0x0e, 0x05, 0x9b, 0x44, 0x80, 0x4e, 0x10, 0x2e, 0x08,
      0x5d, 0x2b, 0x45, 0xfa, 0x6c, 0xc2, 0xfe, 0x17, 0xca, 0x5d}},
    {OW_MLDSA_65,
     {0xd6, 0x66, 0x80, 0x6e, 0x11, 0xce, 0xe1, 0x9a, 0x7c, 0x98, 0x9f,
      0x74, 0x45, 0xf9, 0x0d, 0xd4, 0x19, 0xcf, 0x4d, 0x2d, 0x51, 0xdb,
      0x8c, 0x0f, 0xdb, 0x4c, 0x0f, 0x0a, 0x54, 0x22, 0x38, 0xc9},
     {0x9f, 0x1e, 0x24, 0xf4, 0x77, 0x95, 0xfe, 0x50, 0x04, 0x03, 0x84,
      0xe3, 0xd6, 0x18, 0x39, 0x88, 0x04, 0x71, 0x70, 0xfa, 0x2d, 0x86,
      0x64, 0x06, 0xb7, 0x0f, 0xe0, 0xa3, 0xf8, 0x21, 0x60, 0x63},
     {0x3e, 0xf8, 0xc7, 0xfa, 0x8e, 0xc4, 0x83, 0xe9, 0xa4, 0x60, 0x0c,
      0x4d, 0x44, 0xa3, 0x0b, 0xaa, 0x3b, 0xeb, 0xb9, 0x71, 0xa6, 0x3d,
      0x11, 0xbe, 0x4e, 0x23, 0x17, 0x92, 0x14, 0xee, 0x58, 0x5f},
     {0xfe, 0x27, 0xa5, 0xe8, 0x73, 0x78, 0xd3, 0xf4, 0xa1, 0x02, 0xaa,
      0x46, 0xde, 0xae, 0x01, 0x0d, 0xd4, 0x31, 0xf0, 0x50, 0xf2, 0x37,
      0x39, 0xbe, 0xb4, 0xd2, 0x53, 0x0b, 0x2a, 0x61, 0x74, 0x08}},
    {OW_MLDSA_87,
     {0x91, 0xdc, 0x38, 0x9c, 0xfa, 0xa0, 0x14, 0x70, 0xb7, 0xf6, 0x6e,
      0xee, 0x45, 0xa4, 0xae, 0x90, 0x26, 0xd1, 0x54, 0x81, 0x7c, 0x75,
      0x4d, 0xfe, 0x22, 0x29, 0x8b, 0x3f, 0xa2, 0x41, 0xff, 0xcd},
     {0x76, 0x4d, 0x3e, 0x22, 0x3e, 0xd9, 0x0c, 0x07, 0xbc, 0x91, 0xa0,
      0xab, 0x6e, 0xcd, 0x17, 0x0e, 0x5c, 0x66, 0xff, 0xe3, 0x9f, 0x70,
      0x39, 0x29, 0x85, 0x96, 0x03, 0x9a, 0x36, 0x00, 0x54, 0x35},
     {0x3b, 0x61, 0xa0, 0x02, 0xc1, 0xdf, 0x92, 0xa6, 0xdf, 0x01, 0x09,
      0x1d, 0xf5, 0xd1, 0x8a, 0x0b, 0x52, 0xb4, 0x28, 0x3b, 0x37, 0xcc,
      0x5a, 0x41, 0x1c, 0xcf, 0xdd, 0xdc, 0x51, 0xd8, 0xbf, 0x05},
     {0xfd, 0x4a, 0x70, 0x7e, 0xb0, 0xcd, 0xf7, 0x06, 0x8a, 0x91, 0x44,
      0x7d, 0xcb, 0x1e, 0xa8, 0xb1, 0xfb, 0xa1, 0xd6, 0x2d, 0xfa, 0xe8,
      0x76, 0xa0, 0x54, 0x7f, 0x43, 0xb0, 0x4b, 0xbe, 0x28, 0x26}},
};
#define FOR_EACH_ANSWER(answer)                                                                    \
  for (const struct answer *answer = ANSWERS; answer < ANSWERS + 3; answer++)

static struct rig rig;
static struct ow_mldsa *mldsa;
static uint8_t *key, *input, *output;
static uint8_t counts[64];
static uint8_t pk[2592 + 1], sk[4896 + 1], signature[4627 + 1];

static struct ow_counters counted(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  return counters;
}

static uint64_t jobs_done(void) {
  return counted().jobs;
}

static bool has_digest(const uint8_t *data, size_t length, const uint8_t digest[32]) {
  uint8_t got[32];
  SHA256(data, length, got);
  return memcmp(got, digest, 32) == 0;
}

static ow_status generate(enum ow_mldsa_set set) {
  return ow_mldsa_generate(mldsa, pk, sk, set, counts);
}

static ow_status sign(enum ow_mldsa_set set, const uint8_t *rnd) {
  return ow_mldsa_sign(mldsa, signature, set, sk, counts, rnd);
}

static ow_status verify(enum ow_mldsa_set set) {
  return ow_mldsa_verify(mldsa, set, pk, counts, signature);
}

static bool is_wiped(void) {
  const uint8_t *byte = mldsa->key;
  for (; byte < mldsa->output + sizeof(mldsa->output); byte++) {
    if (*byte != 0) {
      return false;
    }
  }
  return true;
}

/* Each call is one job, writes as many bytes as it says, and leaves nothing in its memory. */
static void test_known_answers(void) {
  uint64_t before = jobs_done();
  FOR_EACH_ANSWER(answer) {
    const enum ow_mldsa_set set = answer->set;
    const size_t pk_bytes = OW_MLDSA_PUBLIC_BYTES(set), sk_bytes = OW_MLDSA_PRIVATE_BYTES(set);
    const size_t signature_bytes = OW_MLDSA_SIGNATURE_BYTES(set);
    pk[pk_bytes] = sk[sk_bytes] = signature[signature_bytes] = 0x5a;
    CHECK_EQUAL(generate(set), OW_OK);
    CHECK(has_digest(pk, pk_bytes, answer->pk) && has_digest(sk, sk_bytes, answer->sk));
    const uint32_t generation = mldsa->cycles;
    CHECK(generation > 2000 && generation < 12000);
    CHECK_EQUAL(sign(set, counts), OW_OK);
    CHECK(has_digest(signature, signature_bytes, answer->hedged));
    CHECK_EQUAL(sign(set, NULL), OW_OK);
    CHECK(has_digest(signature, signature_bytes, answer->signature));
    CHECK_EQUAL(verify(set), OW_OK);
    CHECK(mldsa->cycles > 2000 && mldsa->cycles < 12000);
    printf("k = %u: %u cycles to generate a key, %u to verify\n", (unsigned)set,
           (unsigned)generation, (unsigned)mldsa->cycles);
    CHECK_EQUAL(pk[pk_bytes] + sk[sk_bytes] + signature[signature_bytes], 3 * 0x5a);
    CHECK(is_wiped());
  }
  CHECK_EQUAL(jobs_done() - before, 12);
}

/* A key in a slot gives its public key and signs; its first use takes key generation too. */
static void test_key_in_a_slot(void) {
  const struct ow_key_properties all = {.queues = 0xff}, none = {0};
  FOR_EACH_ANSWER(answer) {
    const enum ow_mldsa_set set = answer->set;
    const enum ow_mldsa_set other = set == OW_MLDSA_44 ? OW_MLDSA_65 : OW_MLDSA_44;
    uint64_t before = jobs_done();
    struct ow_key_info info = {0};
    struct ow_key_handle handle = {.slot = 6};
    CHECK_EQUAL(ow_mldsa_slot_load(&rig.device, 6, &all, set, counts), OW_OK);
    CHECK_EQUAL(ow_key_query(&rig.device, &info, 6), OW_OK);
    CHECK(info.valid && info.kind == OW_OP_MLDSA_SIGN);
    handle.generation = info.generation;
    memset(pk, 0, sizeof(pk));
    CHECK_EQUAL(ow_mldsa_slot_public(mldsa, pk, set, &handle), OW_OK);
    CHECK(has_digest(pk, OW_MLDSA_PUBLIC_BYTES(set), answer->pk));
    uint32_t cycles[2];
    for (size_t i = 0; i < 2; i++) {
      memset(signature, 0, sizeof(signature));
      CHECK_EQUAL(ow_mldsa_slot_sign(mldsa, signature, set, &handle, counts, NULL), OW_OK);
      CHECK(has_digest(signature, OW_MLDSA_SIGNATURE_BYTES(set), answer->signature) && is_wiped());
      cycles[i] = mldsa->cycles;
    }
    CHECK(cycles[1] + 2000 < cycles[0]);
    CHECK_EQUAL(ow_mldsa_slot_sign(mldsa, signature, set, &handle, counts, counts), OW_OK);
    CHECK(has_digest(signature, OW_MLDSA_SIGNATURE_BYTES(set), answer->hedged));
    printf("k = %u, key in a slot: %u cycles to sign, with expansion %u\n", (unsigned)set,
           (unsigned)cycles[1], (unsigned)cycles[0]);
    CHECK_EQUAL(jobs_done() - before, 4);
    /* Not for another set, not for ML-KEM, not after the key has gone. */
    CHECK_EQUAL(ow_mldsa_slot_public(mldsa, pk, other, &handle), OW_BAD_KEY);
    CHECK_EQUAL(ow_key_zeroise(&rig.device, 6), OW_OK);
    CHECK_EQUAL(ow_mldsa_slot_sign(mldsa, signature, set, &handle, counts, NULL), OW_KEY_DENIED);
    CHECK_EQUAL(ow_mldsa_slot_load(&rig.device, 6, &all, set, counts), OW_OK);
    CHECK_EQUAL(ow_mldsa_slot_sign(mldsa, signature, set, &handle, counts, NULL), OW_KEY_GONE);
    CHECK_EQUAL(ow_mldsa_slot_load(&rig.device, 6, &none, set, counts), OW_OK);
    handle.generation = 0;
    CHECK_EQUAL(ow_mldsa_slot_sign(mldsa, signature, set, &handle, counts, NULL), OW_KEY_DENIED);
    CHECK_EQUAL(jobs_done() - before, 4);
  }
  CHECK_EQUAL(ow_mldsa_slot_load(&rig.device, 6, &all, (enum ow_mldsa_set)5, counts),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mldsa_slot_load(&rig.device, 6, NULL, OW_MLDSA_44, counts), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mldsa_slot_sign(mldsa, signature, OW_MLDSA_44, NULL, counts, NULL),
              OW_BAD_ARGUMENT);
}

/* As material of any kind, of each set; refused where it is none. */
static void test_key_material(void) {
  FOR_EACH_ANSWER(answer) {
    const enum ow_mldsa_set set = answer->set;
    struct ow_key_material material = {.properties = {.queues = 1},
                                       .opcode = OW_OP_MLDSA_SIGN,
                                       .curve = (uint8_t)((set - OW_MLDSA_44) / 2),
                                       .key_len = 32,
                                       .key = counts};
    struct ow_key_handle handle = {0};
    CHECK_EQUAL(ow_key_load_anywhere(&rig.device, &handle, &material), OW_OK);
    CHECK_EQUAL(ow_mldsa_slot_public(mldsa, pk, set, &handle), OW_OK);
    CHECK(has_digest(pk, OW_MLDSA_PUBLIC_BYTES(set), answer->pk));
    CHECK_EQUAL(ow_key_zeroise_handle(&rig.device, &handle), OW_OK);
    material.key_len = 31;
    CHECK_EQUAL(ow_key_load_anywhere(&rig.device, &handle, &material), OW_KEY_REFUSED);
  }
}

/* A pair is one, and keys of two pairs are none. */
static void test_pairs(void) {
  FOR_EACH_ANSWER(answer) {
    const enum ow_mldsa_set set = answer->set;
    const uint64_t before = jobs_done(), wrong = counted().error_auth;
    CHECK_EQUAL(ow_mldsa_generate(mldsa, pk, sk, set, counts), OW_OK);
    CHECK_EQUAL(ow_mldsa_check_pair(mldsa, set, pk, sk, counts), OW_OK);
    CHECK(is_wiped());
    pk[40] ^= 1;
    CHECK_EQUAL(ow_mldsa_check_pair(mldsa, set, pk, sk, counts), OW_FAULT);
    CHECK(is_wiped());
    CHECK_EQUAL(jobs_done() - before, 4);
    CHECK_EQUAL(counted().error_auth - wrong, 1);
    CHECK_EQUAL(ow_mldsa_check_pair(mldsa, set, NULL, sk, counts), OW_BAD_ARGUMENT);
  }
}

/* Another commitment, z, hint, key or message: the device finds each. */
static void test_signatures_that_are_none(void) {
  const uint64_t before = jobs_done(), wrong = counted().error_auth;
  FOR_EACH_ANSWER(answer) {
    const enum ow_mldsa_set set = answer->set;
    CHECK_EQUAL(generate(set), OW_OK);
    CHECK_EQUAL(sign(set, NULL), OW_OK);
    uint8_t *const bytes[] = {
        signature, signature + 100, signature + OW_MLDSA_SIGNATURE_BYTES(set) - 1u,
        pk,        pk + 33,         counts};
    for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
      *bytes[i] ^= 1;
      CHECK_EQUAL(verify(set), OW_AUTH_FAILED);
      *bytes[i] ^= 1;
    }
    CHECK_EQUAL(verify(set), OW_OK);
  }
  CHECK_EQUAL(jobs_done() - before, 3 * 3);
  CHECK_EQUAL(counted().error_auth - wrong, 3 * 6);
}

/* A coefficient of s1 that is out of range: nothing is written. */
static void test_private_keys_that_are_none(void) {
  FOR_EACH_ANSWER(answer) {
    CHECK_EQUAL(generate(answer->set), OW_OK);
    sk[128] = 0xff;
    signature[0] = 0x5a;
    CHECK_EQUAL(sign(answer->set, NULL), OW_BAD_ARGUMENT);
    CHECK(signature[0] == 0x5a && is_wiped());
  }
}

static ow_status run(uint8_t opcode, uint8_t k, uint32_t key_len, uint32_t length) {
  struct ow_job job = {
      .opcode = opcode,
      .key = {.bytes = opcode == OW_OP_MLDSA_SIGN ? key : NULL},
      .iv = &k,
      .iv_len = 1,
      .aad = key,
      .aad_len = key_len,
      .source = input,
      .length = length,
      .destination = output,
      .destination_len = OW_MLDSA_OUTPUT_BYTES,
  };
  return ow_queue_run(&rig.queue, &job);
}

static void test_what_is_refused(void) {
  uint64_t before = jobs_done();
  for (uint32_t k = 0; k < 10; k++) {
    bool is_set = k == 4 || k == 6 || k == 8;
    CHECK_EQUAL(run(OW_OP_MLDSA_KEYGEN, (uint8_t)k, 0, 32), is_set ? OW_OK : OW_BAD_ARGUMENT);
  }
  FOR_EACH_ANSWER(answer) {
    const enum ow_mldsa_set set = answer->set;
    const uint32_t pk_bytes = OW_MLDSA_PUBLIC_BYTES(set), sk_bytes = OW_MLDSA_PRIVATE_BYTES(set);
    const uint32_t input_bytes = OW_MLDSA_MU_BYTES + OW_MLDSA_SIGNATURE_BYTES(set);
    const uint8_t k = (uint8_t)set;
    CHECK_EQUAL(run(OW_OP_MLDSA_KEYGEN, k, 0, 31), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLDSA_SIGN, k, sk_bytes - 1u, 96), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLDSA_SIGN, k, sk_bytes, 64), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLDSA_VERIFY, k, pk_bytes + 1u, input_bytes), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLDSA_VERIFY, k, pk_bytes, input_bytes - 1u), OW_BAD_ARGUMENT);
  }
  CHECK_EQUAL(jobs_done() - before, 3);
  const enum ow_mldsa_set none = (enum ow_mldsa_set)5;
  CHECK_EQUAL(generate(none), OW_BAD_ARGUMENT);
  CHECK_EQUAL(sign(none, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(verify(none), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mldsa_generate(mldsa, NULL, sk, OW_MLDSA_44, counts), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mldsa_verify(mldsa, OW_MLDSA_44, pk, NULL, signature), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mldsa_init(mldsa, NULL), OW_BAD_ARGUMENT);
}

/* A build without the engine says so. */
static void test_absent(void) {
  CHECK_EQUAL(generate(OW_MLDSA_44), OW_UNSUPPORTED);
  CHECK_EQUAL(jobs_done(), 0);
}

int main(void) {
  rig_open(&rig);
  mldsa = rig_allocate(&rig, sizeof(*mldsa), 64);
  key = rig_allocate(&rig, OW_MLDSA_KEY_BYTES, 64);
  input = rig_allocate(&rig, OW_MLDSA_INPUT_BYTES, 64);
  output = rig_allocate(&rig, OW_MLDSA_OUTPUT_BYTES, 64);
  for (size_t i = 0; i < sizeof(counts); i++) {
    counts[i] = (uint8_t)i;
  }
  CHECK_EQUAL(ow_mldsa_init(mldsa, &rig.queue), OW_OK);
  if (ow_device_supports(&rig.device, OW_OP_MLDSA_KEYGEN, false)) {
    RUN(test_known_answers);
    RUN(test_key_in_a_slot);
    RUN(test_key_material);
    RUN(test_pairs);
    RUN(test_signatures_that_are_none);
    RUN(test_private_keys_that_are_none);
    RUN(test_what_is_refused);
  } else {
    RUN(test_absent);
  }
  ow_mldsa_close(mldsa);
  rig_close(&rig);
  return 0;
}
