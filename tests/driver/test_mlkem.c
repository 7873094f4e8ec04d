/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The driver's ML-KEM calls on the board: known answers, implicit rejection, and what is refused.
 */
#include <openssl/sha.h>

#include "check.h"
#include "outwork/mlkem.h"
#include "rig_board.h"

/* SHA-256 of dk and c, the secret, and that of c with its first bit changed: of rtl/lattice's
 * golden model with d, z and m that count up. */
static const struct answer {
  enum ow_mlkem_set set;
  uint8_t dk[32], ciphertext[32], secret[32], rejected[32];
} ANSWERS[] = {
    {OW_MLKEM_512,
     {0x17, 0xfb, 0x29, 0xb8, 0xc4, 0xba, 0xf7, 0x4f, 0xb8, 0x1e, 0xea,
      0x15, 0xff, 0xd5, 0x83, 0xb3, 0xe3, 0x7f, 0x5a, 0x5b, 0x8d, 0xcf,
      0x6d, 0xb9, 0x6c, 0x72, 0xc3, 0xb3, 0x75, 0x1d, 0x6f, 0x17},
     {0x81, 0xef, 0xe6, 0x67, 0x82, 0x68, 0x48, 0x51, 0x4d, 0xca, 0xe4,
      0x6f, 0xc1, 0x0c, 0xfd, 0x34, 0xf7, 0xb9, 0x5e, 0xd6, 0x90, 0x0e,
      0x09, 0x4f, 0x72, 0x7c, 0x9e, 0x7c, 0xcc, 0xc3, 0x4d, 0xf2},
     {0x14, 0xca, 0xce, 0x3e, 0x48, 0x77, 0x1b, 0x31, 0x66, 0x76, 0xaf,
      0xad, 0x2c, 0xfc, 0xfe, 0x84, 0x88, 0xda, 0xaa, 0x4f, 0xad, 0x95,
      0x4e, 0x57, 0x23, 0x6c, 0xaa, 0x3f, 0x24, 0xa4, 0x2c, 0xf7},
     {0x32, 0xee, 0x1f, 0xb3, 0xf7, 0xbd, 0x29, 0x15, 0x21, 0x8e, 0x9c,
      0x1b, 0x2d, 0x0d, 0x2d, 0xa8, 0x8f, 0x0e, 0xdc, 0xe6, 0x80, 0x42,
      0x78, 0xba, 0xb3, 0xa6, 0x12, 0x3c, 0x5b, 0xb6, 0x4f, 0xc4}},
    {OW_MLKEM_768,
     {0xda, 0xc2, 0x68, 0xbd, 0xe6, 0xa8, 0xdd, 0x23, 0x8e, 0x98, 0x87,
      0x11, 0x7d, 0x6b, 0x66, 0x4e, 0x7a, 0x7a, 0x93, 0x50, 0xad, 0x6b,
      0x7c, 0x08, 0xa9, 0x48, 0xe5, 0x04, 0x80, 0x95, 0x72, 0xa5},
     {0xdb, 0xf4, 0xe9, 0xaa, 0x48, 0xb0, 0x78, 0xad, 0x46, 0xec, 0x1c,
      0x9c, 0x47, 0xbd, 0xa8, 0xc2, 0xd2, 0xfe, 0xc9, 0xd0, 0xe7, 0xa2,
      0x1b, 0xd4, 0x8d, 0x22, 0x38, 0xa2, 0xab, 0xed, 0xb8, 0x56},
     {0x9c, 0xdd, 0xd0, 0x89, 0xff, 0xe7, 0x0e, 0x39, 0x96, 0xe7, 0x6f,
      0x7c, 0x8d, 0x06, 0x74, 0x6d, 0xf3, 0x4d, 0x07, 0xe8, 0x65, 0x7b,
      0xc0, 0xfc, 0xf2, 0xbb, 0x0e, 0x1c, 0x30, 0x84, 0xae, 0xa1},
     {0xdc, 0xfc, 0x80, 0xc6, 0xdb, 0x46, 0xff, 0x70, 0x28, 0xe3, 0xa4,
      0x39, 0x86, 0x51, 0xc0, 0x63, 0xae, 0x7a, 0x42, 0xc1, 0x07, 0xa6,
      0xdc, 0x8c, 0xb0, 0x71, 0x41, 0x86, 0x16, 0x98, 0xab, 0x92}},
    {OW_MLKEM_1024,
     {0x3a, 0x2a, 0x67, 0x6c, 0x5a, 0x24, 0x2e, 0xe6, 0x83, 0xcb, 0x60,
      0x97, 0xc8, 0xf3, 0xe6, 0x4f, 0xbe, 0xf4, 0xd9, 0x02, 0x67, 0xf9,
      0x25, 0x0e, 0xc2, 0xbe, 0xab, 0x8f, 0x99, 0x62, 0x1f, 0xad},
     {0x7c, 0x89, 0x74, 0x39, 0x60, 0xf7, 0xc3, 0xd1, 0x7b, 0xb6, 0x95,
      0x72, 0xe4, 0x9d, 0xe1, 0x4f, 0xe0, 0x99, 0x0c, 0x91, 0x13, 0xa0,
      0x70, 0x69, 0x63, 0xa8, 0xf4, 0xc7, 0xb3, 0x9a, 0xfc, 0xdf},
     {0x0a, 0xd8, 0xd1, 0xea, 0x1b, 0x8d, 0xd7, 0x88, 0x97, 0x9b, 0x43,
      0x79, 0x58, 0x12, 0x18, 0xdf, 0x93, 0x21, 0xbd, 0xce, 0x55, 0x67,
      0xec, 0xa4, 0x2a, 0xe6, 0xbe, 0x7d, 0x39, 0x5f, 0x1a, 0x54},
     {0x8f, 0x2c, 0x88, 0x08, 0x90, 0x99, 0x6c, 0x58, 0x7a, 0xa5, 0x00,
      0xcf, 0x8b, 0x6d, 0xa0, 0x33, 0x72, 0xde, 0x70, 0x6a, 0x9f, 0x96,
      0x07, 0x57, 0x44, 0xbb, 0x09, 0x56, 0xea, 0x6f, 0xba, 0xac}},
};
#define FOR_EACH_ANSWER(answer)                                                                    \
  for (const struct answer *answer = ANSWERS; answer < ANSWERS + 3; answer++)

static struct rig rig;
static struct ow_mlkem *mlkem;
static uint8_t *key, *input, *output;
static uint8_t seeds[96];
static uint8_t ek[1568 + 1], dk[3168 + 1], ciphertext[1568 + 1], secret[32 + 1];

static uint64_t jobs_done(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  return counters.jobs;
}

static bool has_digest(const uint8_t *data, size_t length, const uint8_t digest[32]) {
  uint8_t got[32];
  SHA256(data, length, got);
  return memcmp(got, digest, 32) == 0;
}

static ow_status generate(enum ow_mlkem_set set) {
  return ow_mlkem_generate(mlkem, ek, dk, set, seeds, seeds + 32);
}

static ow_status encapsulate(enum ow_mlkem_set set) {
  return ow_mlkem_encapsulate(mlkem, ciphertext, secret, set, ek, seeds + 64);
}

static ow_status decapsulate(enum ow_mlkem_set set) {
  return ow_mlkem_decapsulate(mlkem, secret, set, dk, ciphertext);
}

static bool is_wiped(void) {
  const uint8_t *byte = mlkem->key;
  for (; byte < mlkem->output + sizeof(mlkem->output); byte++) {
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
    const enum ow_mlkem_set set = answer->set;
    const size_t dk_bytes = OW_MLKEM_DK_BYTES(set), ek_bytes = OW_MLKEM_EK_BYTES(set);
    const size_t ciphertext_bytes = OW_MLKEM_CIPHERTEXT_BYTES(set);
    ek[ek_bytes] = dk[dk_bytes] = ciphertext[ciphertext_bytes] = secret[32] = 0x5a;
    CHECK_EQUAL(generate(set), OW_OK);
    CHECK(has_digest(dk, dk_bytes, answer->dk));
    CHECK(memcmp(ek, dk + 384u * set, ek_bytes) == 0);
    CHECK(mlkem->cycles > 1000 && mlkem->cycles < 6000);
    CHECK_EQUAL(encapsulate(set), OW_OK);
    CHECK(has_digest(ciphertext, ciphertext_bytes, answer->ciphertext));
    CHECK(memcmp(secret, answer->secret, 32) == 0);
    memset(secret, 0, 32);
    CHECK_EQUAL(decapsulate(set), OW_OK);
    CHECK(memcmp(secret, answer->secret, 32) == 0);
    CHECK_EQUAL(ek[ek_bytes] + dk[dk_bytes] + ciphertext[ciphertext_bytes] + secret[32], 4 * 0x5a);
    CHECK(is_wiped());
  }
  CHECK_EQUAL(jobs_done() - before, 9);
}

/* A changed ciphertext gives the secret that the standard says, in as many cycles. */
static void test_implicit_rejection(void) {
  uint64_t before = jobs_done();
  FOR_EACH_ANSWER(answer) {
    const enum ow_mlkem_set set = answer->set;
    CHECK_EQUAL(generate(set), OW_OK);
    CHECK_EQUAL(encapsulate(set), OW_OK);
    ciphertext[0] ^= 1;
    CHECK_EQUAL(decapsulate(set), OW_OK);
    CHECK(memcmp(secret, answer->rejected, 32) == 0);
  }
  CHECK_EQUAL(jobs_done() - before, 9);
}

/* A key in a slot gives its public key and decapsulates; its first use takes key generation too. */
static void test_key_in_a_slot(void) {
  const struct ow_key_properties properties = {.queues = 0xff, .decrypt = true};
  const struct ow_key_properties nobody = {.decrypt = true};
  FOR_EACH_ANSWER(answer) {
    const enum ow_mlkem_set set = answer->set;
    const enum ow_mlkem_set other = set == OW_MLKEM_512 ? OW_MLKEM_768 : OW_MLKEM_512;
    uint64_t before = jobs_done();
    struct ow_key_info info = {0};
    struct ow_key_handle handle = {.slot = 5};
    CHECK_EQUAL(generate(set), OW_OK);
    CHECK_EQUAL(encapsulate(set), OW_OK);
    CHECK_EQUAL(ow_mlkem_slot_load(&rig.device, 5, &properties, set, seeds, seeds + 32), OW_OK);
    CHECK_EQUAL(ow_key_query(&rig.device, &info, 5), OW_OK);
    CHECK(info.valid && info.kind == OW_OP_MLKEM_DECAPSULATE);
    handle.generation = info.generation;
    memset(ek, 0, sizeof(ek));
    CHECK_EQUAL(ow_mlkem_slot_public(mlkem, ek, set, &handle), OW_OK);
    CHECK(memcmp(ek, dk + 384u * set, OW_MLKEM_EK_BYTES(set)) == 0);
    uint32_t cycles[2];
    for (size_t i = 0; i < 2; i++) {
      memset(secret, 0, 32);
      CHECK_EQUAL(ow_mlkem_slot_decapsulate(mlkem, secret, set, &handle, ciphertext), OW_OK);
      CHECK(memcmp(secret, answer->secret, 32) == 0 && is_wiped());
      cycles[i] = mlkem->cycles;
    }
    CHECK(cycles[1] + 900 < cycles[0]);
    printf("ML-KEM-%u, key in a slot: decapsulation %u cycles, with expansion %u\n", 256u * set,
           cycles[1], cycles[0]);
    ciphertext[0] ^= 1;
    CHECK_EQUAL(ow_mlkem_slot_decapsulate(mlkem, secret, set, &handle, ciphertext), OW_OK);
    CHECK(memcmp(secret, answer->rejected, 32) == 0);
    CHECK_EQUAL(jobs_done() - before, 6);
    /* Not for another set, not after the key has gone. */
    CHECK_EQUAL(ow_mlkem_slot_public(mlkem, ek, other, &handle), OW_BAD_KEY);
    CHECK_EQUAL(ow_key_zeroise(&rig.device, 5), OW_OK);
    CHECK_EQUAL(ow_mlkem_slot_decapsulate(mlkem, secret, set, &handle, ciphertext), OW_KEY_DENIED);
    CHECK_EQUAL(ow_mlkem_slot_load(&rig.device, 5, &properties, set, seeds, seeds + 32), OW_OK);
    CHECK_EQUAL(ow_mlkem_slot_decapsulate(mlkem, secret, set, &handle, ciphertext), OW_KEY_GONE);
    CHECK_EQUAL(ow_mlkem_slot_load(&rig.device, 5, &nobody, set, seeds, seeds + 32), OW_OK);
    handle.generation = 0;
    CHECK_EQUAL(ow_mlkem_slot_public(mlkem, ek, set, &handle), OW_KEY_DENIED);
    CHECK_EQUAL(jobs_done() - before, 6);
  }
  CHECK_EQUAL(ow_mlkem_slot_load(&rig.device, 5, &properties, (enum ow_mlkem_set)5, seeds, seeds),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mlkem_slot_load(&rig.device, 5, &properties, OW_MLKEM_512, NULL, seeds),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mlkem_slot_public(mlkem, ek, OW_MLKEM_512, NULL), OW_BAD_ARGUMENT);
}

/* As material of any kind, of each set; refused where it is none. */
static void test_key_material(void) {
  FOR_EACH_ANSWER(answer) {
    const enum ow_mlkem_set set = answer->set;
    struct ow_key_material material = {.properties = {.queues = 1, .decrypt = true},
                                       .opcode = OW_OP_MLKEM_DECAPSULATE,
                                       .curve = (uint8_t)(set - OW_MLKEM_512),
                                       .key_len = 64,
                                       .key = seeds};
    struct ow_key_handle handle = {0};
    CHECK_EQUAL(generate(set), OW_OK);
    CHECK_EQUAL(ow_key_load_anywhere(&rig.device, &handle, &material), OW_OK);
    CHECK_EQUAL(ow_mlkem_slot_public(mlkem, ek, set, &handle), OW_OK);
    CHECK(memcmp(ek, dk + 384u * set, OW_MLKEM_EK_BYTES(set)) == 0);
    CHECK_EQUAL(ow_key_zeroise_handle(&rig.device, &handle), OW_OK);
    material.key_len = 63;
    CHECK_EQUAL(ow_key_load_anywhere(&rig.device, &handle, &material), OW_KEY_REFUSED);
    material.curve = 3;
    CHECK_EQUAL(ow_key_load_anywhere(&rig.device, &handle, &material), OW_BAD_ARGUMENT);
  }
}

/* A pair is one, and keys of two pairs are none. */
static void test_pairs(void) {
  FOR_EACH_ANSWER(answer) {
    const enum ow_mlkem_set set = answer->set;
    uint64_t before = jobs_done();
    CHECK_EQUAL(generate(set), OW_OK);
    CHECK_EQUAL(ow_mlkem_check_pair(mlkem, set, ek, dk, seeds + 64), OW_OK);
    CHECK(is_wiped());
    CHECK_EQUAL(ow_mlkem_generate(mlkem, NULL, dk, set, seeds + 32, seeds), OW_OK);
    CHECK_EQUAL(ow_mlkem_check_pair(mlkem, set, ek, dk, seeds + 64), OW_FAULT);
    CHECK(is_wiped());
    CHECK_EQUAL(jobs_done() - before, 6);
    dk[OW_MLKEM_DK_BYTES(set) - 33u] ^= 1;
    CHECK_EQUAL(ow_mlkem_check_pair(mlkem, set, ek, dk, seeds + 64), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_mlkem_check_pair(mlkem, set, ek, NULL, seeds + 64), OW_BAD_ARGUMENT);
  }
}

/* A coefficient that is not below q, and a wrong hash of ek: the device finds them. */
static void test_keys_that_are_none(void) {
  uint64_t before = jobs_done();
  FOR_EACH_ANSWER(answer) {
    const enum ow_mlkem_set set = answer->set;
    CHECK_EQUAL(generate(set), OW_OK);
    CHECK_EQUAL(encapsulate(set), OW_OK);
    memset(secret, 0x5a, 32);
    ek[0] = 0xff;
    ek[1] |= 0x0f;
    uint8_t first = ciphertext[0];
    CHECK_EQUAL(encapsulate(set), OW_BAD_ARGUMENT);
    CHECK(ciphertext[0] == first && secret[0] == 0x5a);
    dk[OW_MLKEM_DK_BYTES(set) - 33u] ^= 1;
    CHECK_EQUAL(decapsulate(set), OW_BAD_ARGUMENT);
    CHECK(secret[0] == 0x5a && is_wiped());
  }
  CHECK_EQUAL(jobs_done() - before, 6);
}

static ow_status run(uint8_t opcode, uint8_t k, uint32_t key_len, uint32_t length) {
  struct ow_job job = {
      .opcode = opcode,
      .key = {.bytes = opcode == OW_OP_MLKEM_DECAPSULATE ? key : NULL},
      .iv = &k,
      .iv_len = 1,
      .aad = key,
      .aad_len = key_len,
      .source = input,
      .length = length,
      .destination = output,
      .destination_len = OW_MLKEM_DK_BYTES(OW_MLKEM_1024),
  };
  return ow_queue_run(&rig.queue, &job);
}

static void test_what_is_refused(void) {
  uint64_t before = jobs_done();
  for (uint32_t k = 0; k < 8; k++) {
    bool is_set = k >= 2 && k <= 4;
    CHECK_EQUAL(run(OW_OP_MLKEM_KEYGEN, (uint8_t)k, 0, 64), is_set ? OW_OK : OW_BAD_ARGUMENT);
  }
  FOR_EACH_ANSWER(answer) {
    const enum ow_mlkem_set set = answer->set;
    const uint32_t ek_bytes = OW_MLKEM_EK_BYTES(set), dk_bytes = OW_MLKEM_DK_BYTES(set);
    const uint32_t ciphertext_bytes = OW_MLKEM_CIPHERTEXT_BYTES(set);
    const uint8_t k = (uint8_t)set;
    CHECK_EQUAL(run(OW_OP_MLKEM_KEYGEN, k, 0, 63), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLKEM_KEYGEN, k, 1, 64), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLKEM_ENCAPSULATE, k, ek_bytes - 1u, 32), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLKEM_ENCAPSULATE, k, ek_bytes, 33), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLKEM_DECAPSULATE, k, dk_bytes + 1u, ciphertext_bytes), OW_BAD_ARGUMENT);
    CHECK_EQUAL(run(OW_OP_MLKEM_DECAPSULATE, k, dk_bytes, ciphertext_bytes - 1u), OW_BAD_ARGUMENT);
  }
  CHECK_EQUAL(jobs_done() - before, 3);
  const enum ow_mlkem_set none = (enum ow_mlkem_set)5;
  CHECK_EQUAL(generate(none), OW_BAD_ARGUMENT);
  CHECK_EQUAL(encapsulate(none), OW_BAD_ARGUMENT);
  CHECK_EQUAL(decapsulate(none), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mlkem_generate(mlkem, ek, NULL, OW_MLKEM_512, seeds, seeds), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mlkem_decapsulate(mlkem, secret, OW_MLKEM_512, NULL, ciphertext), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mlkem_init(mlkem, NULL), OW_BAD_ARGUMENT);
}

/* A build without the engine says so. */
static void test_absent(void) {
  CHECK_EQUAL(generate(OW_MLKEM_512), OW_UNSUPPORTED);
  CHECK_EQUAL(jobs_done(), 0);
}

int main(void) {
  rig_open(&rig);
  mlkem = rig_allocate(&rig, sizeof(*mlkem), 64);
  key = rig_allocate(&rig, OW_MLKEM_KEY_BYTES, 64);
  input = rig_allocate(&rig, OW_MLKEM_INPUT_BYTES, 64);
  output = rig_allocate(&rig, OW_MLKEM_KEY_BYTES, 64);
  for (size_t i = 0; i < sizeof(seeds); i++) {
    seeds[i] = (uint8_t)i;
  }
  CHECK_EQUAL(ow_mlkem_init(mlkem, &rig.queue), OW_OK);
  if (ow_device_supports(&rig.device, OW_OP_MLKEM_KEYGEN, false)) {
    RUN(test_known_answers);
    RUN(test_implicit_rejection);
    RUN(test_key_in_a_slot);
    RUN(test_key_material);
    RUN(test_pairs);
    RUN(test_keys_that_are_none);
    RUN(test_what_is_refused);
  } else {
    RUN(test_absent);
  }
  ow_mlkem_close(mlkem);
  rig_close(&rig);
  return 0;
}
