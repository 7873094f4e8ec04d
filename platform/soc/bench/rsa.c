/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA-2048 with the private key, by Mbed TLS and by the accelerator: both by the Chinese remainder
 * theorem, blinded, with a check of the result. Random numbers come from a generator that costs
 * nothing: nothing here is secret.
 */
#include <stddef.h>
#include <string.h>

#include <mbedtls/rsa.h>

#include "measure.h"
#include "outwork/outwork.h"
#include "rsa_key.h"

#define LOG2   2u
#define BYTES  sizeof(rsa_n)
#define ROUNDS 2u /* the last one counts: caches are warm, and Mbed TLS has its blinding values */
#define NUMBER(bytes) {bytes, sizeof(bytes)}

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;
static struct ow_pka pka;
static uint8_t heap[1u << 18];

/* The C library's memory. */
void *sbrk(ptrdiff_t bytes) {
  static size_t used;
  if (bytes < 0 || (size_t)bytes > sizeof(heap) - used) {
    return (void *)-1;
  }
  used += (size_t)bytes;
  return heap + used - (size_t)bytes;
}

static int random_bytes(void *context, uint8_t *bytes, size_t length) {
  static uint32_t state = 1;
  (void)context;
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525u + 1013904223u; /* Knuth's linear congruential generator */
    bytes[i] = (uint8_t)(state >> 24);
  }
  return 0;
}

static bool entropy(void *context, uint8_t *bytes, size_t length) {
  return random_bytes(context, bytes, length) == 0;
}

/* Returns the cycles of the private operation in software; 0: it has failed. */
static uint32_t run_software(const uint8_t *input, uint8_t *output) {
  mbedtls_rsa_context rsa;
  uint32_t cycles = 0;
  mbedtls_rsa_init(&rsa);
  int status = mbedtls_rsa_import_raw(&rsa, rsa_n, sizeof(rsa_n), rsa_p, sizeof(rsa_p), rsa_q,
                                      sizeof(rsa_q), NULL, 0, rsa_e, sizeof(rsa_e));
  status |= mbedtls_rsa_complete(&rsa);
  for (unsigned i = 0; i < ROUNDS && status == 0; i++) {
    const uint32_t begin = soc_cycles();
    status = mbedtls_rsa_private(&rsa, random_bytes, NULL, input, output);
    cycles = soc_cycles() - begin;
  }
  if (status != 0) {
    printf("Mbed TLS failed: -0x%x\n", (unsigned)-status);
  }
  mbedtls_rsa_free(&rsa);
  return status == 0 ? cycles : 0;
}

/* The same on the device, with the numbers of the key in memory. */
static uint32_t run_device(const uint8_t *input, uint8_t *output) {
  const struct ow_rsa_private key = {
      .n = NUMBER(rsa_n),
      .e = NUMBER(rsa_e),
      .p = NUMBER(rsa_p),
      .q = NUMBER(rsa_q),
      .dp = NUMBER(rsa_dp),
      .dq = NUMBER(rsa_dq),
      .qinv = NUMBER(rsa_qinv),
  };
  uint32_t cycles = 0;
  for (unsigned i = 0; i < ROUNDS; i++) {
    const uint32_t begin = soc_cycles();
    if (ow_rsa_private_raw(&pka, output, &key, input) != OW_OK) {
      return 0;
    }
    cycles = soc_cycles() - begin;
  }
  return cycles;
}

int main(void) {
  static uint8_t input[BYTES], signed_by_device[BYTES], signed_by_software[BYTES];
  soc_platform(&platform);
  platform.wait_interrupt = NULL;
  platform.entropy = entropy;
  if (ow_device_open(&device, &platform) != OW_OK || ow_queue_grant(&device, 0, NULL) != OW_OK ||
      ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2) != OW_OK ||
      ow_pka_init(&pka, &queue) != OW_OK) {
    printf("the device was not opened\n");
    return 1;
  }
  fill_message(input, BYTES); /* begins with 0: less than n */
  const uint32_t fast = run_device(input, signed_by_device);
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  const uint32_t slow = run_software(input, signed_by_software);
  if (fast == 0 || slow == 0 || memcmp(signed_by_device, signed_by_software, BYTES) != 0) {
    printf("device and software disagree, or one has failed\n");
    return 1;
  }
  if (counters.jobs < ROUNDS) {
    printf("the device has counted %lu jobs\n", (unsigned long)counters.jobs);
    return 1;
  }
  print_row("rsa-software", BYTES, 1, slow);
  print_row("rsa-device", BYTES, 1, fast);
  return 0;
}
