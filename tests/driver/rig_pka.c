/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * See rig_pka.h.
 */
#include "rig_pka.h"

struct rig rig;
struct ow_pka *pka;
static struct ow_counters counters;

void open_rig(void) {
  rig_open(&rig);
  pka = rig_allocate(&rig, sizeof(*pka), 64);
  CHECK_EQUAL(ow_pka_init(pka, &rig.queue), OW_OK);
  memset(&counters, 0, sizeof(counters));
}

void close_rig(void) {
  for (size_t i = 0; i < sizeof(pka->key); i++) {
    CHECK_EQUAL(pka->key[i], 0);
  }
  for (size_t i = 0; i < sizeof(pka->input); i++) {
    CHECK_EQUAL(pka->input[i] | pka->output[i], 0);
  }
  ow_pka_close(pka);
  rig_close(&rig);
}

unsigned jobs_since(void) {
  uint64_t before = counters.jobs;
  ow_queue_counters(&rig.queue, &counters);
  return (unsigned)(counters.jobs - before);
}

void random_below(uint8_t *bytes, size_t length, const BIGNUM *limit) {
  BIGNUM *number = BN_new();
  CHECK(BN_rand_range(number, limit));
  CHECK_EQUAL(BN_bn2binpad(number, bytes, (int)length), (int)length);
  BN_free(number);
}
