/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device's public-key engine: every opcode, with keys in the job. Ignores blinding;
 * refuses what the device refuses.
 */
#include "fake_pka.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <string.h>

/* The bytes of a key or an input that have not been read yet. */
struct source {
  const uint8_t *bytes;
  size_t left;
};

/* Reads bytes. Returns NULL if there are not enough. */
static BIGNUM *take(BN_CTX *ctx, struct source *source, size_t length) {
  BIGNUM *number = BN_CTX_get(ctx);
  if (length > source->left || number == NULL) {
    return NULL;
  }
  BN_bin2bn(source->bytes, (int)length, number);
  source->bytes += length;
  source->left -= length;
  return number;
}

static size_t parameter(const struct fake_pka_job *job, unsigned index) {
  return job->parameters[2 * index] | (size_t)job->parameters[2 * index + 1] << 8;
}

/* Reads the next number of a key, which must have exactly the stated bits. */
static BIGNUM *take_stated(BN_CTX *ctx, struct source *key, const struct fake_pka_job *job,
                           unsigned index) {
  size_t bits = parameter(job, index);
  BIGNUM *number = take(ctx, key, (bits + 7) / 8);
  return number != NULL && (size_t)BN_num_bits(number) == bits ? number : NULL;
}

static void put(struct fake_pka_job *job, const BIGNUM *number, size_t length) {
  BN_bn2binpad(number, job->output + job->output_len, (int)length);
  job->output_len += length;
}

static unsigned rsa_public(struct fake_pka_job *job, BN_CTX *ctx) {
  struct source key = {job->key, job->key_len}, input = {job->input, job->input_len};
  size_t length = (parameter(job, 0) + 7) / 8;
  BIGNUM *n = take_stated(ctx, &key, job, 0), *e = take_stated(ctx, &key, job, 1);
  BIGNUM *x = take(ctx, &input, length);
  if (n == NULL || e == NULL || x == NULL || key.left != 0 || input.left != 0 || !BN_is_odd(n) ||
      BN_cmp(x, n) >= 0) {
    return OW_DEVICE_BAD_OPERAND;
  }
  BN_mod_exp(x, x, e, n, ctx);
  put(job, x, length);
  return OW_DEVICE_OK;
}

static unsigned rsa_private(struct fake_pka_job *job, BN_CTX *ctx) {
  struct source key = {job->key, job->key_len}, input = {job->input, job->input_len};
  size_t length = (parameter(job, 0) + 7) / 8;
  size_t p_len = (parameter(job, 2) + 7) / 8, q_len = (parameter(job, 3) + 7) / 8;
  BIGNUM *n = take_stated(ctx, &key, job, 0), *e = take_stated(ctx, &key, job, 1);
  BIGNUM *p = take_stated(ctx, &key, job, 2), *q = take_stated(ctx, &key, job, 3);
  BIGNUM *dp = take(ctx, &key, p_len), *dq = take(ctx, &key, q_len), *qinv = take(ctx, &key, p_len);
  BIGNUM *x = take(ctx, &input, length), *m = BN_CTX_get(ctx), *check = BN_CTX_get(ctx);
  if (n == NULL || e == NULL || p == NULL || q == NULL || dp == NULL || dq == NULL ||
      qinv == NULL || x == NULL || check == NULL || key.left != 0 || input.left != 42 ||
      !BN_is_odd(n) || !BN_is_odd(p) || !BN_is_odd(q) || BN_cmp(x, n) >= 0) {
    return OW_DEVICE_BAD_OPERAND;
  }
  BN_mod_exp(m, x, dp, p, ctx);     /* m1 */
  BN_mod_exp(check, x, dq, q, ctx); /* m2 */
  BN_mod_sub(m, m, check, p, ctx);
  BN_mod_mul(m, m, qinv, p, ctx);
  BN_mul(m, m, q, ctx);
  BN_add(m, m, check);
  BN_mod_exp(check, m, e, n, ctx);
  if (BN_cmp(check, x) != 0) {
    return OW_DEVICE_FAULT;
  }
  put(job, m, length);
  return OW_DEVICE_OK;
}

struct curve {
  EC_GROUP *group;
  const BIGNUM *order;
  size_t bytes, blinding;
};

static EC_POINT *take_point(BN_CTX *ctx, struct source *source, const struct curve *curve) {
  BIGNUM *x = take(ctx, source, curve->bytes), *y = take(ctx, source, curve->bytes);
  EC_POINT *point = EC_POINT_new(curve->group);
  if (x == NULL || y == NULL || !EC_POINT_set_affine_coordinates(curve->group, point, x, y, ctx)) {
    EC_POINT_free(point);
    return NULL;
  }
  return point;
}

static BIGNUM *take_scalar(BN_CTX *ctx, struct source *source, const struct curve *curve) {
  BIGNUM *scalar = take(ctx, source, curve->bytes);
  return scalar != NULL && !BN_is_zero(scalar) && BN_cmp(scalar, curve->order) < 0 ? scalar : NULL;
}

/* Computes k P, or k G if the job has no point. */
static unsigned multiply(struct fake_pka_job *job, BN_CTX *ctx, const struct curve *curve) {
  struct source key = {job->key, job->key_len}, input = {job->input, job->input_len};
  BIGNUM *k = take_scalar(ctx, &key, curve), *x = BN_CTX_get(ctx), *y = BN_CTX_get(ctx);
  EC_POINT *point = NULL, *result = EC_POINT_new(curve->group);
  unsigned status = OW_DEVICE_BAD_OPERAND;
  bool has_point = job->opcode == OW_OP_EC_MULTIPLY;
  if (has_point) {
    point = take_point(ctx, &input, curve);
  }
  if (k != NULL && has_point == (point != NULL) && input.left == curve->blinding + curve->bytes &&
      EC_POINT_mul(curve->group, result, has_point ? NULL : k, point, has_point ? k : NULL, ctx) &&
      EC_POINT_get_affine_coordinates(curve->group, result, x, y, ctx)) {
    put(job, x, curve->bytes);
    put(job, y, curve->bytes);
    status = OW_DEVICE_OK;
  }
  EC_POINT_free(point);
  EC_POINT_free(result);
  return status;
}

/* FIPS 186-5 6.4.1. */
static unsigned sign(struct fake_pka_job *job, BN_CTX *ctx, const struct curve *curve) {
  struct source key = {job->key, job->key_len}, input = {job->input, job->input_len};
  BIGNUM *d = take_scalar(ctx, &key, curve), *e = take(ctx, &input, curve->bytes);
  BIGNUM *k = take_scalar(ctx, &input, curve), *r = BN_CTX_get(ctx), *s = BN_CTX_get(ctx);
  EC_POINT *point = EC_POINT_new(curve->group);
  unsigned status = OW_DEVICE_BAD_OPERAND;
  if (d != NULL && e != NULL && k != NULL && BN_cmp(e, curve->order) < 0 &&
      input.left == curve->blinding + 2 * curve->bytes &&
      EC_POINT_mul(curve->group, point, k, NULL, NULL, ctx) &&
      EC_POINT_get_affine_coordinates(curve->group, point, r, NULL, ctx)) {
    BN_nnmod(r, r, curve->order, ctx);
    BN_mod_mul(s, r, d, curve->order, ctx);
    BN_mod_add(s, s, e, curve->order, ctx);
    BN_mod_inverse(k, k, curve->order, ctx);
    BN_mod_mul(s, s, k, curve->order, ctx);
    put(job, r, curve->bytes);
    put(job, s, curve->bytes);
    status = OW_DEVICE_OK;
  }
  EC_POINT_free(point);
  return status;
}

/* FIPS 186-5 6.4.2. */
static unsigned verify(struct fake_pka_job *job, BN_CTX *ctx, const struct curve *curve) {
  struct source key = {job->key, job->key_len}, input = {job->input, job->input_len};
  EC_POINT *point = take_point(ctx, &key, curve), *sum = EC_POINT_new(curve->group);
  BIGNUM *e = take(ctx, &input, curve->bytes), *u = BN_CTX_get(ctx), *x = BN_CTX_get(ctx);
  unsigned status = OW_DEVICE_BAD_OPERAND;
  if (point != NULL && e != NULL && input.left == 2 * curve->bytes) {
    BIGNUM *r = take_scalar(ctx, &input, curve);
    BIGNUM *s = r != NULL ? take_scalar(ctx, &input, curve) : NULL;
    status = OW_DEVICE_AUTH_FAILED;
    if (s != NULL) {
      BN_mod_inverse(s, s, curve->order, ctx);
      BN_mod_mul(u, e, s, curve->order, ctx);
      BN_mod_mul(s, r, s, curve->order, ctx);
      if (EC_POINT_mul(curve->group, sum, u, point, s, ctx) &&
          EC_POINT_get_affine_coordinates(curve->group, sum, x, NULL, ctx)) {
        BN_nnmod(x, x, curve->order, ctx);
        status = BN_cmp(x, r) == 0 ? OW_DEVICE_OK : OW_DEVICE_AUTH_FAILED;
      }
    }
  }
  EC_POINT_free(point);
  EC_POINT_free(sum);
  return status;
}

static unsigned check(struct fake_pka_job *job, BN_CTX *ctx, const struct curve *curve) {
  struct source key = {job->key, job->key_len};
  EC_POINT *point = take_point(ctx, &key, curve);
  EC_POINT_free(point);
  return point != NULL ? OW_DEVICE_OK : OW_DEVICE_BAD_OPERAND;
}

static unsigned on_curve(struct fake_pka_job *job, BN_CTX *ctx) {
  static const int names[] = {NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1, NID_secp256k1};
  static const size_t blinding[] = {8, 24, 32, 16};
  size_t number = parameter(job, 1);
  if (number > OW_CURVE_SECP256K1) {
    return OW_DEVICE_BAD_OPERAND;
  }
  struct curve curve = {.group = EC_GROUP_new_by_curve_name(names[number]),
                        .blinding = blinding[number]};
  curve.order = EC_GROUP_get0_order(curve.group);
  curve.bytes = ((size_t)BN_num_bits(curve.order) + 7) / 8;
  unsigned status = job->opcode == OW_OP_EC_SIGN     ? sign(job, ctx, &curve)
                    : job->opcode == OW_OP_EC_VERIFY ? verify(job, ctx, &curve)
                    : job->opcode == OW_OP_EC_CHECK  ? check(job, ctx, &curve)
                                                     : multiply(job, ctx, &curve);
  EC_GROUP_free(curve.group);
  return status;
}

/* x_3, z_3 = the sum of two points with the difference x_1, then x_2, z_2 = the double of the first
 * (RFC 7748 5). */
static void rung(BIGNUM *const x[2], BIGNUM *const z[2], const BIGNUM *x_1, const BIGNUM *p,
                 BN_CTX *ctx) {
  BN_CTX_start(ctx);
  BIGNUM *a = BN_CTX_get(ctx), *b = BN_CTX_get(ctx), *da = BN_CTX_get(ctx), *cb = BN_CTX_get(ctx);
  BN_mod_add(a, x[0], z[0], p, ctx);
  BN_mod_sub(b, x[0], z[0], p, ctx);
  BN_mod_sub(da, x[1], z[1], p, ctx);
  BN_mod_mul(da, da, a, p, ctx);
  BN_mod_add(cb, x[1], z[1], p, ctx);
  BN_mod_mul(cb, cb, b, p, ctx);
  BN_mod_add(x[1], da, cb, p, ctx);
  BN_mod_sqr(x[1], x[1], p, ctx);
  BN_mod_sub(z[1], da, cb, p, ctx);
  BN_mod_sqr(z[1], z[1], p, ctx);
  BN_mod_mul(z[1], z[1], x_1, p, ctx);
  BN_mod_sqr(a, a, p, ctx);
  BN_mod_sqr(b, b, p, ctx);
  BN_mod_mul(x[0], a, b, p, ctx);
  BN_mod_sub(b, a, b, p, ctx);
  BN_copy(z[0], b);
  BN_mul_word(z[0], 121665);
  BN_mod_add(z[0], z[0], a, p, ctx);
  BN_mod_mul(z[0], z[0], b, p, ctx);
  BN_CTX_end(ctx);
}

/* libcrypto's X25519 cannot be called here: it may be the provider's, which waits for this job. */
static unsigned x25519(struct fake_pka_job *job, BN_CTX *ctx) {
  struct source key = {job->key, job->key_len}, input = {job->input, job->input_len};
  BIGNUM *k = take(ctx, &key, 32), *u = take(ctx, &input, 32), *p = BN_CTX_get(ctx);
  BIGNUM *x[2] = {BN_CTX_get(ctx), BN_CTX_get(ctx)}, *z[2] = {BN_CTX_get(ctx), BN_CTX_get(ctx)};
  if (k == NULL || u == NULL || z[1] == NULL || key.left != 0 || input.left != 32) {
    return OW_DEVICE_BAD_OPERAND;
  }
  BN_one(p);
  BN_lshift(p, p, 255);
  BN_sub_word(p, 19);
  BN_mask_bits(u, 255);
  BN_nnmod(u, u, p, ctx);
  BN_one(x[0]);
  BN_zero(z[0]);
  BN_copy(x[1], u);
  BN_one(z[1]);
  for (int bit = 254; bit >= 0; bit--) {
    int one = bit == 254 || (bit > 2 && BN_is_bit_set(k, bit));
    BIGNUM *xs[2] = {x[one], x[!one]}, *zs[2] = {z[one], z[!one]};
    rung(xs, zs, u, p, ctx);
  }
  if (BN_is_zero(z[0]) || BN_is_zero(x[0])) {
    return OW_DEVICE_BAD_OPERAND;
  }
  BN_mod_inverse(z[0], z[0], p, ctx);
  BN_mod_mul(x[0], x[0], z[0], p, ctx);
  put(job, x[0], 32);
  return OW_DEVICE_OK;
}

static unsigned run(struct fake_pka_job *job) {
  BN_CTX *ctx = BN_CTX_new();
  unsigned status = OW_DEVICE_BAD_OPCODE;
  BN_CTX_start(ctx);
  if (job->opcode == OW_OP_RSA_PUBLIC) {
    status = rsa_public(job, ctx);
  } else if (job->opcode == OW_OP_RSA_PRIVATE) {
    status = rsa_private(job, ctx);
  } else if (job->opcode >= OW_OP_EC_MULTIPLY && job->opcode <= OW_OP_EC_VERIFY) {
    status = on_curve(job, ctx);
  } else if (job->opcode == OW_OP_X25519) {
    status = x25519(job, ctx);
  } else if (job->opcode >= OW_OP_ED25519_PUBLIC && job->opcode <= OW_OP_ED25519_VERIFY) {
    status = fake_ed25519(job, ctx);
  }
  BN_CTX_end(ctx);
  BN_CTX_free(ctx);
  return status;
}

void fake_pka_fit(struct fake_device *fake) {
  uint32_t opcodes =
      0x1fffu & ~(1u << (OW_OP_MODEXP - OW_OP_MODEXP)) & ~(1u << (OW_OP_RSA_LOAD - OW_OP_MODEXP));
  fake->registers[OW_GLOBAL_ENGINES_OFFSET / 4] |= 1u << OW_ENGINE_PKA;
  fake->registers[OW_GLOBAL_PKA_OFFSET / 4] = opcodes << OW_GLOBAL_PKA_OPERATIONS_SHIFT |
                                              0xfu << OW_GLOBAL_PKA_CURVES_SHIFT |
                                              1u << OW_GLOBAL_PKA_VERSION_SHIFT;
  fake->pka = run;
}
