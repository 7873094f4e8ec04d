/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The core of the plug-ins without an operating system, on the fake device, with sanitizers.
 */
#include "check.h"
#include "fake_device.h"
#include "offload_firmware.h"
#include "reference.h"
#include "rig.h"

#define COPY   512u
#define LONG   4096u
#define FAULTS 8u

static const uint8_t key[32] = {1, 2, 3}, iv[12] = {4, 5, 6};
static const struct ow_offload_settings always = {.policy = "always"};
static struct rig rig;
static struct fake_device *fake;
static struct ow_offload *offload;
static const uint8_t zeros[OW_FIRMWARE_MEMORY_BYTES + COPY];
static uint8_t *memory, *buffer, plain[LONG], sealed[LONG], tag[16];
static int locked, locks;

static void lock(void *context) {
  CHECK(context == &rig && locked == 0);
  locked = 1;
  locks++;
}

static void unlock(void *context) {
  CHECK(context == &rig && locked == 1);
  locked = 0;
}

static void attach(void) {
  struct ow_offload_firmware firmware = {.queue = &rig.queue,
                                         .memory_bytes = OW_FIRMWARE_MEMORY_BYTES + COPY,
                                         .lock = lock,
                                         .unlock = unlock,
                                         .context = &rig};
  firmware.memory = memory = rig_allocate(&rig, firmware.memory_bytes, 64);
  ow_offload_attach(&firmware);
}

static void begin(void) {
  const struct reference reference = {
      .opcode = OW_OP_AES_GCM, .key = key, .key_len = 32, .iv = iv, .iv_len = 12, .tag_len = 16};
  rig_open(&rig);
  fake = rig.under;
  buffer = rig_allocate(&rig, 3 * LONG, 64);
  attach();
  offload = ow_offload_open(&always);
  CHECK(offload != NULL && ow_offload_complaint(offload) == NULL);
  random_bytes(plain, sizeof(plain));
  reference_seal(&reference, sealed, tag, plain, COPY);
}

static void end(void) {
  ow_offload_close(offload);
  ow_offload_attach(NULL);
  CHECK(ow_offload_complaint(offload) != NULL);
  rig_close(&rig);
}

/* Returns how many requests the CPU had for this reason so far. */
static uint64_t cpu_had(unsigned reason) {
  struct ow_offload_totals totals;
  ow_offload_totals(offload, &totals);
  return totals.cpu_requests[reason];
}

static struct ow_request message(uint8_t *output, const uint8_t *input, uint32_t length,
                                 bool decrypt) {
  struct ow_request request = {.opcode = OW_OP_AES_GCM,
                               .tag_len = 16,
                               .key = key,
                               .key_len = 32,
                               .flags = decrypt ? OW_JOB_DECRYPT : 0,
                               .iv = iv,
                               .iv_len = 12,
                               .input = input,
                               .output = output,
                               .length = length};
  if (decrypt) {
    memcpy(request.tag, tag, 16);
  }
  return request;
}

/* Apart, in place, and shifted by a block either way; the copy of the input is wiped. */
static void test_messages(void) {
  begin();
  const int shifts[] = {2048, 0, 16, -16};
  uint64_t jobs = fake->queues[0].jobs;
  for (unsigned i = 0; i < 4; i++) {
    uint8_t *input = buffer + LONG, *output = input + shifts[i];
    memcpy(input, plain, COPY);
    struct ow_request request = message(output, input, COPY, false);
    CHECK(ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, COPY));
    CHECK(ow_offload_run(offload, &request));
    CHECK(memcmp(output, sealed, COPY) == 0 && memcmp(request.tag, tag, 16) == 0);
    CHECK_EQUAL(request.status, OW_OK);
    memset(input, 0, COPY + 16);
    CHECK(memcmp(memory, zeros, sizeof(zeros)) == 0); /* nothing of the message stays there */
    CHECK_EQUAL(fake->queues[0].jobs, ++jobs);
  }
  struct ow_offload_totals totals;
  ow_offload_totals(offload, &totals);
  CHECK(totals.jobs == 4 && totals.bytes == 4 * COPY && locks >= 4 && locked == 0);
  end();
}

/* Of what overlaps, only as much as fits into the copy goes to the device. */
static void test_too_long_in_place(void) {
  begin();
  memcpy(buffer, plain, COPY + 16);
  struct ow_request request = message(buffer, buffer, COPY + 16, false);
  CHECK(!ow_offload_run(offload, &request));
  CHECK(memcmp(buffer, plain, COPY + 16) == 0);
  CHECK_EQUAL(cpu_had(OW_FALLBACK_MEMORY), 1);
  request = message(buffer, buffer, OW_REQUEST_BYTES + 1, false);
  CHECK(!ow_offload_run(offload, &request));
  CHECK_EQUAL(cpu_had(OW_FALLBACK_LENGTH), 1);
  CHECK_EQUAL(fake->queues[0].jobs, 0);
  end();
}

/* Nothing of a message with a wrong tag stays in the output, and nothing of what was there before;
 * an input in place is as before. */
static void test_wrong_tag(void) {
  begin();
  for (unsigned in_place = 0; in_place < 2; in_place++) {
    uint8_t *input = buffer, *output = in_place ? input : buffer + LONG;
    for (unsigned wrong = 0; wrong < 2; wrong++) {
      memcpy(input, sealed, COPY);
      struct ow_request request = message(output, input, COPY, true);
      request.tag[3] ^= (uint8_t)wrong;
      CHECK_EQUAL(ow_offload_run(offload, &request), !wrong);
      CHECK_EQUAL(request.status, wrong ? OW_AUTH_FAILED : OW_OK);
      CHECK(memcmp(output, !wrong ? plain : in_place ? sealed : zeros, COPY) == 0);
      CHECK(in_place || memcmp(input, sealed, COPY) == 0);
    }
    CHECK_EQUAL(cpu_had(OW_CPU_TAG), in_place + 1);
  }
  end();
}

/* A device that fails leaves nothing in the output. */
static void test_fault(void) {
  begin();
  memcpy(buffer, plain, COPY);
  for (unsigned fails = 0; fails < 2; fails++) {
    fake->force_status = fails ? OW_DEVICE_WRITE_ERROR : 0;
    struct ow_request request = message(buffer + LONG, buffer, COPY, false);
    CHECK_EQUAL(ow_offload_run(offload, &request), !fails);
    CHECK(memcmp(buffer + LONG, fails ? zeros : sealed, COPY) == 0);
  }
  end();
}

/* It leaves an input in place as it was; after some faults it is left alone, and tried again after
 * a while. */
static void test_faults(void) {
  begin();
  memcpy(buffer, plain, COPY);
  for (unsigned i = 0; i < FAULTS; i++) {
    CHECK(ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, COPY));
    fake->force_status = OW_DEVICE_FAULT;
    struct ow_request request = message(buffer + 16, buffer, COPY, false);
    CHECK(!ow_offload_run(offload, &request));
    CHECK_EQUAL(request.status, OW_FAULT);
    CHECK(memcmp(buffer, plain, COPY) == 0);
  }
  CHECK_EQUAL(cpu_had(OW_CPU_FAULT), FAULTS);
  CHECK(!ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, COPY));
  CHECK(ow_offload_complaint(offload) != NULL);
  CHECK_EQUAL(cpu_had(OW_FALLBACK_DEVICE), 1);
  fake->microseconds += 1000000;
  CHECK(ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, COPY));
  struct ow_request request = message(buffer, buffer, COPY, false);
  CHECK(ow_offload_run(offload, &request) && memcmp(buffer, sealed, COPY) == 0);
  CHECK(ow_offload_complaint(offload) == NULL);
  end();
}

/* One fault of the device does not end a request that software cannot do. */
static void test_retry(void) {
  const struct ow_key_material material = {
      .properties = {.encrypt = true}, .opcode = OW_OP_NOP, .key_len = 32, .key = key};
  struct ow_slot_key slot, gone;
  begin();
  CHECK_EQUAL(ow_offload_key_load(offload, &gone, &material), OW_OK);
  CHECK_EQUAL(ow_offload_key_load(offload, &slot, &material), OW_OK);
  CHECK_EQUAL(ow_offload_key_zeroise(offload, &gone), OW_OK);
  CHECK_EQUAL(ow_offload_key_zeroise(offload, &gone), OW_KEY_GONE);
  struct ow_request request = message(buffer + LONG, buffer, COPY, false);
  request.key = NULL;
  request.key_len = 0;
  request.slot = &slot;
  memcpy(buffer, plain, COPY);
  fake->force_status = OW_DEVICE_FAULT;
  CHECK(ow_offload_run_retry(offload, &request));
  CHECK(memcmp(buffer + LONG, sealed, COPY) == 0);
  request.slot = &gone;
  CHECK(!ow_offload_run_retry(offload, &request));
  CHECK_EQUAL(request.status, OW_KEY_DENIED); /* the slot is empty */
  attach();                                   /* another device: its slots have other keys */
  request.slot = &slot;
  CHECK(!ow_offload_run_retry(offload, &request));
  CHECK_EQUAL(request.status, OW_KEY_GONE);
  CHECK_EQUAL(ow_offload_key_zeroise(offload, &slot), OW_KEY_GONE);
  end();
}

/* A hash in pieces keeps its state in the request; a head comes before the input. */
static void test_pieces(void) {
  uint8_t expected[32], state[OW_HASH_STATE_BYTES] = {0};
  begin();
  struct ow_request whole = {.opcode = OW_OP_SHA256, .tag_len = 32, .input = buffer, .length = 300};
  memcpy(buffer, plain, 300);
  CHECK(ow_offload_run(offload, &whole));
  memcpy(expected, whole.tag, 32);
  struct ow_request first = {.opcode = OW_OP_SHA256,
                             .flags = OW_JOB_SAVE_STATE,
                             .head = buffer,
                             .head_len = 64,
                             .input = buffer + 64,
                             .length = 128,
                             .state = state};
  CHECK(ow_offload_run(offload, &first));
  struct ow_request last = {.opcode = OW_OP_SHA256,
                            .tag_len = 32,
                            .flags = OW_JOB_LOAD_STATE,
                            .input = buffer + 128,
                            .length = 172,
                            .state = state};
  CHECK(ow_offload_run(offload, &last));
  CHECK(memcmp(last.tag, expected, 32) == 0);
  end();
}

static void test_policies(void) {
  static const char text[] = "outwork-policy 1\n0x13 32 encrypt 1 256 1024\n";
  const struct ow_offload_settings settings[] = {
      {.policy = NULL}, {.policy = text}, {.policy = "outwork-policy 2\n"}};
  begin();
  offload = ow_offload_open(&settings[0]);
  CHECK(!ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, 1024));
  CHECK(ow_offload_floor(offload, OW_OP_AES_GCM, 32, false) == UINT32_MAX);
  offload = ow_offload_open(&settings[1]);
  CHECK(ow_offload_complaint(offload) == NULL && ow_offload_policy(offload) == text);
  CHECK_EQUAL(ow_offload_floor(offload, OW_OP_AES_GCM, 32, false), 256);
  CHECK(ow_offload_floor(offload, OW_OP_AES_GCM, 32, true) == UINT32_MAX);
  CHECK(!ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, 255));
  CHECK(ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, 256));
  CHECK(!ow_offload_wants(offload, OW_OP_AES_GCM, 16, false, 256));
  CHECK(!ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, 1025));
  CHECK_EQUAL(cpu_had(OW_FALLBACK_POLICY), 4);
  offload = ow_offload_open(&settings[2]);
  CHECK(ow_offload_complaint(offload) != NULL);
  CHECK(!ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, 256));
  end();
}

static ow_status never_called(struct ow_pka *pka, void *user) {
  (void)pka, (void)user;
  CHECK(false);
  return OW_OK;
}

/* Without memory for public keys, they are software's, and that is no fault of the device. */
static void test_no_public_keys(void) {
  ow_status status = OW_OK;
  begin();
  for (unsigned i = 0; i < 2 * FAULTS; i++) {
    CHECK(!ow_offload_operate(offload, OW_OP_EC_SIGN, 32, never_called, NULL, NULL, &status));
    CHECK_EQUAL(status, OW_UNSUPPORTED);
  }
  CHECK(ow_offload_wants(offload, OW_OP_AES_GCM, 32, false, COPY));
  end();
}

int main(void) {
  RUN(test_messages);
  RUN(test_too_long_in_place);
  RUN(test_wrong_tag);
  RUN(test_fault);
  RUN(test_faults);
  RUN(test_retry);
  RUN(test_pieces);
  RUN(test_policies);
  RUN(test_no_public_keys);
  return 0;
}
