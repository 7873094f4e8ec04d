/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Implements message.h: the device and the random messages of the PSA driver's tests.
 */
#include "message.h"

#include <unistd.h>

static uint32_t state = 1;
static struct ow_offload_settings settings = {.policy = "always", .host = "psa"};
/* a second reference, so that choose() does not close the board */
static struct ow_offload *kept;

void begin(const char *library) {
  begin_above(library, 0);
}

void begin_above(const char *library, unsigned least) {
  char name[] = "/tmp/outwork-policy-XXXXXX";
  if (least != 0) {
    FILE *file = fdopen(mkstemp(name), "w");
    CHECK(file != NULL);
    fprintf(file, "outwork-policy 1\n");
    for (unsigned opcode = 1; opcode <= UINT8_MAX; opcode++) {
      fprintf(file, "0x%02x 0 encrypt 1 %u -\n0x%02x 0 decrypt 1 %u -\n", opcode, least, opcode,
              least);
    }
    CHECK_EQUAL(fclose(file), 0);
    settings.policy = strdup(name); /* choose() compares it with that of the offload that is open */
  }
  settings.library = library;
  settings.socket = getenv("OUTWORK_TEST_SOCKET"); /* set: another process serves the board */
  settings.platform = settings.socket != NULL ? "shared" : NULL;
  kept = ow_offload_open(&settings);
  CHECK(kept != NULL && ow_offload_complaint(kept) == NULL);
  CHECK(least == 0 || unlink(name) == 0);
  choose(true);
  CHECK_EQUAL(psa_crypto_init(), PSA_SUCCESS);
}

void choose(bool with) {
  CHECK(ow_psa_configure(with ? &settings : NULL));
  CHECK(ow_psa_offload() == (with ? kept : NULL));
}

uint64_t jobs(void) {
  struct ow_offload_totals totals;
  ow_offload_totals(kept, &totals);
  return totals.jobs;
}

void end(void) {
  mbedtls_psa_crypto_free();
  choose(false);
  ow_offload_close(kept);
}

void reseed(uint32_t seed) {
  state = seed * 2654435761u | 1;
}

uint32_t roll(uint32_t sides) { /* xorshift32 */
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return sides == 0 ? 0 : state % sides;
}

void fill(uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)roll(256);
  }
}

void cut(uint32_t cuts[3], uint32_t length) {
  cuts[0] = roll(length);
  cuts[1] = cuts[0] + roll(length - cuts[0]);
  cuts[2] = cuts[1] + roll(length - cuts[1]);
}

psa_key_id_t import(psa_key_type_t type, psa_key_lifetime_t lifetime, psa_algorithm_t alg,
                    psa_key_usage_t usage, const uint8_t *bytes, size_t length) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_key_id_t key = 0;
  psa_set_key_type(&attributes, type);
  psa_set_key_lifetime(&attributes, lifetime);
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_usage_flags(&attributes, usage);
  CHECK_EQUAL(psa_import_key(&attributes, bytes, length, &key), PSA_SUCCESS);
  return key;
}

psa_key_id_t aes_key(size_t length, psa_algorithm_t alg, psa_key_usage_t usage) {
  uint8_t bytes[32];
  fill(bytes, length);
  return import(PSA_KEY_TYPE_AES, 0, alg, usage, bytes, length);
}
