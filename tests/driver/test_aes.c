/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The one-call functions against libcrypto, with random keys, lengths and places in memory.
 */
#include "check.h"
#include "reference.h"
#include "rig.h"

#define ROUNDS    60u
#define BYTES_MAX 700u
#define GUARD     0xc3u

static struct rig rig;
/* BYTES_MAX + 64 bytes that the device can access */
static uint8_t *source, *destination, *far_aad;
static uint8_t key_bytes[32], tweak_bytes[32], iv[80], expected[BYTES_MAX], tag[16], wanted_tag[16];

static struct ow_key random_key(bool xts) {
  uint8_t length = (uint8_t)(xts ? 16 + 16 * random_below(2) : 16 + 8 * random_below(3));
  random_bytes(key_bytes, sizeof(key_bytes));
  random_bytes(tweak_bytes, sizeof(tweak_bytes));
  random_bytes(iv, sizeof(iv));
  return (struct ow_key){
      .bytes = key_bytes, .tweak_bytes = xts ? tweak_bytes : NULL, .key_len = length};
}

static struct reference reference_of(uint8_t opcode, const struct ow_key *key) {
  return (struct reference){.opcode = opcode,
                            .key = key->bytes,
                            .tweak_key = key->tweak_bytes,
                            .key_len = key->key_len,
                            .iv = iv,
                            .iv_len = 16};
}

/* A message at a random place; the destination is surrounded by bytes that must stay. */
static void new_message(uint8_t **in, uint8_t **out, size_t length) {
  *in = source + random_below(32);
  *out = random_below(4) == 0 ? *in : destination + 16 + random_below(32);
  random_bytes(*in, length);
  memset(destination, GUARD, BYTES_MAX + 64);
}

static void check_guards(const uint8_t *out, size_t length) {
  if (out >= destination && out < destination + BYTES_MAX + 64) {
    for (uint8_t *byte = destination; byte < destination + BYTES_MAX + 64; byte++) {
      CHECK((byte >= out && byte < out + length) || *byte == GUARD);
    }
  }
}

/* Encrypts and decrypts with ECB, CBC, CTR and XTS. */
static ow_status crypt(uint8_t opcode, uint8_t *out, uint8_t chain[16], const struct ow_key *key,
                       ow_operation operation, const uint8_t *in, size_t length) {
  switch (opcode) {
  case OW_OP_AES_ECB:
    return ow_aes_ecb_crypt(&rig.queue, out, key, operation, in, length);
  case OW_OP_AES_CBC:
    return ow_aes_cbc_crypt(&rig.queue, out, chain, key, operation, in, length);
  case OW_OP_AES_CTR:
    return ow_aes_ctr_crypt(&rig.queue, out, chain, key, in, length);
  default:
    return ow_aes_xts_crypt(&rig.queue, out, key, operation, chain, in, length);
  }
}

static void test_ciphers(void) {
  static const uint8_t opcodes[] = {OW_OP_AES_ECB, OW_OP_AES_CBC, OW_OP_AES_CTR, OW_OP_AES_XTS};
  for (unsigned round = 0; round < 4 * ROUNDS; round++) {
    uint8_t opcode = opcodes[round % 4], chain[16], back[16], *in, *out, plain[BYTES_MAX];
    bool whole = opcode == OW_OP_AES_ECB || opcode == OW_OP_AES_CBC;
    size_t length = 16 + random_below(BYTES_MAX - 16);
    length = whole ? length & ~(size_t)15 : length;
    struct ow_key key = random_key(opcode == OW_OP_AES_XTS);
    struct reference reference = reference_of(opcode, &key);
    reference.iv = opcode == OW_OP_AES_ECB ? NULL : iv;
    new_message(&in, &out, length);
    memcpy(plain, in, length);
    reference_seal(&reference, expected, NULL, in, length);
    memcpy(chain, iv, 16);
    memcpy(back, iv, 16);
    CHECK_EQUAL(crypt(opcode, out, chain, &key, OW_ENCRYPT, in, length), OW_OK);
    CHECK(memcmp(out, expected, length) == 0);
    check_guards(out, length);
    if (opcode == OW_OP_AES_CBC) {
      CHECK(memcmp(chain, expected + length - 16, 16) == 0);
    }
    CHECK_EQUAL(crypt(opcode, out, back, &key, OW_DECRYPT, out, length), OW_OK);
    CHECK(memcmp(out, plain, length) == 0);
    CHECK(memcmp(chain, back, 16) == 0);
  }
}

/* Two calls process one message, in CBC and CTR (SP 800-38A). */
static void test_chaining(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    uint8_t opcode = round % 2 ? OW_OP_AES_CBC : OW_OP_AES_CTR, chain[16];
    size_t first = 16 * (1 + random_below(20)), second = 16 * (1 + random_below(20));
    struct ow_key key = random_key(false);
    struct reference reference = reference_of(opcode, &key);
    random_bytes(source, first + second);
    if (round % 4 == 0) {
      memset(iv + 8, 0xff, 8); /* a carry in the counter */
    }
    memcpy(chain, iv, 16);
    reference_seal(&reference, expected, NULL, source, first + second);
    CHECK_EQUAL(crypt(opcode, destination, chain, &key, OW_ENCRYPT, source, first), OW_OK);
    CHECK_EQUAL(crypt(opcode, destination + first, chain, &key, OW_ENCRYPT, source + first, second),
                OW_OK);
    CHECK(memcmp(destination, expected, first + second) == 0);
  }
}

static void test_gcm_and_ccm(void) {
  for (unsigned round = 0; round < 3 * ROUNDS; round++) {
    bool ccm = round % 3 == 0;
    static const uint8_t gcm_tags[] = {4, 8, 12, 13, 14, 15, 16};
    uint8_t *in, *out, plain[BYTES_MAX];
    size_t length = random_below(BYTES_MAX),
           aad_len = random_below(3) ? random_below(100) : random_below(600);
    struct ow_key key = random_key(false);
    struct reference reference = reference_of(ccm ? OW_OP_AES_CCM : OW_OP_AES_GCM, &key);
    reference.iv_len = ccm ? 7 + random_below(7) : random_below(2) ? 12 : 1 + random_below(64);
    reference.tag_len = ccm ? 4 + 2 * random_below(7) : gcm_tags[random_below(7)];
    reference.aad = far_aad + random_below(16);
    reference.aad_len = aad_len;
    random_bytes(far_aad, BYTES_MAX + 64);
    new_message(&in, &out, length);
    memcpy(plain, in, length);
    reference_seal(&reference, expected, wanted_tag, in, length);
    memset(tag, 0, 16);
    ow_status status = ccm ? ow_aes_ccm_seal(&rig.queue, out, tag, reference.tag_len, &key, iv,
                                             reference.iv_len, reference.aad, aad_len, in, length)
                           : ow_aes_gcm_seal(&rig.queue, out, tag, reference.tag_len, &key, iv,
                                             reference.iv_len, reference.aad, aad_len, in, length);
    CHECK_EQUAL(status, OW_OK);
    CHECK(memcmp(out, expected, length) == 0);
    CHECK(memcmp(tag, wanted_tag, reference.tag_len) == 0);
    check_guards(out, length);

    bool damage = random_below(2);
    tag[random_below((uint32_t)reference.tag_len)] ^= damage ? 1u << random_below(8) : 0;
    status = ccm ? ow_aes_ccm_open(&rig.queue, out, &key, iv, reference.iv_len, reference.aad,
                                   aad_len, out, length, tag, reference.tag_len)
                 : ow_aes_gcm_open(&rig.queue, out, &key, iv, reference.iv_len, reference.aad,
                                   aad_len, out, length, tag, reference.tag_len);
    CHECK_EQUAL(status, damage ? OW_AUTH_FAILED : OW_OK);
    memset(damage ? plain : expected, 0, length);
    CHECK(memcmp(out, plain, length) == 0);
    check_guards(out, length);
  }
}

static void test_macs(void) {
  for (unsigned round = 0; round < 2 * ROUNDS; round++) {
    bool gmac = round % 2;
    uint8_t *in, *out;
    size_t length = random_below(4) ? random_below(BYTES_MAX) : 16 * random_below(10);
    struct ow_key key = random_key(false);
    struct reference reference = reference_of(gmac ? OW_OP_AES_GMAC : OW_OP_AES_CMAC, &key);
    reference.iv_len = random_below(2) ? 12 : 1 + random_below(60);
    reference.tag_len = gmac ? 12 + random_below(5) : 4 + random_below(13);
    new_message(&in, &out, length);
    reference_seal(&reference, NULL, wanted_tag, in, length);
    ow_status status = gmac ? ow_aes_gmac(&rig.queue, tag, reference.tag_len, &key, iv,
                                          reference.iv_len, in, length)
                            : ow_aes_cmac(&rig.queue, tag, reference.tag_len, &key, in, length);
    CHECK_EQUAL(status, OW_OK);
    CHECK(memcmp(tag, wanted_tag, reference.tag_len) == 0);
    for (int damage = 0; damage < 2; damage++) {
      tag[random_below((uint32_t)reference.tag_len)] ^= damage ? 0x40 : 0;
      status = gmac ? ow_aes_gmac_verify(&rig.queue, &key, iv, reference.iv_len, in, length, tag,
                                         reference.tag_len)
                    : ow_aes_cmac_verify(&rig.queue, &key, in, length, tag, reference.tag_len);
      CHECK_EQUAL(status, damage ? OW_AUTH_FAILED : OW_OK);
    }
  }
}

/* A key in a slot gives the same results, and only in the operations that the slot allows. */
static void test_slots(void) {
  struct ow_key_properties properties = {.queues = 1, .encrypt = true};
  struct ow_key key = random_key(false), slot = {.slot = 3};
  struct reference reference = reference_of(OW_OP_AES_GCM, &key);
  reference.iv_len = 12;
  reference.tag_len = 16;
  CHECK_EQUAL(ow_key_load(&rig.device, 3, &properties, key.bytes, key.key_len, NULL), OW_OK);
  random_bytes(source, 100);
  reference_seal(&reference, expected, wanted_tag, source, 100);
  CHECK_EQUAL(
      ow_aes_gcm_seal(&rig.queue, destination, tag, 16, &slot, iv, 12, NULL, 0, source, 100),
      OW_OK);
  CHECK(memcmp(destination, expected, 100) == 0 && memcmp(tag, wanted_tag, 16) == 0);
  CHECK_EQUAL(
      ow_aes_gcm_open(&rig.queue, destination, &slot, iv, 12, NULL, 0, destination, 100, tag, 16),
      OW_KEY_DENIED);
  CHECK_EQUAL(ow_aes_cmac(&rig.queue, tag, 16, &slot, source, 100), OW_KEY_DENIED);
  CHECK_EQUAL(ow_aes_xts_crypt(&rig.queue, destination, &slot, OW_ENCRYPT, iv, source, 100),
              OW_BAD_KEY);
  properties =
      (struct ow_key_properties){.queues = 2, .encrypt = true, .decrypt = true, .mac = true};
  CHECK_EQUAL(ow_key_load(&rig.device, 3, &properties, key.bytes, key.key_len, NULL), OW_OK);
  /* A key of queue 1. */
  CHECK_EQUAL(ow_aes_cmac(&rig.queue, tag, 16, &slot, source, 100), OW_KEY_DENIED);
  CHECK_EQUAL(ow_key_zeroise(&rig.device, 3), OW_OK);
  CHECK_EQUAL(ow_aes_cmac(&rig.queue, tag, 16, &slot, source, 100), OW_KEY_DENIED);

  /* A handle is valid for its key only, not for the next key in the slot. */
  struct ow_key_info info;
  properties.queues = 1;
  CHECK_EQUAL(ow_key_load(&rig.device, 3, &properties, key.bytes, key.key_len, NULL), OW_OK);
  CHECK_EQUAL(ow_key_query(&rig.device, &info, 3), OW_OK);
  const struct ow_key_handle handle = {.slot = 3, .generation = info.generation};
  slot.generation = handle.generation;
  CHECK_EQUAL(ow_aes_cmac(&rig.queue, tag, 16, &slot, source, 100), OW_OK);
  CHECK_EQUAL(
      ow_aes_gcm_seal(&rig.queue, destination, tag, 16, &slot, iv, 12, NULL, 0, source, 100),
      OW_OK);
  CHECK(memcmp(destination, expected, 100) == 0 && memcmp(tag, wanted_tag, 16) == 0);
  CHECK_EQUAL(ow_key_load(&rig.device, 3, &properties, key.bytes, key.key_len, NULL), OW_OK);
  CHECK_EQUAL(ow_aes_cmac(&rig.queue, tag, 16, &slot, source, 100), OW_KEY_GONE);
  CHECK_EQUAL(ow_key_zeroise_handle(&rig.device, &handle), OW_KEY_GONE);
  CHECK_EQUAL(ow_key_query(&rig.device, &info, 3), OW_OK);
  CHECK(info.valid && info.generation != handle.generation);
  slot.generation = info.generation;
  CHECK_EQUAL(ow_aes_cmac(&rig.queue, tag, 16, &slot, source, 100), OW_OK);
  const struct ow_key_handle now = {.slot = 3, .generation = info.generation};
  CHECK_EQUAL(ow_key_zeroise_handle(&rig.device, &now), OW_OK);
  CHECK_EQUAL(ow_key_zeroise_handle(&rig.device, &now), OW_KEY_GONE);
  CHECK_EQUAL(ow_aes_cmac(&rig.queue, tag, 16, &slot, source, 100), OW_KEY_DENIED);
}

static void test_refusals(void) {
  struct ow_key key = random_key(true);
  struct ow_key same = {.bytes = key_bytes, .tweak_bytes = key_bytes, .key_len = 16};
  struct ow_queue *queue = &rig.queue;
  memset(source, 0, 64);
  CHECK_EQUAL(ow_aes_ecb_crypt(queue, destination, &key, OW_ENCRYPT, source, 17), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_ecb_crypt(queue, destination, NULL, OW_ENCRYPT, source, 16), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_ecb_crypt(queue, destination, &key, OW_ENCRYPT, NULL, 16), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_xts_crypt(queue, destination, &key, OW_ENCRYPT, iv, source, 15),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_xts_crypt(queue, destination, &same, OW_ENCRYPT, iv, source, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_gcm_seal(queue, destination, tag, 3, &key, iv, 12, NULL, 0, source, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_gcm_seal(queue, destination, tag, 17, &key, iv, 12, NULL, 0, source, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_gcm_seal(queue, destination, tag, 16, &key, iv, 0, NULL, 0, source, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_ccm_seal(queue, destination, tag, 16, &key, iv, 6, NULL, 0, source, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_ccm_seal(queue, destination, tag, 5, &key, iv, 12, NULL, 0, source, 16),
              OW_BAD_ARGUMENT);
  key.key_len = 17;
  CHECK_EQUAL(ow_aes_cmac(queue, tag, 16, &key, source, 16), OW_BAD_ARGUMENT);
  /* Memory that the device cannot access, and lengths that a job cannot encode. */
  uint8_t here[32];
  key.key_len = 16;
  CHECK_EQUAL(ow_aes_ecb_crypt(queue, here, &key, OW_ENCRYPT, source, 16), OW_UNSUPPORTED);
  CHECK_EQUAL(queue->fallbacks[OW_FALLBACK_MEMORY], 1);
  CHECK_EQUAL(ow_aes_ecb_crypt(queue, source, &key, OW_ENCRYPT, source, 0x100000000ull),
              OW_UNSUPPORTED);
  CHECK_EQUAL(queue->fallbacks[OW_FALLBACK_LENGTH], 1);
}

int main(void) {
  rig_open(&rig);
  source = rig_allocate(&rig, BYTES_MAX + 64, 16);
  destination = rig_allocate(&rig, BYTES_MAX + 64, 16);
  far_aad = rig_allocate(&rig, BYTES_MAX + 64, 16);
  RUN(test_ciphers);
  RUN(test_chaining);
  RUN(test_gcm_and_ccm);
  RUN(test_macs);
  RUN(test_slots);
  RUN(test_refusals);
  rig_close(&rig);
  return 0;
}
