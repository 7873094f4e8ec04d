/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Example: many jobs in flight, each with its own key, one doorbell a batch, on the simulated
 * board.
 */
#include <stdio.h>
#include <string.h>

#include "outwork/outwork.h"
#include "outwork/sim.h"

#define LOG2         5u
#define PACKETS      100u
#define PACKET_BYTES 256u

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static uint8_t packets[PACKETS][PACKET_BYTES];
static uint8_t keys[PACKETS][16], ivs[PACKETS][12];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_job jobs[PACKETS];

/* --8<-- [start:job] */
static void packet_done(struct ow_job *job, void *user) {
  unsigned *sealed = user;
  *sealed += job->status == OW_OK ? 1u : 0u; /* job->tag holds the tag */
}

static void describe(struct ow_job *job, unsigned packet, unsigned *sealed) {
  *job = (struct ow_job){
      .opcode = OW_OP_AES_GCM,
      .tag_len = 16,
      .key = {.bytes = keys[packet], .key_len = 16}, /* travels with the job */
      .iv = ivs[packet],
      .iv_len = 12,
      .source = packets[packet],
      .destination = packets[packet],
      .length = PACKET_BYTES,
      .done = packet_done,
      .user = sealed,
  };
}
/* --8<-- [end:job] */

/* --8<-- [start:submit] */
static ow_status seal_all(struct ow_queue *queue, struct ow_job *const list[], size_t count) {
  ow_status status = OW_OK;
  while (count != 0) {
    size_t accepted = 0;
    status = ow_queue_submit(queue, &accepted, list, count);
    list += accepted;
    count -= accepted;
    if (status == OW_BUSY) { /* the ring is full: take back what is ready, or let the device work */
      status = ow_queue_poll(queue, NULL);
    }
    if (status != OW_OK) {
      break; /* list[0] was refused, or the queue needs a reset */
    }
  }
  ow_status waited = ow_queue_wait(queue, NULL);
  if (waited != OW_OK) {
    (void)ow_queue_reset(queue); /* every job and its memory are ours again */
    return waited;
  }
  return status;
}
/* --8<-- [end:submit] */

int main(void) {
  struct ow_sim_parameters parameters;
  struct ow_platform platform;
  struct ow_device device;
  struct ow_queue queue;
  struct ow_job *list[PACKETS];
  unsigned sealed = 0;
  uint64_t start = 0, finish = 0;
  ow_sim_defaults(&parameters);
  struct ow_sim *sim = ow_sim_open(&parameters, NULL);
  if (sim == NULL || !ow_sim_register(sim, ring_memory, sizeof(ring_memory)) ||
      !ow_sim_register(sim, packets, sizeof(packets))) {
    return 1;
  }
  ow_sim_platform(sim, &platform);
  for (unsigned i = 0; i < PACKETS; i++) {
    memset(keys[i], (int)i, sizeof(keys[i]));
    describe(&jobs[i], i, &sealed);
    list[i] = &jobs[i];
  }
  ow_status status = ow_device_open(&device, &platform);
  if (status != OW_OK || ow_queue_grant(&device, 0, NULL) != OW_OK ||
      ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2) != OW_OK) {
    return 1;
  }
  status = seal_all(&queue, list, PACKETS);
  ow_queue_times(&queue, &start, &finish);
  printf("%s %u packets sealed; the last busy time took %llu cycles\n", ow_status_text(status),
         sealed, (unsigned long long)(finish - start));
  (void)ow_queue_close(&queue);
  (void)ow_device_close(&device);
  ow_sim_close(sim);
  return status == OW_OK && sealed == PACKETS ? 0 : 1;
}
