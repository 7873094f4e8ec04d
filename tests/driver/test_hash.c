/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Digests and MACs against libcrypto: in one call, in random pieces, with keys of any length and in
 * slots, exported and resumed, also in software.
 */
#include "check.h"
#include "hashes.h"
#include "reference.h"
#include "rig.h"

#define BYTES_MAX  900u
#define OUTPUT_MAX 600u
#define SLOT       5u

static struct rig rig;
static struct ow_hash_message *message, *other;
static uint8_t *source, *output; /* memory that the device can access */
static uint8_t key_bytes[256], expected[OUTPUT_MAX], got[OUTPUT_MAX];

static uint64_t jobs_done(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  return counters.jobs;
}

static uint64_t bytes_done(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  return counters.bytes;
}

/* Returns a random length, often close to a multiple of the block length. */
static size_t some_length(const struct hash_name *hash) {
  uint32_t block = ow_hash_block_len(hash->opcode);
  return random_below(2) ? random_below(BYTES_MAX) : block * random_below(4) + random_below(20);
}

static size_t digest_length(const struct hash_name *hash) {
  return is_xof(hash) ? 1 + random_below(OUTPUT_MAX) : ow_hash_digest_len(hash->opcode);
}

static size_t mac_length(const struct hash_name *hash, size_t shortest) {
  size_t longest = is_xof(hash) ? 64 : ow_hash_digest_len(hash->opcode);
  return shortest + random_below((uint32_t)(longest - shortest + 1));
}

static uint8_t *place_for(size_t length) {
  return length > 64 ? output + random_below(32) : got;
}

static void feed(size_t length, const uint8_t *input) {
  for (size_t done = 0; done < length;) {
    size_t piece = random_below(2) ? random_below(300) : random_below(20);
    piece = piece < length - done ? piece : length - done;
    CHECK_EQUAL(ow_hash_message_update(message, input + done, piece), OW_OK);
    done += piece;
  }
}

static void test_sizes(void) {
  CHECK_EQUAL(ow_hash_digest_len(OW_OP_SHA3_384), 48);
  CHECK_EQUAL(ow_hash_block_len(OW_OP_HMAC_SHA3_384), 104);
  CHECK_EQUAL(ow_hash_digest_len(OW_OP_SHAKE128), 0);
  CHECK_EQUAL(ow_hash_block_len(OW_OP_AES_GCM), 0);
  for (unsigned i = 0; i < HASHES; i++) {
    CHECK(ow_device_supports(&rig.device, hash_names[i].opcode, false));
    CHECK(!ow_device_supports(&rig.device, hash_names[i].opcode, true));
    CHECK(ow_device_supports(&rig.device, hash_names[i].opcode + 16, true));
  }
}

static void test_digests(void) {
  for (unsigned round = 0; round < 20 * HASHES; round++) {
    const struct hash_name *hash = &hash_names[round % HASHES];
    size_t length = some_length(hash), digest_len = digest_length(hash);
    uint8_t *input = source + random_below(32), *digest = place_for(digest_len);
    random_bytes(input, length);
    reference_hash(hash, expected, digest_len, input, length);
    uint64_t before = jobs_done(), bytes_before = bytes_done();
    CHECK_EQUAL(ow_hash(&rig.queue, digest, digest_len, hash->opcode, input, length), OW_OK);
    CHECK_EQUAL(jobs_done(), before + 1);
    CHECK_EQUAL(bytes_done(), bytes_before + length);
    CHECK(memcmp(digest, expected, digest_len) == 0);

    memset(digest, 0, digest_len);
    CHECK_EQUAL(ow_hash_message_init(message, &rig.queue, hash->opcode, NULL), OW_OK);
    feed(length, input);
    CHECK_EQUAL(ow_hash_message_finish(message, digest, digest_len), OW_OK);
    CHECK(memcmp(digest, expected, digest_len) == 0);
  }
}

static struct ow_key some_key(const struct hash_name *hash, bool long_too) {
  random_bytes(key_bytes, sizeof(key_bytes));
  uint32_t limit = long_too && !is_xof(hash) ? 200 : OW_MAC_KEY_MAX + 1;
  return (struct ow_key){.bytes = key_bytes, .key_len = (uint16_t)random_below(limit)};
}

static void test_macs(void) {
  for (unsigned round = 0; round < 16 * HASHES; round++) {
    const struct hash_name *hash = &hash_names[round % HASHES];
    uint8_t opcode = (uint8_t)(hash->opcode + 16);
    size_t length = some_length(hash), mac_len = mac_length(hash, 4);
    uint8_t *input = source + random_below(32);
    struct ow_key key = some_key(hash, false);
    /* libcrypto refuses shorter keys. */
    key.key_len = is_xof(hash) && key.key_len < 4 ? 4 : key.key_len;
    random_bytes(input, length);
    reference_mac(hash, expected, mac_len, key_bytes, key.key_len, input, length);
    uint64_t before = jobs_done();
    CHECK_EQUAL(ow_mac(&rig.queue, got, mac_len, opcode, &key, input, length), OW_OK);
    CHECK(memcmp(got, expected, mac_len) == 0);
    CHECK_EQUAL(ow_mac_verify(&rig.queue, opcode, &key, input, length, expected, mac_len), OW_OK);
    CHECK_EQUAL(jobs_done(), before + 2);
    expected[random_below((uint32_t)mac_len)] ^= (uint8_t)(1u << random_below(8));
    CHECK_EQUAL(ow_mac_verify(&rig.queue, opcode, &key, input, length, expected, mac_len),
                OW_AUTH_FAILED);

    struct ow_key_properties may = {.queues = 1, .mac = true};
    struct ow_key slot = {.slot = SLOT};
    CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &may, opcode, key_bytes, key.key_len), OW_OK);
    CHECK_EQUAL(ow_mac(&rig.queue, expected, mac_len, opcode, &slot, input, length), OW_OK);
    CHECK(memcmp(got, expected, mac_len) == 0);
    uint8_t wrong = opcode != OW_OP_HMAC_SHA256 ? OW_OP_HMAC_SHA256 : OW_OP_KMAC256;
    CHECK_EQUAL(ow_mac(&rig.queue, expected, 4, wrong, &slot, input, length), OW_BAD_KEY);
  }
}

/* Keys of up to three blocks, inline and from slots, in pieces. */
static void test_mac_messages(void) {
  for (unsigned round = 0; round < 24 * HASHES; round++) {
    const struct hash_name *hash = &hash_names[round % HASHES];
    uint8_t opcode = (uint8_t)(hash->opcode + 16);
    size_t length = some_length(hash), mac_len = mac_length(hash, 4);
    uint8_t *input = source + random_below(32);
    struct ow_key key = some_key(hash, true);
    key.key_len = is_xof(hash) && key.key_len < 4 ? 4 : key.key_len;
    random_bytes(input, length);
    reference_mac(hash, expected, mac_len, key_bytes, key.key_len, input, length);
    struct ow_key slot = {.slot = SLOT};
    bool in_slot = key.key_len <= OW_MAC_KEY_MAX && random_below(2);
    if (in_slot) {
      struct ow_key_properties may = {.queues = 1, .mac = true};
      CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &may, opcode, key_bytes, key.key_len), OW_OK);
    }
    CHECK_EQUAL(ow_hash_message_init(message, &rig.queue, opcode, in_slot ? &slot : &key), OW_OK);
    feed(length, input);
    *other = *message;
    CHECK_EQUAL(ow_hash_message_finish(message, got, mac_len), OW_OK);
    CHECK(memcmp(got, expected, mac_len) == 0);
    bool damage = random_below(2);
    expected[random_below((uint32_t)mac_len)] ^= (uint8_t)damage;
    CHECK_EQUAL(ow_hash_message_verify(other, expected, mac_len), damage ? OW_AUTH_FAILED : OW_OK);
    CHECK_EQUAL(ow_hash_message_update(other, input, 1), OW_BAD_ARGUMENT); /* it has ended */
  }
}

/* HMAC with the key's inner and outer chaining values in the job's context. */
static void test_prepared_keys(void) {
  struct ow_hash_context *context = rig_allocate(&rig, sizeof(*context), 64);
  for (unsigned i = 0; i < HASHES; i++) {
    const struct hash_name *hash = &hash_names[i];
    size_t block = ow_hash_block_len(hash->opcode), length = some_length(hash);
    size_t chain_len = block == 64 ? 32 : 64, mac_len = ow_hash_digest_len(hash->opcode);
    if (block != 64 && block != 128) { /* neither SHA-1 nor SHA-2 */
      continue;
    }
    random_bytes(key_bytes, 20);
    random_bytes(source, length);
    memset(context, 0, sizeof(*context));
    for (unsigned outer = 0; outer < 2; outer++) {
      struct ow_hash_context state;
      uint8_t padded[128];
      memset(padded, outer ? 0x5c : 0x36, sizeof(padded));
      for (unsigned j = 0; j < 20; j++) {
        padded[j] ^= key_bytes[j];
      }
      ow_hash_state_begin(&state, hash->opcode);
      ow_hash_state_add(&state, hash->opcode, padded, block);
      memcpy(context->key + outer * chain_len, state.chain, chain_len);
    }
    reference_mac(hash, expected, mac_len, key_bytes, 20, source, length);
    struct ow_job job = {.opcode = (uint8_t)(hash->opcode + 16),
                         .key = {.key_len = 128},
                         .context = context,
                         .source = source,
                         .length = (uint32_t)length,
                         .tag_len = (uint8_t)mac_len};
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
    CHECK(memcmp(job.tag, expected, mac_len) == 0);
    job.key.key_len = 127;
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_BAD_ARGUMENT);
  }
}

/* A state is exported after any byte, some bytes are added in software, and another message
 * continues it or it ends in software. */
static void test_states(void) {
  for (unsigned round = 0; round < 20 * HASHES; round++) {
    const struct hash_name *hash = &hash_names[round % HASHES];
    size_t length = some_length(hash), digest_len = digest_length(hash);
    size_t cut = length != 0 ? random_below((uint32_t)length) : 0;
    uint8_t *digest = place_for(digest_len);
    struct ow_hash_context state;
    random_bytes(source, length);
    reference_hash(hash, expected, digest_len, source, length);
    CHECK_EQUAL(ow_hash_message_init(message, &rig.queue, hash->opcode, NULL), OW_OK);
    feed(cut, source);
    CHECK_EQUAL(ow_hash_message_export(message, &state), OW_OK);
    CHECK_EQUAL(state.bytes, cut);
    CHECK_EQUAL(state.partial, cut % ow_hash_block_len(hash->opcode));
    ow_hash_message_abort(message);
    size_t here = random_below(2) ? random_below((uint32_t)(length - cut) + 1) : 0;
    ow_hash_state_add(&state, hash->opcode, source + cut, here);
    cut += here;
    CHECK_EQUAL(ow_hash_message_import(message, &rig.queue, hash->opcode, &state), OW_OK);
    feed(length - cut, source + cut);
    if (random_below(2)) {
      CHECK_EQUAL(ow_hash_message_finish(message, digest, digest_len), OW_OK);
    } else {
      CHECK_EQUAL(ow_hash_message_export(message, &state), OW_OK);
      ow_hash_state_finish(&state, hash->opcode, digest, digest_len);
    }
    CHECK(memcmp(digest, expected, digest_len) == 0);
  }
}

/* A job that verifies does not change its tag. */
static void test_repeated_verification(void) {
  struct ow_key key = {.bytes = key_bytes, .key_len = 32};
  struct ow_job job = {.opcode = OW_OP_HMAC_SHA512, .key = key, .source = source, .length = 300};
  job.flags = OW_JOB_DECRYPT;
  job.tag_len = 64;
  reference_mac(&hash_names[4], job.tag, 64, key_bytes, 32, source, 300);
  for (unsigned round = 0; round < 3; round++) {
    CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  }
}

static void test_misuse(void) {
  struct ow_key key = {.bytes = key_bytes, .key_len = 65};
  CHECK_EQUAL(ow_hash(&rig.queue, got, 31, OW_OP_SHA256, source, 3), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_hash(&rig.queue, NULL, 32, OW_OP_SHA256, source, 3), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_hash(&rig.queue, got, 0, OW_OP_SHAKE128, source, 3), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_hash(&rig.queue, got, 32, OW_OP_SHA256, NULL, 3), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_hash(&rig.queue, got, 32, OW_OP_HMAC_SHA256, source, 3), OW_UNSUPPORTED);
  CHECK_EQUAL(ow_mac(&rig.queue, got, 32, OW_OP_SHA256, &key, source, 3), OW_UNSUPPORTED);
  CHECK_EQUAL(ow_mac(&rig.queue, got, 32, OW_OP_HMAC_SHA256, &key, source, 3), OW_UNSUPPORTED);
  key.key_len = 20;
  CHECK_EQUAL(ow_mac(&rig.queue, got, 33, OW_OP_HMAC_SHA256, &key, source, 3), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_mac_verify(&rig.queue, OW_OP_HMAC_SHA256, &key, source, 3, got, 3),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_hash_message_init(message, &rig.queue, OW_OP_HMAC_SHA256, NULL), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_hash_message_init(message, &rig.queue, OW_OP_SHA256, &key), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_hash_message_init(message, &rig.queue, OW_OP_AES_GCM, NULL), OW_UNSUPPORTED);
  key.key_len = 65;
  CHECK_EQUAL(ow_hash_message_init(message, &rig.queue, OW_OP_KMAC128, &key), OW_UNSUPPORTED);
  struct ow_key_properties may = {.queues = 1, .mac = true};
  CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &may, OW_OP_HMAC_SHA256, key_bytes, 65),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &may, OW_OP_SHA256, key_bytes, 16),
              OW_KEY_REFUSED);
}

int main(void) {
  rig_open(&rig);
  message = rig_allocate(&rig, sizeof(*message), 64);
  other = rig_allocate(&rig, sizeof(*other), 64);
  source = rig_allocate(&rig, BYTES_MAX + 64, 64);
  output = rig_allocate(&rig, OUTPUT_MAX + 64, 64);
  RUN(test_sizes);
  RUN(test_digests);
  RUN(test_macs);
  RUN(test_mac_messages);
  RUN(test_prepared_keys);
  RUN(test_states);
  RUN(test_repeated_verification);
  RUN(test_misuse);
  rig_close(&rig);
  return 0;
}
