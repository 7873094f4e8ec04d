/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A queue that may only use a key tries to get the key, or something equivalent, from the saved
 * states of a message.
 */
#include "seal_board.h"

static struct seal_board board;

/* ---- The inverse of FIPS 202 3.2 and 3.3 ---- */

static uint64_t rotate(uint64_t a, unsigned n) {
  return n == 0 ? a : a << n | a >> (64 - n);
}

static void theta(uint64_t a[25]) {
  uint64_t c[5];
  for (int x = 0; x < 5; x++) {
    c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
  }
  for (int i = 0; i < 25; i++) {
    a[i] ^= c[(i + 4) % 5] ^ rotate(c[(i + 1) % 5], 1);
  }
}

static void rho_pi(uint64_t a[25], bool backwards) {
  uint64_t from[25];
  memcpy(from, a, sizeof(from));
  a[0] = from[0];
  for (unsigned t = 0, x = 1, y = 0; t < 24;
       t++) { /* lane x, y is rotated by (t + 1)(t + 2)/2 and moved to y, 2x + 3y */
    unsigned turn = (t + 1) * (t + 2) / 2 % 64, to = y + 5 * ((2 * x + 3 * y) % 5);
    if (backwards) {
      a[x + 5 * y] = rotate(from[to], (64 - turn) % 64);
    } else {
      a[to] = rotate(from[x + 5 * y], turn);
    }
    unsigned next = (2 * x + 3 * y) % 5;
    x = y;
    y = next;
  }
}

static uint64_t constant(unsigned round) {
  uint64_t word = 0;
  for (unsigned j = 0; j < 7; j++) {
    unsigned lfsr = 1;
    for (unsigned i = 0; i < (j + 7 * round) % 255; i++) {
      lfsr = lfsr << 1 ^ (lfsr >> 7) * 0x171u;
    }
    word |= (uint64_t)(lfsr & 1) << ((1u << j) - 1);
  }
  return word;
}

static void chi(uint64_t a[25]) {
  for (int y = 0; y < 25; y += 5) {
    uint64_t row[5];
    memcpy(row, a + y, sizeof(row));
    for (int x = 0; x < 5; x++) {
      a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
  }
}

static void permute(uint64_t a[25]) {
  for (unsigned round = 0; round < 24; round++) {
    theta(a);
    rho_pi(a, false);
    chi(a);
    a[0] ^= constant(round);
  }
}

static void permute_back(uint64_t a[25]) {
  for (unsigned round = 24; round-- > 0;) {
    a[0] ^= constant(round);
    for (int i = 0; i < 3; i++) { /* chi has order 4 */
      chi(a);
    }
    rho_pi(a, true);
    for (int i = 0; i < 191; i++) { /* theta has order 192 */
      theta(a);
    }
  }
}

/* Computes the key from the state after the key's block. */
static void key_of(uint8_t *key, const struct mode *mode, const uint8_t *state) {
  uint64_t a[25], before[25] = {0};
  uint8_t *bytes = (uint8_t *)a;
  memcpy(a, state + 16, sizeof(a));
  permute_back(a);
  if (mode->opcode == OW_OP_KMAC128 ||
      mode->opcode == OW_OP_KMAC256) { /* SP 800-185 4.3: the first block has the name */
    uint8_t *name = (uint8_t *)before;
    memcpy(name,
           (const uint8_t[]){1, mode->opcode == OW_OP_KMAC128 ? 168 : 136, 1, 0x20, 'K', 'M', 'A',
                             'C', 1, 0},
           10);
    permute(before);
    for (int i = 0; i < 25; i++) {
      a[i] ^= before[i];
    }
    memcpy(key, bytes + (mode->key_len < 32 ? 4 : 5), mode->key_len);
  } else {
    for (unsigned i = 0; i < mode->key_len; i++) {
      key[i] = bytes[i] ^ 0x36;
    }
  }
}

/* Tries to compute the key from the state of an empty message, with the inverse permutation. This
 * must succeed with an inline key, which shows that the method works, and fail with a slot's key.
 */
static void test_keccak_keys(void) {
  for (const struct mode *mode = modes; mode != modes + MODES; mode++) {
    if (mode->opcode < OW_OP_HMAC_SHA3_224 || mode->opcode > OW_OP_KMAC256) {
      continue;
    }
    for (int in_slot = 0; in_slot < 2; in_slot++) {
      uint8_t key[64], found[64] = {0}, *context = board.arena->context[0];
      fill(key, sizeof(key));
      load_key(&board, SLOT, mode, key);
      memset(context, 0, 512);
      struct ow_job job =
          piece_job(&board, mode, in_slot ? NULL : key, SLOT, OW_JOB_SAVE_STATE, context);
      job.length = 0;
      CHECK_EQUAL(ow_queue_run(&board.queue[1], &job), OW_OK);
      key_of(found, mode, context + state_at(mode->opcode));
      CHECK_EQUAL(memcmp(found, key, mode->key_len) == 0, !in_slot);
      CHECK_EQUAL(ow_key_zeroise(&board.device, SLOT), OW_OK);
    }
  }
}

/* Two GMACs under one IV give GHASH's key, and with it an IV for which any chosen block is the
 * first counter block. Therefore a key without `encrypt` must make no GMAC. */
static void test_gmac_is_no_cipher(void) {
  static const uint8_t key[16] = {3}, iv[12];
  const struct ow_key_properties mac = {.queues = 2, .mac = true};
  const struct ow_key_properties both = {.queues = 2, .mac = true, .encrypt = true};
  struct ow_job job = {
      .opcode = OW_OP_AES_GMAC, .key = {.slot = SLOT}, .iv = iv, .iv_len = 12, .tag_len = 16};
  CHECK_EQUAL(ow_key_load(&board.device, SLOT, &mac, key, sizeof(key), NULL), OW_OK);
  CHECK_EQUAL(ow_queue_run(&board.queue[1], &job), OW_KEY_DENIED);
  CHECK_EQUAL(ow_key_load(&board.device, SLOT, &both, key, sizeof(key), NULL), OW_OK);
  CHECK_EQUAL(ow_queue_run(&board.queue[1], &job), OW_OK);
  CHECK_EQUAL(ow_key_zeroise(&board.device, SLOT), OW_OK);
}

static bool stands_in(const uint8_t *memory, size_t length, const uint8_t *wanted) {
  uint8_t turned[16];
  for (int i = 0; i < 16; i++) {
    turned[i] = wanted[15 - i];
  }
  for (size_t i = 0; i + 16 <= length; i++) {
    if (memcmp(memory + i, wanted, 16) == 0 || memcmp(memory + i, turned, 16) == 0) {
      return true;
    }
  }
  return false;
}

/* Unsealed, the chaining value of a CMAC would be E_K of any block, and the sum of a GMAC over the
 * block 1 would be GHASH's key. */
static void test_aes_blocks(void) {
  for (int round = 0; round < 20; round++) {
    uint8_t key[64], block[16] = {0}, wanted[16], *context = board.arena->context[0],
                     *input = board.arena->input;
    const struct mode *cmac = &modes[2], *gmac = &modes[1];
    const struct mode *mode = round % 2 == 0 ? cmac : gmac;
    fill(key, sizeof(key));
    fill(block, round % 2 == 0 ? 16 : 0);
    memcpy(input, block, 16);
    struct ow_job ecb = {.opcode = OW_OP_AES_ECB,
                         .key = {.bytes = key, .key_len = mode->key_len},
                         .source = input,
                         .destination = board.arena->output,
                         .length = 16};
    CHECK_EQUAL(ow_queue_run(&board.queue[1], &ecb), OW_OK);
    memcpy(wanted, board.arena->output, 16);
    load_key(&board, SLOT, mode, key);
    ecb.key = (struct ow_key){.slot = SLOT};
    if (mode == cmac) {
      CHECK_EQUAL(ow_queue_run(&board.queue[1], &ecb), OW_KEY_DENIED);
    }
    if (mode == gmac) {
      input[0] = 0x80; /* the polynomial 1: GHASH returns its key */
    }
    for (int in_slot = 0; in_slot < 2; in_slot++) {
      memset(context, 0, 512);
      struct ow_job job =
          piece_job(&board, mode, in_slot ? NULL : key, SLOT, OW_JOB_SAVE_STATE, context);
      job.length = 16;
      CHECK_EQUAL(ow_queue_run(&board.queue[1], &job), OW_OK);
      CHECK_EQUAL(stands_in(context, 512, wanted) || stands_in(job.tag, 16, wanted), !in_slot);
    }
    CHECK_EQUAL(ow_key_zeroise(&board.device, SLOT), OW_OK);
  }
}

/* The state under an inline key gives any later MAC, or the tweak. The state under the same key in
 * a slot, and the completion record, must contain no word of it. */
static void test_no_word_of_a_state(void) {
  static const uint8_t zero[16];
  for (const struct mode *mode = modes; mode != modes + MODES; mode++) {
    uint8_t key[64], tag[16], *open = board.arena->context[0], *sealed = board.arena->context[1];
    fill(key, sizeof(key));
    memset(open, 0, 1024);
    load_key(&board, SLOT, mode, key);
    CHECK_EQUAL(run_piece(&board, 1, mode, key, 0, OW_JOB_SAVE_STATE, open, NULL), OW_OK);
    struct ow_job job = piece_job(&board, mode, NULL, SLOT, OW_JOB_SAVE_STATE, sealed);
    CHECK_EQUAL(ow_queue_run(&board.queue[1], &job), OW_OK);
    memcpy(tag, job.tag, 16);
    CHECK(memcmp(tag, zero, 16) == 0);
    for (unsigned word = 0; word < mode->state_words; word++) {
      const uint8_t *bytes = open + state_at(mode->opcode) + 16 * word;
      CHECK(memcmp(bytes, zero, 16) == 0 || !stands_in(sealed, 512, bytes));
    }
    for (size_t i = 0; i < 512; i++) { /* and nothing is written around it */
      bool inside =
          i >= sealed_at(mode->opcode) && i < sealed_at(mode->opcode) + sealed_bytes(mode);
      CHECK(inside || sealed[i] == 0);
    }
    CHECK_EQUAL(ow_key_zeroise(&board.device, SLOT), OW_OK);
  }
}

int main(void) {
  board_open(&board);
  RUN(test_keccak_keys);
  RUN(test_gmac_is_no_cipher);
  RUN(test_aes_blocks);
  RUN(test_no_word_of_a_state);
  board_close(&board);
  return 0;
}
