/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes: the device takes wolfSSL's state of a stream and returns the next one, so software can
 * continue at any time. Software does the padding at the end.
 */
#include "families.h"

#include "words.h"

/* A hash's state as input and output of the device. */
struct stream {
  /* no key: only the members after it are used */
  struct ow_hash_context context;
  uint8_t opcode;
  uint32_t block;
};

/* Processes one piece on the device. False: nothing has changed. */
static bool run_piece(struct ow_offload *offload, struct stream *stream, const byte *in,
                      word32 length) {
  /* no whole block to compress */
  if (stream->context.partial + (uint64_t)length < stream->block ||
      !ow_offload_wants(offload, stream->opcode, 0, false, length)) {
    return false;
  }
  for (word32 done = 0; done < length;) {
    struct ow_request request = {
        .opcode = stream->opcode,
        .flags = OW_JOB_LOAD_STATE | OW_JOB_SAVE_STATE,
        .input = in + done,
        .length = length - done < OW_REQUEST_BYTES ? length - done : OW_REQUEST_BYTES,
        .state = &stream->context.bytes,
    };
    if (!ow_offload_run(offload, &request)) {
      return false;
    }
    done += request.length;
  }
  return true;
}

/* The common members of SHA-1 and SHA-2, with words of two sizes. */
struct view {
  void *digest, *buffer;
  /* of the digest: their number, and bytes of one */
  size_t words, size;
  word32 block, *held;
  uint64_t bytes;
};
#define VIEW_OF(hash, so_far)                                                                      \
  {.digest = (hash)->digest,                                                                       \
   .buffer = (hash)->buffer,                                                                       \
   .words = sizeof((hash)->digest) / sizeof((hash)->digest[0]),                                    \
   .size = sizeof((hash)->digest[0]),                                                              \
   .block = sizeof((hash)->buffer),                                                                \
   .held = &(hash)->buffLen,                                                                       \
   .bytes = (so_far)}

static bool sha(struct ow_offload *offload, uint8_t opcode, const struct view *view, const byte *in,
                word32 length) {
  struct stream stream = {.context = {.bytes = view->bytes, .partial = *view->held},
                          .opcode = opcode,
                          .block = view->block};
  if (*view->held >= view->block) {
    return false;
  }
  ow_put_words(stream.context.chain, view->digest, view->words, view->size);
  memcpy(stream.context.block, view->buffer, *view->held);
  bool good = run_piece(offload, &stream, in, length);
  if (good) {
    ow_get_words(view->digest, stream.context.chain, view->words, view->size);
    *view->held = (word32)stream.context.partial;
    memcpy(view->buffer, stream.context.block, *view->held);
  }
  explicit_bzero(&stream, sizeof(stream)); /* may be HMAC's */
  return good;
}

#define COUNTED(hash) ((uint64_t)(hash)->hiLen << 32 | (hash)->loLen)

#ifndef NO_SHA
static int sha1(struct ow_offload *offload, wc_Sha *hash, const byte *in, word32 length) {
  const struct view view = VIEW_OF(hash, COUNTED(hash));
  if (!sha(offload, OW_OP_SHA1, &view, in, length)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  hash->loLen += length;
  hash->hiLen += hash->loLen < length;
  return 0;
}
#endif

#ifndef NO_SHA256
/* SHA-256 and SHA-224. */
static int sha256(struct ow_offload *offload, wc_Sha256 *hash, uint8_t opcode, const byte *in,
                  word32 length) {
  const struct view view = VIEW_OF(hash, COUNTED(hash));
  if (!sha(offload, opcode, &view, in, length)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  hash->loLen += length;
  hash->hiLen += hash->loLen < length;
  return 0;
}
#endif

#if defined(WOLFSSL_SHA512) || defined(WOLFSSL_SHA384)
/* SHA-512 and SHA-384; also SHA-512/224 and SHA-512/256, which differ only in start and end. */
static int sha512(struct ow_offload *offload, wc_Sha512 *hash, uint8_t opcode, const byte *in,
                  word32 length) {
  const struct view view = VIEW_OF(hash, hash->loLen);
  if (!sha(offload, opcode, &view, in, length)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  hash->loLen += length;
  hash->hiLen += hash->loLen < length;
  return 0;
}
#endif

#ifdef OUTWORK_WOLFSSL_SHA3
/* The device's state of FIPS 202 already contains the bytes of a partial block. wolfSSL adds them
 * when the block is full, so zeros take their place in its buffer. */
static int sha3(struct ow_offload *offload, wc_Sha3 *hash, uint8_t opcode, const byte *in,
                word32 length) {
  struct stream stream = {.opcode = opcode, .block = ow_hash_block_len(opcode)};
  struct ow_hash_context *context = &stream.context;
  uint8_t *chain = context->chain, *rest = context->block;
  if (hash->i >= stream.block) {
    return CRYPTOCB_UNAVAILABLE;
  }
  context->bytes = context->partial = hash->i;
  for (unsigned i = 0; i < 200; i++) {
    uint64_t pending = i < hash->i ? hash->t[i] : 0;
    *(i < 64 ? &chain[i] : &rest[i - 64]) = (uint8_t)(hash->s[i / 8] >> 8 * (i % 8) ^ pending);
  }
  bool good = run_piece(offload, &stream, in, length);
  if (good) {
    memset(hash->s, 0, sizeof(hash->s));
    for (unsigned i = 0; i < 200; i++) {
      hash->s[i / 8] |= (word64)(i < 64 ? chain[i] : rest[i - 64]) << 8 * (i % 8);
    }
    hash->i = (word32)context->partial;
    memset(hash->t, 0, hash->i);
  }
  explicit_bzero(&stream, sizeof(stream));
  return good ? 0 : CRYPTOCB_UNAVAILABLE;
}
#endif

int ow_wolfssl_hash(struct ow_offload *offload, wc_CryptoInfo *info) {
  const byte *in = info->hash.in;
  word32 length = info->hash.inSz;
  if (in == NULL || length == 0 || info->hash.digest != NULL) {
    return CRYPTOCB_UNAVAILABLE; /* the end of the message */
  }
  switch (info->hash.type) {
#ifndef NO_SHA
  case WC_HASH_TYPE_SHA:
    return sha1(offload, info->hash.sha1, in, length);
#endif
#ifdef WOLFSSL_SHA224
  case WC_HASH_TYPE_SHA224:
    return sha256(offload, info->hash.sha224, OW_OP_SHA224, in, length);
#endif
#ifndef NO_SHA256
  case WC_HASH_TYPE_SHA256:
    return sha256(offload, info->hash.sha256, OW_OP_SHA256, in, length);
#endif
#ifdef WOLFSSL_SHA384
  case WC_HASH_TYPE_SHA384:
    return sha512(offload, info->hash.sha384, OW_OP_SHA384, in, length);
#endif
#ifdef WOLFSSL_SHA512
  case WC_HASH_TYPE_SHA512:
#ifndef WOLFSSL_NOSHA512_224
  case WC_HASH_TYPE_SHA512_224:
#endif
#ifndef WOLFSSL_NOSHA512_256
  case WC_HASH_TYPE_SHA512_256:
#endif
    return sha512(offload, info->hash.sha512, OW_OP_SHA512, in, length);
#endif
#ifdef OUTWORK_WOLFSSL_SHA3
  case WC_HASH_TYPE_SHA3_224:
    return sha3(offload, info->hash.sha3, OW_OP_SHA3_224, in, length);
  case WC_HASH_TYPE_SHA3_256:
    return sha3(offload, info->hash.sha3, OW_OP_SHA3_256, in, length);
  case WC_HASH_TYPE_SHA3_384:
    return sha3(offload, info->hash.sha3, OW_OP_SHA3_384, in, length);
  case WC_HASH_TYPE_SHA3_512:
    return sha3(offload, info->hash.sha3, OW_OP_SHA3_512, in, length);
#ifdef WOLFSSL_SHAKE128
  case WC_HASH_TYPE_SHAKE128:
    return sha3(offload, info->hash.sha3, OW_OP_SHAKE128, in, length);
#endif
#ifdef WOLFSSL_SHAKE256
  case WC_HASH_TYPE_SHAKE256:
    return sha3(offload, info->hash.sha3, OW_OP_SHAKE256, in, length);
#endif
#endif
  default:
    return CRYPTOCB_UNAVAILABLE;
  }
}
