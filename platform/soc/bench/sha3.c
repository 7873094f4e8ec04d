/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SHA3-384 of one message by Mbed TLS, by bit-interleaved code (with KECCAK32_INSTRUCTIONS by the
 * CPU's rotations and and-not), and by the accelerator.
 */
#include <string.h>

#include <mbedtls/sha3.h>

#include "jobs.h"
#include "keccak32.h"
#include "measure.h"

#define BYTES  15888u /* as published in Xilinx WP512 */
#define DIGEST 48u
#define ROUNDS 2u /* the last one counts: caches are warm */

#ifdef KECCAK32_INSTRUCTIONS
#define NAME "sha3-instructions"
#else
#define NAME "sha3-interleaved"
#endif

static _Alignas(64) uint8_t message[BYTES];
static struct ow_platform platform;
static struct ow_queue queue;

static uint32_t run_interleaved(uint8_t digest[DIGEST]) {
  const uint32_t begin = soc_cycles();
  keccak32_sha3(digest, DIGEST, message, BYTES);
  return soc_cycles() - begin;
}

static uint32_t run_mbedtls(uint8_t digest[DIGEST]) {
  const uint32_t begin = soc_cycles();
  const int status = mbedtls_sha3(MBEDTLS_SHA3_384, message, BYTES, digest, DIGEST);
  const uint32_t cycles = soc_cycles() - begin;
  return status == 0 ? cycles : 0;
}

static uint32_t run_device(uint8_t digest[DIGEST]) {
  size_t finished = 0;
  struct ow_job job = {.opcode = OW_OP_SHA3_384, .length = BYTES, .source = message};
  struct ow_job *list[] = {&job};
  const uint32_t begin = soc_cycles();
  ow_status status = ow_queue_submit(&queue, NULL, list, 1);
  while (status == OW_OK && finished == 0) {
    status = ow_queue_poll(&queue, &finished);
  }
  const uint32_t cycles = soc_cycles() - begin;
  memcpy(digest, job.tag, DIGEST);
  return status == OW_OK && job.status == OW_OK ? cycles : 0;
}

static bool measure(const char *name, uint32_t (*run)(uint8_t *digest), uint8_t expected[DIGEST]) {
  uint8_t digest[DIGEST] = {0};
  uint32_t cycles = 0;
  for (unsigned i = 0; i < ROUNDS; i++) {
    cycles = run(digest);
  }
  const bool good = cycles != 0 && memcmp(digest, expected, DIGEST) == 0;
  if (good) {
    print_row(name, BYTES, 1, cycles);
  } else {
    printf("%s failed, or its digest is another one\n", name);
  }
  return good;
}

int main(void) {
  uint8_t expected[DIGEST];
  soc_platform(&platform);
  if (!jobs_open(&queue, &platform)) {
    return 1;
  }
  fill_message(message, BYTES);
  print_row("sha3-mbedtls", BYTES, 1,
            run_mbedtls(expected)); /* its message fills no cache anyway */
  if (!measure(NAME, run_interleaved, expected) || !measure("sha3-device", run_device, expected)) {
    return 1;
  }
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  printf("jobs %lu of %u\n", (unsigned long)counters.jobs, ROUNDS);
  return counters.jobs == ROUNDS ? 0 : 1;
}
