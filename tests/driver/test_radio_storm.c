/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Very many short packets with a key each, of both radio ciphers and MACs mixed with AES-GCM, many
 * in flight, against plain C and OpenSSL. `test exhaustive`: a million of them.
 */
#include "check.h"
#include "outwork/radio_software.h"
#include "reference.h"
#include "rig_board.h"

#define FLIGHT             64u
#define BYTES_MAX          64u
#define PACKETS            20000u
#define EXHAUSTIVE_PACKETS 1000000u

static struct rig rig;

/* A packet in flight, and its expected result. */
static struct packet {
  struct ow_job job;
  struct ow_radio_iv iv;
  uint8_t keys[32], nonce[12];
  uint8_t *input, *output;
  uint8_t expected[BYTES_MAX + 8], tag[16];
  uint32_t output_len, tag_len;
  bool spoilt, given;
} packets[FLIGHT];

enum kind { CIPHER, MAC, VERIFY, PDCP, AES_GCM, KINDS };

static void fill_radio(struct packet *packet, enum kind kind, bool zuc) {
  static const uint8_t opcodes[PDCP + 1][2] = {{OW_OP_EEA1, OW_OP_EEA3},
                                               {OW_OP_EIA1, OW_OP_EIA3},
                                               {OW_OP_EIA1, OW_OP_EIA3},
                                               {OW_OP_EEA1_EIA1, OW_OP_EEA3_EIA3}};
  struct ow_job *job = &packet->job;
  uint64_t bits = 8u * job->length;
  if (kind != PDCP && bits != 0) {
    bits -= random_below(8);
  }
  uint32_t count = random_number(), bearer = random_below(32), direction = random_below(2);
  const struct ow_radio_packet way = {.count = count,
                                      .fresh = OW_RADIO_FRESH_OF_BEARER(bearer),
                                      .bearer = (uint8_t)bearer,
                                      .direction = (uint8_t)direction};
  CHECK_EQUAL(ow_radio_iv_make(&packet->iv, &way, bits), OW_OK);
  job->opcode = opcodes[kind][zuc];
  job->key = (struct ow_key){.bytes = packet->keys, .key_len = 16};
  job->iv = (const uint8_t *)&packet->iv;
  job->iv_len = sizeof(packet->iv);
  const uint8_t *mac_key = packet->keys;
  if (kind == PDCP) {
    job->key.tweak_bytes = mac_key = packet->keys + 16;
  }
  (zuc ? ow_eia3 : ow_uia2)(packet->tag, mac_key, count, zuc ? bearer : way.fresh, direction,
                            packet->input, bits);
  packet->tag_len = job->tag_len = kind == CIPHER ? 0 : 4;
  if (kind == CIPHER || kind == PDCP) {
    memcpy(packet->expected, packet->input, job->length);
    if (kind == PDCP) {
      memcpy(packet->expected + job->length, packet->tag, 4);
      bits += 32;
      job->flags = OW_JOB_APPEND_TAG;
    }
    (zuc ? ow_eea3 : ow_uea2)(packet->expected, packet->keys, count, bearer, direction,
                              packet->expected, bits);
    job->destination = packet->output;
    packet->output_len = (uint32_t)((bits + 7) / 8);
  } else if (kind == VERIFY) {
    packet->spoilt = random_below(8) == 0;
    job->flags = OW_JOB_DECRYPT;
    memcpy(job->tag, packet->tag, 4);
    job->tag[random_below(4)] ^= (uint8_t)(packet->spoilt ? 1u << random_below(8) : 0);
  }
}

static void fill_gcm(struct packet *packet) {
  const struct reference reference = {.opcode = OW_OP_AES_GCM,
                                      .key = packet->keys,
                                      .key_len = 16,
                                      .iv = packet->nonce,
                                      .iv_len = 12,
                                      .tag_len = 16};
  struct ow_job *job = &packet->job;
  job->opcode = OW_OP_AES_GCM;
  job->key = (struct ow_key){.bytes = packet->keys, .key_len = 16};
  job->iv = packet->nonce;
  job->iv_len = 12;
  job->tag_len = 16;
  job->destination = packet->output;
  packet->output_len = job->length;
  packet->tag_len = 16;
  reference_seal(&reference, packet->expected, packet->tag, packet->input, job->length);
}

static void fill(struct packet *packet) {
  packet->job = (struct ow_job){.length = random_below(BYTES_MAX), .source = packet->input};
  packet->output_len = packet->tag_len = 0;
  packet->spoilt = false;
  random_bytes(packet->keys, sizeof(packet->keys));
  random_bytes(packet->nonce, sizeof(packet->nonce));
  random_bytes(packet->input, packet->job.length);
  memset(packet->output, 0x5a, BYTES_MAX + 8);
  enum kind kind = (enum kind)random_below(KINDS);
  if (kind == AES_GCM) {
    fill_gcm(packet);
  } else {
    fill_radio(packet, kind, random_below(2));
  }
}

static void check(const struct packet *packet) {
  CHECK_EQUAL(packet->job.status, packet->spoilt ? OW_AUTH_FAILED : OW_OK);
  CHECK(memcmp(packet->output, packet->expected, packet->output_len) == 0);
  CHECK_EQUAL(packet->output[packet->output_len], 0x5a);
  CHECK(packet->spoilt || memcmp(packet->job.tag, packet->tag, packet->tag_len) == 0);
}

static void storm(uint32_t total) {
  struct ow_counters before = {0}, after;
  ow_queue_counters(&rig.queue, &before);
  after = before;
  uint32_t given = 0, over = 0, spoilt = 0;
  while (over < total) {
    for (unsigned i = 0; i < FLIGHT; i++) {
      struct packet *packet = &packets[i];
      if (packet->given && packet->job.status == OW_PENDING) {
        continue;
      }
      if (packet->given) {
        check(packet);
        spoilt += packet->spoilt;
        packet->given = false;
        over++;
      }
      if (given < total && ow_queue_space(&rig.queue) != 0) {
        struct ow_job *const one[] = {&packet->job};
        fill(packet);
        CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, one, 1), OW_OK);
        packet->given = true;
        given++;
      }
    }
    CHECK_EQUAL(ow_queue_poll(&rig.queue, NULL), OW_OK);
  }
  ow_queue_counters(&rig.queue, &after);
  CHECK_EQUAL(after.jobs - before.jobs, total - spoilt);
  CHECK_EQUAL(after.error_auth - before.error_auth, spoilt);
  CHECK(spoilt > total / 100);
  printf("ok storm: %u packets, %u of them with a wrong MAC\n", total, spoilt);
}

int main(int argc, char **argv) {
  (void)argv;
  rig_open(&rig);
  for (unsigned i = 0; i < FLIGHT; i++) {
    packets[i].input = rig_allocate(&rig, BYTES_MAX, 64);
    packets[i].output = rig_allocate(&rig, BYTES_MAX + 8, 64);
  }
  storm(argc > 1 ? EXHAUSTIVE_PACKETS : PACKETS);
  rig_close(&rig);
  return 0;
}
