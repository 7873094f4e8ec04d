/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The answers of the driver: one status for every call and every job, and the reasons why work went
 * to software.
 */
#ifndef OUTWORK_STATUS_H
#define OUTWORK_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ow_status {
  OW_OK = 0,               /* Done. */
  OW_PENDING = 1,          /* The job is with the device. */
  OW_UNSUPPORTED = 2,      /* This device cannot do it: use software. Nothing was done. */
  OW_BUSY = 3,             /* The ring is full: poll, then submit again. Nothing was dropped. */
  OW_AUTH_FAILED = 4,      /* The tag does not match. The destination holds zeros. */
  OW_BAD_ARGUMENT = 5,     /* The request is not allowed by the standard or by this interface. */
  OW_BAD_KEY = 6,          /* The key does not fit the operation. */
  OW_KEY_DENIED = 7,       /* This queue may use no key in this slot, or not for this. */
  OW_KEY_REFUSED = 8,      /* The slot is locked, or no engine takes such a key. */
  OW_WINDOW_VIOLATION = 9, /* The job pointed outside the queue's address windows. */
  OW_BUS_ERROR = 10,       /* Memory answered with an error. The destination is not defined. */
  OW_TIMEOUT = 11,         /* The device, or a job with a watchdog, took too long. */
  OW_ABORTED =
      12,         /* The job was stopped by a reset of its queue. The destination is not defined. */
  OW_HALTED = 13, /* The queue has halted (see ow_queue_halt_reason): reset it. */
  OW_NOT_ALLOWED = 14,  /* The owner of the device has not granted this queue. */
  OW_NO_DEVICE = 15,    /* No Outwork device answers here, or one of another version. */
  OW_DEVICE_ERROR = 16, /* The device answered with something this driver does not know. */
  OW_FAULT = 17, /* A result failed its check and did not leave: a bad key, or the device erred. */
  OW_KEY_GONE = 18, /* The key was zeroised or replaced, before the job or while it ran. */
  OW_BAD_STATE = 19 /* The message cannot go on: its state is not one that this device saved for
                       this key in a slot and this queue, or the device has no seed. */
} ow_status;

/* One sentence for a person. */
const char *ow_status_text(ow_status status);

/* Why a request was answered OW_UNSUPPORTED or OW_BUSY, that is, why the device did not do the
 * work. Each queue counts them (struct ow_queue, fallbacks). */
typedef enum ow_fallback {
  OW_FALLBACK_OPCODE = 0, /* This build has no such operation, or not in pieces (CCM). */
  OW_FALLBACK_LENGTH = 1, /* Longer than one job can be. */
  OW_FALLBACK_MEMORY = 2, /* The device cannot reach the memory. */
  OW_FALLBACK_PIECES = 3, /* More pieces than the job has room for, or AAD in pieces of more than 64
                             bytes together. */
  OW_FALLBACK_RING = 4,   /* The ring was full. */
  OW_FALLBACK_DEVICE = 5, /* The queue has halted, or the device does not answer. */
  OW_FALLBACK_POLICY = 6, /* The policy: does not pay off at this size (the queue's, or counted by
                             ow_queue_fallback_add). */
  OW_FALLBACK_ENTROPY = 7, /* The platform gives no entropy for blinding and keys. */
  OW_FALLBACK_COUNT = 8
} ow_fallback;

/* A few words for a table. */
const char *ow_fallback_text(ow_fallback reason);

#ifdef __cplusplus
}
#endif

#endif
