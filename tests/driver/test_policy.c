/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Policies: the text, the rules in it, and a queue that follows them.
 */
#include "check.h"
#include "rig.h"

#define RULES 8u

static struct ow_policy_rule rules[RULES];
static struct ow_policy policy;
static unsigned line;

static ow_status read(const char *text) {
  return ow_policy_read(&policy, rules, RULES, text, strlen(text), &line);
}

static bool wants(bool decrypt, uint32_t length, uint32_t depth) {
  return ow_policy_wants(&policy, OW_OP_AES_GCM, 32, decrypt, length, depth);
}

static const char good[] = "outwork-policy 1\n"
                           "# a comment\n"
                           "\n"
                           "0x13 32 encrypt 1 4096 -  # aes-256-gcm\n"
                           "0x13 32 encrypt 16 512 65536\r\n"
                           "\t19 32 decrypt 4 never\n"
                           "0x13 16 encrypt 1 0 -";

static void test_rules(void) {
  CHECK_EQUAL(read(good), OW_OK);
  CHECK_EQUAL(policy.rules_len, 4);
  CHECK(!wants(false, 4095, 1) && wants(false, 4096, 1) && wants(false, UINT32_MAX, 15));
  CHECK(!wants(false, 511, 16) && wants(false, 512, 16) && wants(false, 65536, 1000));
  CHECK(!wants(false, 65537, 16)); /* only the rule with the greater depth is used */
  CHECK(!wants(true, 4096, 4) && !wants(true, 4096, 3));
  CHECK(!ow_policy_wants(&policy, OW_OP_AES_CBC, 32, false, 1u << 20, 16)); /* no rule */
  CHECK(!ow_policy_wants(&policy, OW_OP_AES_GCM, 24, false, 1u << 20, 16));
}

/* The length of a key in a slot is unknown, so the rules of every key length must allow it. */
static void test_unknown_key_length(void) {
  CHECK_EQUAL(read(good), OW_OK);
  CHECK(ow_policy_wants(&policy, OW_OP_AES_GCM, 0, false, 4096, 1));
  /* The rule for 256 bits refuses. */
  CHECK(!ow_policy_wants(&policy, OW_OP_AES_GCM, 0, false, 4095, 1));
  CHECK(!ow_policy_wants(&policy, OW_OP_AES_GCM, 0, true, 4096, 4));
  CHECK(!ow_policy_wants(&policy, OW_OP_AES_CBC, 0, false, 4096, 4));
}

/* A rule without a key length is for all lengths, and for operations without a key. */
static void test_any_key_length(void) {
  CHECK_EQUAL(read("outwork-policy 1\n0x32 0 encrypt 1 512 -\n0x22 0 encrypt 1 1024 -\n"), OW_OK);
  CHECK(ow_policy_wants(&policy, OW_OP_HMAC_SHA256, 20, false, 512, 1));
  CHECK(ow_policy_wants(&policy, OW_OP_HMAC_SHA256, 0, false, 512, 1));
  CHECK(!ow_policy_wants(&policy, OW_OP_HMAC_SHA256, 20, false, 511, 1));
  CHECK(ow_policy_wants(&policy, OW_OP_SHA256, 0, false, 1024, 1));
}

static void test_bad_text(void) {
  static const struct {
    unsigned line;
    const char *text;
  } cases[] = {
      {1, ""},
      {1, "outwork-policy 2\n"},
      {1, "outwork-policy 10\n"},
      {1, "outwork-policy\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 1 4096\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 1 4096 - 7\n"},
      {3, "outwork-policy 1\n\n0x13 32 sideways 1 4096 -\n"},
      {2, "outwork-policy 1\n0x100 32 encrypt 1 4096 -\n"},
      {2, "outwork-policy 1\n0x 32 encrypt 1 4096 -\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 0 4096 -\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 65536 4096 -\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 1 4294967296 -\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 1 18446744073709551617 -\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 1 4096 4095\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 1 4096 -1\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 1 never never\n"},
      {2, "outwork-policy 1\n0x13 32 encrypt 1\n"},
      {2, "outwork-policy 1\n4f 32 encrypt 1 4096 -\n"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    CHECK_EQUAL(read(cases[i].text), OW_BAD_ARGUMENT);
    CHECK_EQUAL(line, cases[i].line);
    CHECK_EQUAL(policy.rules_len, 0);
  }
  char many[600] = "outwork-policy 1\n";
  for (unsigned i = 0; i <= RULES; i++) {
    strcat(many, "0x13 32 encrypt 1 0 -\n");
  }
  CHECK_EQUAL(read(many), OW_BAD_ARGUMENT);
  CHECK_EQUAL(line, RULES + 2);
  CHECK_EQUAL(ow_policy_read(&policy, rules, RULES, many, strlen(many), NULL), OW_BAD_ARGUMENT);
}

/* A text that is truncated anywhere is read or refused; the sanitizers check the accesses. */
static void test_cut_text(void) {
  for (size_t length = 0; length < sizeof(good); length++) {
    char *text = malloc(length + 1);
    CHECK(text != NULL);
    memcpy(text, good, length);
    char *exact = realloc(text, length > 0 ? length : 1);
    CHECK(exact != NULL);
    ow_status status = ow_policy_read(&policy, rules, RULES, exact, length, &line);
    CHECK(status == OW_OK || (status == OW_BAD_ARGUMENT && policy.rules_len == 0));
    free(exact);
  }
}

static struct rig rig;
static uint8_t *memory;
static uint8_t key[32], iv[16];

static struct ow_job ctr_job(uint32_t length) {
  return (struct ow_job){.opcode = OW_OP_AES_CTR,
                         .key = {.bytes = key, .key_len = 32},
                         .length = length,
                         .iv = iv,
                         .iv_len = 16,
                         .source = memory,
                         .destination = memory};
}

static void test_queue_obeys(void) {
  rig_open(&rig);
  memory = rig_allocate(&rig, 4096, 64);
  CHECK_EQUAL(read("outwork-policy 1\n0x12 32 encrypt 1 1024 -\n0x12 32 encrypt 4 256 -\n"), OW_OK);
  struct ow_job small = ctr_job(256), large = ctr_job(1024);
  /* Without a policy the device gets every job. */
  CHECK_EQUAL(ow_queue_run(&rig.queue, &small), OW_OK);
  rig.queue.policy = &policy;
  uint64_t submitted = rig.queue.submitted;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &small), OW_UNSUPPORTED);
  CHECK_EQUAL(rig.queue.submitted, submitted);
  CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_POLICY], 1);
  CHECK_EQUAL(ow_queue_run(&rig.queue, &large), OW_OK);

  /* Four jobs together are accepted from 256 bytes on; the last ones count those before them. */
  struct ow_job jobs[4] = {ctr_job(256), ctr_job(256), ctr_job(256), ctr_job(256)};
  struct ow_job *pointers[4] = {&jobs[0], &jobs[1], &jobs[2], &jobs[3]};
  size_t accepted = 0;
  CHECK_EQUAL(ow_queue_submit(&rig.queue, &accepted, pointers, 4), OW_OK);
  CHECK_EQUAL(accepted, 4);
  CHECK_EQUAL(ow_queue_wait(&rig.queue, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_submit(&rig.queue, &accepted, pointers, 3), OW_UNSUPPORTED);
  CHECK_EQUAL(accepted, 0);
  CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_POLICY], 2);

  struct ow_job nothing = {.opcode = OW_OP_NOP};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &nothing), OW_OK);
  rig_close(&rig);
}

/* A message that has begun on the device ends there. */
static void test_later_parts_follow(void) {
  rig_open(&rig);
  memory = rig_allocate(&rig, 4096, 64);
  struct ow_context *context = rig_allocate(&rig, sizeof(*context), 64);
  CHECK_EQUAL(read("outwork-policy 1\n0x17 32 encrypt 1 1024 -\n"), OW_OK);
  rig.queue.policy = &policy;
  struct ow_job part = {.opcode = OW_OP_AES_CMAC,
                        .tag_len = 16,
                        .flags = OW_JOB_SAVE_STATE,
                        .key = {.bytes = key, .key_len = 32},
                        .context = context,
                        .length = 1024,
                        .source = memory};
  CHECK_EQUAL(ow_queue_run(&rig.queue, &part), OW_OK);
  part.flags = OW_JOB_LOAD_STATE;
  part.length = 16;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &part), OW_OK);
  part.flags = 0;
  CHECK_EQUAL(ow_queue_run(&rig.queue, &part), OW_UNSUPPORTED);
  rig_close(&rig);
}

int main(void) {
  RUN(test_rules);
  RUN(test_unknown_key_length);
  RUN(test_any_key_length);
  RUN(test_bad_text);
  RUN(test_cut_text);
  RUN(test_queue_obeys);
  RUN(test_later_parts_follow);
  return 0;
}
