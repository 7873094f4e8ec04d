/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random sequences of wolfCrypt calls on one context, also in orders that no program should use:
 * run with the callback and with wolfSSL's software only, whose answers must be the same after each
 * call.
 */
#ifndef OUTWORK_TEST_WOLFSSL_SEQUENCE_H
#define OUTWORK_TEST_WOLFSSL_SEQUENCE_H

#include "call_log.h"
#include "lengths.h"
#include "rig.h"

#define SEQUENCE_ROOM 70000u

/* The answer to one call. */
struct answer {
  int result;
  /* bytes of `bytes` and `tag`, compared if the call succeeded */
  uint32_t length, tag_len;
  uint8_t bytes[SEQUENCE_ROOM], tag[64];
};

struct sequence {
  /* with the callback, and with software only */
  struct answer answers[2];
  /* called before each call; may be NULL */
  void (*between)(void);
  /* the input of every call */
  uint8_t input[SEQUENCE_ROOM];
  struct call_log log;
};

extern const int sequence_devices[2];

/* Prepares the answer of a side: the output gets the input's bytes if the call works in place, else
 * a pattern. Calls `between` before the callback's side. */
struct answer *sequence_side(struct sequence *sequence, unsigned side, bool in_place);
/* Returns whether both answers are the same; prints the log if not. */
bool sequence_agrees(struct sequence *sequence);
bool sequence_succeeded(const struct sequence *sequence);

/* Play the calls of one context. Return false after a difference. */
bool sequence_play_aes(struct sequence *sequence, unsigned calls);
bool sequence_play_des(struct sequence *sequence, unsigned calls);
bool sequence_play_hash(struct sequence *sequence, unsigned calls);
bool sequence_play_hmac(struct sequence *sequence, unsigned calls);
bool sequence_play_cmac(struct sequence *sequence, unsigned calls);

#endif
