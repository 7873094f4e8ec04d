/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The random generator on a device with errors: no random byte is returned, whatever the error and
 * its time, and the generator restarts when the device works again.
 */
#include "check.h"
#include "fake_device.h"
#include "rig.h"

static struct rig rig;
static struct fake_device *fake;
static struct ow_pka *pka;
static unsigned seeds;
static uint8_t kept[1024];
static size_t kept_len;
static unsigned calls, spoil_at; /* the number of the job that fails; 0: all jobs */

static bool entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  seeds++;
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)(7u * i + seeds);
  }
  return true;
}

static bool well(void) {
  return spoil_at != 0 && ++calls != spoil_at;
}

/* Returns zeros, as if the device had written nothing. */
static void all_zero(uint8_t *output, size_t length) {
  memset(output, 0, well() ? 0 : length);
}

static void one_zero_block(uint8_t *output, size_t length) {
  (void)length;
  memset(output + 32, 0, well() ? 0 : 16);
}

static void same_block(uint8_t *output, size_t length) {
  (void)length;
  memcpy(output + 48, output + 32, well() ? 0 : 16);
}

/* Returns the output of the previous job, or its beginning. */
static void replayed(uint8_t *output, size_t length) {
  if (!well() && kept_len != 0) {
    memcpy(output, kept, length < kept_len ? length : kept_len);
  } else {
    kept_len = length < sizeof(kept) ? length : sizeof(kept);
    memcpy(kept, output, kept_len);
  }
}

/* Changes one bit, which only the known answer test detects. */
static void one_bit(uint8_t *output, size_t length) {
  (void)length;
  output[20] ^= well() ? 0 : 4;
}

static void (*const spoils[])(uint8_t *, size_t) = {all_zero, one_zero_block, same_block, replayed,
                                                    one_bit};
enum { SPOILS = sizeof(spoils) / sizeof(spoils[0]), ONE_BIT = SPOILS - 1 };

static void open_rig(void) {
  rig_open(&rig);
  fake = rig.under;
  rig.platform->entropy = entropy;
  pka = rig_allocate(&rig, sizeof(*pka), 64);
  CHECK_EQUAL(ow_pka_init(pka, &rig.queue), OW_OK);
  seeds = calls = spoil_at = 0;
  kept_len = 0;
}

static void close_rig(void) {
  ow_pka_close(pka);
  rig_close(&rig);
}

static bool is_zero(const uint8_t *bytes, size_t length) {
  uint8_t all = 0;
  for (size_t i = 0; i < length; i++) {
    all |= bytes[i];
  }
  return all == 0;
}

/* After a failed request, no part of its output, of the state, or of the memory is left. */
static void check_refused(size_t length) {
  uint8_t got[1200];
  memset(got, 0x5a, sizeof(got));
  CHECK_EQUAL(ow_pka_random(pka, got, length), OW_FAULT);
  CHECK(is_zero(got, length));
  CHECK(is_zero(pka->output, sizeof(pka->output)));
  CHECK(is_zero(pka->drbg.key, sizeof(pka->drbg.key)) && is_zero(pka->drbg.v, sizeof(pka->drbg.v)));
  CHECK(!pka->drbg.tested && !pka->drbg.seeded);
}

static void check_good(size_t length) {
  uint8_t got[1200] = {0};
  CHECK_EQUAL(ow_pka_random(pka, got, length), OW_OK);
  CHECK(length < 16 || !is_zero(got, length));
}

/* An error from the first job on: the self-test detects it, and no entropy is used. */
static void test_broken(void) {
  for (unsigned i = 0; i < SPOILS; i++) {
    open_rig();
    fake->spoil = spoils[i];
    check_refused(16);
    check_refused(40);
    CHECK_EQUAL(seeds, 0);
    fake->spoil = NULL;
    check_good(16);
    CHECK_EQUAL(seeds, 1);
    close_rig();
  }
}

/* An error in any single job of a request of three parts, or of the self-test and the seeding
 * before it. */
static void test_breaks_once(void) {
  enum { JOBS = 3 + 1 + 3 };
  for (unsigned i = 0; i < ONE_BIT; i++) {
    for (unsigned job = spoils[i] == replayed ? 2 : 1; job <= JOBS; job++) {
      open_rig();
      fake->spoil = spoils[i];
      spoil_at = job;
      check_refused(1200);
      CHECK_EQUAL(seeds, job > 3);
      check_good(1200);
      close_rig();
    }
  }
}

/* An error later, between requests of other lengths. */
static void test_breaks_later(void) {
  static const size_t lengths[] = {1, 16, 33, 512, 5};
  for (unsigned i = 0; i < ONE_BIT; i++) {
    for (unsigned at = 0; at < 5; at++) {
      open_rig();
      for (unsigned round = 0; round < 5; round++) {
        check_good(lengths[round]);
      }
      fake->spoil = spoils[i];
      spoil_at = UINT32_MAX; /* no error yet, to record an output */
      check_good(lengths[(at + 2) % 5]);
      spoil_at = calls + 1;
      check_refused(lengths[at]);
      check_good(lengths[at]);
      CHECK_EQUAL(seeds, 2);
      close_rig();
    }
  }
}

/* An error while the generator is seeded again is detected too. */
static void test_breaks_at_a_seed(void) {
  open_rig();
  for (unsigned i = 0; i < 1024; i++) {
    check_good(1);
  }
  CHECK_EQUAL(seeds, 1);
  fake->spoil = all_zero;
  check_refused(1);
  fake->spoil = NULL;
  check_good(1);
  CHECK_EQUAL(seeds, 3); /* the entropy of one was not used */
  close_rig();
}

/* A job that ends with an error status gives no bytes, but does not restart the generator. */
static void test_failed_job(void) {
  uint8_t got[32];
  open_rig();
  check_good(32);
  memset(got, 0x5a, sizeof(got));
  fake->force_status = OW_DEVICE_READ_ERROR;
  CHECK_EQUAL(ow_pka_random(pka, got, sizeof(got)), OW_BUS_ERROR);
  CHECK(is_zero(got, sizeof(got)));
  check_good(32);
  CHECK_EQUAL(seeds, 1);
  close_rig();
}

int main(void) {
  RUN(test_broken);
  RUN(test_breaks_once);
  RUN(test_breaks_later);
  RUN(test_breaks_at_a_seed);
  RUN(test_failed_job);
  return 0;
}
