// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The functions of intel-ipsec-mb that the tests compare with, with plain arguments.
#include <intel-ipsec-mb.h>
#include <string.h>

static IMB_MGR *manager(void) {
  static IMB_MGR *mgr;
  if (mgr == NULL) {
    mgr = alloc_mb_mgr(0);
    if (mgr != NULL)
      init_mb_mgr_auto(mgr, NULL);
  }
  return mgr;
}

// ZUC with 128 (iv_len 16) and 256 bits (iv_len 23); whole bytes.
int reference_zuc_cipher(uint8_t *out, const uint8_t *in, uint64_t len, const uint8_t *key,
                         uint64_t key_len, const uint8_t *iv, uint64_t iv_len) {
  IMB_MGR *mgr = manager();
  IMB_JOB *job = IMB_GET_NEXT_JOB(mgr);
  job->cipher_mode = IMB_CIPHER_ZUC_EEA3;
  job->hash_alg = IMB_AUTH_NULL;
  job->cipher_direction = IMB_DIR_ENCRYPT;
  job->chain_order = IMB_ORDER_CIPHER_HASH;
  job->enc_keys = key;
  job->key_len_in_bytes = key_len;
  job->iv = iv;
  job->iv_len_in_bytes = iv_len;
  job->src = in;
  job->dst = out;
  job->cipher_start_src_offset_in_bytes = 0;
  job->msg_len_to_cipher_in_bytes = len;
  job = IMB_SUBMIT_JOB(mgr);
  if (job == NULL)
    job = IMB_FLUSH_JOB(mgr);
  return job != NULL && job->status == IMB_STATUS_COMPLETED;
}

int reference_zuc_mac(uint8_t *tag, uint64_t tag_len, const uint8_t *in, uint64_t bits,
                      const uint8_t *key, uint64_t key_len, const uint8_t *iv) {
  IMB_MGR *mgr = manager();
  IMB_JOB *job = IMB_GET_NEXT_JOB(mgr);
  job->cipher_mode = IMB_CIPHER_NULL;
  job->cipher_direction = IMB_DIR_ENCRYPT;
  job->chain_order = IMB_ORDER_HASH_CIPHER;
  job->src = in;
  job->hash_start_src_offset_in_bytes = 0;
  job->msg_len_to_hash_in_bits = bits;
  job->auth_tag_output = tag;
  job->auth_tag_output_len_in_bytes = tag_len;
  job->u.ZUC_EIA3._key = key;
  job->u.ZUC_EIA3._iv = NULL;
  job->u.ZUC_EIA3._iv23 = NULL;
  if (key_len == 32) {
    job->hash_alg = IMB_AUTH_ZUC256_EIA3_BITLEN;
    job->u.ZUC_EIA3._iv23 = iv;
  } else {
    job->hash_alg = IMB_AUTH_ZUC_EIA3_BITLEN;
    job->u.ZUC_EIA3._iv = iv;
  }
  job = IMB_SUBMIT_JOB(mgr);
  if (job == NULL)
    job = IMB_FLUSH_JOB(mgr);
  return job != NULL && job->status == IMB_STATUS_COMPLETED;
}

static void schedule(snow3g_key_schedule_t *keys, const uint8_t *key) {
  IMB_SNOW3G_INIT_KEY_SCHED(manager(), key, keys);
}

int reference_snow3g_cipher(uint8_t *out, const uint8_t *in, uint64_t bits, const uint8_t *key,
                            const uint8_t *iv) {
  snow3g_key_schedule_t keys;
  schedule(&keys, key);
  IMB_SNOW3G_F8_1_BUFFER_BIT(manager(), &keys, iv, in, out, (uint32_t)bits, 0);
  return 1;
}

int reference_snow3g_mac(uint8_t *tag, const uint8_t *in, uint64_t bits, const uint8_t *key,
                         const uint8_t *iv) {
  snow3g_key_schedule_t keys;
  schedule(&keys, key);
  IMB_SNOW3G_F9_1_BUFFER(manager(), &keys, iv, in, bits, tag);
  return 1;
}
