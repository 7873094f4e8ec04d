/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA without padding: RSAEP and RSADP (RFC 8017 5.1). wolfSSL does the padding.
 */
#include "families.h"

#if !defined(NO_RSA) && defined(OUTWORK_WOLFSSL_NUMBERS)

enum { N, E, P, Q, DP, DQ, QINV, NUMBERS, PRIME = OW_RSA_BYTES_MAX / 2 + 8 };

struct operation {
  bool private;
  struct ow_number numbers[NUMBERS];
  uint8_t n[OW_RSA_BYTES_MAX], e[OW_RSA_BYTES_MAX], crt[NUMBERS][PRIME];
  uint8_t input[OW_RSA_BYTES_MAX], output[OW_RSA_BYTES_MAX];
};

/* Reads a number. False: it is zero, or too long. */
static bool read_number(struct ow_number *number, uint8_t *bytes, size_t room, mp_int *value) {
  int length = mp_unsigned_bin_size(value);
  if (length <= 0 || (size_t)length > room ||
      mp_to_unsigned_bin_len(value, bytes, length) != MP_OKAY) {
    return false;
  }
  *number = (struct ow_number){bytes, (size_t)length};
  return true;
}

static bool get_key(struct operation *operation, RsaKey *key) {
  struct ow_number *numbers = operation->numbers;
  if (!read_number(&numbers[N], operation->n, sizeof(operation->n), &key->n) ||
      !read_number(&numbers[E], operation->e, sizeof(operation->e), &key->e)) {
    return false;
  }
#ifndef WOLFSSL_RSA_PUBLIC_ONLY
  if (operation->private) {
    mp_int *const values[NUMBERS] = {
        [P] = &key->p, [Q] = &key->q, [DP] = &key->dP, [DQ] = &key->dQ, [QINV] = &key->u};
    for (unsigned i = P; i < NUMBERS; i++) {
      if (!read_number(&numbers[i], operation->crt[i], sizeof(operation->crt[i]), values[i])) {
        return false;
      }
    }
  }
#endif
  return true;
}

static ow_status operate(struct ow_pka *pka, void *user) {
  struct operation *operation = user;
  const struct ow_number *numbers = operation->numbers;
  if (!operation->private) {
    const struct ow_rsa_public key = {.n = numbers[N], .e = numbers[E]};
    return ow_rsa_public_raw(pka, operation->output, &key, operation->input);
  }
  const struct ow_rsa_private key = {.n = numbers[N],
                                     .e = numbers[E],
                                     .p = numbers[P],
                                     .q = numbers[Q],
                                     .dp = numbers[DP],
                                     .dq = numbers[DQ],
                                     .qinv = numbers[QINV]};
  return ow_rsa_private_raw(pka, operation->output, &key, operation->input);
}

/* Returns whether the input is 0, 1 or n - 1, which wolfSSL decrypts and verifies never (SP 800-56B
 * 7.1.2); or another number next to n. */
static bool is_extreme(const struct operation *operation, word32 bytes) {
  const uint8_t *input = operation->input;
  uint8_t any = 0;
  for (word32 i = 0; i < bytes - 1; i++) {
    any |= input[i];
  }
  return (any == 0 && input[bytes - 1] <= 1) || memcmp(input, operation->n, bytes - 1) == 0;
}

int ow_wolfssl_rsa(struct ow_offload *offload, wc_CryptoInfo *info) {
  int type = info->pk.rsa.type, result = CRYPTOCB_UNAVAILABLE;
  word32 in_len = info->pk.rsa.inLen;
  struct operation operation = {.private =
                                    type == RSA_PRIVATE_ENCRYPT || type == RSA_PRIVATE_DECRYPT};
  bool decrypts = type == RSA_PRIVATE_DECRYPT || type == RSA_PUBLIC_DECRYPT;
  uint8_t opcode = operation.private ? OW_OP_RSA_PRIVATE : OW_OP_RSA_PUBLIC;
  word32 bytes = (word32)mp_unsigned_bin_size(&info->pk.rsa.key->n);
  if ((!operation.private && type != RSA_PUBLIC_ENCRYPT && type != RSA_PUBLIC_DECRYPT) ||
      bytes > OW_RSA_BYTES_MAX || in_len > bytes || *info->pk.rsa.outLen < bytes ||
      !ow_offload_wants(offload, opcode, 0, false, bytes)) {
    return CRYPTOCB_UNAVAILABLE;
  }
  memcpy(operation.input + bytes - in_len, info->pk.rsa.in, in_len);
  if (get_key(&operation, info->pk.rsa.key) && !(decrypts && is_extreme(&operation, bytes)) &&
      ow_offload_operate(offload, opcode, bytes, operate, &operation, NULL, NULL)) {
    memcpy(info->pk.rsa.out, operation.output, bytes);
    *info->pk.rsa.outLen = bytes;
    result = 0;
  }
  explicit_bzero(&operation, sizeof(operation));
  return result;
}

#endif
