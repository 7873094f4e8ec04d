/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What digests, HMAC and KMAC share: a message under a hash, in pieces of any size.
 *
 * Pieces are buffered here until the message has the least length that the policy gives to the
 * device; a shorter message is hashed as a whole by the inner context. On the device, up to one
 * request of bytes is buffered before it is sent. If the device fails the first request, the inner
 * context gets the whole message. After a request that has succeeded there is a saved state, from
 * which software continues (hash_state.h), and the device again when it works again.
 */
#ifndef OUTWORK_PROVIDER_STREAM_H
#define OUTWORK_PROVIDER_STREAM_H

#include "provider.h"

#include "outwork/hash_state.h"

/* Bytes that are buffered without memory of their own. */
#define OWP_STREAM_SMALL 128u

/* The inner context and its update function (a MAC's and a digest's have the same type). */
struct owp_inside {
  void *context;
  OSSL_FUNC_digest_update_fn *update;
};

enum owp_side { OWP_UNDECIDED, OWP_INSIDE, OWP_DEVICE };

struct owp_stream {
  uint8_t opcode;
  /* bytes of `key`, which the caller owns; 0 for a hash */
  uint8_t key_len;
  const uint8_t *key;
  struct ow_offload *offload;
  size_t floor;
  enum owp_side side;
  /* OWP_INSIDE: the fallback and its reason are counted */
  bool counted;
  /* `state` is valid: it covers all bytes but the buffered ones */
  bool saved;
  /* OWP_INSIDE, not counted yet: the reason */
  uint8_t reason;
  /* bytes of the message so far */
  uint64_t bytes;
  struct ow_hash_context state;
  /* the buffer; NULL: `small` */
  uint8_t *held;
  size_t held_len, room;
  /* buffered bytes that the inner context has got too */
  size_t seen;
  uint8_t small[OWP_STREAM_SMALL];
};

/* A stream of zeros is none yet, and may be dropped. */
/* Begins a new message. A stream of zeros has no message, and owp_stream_drop() accepts it. */
void owp_stream_begin(struct owp_stream *stream, struct ow_offload *offload, uint8_t opcode,
                      const uint8_t *key, uint8_t key_len);
/* Begins a message that is not for the device, for this reason. */
void owp_stream_begin_inside(struct owp_stream *stream, struct ow_offload *offload, uint8_t opcode,
                             ow_fallback reason);
/* Drops the message and frees its memory. */
void owp_stream_drop(struct owp_stream *stream);
/* Call this before a copy is made: gives the buffered bytes of an undecided message to the inner
 * context, so that its copies need not hash them again (for example HMAC's first block, under a key
 * of a thousand messages). */
int owp_stream_feed_inside(struct owp_stream *stream, const struct owp_inside *inside);
/* Completes `copy`, which has the bytes of `stream`, so that it has memory of its own. False: no
 * memory. */
bool owp_stream_dup(struct owp_stream *copy, const struct owp_stream *stream);
int owp_stream_update(struct owp_stream *stream, const struct owp_inside *inside,
                      const unsigned char *in, size_t length);
/* Gives the message so far to the inner context, which continues it. False, with nothing changed,
 * if there is a saved state of the device. */
bool owp_stream_hand_inside(struct owp_stream *stream, const struct owp_inside *inside);

/* What has to be done at the end of the message. */
enum owp_end {
  OWP_END_FAILED,
  /* `out` is written */
  OWP_END_DONE,
  /* the inner context has the whole message, and has to finish it */
  OWP_END_INSIDE,
  /* the state has the whole message, and software has to finish it */
  OWP_END_HERE
};
enum owp_end owp_stream_end(struct owp_stream *stream, const struct owp_inside *inside,
                            unsigned char *out, size_t out_len);
/* The same, but never uses the device. */
enum owp_end owp_stream_end_here(struct owp_stream *stream, const struct owp_inside *inside);

#endif
