/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Functions that the tests of sealed states share: a board with queues, keys in slots, jobs of
 * a message in pieces.
 */
#ifndef OUTWORK_TEST_SEAL_BOARD_H
#define OUTWORK_TEST_SEAL_BOARD_H

#include "../driver/check.h"
#include "outwork/hash.h"
#include "outwork/outwork.h"
#include "outwork/sim.h"
#include "outwork/spec.h"

enum { LOG2 = 4, ENTRIES = 1 << LOG2, ARENA_BYTES = 1 << 20, SLOT = 5, PIECE = 256, TAIL = 100 };
enum { QUEUES = 3 };

/* Memory that the device can access. */
struct arena {
  _Alignas(64) uint8_t queue[QUEUES][OW_QUEUE_MEMORY_BYTES(LOG2)];
  _Alignas(64) uint8_t input[4096], output[4096];
  _Alignas(64) uint8_t context[ENTRIES][512];
};

struct seal_board {
  struct ow_sim *sim;
  struct ow_platform platform;
  struct ow_device device;
  struct ow_queue queue[QUEUES];
  struct ow_queue_slot slots[QUEUES][ENTRIES];
  unsigned queues; /* that are open */
  struct arena *arena;
};

/* The modes that save a state, and the words of the state. */
struct mode {
  const char *name;
  uint8_t opcode, key_len, state_words;
};
static const struct mode modes[] = {
    {"GCM", OW_OP_AES_GCM, 32, 3},
    {"GMAC", OW_OP_AES_GMAC, 16, 3},
    {"CMAC", OW_OP_AES_CMAC, 32, 3},
    {"XTS", OW_OP_AES_XTS, 32, 3},
    {"HMAC-SHA-1", OW_OP_HMAC_SHA1, 20, 9},
    {"HMAC-SHA-224", OW_OP_HMAC_SHA224, 33, 9},
    {"HMAC-SHA-256", OW_OP_HMAC_SHA256, 32, 9},
    {"HMAC-SHA-384", OW_OP_HMAC_SHA384, 48, 13},
    {"HMAC-SHA-512", OW_OP_HMAC_SHA512, 64, 13},
    {"HMAC-SHA-512/224", OW_OP_HMAC_SHA512_224, 16, 13},
    {"HMAC-SHA-512/256", OW_OP_HMAC_SHA512_256, 40, 13},
    {"HMAC-SHA3-224", OW_OP_HMAC_SHA3_224, 16, 14},
    {"HMAC-SHA3-256", OW_OP_HMAC_SHA3_256, 40, 14},
    {"HMAC-SHA3-384", OW_OP_HMAC_SHA3_384, 64, 14},
    {"HMAC-SHA3-512", OW_OP_HMAC_SHA3_512, 64, 14},
    {"KMAC128", OW_OP_KMAC128, 16, 14},
    {"KMAC256", OW_OP_KMAC256, 64, 14},
};
enum { MODES = sizeof(modes) / sizeof(modes[0]) };

static inline bool is_hash(uint8_t opcode) {
  return ow_hash_block_len(opcode) != 0;
}

/* Returns the offset of the state in a context, in the clear and sealed. */
static inline size_t state_at(uint8_t opcode) {
  return is_hash(opcode) ? offsetof(struct ow_hash_context, bytes)
                         : offsetof(struct ow_context, state0);
}
static inline size_t sealed_at(uint8_t opcode) {
  return state_at(opcode) - 32;
}
static inline size_t sealed_bytes(const struct mode *mode) {
  return 16u * mode->state_words + 32u;
}

static inline uint64_t next_random(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static inline void fill(uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)(next_random() >> 24);
  }
}

static inline void board_open_with(struct seal_board *board, unsigned queues,
                                   const struct ow_sim_parameters *parameters) {
  board->queues = queues;
  board->sim = ow_sim_open(parameters, NULL);
  CHECK(board->sim != NULL);
  board->arena = aligned_alloc(4096, (sizeof(struct arena) + 4095) / 4096 * 4096);
  memset(board->arena, 0, sizeof(struct arena));
  CHECK(ow_sim_register(board->sim, board->arena, sizeof(struct arena)));
  ow_sim_platform(board->sim, &board->platform);
  CHECK_EQUAL(ow_device_open(&board->device, &board->platform), OW_OK);
  uint64_t first = (uintptr_t)board->arena;
  const struct ow_grant grant = {
      .windows_len = 1,
      .windows = {{first, first + sizeof(struct arena) - 1, .read = true, .write = true}}};
  for (unsigned q = 0; q < queues; q++) {
    CHECK_EQUAL(ow_queue_grant(&board->device, q, &grant), OW_OK);
    CHECK_EQUAL(ow_queue_open(&board->queue[q], &board->device, q, board->arena->queue[q],
                              board->slots[q], LOG2),
                OW_OK);
  }
  fill(board->arena->input, sizeof(board->arena->input));
}

static inline void board_open(struct seal_board *board) {
  struct ow_sim_parameters parameters;
  ow_sim_defaults(&parameters);
  board_open_with(board, 2, &parameters);
}

static inline void board_close(struct seal_board *board) {
  for (unsigned q = 0; q < board->queues; q++) {
    CHECK_EQUAL(ow_queue_close(&board->queue[q]), OW_OK);
  }
  CHECK_EQUAL(ow_device_close(&board->device), OW_OK);
  CHECK(ow_sim_protocol_error(board->sim) == NULL);
  ow_sim_close(board->sim);
  free(board->arena);
}

/* Loads a key that all queues may use for results only. An AES key for CMAC cannot be used for
 * ciphers. */
static inline void load_key(struct seal_board *board, uint8_t slot, const struct mode *mode,
                            const uint8_t *key) {
  bool cipher = mode->opcode == OW_OP_AES_GCM || mode->opcode == OW_OP_AES_XTS;
  struct ow_key_properties properties = {.queues = (uint8_t)((1u << board->queues) - 1),
                                         .encrypt = cipher || mode->opcode == OW_OP_AES_GMAC,
                                         .decrypt = cipher,
                                         .mac = !cipher,
                                         .lock = true};
  ow_status status =
      is_hash(mode->opcode)
          ? ow_key_load_kind(&board->device, slot, &properties, mode->opcode, key, mode->key_len)
          : ow_key_load(&board->device, slot, &properties, key, mode->key_len,
                        mode->opcode == OW_OP_AES_XTS ? key + 32 : NULL);
  CHECK_EQUAL(status, OW_OK);
}

/* Returns a job of the mode. key: NULL for the one in the slot. */
static inline struct ow_job piece_job(struct seal_board *board, const struct mode *mode,
                                      const uint8_t *key, uint8_t slot, uint16_t flags,
                                      uint8_t *context) {
  static const uint8_t iv[16] = {7, 1, 9};
  bool first = (flags & OW_JOB_LOAD_STATE) == 0, last = (flags & OW_JOB_SAVE_STATE) == 0;
  bool cipher = mode->opcode == OW_OP_AES_GCM || mode->opcode == OW_OP_AES_XTS;
  struct ow_job job = {
      .opcode = mode->opcode,
      .flags = flags,
      .key = {.slot = slot, .bytes = key, .key_len = key != NULL ? mode->key_len : 0},
      .context = flags != 0 ? context : NULL,
      .source = first ? board->arena->input : board->arena->input + PIECE,
      .length = last ? TAIL : PIECE,
  };
  if (first && last) {
    job.length = PIECE + TAIL;
  }
  if (mode->opcode == OW_OP_AES_XTS && key != NULL) {
    job.key.tweak_bytes = key + 32;
  }
  if (cipher) {
    job.destination = first ? board->arena->output : board->arena->output + PIECE;
  }
  if (first && !is_hash(mode->opcode) && mode->opcode != OW_OP_AES_CMAC) {
    job.iv = iv;
    job.iv_len = mode->opcode == OW_OP_AES_XTS ? 16 : 12;
  }
  if (last && mode->opcode != OW_OP_AES_XTS) {
    job.tag_len = 16;
  }
  return job;
}

/* Runs a job. The result is the tag, or for XTS the last bytes of ciphertext. */
static inline ow_status run_piece(struct seal_board *board, unsigned queue, const struct mode *mode,
                                  const uint8_t *key, uint8_t slot, uint16_t flags,
                                  uint8_t *context, uint8_t result[16]) {
  struct ow_job job = piece_job(board, mode, key, slot, flags, context);
  ow_status status = ow_queue_run(&board->queue[queue], &job);
  if (result != NULL) {
    memcpy(result,
           mode->opcode == OW_OP_AES_XTS ? board->arena->output + PIECE + TAIL - 16 : job.tag, 16);
  }
  return status;
}

#endif
