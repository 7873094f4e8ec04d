/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES with HMAC against libcrypto's cipher and then its HMAC, each message one job of the device.
 */
#include "check.h"
#include "hashes.h"
#include "reference.h"
#include "rig.h"

#define ROUNDS    200u
#define BYTES_MAX 900u
#define AAD_MAX   200u
#define GUARD     0xc3u
#define SLOT      7u

#define SPEED_JOBS  16u
#define SPEED_BYTES 16384u

static struct rig rig;
static uint8_t *source, *destination, *aad, *far_tag; /* memory that the device can access */
static uint8_t *long_source, *long_destination;
static uint8_t key_bytes[32], mac_key[64], iv[16], near_tag[64], wanted_tag[64];
static uint8_t plain[BYTES_MAX], expected[BYTES_MAX], covered[AAD_MAX + BYTES_MAX];

static const struct ow_key in_slot = {.slot = SLOT};

static bool is_counter(uint8_t opcode) {
  return opcode >= OW_OP_AES_CTR_HMAC_SHA1;
}

static const struct hash_name *hash_of(uint8_t opcode) {
  static const uint8_t hashes[4] = {OW_OP_SHA1, OW_OP_SHA256, OW_OP_SHA384, OW_OP_SHA512};
  const struct hash_name *hash = hash_names;
  while (hash->opcode != hashes[opcode & 3]) {
    hash++;
  }
  return hash;
}

static uint64_t jobs_done(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&rig.queue, &counters);
  return counters.jobs;
}

struct message {
  uint8_t opcode;
  size_t key_len, mac_key_len, length, aad_len, tag_len;
};

static struct message some_message(uint8_t opcode) {
  struct message message = {.opcode = opcode,
                            .key_len = 16 + 8 * random_below(3),
                            .mac_key_len = random_below(65),
                            .length = random_below(BYTES_MAX),
                            .aad_len =
                                random_below(3) ? 8 * random_below(4) : random_below(AAD_MAX),
                            .tag_len = ow_hash_digest_len(hash_of(opcode)->opcode)};
  if (random_below(2)) {
    message.tag_len = 4 * (1 + random_below((uint32_t)message.tag_len / 4));
  }
  if (!is_counter(opcode)) {
    message.length &= ~(size_t)15;
  }
  random_bytes(key_bytes, sizeof(key_bytes));
  random_bytes(mac_key, sizeof(mac_key));
  random_bytes(iv, sizeof(iv));
  random_bytes(aad, AAD_MAX);
  random_bytes(plain, sizeof(plain));
  return message;
}

/* Encrypts, then makes the MAC: writes the ciphertext to `expected`, the tag to `wanted_tag`. */
static void work_out(const struct message *message) {
  const struct reference reference = {.opcode = is_counter(message->opcode) ? OW_OP_AES_CTR
                                                                            : OW_OP_AES_CBC,
                                      .key = key_bytes,
                                      .key_len = message->key_len,
                                      .iv = iv,
                                      .iv_len = 16};
  if (message->length != 0) {
    reference_seal(&reference, expected, NULL, plain, message->length);
  }
  memcpy(covered, aad, message->aad_len);
  memcpy(covered + message->aad_len, expected, message->length);
  reference_mac(hash_of(message->opcode), wanted_tag, message->tag_len, mac_key,
                message->mac_key_len, covered, message->aad_len + message->length);
}

static void load(const struct message *message) {
  const struct ow_key_properties may = {.queues = 1, .encrypt = true, .decrypt = true};
  CHECK_EQUAL(ow_key_load_pair(&rig.device, SLOT, &may, message->opcode, key_bytes,
                               message->key_len, mac_key, message->mac_key_len),
              OW_OK);
}

static void check_guards(const uint8_t *out, size_t length) {
  for (const uint8_t *byte = destination; byte < destination + BYTES_MAX + 64; byte++) {
    CHECK((byte >= out && byte < out + length) || *byte == GUARD);
  }
}

static ow_status open_message(const struct message *message, uint8_t *out, const uint8_t *in,
                              const uint8_t *tag) {
  return ow_aes_hmac_open(&rig.queue, message->opcode, out, &in_slot, iv, aad, message->aad_len, in,
                          message->length, tag, message->tag_len);
}

static void test_there_and_back(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct message message = some_message((uint8_t)(OW_OP_AES_CBC_HMAC_SHA1 + round % 8));
    uint8_t *in = source + random_below(32), *out = destination + 16 + random_below(32);
    uint8_t *tag = message.tag_len > 16 ? far_tag + random_below(32) : near_tag;
    work_out(&message);
    load(&message);
    memcpy(in, plain, message.length);
    memset(destination, GUARD, BYTES_MAX + 64);
    bool in_place = random_below(3) == 0;
    uint8_t *result = in_place ? in : out;
    uint64_t before = jobs_done();
    CHECK_EQUAL(ow_aes_hmac_seal(&rig.queue, message.opcode, result, tag, message.tag_len, &in_slot,
                                 iv, aad, message.aad_len, in, message.length),
                OW_OK);
    CHECK(memcmp(result, expected, message.length) == 0);
    CHECK(memcmp(tag, wanted_tag, message.tag_len) == 0);
    check_guards(in_place ? NULL : out, in_place ? 0 : message.length);

    CHECK_EQUAL(open_message(&message, result, result, wanted_tag), OW_OK);
    CHECK(memcmp(result, plain, message.length) == 0);
    CHECK_EQUAL(jobs_done(), before + 2);
  }
}

/* An error in any byte of the message leaves zeros in the destination, and changes nothing else. */
static void test_wrong_messages(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct message message = some_message((uint8_t)(OW_OP_AES_CBC_HMAC_SHA1 + round % 8));
    uint8_t *in = source + random_below(32), *out = destination + 16 + random_below(32);
    work_out(&message);
    load(&message);
    memcpy(in, expected, message.length);
    memset(destination, GUARD, BYTES_MAX + 64);
    uint8_t bit = (uint8_t)(1u << random_below(8));
    size_t places = message.tag_len + message.length + message.aad_len;
    size_t place = random_below((uint32_t)places);
    if (place < message.tag_len) {
      wanted_tag[place] ^= bit;
    } else if (place < message.tag_len + message.length) {
      in[place - message.tag_len] ^= bit;
    } else {
      aad[place - message.tag_len - message.length] ^= bit;
    }
    uint64_t before = jobs_done();
    CHECK_EQUAL(open_message(&message, out, in, wanted_tag), OW_AUTH_FAILED);
    CHECK_EQUAL(jobs_done(), before); /* counts successful jobs */
    for (size_t i = 0; i < message.length; i++) {
      CHECK_EQUAL(out[i], 0);
    }
    check_guards(out, message.length);
  }
}

/* RFC 4303: SPI and sequence number, IV, ciphertext and ICV lie in one packet; RFC 4868: 16 bytes
 * of HMAC-SHA-256. The ICV is appended. */
static void test_esp_packet(void) {
  struct message message = some_message(OW_OP_AES_CBC_HMAC_SHA256);
  message.length = 800;
  message.aad_len = 24;
  message.tag_len = 16;
  memcpy(aad + 8, iv, 16);
  work_out(&message);
  load(&message);
  memcpy(source, aad, 24);
  memcpy(source + 24, plain, message.length);
  struct ow_job job = {.opcode = message.opcode,
                       .tag_len = 16,
                       .flags = OW_JOB_APPEND_TAG,
                       .key = in_slot,
                       .length = (uint32_t)message.length,
                       .aad_len = 24,
                       .source = source + 24,
                       .destination = source + 24,
                       .iv_len = 16,
                       .iv = source + 8,
                       .aad = source};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  CHECK_EQUAL(job.bytes, message.length + 16);
  CHECK(memcmp(source, aad, 24) == 0);
  CHECK(memcmp(source + 24, expected, message.length) == 0);
  CHECK(memcmp(source + 24 + message.length, wanted_tag, 16) == 0);
  CHECK(memcmp(job.tag, wanted_tag, 16) == 0);
  job.flags = OW_JOB_DECRYPT | OW_JOB_TAG_IN_SOURCE;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_OK);
  CHECK(memcmp(source + 24, plain, message.length) == 0);
}

static ow_status seal_with(const struct ow_key *key, uint8_t opcode, size_t tag_len,
                           size_t length) {
  return ow_aes_hmac_seal(&rig.queue, opcode, destination, far_tag, tag_len, key, iv, NULL, 0,
                          source, length);
}

static void test_keys(void) {
  const uint8_t opcode = OW_OP_AES_CTR_HMAC_SHA384;
  struct ow_key_properties may = {.queues = 1, .encrypt = true};
  struct ow_key_info info;
  struct message message = some_message(opcode);
  CHECK_EQUAL(ow_key_load_pair(&rig.device, SLOT, &may, opcode, key_bytes, 32, mac_key, 64), OW_OK);
  CHECK_EQUAL(ow_key_query(&rig.device, &info, SLOT), OW_OK);
  CHECK(info.valid && info.kind == opcode);
  CHECK_EQUAL(seal_with(&in_slot, opcode, 24, 100), OW_OK);
  message.length = 100;
  message.aad_len = 0;
  message.tag_len = 24;
  CHECK_EQUAL(open_message(&message, destination, destination, far_tag), OW_KEY_DENIED);
  CHECK_EQUAL(seal_with(&in_slot, OW_OP_AES_CTR_HMAC_SHA512, 24, 100), OW_BAD_KEY);
  CHECK_EQUAL(seal_with(&in_slot, OW_OP_AES_CBC_HMAC_SHA384, 24, 96), OW_BAD_KEY);
  uint8_t counter[16] = {0};
  CHECK_EQUAL(ow_aes_ctr_crypt(&rig.queue, destination, counter, &in_slot, source, 16), OW_BAD_KEY);
  CHECK_EQUAL(ow_mac(&rig.queue, near_tag, 16, OW_OP_HMAC_SHA384, &in_slot, source, 16),
              OW_BAD_KEY);
  CHECK_EQUAL(ow_key_zeroise(&rig.device, SLOT), OW_OK);
  CHECK_EQUAL(seal_with(&in_slot, opcode, 24, 100), OW_KEY_DENIED);

  CHECK_EQUAL(ow_key_load_pair(&rig.device, SLOT, &may, 0x78, key_bytes, 32, mac_key, 64),
              OW_KEY_REFUSED);
  CHECK_EQUAL(ow_key_load_pair(&rig.device, SLOT, &may, opcode, key_bytes, 17, mac_key, 64),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_key_load_pair(&rig.device, SLOT, &may, opcode, key_bytes, 16, mac_key, 65),
              OW_BAD_ARGUMENT);
}

static void test_refusals(void) {
  const uint8_t opcode = OW_OP_AES_CBC_HMAC_SHA1;
  struct message message = some_message(opcode);
  const struct ow_key inline_key = {.bytes = key_bytes, .key_len = 16};
  load(&message);
  CHECK(ow_device_supports(&rig.device, opcode, true));
  CHECK(!ow_device_supports(&rig.device, OW_OP_AES_CTR_HMAC_SHA512 + 1, false));
  CHECK_EQUAL(seal_with(&in_slot, opcode, 20, 64), OW_OK);
  CHECK_EQUAL(seal_with(&in_slot, opcode, 24, 64), OW_BAD_ARGUMENT);
  CHECK_EQUAL(seal_with(&in_slot, opcode, 10, 64), OW_BAD_ARGUMENT);
  CHECK_EQUAL(seal_with(&in_slot, opcode, 0, 64), OW_BAD_ARGUMENT);
  CHECK_EQUAL(seal_with(&in_slot, opcode, 68, 64), OW_BAD_ARGUMENT);
  CHECK_EQUAL(seal_with(&in_slot, opcode, 20, 65), OW_BAD_ARGUMENT);
  CHECK_EQUAL(seal_with(&inline_key, opcode, 20, 64), OW_BAD_ARGUMENT);
  CHECK_EQUAL(seal_with(NULL, opcode, 20, 64), OW_BAD_ARGUMENT);
  CHECK_EQUAL(seal_with(&in_slot, OW_OP_AES_GCM, 16, 64), OW_UNSUPPORTED);
  CHECK_EQUAL(seal_with(&in_slot, OW_OP_AES_CTR_HMAC_SHA512 + 1, 16, 64), OW_UNSUPPORTED);
  CHECK_EQUAL(seal_with(&in_slot, opcode, 20, 0xfffffff0u), OW_UNSUPPORTED);
  /* The length of the HMAC's message must fit 32 bits. */
  uint64_t before = rig.queue.fallbacks[OW_FALLBACK_LENGTH];
  CHECK_EQUAL(ow_aes_hmac_seal(&rig.queue, opcode, destination, far_tag, 20, &in_slot, iv, aad,
                               0x80000000u, source, 0x80000000u),
              OW_UNSUPPORTED);
  CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_LENGTH], before + 1);
  uint8_t here[20]; /* memory for a tag that the device cannot access */
  CHECK_EQUAL(ow_aes_hmac_seal(&rig.queue, opcode, destination, here, 20, &in_slot, iv, NULL, 0,
                               source, 64),
              OW_UNSUPPORTED);
}

/* Returns the cycles from the doorbell to the last completion of all jobs. */
static uint64_t cycles_of(struct ow_job jobs[SPEED_JOBS]) {
  struct ow_job *list[SPEED_JOBS];
  uint64_t start, finish;
  for (unsigned i = 0; i < SPEED_JOBS; i++) {
    jobs[i].source = long_source + i * SPEED_BYTES;
    jobs[i].destination = jobs[i].opcode == OW_OP_HMAC_SHA256 ? NULL : long_destination;
    jobs[i].length = SPEED_BYTES;
    list[i] = &jobs[i];
  }
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, list, SPEED_JOBS), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  for (unsigned i = 0; i < SPEED_JOBS; i++) {
    CHECK_EQUAL(jobs[i].status, OW_OK);
  }
  ow_queue_times(&rig.queue, &start, &finish);
  return finish - start;
}

/* Sixteen jobs of 16 KiB are as fast as the slower of the two algorithms alone. */
static void test_speed(void) {
  const struct ow_key_properties may = {.queues = 1, .encrypt = true, .mac = true};
  struct ow_job ciphers[SPEED_JOBS], macs[SPEED_JOBS], both[SPEED_JOBS];
  const uint8_t opcode = OW_OP_AES_CBC_HMAC_SHA256;
  CHECK_EQUAL(ow_key_load(&rig.device, 0, &may, key_bytes, 32, NULL), OW_OK);
  CHECK_EQUAL(ow_key_load_kind(&rig.device, 1, &may, OW_OP_HMAC_SHA256, mac_key, 32), OW_OK);
  CHECK_EQUAL(ow_key_load_pair(&rig.device, 2, &may, opcode, key_bytes, 32, mac_key, 32), OW_OK);
  for (unsigned i = 0; i < SPEED_JOBS; i++) {
    ciphers[i] = (struct ow_job){.opcode = OW_OP_AES_CBC, .iv = iv, .iv_len = 16};
    macs[i] = (struct ow_job){.opcode = OW_OP_HMAC_SHA256, .key = {.slot = 1}, .tag_len = 16};
    both[i] = (struct ow_job){
        .opcode = opcode, .key = {.slot = 2}, .iv = iv, .iv_len = 16, .tag_len = 16};
  }
  uint64_t cipher = cycles_of(ciphers), mac = cycles_of(macs), together = cycles_of(both);
  uint64_t slower = cipher > mac ? cipher : mac;
  printf("AES-256-CBC %llu cycles, HMAC-SHA-256 %llu, both in one pass %llu\n",
         (unsigned long long)cipher, (unsigned long long)mac, (unsigned long long)together);
  CHECK(together < slower + slower / 100);
}

int main(void) {
  rig_open(&rig);
  source = rig_allocate(&rig, BYTES_MAX + 64, 16);
  destination = rig_allocate(&rig, BYTES_MAX + 64, 16);
  aad = rig_allocate(&rig, AAD_MAX, 16);
  far_tag = rig_allocate(&rig, 128, 16);
  long_source = rig_allocate(&rig, SPEED_JOBS * SPEED_BYTES, 64);
  long_destination = rig_allocate(&rig, SPEED_BYTES, 64);
  RUN(test_there_and_back);
  RUN(test_wrong_messages);
  RUN(test_esp_packet);
  RUN(test_keys);
  RUN(test_refusals);
  RUN(test_speed);
  rig_close(&rig);
  return 0;
}
