/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Another queue's key slot gives no information.
 */
#include "../sim/bench.h"

static struct bench bench;
static uint8_t key_bytes[64];

/* A job with another queue's slot gets the same status in the same time for any content of the
 * slot. */
static void foreign_slots(void) {
  static const uint8_t opcodes[] = {OW_OP_EEA2,    OW_OP_AES_XTS,     OW_OP_AES_GCM,
                                    OW_OP_EEA3,    OW_OP_HMAC_SHA256, OW_OP_TDES_CBC,
                                    OW_OP_AES_ECB, OW_OP_AES_CMAC,    OW_OP_MLDSA_SIGN};
  const struct ow_key_properties theirs = {
      .queues = 2, .encrypt = true, .decrypt = true, .mac = true};
  struct ow_device *device = &bench.device;
  CHECK_EQUAL(ow_key_load(device, 0, &theirs, key_bytes, 32, NULL), OW_OK);
  CHECK_EQUAL(ow_key_load(device, 1, &theirs, key_bytes, 16, NULL), OW_OK);
  CHECK_EQUAL(ow_key_load(device, 2, &theirs, key_bytes, 16, key_bytes + 16), OW_OK);
  CHECK_EQUAL(ow_key_load_kind(device, 3, &theirs, OW_OP_HMAC_SHA256, key_bytes, 32), OW_OK);
  CHECK_EQUAL(ow_key_load_kind(device, 4, &theirs, OW_OP_EEA3, key_bytes, 16), OW_OK);
  CHECK_EQUAL(ow_ec_slot_load(device, 5, &(struct ow_key_properties){.queues = 2}, true,
                              OW_CURVE_P256, key_bytes),
              OW_OK);
  CHECK_EQUAL(ow_rsa_slot_reserve(device, 6, &(struct ow_key_properties){.queues = 2}), OW_OK);
  CHECK_EQUAL(ow_key_load_kind(device, 7, &theirs, OW_OP_MLDSA_SIGN, key_bytes, 32), OW_OK);
  static const uint8_t slots[] = {0, 1, 2, 3, 4, 5, 6, 7, 20, 31, 32, 255};
  for (unsigned o = 0; o < sizeof(opcodes); o++) {
    uint32_t cycles = 0;
    for (unsigned s = 0; s < sizeof(slots); s++) {
      static const uint8_t iv[16] = {1}, k = 4;
      bool mac = opcodes[o] == OW_OP_HMAC_SHA256 || opcodes[o] == OW_OP_AES_CMAC;
      bool gcm = opcodes[o] == OW_OP_AES_GCM, lattice = opcodes[o] == OW_OP_MLDSA_SIGN;
      struct ow_job job = {.opcode = opcodes[o],
                           .key = {.slot = slots[s]},
                           .length = lattice ? 96 : 16,
                           .source = bench.memory,
                           .destination = mac ? NULL : bench.memory + 128,
                           .destination_len = lattice ? 2420 : 0,
                           .tag_len = mac || gcm ? 16 : 0,
                           .iv = lattice ? &k : iv,
                           .iv_len = mac || opcodes[o] == OW_OP_AES_ECB ? 0
                                     : lattice                          ? 1
                                     : gcm                              ? 12
                                     : opcodes[o] == OW_OP_TDES_CBC     ? 8
                                                                        : 16};
      CHECK_EQUAL(ow_queue_run(&bench.queue, &job), OW_KEY_DENIED);
      cycles = s == 0 ? job.cycles : cycles;
      CHECK_EQUAL(job.cycles, cycles);
      job.key.generation = 2;
      CHECK_EQUAL(ow_queue_run(&bench.queue, &job), OW_KEY_DENIED);
      CHECK_EQUAL(job.cycles, cycles);
    }
  }
  CHECK_EQUAL(ow_key_zeroise_all(device), OW_OK);
}

/* A job under its own key with another queue's slot for the secret gets the same status in the same
 * time for any content of that slot and any generation. */
static void foreign_results(void) {
  const struct ow_key_properties theirs = {.queues = 2, .encrypt = true};
  const struct ow_key_properties mine = {.queues = 1};
  struct ow_device *device = &bench.device;
  struct ow_key_handle reserved;
  CHECK_EQUAL(ow_key_load_kind(device, 3, &mine, OW_OP_MLKEM_DECAPSULATE, key_bytes, 64), OW_OK);
  CHECK_EQUAL(ow_key_load(device, 0, &theirs, key_bytes, 16, NULL), OW_OK);
  CHECK_EQUAL(ow_key_load_kind(device, 1, &theirs, OW_OP_HMAC_SHA256, key_bytes, 32), OW_OK);
  CHECK_EQUAL(ow_key_reserve(device, &reserved, 2, &theirs, OW_OP_NOP, 32), OW_OK);
  static const uint8_t slots[] = {2, 2, 0, 1, 2, 3, 20, 31, 32, 255};
  uint32_t cycles = 0;
  for (unsigned s = 0; s < sizeof(slots); s++) {
    for (unsigned other = 0; other < 2; other++) {
      struct ow_key_info info = {.generation = reserved.generation};
      (void)ow_key_query(device, &info, slots[s]);
      uint16_t generation = (uint16_t)(info.generation + other);
      const uint8_t parameters[4] = {2, slots[s], (uint8_t)generation, (uint8_t)(generation >> 8)};
      struct ow_job job = {.opcode = OW_OP_MLKEM_DECAPSULATE,
                           .key = {.slot = 3},
                           .length = 768,
                           .source = bench.memory,
                           .iv = parameters,
                           .iv_len = 4};
      CHECK_EQUAL(ow_queue_run(&bench.queue, &job), OW_KEY_DENIED);
      if (s > 0) { /* the first job expands the key */
        cycles = cycles == 0 ? job.cycles : cycles;
        CHECK_EQUAL(job.cycles, cycles);
      }
    }
  }
  struct ow_key_info info;
  CHECK_EQUAL(ow_key_query(device, &info, 2), OW_OK);
  CHECK(info.reserved && info.generation == reserved.generation);
  CHECK_EQUAL(ow_key_zeroise_all(device), OW_OK);
}

int main(void) {
  for (unsigned i = 0; i < sizeof(key_bytes); i++) {
    key_bytes[i] = (uint8_t)(i * 37u + 11u);
  }
  bench_open(&bench, NULL);
  RUN(foreign_slots);
  RUN(foreign_results);
  bench_close(&bench);
  return 0;
}
