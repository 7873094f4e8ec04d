/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A message with a wrong tag leaves no text behind, also where the device could not wipe it, or was
 * stopped before it did.
 */
#include "check.h"
#include "fake_device.h"
#include "rig.h"

enum { BYTES = 80, TAG = 16, HALF = 30 };

static struct rig rig;
static struct fake_device *fake;
static uint8_t *input, *output, key_bytes[16] = {1}, iv[12] = {2}, tag[TAG];
static const struct ow_key key = {.bytes = key_bytes, .key_len = sizeof(key_bytes)};

/* Leaves a sealed message in `input` and a wrong tag for it in `tag`. */
static void open_rig(void) {
  rig_open(&rig);
  fake = rig.under;
  rig.queue.timeout_us = 500;
  input = rig_allocate(&rig, BYTES, 16);
  output = rig_allocate(&rig, BYTES, 16);
  memset(output, 'P', BYTES);
  CHECK_EQUAL(ow_aes_gcm_seal(&rig.queue, input, tag, TAG, &key, iv, 12, NULL, 0, output, BYTES),
              OW_OK);
  memset(output, 0xee, BYTES);
  tag[0] ^= 1;
}

static bool is_all(const uint8_t *memory, uint8_t value, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (memory[i] != value) {
      return false;
    }
  }
  return true;
}

static ow_status open_message(void *to) {
  return ow_aes_gcm_open(&rig.queue, to, &key, iv, 12, NULL, 0, input, BYTES, tag, TAG);
}

static struct ow_job open_job(void) {
  struct ow_job job = {.opcode = OW_OP_AES_GCM,
                       .tag_len = TAG,
                       .flags = OW_JOB_DECRYPT,
                       .key = key,
                       .length = BYTES,
                       .source = input,
                       .destination = output,
                       .iv_len = 12,
                       .iv = iv};
  memcpy(job.tag, tag, TAG);
  return job;
}

static void test_one_buffer(void) {
  open_rig();
  fake->wipe_fails = true;
  CHECK_EQUAL(open_message(output), OW_WIPE_FAILED);
  CHECK(is_all(output, 0, BYTES));
  CHECK_EQUAL(open_message(input), OW_WIPE_FAILED);
  CHECK(is_all(input, 0, BYTES));
  rig_close(&rig);
}

static void test_ccm(void) {
  open_rig();
  fake->wipe_fails = true;
  CHECK_EQUAL(ow_aes_ccm_open(&rig.queue, output, &key, iv, 12, NULL, 0, input, BYTES, tag, TAG),
              OW_WIPE_FAILED);
  CHECK(is_all(output, 0, BYTES));
  rig_close(&rig);
}

static void test_end_of_a_message(void) {
  struct ow_aes_message *message = NULL;
  size_t length = 0;
  open_rig();
  fake->wipe_fails = true;
  message = rig_allocate(&rig, sizeof(*message), 64);
  CHECK_EQUAL(
      ow_aes_message_init(message, &rig.queue, OW_OP_AES_GCM, OW_DECRYPT, &key, iv, sizeof(iv)),
      OW_OK);
  CHECK_EQUAL(ow_aes_message_update(message, output, &length, input, 10), OW_OK);
  CHECK_EQUAL(length, 0);
  CHECK_EQUAL(ow_aes_message_verify(message, output, &length, tag, TAG), OW_WIPE_FAILED);
  CHECK(is_all(output, 0, 10) && is_all(output + 10, 0xee, BYTES - 10));
  rig_close(&rig);
}

/* Only what belongs to the job is zeroed. */
static void test_pieces(void) {
  open_rig();
  fake->wipe_fails = true;
  const struct ow_piece pieces[3] = {{output + BYTES - HALF, HALF}, {NULL, 0}, {output, BYTES}};
  struct ow_job job = open_job();
  job.length = HALF + 8;
  job.destination = NULL;
  job.destination_pieces = pieces;
  job.destination_pieces_len = 3;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &job), OW_WIPE_FAILED);
  CHECK(is_all(output + BYTES - HALF, 0, HALF) && is_all(output, 0, 8));
  CHECK(is_all(output + 8, 0xee, BYTES - HALF - 8));
  rig_close(&rig);
}

/* The device has written text, and is stopped before it has compared the tag. */
static void test_stopped(void) {
  open_rig();
  memset(output, 'P', BYTES);
  fake->idle = true;
  CHECK_EQUAL(open_message(output), OW_TIMEOUT);
  CHECK(is_all(output, 0, BYTES));
  memset(output, 'P', BYTES);
  fake_halt(fake, 0, OW_HALT_RING_READ);
  CHECK_EQUAL(open_message(output), OW_HALTED);
  CHECK(is_all(output, 0, BYTES));
  fake->idle = false;
  rig_close(&rig);
}

/* The device has wiped what it says it has, and text without a tag is the caller's as it is. */
static void test_other_ends(void) {
  static const uint8_t wiped[] = {OW_DEVICE_AUTH_FAILED, OW_DEVICE_READ_ERROR, OW_DEVICE_TIMEOUT,
                                  OW_DEVICE_KEY_GONE};
  open_rig();
  for (size_t i = 0; i < sizeof(wiped); i++) {
    fake->force_status = wiped[i];
    CHECK(open_message(output) != OW_OK);
    CHECK(is_all(output, 0xee, BYTES));
  }
  fake->idle = true;
  CHECK_EQUAL(ow_aes_ecb_crypt(&rig.queue, output, &key, OW_DECRYPT, input, BYTES), OW_TIMEOUT);
  CHECK(is_all(output, 0xee, BYTES));
  fake->idle = false;
  rig_close(&rig);
}

/* Whoever submits jobs is told, and wipes. */
static void test_asynchronous(void) {
  open_rig();
  struct ow_job job = open_job(), *list = &job;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, &list, 1), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, &job), OW_OK);
  CHECK_EQUAL(job.status, OW_AUTH_FAILED);
  CHECK(!ow_job_leaves_text(&job) && is_all(output, 0, BYTES));

  fake->wipe_fails = true;
  job = open_job();
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, &list, 1), OW_OK);
  CHECK(!ow_job_leaves_text(&job));
  CHECK_EQUAL(ow_queue_wait(&rig.queue, &job), OW_OK);
  CHECK_EQUAL(job.status, OW_WIPE_FAILED);
  CHECK(ow_job_leaves_text(&job) && !is_all(output, 0, BYTES));

  job = open_job();
  fake->force_status = 0x77;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, &list, 1), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, &job), OW_OK);
  CHECK(ow_job_leaves_text(&job));

  job = open_job();
  CHECK_EQUAL(ow_queue_submit(&rig.queue, NULL, &list, 1), OW_OK);
  CHECK_EQUAL(ow_queue_reset(&rig.queue), OW_OK);
  CHECK_EQUAL(job.status, OW_ABORTED);
  CHECK(ow_job_leaves_text(&job));
  job.flags = 0;
  CHECK(!ow_job_leaves_text(&job));
  job.flags = OW_JOB_DECRYPT;
  job.opcode = OW_OP_AES_CTR;
  CHECK(!ow_job_leaves_text(&job));
  job.opcode = 0xff;
  CHECK(!ow_job_leaves_text(&job));
  rig_close(&rig);
}

int main(void) {
  RUN(test_one_buffer);
  RUN(test_ccm);
  RUN(test_end_of_a_message);
  RUN(test_pieces);
  RUN(test_stopped);
  RUN(test_other_ends);
  RUN(test_asynchronous);
  return 0;
}
