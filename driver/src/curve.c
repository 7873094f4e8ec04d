/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Elliptic curves: points, keys, and ECDSA without hashing.
 */
#include "pka.h"

/* SP 800-186 3.2.1, SEC 2 2.4.1. */
static const uint8_t ow_order_p256[32] = {
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
static const uint8_t ow_order_p384[48] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xc7, 0x63, 0x4d, 0x81, 0xf4, 0x37, 0x2d, 0xdf,
    0x58, 0x1a, 0x0d, 0xb2, 0x48, 0xb0, 0xa7, 0x7a, 0xec, 0xec, 0x19, 0x6a, 0xcc, 0xc5, 0x29, 0x73};
static const uint8_t ow_order_p521[66] = {
    0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xfa, 0x51, 0x86, 0x87, 0x83, 0xbf, 0x2f, 0x96, 0x6b,
    0x7f, 0xcc, 0x01, 0x48, 0xf7, 0x09, 0xa5, 0xd0, 0x3b, 0xb5, 0xc9, 0xb8, 0x89, 0x9c,
    0x47, 0xae, 0xbb, 0x6f, 0xb7, 0x1e, 0x91, 0x38, 0x64, 0x09};
static const uint8_t ow_order_secp256k1[32] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41};

const uint8_t *ow_curve_order(enum ow_curve curve) {
  switch (curve) {
  case OW_CURVE_P256:
    return ow_order_p256;
  case OW_CURVE_P384:
    return ow_order_p384;
  case OW_CURVE_P521:
    return ow_order_p521;
  default:
    return ow_order_secp256k1;
  }
}

size_t ow_curve_bytes(enum ow_curve curve) {
  return curve == OW_CURVE_P384 ? 48u : curve == OW_CURVE_P521 ? 66u : 32u;
}

size_t ow_curve_blinding(enum ow_curve curve) {
  switch (curve) {
  case OW_CURVE_P256:
    return 8;
  case OW_CURVE_P384:
    return 24;
  case OW_CURVE_P521:
    return 32;
  default:
    return 16;
  }
}

static struct ow_pka_job ow_curve_job(struct ow_pka *pka, uint8_t opcode, enum ow_curve curve,
                                      const struct ow_ec_private *key) {
  struct ow_pka_job job = ow_pka_job_make(pka, opcode);
  if ((unsigned)curve > OW_CURVE_SECP256K1) {
    job.status = OW_BAD_ARGUMENT;
    return job;
  }
  ow_pka_job_length(&job, 1, (size_t)curve);
  if (key != NULL && key->slotted) {
    job.slotted = true;
    job.slot = key->slot;
    job.generation = key->generation;
  } else if (key != NULL) {
    ow_pka_job_key(&job, key->d, ow_curve_bytes(curve));
  }
  return job;
}

static void ow_curve_input(struct ow_pka_job *job, const uint8_t *bytes, size_t length) {
  ow_pka_job_input(job, (struct ow_number){bytes, length}, length);
}

/* Of a scalar, and of coordinates. */
static void ow_curve_random(struct ow_pka_job *job, enum ow_curve curve) {
  ow_pka_job_blinding(job, ow_curve_blinding(curve) + ow_curve_bytes(curve));
}

ow_status ow_ec_check(struct ow_pka *pka, enum ow_curve curve, const uint8_t *point) {
  struct ow_pka_job job = ow_curve_job(pka, OW_OP_EC_CHECK, curve, NULL);
  ow_pka_job_key(&job, (struct ow_number){point, 2u * ow_curve_bytes(curve)},
                 2u * ow_curve_bytes(curve));
  return ow_pka_job_run(&job, NULL);
}

ow_status ow_ec_public(struct ow_pka *pka, uint8_t *point, const struct ow_ec_private *key) {
  struct ow_pka_job job = ow_curve_job(pka, OW_OP_EC_PUBLIC, key->curve, key);
  ow_curve_random(&job, key->curve);
  job.output_len = 2u * ow_curve_bytes(key->curve);
  return ow_pka_job_run(&job, point);
}

ow_status ow_ec_multiply(struct ow_pka *pka, uint8_t *output, const struct ow_ec_private *key,
                         const uint8_t *point) {
  struct ow_pka_job job = ow_curve_job(pka, OW_OP_EC_MULTIPLY, key->curve, key);
  ow_curve_input(&job, point, 2u * ow_curve_bytes(key->curve));
  ow_curve_random(&job, key->curve);
  job.output_len = 2u * ow_curve_bytes(key->curve);
  return ow_pka_job_run(&job, output);
}

ow_status ow_ecdsa_sign_raw(struct ow_pka *pka, uint8_t *signature, const struct ow_ec_private *key,
                            const uint8_t *e, const uint8_t *k) {
  struct ow_pka_job job = ow_curve_job(pka, OW_OP_EC_SIGN, key->curve, key);
  size_t length = ow_curve_bytes(key->curve);
  if (key->slotted != (k == NULL)) {
    return OW_BAD_ARGUMENT;
  }
  ow_curve_input(&job, e, length);
  if (!key->slotted) {
    ow_curve_input(&job, k, length);
  }
  ow_curve_random(&job, key->curve);
  ow_pka_job_blinding(&job, length);
  job.output_len = 2u * length;
  return ow_pka_job_run(&job, signature);
}

ow_status ow_ecdsa_verify_raw(struct ow_pka *pka, enum ow_curve curve, const uint8_t *point,
                              const uint8_t *e, const uint8_t *signature) {
  struct ow_pka_job job = ow_curve_job(pka, OW_OP_EC_VERIFY, curve, NULL);
  size_t length = ow_curve_bytes(curve);
  ow_pka_job_key(&job, (struct ow_number){point, 2u * length}, 2u * length);
  ow_curve_input(&job, e, length);
  ow_curve_input(&job, signature, 2u * length);
  return ow_pka_job_run(&job, NULL);
}

uint32_t ow_scalar_in_range(const uint8_t *scalar, const uint8_t *order, size_t length) {
  uint32_t borrow = 0, any = 0;
  for (size_t i = length; i-- > 0;) {
    borrow = ((uint32_t)scalar[i] - order[i] - borrow) >> 31;
    any |= scalar[i];
  }
  return borrow & ((0u - any) >> 31);
}

ow_status ow_curve_scalar(struct ow_pka *pka, enum ow_curve curve, uint8_t *scalar) {
  const uint8_t *order = ow_curve_order(curve);
  size_t length = ow_curve_bytes(curve);
  ow_status status = OW_OK;
  /* FIPS 186-5 A.2.2 and A.3.2. The number of rejected candidates tells nothing about the accepted
   * one. */
  do {
    status = ow_pka_random(pka, scalar, length);
    scalar[0] &= curve == OW_CURVE_P521 ? 0x01u : 0xffu;
  } while (status == OW_OK && ow_scalar_in_range(scalar, order, length) == 0);
  return status;
}

ow_status ow_ec_generate(struct ow_pka *pka, enum ow_curve curve, uint8_t *d, uint8_t *point) {
  if ((unsigned)curve > OW_CURVE_SECP256K1) {
    return OW_BAD_ARGUMENT;
  }
  struct ow_ec_private key = {.curve = curve, .d = {d, ow_curve_bytes(curve)}};
  ow_status status = ow_curve_scalar(pka, curve, d);
  if (status == OW_OK) {
    status = ow_ec_public(pka, point, &key);
  }
  if (status != OW_OK) {
    ow_wipe(d, ow_curve_bytes(curve));
  }
  return status;
}

ow_status ow_ec_slot_load(struct ow_device *device, uint8_t slot,
                          const struct ow_key_properties *properties, bool sign,
                          enum ow_curve curve, const uint8_t *d) {
  if (properties == NULL || (unsigned)curve > OW_CURVE_SECP256K1 || curve == OW_CURVE_P521 ||
      d == NULL) {
    return OW_BAD_ARGUMENT;
  }
  const struct ow_key_properties owners = ow_pka_properties(properties);
  return ow_key_load_coded(device, slot, &owners, sign ? OW_OP_EC_SIGN : OW_OP_EC_MULTIPLY,
                           (uint32_t)curve, d, ow_curve_bytes(curve));
}
