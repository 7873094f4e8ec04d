/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The driver's Ascon calls on the board: known answers, keys in slots, pieces, and what is refused.
 */
#include "check.h"
#include "outwork/ascon.h"
#include "rig_board.h"

#define BYTES_MAX 2048u
#define SLOT      4u

static struct rig rig;
static uint8_t *input, *output;
static struct ow_context *context;

/* Records of tests/vectors/ascon: key, nonce, texts and strings count up. */
static const uint8_t SEALED[] = {0xbf, 0x77, 0xc7, 0x1b, 0x3d, 0xe9, 0xf1, 0xc5, 0xb3,
                                 0x72, 0xef, 0x27, 0x3a, 0x08, 0xe8, 0x9b, 0xe9, 0x67,
                                 0x5a, 0xdc, 0x83, 0xb8, 0x8c, 0x00, 0xa0, 0x56, 0x5a,
                                 0xb4, 0x3e, 0xa1, 0xc8, 0x35, 0x8c, 0x56, 0xb8, 0xa9};
static const uint8_t HASH[] = {0xa4, 0xbc, 0x45, 0x3c, 0x84, 0xf8, 0x24, 0xf1, 0x00, 0x92, 0xe8,
                               0xe9, 0x03, 0x17, 0x99, 0x95, 0x7e, 0x98, 0x4a, 0x29, 0xbb, 0xae,
                               0x5e, 0x84, 0x34, 0x5e, 0x82, 0xf4, 0x8d, 0xd7, 0x11, 0x92};
static const uint8_t XOF[] = {
    0x24, 0x39, 0xdb, 0x24, 0x20, 0xdf, 0xd2, 0x6d, 0x4b, 0x6f, 0xee, 0xf7, 0x41, 0x54, 0x76, 0xb4,
    0x81, 0xcf, 0xc4, 0x82, 0xad, 0xa8, 0xf8, 0xc8, 0xa1, 0x35, 0xf4, 0xed, 0x24, 0x7f, 0x97, 0x28,
    0x97, 0xe1, 0x39, 0xf7, 0x37, 0xab, 0x30, 0x09, 0x23, 0x9a, 0x6e, 0x13, 0x15, 0x49, 0x7a, 0x4e,
    0x49, 0x89, 0x92, 0xd8, 0x6d, 0xaf, 0x59, 0xac, 0x54, 0x8a, 0xa6, 0x58, 0xf2, 0xe1, 0x8f, 0x39};
static const uint8_t CXOF[] = {
    0xf1, 0x0f, 0x58, 0x1f, 0x29, 0xc7, 0xa0, 0xe2, 0xd9, 0xb5, 0x1d, 0x9d, 0x40, 0x0b, 0xf5, 0x59,
    0xa8, 0x6a, 0xce, 0x09, 0x88, 0x5e, 0x30, 0xbc, 0x84, 0x4b, 0xda, 0x7f, 0xf7, 0x98, 0x60, 0xdd,
    0xd5, 0x46, 0xa8, 0xdc, 0xb7, 0x09, 0x86, 0xb7, 0x57, 0x3a, 0x3e, 0xd6, 0xe3, 0x27, 0xa6, 0x74,
    0x91, 0xa6, 0xfa, 0xa9, 0xad, 0x40, 0xd2, 0xda, 0xe8, 0x4d, 0xf3, 0xa8, 0x36, 0xb1, 0x14, 0xdb};
static uint8_t key_bytes[16], nonce[16], aad[17], string[12];

static void count_up(uint8_t *bytes, unsigned from, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)(from + i);
  }
}

static uint64_t jobs_done(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  return counters.jobs;
}

static struct ow_key key_in_slot(void) {
  const struct ow_key_properties both = {.queues = 0xff, .encrypt = true, .decrypt = true};
  CHECK_EQUAL(
      ow_key_load_kind(&rig.device, SLOT, &both, OW_OP_ASCON_AEAD128, key_bytes, sizeof(key_bytes)),
      OW_OK);
  return (struct ow_key){.slot = SLOT};
}

static void test_aead(void) {
  const struct ow_key keys[] = {{.bytes = key_bytes, .key_len = 16}, key_in_slot()};
  uint64_t before = jobs_done();
  for (unsigned i = 0; i < 2; i++) {
    uint8_t tag[16];
    count_up(input, 32, 20);
    memset(output, 0x5a, 21);
    CHECK_EQUAL(ow_ascon_aead128_seal(&rig.queue, output, tag, 16, &keys[i], nonce, aad,
                                      sizeof(aad), input, 20),
                OW_OK);
    CHECK(memcmp(output, SEALED, 20) == 0 && memcmp(tag, SEALED + 20, 16) == 0);
    CHECK_EQUAL(output[20], 0x5a);
    /* In place, with a truncated tag. */
    CHECK_EQUAL(ow_ascon_aead128_open(&rig.queue, output, &keys[i], nonce, aad, sizeof(aad), output,
                                      20, tag, 8),
                OW_OK);
    CHECK(memcmp(output, input, 20) == 0);
  }
  CHECK_EQUAL(jobs_done() - before, 4);
}

static void test_what_is_not_authentic_is_not_given(void) {
  const struct ow_key key = {.bytes = key_bytes, .key_len = 16};
  uint8_t tag[16];
  memcpy(tag, SEALED + 20, 16);
  for (unsigned bit = 0; bit < 128; bit += 9) {
    tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
    memcpy(input, SEALED, 20);
    memset(output, 0x5a, 21);
    CHECK_EQUAL(ow_ascon_aead128_open(&rig.queue, output, &key, nonce, aad, sizeof(aad), input, 20,
                                      tag, 16),
                OW_AUTH_FAILED);
    for (unsigned i = 0; i < 20; i++) {
      CHECK_EQUAL(output[i], 0);
    }
    CHECK_EQUAL(output[20], 0x5a);
    tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
}

static void test_digests(void) {
  uint64_t before = jobs_done();
  count_up(input, 0, 100);
  CHECK_EQUAL(ow_ascon_hash256(&rig.queue, output, input, 100), OW_OK);
  CHECK(memcmp(output, HASH, sizeof(HASH)) == 0);
  CHECK_EQUAL(ow_ascon_xof128(&rig.queue, output, sizeof(XOF), input, 100), OW_OK);
  CHECK(memcmp(output, XOF, sizeof(XOF)) == 0);
  CHECK_EQUAL(ow_ascon_cxof128(&rig.queue, output, sizeof(CXOF), string, sizeof(string), input, 9),
              OW_OK);
  CHECK(memcmp(output, CXOF, sizeof(CXOF)) == 0);
  /* A longer output, which does not fit a completion record, begins with the same bytes. */
  CHECK_EQUAL(ow_ascon_xof128(&rig.queue, output, 1000, input, 100), OW_OK);
  CHECK(memcmp(output, XOF, sizeof(XOF)) == 0);
  CHECK_EQUAL(jobs_done() - before, 4);
}

/* A message in three pieces; under a key in a slot the state between them is sealed. */
static void test_pieces(void) {
  struct ow_key key = key_in_slot();
  uint8_t tag[16];
  uint8_t *whole = output + BYTES_MAX / 2;
  count_up(input, 7, 1000);
  CHECK_EQUAL(
      ow_ascon_aead128_seal(&rig.queue, whole, tag, 16, &key, nonce, aad, sizeof(aad), input, 1000),
      OW_OK);
  static const uint32_t cuts[] = {0, 160, 960, 1000};
  for (unsigned piece = 0; piece < 3; piece++) {
    bool first = piece == 0, last = piece == 2;
    struct ow_job job = {.opcode = OW_OP_ASCON_AEAD128,
                         .flags =
                             (first ? 0u : OW_JOB_LOAD_STATE) | (last ? 0u : OW_JOB_SAVE_STATE),
                         .key = key,
                         .context = (uint8_t *)context,
                         .source = input + cuts[piece],
                         .destination = output + cuts[piece],
                         .length = cuts[piece + 1] - cuts[piece],
                         .tag_len = last ? 16 : 0};
    if (first) {
      job.iv = nonce;
      job.iv_len = sizeof(nonce);
      job.aad = aad;
      job.aad_len = sizeof(aad);
    }
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    if (last) {
      CHECK(memcmp(job.tag, tag, 16) == 0);
    }
  }
  CHECK(memcmp(output, whole, 1000) == 0);
  /* A state that was changed is refused and not used. */
  ((uint8_t *)context)[0x40] ^= 1;
  struct ow_job job = {.opcode = OW_OP_ASCON_AEAD128,
                       .flags = OW_JOB_LOAD_STATE,
                       .key = key,
                       .context = (uint8_t *)context,
                       .source = input,
                       .destination = output,
                       .length = 16,
                       .tag_len = 16};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_STATE);
}

static void test_what_is_refused(void) {
  const struct ow_key key = {.bytes = key_bytes, .key_len = 16};
  struct ow_key wrong = {.bytes = key_bytes, .key_len = 15};
  uint8_t tag[16] = {0};
  struct ow_queue *queue = &rig.queue;
  CHECK_EQUAL(ow_ascon_aead128_seal(queue, output, tag, 16, &wrong, nonce, NULL, 0, input, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ascon_aead128_seal(queue, output, tag, 17, &key, nonce, NULL, 0, input, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ascon_aead128_seal(queue, output, tag, 3, &key, nonce, NULL, 0, input, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ascon_aead128_seal(queue, output, tag, 16, NULL, nonce, NULL, 0, input, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ascon_aead128_open(queue, output, &key, NULL, NULL, 0, input, 16, tag, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ascon_aead128_open(queue, output, &key, nonce, NULL, 1, input, 16, tag, 16),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ascon_xof128(queue, output, 0, input, 16), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ascon_cxof128(queue, output, 32, input, 257, input, 16), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ascon_hash256(queue, output, NULL, 1), OW_BAD_ARGUMENT);
  /* Ascon jobs need an Ascon key, which no other job can use; a queue needs the right. */
  const struct ow_key_properties decrypts = {.queues = 0xff, .decrypt = true};
  const struct ow_key slot = {.slot = SLOT};
  CHECK_EQUAL(ow_key_load(&rig.device, SLOT, &decrypts, key_bytes, 16, NULL), OW_OK);
  CHECK_EQUAL(ow_ascon_aead128_open(queue, output, &slot, nonce, NULL, 0, input, 16, tag, 16),
              OW_BAD_KEY);
  CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &decrypts, OW_OP_ASCON_AEAD128, key_bytes, 16),
              OW_OK);
  CHECK_EQUAL(ow_ascon_aead128_seal(queue, output, tag, 16, &slot, nonce, NULL, 0, input, 16),
              OW_KEY_DENIED);
  CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &decrypts, OW_OP_ASCON_HASH256, key_bytes, 16),
              OW_KEY_REFUSED);
}

int main(void) {
  rig_open(&rig);
  input = rig_allocate(&rig, BYTES_MAX, 64);
  output = rig_allocate(&rig, BYTES_MAX, 64);
  context = rig_allocate(&rig, sizeof(*context), 64);
  count_up(key_bytes, 0, sizeof(key_bytes));
  count_up(nonce, 16, sizeof(nonce));
  count_up(aad, 48, sizeof(aad));
  count_up(string, 16, sizeof(string));
  CHECK(OW_FIELD(rig.device.capabilities.engine.ascon, OW_GLOBAL_ASCON_ALGORITHMS) == 0xf);
  RUN(test_aead);
  RUN(test_what_is_not_authentic_is_not_given);
  RUN(test_digests);
  RUN(test_pieces);
  RUN(test_what_is_refused);
  rig_close(&rig);
  return 0;
}
