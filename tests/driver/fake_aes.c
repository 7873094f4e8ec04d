/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Modes of AES over one block of libcrypto's.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "fake_aes.h"

#include <openssl/aes.h>
#include <string.h>

#include "outwork/spec.h"

static void encrypt_block(uint8_t out[16], const uint8_t in[16], const uint8_t *key,
                          size_t key_len) {
  AES_KEY schedule;
  AES_set_encrypt_key(key, (int)key_len * 8, &schedule);
  AES_encrypt(in, out, &schedule);
}

static void decrypt_block(uint8_t out[16], const uint8_t in[16], const uint8_t *key,
                          size_t key_len) {
  AES_KEY schedule;
  AES_set_decrypt_key(key, (int)key_len * 8, &schedule);
  AES_decrypt(in, out, &schedule);
}

static void add(uint8_t a[16], const uint8_t *b, size_t length) {
  for (size_t i = 0; i < length; i++) {
    a[i] ^= b[i];
  }
}

static void count(uint8_t counter[16], int from, uint32_t steps) {
  uint64_t carry = steps;
  for (int i = 15; i >= from; i--) {
    carry += counter[i];
    counter[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

/* SP 800-38D 6.3 */
static void multiply(uint8_t x[16], const uint8_t h[16]) {
  uint8_t z[16] = {0}, v[16];
  memcpy(v, h, 16);
  for (int i = 0; i < 128; i++) {
    if (x[i / 8] >> (7 - i % 8) & 1) {
      add(z, v, 16);
    }
    bool low = v[15] & 1;
    for (int j = 15; j > 0; j--) {
      v[j] = (uint8_t)(v[j] >> 1 | v[j - 1] << 7);
    }
    v[0] >>= 1;
    v[0] ^= low ? 0xe1 : 0;
  }
  memcpy(x, z, 16);
}

static void hash(uint8_t y[16], const uint8_t h[16], const uint8_t *data, size_t length) {
  for (size_t i = 0; i < length; i += 16) {
    add(y, data + i, length - i < 16 ? length - i : 16);
    multiply(y, h);
  }
}

static void hash_lengths(uint8_t y[16], const uint8_t h[16], uint64_t a, uint64_t b) {
  uint8_t block[16];
  for (int i = 0; i < 8; i++) {
    block[7 - i] = (uint8_t)(a * 8 >> 8 * i);
    block[15 - i] = (uint8_t)(b * 8 >> 8 * i);
  }
  hash(y, h, block, 16);
}

static unsigned give_tag(struct fake_aes_job *job, const uint8_t tag[16]) {
  if (job->decrypt && memcmp(tag, job->tag, job->tag_len) != 0) {
    if (!job->keeps_text) {
      memset(job->output, 0, job->length);
    }
    memset(job->tag, 0, 16);
    return OW_DEVICE_AUTH_FAILED;
  }
  memcpy(job->tag, tag, job->tag_len);
  return OW_DEVICE_OK;
}

static void ctr(struct fake_aes_job *job, uint8_t counter[16], int from) {
  for (size_t i = 0; i < job->length; i += 16) {
    uint8_t stream[16];
    encrypt_block(stream, counter, job->key, job->key_len);
    count(counter, from, 1);
    for (size_t j = i; j < job->length && j < i + 16; j++) {
      job->output[j] = job->input[j] ^ stream[j - i];
    }
  }
}

static unsigned gcm(struct fake_aes_job *job) {
  bool gmac = job->opcode == OW_OP_AES_GMAC;
  uint8_t h[16] = {0}, y[16] = {0}, counter[16] = {0}, mask[16];
  uint64_t lengths[2] = {0, 0};
  encrypt_block(h, h, job->key, job->key_len);
  if (job->load) {
    memcpy(counter, job->state, 16);
    memcpy(y, job->state + 16, 16);
    memcpy(lengths, job->state + 32, 16);
  } else if (job->iv_len == 12) {
    memcpy(counter, job->iv, 12);
    counter[15] = 1;
  } else {
    hash(counter, h, job->iv, job->iv_len);
    hash_lengths(counter, h, 0, job->iv_len);
  }
  if (!job->load) {
    count(counter, 12, 1); /* the counter of the first payload block */
  }
  uint8_t j0[16];
  memcpy(j0, counter, 16);
  count(j0, 12, (uint32_t)(0u - 1u - lengths[1] / 16));
  hash(y, h, job->aad, job->aad_len);
  lengths[0] += job->aad_len;
  lengths[gmac ? 0 : 1] += job->length;
  if (gmac || job->decrypt) {
    hash(y, h, job->input, job->length);
  }
  if (!gmac) {
    ctr(job, counter, 12);
  }
  if (!gmac && !job->decrypt) {
    hash(y, h, job->output, job->length);
  }
  if (job->save) {
    memcpy(job->state, counter, 16);
    memcpy(job->state + 16, y, 16);
    memcpy(job->state + 32, lengths, 16);
    memset(job->tag, 0, 16);
    return OW_DEVICE_OK;
  }
  hash_lengths(y, h, lengths[0], lengths[1]);
  encrypt_block(mask, j0, job->key, job->key_len);
  add(y, mask, 16);
  return give_tag(job, y);
}

/* SP 800-38C 6.1 and A.2 */
static unsigned ccm(struct fake_aes_job *job) {
  uint8_t mac[16] = {0}, counter[16], mask[16];
  uint8_t q = (uint8_t)(job->iv[0] + 1);
  memcpy(counter, job->iv, 16);
  encrypt_block(mask, counter, job->key, job->key_len);
  count(counter, 16 - q, 1);
  mac[0] = (uint8_t)((job->aad_len ? 64 : 0) | (job->tag_len - 2) / 2 << 3 | (q - 1));
  memcpy(mac + 1, job->iv + 1, 15u - q);
  for (size_t i = 0; i < q && i < 8; i++) {
    mac[15 - i] = (uint8_t)((uint64_t)job->length >> 8 * i);
  }
  encrypt_block(mac, mac, job->key, job->key_len);
  uint8_t head[6] = {0xff, 0xfe};
  size_t filled = job->aad_len == 0 ? 0 : job->aad_len < 0xff00 ? 2 : 6;
  for (size_t i = 0; i < (filled == 6 ? 4 : filled); i++) {
    head[filled - 1 - i] = (uint8_t)(job->aad_len >> 8 * i);
  }
  add(mac, head, filled);
  for (size_t i = 0; i < job->aad_len; i++) {
    mac[filled++] ^= job->aad[i];
    if (filled == 16 || i + 1 == job->aad_len) {
      encrypt_block(mac, mac, job->key, job->key_len);
      filled = 0;
    }
  }
  for (int step = 0; step < 2; step++) {
    if (step == (job->decrypt ? 0 : 1)) {
      ctr(job, counter, 16 - q);
      continue;
    }
    const uint8_t *plain = job->decrypt ? job->output : job->input;
    for (size_t i = 0; i < job->length; i += 16) {
      add(mac, plain + i, job->length - i < 16 ? job->length - i : 16);
      encrypt_block(mac, mac, job->key, job->key_len);
    }
  }
  add(mac, mask, 16);
  return give_tag(job, mac);
}

/* Multiplies by x. CMAC's subkeys have bits and bytes in the opposite order of XTS's tweaks. */
static void double_left(uint8_t block[16]) {
  uint8_t carry = block[0] >> 7;
  for (int i = 0; i < 15; i++) {
    block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
  }
  block[15] = (uint8_t)(block[15] << 1) ^ (carry ? 0x87 : 0);
}

static void double_tweak(uint8_t block[16]) {
  uint8_t carry = block[15] >> 7;
  for (int i = 15; i > 0; i--) {
    block[i] = (uint8_t)(block[i] << 1 | block[i - 1] >> 7);
  }
  block[0] = (uint8_t)(block[0] << 1) ^ (carry ? 0x87 : 0);
}

static unsigned cmac(struct fake_aes_job *job) {
  uint8_t subkey[16] = {0}, mac[16] = {0}, last[16] = {0};
  size_t done = 0;
  if (job->load) {
    memcpy(mac, job->state + 16, 16);
  }
  for (; done + 16 < job->length + (job->save ? 1 : 0); done += 16) {
    add(mac, job->input + done, 16);
    encrypt_block(mac, mac, job->key, job->key_len);
  }
  if (job->save) {
    memset(job->state, 0, 48);
    memcpy(job->state + 16, mac, 16);
    memset(job->tag, 0, 16);
    return OW_DEVICE_OK;
  }
  encrypt_block(subkey, subkey, job->key, job->key_len);
  double_left(subkey);
  memcpy(last, job->input + done, job->length - done);
  if (job->length - done < 16) {
    last[job->length - done] = 0x80;
    double_left(subkey);
  }
  add(mac, last, 16);
  add(mac, subkey, 16);
  encrypt_block(mac, mac, job->key, job->key_len);
  return give_tag(job, mac);
}

static void xts_block(struct fake_aes_job *job, uint8_t out[16], const uint8_t in[16],
                      const uint8_t tweak[16]) {
  uint8_t block[16];
  memcpy(block, in, 16);
  add(block, tweak, 16);
  (job->decrypt ? decrypt_block : encrypt_block)(block, block, job->key, job->key_len);
  add(block, tweak, 16);
  memcpy(out, block, 16);
}

static unsigned xts(struct fake_aes_job *job) {
  uint8_t tweak[16], following[16], block[16];
  size_t rest = job->length % 16, whole = job->length / 16 - (rest ? 1 : 0);
  if (job->load) {
    memcpy(tweak, job->state, 16);
  } else {
    encrypt_block(tweak, job->iv, job->tweak_key, job->key_len);
  }
  for (size_t i = 0; i < whole; i++) {
    xts_block(job, job->output + 16 * i, job->input + 16 * i, tweak);
    double_tweak(tweak);
  }
  if (rest != 0) {
    size_t at = 16 * whole;
    memcpy(following, tweak, 16);
    double_tweak(following);
    xts_block(job, block, job->input + at, job->decrypt ? following : tweak);
    uint8_t stolen[16];
    memcpy(stolen, block, 16);
    memcpy(stolen, job->input + at + 16, rest);
    memcpy(job->output + at + 16, block, rest);
    xts_block(job, job->output + at, stolen, job->decrypt ? tweak : following);
  }
  if (job->save) {
    memset(job->state, 0, 48);
    memcpy(job->state, tweak, 16);
  }
  memset(job->tag, 0, 16);
  return OW_DEVICE_OK;
}

static unsigned blocks(struct fake_aes_job *job) {
  uint8_t chain[16] = {0};
  bool cbc = job->opcode == OW_OP_AES_CBC;
  if (cbc) {
    memcpy(chain, job->iv, 16);
  }
  for (size_t i = 0; i < job->length; i += 16) {
    uint8_t in[16], out[16];
    memcpy(in, job->input + i, 16);
    if (job->decrypt) {
      decrypt_block(out, in, job->key, job->key_len);
      add(out, chain, 16);
      memcpy(chain, cbc ? in : chain, 16);
    } else {
      memcpy(out, in, 16);
      add(out, chain, 16);
      encrypt_block(out, out, job->key, job->key_len);
      memcpy(chain, cbc ? out : chain, 16);
    }
    memcpy(job->output + i, out, 16);
  }
  memcpy(job->tag, chain, 16);
  return OW_DEVICE_OK;
}

/* Checks those rules of rtl/aes/aes_plan.sv that a job can still violate here. */
static unsigned judge(const struct fake_aes_job *job) {
  uint8_t mode = job->opcode;
  bool mac = mode == OW_OP_AES_GMAC || mode == OW_OP_AES_CMAC;
  bool tagged = mac || mode == OW_OP_AES_GCM || mode == OW_OP_AES_CCM;
  bool stateful = mode == OW_OP_AES_XTS || mode == OW_OP_AES_GCM || mac;
  if ((job->load || job->save) && !stateful) {
    return OW_DEVICE_BAD_FLAGS;
  }
  if (((mode == OW_OP_AES_ECB || mode == OW_OP_AES_CBC || job->save) && job->length % 16 != 0) ||
      (mode == OW_OP_AES_XTS && job->length < 16) ||
      (mode == OW_OP_AES_CCM && job->iv[0] < 3 && job->length >> 8 * (job->iv[0] + 1) != 0) ||
      (mode == OW_OP_AES_CMAC && job->load && !job->save && job->length == 0) ||
      (job->aad_len != 0 && mode != OW_OP_AES_CCM && (mode != OW_OP_AES_GCM || job->load))) {
    return OW_DEVICE_BAD_LENGTH;
  }
  size_t tag_min = mac && !job->decrypt ? 1 : 4;
  bool odd = mode == OW_OP_AES_CCM && job->tag_len % 2 != 0;
  if (tagged && !job->save && (job->tag_len < tag_min || job->tag_len > 16 || odd)) {
    return OW_DEVICE_BAD_TAG_LENGTH;
  }
  return OW_DEVICE_OK;
}

unsigned fake_aes(struct fake_aes_job *job) {
  unsigned status = judge(job);
  if (status != OW_DEVICE_OK) {
    return status;
  }
  switch (job->opcode) {
  case OW_OP_AES_ECB:
  case OW_OP_AES_CBC:
    return blocks(job);
  case OW_OP_AES_CTR:
    memcpy(job->tag, job->iv, 16);
    ctr(job, job->tag, 0);
    return OW_DEVICE_OK;
  case OW_OP_AES_GCM:
  case OW_OP_AES_GMAC:
    return gcm(job);
  case OW_OP_AES_XTS:
    return xts(job);
  case OW_OP_AES_CCM:
    return ccm(job);
  case OW_OP_AES_CMAC:
    return cmac(job);
  default:
    return OW_DEVICE_BAD_OPCODE;
  }
}
