/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Example: a board with slower memory runs one job, prints its cost, and shows what happens when
 * memory stops answering.
 */
#include "outwork/outwork.h"
#include "outwork/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG2         4u
#define MEMORY_BYTES 65536u

int main(void) {
  static struct ow_queue_slot slots[1u << LOG2];
  static const uint8_t key_bytes[32] = {1};
  const struct ow_key key = {.bytes = key_bytes, .key_len = sizeof(key_bytes)};
  uint8_t counter[16] = {0};

  /* --8<-- [start:open] */
  struct ow_sim_parameters parameters;
  ow_sim_defaults(&parameters); /* the reference board */
  parameters.read_latency = 80; /* twice the reference latency */
  const char *error = NULL;
  struct ow_sim *sim = ow_sim_open(&parameters, &error);
  if (sim == NULL) {
    fprintf(stderr, "no board: %s\n", error);
    return 1;
  }

  uint8_t *memory = aligned_alloc(64, MEMORY_BYTES);
  if (memory == NULL || !ow_sim_register(sim, memory, MEMORY_BYTES)) {
    return 1;
  }
  struct ow_platform platform;
  ow_sim_platform(sim, &platform); /* from here on the driver works as with any other device */
  /* --8<-- [end:open] */

  struct ow_device device;
  struct ow_queue queue;
  if (ow_device_open(&device, &platform) != OW_OK || ow_queue_grant(&device, 0, NULL) != OW_OK ||
      ow_queue_open(&queue, &device, 0, memory, slots, LOG2) != OW_OK) {
    return 1;
  }
  uint8_t *data = memory + OW_QUEUE_MEMORY_BYTES(LOG2);
  memset(data, 0, 16384);

  /* --8<-- [start:measure] */
  uint64_t cycles = ow_sim_cycles(sim);
  ow_status status = ow_aes_ctr_crypt(&queue, data, counter, &key, data, 16384);
  cycles = ow_sim_cycles(sim) - cycles;
  struct ow_sim_statistics statistics;
  ow_sim_statistics(sim, &statistics);
  printf("16384 bytes: %s %" PRIu64 " cycles, %" PRIu64 " beats read, %" PRIu64 " written\n",
         ow_status_text(status), cycles, statistics.read_beats, statistics.write_beats);
  /* --8<-- [end:measure] */

  /* --8<-- [start:fault] */
  const struct ow_sim_fault fault = {.kind = OW_SIM_NO_READ_RESPONSE};
  ow_sim_inject(sim, &fault); /* from now on no read is answered */
  queue.timeout_us = 1000;
  device.timeout_us = 1000;
  status = ow_aes_ctr_crypt(&queue, data, counter, &key, data, 64);
  printf("memory is silent: %s\n", ow_status_text(status));
  ow_sim_mend(sim); /* reads are answered again */
  status = ow_queue_reset(&queue);
  if (status == OW_OK) {
    status = ow_aes_ctr_crypt(&queue, data, counter, &key, data, 64);
  }
  printf("memory is back: %s\n", ow_status_text(status));
  /* --8<-- [end:fault] */

  ow_queue_close(&queue);
  ow_device_close(&device);
  ow_sim_close(sim);
  free(memory);
  return status == OW_OK ? 0 : 1;
}
