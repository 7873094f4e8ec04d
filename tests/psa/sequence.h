/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random sequences of PSA calls on one operation, also in orders that no program should use: run
 * with the driver and with Mbed TLS's software only, whose answers must be the same after each
 * call.
 */
#ifndef OUTWORK_TEST_PSA_SEQUENCE_H
#define OUTWORK_TEST_PSA_SEQUENCE_H

#include "call_log.h"
#include "lengths.h"
#include "message.h"

#define SEQUENCE_ROOM 70000u
/* bytes after an output that no call may change */
#define SEQUENCE_GUARD 32u

/* The answer to one call. */
struct answer {
  psa_status_t status;
  /* what the call returned as the length of `bytes`, and of `tag` */
  size_t length, tag_len;
  uint8_t bytes[SEQUENCE_ROOM + SEQUENCE_GUARD], tag[128];
};

struct sequence {
  /* with the driver, and with software only */
  struct answer answers[2];
  /* the same key twice; with `slots` the driver's is in a slot of the device */
  psa_key_id_t keys[2];
  bool slots, no_hmac;
  /* the input of every call */
  uint8_t input[SEQUENCE_ROOM];
  struct call_log log;
};

/* Chooses driver or software for the side, and prepares its answer: the output gets the input's
 * bytes if the call works in place, else a pattern. */
struct answer *sequence_side(struct sequence *sequence, unsigned side, bool in_place);
/* Returns whether both answers are the same, and no byte after `room` bytes of output was written;
 * prints the log if not. Of calls that fail only the status is compared. */
bool sequence_agrees(struct sequence *sequence, size_t room);
bool sequence_succeeded(const struct sequence *sequence);
/* Returns room for an output of `length` bytes; sometimes more or less than it needs. */
size_t sequence_room(size_t length);
/* Imports a key for both sides. */
void sequence_import(struct sequence *sequence, psa_key_type_t type, psa_algorithm_t alg,
                     psa_key_usage_t usage, size_t length);
/* Destroys the keys; later calls name keys that are not there. */
bool sequence_destroy(struct sequence *sequence);

/* Play the calls of one operation. Return false after a difference. */
bool sequence_play_cipher(struct sequence *sequence, unsigned calls);
bool sequence_play_aead(struct sequence *sequence, unsigned calls);
bool sequence_play_mac(struct sequence *sequence, unsigned calls);
bool sequence_play_hash(struct sequence *sequence, unsigned calls);

#endif
