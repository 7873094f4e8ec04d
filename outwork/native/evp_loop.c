/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The timed loop of OpenSSL calls.
 */
#define _POSIX_C_SOURCE 200809L
#include "evp_loop.h"

#include <stdbool.h>
#include <time.h>

enum { GET_TAG = 0x10, SET_TAG = 0x11 }; /* EVP_CTRL_AEAD_GET_TAG, _SET_TAG */

static uint64_t thread_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void count_up(uint8_t *bytes, size_t bytes_len) {
  for (size_t at = bytes_len; at-- > 0;) {
    if (++bytes[at] != 0) {
      break;
    }
  }
}

static bool mac_turn(const struct ow_evp_calls *calls, struct ow_evp_work *work, void *context) {
  size_t tag_len = 0;
  return calls->mac_init(context, work->key_len ? work->key : NULL, work->key_len, NULL) == 1 &&
         calls->mac_update(context, work->source, work->length) == 1 &&
         calls->mac_final(context, work->tag, &tag_len, sizeof work->tag) == 1;
}

static bool cipher_turn(const struct ow_evp_calls *calls, struct ow_evp_work *work, void *context) {
  int written = 0;
  const int length = (int)work->length;
  const int tag_len = (int)work->tag_len;
  const bool sets_tag = tag_len != 0 && !work->is_encrypt;
  bool good = true;

  if (work->is_ccm) {
    good = calls->cipher_ctrl(context, SET_TAG, tag_len, work->is_encrypt ? NULL : work->tag) == 1;
  }
  good =
      good && calls->cipher_init(context, NULL, work->key_len ? work->key : NULL,
                                 work->iv_len ? work->iv : NULL, (int)work->is_encrypt, NULL) == 1;
  if (work->is_ccm) {
    good = good && calls->cipher_update(context, NULL, &written, NULL, length) == 1;
  } else if (sets_tag) {
    good = good && calls->cipher_ctrl(context, SET_TAG, tag_len, work->tag) == 1;
  }
  good = good && calls->cipher_update(context, work->is_gmac ? NULL : work->destination, &written,
                                      work->source, length) == 1;
  if (!work->is_ccm || work->is_encrypt) {
    good = good && calls->cipher_final(context, work->destination + work->length, &written) == 1;
  }
  if (tag_len != 0 && work->is_encrypt) {
    good = good && calls->cipher_ctrl(context, GET_TAG, tag_len, work->tag) == 1;
  }
  return good;
}

uint64_t ow_evp_loop(uint64_t *nanoseconds, const struct ow_evp_calls *calls,
                     struct ow_evp_work *work, uint64_t turns) {
  uint64_t refused = 0;
  uint32_t next = 0;
  const uint64_t start = thread_nanoseconds();
  for (uint64_t turn = 0; turn < turns; turn++) {
    void *context = work->contexts[next];
    next = next + 1 == work->contexts_len ? 0 : next + 1;
    if (work->change_iv && work->iv_len != 0) {
      count_up(work->iv, work->iv_len);
    }
    if (work->key_len != 0) {
      count_up(work->key, 8); /* the first bytes: XTS keys stay different */
    }
    refused +=
        !(work->is_mac_object ? mac_turn(calls, work, context) : cipher_turn(calls, work, context));
  }
  *nanoseconds = thread_nanoseconds() - start;
  return refused;
}

static int no_init(void *context, const void *cipher, const unsigned char *key,
                   const unsigned char *iv, int enc, void *parameters) {
  (void)context, (void)cipher, (void)key, (void)iv, (void)enc, (void)parameters;
  return 1;
}

static int no_update(void *context, unsigned char *out, int *out_len, const unsigned char *in,
                     int in_len) {
  (void)context, (void)out, (void)in, (void)in_len;
  *out_len = 0;
  return 1;
}

static int no_final(void *context, unsigned char *out, int *out_len) {
  (void)context, (void)out;
  *out_len = 0;
  return 1;
}

static int no_ctrl(void *context, int type, int number, void *pointer) {
  (void)context, (void)type, (void)number, (void)pointer;
  return 1;
}

static int no_mac_init(void *context, const unsigned char *key, size_t key_len,
                       const void *parameters) {
  (void)context, (void)key, (void)key_len, (void)parameters;
  return 1;
}

static int no_mac_update(void *context, const unsigned char *data, size_t data_len) {
  (void)context, (void)data, (void)data_len;
  return 1;
}

static int no_mac_final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  (void)context, (void)out, (void)out_size;
  *out_len = 0;
  return 1;
}

void ow_evp_empty(struct ow_evp_calls *calls) {
  *calls = (struct ow_evp_calls){no_init,     no_update,     no_final,    no_ctrl,
                                 no_mac_init, no_mac_update, no_mac_final};
}
