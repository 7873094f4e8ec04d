/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Ed25519 (RFC 8032) of the fake device: points in extended coordinates. Ignores blinding.
 */
#include "fake_pka.h"

struct field {
  BN_CTX *ctx;
  /* 2^255 - 19, the order of the base point, and the curve's constant */
  BIGNUM *p, *order, *d;
};

struct point {
  BIGNUM *x, *y, *z, *t;
};

static struct point point_get(const struct field *field) {
  return (struct point){BN_CTX_get(field->ctx), BN_CTX_get(field->ctx), BN_CTX_get(field->ctx),
                        BN_CTX_get(field->ctx)};
}

/* The last is NULL if there is no memory. */
static BIGNUM *open_field(struct field *field, BN_CTX *ctx) {
  *field = (struct field){ctx, BN_CTX_get(ctx), BN_CTX_get(ctx), BN_CTX_get(ctx)};
  BN_one(field->p);
  BN_lshift(field->p, field->p, 255);
  BN_sub_word(field->p, 19);
  BN_hex2bn(&field->order, "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
  BN_hex2bn(&field->d, "52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3");
  return BN_CTX_get(ctx);
}

/* a = a + b (RFC 8032 5.1.4); complete, so that it doubles too. */
static void add(const struct field *field, const struct point *a, const struct point *b) {
  const BIGNUM *p = field->p;
  BN_CTX *ctx = field->ctx;
  BN_CTX_start(ctx);
  BIGNUM *w = BN_CTX_get(ctx), *v = BN_CTX_get(ctx), *c = BN_CTX_get(ctx), *e = BN_CTX_get(ctx);
  BIGNUM *h = BN_CTX_get(ctx), *u = BN_CTX_get(ctx);
  BN_mod_sub(w, a->y, a->x, p, ctx);
  BN_mod_sub(u, b->y, b->x, p, ctx);
  BN_mod_mul(w, w, u, p, ctx);
  BN_mod_add(v, a->y, a->x, p, ctx);
  BN_mod_add(u, b->y, b->x, p, ctx);
  BN_mod_mul(v, v, u, p, ctx);
  BN_mod_mul(c, a->t, b->t, p, ctx);
  BN_mod_mul(c, c, field->d, p, ctx);
  BN_mod_add(c, c, c, p, ctx);
  BN_mod_mul(u, a->z, b->z, p, ctx);
  BN_mod_add(u, u, u, p, ctx);
  BN_mod_sub(e, v, w, p, ctx);
  BN_mod_add(h, v, w, p, ctx);
  BN_mod_sub(w, u, c, p, ctx); /* F */
  BN_mod_add(v, u, c, p, ctx); /* G */
  BN_mod_mul(a->x, e, w, p, ctx);
  BN_mod_mul(a->y, v, h, p, ctx);
  BN_mod_mul(a->t, e, h, p, ctx);
  BN_mod_mul(a->z, w, v, p, ctx);
  BN_CTX_end(ctx);
}

/* Returns k a. */
static struct point multiply(const struct field *field, const BIGNUM *k, const struct point *a) {
  struct point result = point_get(field);
  BN_zero(result.x);
  BN_one(result.y);
  BN_one(result.z);
  BN_zero(result.t);
  for (int bit = BN_num_bits(k) - 1; bit >= 0; bit--) {
    add(field, &result, &result);
    if (BN_is_bit_set(k, bit)) {
      add(field, &result, a);
    }
  }
  return result;
}

/* Reads the number of an encoding (RFC 8032 5.1.3). False: it is no point. */
static bool decode(const struct field *field, struct point *point, const BIGNUM *encoded) {
  const BIGNUM *p = field->p;
  BN_CTX *ctx = field->ctx;
  *point = point_get(field);
  BN_copy(point->y, encoded);
  BN_mask_bits(point->y, 255);
  BN_sqr(point->x, point->y, ctx);
  BN_mod_mul(point->t, point->x, field->d, p, ctx);
  BN_add_word(point->t, 1);
  BN_sub_word(point->x, 1);
  BN_mod_inverse(point->t, point->t, p, ctx);
  BN_mod_mul(point->x, point->x, point->t, p, ctx);
  if (BN_cmp(point->y, p) >= 0 || BN_mod_sqrt(point->x, point->x, p, ctx) == NULL ||
      (BN_is_zero(point->x) && BN_is_bit_set(encoded, 255))) {
    return false;
  }
  if (BN_is_bit_set(point->x, 0) != BN_is_bit_set(encoded, 255)) {
    BN_sub(point->x, p, point->x);
  }
  BN_one(point->z);
  BN_mod_mul(point->t, point->x, point->y, p, ctx);
  return true;
}

/* Writes the encoding to `number`. */
static void encode(const struct field *field, BIGNUM *number, const struct point *point) {
  BN_mod_inverse(point->z, point->z, field->p, field->ctx);
  BN_mod_mul(point->x, point->x, point->z, field->p, field->ctx);
  BN_mod_mul(number, point->y, point->z, field->p, field->ctx);
  if (BN_is_bit_set(point->x, 0)) {
    BN_set_bit(number, 255);
  }
}

static struct point base(const struct field *field) {
  struct point point;
  BIGNUM *encoded = BN_CTX_get(field->ctx);
  BN_hex2bn(&encoded, "6666666666666666666666666666666666666666666666666666666666666658");
  (void)decode(field, &point, encoded);
  return point;
}

static BIGNUM *number(const struct field *field, const uint8_t *bytes, int length) {
  return BN_bin2bn(bytes, length, BN_CTX_get(field->ctx));
}

static unsigned public_key(struct fake_pka_job *job, const struct field *field) {
  struct point point = base(field);
  BIGNUM *s = number(field, job->key, 64);
  if (job->key_len != 64 || job->input_len != 40) {
    return OW_DEVICE_BAD_OPERAND;
  }
  BN_nnmod(s, s, field->order, field->ctx);
  point = multiply(field, s, &point);
  encode(field, s, &point);
  BN_bn2binpad(s, job->output, 32);
  job->output_len = 32;
  return OW_DEVICE_OK;
}

static unsigned sign(struct fake_pka_job *job, const struct field *field) {
  if (job->key_len != 96 || job->input_len != 96) {
    return OW_DEVICE_BAD_OPERAND;
  }
  BIGNUM *a = number(field, job->key, 32), *r = number(field, job->key + 32, 64);
  BN_mod_mul(a, a, number(field, job->input, 64), field->order, field->ctx);
  BN_nnmod(r, r, field->order, field->ctx);
  BN_mod_add(a, a, r, field->order, field->ctx);
  BN_bn2binpad(a, job->output, 32);
  job->output_len = 32;
  return OW_DEVICE_OK;
}

static unsigned verify(const struct fake_pka_job *job, const struct field *field) {
  struct point key, sum = base(field);
  if (job->key_len != 32 || job->input_len != 128 ||
      !decode(field, &key, number(field, job->key, 32))) {
    return OW_DEVICE_BAD_OPERAND;
  }
  BIGNUM *s = number(field, job->input + 32, 32), *h = number(field, job->input + 64, 64);
  if (BN_cmp(s, field->order) >= 0) {
    return OW_DEVICE_AUTH_FAILED;
  }
  BN_nnmod(h, h, field->order, field->ctx);
  BN_sub(key.x, field->p, key.x); /* -A */
  BN_sub(key.t, field->p, key.t);
  key = multiply(field, h, &key);
  sum = multiply(field, s, &sum);
  add(field, &sum, &key);
  encode(field, h, &sum);
  return BN_cmp(h, number(field, job->input, 32)) == 0 ? OW_DEVICE_OK : OW_DEVICE_AUTH_FAILED;
}

unsigned fake_ed25519(struct fake_pka_job *job, BN_CTX *ctx) {
  struct field field;
  if (open_field(&field, ctx) == NULL) {
    return OW_DEVICE_FAULT;
  }
  return job->opcode == OW_OP_ED25519_PUBLIC ? public_key(job, &field)
         : job->opcode == OW_OP_ED25519_SIGN ? sign(job, &field)
                                             : verify(job, &field);
}
