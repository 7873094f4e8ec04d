/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Messages in pieces of random lengths give the same result as libcrypto for the whole message.
 */
#include "check.h"
#include "reference.h"
#include "rig.h"

#define ROUNDS    40u
#define BYTES_MAX 600u
#define AAD_MAX   300u

static struct rig rig;
static struct ow_aes_message *message;
static uint8_t *source, *destination, *aad;
static uint8_t key_bytes[32], tweak_bytes[32], iv[64], expected[BYTES_MAX];

struct mode {
  uint8_t opcode;
  bool whole, tagged, mac;
  size_t shortest;
};
static const struct mode modes[] = {
    {OW_OP_AES_ECB, true, false, false, 0},  {OW_OP_AES_CBC, true, false, false, 0},
    {OW_OP_AES_CTR, false, false, false, 0}, {OW_OP_AES_XTS, false, false, false, 16},
    {OW_OP_AES_GCM, false, true, false, 0},  {OW_OP_AES_GMAC, false, true, true, 0},
    {OW_OP_AES_CMAC, false, true, true, 0},
};

static struct ow_key random_key(bool xts) {
  random_bytes(key_bytes, sizeof(key_bytes));
  random_bytes(tweak_bytes, sizeof(tweak_bytes));
  random_bytes(iv, sizeof(iv));
  return (struct ow_key){.bytes = key_bytes,
                         .tweak_bytes = xts ? tweak_bytes : NULL,
                         .key_len =
                             (uint8_t)(xts ? 16 + 16 * random_below(2) : 16 + 8 * random_below(3))};
}

static size_t piece_length(size_t left) {
  size_t length = random_below(3) == 0 ? random_below(400) : random_below(40);
  return length < left ? length : left;
}

/* Processes the whole input in pieces. Returns the bytes written. */
static size_t feed(uint8_t *output, const uint8_t *input, size_t length) {
  size_t written = 0;
  for (size_t done = 0; done < length;) {
    size_t piece = piece_length(length - done), now = 77;
    CHECK_EQUAL(ow_aes_message_update(message, output + written, &now, input + done, piece), OW_OK);
    CHECK(now % 16 == 0 && now <= piece + 31);
    written += now;
    done += piece;
  }
  return written;
}

static void feed_aad(size_t length) {
  if (length <= 64) { /* in pieces; longer AAD must come in one call */
    for (size_t done = 0; done < length;) {
      size_t piece = piece_length(length - done);
      CHECK_EQUAL(ow_aes_message_aad(message, aad + done, piece), OW_OK);
      done += piece;
    }
  } else {
    CHECK_EQUAL(ow_aes_message_aad(message, aad, length), OW_OK);
  }
}

static void one_message(const struct mode *mode, bool damage) {
  struct ow_key key = random_key(mode->opcode == OW_OP_AES_XTS);
  bool gcm = mode->opcode == OW_OP_AES_GCM, gmac = mode->opcode == OW_OP_AES_GMAC;
  size_t length = mode->shortest + random_below(BYTES_MAX - 16), written = 0, rest = 77;
  size_t iv_len = gcm || gmac ? (random_below(2) ? 12 : 1 + random_below(64)) : 16;
  size_t aad_len = gcm ? random_below(2) ? random_below(65) : random_below(AAD_MAX) : 0;
  uint8_t tag[16] = {0}, wanted[16];
  length = mode->whole ? length & ~(size_t)15 : length;
  iv_len = mode->opcode == OW_OP_AES_ECB || mode->opcode == OW_OP_AES_CMAC ? 0 : iv_len;
  struct reference reference = {.opcode = mode->opcode,
                                .key = key_bytes,
                                .tweak_key = tweak_bytes,
                                .key_len = key.key_len,
                                .iv = iv_len != 0 ? iv : NULL,
                                .iv_len = iv_len,
                                .aad = aad,
                                .aad_len = aad_len,
                                .tag_len = 16};
  random_bytes(aad, AAD_MAX);
  random_bytes(source, length);
  reference_seal(&reference, expected, wanted, source, length);

  CHECK_EQUAL(ow_aes_message_init(message, &rig.queue, mode->opcode, OW_ENCRYPT, &key, iv, iv_len),
              OW_OK);
  feed_aad(aad_len);
  written = feed(destination, source, length);
  size_t tag_len = mode->tagged ? 16 : 0;
  CHECK_EQUAL(ow_aes_message_finish(message, destination + written, &rest, tag, tag_len), OW_OK);
  CHECK_EQUAL(written + rest, mode->mac ? 0 : length);
  CHECK(mode->mac || memcmp(destination, expected, length) == 0);
  CHECK(!mode->tagged || memcmp(tag, wanted, 16) == 0);

  const uint8_t *input = mode->mac ? source : expected;
  memcpy(mode->mac ? source : destination, input, length);
  tag[5] ^= damage ? 1 : 0;
  CHECK_EQUAL(ow_aes_message_init(message, &rig.queue, mode->opcode, OW_DECRYPT, &key, iv, iv_len),
              OW_OK);
  feed_aad(aad_len);
  uint8_t *output = destination + BYTES_MAX;
  written = feed(output, mode->mac ? source : destination, length);
  memset(output + written, 0xaa, 32);
  if (mode->tagged) {
    CHECK_EQUAL(ow_aes_message_verify(message, output + written, &rest, tag, 16),
                damage ? OW_AUTH_FAILED : OW_OK);
    for (size_t i = written; damage && i < length && !mode->mac; i++) {
      CHECK_EQUAL(output[i], 0);
    }
  } else {
    CHECK_EQUAL(ow_aes_message_finish(message, output + written, &rest, NULL, 0), OW_OK);
  }
  CHECK(mode->mac || (damage && mode->tagged) || memcmp(output, source, length) == 0);
}

static void test_random_pieces(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    for (size_t mode = 0; mode < sizeof(modes) / sizeof(modes[0]); mode++) {
      one_message(&modes[mode], random_below(2));
    }
  }
}

/* Pieces of whole blocks may be processed in place. */
static void test_in_place(void) {
  struct ow_key key = random_key(false);
  struct reference reference = {
      .opcode = OW_OP_AES_CTR, .key = key_bytes, .key_len = key.key_len, .iv = iv, .iv_len = 16};
  size_t written = 0;
  random_bytes(source, 200);
  reference_seal(&reference, expected, NULL, source, 200);
  CHECK_EQUAL(ow_aes_message_init(message, &rig.queue, OW_OP_AES_CTR, OW_ENCRYPT, &key, iv, 16),
              OW_OK);
  CHECK_EQUAL(ow_aes_message_update(message, source, &written, source, 96), OW_OK);
  CHECK_EQUAL(written, 96);
  CHECK_EQUAL(ow_aes_message_update(message, source + 96, &written, source + 96, 104), OW_OK);
  CHECK_EQUAL(written, 96);
  CHECK_EQUAL(ow_aes_message_finish(message, source + 192, &written, NULL, 0), OW_OK);
  CHECK_EQUAL(written, 8);
  CHECK(memcmp(source, expected, 200) == 0);
}

/* Where bytes wait from an earlier call, they come out first and would overwrite input that has not
 * been read: XTS keeps a block, the others what is left of one. */
static void test_not_in_place(void) {
  static const struct {
    uint8_t opcode;
    size_t first;
  } rows[] = {{OW_OP_AES_XTS, 32}, {OW_OP_AES_XTS, 33}, {OW_OP_AES_CTR, 33}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    struct ow_key key = random_key(rows[i].opcode == OW_OP_AES_XTS);
    size_t n = 0;
    random_bytes(source, 96);
    memcpy(expected, source, 96);
    CHECK_EQUAL(ow_aes_message_init(message, &rig.queue, rows[i].opcode, OW_ENCRYPT, &key, iv, 16),
                OW_OK);
    CHECK_EQUAL(ow_aes_message_update(message, source, &n, source, rows[i].first), OW_OK);
    CHECK(n != 0);
    CHECK_EQUAL(ow_aes_message_update(message, source + 48, &n, source + 48, 32), OW_BAD_ARGUMENT);
    CHECK_EQUAL(n, 0);
    CHECK(memcmp(source + 48, expected + 48, 48) == 0);
    CHECK_EQUAL(ow_aes_message_update(message, destination, &n, source, 1), OW_BAD_ARGUMENT);
  }
}

static bool wiped(void) {
  const uint8_t *bytes = (const uint8_t *)message;
  for (size_t i = 0; i < sizeof(*message); i++) {
    if (bytes[i] != 0) {
      return false;
    }
  }
  return true;
}

static void test_misuse(void) {
  struct ow_key key = random_key(false);
  struct ow_queue *queue = &rig.queue;
  uint8_t tag[16];
  size_t n = 0;
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_CCM, OW_ENCRYPT, &key, iv, 12),
              OW_UNSUPPORTED);
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_GCM, OW_ENCRYPT, &key, iv, 65),
              OW_UNSUPPORTED);
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_GCM, OW_ENCRYPT, NULL, iv, 12),
              OW_BAD_ARGUMENT);
  key.key_len = 15;
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_GCM, OW_ENCRYPT, &key, iv, 12),
              OW_BAD_ARGUMENT);
  key.key_len = 16;
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_XTS, OW_ENCRYPT, &key, iv, 16),
              OW_BAD_ARGUMENT);

  /* The end of a message, even a failed one, wipes it; after that all calls are refused. */
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_CBC, OW_ENCRYPT, &key, iv, 16), OW_OK);
  CHECK_EQUAL(ow_aes_message_update(message, destination, &n, source, 20), OW_OK);
  CHECK_EQUAL(ow_aes_message_finish(message, destination, &n, NULL, 0),
              OW_BAD_ARGUMENT); /* 4 bytes are left */
  CHECK(wiped());
  CHECK_EQUAL(ow_aes_message_update(message, destination, &n, source, 20), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_message_finish(message, destination, &n, tag, 16), OW_BAD_ARGUMENT);

  CHECK_EQUAL(ow_aes_message_init(
                  message, queue, OW_OP_AES_XTS, OW_ENCRYPT,
                  &(struct ow_key){.bytes = key_bytes, .tweak_bytes = tweak_bytes, .key_len = 16},
                  iv, 16),
              OW_OK);
  CHECK_EQUAL(ow_aes_message_update(message, destination, &n, source, 15), OW_OK);
  CHECK_EQUAL(ow_aes_message_finish(message, destination, &n, NULL, 0), OW_BAD_ARGUMENT);

  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_GCM, OW_ENCRYPT, &key, iv, 12), OW_OK);
  CHECK_EQUAL(ow_aes_message_update(message, destination, &n, source, 20), OW_OK);
  CHECK_EQUAL(ow_aes_message_aad(message, aad, 3), OW_BAD_ARGUMENT); /* too late */
  CHECK(wiped());

  /* A decrypted message has no finish, an encrypted one no verify. */
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_GCM, OW_DECRYPT, &key, iv, 12), OW_OK);
  CHECK_EQUAL(ow_aes_message_finish(message, destination, &n, tag, 16), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_GCM, OW_ENCRYPT, &key, iv, 12), OW_OK);
  CHECK_EQUAL(ow_aes_message_verify(message, destination, &n, tag, 16), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_GCM, OW_ENCRYPT, &key, iv, 12), OW_OK);
  CHECK_EQUAL(ow_aes_message_finish(message, destination, &n, tag, 17), OW_BAD_ARGUMENT);

  CHECK_EQUAL(ow_aes_message_init(message, queue, OW_OP_AES_GCM, OW_ENCRYPT, &key, iv, 12), OW_OK);
  ow_aes_message_abort(message);
  CHECK(wiped());
}

/* AAD may be long in one call, and 64 bytes in several calls; more needs software. */
static void test_aad_limits(void) {
  static const struct {
    size_t first, second;
    ow_status status;
  } rows[] = {
      {63, 1, OW_OK},          {65, 0, OW_OK},          {0, 65, OW_OK},
      {64, 1, OW_UNSUPPORTED}, {1, 64, OW_UNSUPPORTED}, {65, 1, OW_UNSUPPORTED},
  };
  struct ow_key key = random_key(false);
  for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    uint64_t refused = rig.queue.fallbacks[OW_FALLBACK_PIECES];
    CHECK_EQUAL(ow_aes_message_init(message, &rig.queue, OW_OP_AES_GCM, OW_ENCRYPT, &key, iv, 12),
                OW_OK);
    CHECK_EQUAL(ow_aes_message_aad(message, aad, rows[i].first), OW_OK);
    CHECK_EQUAL(ow_aes_message_aad(message, aad, rows[i].second), rows[i].status);
    CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_PIECES] - refused, rows[i].status != OW_OK);
    CHECK(rows[i].status == OW_OK || wiped());
  }
}

/* A full ring leaves the message unchanged. */
static void test_busy(void) {
  struct ow_key key = random_key(false);
  struct ow_job jobs[1 << RIG_LOG2], *list[1 << RIG_LOG2];
  size_t accepted = 0, n = 0;
  memset(jobs, 0, sizeof(jobs));
  for (unsigned i = 0; i < 1 << RIG_LOG2; i++) {
    list[i] = &jobs[i];
  }
  struct reference reference = {
      .opcode = OW_OP_AES_CBC, .key = key_bytes, .key_len = 16, .iv = iv, .iv_len = 16};
  random_bytes(source, 64);
  reference_seal(&reference, expected, NULL, source, 64);
  key.key_len = 16;
  CHECK_EQUAL(ow_aes_message_init(message, &rig.queue, OW_OP_AES_CBC, OW_ENCRYPT, &key, iv, 16),
              OW_OK);
  CHECK_EQUAL(ow_aes_message_update(message, destination, &n, source, 24), OW_OK);
  CHECK_EQUAL(n, 16);
  CHECK_EQUAL(ow_queue_prepare(&rig.queue, &accepted, list, 1 << RIG_LOG2), OW_OK);
  CHECK_EQUAL(ow_aes_message_update(message, destination + 16, &n, source + 24, 40), OW_BUSY);
  CHECK_EQUAL(n, 0);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(ow_aes_message_update(message, destination + 16, &n, source + 24, 40), OW_OK);
  CHECK_EQUAL(n, 48);
  CHECK_EQUAL(ow_aes_message_finish(message, destination + 64, &n, NULL, 0), OW_OK);
  CHECK(memcmp(destination, expected, 64) == 0);
}

int main(void) {
  rig_open(&rig);
  message = rig_allocate(&rig, sizeof(*message), 64);
  source = rig_allocate(&rig, BYTES_MAX + 32, 16);
  destination = rig_allocate(&rig, 2 * BYTES_MAX + 32, 16);
  aad = rig_allocate(&rig, AAD_MAX, 1);
  RUN(test_random_pieces);
  RUN(test_in_place);
  RUN(test_not_in_place);
  RUN(test_misuse);
  RUN(test_aad_limits);
  RUN(test_busy);
  rig_close(&rig);
  return 0;
}
