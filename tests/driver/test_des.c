/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The driver's DES and TDES calls on the board, against OpenSSL.
 */
#include <openssl/evp.h>

#include "check.h"
#include "reference.h"
#include "rig_board.h"

#define BYTES_MAX 1024u
#define SLOT      3u

static struct rig rig;
static uint8_t *input, *output;

typedef ow_status crypt_call(struct ow_queue *queue, void *output, uint8_t iv[8],
                             const struct ow_key *key, ow_operation operation, const void *input,
                             size_t length);

static ow_status des_ecb(struct ow_queue *queue, void *out, uint8_t iv[8], const struct ow_key *key,
                         ow_operation operation, const void *in, size_t length) {
  (void)iv;
  return ow_des_ecb_crypt(queue, out, key, operation, in, length);
}

static ow_status tdes_ecb(struct ow_queue *queue, void *out, uint8_t iv[8],
                          const struct ow_key *key, ow_operation operation, const void *in,
                          size_t length) {
  (void)iv;
  return ow_tdes_ecb_crypt(queue, out, key, operation, in, length);
}

static const struct {
  crypt_call *call;
  uint8_t opcode, key_len;
  bool cbc;
} modes[] = {
    {des_ecb, OW_OP_DES_ECB, 8, false},    {ow_des_cbc_crypt, OW_OP_DES_CBC, 8, true},
    {tdes_ecb, OW_OP_TDES_ECB, 16, false}, {ow_tdes_cbc_crypt, OW_OP_TDES_CBC, 16, true},
    {tdes_ecb, OW_OP_TDES_ECB, 24, false}, {ow_tdes_cbc_crypt, OW_OP_TDES_CBC, 24, true},
};
#define MODES (sizeof(modes) / sizeof(modes[0]))

/* One or two keys are three keys, of which some are equal. */
static void widen(uint8_t whole[24], const uint8_t *key, unsigned key_len) {
  for (unsigned i = 0; i < 24; i++) {
    whole[i] = key[i % key_len];
  }
}

static void reference(uint8_t *out, unsigned mode, const uint8_t *key, const uint8_t *iv,
                      bool encrypt, const uint8_t *in, uint32_t length) {
  uint8_t whole[24];
  int made;
  widen(whole, key, modes[mode].key_len);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(EVP_CipherInit(context, modes[mode].cbc ? EVP_des_ede3_cbc() : EVP_des_ede3_ecb(), whole,
                       iv, encrypt));
  EVP_CIPHER_CTX_set_padding(context, 0);
  CHECK(EVP_CipherUpdate(context, out, &made, in, (int)length));
  EVP_CIPHER_CTX_free(context);
}

/* Every number of keys, mode and direction; each message in two parts; keys inline and in a slot.
 */
static void test_messages(void) {
  struct ow_counters before = {0}, after;
  ow_queue_counters(&rig.queue, &before);
  after = before;
  unsigned jobs = 0;
  for (unsigned n = 0; n < 16 * MODES; n++) {
    unsigned mode = n % MODES;
    bool encrypt = n / MODES % 2, slot = n / MODES % 4 > 1;
    uint8_t key[24], whole[24], iv[8], expected[BYTES_MAX];
    uint32_t first = 8 * random_below(20), length = first + 8 * (1 + random_below(100));
    random_bytes(key, sizeof(key));
    random_bytes(iv, sizeof(iv));
    random_bytes(input, length);
    memset(output, 0x5a, length + 1);
    reference(expected, mode, key, iv, encrypt, input, length);
    struct ow_key with = {.bytes = key, .key_len = modes[mode].key_len};
    if (slot) {
      const struct ow_key_properties all = {.queues = 0xff, .encrypt = true, .decrypt = true};
      widen(whole, key, modes[mode].key_len);
      CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &all, modes[mode].opcode, whole,
                                   modes[mode].key_len == 8 ? 8 : 24),
                  OW_OK);
      with = (struct ow_key){.slot = SLOT};
    }
    ow_operation operation = encrypt ? OW_ENCRYPT : OW_DECRYPT;
    if (first != 0) {
      CHECK_EQUAL(modes[mode].call(&rig.queue, output, iv, &with, operation, input, first), OW_OK);
      jobs++;
    }
    CHECK_EQUAL(modes[mode].call(&rig.queue, output + first, iv, &with, operation, input + first,
                                 length - first),
                OW_OK);
    jobs++;
    CHECK(memcmp(output, expected, length) == 0);
    CHECK_EQUAL(output[length], 0x5a);
  }
  ow_queue_counters(&rig.queue, &after);
  CHECK_EQUAL(after.jobs - before.jobs, jobs);
}

static void test_bad_arguments(void) {
  uint8_t key[24] = {1}, iv[8] = {0};
  struct ow_key with = {.bytes = key, .key_len = 16};
  CHECK_EQUAL(ow_des_ecb_crypt(&rig.queue, output, &with, OW_ENCRYPT, input, 8), OW_BAD_ARGUMENT);
  with.key_len = 8;
  CHECK_EQUAL(ow_tdes_cbc_crypt(&rig.queue, output, iv, &with, OW_ENCRYPT, input, 8),
              OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_des_ecb_crypt(&rig.queue, output, NULL, OW_ENCRYPT, input, 8), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_des_ecb_crypt(&rig.queue, output, &with, OW_ENCRYPT, input, 9), OW_BAD_ARGUMENT);
  /* A key in a slot can be used only with the opcode for which it was loaded. */
  const struct ow_key_properties all = {.queues = 0xff, .encrypt = true, .decrypt = true};
  CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &all, OW_OP_DES_CBC, key, 8), OW_OK);
  with = (struct ow_key){.slot = SLOT};
  CHECK_EQUAL(ow_des_ecb_crypt(&rig.queue, output, &with, OW_ENCRYPT, input, 8), OW_BAD_KEY);
  CHECK_EQUAL(ow_key_load_kind(&rig.device, SLOT, &all, OW_OP_TDES_CBC, key, 16), OW_KEY_REFUSED);
  CHECK_EQUAL(ow_key_zeroise(&rig.device, SLOT), OW_OK);
  CHECK_EQUAL(ow_des_cbc_crypt(&rig.queue, output, iv, &with, OW_ENCRYPT, input, 8), OW_KEY_DENIED);
}

int main(void) {
  rig_open(&rig);
  input = rig_allocate(&rig, BYTES_MAX, 64);
  output = rig_allocate(&rig, BYTES_MAX + 8, 64);
  CHECK(OW_FIELD(rig.device.capabilities.engine.des, OW_GLOBAL_DES_MODES) == 0xf);
  RUN(test_messages);
  RUN(test_bad_arguments);
  rig_close(&rig);
  return 0;
}
