/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The lab on the CPU: the table of functions that a library's adapter fills, and the one loop that
 * times it.
 *
 * An adapter is a shared object libow_lab_<name> with the function ow_lab_adapter. Functions that
 * return int return 1 when all is well, 0 when the library refuses or a tag does not match.
 */
#ifndef OUTWORK_LAB_H
#define OUTWORK_LAB_H

#include <stdint.h>

#define OW_LAB_BATCH_MAX 128

/* What happens in a turn, beside a message. */
enum ow_lab_keys {
  OW_LAB_KEPT,        /* the next piece of one long message */
  OW_LAB_PREPARED,    /* contexts have their keys; the next one is used each turn */
  OW_LAB_NEW_KEY,     /* the message's key is set */
  OW_LAB_NEW_CONTEXT, /* a context is opened, gets the message's key, and is closed */
};

/* What a context is for. */
struct ow_lab_setting {
  uint32_t opcode;     /* enum ow_opcode of outwork/spec.h */
  uint32_t is_inverse; /* decrypt or verify */
  uint32_t is_kept;    /* for begin, piece, end */
  uint32_t key_len;    /* of all key material: XTS has two keys, one behind the other */
  uint32_t iv_len;     /* 0: none */
  uint32_t tag_len;    /* 0: none */
  uint64_t length;     /* of a message, or of a piece */
};

struct ow_lab_message {
  const uint8_t *source;
  uint8_t *destination; /* length + 16 bytes */
  uint8_t iv[16];
  uint8_t key[64];
  uint8_t tag[64];      /* made */
  uint8_t expected[64]; /* to verify */
};

struct ow_lab_calls {
  /* Name and version of the library. */
  const char *(*version)(void);
  /* The CPU's crypto instructions: "aes=0", "aes=1", or the library's own words for it. */
  const char *(*instructions)(void);
  /* Why this cannot be done; NULL if it can. */
  const char *(*refuses)(const struct ow_lab_setting *setting);
  void *(*open)(const struct ow_lab_setting *setting);
  int (*set_key)(void *context, const uint8_t *key);
  /* One whole message; key may be NULL, else it is set first. */
  int (*message)(void *context, struct ow_lab_message *message, const uint8_t *key);
  /* One long message in pieces; end makes the tag, or verifies it. NULL where the library has no
   * such thing. */
  int (*begin)(void *context, struct ow_lab_message *message);
  int (*piece)(void *context, struct ow_lab_message *message);
  int (*end)(void *context, struct ow_lab_message *message);
  /* Many messages in flight, each with its context; they end in order. NULL where a call is a
   * message. Both return how many have ended, or -1; flush ends at least one. */
  int (*submit)(void **contexts, struct ow_lab_message **messages, uint32_t count);
  int (*flush)(void);
  void (*close)(void *context);
};

/* What the loop works on. */
struct ow_lab_work {
  const struct ow_lab_calls *calls;
  struct ow_lab_setting setting;
  void **contexts; /* a turn uses the next one */
  uint32_t contexts_len;
  struct ow_lab_message *messages; /* as many as are in flight; a turn uses the next one */
  uint32_t messages_len;
  uint32_t batch;     /* messages submitted together */
  uint32_t keys;      /* enum ow_lab_keys */
  uint32_t counts_up; /* the IV, and a key that is set, every turn before they are used */
  uint32_t next_context;
  uint32_t next_message;
};

/* So many turns. *nanoseconds: thread CPU time of them all. Returns how many went wrong (0 is
 * good). */
uint64_t ow_lab_run(uint64_t *nanoseconds, struct ow_lab_work *work, uint64_t turns);
/* The thread CPU time in nanoseconds of so many additions that wait for each other: a cycle each.
 */
uint64_t ow_lab_additions(uint64_t count);
/* An adapter that does nothing, to measure what the loop itself costs. */
const struct ow_lab_calls *ow_lab_empty(void);
/* Of every adapter. `library` is the file of a library that the adapter opens itself. NULL if it
 * cannot be used. */
const struct ow_lab_calls *ow_lab_adapter(const char *library);

#endif
