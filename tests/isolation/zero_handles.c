/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A plug-in's handle of a key in a slot works with that key only: not with the next one in the
 * slot, and not with one loaded after the device was opened again.
 *
 *   zero_handles BOARD
 *
 * A board that is opened again counts generations from the beginning. The two keys then have the
 * same slot and generation, and only the plug-in can distinguish them.
 */
#include "../driver/check.h"
#include "offload.h"

static const uint8_t first_key[16] = {1}, second_key[16] = {2};
static const uint8_t block[16] = {0x5a};

static struct ow_offload *open_board(const char *library) {
  const struct ow_offload_settings settings = {
      .platform = "sim", .library = library, .policy = "always", .host = "test"};
  struct ow_offload *offload = ow_offload_open(&settings);
  CHECK(offload != NULL);
  CHECK(ow_offload_wants(offload, OW_OP_AES_ECB, 16, false, 16)); /* opens the device */
  return offload;
}

static ow_status load(struct ow_offload *offload, struct ow_slot_key *slot, const uint8_t *key) {
  const struct ow_key_material material = {
      .properties = {.encrypt = true}, .key = key, .key_len = 16};
  return ow_offload_key_load(offload, slot, &material);
}

/* Encrypts one block under the slot's key, or under these bytes. */
static ow_status encrypt(struct ow_offload *offload, uint8_t output[16],
                         const struct ow_slot_key *slot, const uint8_t *key) {
  struct ow_request request = {.opcode = OW_OP_AES_ECB,
                               .key = key,
                               .key_len = key != NULL ? 16 : 0,
                               .slot = slot,
                               .input = block,
                               .output = output,
                               .length = 16};
  memset(output, 0, 16);
  (void)ow_offload_run(offload, &request);
  return request.status;
}

static ow_status nothing(struct ow_pka *pka, void *user) {
  (void)pka;
  *(bool *)user = true;
  return OW_OK;
}

static void refused(struct ow_offload *offload, const struct ow_slot_key *stale,
                    const struct ow_slot_key *live, const uint8_t expected[16]) {
  uint8_t output[16];
  static const uint8_t zeros[16];
  CHECK_EQUAL(encrypt(offload, output, stale, NULL), OW_KEY_GONE);
  CHECK(memcmp(output, zeros, 16) == 0);
  CHECK_EQUAL(ow_offload_key_zeroise(offload, stale), OW_KEY_GONE);
  CHECK_EQUAL(encrypt(offload, output, live, NULL), OW_OK);
  CHECK(memcmp(output, expected, 16) == 0);
}

int main(int argc, char **argv) {
  uint8_t first[16], second[16], output[16];
  struct ow_slot_key old, live, none;
  CHECK(argc == 2);
  struct ow_offload *offload = open_board(argv[1]);
  CHECK_EQUAL(encrypt(offload, first, NULL, first_key), OW_OK);
  CHECK_EQUAL(encrypt(offload, second, NULL, second_key), OW_OK);
  CHECK_EQUAL(load(offload, &old, first_key), OW_OK);
  CHECK_EQUAL(encrypt(offload, output, &old, NULL), OW_OK);
  CHECK(memcmp(output, first, 16) == 0);

  /* Opened again: the same slot, the same generation, another key. */
  ow_offload_close(offload);
  offload = open_board(argv[1]);
  CHECK_EQUAL(load(offload, &live, second_key), OW_OK);
  CHECK_EQUAL(live.slot, old.slot);
  CHECK_EQUAL(live.generation, old.generation);
  refused(offload, &old, &live, second);
  bool called = false;
  ow_status status;
  CHECK(!ow_offload_operate(offload, OW_OP_EC_SIGN, 32, nothing, &called, &old, &status));
  CHECK(status == OW_KEY_GONE && !called);
  printf("ok opened anew\n");

  /* The same slot again, without opening the device again. */
  old = live;
  CHECK_EQUAL(ow_offload_key_zeroise(offload, &old), OW_OK);
  CHECK_EQUAL(ow_offload_key_zeroise(offload, &old), OW_KEY_GONE);
  CHECK_EQUAL(load(offload, &live, first_key), OW_OK);
  CHECK_EQUAL(live.slot, old.slot);
  refused(offload, &old, &live, first);
  printf("ok loaded again\n");

  /* A handle without a generation is refused: it would be valid for any key. */
  none = live;
  none.generation = 0;
  refused(offload, &none, &live, first);
  CHECK_EQUAL(ow_offload_key_zeroise(offload, &live), OW_OK);
  ow_offload_close(offload);
  printf("ok without a generation\n");
  return 0;
}
