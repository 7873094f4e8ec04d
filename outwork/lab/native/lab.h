/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The lab on the CPU: the table of functions that each library's adapter fills in, and the loop
 * that measures them. An adapter is a shared object libow_lab_<name> with the function
 * ow_lab_adapter. Functions that return int return 1 on success, 0 if the library refuses or a tag
 * does not match.
 */
#ifndef OUTWORK_LAB_H
#define OUTWORK_LAB_H

#include <stdint.h>

#define OW_LAB_BATCH_MAX 128

/* What changes in each turn of the loop, besides the message. */
enum ow_lab_keys {
  OW_LAB_KEPT,        /* nothing: the next piece of one long message */
  OW_LAB_PREPARED,    /* the context: the next one, which has its key already */
  OW_LAB_NEW_KEY,     /* the key of the message */
  OW_LAB_NEW_CONTEXT, /* the context: one is opened, gets the message's key, and is closed */
};

/* The use of a context. */
struct ow_lab_setting {
  /* enum ow_opcode of outwork/spec.h */
  uint32_t opcode;
  /* decrypt or verify */
  uint32_t is_inverse;
  /* for begin, piece and end */
  uint32_t is_kept;
  /* bytes of all key material: XTS has two keys, one after the other */
  uint32_t key_len;
  /* 0: none */
  uint32_t iv_len;
  /* 0: none */
  uint32_t tag_len;
  /* bytes of a message, or of a piece */
  uint64_t length;
};

struct ow_lab_message {
  const uint8_t *source;
  /* length + 16 bytes */
  uint8_t *destination;
  uint8_t iv[16];
  uint8_t key[64];
  /* the tag that was made */
  uint8_t tag[64];
  /* the tag to verify */
  uint8_t expected[64];
};

struct ow_lab_calls {
  /* Returns name and version of the library. */
  const char *(*version)(void);
  /* Returns the CPU's crypto instructions: "aes=0", "aes=1", or a text of the library. */
  const char *(*instructions)(void);
  /* Returns why a setting is not possible; NULL if it is. */
  const char *(*refuses)(const struct ow_lab_setting *setting);
  void *(*open)(const struct ow_lab_setting *setting);
  int (*set_key)(void *context, const uint8_t *key);
  /* Processes one whole message. key: set first, unless NULL. */
  int (*message)(void *context, struct ow_lab_message *message, const uint8_t *key);
  /* Process one long message in pieces; `end` makes the tag or verifies it. NULL: the library does
   * not support it. */
  int (*begin)(void *context, struct ow_lab_message *message);
  int (*piece)(void *context, struct ow_lab_message *message);
  int (*end)(void *context, struct ow_lab_message *message);
  /* Process many messages in flight, each with its context; they end in order. NULL: one message
   * per call. Both return how many have ended, or -1; `flush` ends at least one. */
  int (*submit)(void **contexts, struct ow_lab_message **messages, uint32_t count);
  int (*flush)(void);
  void (*close)(void *context);
};

/* The data of the loop. */
struct ow_lab_work {
  const struct ow_lab_calls *calls;
  struct ow_lab_setting setting;
  /* each turn uses the next one */
  void **contexts;
  uint32_t contexts_len;
  /* as many as are in flight; each turn uses the next one */
  struct ow_lab_message *messages;
  uint32_t messages_len;
  /* messages submitted together */
  uint32_t batch;
  /* enum ow_lab_keys */
  uint32_t keys;
  /* whether the IV, and a key that is set, are incremented before each turn */
  uint32_t counts_up;
  uint32_t next_context;
  uint32_t next_message;
};

/* Runs `turns` turns. *nanoseconds: their thread CPU time. Returns how many failed; 0 is
 * success. */
uint64_t ow_lab_run(uint64_t *nanoseconds, struct ow_lab_work *work, uint64_t turns);
/* Returns the thread CPU time in nanoseconds of `count` additions that depend on each other, one
 * cycle each. */
uint64_t ow_lab_additions(uint64_t count);
/* Returns an adapter that does nothing, to measure the loop itself. */
const struct ow_lab_calls *ow_lab_empty(void);
/* Entry point of every adapter. library: the file of a library that the adapter opens itself. NULL:
 * it cannot be used. */
const struct ow_lab_calls *ow_lab_adapter(const char *library);

#endif
