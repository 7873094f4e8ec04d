/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Ed25519 (RFC 8032, FIPS 186-5 7): the hash engine hashes, the public-key engine does the rest.
 */
#include "outwork/curve25519.h"
#include "pka.h"
#include "sha.h"

enum { OW_ED25519_HASH = 64 };

/* Bytes before a message, in the order in which they are hashed. */
struct ow_ed25519_head {
  size_t length;
  uint8_t bytes[34u + OW_ED25519_CONTEXT_MAX + 2u * OW_ED25519_KEY_BYTES];
};
OW_STATIC_ASSERT(sizeof(((struct ow_ed25519_head *)0)->bytes) <= OW_PKA_INPUT_BYTES, "ed25519");

static void ow_ed25519_append(struct ow_ed25519_head *head, const uint8_t *bytes, size_t length) {
  ow_copy(head->bytes + head->length, bytes, length);
  head->length += length;
}

/* dom2 (RFC 8032 2). */
static void ow_ed25519_begin(struct ow_ed25519_head *head,
                             const struct ow_ed25519_context *context) {
  static const char domain[] = "SigEd25519 no Ed25519 collisions";
  head->length = 0;
  if (context != NULL) {
    const uint8_t sizes[2] = {context->hashed ? 1u : 0u, (uint8_t)context->length};
    ow_ed25519_append(head, (const uint8_t *)domain, sizeof(domain) - 1u);
    ow_ed25519_append(head, sizes, sizeof(sizes));
    ow_ed25519_append(head, context->bytes, context->length);
  }
}

/* Hashes the head and the message on the device. The digest is in the engine's order of bytes. */
static ow_status ow_ed25519_hash(struct ow_pka *pka, uint8_t digest[OW_ED25519_HASH],
                                 const struct ow_ed25519_head *head, const void *message,
                                 size_t message_len) {
  if (message_len > OW_JOB_LENGTH_MAX - sizeof(head->bytes)) {
    return OW_UNSUPPORTED;
  }
  ow_copy(pka->input, head->bytes, head->length);
  const struct ow_piece pieces[2] = {{pka->input, (uint32_t)head->length},
                                     {(void *)(uintptr_t)message, (uint32_t)message_len}};
  struct ow_job job = {
      .opcode = OW_OP_SHA512,
      .tag_len = OW_ED25519_HASH,
      .length = (uint32_t)(head->length + message_len),
      .source_pieces = pieces,
      .source_pieces_len = message_len != 0 ? 2u : 1u,
  };
  ow_status status = ow_pka_run(pka, &job);
  if (status == OW_OK) {
    ow_reverse(digest, job.tag, OW_ED25519_HASH);
  }
  ow_wipe(job.tag, sizeof(job.tag));
  ow_wipe(pka->input, head->length);
  return status;
}

/* Returns where the hash of a message is kept: behind all that jobs use of this memory. */
static uint8_t *ow_ed25519_digest(struct ow_pka *pka) {
  return pka->key + sizeof(pka->key) - OW_ED25519_HASH;
}

/* What is signed: the message, or for Ed25519ph its hash, which is written to `digest`. */
struct ow_ed25519_text {
  const void *bytes;
  size_t length;
};

static ow_status ow_ed25519_text(struct ow_pka *pka, struct ow_ed25519_text *text,
                                 const struct ow_ed25519_context *context, const void *message,
                                 size_t message_len) {
  *text = (struct ow_ed25519_text){message, message_len};
  if (pka == NULL || pka->queue == NULL || (message == NULL && message_len != 0)) {
    return OW_BAD_ARGUMENT;
  }
  if (context == NULL) {
    return OW_OK;
  }
  if (context->length > OW_ED25519_CONTEXT_MAX ||
      (context->bytes == NULL && context->length != 0) ||
      (!context->hashed && context->length == 0)) {
    return OW_BAD_ARGUMENT;
  }
  if (!context->hashed) {
    return OW_OK;
  }
  uint8_t *digest = ow_ed25519_digest(pka);
  struct ow_job job = {.opcode = OW_OP_SHA512,
                       .tag_len = OW_ED25519_HASH,
                       .length = (uint32_t)message_len,
                       .source = message};
  if (message_len > OW_JOB_LENGTH_MAX) {
    return OW_UNSUPPORTED;
  }
  ow_status status = ow_pka_run(pka, &job);
  ow_copy(digest, job.tag, OW_ED25519_HASH);
  *text = (struct ow_ed25519_text){digest, OW_ED25519_HASH};
  return status;
}

/* Computes the point s B, encoded; s has `length` bytes in the engine's order. */
static ow_status ow_ed25519_point(struct ow_pka *pka, uint8_t point[OW_ED25519_KEY_BYTES],
                                  const uint8_t *s, size_t length) {
  uint8_t number[OW_ED25519_KEY_BYTES];
  struct ow_pka_job job = ow_pka_job_make(pka, OW_OP_ED25519_PUBLIC);
  ow_pka_job_key(&job, (struct ow_number){s, length}, OW_ED25519_HASH);
  ow_pka_job_blinding(&job, 8u + OW_ED25519_KEY_BYTES);
  job.output_len = OW_ED25519_KEY_BYTES;
  ow_status status = ow_pka_job_run(&job, number);
  if (status == OW_OK) {
    ow_reverse(point, number, OW_ED25519_KEY_BYTES);
  }
  return status;
}

/* Computes the secret parts of a key (RFC 8032 5.1.5). */
static void ow_ed25519_expand(struct ow_ed25519_private *key,
                              const uint8_t seed[OW_ED25519_KEY_BYTES]) {
  uint8_t expanded[OW_ED25519_HASH];
  const struct ow_number part = {seed, OW_ED25519_KEY_BYTES};
  ow_hash_parts(OW_OP_SHA512, expanded, &part, 1);
  expanded[0] &= 0xf8u;
  expanded[31] = (uint8_t)((expanded[31] & 0x7fu) | 0x40u);
  ow_copy(key->scalar, expanded, OW_ED25519_KEY_BYTES);
  ow_copy(key->prefix, expanded + OW_ED25519_KEY_BYTES, OW_ED25519_KEY_BYTES);
  ow_wipe(expanded, sizeof(expanded));
}

ow_status ow_ed25519_load(struct ow_pka *pka, struct ow_ed25519_private *key,
                          const uint8_t seed[OW_ED25519_KEY_BYTES]) {
  uint8_t number[OW_ED25519_KEY_BYTES];
  if (pka == NULL || key == NULL || seed == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_ed25519_expand(key, seed);
  ow_reverse(number, key->scalar, OW_ED25519_KEY_BYTES);
  ow_status status = ow_ed25519_point(pka, key->point, number, sizeof(number));
  ow_wipe(number, sizeof(number));
  if (status != OW_OK) {
    ow_wipe(key, sizeof(*key));
  }
  return status;
}

ow_status ow_ed25519_load_pair(struct ow_ed25519_private *key,
                               const uint8_t seed[OW_ED25519_KEY_BYTES],
                               const uint8_t point[OW_ED25519_KEY_BYTES]) {
  if (key == NULL || seed == NULL || point == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_ed25519_expand(key, seed);
  ow_copy(key->point, point, OW_ED25519_KEY_BYTES);
  return OW_OK;
}

ow_status ow_ed25519_generate(struct ow_pka *pka, struct ow_ed25519_private *key,
                              uint8_t seed[OW_ED25519_KEY_BYTES]) {
  if (pka == NULL || seed == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_pka_random(pka, seed, OW_ED25519_KEY_BYTES);
  if (status == OW_OK) {
    status = ow_ed25519_load(pka, key, seed);
  }
  if (status != OW_OK) {
    ow_wipe(seed, OW_ED25519_KEY_BYTES);
  }
  return status;
}

/* h of a signature, whose first half is R. */
static ow_status ow_ed25519_challenge(struct ow_pka *pka, uint8_t h[OW_ED25519_HASH],
                                      const struct ow_ed25519_context *context,
                                      const uint8_t *signature, const uint8_t *key,
                                      const struct ow_ed25519_text *text) {
  struct ow_ed25519_head head;
  ow_ed25519_begin(&head, context);
  ow_ed25519_append(&head, signature, OW_ED25519_KEY_BYTES);
  ow_ed25519_append(&head, key, OW_ED25519_KEY_BYTES);
  return ow_ed25519_hash(pka, h, &head, text->bytes, text->length);
}

/* S of a signature, whose first half is R. */
static ow_status ow_ed25519_finish(struct ow_pka *pka,
                                   uint8_t signature[OW_ED25519_SIGNATURE_BYTES],
                                   const struct ow_ed25519_private *key,
                                   const uint8_t r[OW_ED25519_HASH],
                                   const uint8_t h[OW_ED25519_HASH]) {
  uint8_t number[OW_ED25519_KEY_BYTES];
  const struct ow_number scalar = {number, sizeof(number)};
  struct ow_pka_job job = ow_pka_job_make(pka, OW_OP_ED25519_SIGN);
  ow_reverse(number, key->scalar, sizeof(number));
  ow_pka_job_key(&job, scalar, sizeof(number));
  ow_pka_job_key(&job, (struct ow_number){r, OW_ED25519_HASH}, OW_ED25519_HASH);
  ow_pka_job_input(&job, (struct ow_number){h, OW_ED25519_HASH}, OW_ED25519_HASH);
  ow_pka_job_blinding(&job, OW_ED25519_KEY_BYTES);
  job.output_len = OW_ED25519_KEY_BYTES;
  ow_status status = ow_pka_job_run(&job, number);
  if (status == OW_OK) {
    ow_reverse(signature + OW_ED25519_KEY_BYTES, number, OW_ED25519_KEY_BYTES);
  }
  ow_wipe(number, sizeof(number));
  return status;
}

ow_status ow_ed25519_sign(struct ow_pka *pka, uint8_t signature[OW_ED25519_SIGNATURE_BYTES],
                          const struct ow_ed25519_private *key,
                          const struct ow_ed25519_context *context, const void *message,
                          size_t message_len) {
  struct ow_ed25519_head head;
  struct ow_ed25519_text text;
  uint8_t r[OW_ED25519_HASH], h[OW_ED25519_HASH], made[OW_ED25519_SIGNATURE_BYTES];
  if (key == NULL || signature == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_ed25519_text(pka, &text, context, message, message_len);
  if (status == OW_OK) {
    ow_ed25519_begin(&head, context);
    ow_ed25519_append(&head, key->prefix, OW_ED25519_KEY_BYTES);
    status = ow_ed25519_hash(pka, r, &head, text.bytes, text.length);
    ow_wipe(&head, sizeof(head));
  }
  if (status == OW_OK) {
    status = ow_ed25519_point(pka, made, r, sizeof(r));
  }
  if (status == OW_OK) {
    status = ow_ed25519_challenge(pka, h, context, made, key->point, &text);
  }
  if (status == OW_OK) {
    status = ow_ed25519_finish(pka, made, key, r, h);
  }
  if (status == OW_OK) {
    ow_copy(signature, made, sizeof(made));
  }
  ow_wipe(r, sizeof(r));
  if (text.bytes != message) {
    ow_wipe(ow_ed25519_digest(pka), OW_ED25519_HASH);
  }
  return status;
}

ow_status ow_ed25519_verify(struct ow_pka *pka, const uint8_t key[OW_ED25519_KEY_BYTES],
                            const struct ow_ed25519_context *context, const void *message,
                            size_t message_len,
                            const uint8_t signature[OW_ED25519_SIGNATURE_BYTES]) {
  struct ow_ed25519_text text;
  uint8_t h[OW_ED25519_HASH], number[OW_ED25519_KEY_BYTES];
  const struct ow_number whole = {number, sizeof(number)};
  if (key == NULL || signature == NULL) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_ed25519_text(pka, &text, context, message, message_len);
  if (status == OW_OK) {
    status = ow_ed25519_challenge(pka, h, context, signature, key, &text);
  }
  if (text.bytes != message) {
    ow_wipe(ow_ed25519_digest(pka), OW_ED25519_HASH);
  }
  if (status != OW_OK) {
    return status;
  }
  struct ow_pka_job job = ow_pka_job_make(pka, OW_OP_ED25519_VERIFY);
  ow_reverse(number, key, sizeof(number));
  ow_pka_job_key(&job, whole, sizeof(number));
  for (unsigned half = 0; half < 2u; half++) {
    ow_reverse(number, signature + half * OW_ED25519_KEY_BYTES, sizeof(number));
    ow_pka_job_input(&job, whole, sizeof(number));
  }
  ow_pka_job_input(&job, (struct ow_number){h, sizeof(h)}, sizeof(h));
  return ow_pka_job_run(&job, NULL);
}
