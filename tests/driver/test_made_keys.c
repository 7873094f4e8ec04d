/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Shared secrets of ML-KEM that stay in a slot: as keys of AES, HMAC and HKDF, against the same
 * secret outside; who may make them where.
 */
#include "check.h"
#include "hashes.h"
#include "outwork/curve25519.h"
#include "outwork/mlkem.h"
#include "outwork/pka.h"
#include "reference.h"
#include "rig_board.h"

static struct rig rig;
static struct ow_mlkem *mlkem;
static uint8_t *input, *output;
static uint8_t seeds[96], ek[1568], dk[3168], ciphertext[1568], secret[32];
static const struct ow_key_properties kem_closed = {.queues = 1};
static const struct ow_key_properties kem_open = {.queues = 1, .decrypt = true};
static const struct ow_key_properties all = {
    .queues = 1, .encrypt = true, .decrypt = true, .mac = true};
static struct ow_key_handle kem = {.slot = 3};

static uint64_t jobs_done(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  return counters.jobs;
}

static struct ow_key_info info_of(uint8_t slot) {
  struct ow_key_info info = {0};
  CHECK_EQUAL(ow_key_query(&rig.device, &info, slot), OW_OK);
  return info;
}

/* A key pair, a ciphertext for it and its secret; the pair's seeds go to slot 3. */
static void agree(enum ow_mlkem_set set, const struct ow_key_properties *properties) {
  random_bytes(seeds, sizeof(seeds));
  CHECK_EQUAL(ow_mlkem_generate(mlkem, ek, dk, set, seeds, seeds + 32), OW_OK);
  CHECK_EQUAL(ow_mlkem_encapsulate(mlkem, ciphertext, secret, set, ek, seeds + 64), OW_OK);
  CHECK_EQUAL(ow_mlkem_slot_load(&rig.device, kem.slot, properties, set, seeds, seeds + 32), OW_OK);
}

static struct ow_key_handle reserve(uint8_t slot, uint8_t opcode, size_t key_len) {
  struct ow_key_handle made = {0};
  CHECK_EQUAL(ow_key_reserve(&rig.device, &made, slot, &all, opcode, key_len), OW_OK);
  CHECK(made.slot == slot && made.generation != 0);
  const struct ow_key_info info = info_of(slot);
  CHECK(info.reserved && !info.valid && info.generation == made.generation);
  CHECK_EQUAL(info.kind, opcode);
  return made;
}

static struct ow_key key_of(struct ow_key_handle made) {
  return (struct ow_key){.slot = made.slot, .generation = made.generation};
}

/* What the owner writes meanwhile for a key to come is no part of one that a job makes. */
static void write_key_registers(void) {
  for (uint32_t i = 0; i < OW_GLOBAL_KEY_DATA_COUNT; i++) {
    rig.device.platform->write32(rig.device.platform->context,
                                 OW_GLOBAL_KEY_DATA_OFFSET + i * OW_GLOBAL_KEY_DATA_STRIDE,
                                 0xa5a5a5a5);
  }
}

/* A key for AES of each length is the secret's first bytes, of every parameter set. */
static void test_aes_keys(void) {
  static const enum ow_mlkem_set SETS[] = {OW_MLKEM_512, OW_MLKEM_768, OW_MLKEM_1024};
  static const uint8_t iv[12] = {7};
  for (size_t i = 0; i < 3; i++) {
    const size_t key_len = 16 + 8 * i;
    uint8_t expected[100], expected_tag[16], tag[16];
    agree(SETS[i], &kem_closed);
    struct ow_key_handle made = reserve(9, OW_OP_NOP, key_len);
    const struct ow_key key = key_of(made);
    CHECK_EQUAL(ow_aes_gcm_seal(&rig.queue, output, tag, 16, &key, iv, 12, NULL, 0, input, 100),
                OW_KEY_DENIED);
    uint64_t before = jobs_done();
    CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, SETS[i], &kem, ciphertext), OW_OK);
    printf("ML-KEM-%u for a slot: %u cycles, with expansion\n", 256u * SETS[i], mlkem->cycles);
    CHECK(info_of(9).valid && !info_of(9).reserved && info_of(9).generation == made.generation);
    CHECK_EQUAL(info_of(9).key_len, key_len);
    CHECK_EQUAL(ow_aes_gcm_seal(&rig.queue, output, tag, 16, &key, iv, 12, NULL, 0, input, 100),
                OW_OK);
    reference_seal(&(struct reference){.opcode = OW_OP_AES_GCM,
                                       .key = secret,
                                       .key_len = key_len,
                                       .iv = iv,
                                       .iv_len = 12,
                                       .tag_len = 16},
                   expected, expected_tag, input, 100);
    CHECK(memcmp(output, expected, 100) == 0 && memcmp(tag, expected_tag, 16) == 0);
    CHECK_EQUAL(jobs_done() - before, 2);
    /* Once: the same ciphertext makes no second key there. */
    CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, SETS[i], &kem, ciphertext),
                OW_KEY_DENIED);
    CHECK_EQUAL(ow_key_zeroise_handle(&rig.device, &made), OW_OK);
    CHECK_EQUAL(ow_aes_gcm_seal(&rig.queue, output, tag, 16, &key, iv, 12, NULL, 0, input, 100),
                OW_KEY_DENIED);
  }
}

/* HMAC with the secret, and with it as HKDF's pseudorandom key (RFC 5869 2.3); 16 to 32 bytes. */
static void test_mac_keys(void) {
  const struct hash_name *sha256 = NULL;
  for (size_t i = 0; i < HASHES; i++) {
    sha256 = hash_names[i].opcode + 16 == OW_OP_HMAC_SHA256 ? &hash_names[i] : sha256;
  }
  for (size_t key_len = 16; key_len <= 32; key_len += 8) {
    uint8_t mac[32], expected[32];
    agree(OW_MLKEM_768, &kem_closed);
    struct ow_key_handle made = reserve(10, OW_OP_HMAC_SHA256, key_len);
    write_key_registers();
    CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, OW_MLKEM_768, &kem, ciphertext), OW_OK);
    const struct ow_key key = key_of(made);
    memcpy(input, "tls13 derived", 14);
    input[13] = 1; /* the counter behind HKDF's info */
    CHECK_EQUAL(ow_mac(&rig.queue, mac, 32, OW_OP_HMAC_SHA256, &key, input, 14), OW_OK);
    reference_mac(sha256, expected, 32, secret, key_len, input, 14);
    CHECK(memcmp(mac, expected, 32) == 0);
    /* For nothing else. */
    CHECK_EQUAL(ow_aes_cmac(&rig.queue, mac, 16, &key, input, 14), OW_BAD_KEY);
  }
}

/* A kind of key and a job with it. */
struct kind {
  uint8_t opcode, key_len, iv_len, source_len, destination_len;
};

static ow_status run(struct ow_job *job, const struct kind *kind, struct ow_key_handle handle) {
  static const uint8_t iv[27] = {1, 2, 3, 4};
  memset(output, 0, 128);
  *job = (struct ow_job){.opcode = kind->opcode,
                         .tag_len = kind->opcode == OW_OP_ASCON_AEAD128 ? 16 : 0,
                         .key = key_of(handle),
                         .iv = iv,
                         .iv_len = kind->iv_len,
                         .length = kind->source_len,
                         .source = input,
                         .destination = output,
                         .destination_len = kind->destination_len};
  return ow_queue_run(&rig.queue, job);
}

/* A key of each kind does in its engine what the same key does that the owner loads. */
static void test_every_engine(void) {
  static const struct kind KINDS[] = {
      {OW_OP_HMAC_SHA1, 20, 0, 64, 20},     {OW_OP_HMAC_SHA224, 32, 0, 64, 28},
      {OW_OP_HMAC_SHA256, 32, 0, 64, 32},   {OW_OP_HMAC_SHA384, 32, 0, 64, 48},
      {OW_OP_HMAC_SHA512, 17, 0, 64, 64},   {OW_OP_HMAC_SHA512, 32, 0, 64, 64},
      {OW_OP_HMAC_SHA3_256, 32, 0, 64, 32}, {OW_OP_HMAC_SHA3_512, 32, 0, 64, 64},
      {OW_OP_KMAC128, 32, 0, 64, 32},       {OW_OP_KMAC256, 32, 0, 64, 32},
      {OW_OP_EEA1, 16, 16, 64, 0},          {OW_OP_EEA3, 16, 16, 64, 0},
      {OW_OP_ZUC256, 32, 27, 64, 0},        {OW_OP_TDES_ECB, 24, 0, 64, 0},
      {OW_OP_ASCON_AEAD128, 16, 16, 64, 0},
  };
  unsigned kinds = 0;
  for (size_t i = 0; i < sizeof(KINDS) / sizeof(*KINDS); i++) {
    const struct kind *kind = &KINDS[i];
    if (!ow_device_supports(&rig.device, kind->opcode, false)) {
      continue;
    }
    struct ow_job job;
    uint8_t expected[128], expected_tag[64];
    agree(OW_MLKEM_512, &kem_closed);
    struct ow_key_handle made = reserve(9, kind->opcode, kind->key_len), loaded = {.slot = 10};
    CHECK_EQUAL(ow_key_load_kind(&rig.device, 10, &all, kind->opcode, secret, kind->key_len),
                OW_OK);
    loaded.generation = info_of(10).generation;
    write_key_registers();
    const uint64_t before = jobs_done();
    CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, OW_MLKEM_512, &kem, ciphertext), OW_OK);
    CHECK_EQUAL(run(&job, kind, loaded), OW_OK);
    memcpy(expected, output, sizeof(expected));
    memcpy(expected_tag, job.tag, sizeof(expected_tag));
    CHECK_EQUAL(run(&job, kind, made), OW_OK);
    printf("opcode 0x%02x, key of %u bytes\n", kind->opcode, kind->key_len);
    CHECK(memcmp(output, expected, sizeof(expected)) == 0);
    CHECK(memcmp(job.tag, expected_tag, sizeof(expected_tag)) == 0);
    CHECK_EQUAL(jobs_done() - before, 3);
    kinds++;
  }
  CHECK(kinds >= 10);
}

/* So do numbers of the public-key engine, here seen in their public keys. */
static void test_public_keys(void) {
  static const uint8_t OPCODES[] = {OW_OP_X25519, OW_OP_EC_MULTIPLY};
  struct ow_pka *pka = rig_allocate(&rig, sizeof(*pka), 64);
  CHECK_EQUAL(ow_pka_init(pka, &rig.queue), OW_OK);
  for (size_t i = 0; i < sizeof(OPCODES); i++) {
    uint8_t points[2][64] = {0};
    agree(OW_MLKEM_512, &kem_closed);
    struct ow_key_handle handles[2] = {reserve(9, OPCODES[i], 32), {.slot = 10}};
    CHECK_EQUAL(ow_key_load_kind(&rig.device, 10, &all, OPCODES[i], secret, 32), OW_OK);
    handles[1].generation = info_of(10).generation;
    write_key_registers();
    CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &handles[0], OW_MLKEM_512, &kem, ciphertext),
                OW_OK);
    const uint64_t before = jobs_done();
    for (size_t j = 0; j < 2; j++) {
      const struct ow_x25519_private x25519 = {
          .slotted = true, .slot = handles[j].slot, .generation = handles[j].generation};
      const struct ow_ec_private p256 = {.curve = OW_CURVE_P256,
                                         .slotted = true,
                                         .slot = handles[j].slot,
                                         .generation = handles[j].generation};
      CHECK_EQUAL(OPCODES[i] == OW_OP_X25519 ? ow_x25519_public(pka, points[j], &x25519)
                                             : ow_ec_public(pka, points[j], &p256),
                  OW_OK);
    }
    CHECK(memcmp(points[0], points[1], 64) == 0);
    CHECK_EQUAL(jobs_done() - before, 2);
  }
  ow_pka_close(pka);
}

/* A changed ciphertext makes the key that implicit rejection says, with the same status. */
static void test_implicit_rejection(void) {
  uint8_t mac[16], expected[16];
  agree(OW_MLKEM_512, &kem_open);
  ciphertext[5] ^= 4;
  CHECK_EQUAL(ow_mlkem_decapsulate(mlkem, secret, OW_MLKEM_512, dk, ciphertext), OW_OK);
  struct ow_key_handle made = reserve(9, OW_OP_NOP, 32);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, OW_MLKEM_512, &kem, ciphertext), OW_OK);
  const struct ow_key key = key_of(made);
  CHECK_EQUAL(ow_aes_cmac(&rig.queue, mac, 16, &key, input, 40), OW_OK);
  reference_seal(
      &(struct reference){.opcode = OW_OP_AES_CMAC, .key = secret, .key_len = 32, .tag_len = 16},
      NULL, expected, input, 40);
  CHECK(memcmp(mac, expected, 16) == 0);
}

/* Without the permission to decrypt no secret leaves, and nothing is written. */
static void test_secrets_that_may_not_leave(void) {
  uint8_t got[32];
  agree(OW_MLKEM_512, &kem_closed);
  memset(got, 0x5a, 32);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate(mlkem, got, OW_MLKEM_512, &kem, ciphertext), OW_KEY_DENIED);
  for (size_t i = 0; i < 32; i++) {
    CHECK_EQUAL(got[i], 0x5a);
  }
  CHECK_EQUAL(ow_mlkem_slot_load(&rig.device, kem.slot, &kem_open, OW_MLKEM_512, seeds, seeds + 32),
              OW_OK);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate(mlkem, got, OW_MLKEM_512, &kem, ciphertext), OW_OK);
  CHECK(memcmp(got, secret, 32) == 0);
}

static void test_slots_that_get_no_key(void) {
  static const struct ow_key_properties theirs = {.queues = 2, .encrypt = true};
  agree(OW_MLKEM_512, &kem_closed);
  struct ow_key_handle made = reserve(9, OW_OP_NOP, 16), foreign;
  CHECK_EQUAL(ow_key_reserve(&rig.device, &foreign, 11, &theirs, OW_OP_NOP, 16), OW_OK);
  const struct ow_key_handle targets[] = {
      foreign,
      {.slot = 9, .generation = (uint16_t)(made.generation + 1)},
      {.slot = 20, .generation = info_of(20).generation},
      {.slot = kem.slot, .generation = info_of(kem.slot).generation},
      {.slot = 32, .generation = made.generation},
      {.slot = 9 + 32, .generation = made.generation},
      {.slot = 255, .generation = made.generation},
  };
  for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
    CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &targets[i], OW_MLKEM_512, &kem, ciphertext),
                OW_KEY_DENIED);
  }
  CHECK(info_of(9).reserved && info_of(11).reserved && !info_of(20).valid);
  /* The reservation ends with a zeroise, and with a load. */
  CHECK_EQUAL(ow_key_zeroise_handle(&rig.device, &made), OW_OK);
  CHECK_EQUAL(ow_key_zeroise_handle(&rig.device, &made), OW_KEY_GONE);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, OW_MLKEM_512, &kem, ciphertext),
              OW_KEY_DENIED);
  made = reserve(9, OW_OP_NOP, 16);
  CHECK_EQUAL(ow_key_load(&rig.device, 9, &all, seeds, 16, NULL), OW_OK);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, OW_MLKEM_512, &kem, ciphertext),
              OW_KEY_DENIED);
  CHECK(info_of(9).valid);
  /* A key of AES with HMAC has two parts: the engine refuses it. */
  if (ow_device_supports(&rig.device, OW_OP_AES_CBC_HMAC_SHA256, false)) {
    made = reserve(9, OW_OP_AES_CBC_HMAC_SHA256, 16);
    CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, OW_MLKEM_512, &kem, ciphertext),
                OW_KEY_DENIED);
    CHECK(info_of(9).reserved);
  }
  /* ow_key_load_anywhere() leaves reserved slots alone. */
  struct ow_key_handle loaded;
  const struct ow_key_material material = {.properties = all, .key = seeds, .key_len = 16};
  CHECK_EQUAL(ow_key_zeroise_all(&rig.device), OW_OK);
  reserve(0, OW_OP_NOP, 16);
  CHECK_EQUAL(ow_key_load_anywhere(&rig.device, &loaded, &material), OW_OK);
  CHECK_EQUAL(loaded.slot, 1);
}

static void test_reservations_that_are_refused(void) {
  struct ow_key_handle made = {0};
  struct ow_device *device = &rig.device;
  for (size_t key_len = 0; key_len < 70; key_len++) {
    bool aes = key_len == 16 || key_len == 24 || key_len == 32;
    CHECK_EQUAL(ow_key_reserve(device, &made, 9, &all, OW_OP_NOP, key_len),
                aes ? OW_OK : OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_key_reserve(device, &made, 9, &all, OW_OP_HMAC_SHA256, key_len),
                key_len >= 16 && key_len <= 32 ? OW_OK : OW_BAD_ARGUMENT);
  }
  CHECK_EQUAL(ow_key_reserve(device, NULL, 9, &all, OW_OP_NOP, 16), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_reserve(device, &made, 9, NULL, OW_OP_NOP, 16), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_reserve(device, &made, 32, &all, OW_OP_NOP, 16), OW_BAD_ARGUMENT);
  struct ow_key_properties locked = all;
  locked.lock = true;
  CHECK_EQUAL(ow_key_load(device, 9, &locked, seeds, 16, NULL), OW_OK);
  made = (struct ow_key_handle){.slot = 77};
  CHECK_EQUAL(ow_key_reserve(device, &made, 9, &all, OW_OP_NOP, 16), OW_KEY_REFUSED);
  CHECK(made.slot == 77 && info_of(9).valid);
  CHECK_EQUAL(ow_key_zeroise(device, 9), OW_OK);
  made.generation = 0;
  CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, OW_MLKEM_512, &kem, ciphertext),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, NULL, OW_MLKEM_512, &kem, ciphertext),
              OW_BAD_ARGUMENT);
}

/* A build without an engine that makes keys says so. */
static void test_absent(void) {
  struct ow_key_handle made;
  CHECK_EQUAL(ow_key_reserve(&rig.device, &made, 9, &all, OW_OP_NOP, 16), OW_UNSUPPORTED);
  CHECK(!info_of(9).reserved);
}

int main(void) {
  rig_open(&rig);
  mlkem = rig_allocate(&rig, sizeof(*mlkem), 64);
  input = rig_allocate(&rig, 128, 64);
  output = rig_allocate(&rig, 128, 64);
  random_bytes(input, 128);
  CHECK_EQUAL(ow_mlkem_init(mlkem, &rig.queue), OW_OK);
  CHECK_EQUAL(rig.device.capabilities.made_keys,
              ow_device_supports(&rig.device, OW_OP_MLKEM_DECAPSULATE, false));
  if (rig.device.capabilities.made_keys) {
    RUN(test_aes_keys);
    RUN(test_mac_keys);
    RUN(test_every_engine);
    RUN(test_public_keys);
    RUN(test_implicit_rejection);
    RUN(test_secrets_that_may_not_leave);
    RUN(test_slots_that_get_no_key);
    RUN(test_reservations_that_are_refused);
  } else {
    RUN(test_absent);
  }
  ow_mlkem_close(mlkem);
  rig_close(&rig);
  return 0;
}
