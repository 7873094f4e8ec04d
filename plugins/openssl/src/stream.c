/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Messages under a hash: buffers pieces, decides between device and CPU, sends requests, and
 * finishes the message if the device fails.
 */
#include "stream.h"

/* First size of the buffer, once `small` is full. */
#define ROOM_MIN 4096u

static uint8_t *held(struct owp_stream *stream) {
  return stream->held != NULL ? stream->held : stream->small;
}

void owp_stream_drop(struct owp_stream *stream) {
  if (stream->held != NULL) {
    OPENSSL_clear_free(stream->held, stream->room);
  } else if (stream->held_len != 0) {
    OPENSSL_cleanse(stream->small, stream->held_len);
  }
  if (stream->saved) {
    OPENSSL_cleanse(&stream->state, sizeof(stream->state));
  }
  stream->held = NULL;
  stream->held_len = 0;
  stream->seen = 0;
  stream->saved = false;
}

void owp_stream_begin(struct owp_stream *stream, struct ow_offload *offload, uint8_t opcode,
                      const uint8_t *key, uint8_t key_len) {
  owp_stream_drop(stream);
  stream->opcode = opcode;
  stream->key = key;
  stream->key_len = key_len;
  stream->offload = offload;
  stream->floor = ow_offload_floor(offload, opcode, 0, false);
  stream->side = OWP_UNDECIDED;
  stream->counted = false;
  stream->reason = OW_FALLBACK_POLICY;
  stream->bytes = 0;
}

void owp_stream_begin_inside(struct owp_stream *stream, struct ow_offload *offload, uint8_t opcode,
                             ow_fallback reason) {
  owp_stream_begin(stream, offload, opcode, NULL, 0);
  stream->side = OWP_INSIDE;
  stream->reason = (uint8_t)reason;
}

bool owp_stream_dup(struct owp_stream *copy, const struct owp_stream *stream) {
  if (stream->held != NULL) {
    copy->held = OPENSSL_malloc(stream->room);
    if (copy->held == NULL) {
      copy->held_len = 0;
      return false;
    }
    memcpy(copy->held, stream->held, stream->held_len);
  }
  return true;
}

/* Buffers `length` more bytes, in larger memory if needed. False: no memory. */
static bool hold(struct owp_stream *stream, const uint8_t *in, size_t length) {
  size_t all = stream->held_len + length;
  size_t room = all <= ROOM_MIN ? ROOM_MIN : OW_REQUEST_BYTES;
  if (all > (stream->held != NULL ? stream->room : OWP_STREAM_SMALL)) {
    uint8_t *larger = OPENSSL_malloc(room);
    if (larger == NULL) {
      return false;
    }
    size_t kept = stream->held_len;
    memcpy(larger, held(stream), kept);
    if (stream->held != NULL) {
      OPENSSL_clear_free(stream->held, stream->room);
    } else {
      OPENSSL_cleanse(stream->small, kept);
    }
    stream->held = larger;
    stream->room = room;
  }
  if (length != 0) {
    memcpy(held(stream) + stream->held_len, in, length);
  }
  stream->held_len = all;
  return true;
}

int owp_stream_feed_inside(struct owp_stream *stream, const struct owp_inside *inside) {
  size_t seen = stream->seen;
  stream->seen = stream->side == OWP_UNDECIDED ? stream->held_len : seen;
  return stream->seen == seen ||
         inside->update(inside->context, held(stream) + seen, stream->seen - seen);
}

bool owp_stream_hand_inside(struct owp_stream *stream, const struct owp_inside *inside) {
  size_t left = stream->held_len - stream->seen;
  if (stream->saved ||
      (left != 0 && !inside->update(inside->context, held(stream) + stream->seen, left))) {
    return false;
  }
  owp_stream_drop(stream);
  stream->side = OWP_INSIDE;
  return true;
}

/* Returns a request for the buffered bytes and `length` bytes of `in`. */
static struct ow_request request_for(struct owp_stream *stream, const uint8_t *in, size_t length) {
  return (struct ow_request){.opcode = stream->opcode,
                             .key = stream->key,
                             .key_len = stream->key_len,
                             .flags = stream->saved ? OW_JOB_LOAD_STATE : 0,
                             .state = &stream->state.bytes,
                             .head = held(stream),
                             .head_len = (uint32_t)stream->held_len,
                             .input = in,
                             .length = (uint32_t)(stream->held_len + length)};
}

/* Adds the buffered bytes and `length` bytes of `in` to the state, in software. */
static void add_here(struct owp_stream *stream, const uint8_t *in, size_t length) {
  ow_hash_state_add(&stream->state, stream->opcode, held(stream), stream->held_len);
  ow_hash_state_add(&stream->state, stream->opcode, in, length);
  stream->held_len = 0;
}

/* Sends a full request, of which `length` bytes are not buffered. If the device fails, software
 * does it. False: software cannot, because there is no state before the first request. */
static bool send(struct owp_stream *stream, const uint8_t *in, size_t length) {
  struct ow_request request = request_for(stream, in, length);
  request.flags |= OW_JOB_SAVE_STATE;
  if (ow_offload_run(stream->offload, &request)) {
    stream->saved = true;
    stream->held_len = 0;
    return true;
  }
  if (stream->saved) {
    add_here(stream, in, length);
  }
  return stream->saved;
}

static int update_device(struct owp_stream *stream, const struct owp_inside *inside,
                         const uint8_t *in, size_t length) {
  while (stream->held_len + length > OW_REQUEST_BYTES) {
    size_t now = OW_REQUEST_BYTES - stream->held_len;
    if (!send(stream, in, now)) {
      stream->counted = true;
      return owp_stream_hand_inside(stream, inside) && inside->update(inside->context, in, length);
    }
    in += now;
    length -= now;
  }
  return hold(stream, in, length);
}

/* Decides between device and CPU, now that `length` bytes of the message are known. */
static bool decide(struct owp_stream *stream, const struct owp_inside *inside, size_t length) {
  if (ow_offload_wants(stream->offload, stream->opcode, 0, false, length)) {
    stream->side = OWP_DEVICE;
    return true;
  }
  stream->counted = true;
  return owp_stream_hand_inside(stream, inside);
}

int owp_stream_update(struct owp_stream *stream, const struct owp_inside *inside,
                      const unsigned char *in, size_t length) {
  size_t all = stream->held_len + length;
  stream->bytes += length;
  if (stream->side == OWP_UNDECIDED && length != 0) {
    if (all < stream->floor && stream->floor <= OW_REQUEST_BYTES) {
      return hold(stream, in, length);
    }
    /* Below the least length there is too much to buffer. */
    if (!(all < stream->floor ? owp_stream_hand_inside(stream, inside)
                              : decide(stream, inside, all))) {
      return 0;
    }
  }
  return stream->side == OWP_INSIDE   ? inside->update(inside->context, in, length)
         : stream->side == OWP_DEVICE ? update_device(stream, inside, in, length)
                                      : 1;
}

enum owp_end owp_stream_end_here(struct owp_stream *stream, const struct owp_inside *inside) {
  if (stream->saved) {
    add_here(stream, NULL, 0);
    return OWP_END_HERE;
  }
  if (!owp_stream_hand_inside(stream, inside)) {
    return OWP_END_FAILED;
  }
  if (!stream->counted) {
    ow_offload_count(stream->offload, stream->opcode, stream->reason, stream->bytes);
  }
  return OWP_END_INSIDE;
}

enum owp_end owp_stream_end(struct owp_stream *stream, const struct owp_inside *inside,
                            unsigned char *out, size_t out_len) {
  if (stream->side == OWP_UNDECIDED && stream->floor == 0 && !decide(stream, inside, 0)) {
    return OWP_END_FAILED; /* of an empty message */
  }
  if (stream->side == OWP_DEVICE && out_len == 0) {
    stream->reason = OW_FALLBACK_OPCODE;
  } else if (stream->side == OWP_DEVICE) {
    struct ow_request request = request_for(stream, NULL, 0);
    bool to_tag = out_len <= sizeof(request.tag);
    request.tag_len = to_tag ? (uint8_t)out_len : 0;
    request.output = to_tag ? NULL : out;
    request.output_len = to_tag ? 0 : out_len < UINT32_MAX ? (uint32_t)out_len : UINT32_MAX;
    if (ow_offload_run(stream->offload, &request)) {
      if (to_tag) {
        memcpy(out, request.tag, out_len);
      }
      owp_stream_drop(stream);
      return OWP_END_DONE;
    }
    stream->counted = true;
  }
  return owp_stream_end_here(stream, inside);
}
