/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The core of the plug-ins without an operating system: one queue that the program has opened, no
 * threads, no files, no allocation.
 *
 * It is offload.h with these differences:
 * - The device works on the caller's memory. If it fails, the output has been zeroed; where input
 *   and output overlap, the input is as before, because the device read a copy of it.
 * - There is one offload; of several openings the last policy counts. settings.policy is `never`,
 *   `always`, or the text of a policy (docs/policy.md), which must stay; the other settings are
 *   ignored.
 * - ow_offload_run_many() and ow_operate_payload() are not there.
 */
#ifndef OUTWORK_OFFLOAD_FIRMWARE_H
#define OUTWORK_OFFLOAD_FIRMWARE_H

#include "offload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most rules of a policy. */
#define OW_FIRMWARE_RULES 32u
/* Least bytes of `memory`: the state of a message in pieces. */
#define OW_FIRMWARE_MEMORY_BYTES 384u

struct ow_offload_firmware {
  /* Open, and used by nothing else. With interrupts (ow_queue_set_interrupts) a request sleeps. */
  struct ow_queue *queue;
  /* On this queue, for public keys; NULL: software has them. */
  struct ow_pka *pka;
  /* Accessible to the device, 64-byte aligned. What is more than OW_FIRMWARE_MEMORY_BYTES has a
   * copy of the input of requests whose output overlaps it; longer ones are left to software. */
  void *memory;
  uint32_t memory_bytes;
  /* A mutex of the tasks; NULL: one task makes all requests. */
  void (*lock)(void *context);
  void (*unlock)(void *context);
  void *context;
};

/* Gives the offload its device; the structure is copied. NULL: takes it away, and software does
 * everything. Call it before a plug-in is opened, while no request is running. Handles of keys in
 * slots that were loaded before are void; counters start from zero. */
void ow_offload_attach(const struct ow_offload_firmware *firmware);

#ifdef __cplusplus
}
#endif

#endif
