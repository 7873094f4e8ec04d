/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Runs a block of C from a page (BLOCK) on the simulated board. The block may use the device, the
 * queue, memory and keys declared here, and must declare `status`.
 */
#include <stdio.h>
#include <string.h>

#include "outwork/outwork.h"
#include "outwork/sim.h"

#define LOG2 4u

static _Alignas(64) uint8_t memory[65536];
static struct ow_device device;
static struct ow_queue queue;
uint8_t *text = memory + 32768;
void *reachable_memory = memory + 40960;
const size_t length = 64;
const uint8_t key_bytes[32] = {1}, mac_key[32] = {2}, digest[32] = {3};
uint8_t iv[16] = {4};

static ow_status block(void) {
#include BLOCK
  return status;
}

int main(void) {
  static struct ow_queue_slot slots[1u << LOG2];
  struct ow_sim_parameters parameters;
  struct ow_platform platform;
  ow_sim_defaults(&parameters);
  struct ow_sim *sim = ow_sim_open(&parameters, NULL);
  if (sim == NULL || !ow_sim_register(sim, memory, sizeof(memory))) {
    return 2;
  }
  ow_sim_platform(sim, &platform);
  if (ow_device_open(&device, &platform) != OW_OK || ow_queue_grant(&device, 0, NULL) != OW_OK ||
      ow_queue_open(&queue, &device, 0, memory, slots, LOG2) != OW_OK) {
    return 2;
  }
  ow_status status = block();
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  printf("%s %llu jobs\n", ow_status_text(status), (unsigned long long)counters.jobs);
  ow_sim_close(sim);
  return status == OW_OK && counters.jobs != 0 ? 0 : 1;
}
