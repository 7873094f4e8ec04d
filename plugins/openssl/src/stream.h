/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What digests, HMAC and KMAC are made of: a message under a hash, in pieces of any size.
 *
 * Nobody has the message until it is as long as the least that the policy gives to the device; what
 * has come by then is held here, so that a short message is hashed by the context inside, whole.
 * With the device, up to a request's worth is held before it goes. The first request that the
 * device fails leaves the context inside with all of the message; after one that it did, there is a
 * state that software goes on from (hash_state.h), and the device again when it is well.
 */
#ifndef OUTWORK_PROVIDER_STREAM_H
#define OUTWORK_PROVIDER_STREAM_H

#include "provider.h"

#include "outwork/hash_state.h"

/* As many bytes are held without memory of their own. */
#define OWP_STREAM_SMALL 128u

/* The context inside, and its update (a MAC's and a digest's are the same to C). */
struct owp_inside {
  void *context;
  OSSL_FUNC_digest_update_fn *update;
};

enum owp_side { OWP_NOBODY, OWP_INSIDE, OWP_DEVICE };

struct owp_stream {
  uint8_t opcode;
  uint8_t key_len; /* of `key`, which is the owner's; a hash has none */
  const uint8_t *key;
  struct ow_offload *offload;
  size_t floor;
  enum owp_side side;
  bool counted;   /* OWP_INSIDE: why, is counted */
  bool saved;     /* `state` is that of what is not held any more */
  uint8_t reason; /* OWP_INSIDE, and not counted yet */
  uint64_t bytes; /* all, so far */
  struct ow_hash_context state;
  uint8_t *held; /* NULL: `small` */
  size_t held_len, room;
  size_t seen; /* of what is held, by the context inside too */
  uint8_t small[OWP_STREAM_SMALL];
};

/* A stream of zeros is none yet, and may be dropped. */
/* A new message. */
void owp_stream_begin(struct owp_stream *stream, struct ow_offload *offload, uint8_t opcode,
                      const uint8_t *key, uint8_t key_len);
/* A message that is not for the device, for that reason. */
void owp_stream_keep(struct owp_stream *stream, struct ow_offload *offload, uint8_t opcode,
                     ow_fallback reason);
/* Forgets it. */
void owp_stream_drop(struct owp_stream *stream);
/* To be called before a copy is made: what is held of a message that nobody has yet is shown to the
 * context inside, so that not every copy has to hash it again (HMAC's first block, of a thousand
 * messages under a key). */
int owp_stream_show(struct owp_stream *stream, const struct owp_inside *inside);
/* A copy in place of the bytes that were copied from `stream`. False: no memory. */
bool owp_stream_dup(struct owp_stream *copy, const struct owp_stream *stream);
int owp_stream_update(struct owp_stream *stream, const struct owp_inside *inside,
                      const unsigned char *in, size_t length);
/* Gives the message so far to the context inside, which goes on with it. False, and nothing is
 * changed, if the device has saved a state. */
bool owp_stream_retreat(struct owp_stream *stream, const struct owp_inside *inside);

/* The end of the message. */
enum owp_end {
  OWP_END_FAILED,
  OWP_END_DONE,   /* `out` is written */
  OWP_END_INSIDE, /* the context inside has all of it, and shall finish */
  OWP_END_HERE    /* the state has all of it, and software shall finish */
};
enum owp_end owp_stream_end(struct owp_stream *stream, const struct owp_inside *inside,
                            unsigned char *out, size_t out_len);
/* The same, whatever the device could do: it is not asked any more. */
enum owp_end owp_stream_end_here(struct owp_stream *stream, const struct owp_inside *inside);

#endif
